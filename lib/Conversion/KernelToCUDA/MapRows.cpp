//===- MapRows.cpp - One block per row ------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The threads of a block share a row. Loops along the row stride over it, and
// their reductions end with a reduction over the block, which every thread gets
// the result of. What lies between the loops is a scalar of the row: *all*
// threads compute it if a loop needs it, else only the *leader*, thread 0,
// which also does the stores. Accesses since the last barrier are remembered,
// and a barrier is placed before one that another thread's access conflicts
// with.
//
//===----------------------------------------------------------------------===//

#include "Mapping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

namespace {

/// Which threads of the block execute an op.
enum class Threads { All, Leader, Strided };

/// A load or a store of the row.
struct Access {
  Value buffer;
  bool isWrite;
  Threads threads;
  /// The loop of a strided access.
  scf::ParallelOp loop;
  ValueRange indices;
};

class RowMapper {
public:
  RowMapper(kernel::FuncOp func, KernelOp kernel, OpBuilder &builder)
      : func(func), kernel(kernel), body(builder, func.getLoc()) {
    body.map.map(func.getArguments(), kernel.getArguments());
  }

  LogicalResult run();

private:
  LogicalResult mapRow(Block &row);
  void classify(Block &row);
  LogicalResult mapLoop(scf::ParallelOp loop);
  LogicalResult mapScalar(Operation &op);

  /// Remembers the accesses of `op`; true where they conflict with earlier
  /// ones.
  bool addAccesses(Operation &op, Threads threads);
  void placeBarrier(bool beforeLeader);
  void closeLeader();

  kernel::FuncOp func;
  KernelOp kernel;
  BodyBuilder body;
  /// Scalar ops of the row that only the leader executes.
  llvm::DenseSet<Operation *> leaderOps;
  /// Accesses since the last barrier.
  SmallVector<Access> accesses;
  /// The open region of the leader, and the first of its accesses.
  scf::IfOp leader;
};

} // namespace

/// Two indices that are the same, or the same induction variable of two loops.
static bool isSameIndex(Value a, Value b, scf::ParallelOp loopA,
                        scf::ParallelOp loopB) {
  if (isEqualConstantIntOrValue(a, b))
    return true;
  for (auto [x, y] :
       llvm::zip(loopA.getInductionVars(), loopB.getInductionVars()))
    if (a == x && b == y)
      return true;
  return false;
}

/// Whether each element is touched by one and the same thread in both strided
/// accesses: the loops have the same bounds, the indices are the same, and all
/// induction variables are among them.
static bool isSameThread(Access a, Access b) {
  auto equal = [](ValueRange x, ValueRange y) {
    return llvm::equal(
        x, y, [](Value v, Value w) { return isEqualConstantIntOrValue(v, w); });
  };
  if (!equal(a.loop.getLowerBound(), b.loop.getLowerBound()) ||
      !equal(a.loop.getUpperBound(), b.loop.getUpperBound()) ||
      !equal(a.loop.getStep(), b.loop.getStep()))
    return false;
  for (Value iv : a.loop.getInductionVars())
    if (!llvm::is_contained(a.indices, iv))
      return false;
  return llvm::all_of(llvm::zip_equal(a.indices, b.indices), [&](auto pair) {
    auto [x, y] = pair;
    return isSameIndex(x, y, a.loop, b.loop);
  });
}

static bool isConflict(const Access &a, const Access &b) {
  if (a.buffer != b.buffer || !(a.isWrite || b.isWrite))
    return false;
  if (a.threads != b.threads)
    return true;
  if (a.threads == Threads::Strided)
    return !isSameThread(a, b);
  return a.threads == Threads::All;
}

bool RowMapper::addAccesses(Operation &root, Threads threads) {
  SmallVector<Access> added;
  auto loop = dyn_cast<scf::ParallelOp>(root);
  root.walk([&](Operation *op) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      added.push_back(
          {load.getMemRef(), false, threads, loop, load.getIndices()});
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      added.push_back(
          {store.getMemRef(), true, threads, loop, store.getIndices()});
  });
  bool conflict = llvm::any_of(added, [&](const Access &a) {
    return llvm::any_of(accesses,
                        [&](const Access &b) { return isConflict(a, b); });
  });
  if (conflict)
    placeBarrier(/*beforeLeader=*/threads == Threads::Leader);
  accesses.append(added);
  return conflict;
}

void RowMapper::closeLeader() {
  if (leader)
    body.b.setInsertionPointAfter(leader);
  leader = {};
}

/// Accesses of the leader do not conflict with each other, so a barrier for one
/// of them stands before the leader's region; others end that region.
void RowMapper::placeBarrier(bool beforeLeader) {
  if (!beforeLeader)
    closeLeader();
  gpu::BarrierOp::create(body.b);
  llvm::erase_if(accesses, [&](const Access &access) {
    return !(leader && access.threads == Threads::Leader);
  });
}

