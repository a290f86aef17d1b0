//===- NumberRangeOpInterface.cpp - Bounds of values ----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Interfaces/NumberRangeOpInterface.h"

#include "accrue/Interfaces/NumberRangeOpInterface.cpp.inc"
