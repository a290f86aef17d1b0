//===- KernelsToCUDA.cpp - From the planned level to CUDA -----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver of the conversion: every kernel by its schedule, then the step
// functions that launch them.
//
//===----------------------------------------------------------------------===//

#include "Mapping.h"
#include "accrue/Analysis/KernelCost.h"
#include "accrue/Conversion/KernelToCUDA/Passes.h"
#include "accrue/Support/Location.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace accrue {
#define GEN_PASS_DEF_KERNELSTOCUDA
#include "accrue/Conversion/KernelToCUDA/Passes.h.inc"
} // namespace accrue

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

ArrayAttr accrue::cuda::getSources(ArrayRef<Location> locs) {
  SmallVector<std::string> lines = listLines(locs);
  SmallVector<StringRef> sources(lines.begin(), lines.end());
  return Builder(locs.front().getContext()).getStrArrayAttr(sources);
}

static LogicalResult mapKernel(kernel::FuncOp func) {
  OpBuilder builder(func);
  auto kernel =
      KernelOp::create(builder, func.getLoc(), func.getSymName(),
                       func.getArgumentTypes(), func.getArgAttrsAttr());
  kernel.setSourcesAttr(getSources(func.getLoc()));
  KernelCost cost = getKernelCost(func);
  kernel.setBytes(cost.bytes);
  kernel.setFlops(cost.flops);
  switch (func.getSchedule()) {
  case kernel::Schedule::elementwise:
  case kernel::Schedule::columns:
    return mapThreads(func, kernel);
  case kernel::Schedule::rows:
    return mapRows(func, kernel);
  case kernel::Schedule::scatter:
    return mapScatter(func, kernel);
  }
  llvm_unreachable("unknown schedule");
}

namespace {

struct KernelsToCUDAPass : accrue::impl::KernelsToCUDABase<KernelsToCUDAPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto func :
         llvm::make_early_inc_range(module.getOps<kernel::FuncOp>())) {
      if (failed(mapKernel(func)))
        return signalPassFailure();
      func.erase();
    }
    SymbolTable symbols(module);
    for (auto func : llvm::to_vector(module.getOps<func::FuncOp>()))
      if (func->hasAttr(kernel::attrs::kPlan) && failed(mapStep(func, symbols)))
        return signalPassFailure();
  }
};

} // namespace
