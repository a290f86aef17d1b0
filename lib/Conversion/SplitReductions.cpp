//===- SplitReductions.cpp - Long sums in two stages ----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum over leading dimensions has little parallelism: one result per column.
// It becomes a sum within chunks of rows and a sum over the chunks. Their
// number depends on the shape only, so results do not depend on the machine.
//
//===----------------------------------------------------------------------===//

#include "accrue/Conversion/Passes.h"
#include "accrue/Dialect/NN/Builders.h"
#include "accrue/Dialect/NN/NNOps.h"

namespace accrue {
#define GEN_PASS_DEF_SPLITREDUCTIONS
#include "accrue/Conversion/Passes.h.inc"
} // namespace accrue

using namespace mlir;
using namespace accrue;

/// Rows in a chunk, at least, and chunks, at most.
static constexpr int64_t kMinChunk = 16;
static constexpr int64_t kMaxChunks = 64;

/// The number of chunks for `rows` rows: a divisor; 1 where none is useful.
static int64_t getChunks(int64_t rows) {
  for (int64_t chunks = std::min(kMaxChunks, rows / kMinChunk); chunks > 1;
       --chunks)
    if (rows % chunks == 0)
      return chunks;
  return 1;
}

/// Splits the reduction `op` of `input` over `dims`; `isMean` divides by their
/// extent.
static void split(Operation *op, Value input, ArrayRef<int64_t> dims,
                  bool isMean, int64_t minExtent) {
  auto type = cast<RankedTensorType>(input.getType());
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t leading = dims.size();
  bool isPrefix = llvm::equal(dims, llvm::seq<int64_t>(0, leading));
  if (!type.hasStaticShape() || !isPrefix)
    return;
  int64_t rows =
      ShapedType::getNumElements(type.getShape().take_front(leading));
  int64_t chunks = rows < minExtent ? 1 : getChunks(rows);
  if (chunks == 1)
    return;

  Location loc = op->getLoc();
  OpBuilder builder(op);
  Type element = type.getElementType();
  SmallVector<int64_t> shape = {chunks, rows / chunks};
  llvm::append_range(shape, type.getShape().drop_front(leading));
  auto chunked = RankedTensorType::get(shape, element);
  shape.erase(shape.begin() + 1);
  auto partial = RankedTensorType::get(shape, element);
  Operation *reshape = nn::ReshapeOp::create(builder, loc, chunked, input);
  Operation *first = nn::SumOp::create(
      builder, loc, partial, reshape->getResult(0), ArrayRef<int64_t>{1});
  Operation *second = nn::SumOp::create(
      builder, loc, resultType, first->getResult(0), ArrayRef<int64_t>{0});
  SmallVector<Operation *> made = {reshape, first, second};
  if (isMean) {
    Value weight = nn::createSplat(builder, loc, resultType, 1.0 / rows);
    made.push_back(nn::MulOp::create(builder, loc, resultType,
                                     second->getResult(0), weight));
  }
  for (Operation *part : made)
    part->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op->replaceAllUsesWith(ValueRange{made.back()->getResult(0)});
  op->erase();
}

namespace {
struct SplitReductionsPass
    : public accrue::impl::SplitReductionsBase<SplitReductionsPass> {
  using SplitReductionsBase::SplitReductionsBase;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<nn::SumOp, nn::MeanOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (auto sum = dyn_cast<nn::SumOp>(op))
        split(op, sum.getInput(), llvm::to_vector(sum.getDims()), false,
              minExtent);
      else if (auto mean = dyn_cast<nn::MeanOp>(op))
        split(op, mean.getInput(), llvm::to_vector(mean.getDims()), true,
              minExtent);
    }
  }
};
} // namespace