/// Ops whose values no loop needs, directly or through other ops, are the
/// leader's; values that are needed in the next stretch between loops, too, are
/// computed by all.
void RowMapper::classify(Block &row) {
  leaderOps.clear();
  llvm::DenseMap<Operation *, unsigned> stretch;
  unsigned number = 0;
  for (Operation &op : row.without_terminator())
    stretch[&op] = isa<scf::ParallelOp>(op) ? ++number : number;
  for (Operation &op : llvm::reverse(row.without_terminator())) {
    if (isa<scf::ParallelOp>(op) || op.hasTrait<OpTrait::ConstantLike>())
      continue;
    if (llvm::all_of(op.getUsers(), [&](Operation *user) {
          return leaderOps.contains(user) && stretch[user] == stretch[&op];
        }))
      leaderOps.insert(&op);
  }
  // Where all threads read what the leader has just stored, the leader's region
  // ends in the middle of a stretch: it holds nothing but stores then.
  SmallVector<std::pair<Value, unsigned>> stored;
  llvm::DenseSet<unsigned> split;
  for (Operation &op : row.without_terminator()) {
    if (auto store = dyn_cast<memref::StoreOp>(op))
      stored.emplace_back(store.getMemRef(), stretch[&op]);
    auto load = dyn_cast<memref::LoadOp>(op);
    if (load && !leaderOps.contains(load) &&
        llvm::is_contained(stored, std::pair(load.getMemRef(), stretch[&op])))
      split.insert(stretch[&op]);
  }
  for (Operation &op : row.without_terminator())
    if (split.contains(stretch[&op]) && !isa<memref::StoreOp>(op))
      leaderOps.erase(&op);
}

LogicalResult RowMapper::mapScalar(Operation &op) {
  if (op.getNumRegions() != 0)
    return op.emitOpError("cannot be mapped to CUDA threads");
  ImplicitLocOpBuilder &b = body.b;
  bool isLeader = leaderOps.contains(&op);
  addAccesses(op, isLeader ? Threads::Leader : Threads::All);
  if (!isLeader)
    return body.copy(op);
  if (!leader) {
    Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                          body.thread(), body.index(0));
    leader = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
    // What all threads compute goes before it.
    b.setInsertionPoint(leader);
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(leader.thenYield());
  return body.copy(op);
}

/// The reduction over a block that combines like the body of a reduction: one
/// op on its two arguments.
static std::optional<gpu::AllReduceOperation> getBlockReduction(Operation *op) {
  using Kind = gpu::AllReduceOperation;
  return llvm::TypeSwitch<Operation *, std::optional<Kind>>(op)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return Kind::ADD; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return Kind::MUL; })
      .Case([](arith::MaximumFOp) { return Kind::MAXIMUMF; })
      .Case([](arith::MinimumFOp) { return Kind::MINIMUMF; })
      .Case([](arith::MaxNumFOp) { return Kind::MAXNUMF; })
      .Case([](arith::MinNumFOp) { return Kind::MINNUMF; })
      .Case([](arith::MaxSIOp) { return Kind::MAXSI; })
      .Case([](arith::MinSIOp) { return Kind::MINSI; })
      .Case([](arith::MaxUIOp) { return Kind::MAXUI; })
      .Case([](arith::MinUIOp) { return Kind::MINUI; })
      .Case([](arith::AndIOp) { return Kind::AND; })
      .Case([](arith::OrIOp) { return Kind::OR; })
      .Case([](arith::XOrIOp) { return Kind::XOR; })
      .Default([](Operation *) { return std::nullopt; });
}

/// The only op of the body of reduction `region`, or null.
static Operation *getCombiner(Region &region) {
  Block &body = region.front();
  if (!llvm::hasSingleElement(body.without_terminator()))
    return nullptr;
  Operation &op = body.front();
  bool onArguments = llvm::all_of(body.getArguments(), [&](Value argument) {
    return llvm::is_contained(op.getOperands(), argument);
  });
  auto result = cast<scf::ReduceReturnOp>(body.getTerminator());
  if (!onArguments || result.getResult().getDefiningOp() != &op)
    return nullptr;
  return &op;
}

/// Whether every thread can begin with `init`: combining it several times is
/// the same as once.
static bool isNeutral(Operation *combiner, Value init) {
  if (isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
          arith::MinUIOp, arith::AndIOp, arith::OrIOp>(combiner))
    return true;
  if (isa<arith::AddFOp>(combiner) && matchPattern(init, m_AnyZeroFloat()))
    return true;
  std::optional<TypedAttr> neutral = arith::getNeutralElement(combiner);
  Attribute value;
  return neutral && matchPattern(init, m_Constant(&value)) && value == *neutral;
}

