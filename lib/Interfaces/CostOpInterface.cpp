//===- CostOpInterface.cpp - What an op costs -------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Interfaces/CostOpInterface.h"

#include "accrue/Interfaces/CostOpInterface.cpp.inc"
