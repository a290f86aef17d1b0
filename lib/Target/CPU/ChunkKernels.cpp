//===- ChunkKernels.cpp - Chunks of sequential loops ----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The iterations of an outer loop are seen as rows along the last dimension. A
// chunk is a number of whole rows, so that the loop along a row has constant
// bounds, or, where there are fewer rows than chunks, a piece of a row.
//
//===----------------------------------------------------------------------===//

#include "ChunkCost.h"
#include "accrue/Target/CPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

namespace accrue::cpu {
#define GEN_PASS_DEF_CHUNKKERNELS
#include "accrue/Target/CPU/Passes.h.inc"
} // namespace accrue::cpu

using namespace mlir;
using namespace accrue;
using namespace accrue::cpu;

//===----------------------------------------------------------------------===//
// Sequential loops
//===----------------------------------------------------------------------===//

/// Lets the vectorizer split the sum that `combined` continues.
static void allowReassociation(Value combined) {
  Operation *op = combined.getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::MulFOp>(op))
    return;
  auto interface = cast<arith::ArithFastMathInterface>(op);
  arith::FastMathFlags flags = interface.getFastMathFlagsAttr().getValue();
  op->setAttr(interface.getFastMathAttrName(),
              arith::FastMathFlagsAttr::get(
                  op->getContext(), flags | arith::FastMathFlags::reassoc));
}

/// Moves the body of `parallel` in front of `terminator`, with `ivs` for its
/// induction variables, and returns its reductions, continued from `partials`.
static SmallVector<Value> inlineBody(RewriterBase &rewriter,
                                     scf::ParallelOp parallel,
                                     Operation *terminator, ValueRange ivs,
                                     ValueRange partials) {
  auto reduce = cast<scf::ReduceOp>(parallel.getBody()->getTerminator());
  rewriter.inlineBlockBefore(parallel.getBody(), terminator, ivs);
  SmallVector<Value> combined;
  for (auto [region, value, partial] :
       llvm::zip(reduce.getReductions(), reduce.getOperands(), partials)) {
    auto ret = cast<scf::ReduceReturnOp>(region.front().getTerminator());
    rewriter.inlineBlockBefore(&region.front(), reduce, {partial, value});
    combined.push_back(ret.getResult());
    allowReassociation(ret.getResult());
    rewriter.eraseOp(ret);
  }
  rewriter.eraseOp(reduce);
  return combined;
}

/// Replaces `parallel` by a nest of `scf.for`.
static void makeSequential(RewriterBase &rewriter, scf::ParallelOp parallel) {
  rewriter.setInsertionPoint(parallel);
  SmallVector<scf::ForOp> nest;
  SmallVector<Value> ivs;
  ValueRange partials = parallel.getInitVals();
  for (auto [lower, upper, step] :
       llvm::zip(parallel.getLowerBound(), parallel.getUpperBound(),
                 parallel.getStep())) {
    auto loop = scf::ForOp::create(rewriter, parallel.getLoc(), lower, upper,
                                   step, partials);
    nest.push_back(loop);
    ivs.push_back(loop.getInductionVar());
    partials = loop.getRegionIterArgs();
    // Without values that it carries, a loop comes with a terminator.
    if (partials.empty())
      rewriter.setInsertionPoint(loop.getBody()->getTerminator());
    else
      rewriter.setInsertionPointToEnd(loop.getBody());
  }
  Block *innermost = nest.back().getBody();
  Operation *terminator =
      partials.empty()
          ? innermost->getTerminator()
          : scf::YieldOp::create(rewriter, parallel.getLoc(), partials);
  SmallVector<Value> combined =
      inlineBody(rewriter, parallel, terminator, ivs, partials);
  if (!partials.empty()) {
    terminator->setOperands(combined);
    for (size_t i = 1; i < nest.size(); ++i) {
      rewriter.setInsertionPointToEnd(nest[i - 1].getBody());
      scf::YieldOp::create(rewriter, parallel.getLoc(), nest[i].getResults());
    }
  }
  rewriter.replaceOp(parallel, nest.front().getResults());
}

