//===- DifferentiableOpInterface.cpp - Reverse-mode rules -------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Interfaces/DifferentiableOpInterface.h"

#include "accrue/Interfaces/DifferentiableOpInterface.cpp.inc"
