//===- ShareArenas.cpp - One set of arenas --------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only sizes change: buffers stay where their plans put them.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/CUDA/CUDAOps.h"
#include "accrue/Dialect/CUDA/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace accrue::cuda {
#define GEN_PASS_DEF_SHAREARENAS
#include "accrue/Dialect/CUDA/Passes.h.inc"
} // namespace accrue::cuda

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

/// Whether what is in `arena` lives within one run of a program: programs may
/// need different sizes. The others are the same for all, or refused.
static bool isTemporary(kernel::Arena arena) {
  return arena == kernel::Arena::activations || arena == kernel::Arena::outputs;
}

namespace {

struct ShareArenasPass : accrue::cuda::impl::ShareArenasBase<ShareArenasPass> {
  void runOnOperation() override {
    llvm::DenseMap<int, int64_t> largest;
    SmallVector<func::FuncOp> steps;
    for (auto step : getOperation().getOps<func::FuncOp>()) {
      auto plan = getPlan(step);
      if (!plan)
        continue;
      steps.push_back(step);
      for (kernel::ArenaPlanAttr arena : plan.getArenas()) {
        int64_t &bytes = largest[static_cast<int>(arena.getArena())];
        bytes = std::max(bytes, arena.getBytes());
      }
    }
    for (func::FuncOp step : steps)
      enlarge(step, largest);
  }

  static kernel::PlanAttr getPlan(func::FuncOp step) {
    return step->getAttrOfType<kernel::PlanAttr>(kernel::attrs::kPlan);
  }

  /// Gives the temporary arenas of `step` the sizes `bytes`.
  static void enlarge(func::FuncOp step,
                      const llvm::DenseMap<int, int64_t> &bytes) {
    MLIRContext *context = step.getContext();
    kernel::PlanAttr plan = getPlan(step);
    SmallVector<kernel::ArenaPlanAttr> arenas(plan.getArenas());
    for (auto [arena, argument] :
         llvm::zip_equal(arenas, step.getArguments())) {
      if (!isTemporary(arena.getArena()))
        continue;
      int64_t size = bytes.lookup(static_cast<int>(arena.getArena()));
      arena = kernel::ArenaPlanAttr::get(context, arena.getArena(), size,
                                         arena.getUsed());
      argument.setType(MemRefType::get({size}, IntegerType::get(context, 8)));
    }
    step.setType(FunctionType::get(context, step.front().getArgumentTypes(),
                                   step.getResultTypes()));
    step->setAttr(kernel::attrs::kPlan,
                  kernel::PlanAttr::get(context, arenas, plan.getBuffers(),
                                        plan.getInputs(), plan.getKept(),
                                        plan.getStaging()));
  }
};

} // namespace