//===----------------------------------------------------------------------===//
// Iterations and their cost
//===----------------------------------------------------------------------===//

/// Number of iterations along each dimension, or nothing where one of them is
/// not constant.
static std::optional<SmallVector<int64_t>>
getTripCounts(LoopLikeOpInterface loop) {
  SmallVector<int64_t> trips;
  for (auto [lower, upper, step] :
       llvm::zip(*loop.getLoopLowerBounds(), *loop.getLoopUpperBounds(),
                 *loop.getLoopSteps())) {
    std::optional<int64_t> from = getConstantIntValue(lower);
    std::optional<int64_t> to = getConstantIntValue(upper);
    std::optional<int64_t> by = getConstantIntValue(step);
    if (!from || !to || !by)
      return std::nullopt;
    trips.push_back(
        std::max<int64_t>(llvm::divideCeilSigned(*to - *from, *by), 0));
  }
  return trips;
}

/// Cost of all ops in `block`. A loop whose bounds are not constant is taken
/// to be one of `pieces` equal pieces of the largest buffer of the kernel.
static int64_t getCost(Block &block, int64_t largest, int64_t pieces) {
  // Each reduction combines two values.
  int64_t cost = block.getTerminator()->getNumOperands();
  for (Operation &op : block.without_terminator()) {
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    if (!loop)
      cost += getOpCost(&op);
    int64_t count = 1;
    if (loop) {
      std::optional<SmallVector<int64_t>> trips = getTripCounts(loop);
      count = trips ? computeProduct(*trips)
                    : llvm::divideCeilSigned(largest, pieces);
    }
    for (Region &region : op.getRegions())
      for (Block &body : region)
        cost += count * getCost(body, largest, pieces * count);
  }
  return cost;
}

static int64_t getLargestArgument(kernel::FuncOp function) {
  int64_t largest = 1;
  for (Type type : function.getArgumentTypes())
    if (auto memref = dyn_cast<MemRefType>(type))
      largest = std::max(largest, memref.getNumElements());
  return largest;
}

//===----------------------------------------------------------------------===//
// Collapsing dimensions
//===----------------------------------------------------------------------===//

/// True when iterations of `parallel` access memory in the order in which they
/// are enumerated, or all at the same place, and use their number for nothing
/// else.
static bool isLinear(scf::ParallelOp parallel, ArrayRef<int64_t> trips) {
  SmallVector<Value> ivs = parallel.getInductionVars();
  for (auto [iv, lower, step] :
       llvm::zip(ivs, parallel.getLowerBound(), parallel.getStep())) {
    if (!isConstantIntValue(lower, 0) || !isConstantIntValue(step, 1))
      return false;
    for (Operation *user : iv.getUsers()) {
      ValueRange indices;
      MemRefType type;
      if (auto load = dyn_cast<memref::LoadOp>(user)) {
        indices = load.getIndices();
        type = load.getMemRefType();
      } else if (auto store = dyn_cast<memref::StoreOp>(user)) {
        if (store.getValue() == iv)
          return false;
        indices = store.getIndices();
        type = store.getMemRefType();
      }
      if (!type || user->getBlock() != parallel.getBody() ||
          type.getShape() != trips || !llvm::equal(indices, ivs))
        return false;
    }
  }
  return true;
}

