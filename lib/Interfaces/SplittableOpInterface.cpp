//===- SplittableOpInterface.cpp - Ops that couple samples ----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Interfaces/SplittableOpInterface.h"

#include "accrue/Interfaces/SplittableOpInterface.cpp.inc"
