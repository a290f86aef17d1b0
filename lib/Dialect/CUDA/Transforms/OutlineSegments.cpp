//===- OutlineSegments.cpp - Segments of a step and their inputs ----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step is a sequence of stages: copies of inputs, then calls. The body of a
// loop is one stage. The copies of a stage fill one part of the arena of the
// inputs, the parts take turns, and the calls become a segment that gets the
// part's number: so the next stage can be copied while this one computes.
//
//===----------------------------------------------------------------------===//

#include "Loops.h"
#include "accrue/Dialect/CUDA/CUDAOps.h"
#include "accrue/Dialect/CUDA/Passes.h"
#include "accrue/Dialect/Kernel/KernelOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace accrue::cuda {
#define GEN_PASS_DEF_OUTLINESEGMENTS
#include "accrue/Dialect/CUDA/Passes.h.inc"
} // namespace accrue::cuda

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

namespace {

/// The arena of the inputs of all programs.
struct Staging {
  int64_t parts = 1;
  /// Bytes of a part.
  int64_t stride = 0;
};

/// Copies of inputs, then calls that read them.
struct Stage {
  bool isEmpty() const { return copies.empty() && calls.empty(); }

  SmallVector<Operation *> copies;
  SmallVector<Operation *> calls;
  /// The last of its ops in the order of the program.
  Operation *last = nullptr;
};

/// What a segment is made of besides its calls.
struct Slice {
  /// Ops that compute operands, each behind those that it needs.
  llvm::SetVector<Operation *> ops;
  /// Arenas by their number.
  llvm::SmallSetVector<BlockArgument, 8> arenas;
  bool usesFirst = false;
  bool usesPart = false;
};

/// Outlines the segments of one step function.
class Outliner {
public:
  Outliner(func::FuncOp step, SymbolTable &symbols, Staging staging);

  LogicalResult run();

private:
  LogicalResult outlineLoop(scf::ForOp loop);
  LogicalResult addCopy(Stage &stage, Operation *copy);
  LogicalResult addCall(Stage &stage, Operation *call);
  LogicalResult outline(Stage &stage, scf::ForOp loop = {});
  LogicalResult outlineCalls(OpBuilder &builder, ArrayRef<Operation *> calls,
                             StringRef label, scf::ForOp loop, Value part);
  LogicalResult collect(Value value, Operation *call, scf::ForOp loop,
                        Slice &slice);

  Value createPart(ImplicitLocOpBuilder &b, scf::ForOp loop) const;
  /// The arena of the inputs as it is seen from `part`.
  Value createArena(ImplicitLocOpBuilder &b, Value arena, Value part) const;
  void createFill(ImplicitLocOpBuilder &b, ArrayRef<Operation *> copies,
                  Value part) const;

  kernel::BufferOp getInput(Value value) const;
  size_t countDependent(ArrayRef<Operation *> calls) const;
  bool overlaps(Value a, Value b) const;
  bool writesParams(ArrayRef<Operation *> calls) const;
  std::string getLabel(const Stage &stage, scf::ForOp loop);
  std::string getUniqueLabel(StringRef base);

  func::FuncOp step;
  SymbolTable &symbols;
  Staging staging;
  /// The arena of the inputs, null where there is none.
  Value inputs;
  /// Stages so far, as often as they are executed, that copy inputs.
  int64_t fills = 0;
  /// Copies outside of loops, to be repeated in later stages.
  SmallVector<OwningOpRef<Operation *>> earlier;
  bool isBegun = false;
  bool hasLoop = false;
  llvm::StringMap<unsigned> labels;
};

} // namespace

static bool isCopy(Operation *op) { return isa<MemcpyOp, Memcpy2DOp>(op); }
static bool isCall(Operation *op) { return isa<LaunchOp, GemmOp>(op); }

static Value getDestination(Operation *copy) {
  if (auto memcpy = dyn_cast<MemcpyOp>(copy))
    return memcpy.getDestination();
  return cast<Memcpy2DOp>(copy).getDestination();
}