/// Makes a linear `parallel` a loop over one dimension.
static scf::ParallelOp collapse(RewriterBase &rewriter,
                                scf::ParallelOp parallel, int64_t count) {
  rewriter.setInsertionPoint(parallel);
  ImplicitLocOpBuilder b(parallel.getLoc(), rewriter);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value end = arith::ConstantIndexOp::create(b, count);
  auto flat = scf::ParallelOp::create(rewriter, parallel.getLoc(), {zero},
                                      {end}, {one}, ValueRange());
  Value iv = flat.getInductionVars().front();

  auto all = llvm::to_vector<2>(llvm::seq<int64_t>(parallel.getNumLoops()));
  auto flatten = [&](Value memref) {
    rewriter.setInsertionPoint(flat);
    return memref::CollapseShapeOp::create(rewriter, parallel.getLoc(), memref,
                                           ArrayRef<ReassociationIndices>(all));
  };
  Value first = parallel.getInductionVars().front();
  for (Operation *user : llvm::make_early_inc_range(first.getUsers())) {
    if (auto load = dyn_cast<memref::LoadOp>(user)) {
      Value memref = flatten(load.getMemref());
      rewriter.setInsertionPoint(load);
      rewriter.replaceOpWithNewOp<memref::LoadOp>(load, memref, iv);
    } else {
      auto store = cast<memref::StoreOp>(user);
      Value memref = flatten(store.getMemref());
      rewriter.setInsertionPoint(store);
      rewriter.replaceOpWithNewOp<memref::StoreOp>(store, store.getValue(),
                                                   memref, iv);
    }
  }
  Operation *terminator = flat.getBody()->getTerminator();
  inlineBody(rewriter, parallel, terminator,
             SmallVector<Value>(parallel.getNumLoops(), iv), {});
  rewriter.eraseOp(parallel);
  return flat;
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

namespace {
/// The iterations of a loop as rows along its last dimension.
struct Rows {
  explicit Rows(ArrayRef<int64_t> trips)
      : outer(trips.drop_back()), length(trips.back()),
        count(computeProduct(outer)) {}
  ArrayRef<int64_t> outer;
  int64_t length;
  int64_t count;
};

/// What chunk number `c` does.
struct Chunk {
  /// Indices of its rows, and the part of each row.
  Value firstRow, endRow, from, to;
};
} // namespace

/// [c * size, min((c + 1) * size, end))
static std::pair<Value, Value> getPiece(ImplicitLocOpBuilder &b, Value c,
                                        int64_t size, int64_t end) {
  Value length = arith::ConstantIndexOp::create(b, size);
  Value from = arith::MulIOp::create(b, c, length);
  Value to = arith::AddIOp::create(b, from, length);
  if (end % size != 0)
    to = arith::MinSIOp::create(b, to, arith::ConstantIndexOp::create(b, end));
  return {from, to};
}

/// The index `number` of a row as one index per outer dimension.
static SmallVector<Value> delinearize(ImplicitLocOpBuilder &b, Value number,
                                      ArrayRef<int64_t> extents) {
  SmallVector<Value> indices(extents.size());
  for (int64_t i = extents.size() - 1; i >= 0; --i) {
    if (i == 0) {
      indices[i] = number;
      break;
    }
    Value extent = arith::ConstantIndexOp::create(b, extents[i]);
    indices[i] = arith::RemUIOp::create(b, number, extent);
    number = arith::DivUIOp::create(b, number, extent);
  }
  return indices;
}

/// Replaces `parallel` by a loop over about `chunks` (at least two) chunks:
/// whole rows, or pieces of a row that begin at multiples of `alignment`.
static scf::ParallelOp makeChunks(RewriterBase &rewriter,
                                  scf::ParallelOp parallel, const Rows &rows,
                                  int64_t chunks, int64_t alignment) {
  rewriter.setInsertionPoint(parallel);
  ImplicitLocOpBuilder b(parallel.getLoc(), rewriter);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);

  bool wholeRows = rows.count >= chunks;
  int64_t size =
      wholeRows ? llvm::divideCeil(rows.count, chunks)
                : llvm::alignTo(
                      llvm::divideCeil(rows.length,
                                       llvm::divideCeil(chunks, rows.count)),
                      alignment);
  int64_t perRow = wholeRows ? 1 : llvm::divideCeil(rows.length, size);
  int64_t count =
      wholeRows ? llvm::divideCeil(rows.count, size) : rows.count * perRow;
  Value number = arith::ConstantIndexOp::create(b, count);
  auto loop = scf::ParallelOp::create(b, ValueRange(zero), ValueRange(number),
                                      ValueRange(one), ValueRange());
  Value c = loop.getInductionVars().front();

  b.setInsertionPointToStart(loop.getBody());
  Chunk chunk;
  if (wholeRows) {
    std::tie(chunk.firstRow, chunk.endRow) = getPiece(b, c, size, rows.count);
    chunk.from = zero;
    chunk.to = arith::ConstantIndexOp::create(b, rows.length);
  } else {
    Value part = c;
    chunk.firstRow = zero;
    if (rows.count > 1) {
      Value pieces = arith::ConstantIndexOp::create(b, perRow);
      chunk.firstRow = arith::DivUIOp::create(b, c, pieces);
      part = arith::RemUIOp::create(b, c, pieces);
    }
    std::tie(chunk.from, chunk.to) = getPiece(b, part, size, rows.length);
  }

  Value row = chunk.firstRow;
  if (wholeRows) {
    auto overRows = scf::ForOp::create(b, chunk.firstRow, chunk.endRow, one);
    row = overRows.getInductionVar();
    b.setInsertionPointToStart(overRows.getBody());
  }
  SmallVector<Value> indices = delinearize(b, row, rows.outer);
  auto alongRow = scf::ForOp::create(b, chunk.from, chunk.to, one);
  indices.push_back(alongRow.getInductionVar());
  b.setInsertionPointToStart(alongRow.getBody());
  for (auto [index, lower, step] :
       llvm::zip(indices, parallel.getLowerBound(), parallel.getStep())) {
    if (!isConstantIntValue(step, 1))
      index = arith::MulIOp::create(b, index, step);
    if (!isConstantIntValue(lower, 0))
      index = arith::AddIOp::create(b, index, lower);
  }
  inlineBody(rewriter, parallel, alongRow.getBody()->getTerminator(), indices,
             {});
  rewriter.eraseOp(parallel);
  return loop;
}

