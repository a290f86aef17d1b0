//===- NNDialect.h - The nn dialect -----------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_NNDIALECT_H
#define ACCRUE_DIALECT_NN_NNDIALECT_H

#include "accrue/Dialect/NN/Extent.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/TensorEncoding.h"

#include "accrue/Dialect/NN/NNDialect.h.inc"

#include "accrue/Dialect/NN/NNEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "accrue/Dialect/NN/NNAttributes.h.inc"

#endif // ACCRUE_DIALECT_NN_NNDIALECT_H
