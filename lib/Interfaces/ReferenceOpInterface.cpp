//===- ReferenceOpInterface.cpp - What an op means --------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Interfaces/ReferenceOpInterface.h"
#include "accrue/Reference/EvaluationContext.h"

#include "accrue/Interfaces/ReferenceOpInterface.cpp.inc"
