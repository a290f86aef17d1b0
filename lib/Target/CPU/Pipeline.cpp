//===- Pipeline.cpp - From the planned level to the LLVM dialect ----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Target/CPU/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cpu;

void cpu::buildCPUPipeline(OpPassManager &pm) {
  pm.addNestedPass<kernel::FuncOp>(createChunkKernels());
  pm.addNestedPass<kernel::FuncOp>(createInterchangeColumns());
  pm.addPass(createExpandUpdate());
  pm.addNestedPass<kernel::FuncOp>(createExpandDraws());
  pm.addNestedPass<kernel::FuncOp>(createApproximateMath());
  pm.addPass(createOutlineChunks());
  pm.addPass(createKernelsToLLVM());
}

void cpu::registerCPUPassesAndPipeline() {
  registerCPUPasses();
  PassPipelineRegistration<>("cpu-pipeline",
                             "convert the planned level to the LLVM dialect",
                             [](OpPassManager &pm) { buildCPUPipeline(pm); });
}
