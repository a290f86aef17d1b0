//===- FlattenUpdate.cpp - The optimizer on flat arenas -------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters, gradients and slots have equal offsets in their arenas, so one
// index serves them all: the update is one pass over flat arrays, and so is
// the norm.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Kernel/KernelOps.h"
#include "accrue/Dialect/Kernel/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace accrue::kernel {
#define GEN_PASS_DEF_FLATTENUPDATE
#include "accrue/Dialect/Kernel/Passes.h.inc"
} // namespace accrue::kernel

using namespace mlir;
using namespace accrue;
using namespace accrue::kernel;

/// The element type of all `buffers`; null after an error.
static FloatType getCommonType(Operation *op, ValueRange buffers) {
  FloatType common;
  for (Value buffer : buffers) {
    auto type =
        cast<FloatType>(cast<MemRefType>(buffer.getType()).getElementType());
    if (common && type != common) {
      op->emitError("expected parameters of one element type, got ")
          << common << " and " << type;
      return nullptr;
    }
    common = type;
  }
  return common;
}

/// Everything from byte `offset` of the arena of `buffer` for `bytes` bytes,
/// as a flat array.
static Value createFlat(OpBuilder &builder, Location loc, StringRef name,
                        BufferOp buffer, int64_t offset, int64_t bytes,
                        FloatType element) {
  int64_t width = element.getWidth() / 8;
  return BufferOp::create(builder, loc,
                          MemRefType::get({bytes / width}, element), name,
                          buffer.getArena(), offset);
}

static int64_t getArenaBytes(BufferOp buffer) {
  return cast<MemRefType>(buffer.getArena().getType()).getDimSize(0);
}

static Value convertFloat(OpBuilder &builder, Location loc, Value value,
                          FloatType type) {
  auto from = cast<FloatType>(value.getType());
  if (from == type)
    return value;
  if (from.getWidth() < type.getWidth())
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::TruncFOp::create(builder, loc, type, value);
}

//===----------------------------------------------------------------------===//
// Update
//===----------------------------------------------------------------------===//

/// Fills a region of the flat update of `op` with `rule`.
static void buildRule(Region &region, UpdateOp op, train::OptimizerRule rule,
                      FloatType element) {
  Location loc = op.getLoc();
  Block &block = region.emplaceBlock();
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  size_t slotCount = rule.getSlotNames().size();
  for (size_t i = 0; i != 2 + slotCount; ++i)
    block.addArgument(element, loc);
  auto addScalar = [&](Value buffer) {
    return block.addArgument(
        cast<MemRefType>(buffer.getType()).getElementType(), loc);
  };
  Value completed = addScalar(op.getCompleted());
  Value factor = addScalar(op.getFactor());
  auto slots = ValueRange(block.getArguments()).slice(2, slotCount);

  // What all elements share comes first.
  Value one =
      arith::ConstantIntOp::create(builder, loc, builder.getI64Type(), 1);
  Value step = arith::AddIOp::create(builder, loc, completed, one);
  SmallVector<Value> scalars =
      rule.buildStepScalars(builder, loc, step, factor, element);
  Value gradient = block.getArgument(1);
  if (op.getNorm())
    gradient = train::buildClip(builder, loc, gradient, addScalar(op.getNorm()),
                                op.getMaxNorm()->convertToDouble());
  SmallVector<Value> results, newSlots;
  results.push_back(rule.buildUpdate(builder, loc, block.getArgument(0),
                                     gradient, slots, scalars, newSlots));
  llvm::append_range(results, newSlots);
  YieldOp::create(builder, loc, results);
}

