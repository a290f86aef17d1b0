//===- MergeKernels.cpp - One of equal kernels and segments ---------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables first, since kernels refer to them, and then segments, which launch
// kernels. Bodies are compared only where signatures and launch configurations
// are the same.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/CUDA/CUDAOps.h"
#include "accrue/Dialect/CUDA/Passes.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/SetVector.h"

namespace accrue::cuda {
#define GEN_PASS_DEF_MERGEKERNELS
#include "accrue/Dialect/CUDA/Passes.h.inc"
} // namespace accrue::cuda

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

/// What equal ops of module level have in common at least: everything but the
/// name, the heading and the body.
static Attribute getKey(Operation *op) {
  Builder b(op);
  if (auto table = dyn_cast<RangesOp>(op))
    return b.getArrayAttr({table.getRanges(), table.getIndexBitsAttr()});
  if (auto segment = dyn_cast<SegmentOp>(op))
    return b.getArrayAttr({segment.getFunctionTypeAttr(),
                           segment.getArgAttrsAttr() ? segment.getArgAttrsAttr()
                                                     : b.getArrayAttr({})});
  auto kernel = cast<KernelOp>(op);
  return b.getArrayAttr({kernel.getFunctionTypeAttr(), kernel.getGridAttr(),
                         kernel.getBlockAttr(), kernel.getIndexBitsAttr()});
}

/// Adds the sources of `other` to those of `kernel`.
static void addSources(KernelOp kernel, KernelOp other) {
  llvm::SetVector<Attribute> sources;
  for (ArrayAttr attr : {kernel.getSourcesAttr(), other.getSourcesAttr()})
    if (attr)
      sources.insert(attr.begin(), attr.end());
  if (!sources.empty())
    kernel.setSourcesAttr(
        ArrayAttr::get(kernel.getContext(), sources.getArrayRef()));
}

/// Erases the ops of kind `OpTy` that are equal to an earlier one and makes its
/// users refer to that one.
template <class OpTy>
static void merge(ModuleOp module) {
  llvm::DenseMap<Attribute, SmallVector<OpTy>> kept;
  llvm::DenseMap<Attribute, FlatSymbolRefAttr> replacements;
  for (auto op : llvm::make_early_inc_range(module.getOps<OpTy>())) {
    SmallVector<OpTy> &candidates = kept[getKey(op)];
    auto *equal = llvm::find_if(candidates, [&](OpTy other) {
      return llvm::all_of(
          llvm::zip_equal(op->getRegions(), other->getRegions()),
          [](auto regions) {
            return OperationEquivalence::isRegionEquivalentTo(
                &std::get<0>(regions), &std::get<1>(regions),
                OperationEquivalence::IgnoreLocations);
          });
    });
    if (equal == candidates.end()) {
      candidates.push_back(op);
      continue;
    }
    if constexpr (std::is_same_v<OpTy, KernelOp>)
      addSources(*equal, op);
    replacements[FlatSymbolRefAttr::get(op.getSymNameAttr())] =
        FlatSymbolRefAttr::get(equal->getSymNameAttr());
    op.erase();
  }
  if (replacements.empty())
    return;
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](FlatSymbolRefAttr reference) {
    auto it = replacements.find(reference);
    return it == replacements.end() ? reference : it->second;
  });
  replacer.recursivelyReplaceElementsIn(module);
}

namespace {

struct MergeKernelsPass
    : accrue::cuda::impl::MergeKernelsBase<MergeKernelsPass> {
  void runOnOperation() override {
    merge<RangesOp>(getOperation());
    merge<KernelOp>(getOperation());
    merge<SegmentOp>(getOperation());
  }
};

} // namespace