static std::optional<kernel::Arena> getArena(func::FuncOp step, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &step.front())
    return std::nullopt;
  auto arena = step.getArgAttrOfType<kernel::ArenaAttr>(argument.getArgNumber(),
                                                        kernel::attrs::kArena);
  return arena ? std::optional(arena.getValue()) : std::nullopt;
}

Outliner::Outliner(func::FuncOp step, SymbolTable &symbols, Staging staging)
    : step(step), symbols(symbols), staging(staging) {
  for (BlockArgument argument : step.getArguments())
    if (getArena(step, argument) == kernel::Arena::inputs)
      inputs = argument;
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

kernel::BufferOp Outliner::getInput(Value value) const {
  auto buffer = value.getDefiningOp<kernel::BufferOp>();
  return buffer && buffer.getArena() == inputs ? buffer : kernel::BufferOp();
}

/// Whether two buffers of the inputs have a byte in common.
bool Outliner::overlaps(Value a, Value b) const {
  kernel::BufferOp first = getInput(a), second = getInput(b);
  if (!first || !second)
    return false;
  auto end = [](kernel::BufferOp buffer) {
    return buffer.getOffset() +
           kernel::getByteSize(cast<ShapedType>(buffer.getType()));
  };
  return first.getOffset() < end(second) && second.getOffset() < end(first);
}

/// Adds a copy that has to precede all calls of `stage`.
LogicalResult Outliner::addCopy(Stage &stage, Operation *copy) {
  Value destination = getDestination(copy);
  if (!getInput(destination))
    return copy->emitOpError("expected a destination in the arena 'inputs'");
  auto refuse = [&](Operation *other) {
    InFlightDiagnostic diag =
        copy->emitOpError("expected its destination to be unused before it in "
                          "the same micro-batch");
    diag.attachNote(other->getLoc()) << "used here";
    return diag;
  };
  for (Operation *other : stage.copies)
    if (overlaps(destination, getDestination(other)))
      return refuse(other);
  for (Operation *call : stage.calls)
    for (Value operand : call->getOperands())
      if (overlaps(destination, operand))
        return refuse(call);
  stage.copies.push_back(copy);
  stage.last = copy;
  return success();
}

/// Adds a call; what it reads of the inputs has to be in the stage's part. What
/// an earlier stage has copied is in that one's part, and is copied again.
LogicalResult Outliner::addCall(Stage &stage, Operation *call) {
  for (Value operand : call->getOperands()) {
    auto holds = [&](Operation *copy) {
      return overlaps(operand, getDestination(copy));
    };
    if (!getInput(operand) || llvm::any_of(stage.copies, holds))
      continue;
    auto found = llvm::find_if(llvm::reverse(earlier), [&](const auto &copy) {
      return holds(copy.get());
    });
    if (found == earlier.rend())
      return call->emitOpError("expected input \"")
             << getInput(operand).getName()
             << "\" to be copied with the others that are used here";
    OpBuilder builder(call);
    stage.copies.push_back(builder.insert((*found)->clone()));
  }
  stage.calls.push_back(call);
  stage.last = call;
  return success();
}

static LogicalResult refuse(Operation *op) {
  return op->emitOpError("cannot be part of a step at the exit level");
}

static bool isScalarOp(Operation *op) {
  return isPure(op) && op->getNumRegions() == 0;
}

/// Erases what only the calls used.
static void eraseDead(func::FuncOp step) {
  SmallVector<Operation *> ops;
  step.walk([&](Operation *op) { ops.push_back(op); });
  // A loop comes behind its body: users before what they use.
  for (Operation *op : llvm::reverse(ops))
    if (op != step && isOpTriviallyDead(op))
      op->erase();
}

LogicalResult Outliner::run() {
  Stage stage;
  auto finish = [&]() -> LogicalResult {
    if (!stage.isEmpty() && failed(outline(stage)))
      return failure();
    stage = Stage();
    return success();
  };
  for (Operation &op : llvm::make_early_inc_range(step.front())) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (failed(finish()) || failed(outlineLoop(loop)))
        return failure();
    } else if (isCopy(&op)) {
      // Another stage, unless the copy can be moved to those of this one.
      bool isLater =
          !stage.calls.empty() &&
          (stage.copies.empty() ||
           llvm::any_of(stage.copies, [&](Operation *copy) {
             return overlaps(getDestination(&op), getDestination(copy));
           }));
      if ((isLater && failed(finish())) || failed(addCopy(stage, &op)))
        return failure();
      earlier.emplace_back(op.clone());
    } else if (isCall(&op)) {
      if (failed(addCall(stage, &op)))
        return failure();
    } else if (isa<func::ReturnOp>(op)) {
      if (failed(finish()))
        return failure();
    } else if (!isScalarOp(&op)) {
      return refuse(&op);
    }
  }
  earlier.clear();
  eraseDead(step);
  return success();
}