static LogicalResult flatten(UpdateOp op) {
  if (op.getParams().empty()) {
    op.erase();
    return success();
  }
  Location loc = op.getLoc();
  OpBuilder builder(op);
  FloatType element = getCommonType(op, op.getParams());
  if (!element)
    return failure();
  int64_t width = element.getWidth() / 8;

  llvm::SetVector<Attribute> rules;
  SmallVector<Attribute> ranges;
  SmallVector<int64_t> slotBase;
  SmallVector<BufferOp> slotBuffer;
  SmallVector<StringRef> slotName;
  unsigned slotIndex = 0;
  int64_t bytes = 0;
  for (auto [i, param] : llvm::enumerate(op.getParams())) {
    auto buffer = param.getDefiningOp<BufferOp>();
    auto gradient = op.getGradients()[i].getDefiningOp<BufferOp>();
    if (!buffer || !gradient || buffer.getOffset() != gradient.getOffset())
      return op.emitError("expected parameters and gradients at equal offsets "
                          "of their arenas; run 'plan-memory' first");
    auto rule = cast<train::OptimizerRule>(op.getRules()[i]);
    rules.insert(op.getRules()[i]);
    auto type = cast<MemRefType>(param.getType());
    int64_t offset = buffer.getOffsetAttr().getInt();
    bytes = std::max(bytes, offset + getByteSize(type));
    ranges.push_back(
        RangeAttr::get(op.getContext(), buffer.getName(), offset / width,
                       type.getNumElements(),
                       llvm::find(rules, op.getRules()[i]) - rules.begin()));
    for (auto [k, name] : llvm::enumerate(rule.getSlotNames())) {
      auto slot = op.getSlots()[slotIndex++].getDefiningOp<BufferOp>();
      if (!slot)
        return op.emitError("expected slots in an arena");
      int64_t base = slot.getOffsetAttr().getInt() - offset;
      if (k == slotBase.size()) {
        slotBase.push_back(base);
        slotBuffer.push_back(slot);
        slotName.push_back(name);
      } else if (slotBase[k] != base) {
        return op.emitError("expected slots at equal offsets");
      }
    }
  }
  llvm::stable_sort(ranges, [](Attribute a, Attribute b) {
    return cast<RangeAttr>(a).getOffset() < cast<RangeAttr>(b).getOffset();
  });

  auto first = op.getParams()[0].getDefiningOp<BufferOp>();
  auto firstGradient = op.getGradients()[0].getDefiningOp<BufferOp>();
  Value params =
      createFlat(builder, loc, "parameters", first, 0, bytes, element);
  Value gradients =
      createFlat(builder, loc, "gradients", firstGradient, 0, bytes, element);
  SmallVector<Value> slots;
  for (auto [base, buffer, name] :
       llvm::zip_equal(slotBase, slotBuffer, slotName))
    slots.push_back(
        createFlat(builder, loc, name, buffer, base, bytes, element));
  auto flat = FlatUpdateOp::create(
      builder, loc, params, gradients, slots, op.getCompleted(), op.getFactor(),
      op.getFinite(), op.getNorm(), builder.getArrayAttr(ranges), rules.size());
  for (auto [region, rule] : llvm::zip_equal(flat.getRules(), rules))
    buildRule(region, op, cast<train::OptimizerRule>(rule), element);
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Norm
//===----------------------------------------------------------------------===//

/// The sum over j in [lower, upper) of `element(j)`.
static Value createSum(OpBuilder &builder, Location loc, FloatType type,
                       Value lower, Value upper, Value step,
                       function_ref<Value(OpBuilder &, Value)> element) {
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, 0));
  auto loop = scf::ParallelOp::create(
      builder, loc, lower, upper, step, zero,
      [&](OpBuilder &body, Location loc, ValueRange indices, ValueRange) {
        Value value = element(body, indices[0]);
        auto reduce = scf::ReduceOp::create(body, loc, value);
        Block &combine = reduce.getReductions()[0].front();
        OpBuilder combiner = OpBuilder::atBlockEnd(&combine);
        Value sum = arith::AddFOp::create(combiner, loc, combine.getArgument(0),
                                          combine.getArgument(1));
        scf::ReduceReturnOp::create(combiner, loc, sum);
      });
  return loop.getResult(0);
}

/// A group on buffers with the body that `build` writes.
static void createGroup(OpBuilder &builder, Location loc, StringRef name,
                        Value input, Value output,
                        function_ref<void(OpBuilder &, Value, Value)> build) {
  auto group = GroupOp::create(builder, loc, TypeRange{}, name, Schedule::rows,
                               input, output);
  Block &body = group.getBody().emplaceBlock();
  Value in = body.addArgument(input.getType(), loc);
  Value out = body.addArgument(output.getType(), loc);
  OpBuilder bodyBuilder = OpBuilder::atBlockBegin(&body);
  build(bodyBuilder, in, out);
  YieldOp::create(bodyBuilder, loc, ValueRange{});
}