LogicalResult RowMapper::mapLoop(scf::ParallelOp loop) {
  closeLeader();
  addAccesses(*loop, Threads::Strided);
  ImplicitLocOpBuilder &b = body.b;
  auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
  SmallVector<Value> inits;
  SmallVector<gpu::AllReduceOperation> kinds;
  SmallVector<bool> neutral;
  for (auto [region, init] :
       llvm::zip_equal(reduce.getReductions(), loop.getInitVals())) {
    Operation *combiner = getCombiner(region);
    std::optional<gpu::AllReduceOperation> kind;
    if (combiner)
      kind = getBlockReduction(combiner);
    if (!kind)
      return reduce.emitOpError(
          "expected a reduction by one arithmetic operation");
    kinds.push_back(*kind);
    neutral.push_back(isNeutral(combiner, init));
    std::optional<TypedAttr> element = arith::getNeutralElement(combiner);
    if (!neutral.back() && !element)
      return reduce.emitOpError("expected a reduction with a neutral element");
    inits.push_back(neutral.back()
                        ? body.map.lookup(init)
                        : arith::ConstantOp::create(b, *element).getResult());
  }
  FailureOr<SmallVector<Value>> totals =
      body.runLoop(loop, body.thread(), body.blockDim(), inits);
  if (failed(totals))
    return failure();
  for (auto [i, result] : llvm::enumerate(loop.getResults())) {
    auto kind = gpu::AllReduceOperationAttr::get(b.getContext(), kinds[i]);
    Value value = (*totals)[i];
    Value index;
    // The op knows no index type.
    if (isa<IndexType>(value.getType()))
      value = arith::IndexCastOp::create(b, b.getI64Type(), value);
    value = gpu::AllReduceOp::create(b, loop.getLoc(), value, kind,
                                     /*uniform=*/true);
    if (isa<IndexType>(result.getType()))
      value = arith::IndexCastOp::create(b, b.getIndexType(), value);
    if (!neutral[i])
      value = body.combine(reduce, i, body.map.lookup(loop.getInitVals()[i]),
                           value);
    body.map.map(result, value);
  }
  // The reduction over the block contains a barrier.
  if (loop.getNumResults() != 0)
    accesses.clear();
  return success();
}

LogicalResult RowMapper::mapRow(Block &row) {
  classify(row);
  for (Operation &op : row.without_terminator()) {
    auto loop = dyn_cast<scf::ParallelOp>(op);
    if (failed(loop ? mapLoop(loop) : mapScalar(op)))
      return failure();
  }
  closeLeader();
  return success();
}

/// The outer loop of a kernel of several rows: the only one at the top, with
/// the loops along the row inside.
static scf::ParallelOp getRowLoop(Block &block) {
  auto loops = block.getOps<scf::ParallelOp>();
  if (!llvm::hasSingleElement(loops))
    return {};
  scf::ParallelOp loop = *loops.begin();
  if (loop.getNumResults() != 0 ||
      loop.getBody()->getOps<scf::ParallelOp>().empty())
    return {};
  return loop;
}

/// Iterations of the longest loop along the row, or `fallback` where one is not
/// constant.
static int64_t getRowLength(Block &row, int64_t fallback) {
  int64_t length = 1;
  for (auto loop : row.getOps<scf::ParallelOp>()) {
    std::optional<SmallVector<int64_t>> extents = getExtents(loop);
    length = std::max(length, extents ? llvm::product_of(*extents) : fallback);
  }
  return length;
}

LogicalResult RowMapper::run() {
  Block &entry = func.getBody().front();
  scf::ParallelOp rows = getRowLoop(entry);
  int64_t count = 1;
  Block *row = &entry;
  if (rows) {
    std::optional<SmallVector<int64_t>> extents = getExtents(rows);
    if (!extents)
      return rows.emitOpError("expected constant bounds");
    count = llvm::product_of(*extents);
    row = rows.getBody();
  }
  int64_t most = rows ? kBlockSize : kSingleBlockSize;
  int64_t length = getRowLength(*row, most);
  kernel.setGrid(std::max<int64_t>(count, 1));
  kernel.setBlock(std::min(most, int64_t(llvm::alignTo(length, 32))));
  kernel.setSchedule(rows
                         ? ("rows, one block for each of " + Twine(count)).str()
                         : std::string("one row, in one block"));
  if (rows) {
    for (Operation &op : entry.without_terminator())
      if (&op != rows && failed(body.copy(op)))
        return failure();
    body.mapIterations(rows, body.block());
  }
  if (failed(mapRow(*row)))
    return failure();
  ReturnOp::create(body.b);
  return success();
}

LogicalResult accrue::cuda::mapRows(kernel::FuncOp func, KernelOp kernel) {
  auto loops = func.getBody().front().getOps<scf::ParallelOp>();
  // Rows of one element: nothing to share.
  if (llvm::hasSingleElement(loops) && !getRowLoop(func.getBody().front()) &&
      (*loops.begin()).getNumResults() == 0)
    return mapThreads(func, kernel);
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  return RowMapper(func, kernel, builder).run();
}
