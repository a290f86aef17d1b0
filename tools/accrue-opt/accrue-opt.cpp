//===- accrue-opt.cpp - Runs passes on MLIR text --------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Kernel/KernelDialect.h"
#include "accrue/Dialect/NN/NNDialect.h"
#include "accrue/Dialect/Train/Passes.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

namespace accrue::test {
void registerTestBatchAnalysis();
} // namespace accrue::test

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<accrue::kernel::KernelDialect, accrue::nn::NNDialect,
                  accrue::train::TrainDialect, mlir::func::FuncDialect,
                  mlir::linalg::LinalgDialect, mlir::math::MathDialect,
                  mlir::tensor::TensorDialect>();
  mlir::registerTransformsPasses();
  accrue::train::registerTrainPasses();
  accrue::test::registerTestBatchAnalysis();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Accrue optimizer driver\n", registry));
}
