//===- accrue-reduce.cpp - Shrinks MLIR text that shows a fault -----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Fuzz/Reduction.h"
#include "accrue/Pipelines/Registration.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  accrue::registerAllPasses();
  mlir::DialectRegistry registry;
  accrue::registerAllDialects(registry);
  accrue::fuzz::registerReductionPatterns(registry);
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
