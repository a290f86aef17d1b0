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
#include "accrue/Conversion/KernelToCUDA/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Path.h"

namespace accrue {
#define GEN_PASS_DEF_KERNELSTOCUDA
#include "accrue/Conversion/KernelToCUDA/Passes.h.inc"
} // namespace accrue

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

ArrayAttr accrue::cuda::getSources(ArrayRef<Location> locs) {
  llvm::SetVector<std::pair<StringRef, unsigned>> places;
  for (Location loc : locs)
    loc->walk([&](Location part) {
      if (auto place = dyn_cast<FileLineColLoc>(part))
        places.insert(
            {llvm::sys::path::filename(place.getFilename()), place.getLine()});
      return WalkResult::advance();
    });
  auto sorted = places.takeVector();
  llvm::sort(sorted);
  SmallVector<std::string> texts;
  for (auto [file, line] : sorted)
    texts.push_back((file + ":" + Twine(line)).str());
  SmallVector<StringRef> sources(texts.begin(), texts.end());
  return Builder(locs.front().getContext()).getStrArrayAttr(sources);
}

/// What the kernel moves if it touches every element of its arguments once.
static int64_t getBytes(kernel::FuncOp func) {
  int64_t bytes = 0;
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
    if (auto memref = dyn_cast<MemRefType>(type))
      bytes +=
          kernel::getByteSize(memref) * (func.isRead(i) + func.isWritten(i));
  return bytes;
}

static LogicalResult mapKernel(kernel::FuncOp func) {
  OpBuilder builder(func);
  auto kernel =
      KernelOp::create(builder, func.getLoc(), func.getSymName(),
                       func.getArgumentTypes(), func.getArgAttrsAttr());
  kernel.setSourcesAttr(getSources(func.getLoc()));
  kernel.setBytes(getBytes(func));
  switch (func.getSchedule()) {
  case kernel::Schedule::elementwise:
  case kernel::Schedule::columns:
    return mapThreads(func, kernel);
  case kernel::Schedule::rows:
    return mapRows(func, kernel);
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