namespace {
struct ChunkKernels : cpu::impl::ChunkKernelsBase<ChunkKernels> {
  void runOnOperation() override {
    kernel::FuncOp function = getOperation();
    IRRewriter rewriter(&getContext());
    int64_t largest = getLargestArgument(function);
    // A piece of a row of elements begins with a cache line.
    int64_t alignment =
        function.getSchedule() == kernel::Schedule::rows ||
                function.getSchedule() == kernel::Schedule::scatter
            ? 1
            : 16;

    // The outer loops, decided on while loops inside still show their work.
    struct Outer {
      scf::ParallelOp loop;
      int64_t chunks = 1;
    };
    SmallVector<Outer> outers;
    for (auto loop : function.getBody().getOps<scf::ParallelOp>()) {
      std::optional<SmallVector<int64_t>> trips = getTripCounts(loop);
      if (loop.getNumResults() != 0 || !trips || computeProduct(*trips) == 0)
        continue;
      int64_t count = computeProduct(*trips);
      int64_t cost = count * getCost(*loop.getBody(), largest, count);
      outers.push_back({loop, std::min(getChunkCount(cost), count)});
    }

    SmallPtrSet<Operation *, 4> chunkLoops;
    for (Outer &outer : outers) {
      SmallVector<int64_t> trips = *getTripCounts(outer.loop);
      if (trips.size() > 1 && isLinear(outer.loop, trips)) {
        outer.loop = collapse(rewriter, outer.loop, computeProduct(trips));
        trips = {computeProduct(trips)};
      }
      if (outer.chunks > 1)
        chunkLoops.insert(makeChunks(rewriter, outer.loop, Rows(trips),
                                     outer.chunks, alignment));
    }
    // What is left is sequential.
    SmallVector<scf::ParallelOp> inner;
    function.walk([&](scf::ParallelOp loop) {
      if (!chunkLoops.contains(loop))
        inner.push_back(loop);
    });
    for (scf::ParallelOp loop : inner)
      makeSequential(rewriter, loop);
  }
};
} // namespace