LogicalResult Outliner::outlineLoop(scf::ForOp loop) {
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (!trips)
    return loop.emitOpError("expected constant bounds");
  Stage stage;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isCopy(&op)   ? failed(addCopy(stage, &op))
        : isCall(&op) ? failed(addCall(stage, &op))
                      : !isScalarOp(&op) && failed(refuse(&op)))
      return failure();
  }
  if (stage.isEmpty())
    return success();
  int64_t begin = fills;
  bool copies = !stage.copies.empty();
  if (failed(outline(stage, loop)))
    return failure();
  if (copies)
    fills = begin + trips->getSExtValue();
  hasLoop = true;
  return success();
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

/// Adds what `value`, which `call` uses, is computed from.
LogicalResult Outliner::collect(Value value, Operation *call, scf::ForOp loop,
                                Slice &slice) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (!getArena(step, argument))
      return call->emitOpError("expected operands that do not depend on the "
                               "number of the micro-batch");
    slice.arenas.insert(argument);
    return success();
  }
  Operation *op = value.getDefiningOp();
  if (slice.ops.contains(op))
    return success();
  if (isFirst(op, loop)) {
    slice.usesFirst = true;
  } else {
    for (Value operand : op->getOperands())
      if (failed(collect(operand, call, loop, slice)))
        return failure();
    slice.usesPart |= staging.parts > 1 && getInput(value);
  }
  slice.ops.insert(op);
  return success();
}

/// The number of the part that the next stage fills.
Value Outliner::createPart(ImplicitLocOpBuilder &b, scf::ForOp loop) const {
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  };
  int64_t offset = fills % staging.parts;
  if (!loop || staging.parts == 1)
    return constant(offset);
  Value number = loop.getInductionVar();
  if (!isZeroInteger(loop.getLowerBound()))
    number = arith::SubIOp::create(b, number, loop.getLowerBound());
  if (!isOneInteger(loop.getStep()))
    number = arith::DivUIOp::create(b, number, loop.getStep());
  if (offset != 0)
    number = arith::AddIOp::create(b, number, constant(offset));
  return arith::RemUIOp::create(b, number, constant(staging.parts));
}

Value Outliner::createArena(ImplicitLocOpBuilder &b, Value arena,
                            Value part) const {
  if (staging.parts == 1)
    return arena;
  return PartOp::create(b, MemRefType::get({staging.stride}, b.getI8Type()),
                        arena, part, staging.stride);
}

void Outliner::createFill(ImplicitLocOpBuilder &b, ArrayRef<Operation *> copies,
                          Value part) const {
  IRMapping map;
  map.map(inputs, createArena(b, inputs, part));
  for (Operation *copy : copies) {
    Operation *buffer = getInput(getDestination(copy));
    if (!map.contains(buffer->getResult(0)))
      b.clone(*buffer, map);
  }
  BeginFillOp::create(b, part);
  for (Operation *copy : copies)
    b.clone(*copy, map);
  EndFillOp::create(b, part);
}

