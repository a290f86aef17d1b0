//===- Registration.cpp - All dialects and passes -------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Pipelines/Registration.h"

#include "accrue/Conversion/KernelToCUDA/Passes.h"
#include "accrue/Conversion/Passes.h"
#include "accrue/Dialect/CUDA/CUDADialect.h"
#include "accrue/Dialect/CUDA/Passes.h"
#include "accrue/Dialect/Kernel/BufferizableOpInterfaceImpl.h"
#include "accrue/Dialect/Kernel/KernelDialect.h"
#include "accrue/Dialect/Kernel/Passes.h"
#include "accrue/Dialect/NN/NNDialect.h"
#include "accrue/Dialect/NN/Passes.h"
#include "accrue/Dialect/Train/Passes.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "accrue/Pipelines/Pipelines.h"
#include "accrue/Target/CPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/Passes.h"

using namespace accrue;

void accrue::registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<cuda::CUDADialect, kernel::KernelDialect, nn::NNDialect,
                  train::TrainDialect, mlir::func::FuncDialect,
                  mlir::arith::ArithDialect, mlir::linalg::LinalgDialect,
                  mlir::math::MathDialect, mlir::memref::MemRefDialect,
                  mlir::scf::SCFDialect, mlir::tensor::TensorDialect>();
  kernel::registerBufferizableOpInterfaceExternalModels(registry);
}

void accrue::registerAllPasses() {
  mlir::registerTransformsPasses();
  cpu::registerCPUPassesAndPipeline();
  cuda::registerCUDAPasses();
  kernel::registerKernelPasses();
  registerConversionPasses();
  registerKernelToCUDAPasses();
  nn::registerNNPasses();
  train::registerTrainPasses();
  registerPipelines();
}
