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
// Where the last dimensions are summed as well (a channel of images), they come
// first: along rows, which are contiguous and many.
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

static int64_t getExtent(RankedTensorType type, ArrayRef<int64_t> dims) {
  int64_t extent = 1;
  for (int64_t dim : dims)
    extent *= type.getDimSize(dim);
  return extent;
}

namespace {
/// Builds the stages of one reduction in front of it. Stages are f32 at least.
class Splitter {
public:
  Splitter(Operation *op, int64_t minExtent)
      : op(op), builder(op), loc(op->getLoc()), minExtent(minExtent) {}

  /// Replaces the reduction of `input` over `dims`; `isMean` divides by their
  /// extent.
  void split(Value input, ArrayRef<int64_t> dims, bool isMean);

private:
  template <typename OpTy, typename... Args>
  Value create(Args &&...args) {
    auto part = OpTy::create(builder, loc, std::forward<Args>(args)...);
    part->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    return part;
  }
  Value sum(Value input, ArrayRef<int64_t> dims) {
    return create<nn::SumOp>(input, dims);
  }
  Value convert(Value input, Type element);
  /// The sum of `input` over `dims` in stages.
  Value sumInStages(Value input, ArrayRef<int64_t> dims);

  Operation *op;
  OpBuilder builder;
  Location loc;
  int64_t minExtent;
};
} // namespace

/// The number of `dims` that are the last dimensions of a tensor of `rank`.
static int64_t countTrailing(ArrayRef<int64_t> dims, int64_t rank) {
  int64_t count = 0;
  while (count < static_cast<int64_t>(dims.size()) &&
         dims[dims.size() - 1 - count] == rank - 1 - count)
    ++count;
  return count;
}

/// Whether rows come first: dimensions `dims` that are not the last ones are
/// summed, and so are the last ones, which are long.
static bool hasRows(RankedTensorType type, ArrayRef<int64_t> dims) {
  int64_t trailing = countTrailing(dims, type.getRank());
  return trailing != 0 && trailing < static_cast<int64_t>(dims.size()) &&
         getExtent(type, dims.take_back(trailing)) >= kMinChunk;
}

static int64_t countLeading(ArrayRef<int64_t> dims) {
  int64_t count = 0;
  while (count < static_cast<int64_t>(dims.size()) && dims[count] == count)
    ++count;
  return count;
}

/// The number of chunks into which the leading ones of `dims` are cut.
static int64_t getChunks(RankedTensorType type, ArrayRef<int64_t> dims,
                         int64_t minExtent) {
  int64_t rows = getExtent(type, dims.take_front(countLeading(dims)));
  return rows < minExtent ? 1 : getChunks(rows);
}

Value Splitter::convert(Value input, Type element) {
  auto type = cast<RankedTensorType>(input.getType());
  if (type.getElementType() == element)
    return input;
  return create<nn::ConvertOp>(RankedTensorType::get(type.getShape(), element),
                               input);
}

Value Splitter::sumInStages(Value input, ArrayRef<int64_t> dims) {
  auto type = cast<RankedTensorType>(input.getType());
  if (hasRows(type, dims)) {
    int64_t trailing = countTrailing(dims, type.getRank());
    Value rows = sum(input, dims.take_back(trailing));
    return sumInStages(rows, dims.drop_back(trailing));
  }
  int64_t chunks = getChunks(type, dims, minExtent);
  if (chunks == 1)
    return sum(input, dims);
  // The leading dimensions become two: chunks, and rows in one.
  int64_t leading = countLeading(dims);
  int64_t rows = getExtent(type, dims.take_front(leading));
  SmallVector<int64_t> shape = {chunks, rows / chunks};
  llvm::append_range(shape, type.getShape().drop_front(leading));
  SmallVector<int64_t> within = {1};
  for (int64_t dim : dims.drop_front(leading))
    within.push_back(dim - leading + 2);
  Value chunked = create<nn::ReshapeOp>(
      RankedTensorType::get(shape, type.getElementType()), input);
  Value partial = sum(chunked, within);
  return sum(partial, ArrayRef<int64_t>{0});
}

void Splitter::split(Value input, ArrayRef<int64_t> dims, bool isMean) {
  auto type = cast<RankedTensorType>(input.getType());
  if (!type.hasStaticShape())
    return;
  int64_t extent = getExtent(type, dims);
  if ((!hasRows(type, dims) || extent < minExtent) &&
      getChunks(type, dims, minExtent) == 1)
    return;
  // Sums of halves are f32.
  Type element = type.getElementType();
  Type wide =
      element.getIntOrFloatBitWidth() < 32 ? builder.getF32Type() : element;
  Value result = sumInStages(convert(input, wide), dims);
  if (isMean) {
    auto resultType = cast<RankedTensorType>(result.getType());
    Value weight = nn::createSplat(builder, loc, resultType, 1.0 / extent);
    result = create<nn::MulOp>(resultType, result, weight);
  }
  op->replaceAllUsesWith(ValueRange{convert(result, element)});
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
      Splitter splitter(op, minExtent);
      if (auto sum = dyn_cast<nn::SumOp>(op))
        splitter.split(sum.getInput(), sum.getDims(), /*isMean=*/false);
      else if (auto mean = dyn_cast<nn::MeanOp>(op))
        splitter.split(mean.getInput(), mean.getDims(), /*isMean=*/true);
    }
  }
};
} // namespace