LogicalResult Outliner::outlineCalls(OpBuilder &builder,
                                     ArrayRef<Operation *> calls,
                                     StringRef label, scf::ForOp loop,
                                     Value part) {
  Slice slice;
  for (Operation *call : calls)
    for (Value operand : call->getOperands())
      if (failed(collect(operand, call, loop, slice)))
        return failure();
  SmallVector<BlockArgument> arenas(slice.arenas.begin(), slice.arenas.end());
  llvm::sort(arenas, [](BlockArgument a, BlockArgument b) {
    return a.getArgNumber() < b.getArgNumber();
  });

  SmallVector<Location> locs =
      llvm::map_to_vector(calls, [](Operation *op) { return op->getLoc(); });
  Location loc = FusedLoc::get(builder.getContext(), locs);
  SmallVector<Value> operands(arenas.begin(), arenas.end());
  IRMapping map;
  for (Operation *op : slice.ops)
    if (isFirst(op, loop)) {
      operands.push_back(op->getResult(0));
      break;
    }
  if (slice.usesPart)
    operands.push_back(part);

  OpBuilder moduleBuilder(step);
  auto segment = SegmentOp::create(moduleBuilder, loc,
                                   (step.getName() + "_" + label).str(), step,
                                   label, ValueRange(operands).getTypes());
  for (auto [i, arena] : llvm::enumerate(arenas))
    segment.setArgAttr(
        i, kernel::attrs::kArena,
        step.getArgAttr(arena.getArgNumber(), kernel::attrs::kArena));
  symbols.insert(segment);

  ImplicitLocOpBuilder body(loc, moduleBuilder);
  body.setInsertionPointToStart(&segment.getBody().front());
  for (auto [arena, argument] : llvm::zip(arenas, segment.getArguments()))
    map.map(arena, argument);
  if (slice.usesPart)
    map.map(inputs, createArena(body, map.lookup(inputs),
                                segment.getArguments().back()));
  for (Operation *op : slice.ops) {
    if (isFirst(op, loop))
      map.map(op->getResult(0), segment.getArgument(*segment.getFirst()));
    else
      body.clone(*op, map);
  }
  for (Operation *call : calls)
    body.clone(*call, map);
  ReturnOp::create(body);
  CallOp::create(builder, loc, segment.getSymName(), operands);
  return success();
}

/// The number of `calls` up to the last one that depends on an input: that
/// takes one, or reads an activation that was computed from one.
size_t Outliner::countDependent(ArrayRef<Operation *> calls) const {
  // Offsets of the activations that hold such a value. A view of a buffer
  // begins where the buffer does.
  llvm::DenseSet<int64_t> dependent;
  auto getActivation = [&](Value value) -> std::optional<int64_t> {
    auto buffer = value.getDefiningOp<kernel::BufferOp>();
    if (!buffer ||
        getArena(step, buffer.getArena()) != kernel::Arena::activations)
      return std::nullopt;
    return buffer.getOffsetAttr().getInt();
  };
  size_t count = 0;
  for (auto [i, call] : llvm::enumerate(calls)) {
    SmallVector<Value> reads, writes;
    if (auto gemm = dyn_cast<GemmOp>(call)) {
      reads = {gemm.getA(), gemm.getB()};
      if (!matchPattern(gemm.getBeta(), m_AnyZeroFloat()))
        reads.push_back(gemm.getC());
      writes = {gemm.getC()};
    } else {
      auto launch = cast<LaunchOp>(call);
      auto kernel = symbols.lookup<KernelOp>(launch.getCallee());
      for (auto [j, operand] : llvm::enumerate(launch.getOperands())) {
        if (!isa<MemRefType>(operand.getType()))
          continue;
        if (kernel.isRead(j))
          reads.push_back(operand);
        if (kernel.isWritten(j))
          writes.push_back(operand);
      }
    }
    bool depends =
        llvm::any_of(call->getOperands(),
                     [&](Value operand) { return getInput(operand); }) ||
        llvm::any_of(reads, [&](Value value) {
          std::optional<int64_t> activation = getActivation(value);
          return activation && dependent.contains(*activation);
        });
    if (depends)
      count = i + 1;
    for (Value value : writes)
      if (std::optional<int64_t> activation = getActivation(value)) {
        if (depends)
          dependent.insert(*activation);
        else
          dependent.erase(*activation);
      }
  }
  return count;
}