static LogicalResult flatten(NormOp op) {
  Location loc = op.getLoc();
  OpBuilder builder(op);
  FloatType element = getCommonType(op, op.getGradients());
  if (!element)
    return failure();
  int64_t bytes = 0;
  BufferOp first;
  llvm::SmallDenseSet<int64_t> offsets;
  for (Value gradient : op.getGradients()) {
    auto buffer = gradient.getDefiningOp<BufferOp>();
    if (!buffer || (first && buffer.getArena() != first.getArena()))
      return op.emitError("expected the gradients to be in one arena; run "
                          "'plan-memory' first");
    if (!first)
      first = buffer;
    if (offsets.insert(buffer.getOffset()).second)
      bytes += getByteSize(cast<MemRefType>(gradient.getType()));
  }
  // All of the arena but padding, or the sum would contain something else.
  auto function = op->getParentOfType<func::FuncOp>();
  auto plan = function->getAttrOfType<PlanAttr>(attrs::kPlan);
  auto argument = cast<BlockArgument>(first.getArena());
  ArenaPlanAttr arena = plan.getArenas()[argument.getArgNumber()];
  if (arena.getUsed() != bytes)
    return op.emitError("expected the norm of all gradients (")
           << arena.getUsed() << " bytes), got " << bytes << " bytes";

  Value flat = createFlat(builder, loc, "gradients", first, 0,
                          getArenaBytes(first), element);
  int64_t elements = cast<MemRefType>(flat.getType()).getNumElements();
  auto partials = cast<MemRefType>(op.getPartials().getType());
  auto sumType = cast<FloatType>(partials.getElementType());
  int64_t chunks = partials.getNumElements();
  int64_t chunk = llvm::divideCeil(elements, chunks);

  auto index = [&](OpBuilder &body, int64_t value) -> Value {
    return arith::ConstantIndexOp::create(body, loc, value);
  };
  createGroup(builder, loc, "norm_partials", flat, op.getPartials(),
              [&](OpBuilder &body, Value in, Value out) {
                Value zero = index(body, 0), one = index(body, 1);
                Value count = index(body, chunks), size = index(body, chunk);
                Value end = index(body, elements);
                scf::ParallelOp::create(
                    body, loc, zero, count, one,
                    [&](OpBuilder &row, Location loc, ValueRange rows) {
                      Value lower =
                          arith::MulIOp::create(row, loc, rows[0], size);
                      Value next = arith::AddIOp::create(row, loc, lower, size);
                      Value upper = arith::MinUIOp::create(row, loc, next, end);
                      Value sum = createSum(
                          row, loc, sumType, lower, upper, one,
                          [&](OpBuilder &builder, Value j) -> Value {
                            Value g =
                                memref::LoadOp::create(builder, loc, in, j);
                            g = convertFloat(builder, loc, g, sumType);
                            return arith::MulFOp::create(builder, loc, g, g);
                          });
                      memref::StoreOp::create(row, loc, sum, out, rows[0]);
                    });
              });
  createGroup(builder, loc, "norm", op.getPartials(), op.getNorm(),
              [&](OpBuilder &body, Value in, Value out) {
                Value zero = index(body, 0), one = index(body, 1);
                Value count = index(body, chunks);
                Value sum = createSum(
                    body, loc, sumType, zero, count, one,
                    [&](OpBuilder &builder, Value j) -> Value {
                      return memref::LoadOp::create(builder, loc, in, j);
                    });
                Value root = math::SqrtOp::create(body, loc, sum);
                memref::StoreOp::create(body, loc, root, out, ValueRange{});
              });
  op.erase();
  return success();
}

namespace {
struct FlattenUpdatePass
    : public kernel::impl::FlattenUpdateBase<FlattenUpdatePass> {
  using FlattenUpdateBase::FlattenUpdateBase;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<NormOp, UpdateOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      auto norm = dyn_cast<NormOp>(op);
      if (failed(norm ? flatten(norm) : flatten(cast<UpdateOp>(op))))
        return signalPassFailure();
    }
    // Views of single parameters may be left without a reader.
    SmallVector<BufferOp> dead;
    getOperation().walk([&](BufferOp buffer) {
      if (buffer->use_empty())
        dead.push_back(buffer);
    });
    for (BufferOp buffer : dead)
      buffer.erase();
  }
};
} // namespace
