//===- BoundIndices.cpp - Valid values of integer inputs ------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the result of the analysis IndexBounds to the arguments.
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/IndexBounds.h"
#include "accrue/Dialect/Train/Passes.h"
#include "accrue/Dialect/Train/TrainDialect.h"

namespace accrue::train {
#define GEN_PASS_DEF_BOUNDINDICES
#include "accrue/Dialect/Train/Passes.h.inc"
} // namespace accrue::train

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

namespace {
struct BoundIndices : train::impl::BoundIndicesBase<BoundIndices> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function->hasAttr(attrs::kModel) && !function->hasAttr(attrs::kStep))
      return;
    for (BlockArgument argument : function.getArguments()) {
      unsigned number = argument.getArgNumber();
      auto dim =
          function.getArgAttrOfType<IntegerAttr>(number, attrs::kBatchDim);
      if (!dim)
        continue;
      SmallVector<Attribute> bounds;
      for (const IndexBound &bound :
           getIndexBounds(function, argument, dim.getInt()))
        bounds.push_back(IndexBoundAttr::get(&getContext(), bound.begin,
                                             bound.end, bound.bound,
                                             describeReader(bound)));
      if (!bounds.empty())
        function.setArgAttr(number, attrs::kIndexBounds,
                            ArrayAttr::get(&getContext(), bounds));
    }
  }
};
} // namespace
