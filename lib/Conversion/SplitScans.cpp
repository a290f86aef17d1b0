//===- SplitScans.cpp - Long cumulative sums in stages --------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel adds up a cumulative sum anew for every element, since elements are
// computed independently: n^2 additions for a line of n. Cut into blocks, it is
// the sum within the block plus the sum of the blocks before, which is a
// shorter line: about n log n additions in log n stages.
//
//===----------------------------------------------------------------------===//

#include "accrue/Conversion/Passes.h"
#include "accrue/Dialect/NN/NNOps.h"

namespace accrue {
#define GEN_PASS_DEF_SPLITSCANS
#include "accrue/Conversion/Passes.h.inc"
} // namespace accrue

using namespace mlir;
using namespace accrue;

/// Elements of a block, at least and at most.
static constexpr int64_t kMinBlock = 4;
static constexpr int64_t kMaxBlock = 32;

/// The largest size of a block that divides `extent`; 1 where there is none.
static int64_t getBlock(int64_t extent) {
  for (int64_t block = kMaxBlock; block >= kMinBlock; --block)
    if (extent % block == 0)
      return block;
  return 1;
}

namespace {
/// Builds the stages of one cumulative sum in front of it.
class Splitter {
public:
  Splitter(nn::CumsumOp op, int64_t minExtent)
      : op(op), builder(op), dim(op.getDimAttr().getInt()),
        minExtent(minExtent) {}

  void split();

private:
  template <typename OpTy, typename... Args>
  Value create(Args &&...args) {
    auto part = OpTy::create(builder, op.getLoc(), std::forward<Args>(args)...);
    part->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    return part;
  }
  bool isSplit(RankedTensorType type) const {
    return type.hasStaticShape() && type.getDimSize(dim) >= minExtent &&
           getBlock(type.getDimSize(dim)) != 1;
  }
  Value convert(Value input, Type element);
  /// The cumulative sums of `input`.
  Value scan(Value input);

  nn::CumsumOp op;
  OpBuilder builder;
  int64_t dim, minExtent;
};
} // namespace

Value Splitter::convert(Value input, Type element) {
  auto type = cast<RankedTensorType>(input.getType());
  if (type.getElementType() == element)
    return input;
  return create<nn::ConvertOp>(RankedTensorType::get(type.getShape(), element),
                               input);
}

Value Splitter::scan(Value input) {
  auto type = cast<RankedTensorType>(input.getType());
  if (!isSplit(type))
    return create<nn::CumsumOp>(type, input, dim, op.getReverse());
  int64_t extent = type.getDimSize(dim), block = getBlock(extent);
  int64_t blocks = extent / block;
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = blocks;
  shape.insert(shape.begin() + dim + 1, block);
  auto blockedType = RankedTensorType::get(shape, type.getElementType());

  Value blocked = create<nn::ReshapeOp>(blockedType, input);
  Value within =
      create<nn::CumsumOp>(blockedType, blocked, dim + 1, op.getReverse());
  Value totals = create<nn::SumOp>(blocked, ArrayRef<int64_t>{dim + 1});
  Value sums = scan(totals);
  // The sums of the blocks before: shifted by one block, from the end where the
  // sum runs from there.
  int64_t first = op.getReverse() ? 1 : 0;
  Value kept = create<nn::SliceOp>(sums, dim, /*start=*/first,
                                   /*stop=*/blocks - 1 + first, /*step=*/1);
  Value before =
      create<nn::PadOp>(kept, dim, /*low=*/1 - first,
                        /*high=*/first, /*interior=*/0, APFloat(0.0));
  Value offsets =
      create<nn::BroadcastOp>(blockedType, before, ArrayRef<int64_t>{dim + 1});
  Value result = create<nn::AddOp>(blockedType, within, offsets);
  return create<nn::ReshapeOp>(type, result);
}

void Splitter::split() {
  auto type = cast<RankedTensorType>(op.getType());
  if (!isSplit(type))
    return;
  // Sums of halves are f32.
  Type element = type.getElementType();
  Type wide = element.getIntOrFloatBitWidth() < 32 ? Type(builder.getF32Type())
                                                   : element;
  Value result = scan(convert(op.getInput(), wide));
  op.replaceAllUsesWith(convert(result, element));
  op.erase();
}

namespace {
struct SplitScansPass : public accrue::impl::SplitScansBase<SplitScansPass> {
  using SplitScansBase::SplitScansBase;

  void runOnOperation() override {
    SmallVector<nn::CumsumOp> ops;
    getOperation().walk([&](nn::CumsumOp op) { ops.push_back(op); });
    for (nn::CumsumOp op : ops)
      Splitter(op, minExtent).split();
  }
};
} // namespace