bool Outliner::writesParams(ArrayRef<Operation *> calls) const {
  return llvm::any_of(calls, [&](Operation *call) {
    auto launch = dyn_cast<LaunchOp>(call);
    if (!launch)
      return false;
    auto kernel = symbols.lookup<KernelOp>(launch.getCallee());
    return llvm::any_of(llvm::enumerate(launch.getOperands()), [&](auto it) {
      auto buffer = it.value().template getDefiningOp<kernel::BufferOp>();
      return buffer && kernel.isWritten(it.index()) &&
             getArena(step, buffer.getArena()) == kernel::Arena::params;
    });
  });
}

std::string Outliner::getUniqueLabel(StringRef base) {
  unsigned number = ++labels[base];
  return number == 1 ? base.str() : (base + "_" + Twine(number)).str();
}

std::string Outliner::getLabel(const Stage &stage, scf::ForOp loop) {
  if (loop || (!stage.copies.empty() && !hasLoop))
    return getUniqueLabel("micro_batch");
  if (!stage.copies.empty())
    return getUniqueLabel("tail");
  if (!isBegun)
    return getUniqueLabel("begin");
  return getUniqueLabel(writesParams(stage.calls) ? "update" : "end");
}

LogicalResult Outliner::outline(Stage &stage, scf::ForOp loop) {
  ImplicitLocOpBuilder builder(stage.last->getLoc(), stage.last->getContext());
  builder.setInsertionPointAfter(stage.last);
  // In straight-line code what comes after a micro-batch is no part of it.
  Stage rest;
  if (!loop && !stage.copies.empty()) {
    size_t count = countDependent(stage.calls);
    rest.calls.assign(stage.calls.begin() + count, stage.calls.end());
    stage.calls.resize(count);
  }
  Value part;
  if (!stage.copies.empty()) {
    part = createPart(builder, loop);
    createFill(builder, stage.copies, part);
    ++fills;
  }
  if (!stage.calls.empty() &&
      failed(outlineCalls(builder, stage.calls, getLabel(stage, loop), loop,
                          part)))
    return failure();
  if (part)
    ReleaseOp::create(builder, part);
  isBegun = true;
  if (!rest.calls.empty() &&
      failed(
          outlineCalls(builder, rest.calls, getLabel(rest, loop), loop, part)))
    return failure();
  for (ArrayRef<Operation *> ops :
       {ArrayRef<Operation *>(stage.copies), ArrayRef<Operation *>(stage.calls),
        ArrayRef<Operation *>(rest.calls)})
    for (Operation *op : ops)
      op->erase();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// All programs use the same parts, so that the copies of one can wait for what
/// another one reads.
static FailureOr<Staging> getStaging(ArrayRef<func::FuncOp> steps) {
  Staging staging;
  bool isKnown = false;
  for (func::FuncOp step : steps) {
    auto plan = step->getAttrOfType<kernel::PlanAttr>(kernel::attrs::kPlan);
    for (kernel::ArenaPlanAttr arena : plan.getArenas()) {
      if (arena.getArena() != kernel::Arena::inputs)
        continue;
      int64_t parts = plan.getStaging();
      if (isKnown && parts != staging.parts)
        return step.emitOpError("expected ")
               << staging.parts
               << " parts of the arena 'inputs', as in the other programs, got "
               << parts;
      isKnown = true;
      staging.parts = parts;
      staging.stride = std::max(staging.stride, arena.getBytes() / parts);
    }
  }
  return staging;
}

namespace {

struct OutlineSegmentsPass
    : accrue::cuda::impl::OutlineSegmentsBase<OutlineSegmentsPass> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> steps;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(kernel::attrs::kPlan))
        steps.push_back(function);
    FailureOr<Staging> staging = getStaging(steps);
    if (failed(staging))
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    for (func::FuncOp step : steps)
      if (failed(Outliner(step, symbols, *staging).run()))
        return signalPassFailure();
  }
};

} // namespace
