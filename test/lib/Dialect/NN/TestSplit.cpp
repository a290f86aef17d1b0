//===- TestSplit.cpp - Splits ops over samples ----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/Pass.h"
#include <numeric>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

namespace {
/// Replaces ops that read all samples, which dimension 0 enumerates, by
/// formulas that split over them, and reductions over samples by the merge of
/// those of parts.
struct TestSplit : public PassWrapper<TestSplit, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestSplit)

  TestSplit() = default;
  TestSplit(const TestSplit &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "test-split"; }
  StringRef getDescription() const final { return "split ops over samples"; }

  ListOption<int64_t> parts{*this, "parts",
                            llvm::cl::desc("samples of each part")};

  void runOnOperation() override {
    SmallVector<SplittableOpInterface> coupled;
    getOperation().walk(
        [&](SplittableOpInterface op) { coupled.push_back(op); });
    for (SplittableOpInterface op : coupled) {
      OpBuilder builder(op);
      SmallVector<Value> results;
      if (failed(op.buildSplittable(builder, results)))
        return signalPassFailure();
      op->replaceAllUsesWith(results);
      op->erase();
    }
    SmallVector<BatchOpInterface> reductions;
    getOperation().walk([&](BatchOpInterface op) {
      if (std::optional<BatchRule> rule = getRule(op))
        if (rule->results[0].isPartial() &&
            rule->results[0].reducer != ReducerKind::Sum)
          reductions.push_back(op);
    });
    for (BatchOpInterface op : reductions)
      if (failed(merge(op)))
        return signalPassFailure();
  }

  int64_t countSamples() const {
    return std::accumulate(parts.begin(), parts.end(), int64_t(0));
  }

  bool hasSamples(Value value) const {
    auto type = cast<RankedTensorType>(value.getType());
    return type.getRank() > 0 && type.getDimSize(0) == countSamples();
  }

  /// The rule of `op`; none where it reads no samples.
  std::optional<BatchRule> getRule(BatchOpInterface op) const {
    SmallVector<BatchState> states;
    for (Value operand : op->getOperands())
      states.push_back(hasSamples(operand) ? BatchState::mapped({})
                                           : BatchState::once());
    std::string reason;
    if (llvm::all_of(states, [](BatchState s) { return s.isOnce(); }))
      return std::nullopt;
    FailureOr<BatchRule> rule = op.inferBatchRule(states, reason);
    return succeeded(rule) ? std::optional<BatchRule>(*rule) : std::nullopt;
  }

  LogicalResult merge(BatchOpInterface op) const {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    SmallVector<SmallVector<Value>> contributions(op->getNumResults());
    SmallVector<double> shares;
    int64_t start = 0;
    for (int64_t size : parts) {
      IRMapping mapping;
      for (Value operand : op->getOperands())
        mapping.map(operand, SliceOp::create(builder, loc, operand, 0, start,
                                             start + size, 1));
      Operation *part = builder.clone(*op, mapping);
      for (auto [i, result] : llvm::enumerate(part->getResults())) {
        auto type = cast<RankedTensorType>(result.getType());
        SmallVector<Extent> extents = getExtents(type);
        extents.insert(extents.begin(), 1);
        contributions[i].push_back(ReshapeOp::create(
            builder, loc, getTensorType(extents, type.getElementType()),
            result));
      }
      shares.push_back(static_cast<double>(size) / countSamples());
      start += size;
    }
    SmallVector<Value> stacked;
    for (ArrayRef<Value> values : contributions)
      stacked.push_back(ConcatOp::create(builder, loc, values, 0));
    // Of the type of the floats that it weights.
    auto element =
        dyn_cast<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
    if (!element)
      element = builder.getF64Type();
    auto type =
        RankedTensorType::get(static_cast<int64_t>(shares.size()), element);
    SmallVector<Attribute> values;
    for (double share : shares)
      values.push_back(builder.getFloatAttr(element, share));
    Value weights =
        ConstantOp::create(builder, loc, DenseElementsAttr::get(type, values));
    FailureOr<SmallVector<Value>> merged =
        op.buildMerge(builder, stacked, weights);
    if (failed(merged))
      return op->emitOpError("has no merge");
    op->replaceAllUsesWith(*merged);
    op->erase();
    return success();
  }
};
} // namespace

namespace accrue::test {
void registerTestSplit() { PassRegistration<TestSplit>(); }
} // namespace accrue::test
