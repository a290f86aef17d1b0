//===- BatchOpInterface.cpp - How the batch passes an op --------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Interfaces/BatchOpInterface.h"

#include "accrue/Interfaces/BatchOpInterface.cpp.inc"
