//===- ElementwiseOpInterface.cpp - Scalar bodies ---------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Interfaces/ElementwiseOpInterface.h"

#include "accrue/Interfaces/ElementwiseOpInterface.cpp.inc"
