//===- accrue-opt.cpp - Runs passes on MLIR text --------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Pipelines/Registration.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

namespace accrue::test {
void registerTestBatchAnalysis();
void registerTestFusionGroups();
void registerTestKernelCost();
void registerTestNumberRanges();
void registerTestSplit();
void registerTestStepCalls();
} // namespace accrue::test

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  accrue::registerAllDialects(registry);
  accrue::registerAllPasses();
  accrue::test::registerTestBatchAnalysis();
  accrue::test::registerTestFusionGroups();
  accrue::test::registerTestKernelCost();
  accrue::test::registerTestNumberRanges();
  accrue::test::registerTestSplit();
  accrue::test::registerTestStepCalls();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Accrue optimizer driver\n", registry));
}
