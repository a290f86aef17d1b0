//===- PlanMemory.cpp - Places in arenas ----------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every op that touches memory has a position, its place in program order. A
// buffer lives from the first to the last position that touches it or a view
// of it; one that is made outside a loop and touched inside lives as long as
// the loop. Arenas that survive a step are laid out in order, the others are
// packed.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Kernel/KernelOps.h"
#include "accrue/Dialect/Kernel/Passes.h"
#include "accrue/Planner/Packing.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace accrue::kernel {
#define GEN_PASS_DEF_PLANMEMORY
#include "accrue/Dialect/Kernel/Passes.h.inc"
} // namespace accrue::kernel

using namespace mlir;
using namespace accrue;
using namespace accrue::kernel;

namespace {
/// A buffer: an old argument of the function or an allocation.
struct Buffer {
  Value value;
  std::string name;
  Arena arena = Arena::activations;
  MemRefType type;
  DictionaryAttr attributes;
  /// The number of the result that it is, or -1: not of what arguments become.
  int64_t result = -1;
  int64_t offset = -1;
  int64_t firstUse = -1;
  int64_t lastUse = -1;

  int64_t getBytes() const { return getByteSize(type); }
  bool isWorkspace() const {
    return attributes && attributes.contains(attrs::kWorkspace);
  }
};

class Planner {
public:
  Planner(func::FuncOp function, int64_t staging)
      : function(function), staging(staging) {}

  LogicalResult run();

private:
  LogicalResult collect();
  LogicalResult verifyResults();
  void computeLives();
  bool isPointwise(Operation *op, Value read, Value written) const;
  LogicalResult layoutPersistent();
  void pack(Arena arena);
  void append(Arena arena);
  void stageInputs();
  int64_t getKeptBytes() const;
  void rewrite();

  /// The buffer that `value` shows.
  Value getBase(Value value) const;

  func::FuncOp function;
  /// Parts of the arena of the inputs.
  int64_t staging;
  llvm::MapVector<Value, Buffer> buffers;
  llvm::DenseMap<Operation *, int64_t> positions;
  int64_t lastPosition = 0;
  llvm::MapVector<Arena, int64_t> sizes;
  llvm::DenseMap<Arena, int64_t> used;
};
} // namespace

static int64_t alignUp(int64_t bytes) {
  return llvm::alignTo(bytes, kBufferAlignment);
}

Value Planner::getBase(Value value) const {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

//===----------------------------------------------------------------------===//
// The workspace of matrix products
//===----------------------------------------------------------------------===//

/// Parts of k for whose partial sums there is a workspace, and the most bytes
/// that it gets.
static constexpr int64_t kSplits = 8;
static constexpr int64_t kMaxWorkspace = int64_t(32) << 20;

/// Bytes that `gemm` can use. Of a batch, for one product: several fill the
/// device without being divided.
static int64_t getWorkspaceBytes(GemmOp gemm) {
  auto type = cast<MemRefType>(gemm.getC().getType());
  int64_t accumulator = type.getElementType().isF64() ? 8 : 4;
  int64_t sums;
  if (llvm::MulOverflow(gemm.getM() * gemm.getN(), kSplits * accumulator, sums))
    return kMaxWorkspace;
  return std::min(kMaxWorkspace,
                  static_cast<int64_t>(llvm::alignTo(sums, kDeviceAlignment)));
}

/// Gives all products of `function` one workspace.
static void addWorkspace(func::FuncOp function) {
  SmallVector<GemmOp> gemms;
  int64_t bytes = 0;
  function.walk([&](GemmOp gemm) {
    gemms.push_back(gemm);
    bytes = std::max(bytes, getWorkspaceBytes(gemm));
  });
  if (gemms.empty())
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  auto workspace = AllocOp::create(
      builder, function.getLoc(), MemRefType::get(bytes, builder.getI8Type()),
      "workspace", Arena::activations,
      builder.getDictionaryAttr(
          builder.getNamedAttr(attrs::kWorkspace, builder.getUnitAttr())));
  for (GemmOp gemm : gemms)
    gemm.getWorkspaceMutable().assign(workspace.getResult());
}

//===----------------------------------------------------------------------===//
// Buffers and lives
//===----------------------------------------------------------------------===//

LogicalResult Planner::collect() {
  for (BlockArgument argument : function.getArguments()) {
    unsigned index = argument.getArgNumber();
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type || !type.hasStaticShape())
      return function.emitError("expected arguments that are buffers of "
                                "static shape, got ")
             << argument.getType();
    Buffer buffer;
    buffer.value = argument;
    buffer.type = type;
    buffer.attributes = function.getArgAttrDict(index);
    auto name =
        function.getArgAttrOfType<StringAttr>(index, train::attrs::kName);
    buffer.name = name ? name.str() : ("argument" + Twine(index)).str();
    auto role =
        function.getArgAttrOfType<train::RoleAttr>(index, train::attrs::kRole);
    if (role && role.getValue() == train::Role::param)
      buffer.arena = Arena::params;
    else if (function.getArgAttr(index, train::attrs::kSlot))
      buffer.arena = Arena::slots;
    else
      buffer.arena = Arena::state;
    buffers.insert({argument, buffer});
  }
  function.walk([&](AllocOp op) {
    Buffer buffer;
    buffer.value = op.getResult();
    buffer.name = op.getName().str();
    buffer.arena = op.getArena();
    buffer.type = cast<MemRefType>(op.getResult().getType());
    buffer.attributes = op.getInfoAttr();
    buffers.insert({op.getResult(), buffer});
  });
  return success();
}

/// Results are where the plan puts them: in the argument that they update, or
/// in a buffer that outlives the step.
LogicalResult Planner::verifyResults() {
  auto result = cast<func::ReturnOp>(function.front().getTerminator());
  for (OpOperand &operand : result->getOpOperands()) {
    unsigned index = operand.getOperandNumber();
    Value base = getBase(operand.get());
    auto buffer = buffers.find(base);
    auto target = function.getResultAttrOfType<IntegerAttr>(
        index, train::attrs::kUpdates);
    if (target && base != function.getArgument(target.getInt())) {
      InFlightDiagnostic diag =
          function.emitError("expected result ")
          << index << " to be computed in place of argument " << target.getInt()
          << ", whose old value is still needed";
      diag.attachNote(base.getLoc()) << "computed here";
      return diag;
    }
    if (!target &&
        (buffer == buffers.end() || (buffer->second.arena != Arena::outputs &&
                                     buffer->second.arena != Arena::gradients)))
      return function.emitError("expected result ")
             << index << " to have a buffer in 'outputs' or 'gradients'";
    if (!target)
      buffer->second.result = index;
  }
  return success();
}

void Planner::computeLives() {
  // The first and the last position in an op.
  llvm::DenseMap<Operation *, std::pair<int64_t, int64_t>> spans;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function)
      return WalkResult::advance();
    if (isa<DestinationStyleOpInterface>(op)) {
      positions[op] = ++lastPosition;
      // The loops around the op reach to here.
      for (Operation *outer = op; outer != function;
           outer = outer->getParentOp()) {
        auto [it, inserted] =
            spans.try_emplace(outer, lastPosition, lastPosition);
        it->second.second = lastPosition;
      }
    }
    // The body of a kernel is one position.
    return isa<GroupOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  function.walk([&](DestinationStyleOpInterface op) {
    for (Value operand : op->getOperands()) {
      auto it = buffers.find(getBase(operand));
      if (it == buffers.end())
        continue;
      Buffer &buffer = it->second;
      // Touched in a loop that it outlives: for the whole loop.
      Operation *outermost = op;
      Region *home = buffer.value.getParentRegion();
      while (outermost->getParentRegion() != home)
        outermost = outermost->getParentOp();
      auto [first, last] = spans.lookup(outermost);
      buffer.firstUse =
          buffer.firstUse < 0 ? first : std::min(buffer.firstUse, first);
      buffer.lastUse = std::max(buffer.lastUse, last);
    }
  });
  for (auto &[value, buffer] : buffers) {
    bool acrossSteps =
        buffer.arena != Arena::inputs && buffer.arena != Arena::activations;
    if (acrossSteps) {
      // Readable after the step; what is no result of it also before.
      bool result =
          buffer.arena == Arena::outputs || buffer.arena == Arena::gradients;
      buffer.firstUse = result ? std::max<int64_t>(buffer.firstUse, 0) : 0;
      buffer.lastUse = lastPosition;
    } else if (buffer.firstUse < 0) {
      buffer.firstUse = buffer.lastUse = 0;
    }
  }
}

/// Whether kernel `op` reads elements of `read` only in the iteration that
/// writes the same elements of `written`.
bool Planner::isPointwise(Operation *op, Value read, Value written) const {
  auto group = dyn_cast<GroupOp>(op);
  if (!group || group.getSchedule() != Schedule::elementwise)
    return false;
  Block &body = group.getBody().front();
  SmallVector<Value> indices;
  for (auto loop : body.getOps<scf::ParallelOp>())
    llvm::append_range(indices, loop.getInductionVars());
  MemRefType type;
  for (auto [operand, argument] :
       llvm::zip(group.getOperands(), body.getArguments())) {
    Value base = getBase(operand);
    if (base != read && base != written)
      continue;
    auto memref = cast<MemRefType>(argument.getType());
    if (type && type != memref)
      return false;
    type = memref;
    for (Operation *user : argument.getUsers()) {
      ValueRange at;
      if (auto load = dyn_cast<memref::LoadOp>(user))
        at = load.getIndices();
      else if (auto store = dyn_cast<memref::StoreOp>(user))
        at = store.getIndices();
      else
        return false;
      if (!llvm::equal(at, indices))
        return false;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

/// Parameters, gradients and slots with equal offsets; trainable parameters
/// first, so that what belongs to them is without holes.
LogicalResult Planner::layoutPersistent() {
  llvm::StringMap<Buffer *> params;
  int64_t end = 0, trainable = 0;
  auto isTrainable = [](const Buffer &buffer) {
    return buffer.attributes && buffer.attributes.contains(train::attrs::kRule);
  };
  for (bool wanted : {true, false}) {
    for (auto &[value, buffer] : buffers) {
      if (buffer.arena != Arena::params || isTrainable(buffer) != wanted)
        continue;
      buffer.offset = alignUp(end);
      end = buffer.offset + buffer.getBytes();
      if (!params.try_emplace(buffer.name, &buffer).second)
        return function.emitError("expected parameters of different names, "
                                  "got \"")
               << buffer.name << "\" twice";
    }
    if (wanted)
      trainable = end;
  }
  if (end > 0)
    sizes[Arena::params] = end;

  llvm::StringMap<Value> gradients;
  int64_t slotArrays = 0;
  for (auto &[value, buffer] : buffers) {
    if (buffer.arena != Arena::gradients && buffer.arena != Arena::slots)
      continue;
    Buffer *param = params.lookup(buffer.name);
    if (!param || param->getBytes() != buffer.getBytes())
      return function.emitError("expected \"")
             << buffer.name << "\" in '" << stringifyArena(buffer.arena)
             << "' to belong to a parameter of its size";
    if (buffer.arena == Arena::gradients) {
      if (!gradients.try_emplace(buffer.name, value).second)
        return function.emitError("expected one gradient of \"")
               << buffer.name << "\"";
      buffer.offset = param->offset;
      sizes[Arena::gradients] =
          std::max(sizes[Arena::gradients],
                   std::max(trainable, buffer.offset + buffer.getBytes()));
      continue;
    }
    auto rule =
        param->attributes.getAs<train::OptimizerRule>(train::attrs::kRule);
    StringRef slot =
        buffer.attributes.getAs<StringAttr>(train::attrs::kSlot).getValue();
    SmallVector<StringRef> names;
    if (rule)
      names = rule.getSlotNames();
    auto it = llvm::find(names, slot);
    if (it == names.end())
      return function.emitError("expected '")
             << slot << "' to be a slot of the rule of \"" << buffer.name
             << "\"";
    int64_t array = it - names.begin();
    buffer.offset = array * alignUp(trainable) + param->offset;
    slotArrays = std::max(slotArrays, array + 1);
    sizes[Arena::slots] = (slotArrays - 1) * alignUp(trainable) + trainable;
  }
  return success();
}

/// The place of `buffer` among results: what all kinds of programs have comes
/// first, at equal offsets, and what has the size of the batch comes last.
static int getResultOrder(const Buffer &buffer) {
  train::ResultKindAttr kind;
  if (buffer.attributes)
    kind =
        buffer.attributes.getAs<train::ResultKindAttr>(train::attrs::kResult);
  if (!kind)
    return 0;
  switch (kind.getValue()) {
  case train::ResultKind::loss:
    return 1;
  case train::ResultKind::metric:
    return 2;
  case train::ResultKind::norm:
    return 3;
  case train::ResultKind::rate:
    return 4;
  case train::ResultKind::finite:
    return 5;
  case train::ResultKind::gradient:
  case train::ResultKind::output:
    return 6;
  }
  llvm_unreachable("unknown kind of result");
}

/// One after the other.
void Planner::append(Arena arena) {
  SmallVector<Buffer *> members;
  for (Buffer &buffer : llvm::make_second_range(buffers))
    if (buffer.arena == arena)
      members.push_back(&buffer);
  // Programs of one model have equal results in equal order, whenever they are
  // computed.
  llvm::stable_sort(members, [](const Buffer *a, const Buffer *b) {
    return std::make_pair(getResultOrder(*a), a->result) <
           std::make_pair(getResultOrder(*b), b->result);
  });
  int64_t end = 0;
  for (Buffer *buffer : members) {
    buffer->offset = alignUp(end);
    end = buffer->offset + buffer->getBytes();
  }
  if (end > 0)
    sizes[arena] = end;
}

void Planner::pack(Arena arena) {
  SmallVector<Buffer *> members;
  SmallVector<PackedBuffer> packed;
  for (auto &[value, buffer] : buffers) {
    if (buffer.arena != arena)
      continue;
    members.push_back(&buffer);
    packed.push_back({buffer.getBytes(), buffer.firstUse, buffer.lastUse,
                      buffer.isWorkspace() ? kDeviceAlignment : 1});
  }
  if (members.empty())
    return;
  // In place where a kernel allows it.
  llvm::DenseMap<int64_t, Operation *> opAt;
  for (auto [op, position] : positions)
    opAt[position] = op;
  for (auto [i, before] : llvm::enumerate(members))
    for (auto [j, after] : llvm::enumerate(members))
      if (i != j && before->lastUse == after->firstUse &&
          before->firstUse < after->firstUse && opAt.count(after->firstUse) &&
          isPointwise(opAt.lookup(after->firstUse), before->value,
                      after->value))
        packed[j].partners.push_back(i);
  sizes[arena] = packBuffers(packed, kBufferAlignment);
  used[arena] = getPeakBytes(packed);
  for (auto [member, place] : llvm::zip_equal(members, packed))
    member->offset = place.offset;
}

/// Repeats the arena of the inputs.
void Planner::stageInputs() {
  auto inputs = sizes.find(Arena::inputs);
  if (staging == 1 || inputs == sizes.end())
    return;
  inputs->second = staging * llvm::alignTo(inputs->second, kDeviceAlignment);
  used[Arena::inputs] *= staging;
}

/// Activations that live across the first op of the backward pass, in the
/// micro-batch where they are most.
int64_t Planner::getKeptBytes() const {
  llvm::MapVector<Region *, int64_t> begins;
  for (auto [op, position] : positions) {
    if (!op->hasAttr(attrs::kBackward))
      continue;
    int64_t &begin =
        begins.try_emplace(op->getParentRegion(), position).first->second;
    begin = std::min(begin, position);
  }
  int64_t most = 0;
  for (auto [region, begin] : begins) {
    int64_t kept = 0;
    for (const Buffer &buffer : llvm::make_second_range(buffers)) {
      Value value = buffer.value;
      if (buffer.arena == Arena::activations && !buffer.isWorkspace() &&
          value.getParentRegion() == region && buffer.firstUse < begin &&
          buffer.lastUse >= begin)
        kept += buffer.getBytes();
    }
    most = std::max(most, kept);
  }
  return most;
}

//===----------------------------------------------------------------------===//
// The planned function
//===----------------------------------------------------------------------===//

void Planner::rewrite() {
  MLIRContext *context = function.getContext();
  Block &body = function.front();
  int64_t kept = getKeptBytes();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  auto bytesType = builder.getI8Type();

  // Arenas, in the order of the enumeration.
  SmallVector<ArenaPlanAttr> arenas;
  llvm::DenseMap<Arena, Value> arguments;
  unsigned oldArguments = body.getNumArguments();
  for (unsigned i = 0; i <= getMaxEnumValForArena(); ++i) {
    Arena arena = static_cast<Arena>(i);
    auto it = sizes.find(arena);
    if (it == sizes.end() || it->second == 0)
      continue;
    int64_t total = 0;
    for (auto &[value, buffer] : buffers)
      if (buffer.arena == arena)
        total += buffer.getBytes();
    arenas.push_back(
        ArenaPlanAttr::get(context, arena, it->second,
                           used.contains(arena) ? used.lookup(arena) : total));
    arguments[arena] = body.addArgument(MemRefType::get(it->second, bytesType),
                                        function.getLoc());
  }

  SmallVector<InputPlanAttr> inputs;
  if (auto list = function->getAttrOfType<ArrayAttr>(attrs::kInputs))
    for (Attribute attr : list)
      inputs.push_back(cast<InputPlanAttr>(attr));

  // Buffers, and views as buffers of another type.
  SmallVector<Operation *> dead;
  SmallVector<std::pair<Value, Value>> replacements;
  llvm::MapVector<std::pair<Value, Type>, Value> views;
  auto createView = [&](const Buffer &buffer, Type type) -> Value {
    Value &view = views[{buffer.value, type}];
    if (!view)
      view = BufferOp::create(builder, buffer.value.getLoc(), type, buffer.name,
                              arguments.lookup(buffer.arena), buffer.offset);
    return view;
  };
  for (auto &[value, buffer] : buffers) {
    if (!value.use_empty())
      replacements.emplace_back(value, createView(buffer, buffer.type));
    if (Operation *op = value.getDefiningOp())
      dead.push_back(op);
  }
  function.walk([&](ViewLikeOpInterface view) {
    Value result = view->getResult(0);
    auto it = buffers.find(getBase(result));
    if (it == buffers.end())
      return;
    replacements.emplace_back(result, createView(it->second, result.getType()));
    dead.push_back(view);
  });
  for (auto [from, to] : replacements)
    from.replaceAllUsesWith(to);
  Operation *terminator = body.getTerminator();
  terminator->eraseOperands(0, terminator->getNumOperands());
  for (Operation *op : llvm::reverse(dead))
    op->erase();

  // The plan, by arena and offset. A gradient is shown as its parameter.
  SmallVector<const Buffer *> sorted;
  llvm::StringMap<MemRefType> paramTypes;
  for (auto &[value, buffer] : buffers) {
    sorted.push_back(&buffer);
    if (buffer.arena == Arena::params)
      paramTypes[buffer.name] = buffer.type;
  }
  llvm::stable_sort(sorted, [](const Buffer *a, const Buffer *b) {
    return std::make_tuple(a->arena, a->offset, a->firstUse) <
           std::make_tuple(b->arena, b->offset, b->firstUse);
  });
  SmallVector<BufferPlanAttr> plans;
  for (const Buffer *buffer : sorted) {
    MemRefType type = buffer->type;
    if (buffer->arena == Arena::gradients)
      type = paramTypes.lookup(buffer->name);
    DictionaryAttr marks = buffer->attributes && !buffer->attributes.empty()
                               ? buffer->attributes
                               : nullptr;
    plans.push_back(BufferPlanAttr::get(
        context, buffer->name, buffer->arena, buffer->offset,
        buffer->getBytes(),
        RankedTensorType::get(type.getShape(), type.getElementType()),
        buffer->firstUse, buffer->lastUse, marks));
  }
  body.eraseArguments(0, oldArguments);
  function.setFunctionType(
      builder.getFunctionType(body.getArgumentTypes(), {}));
  function.removeResAttrsAttr();
  SmallVector<Attribute> argumentAttrs;
  for (ArenaPlanAttr arena : arenas)
    argumentAttrs.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
        attrs::kArena, ArenaAttr::get(context, arena.getArena()))));
  function.setArgAttrsAttr(builder.getArrayAttr(argumentAttrs));
  function->removeAttr(attrs::kInputs);
  function->removeAttr(train::attrs::kModel);
  function->removeAttr(train::attrs::kStep);
  function->setAttr(attrs::kPlan, PlanAttr::get(context, arenas, plans, inputs,
                                                kept, staging));
}

LogicalResult Planner::run() {
  if (failed(collect()) || failed(verifyResults()))
    return failure();
  computeLives();
  if (failed(layoutPersistent()))
    return failure();
  append(Arena::state);
  append(Arena::outputs);
  append(Arena::constants);
  pack(Arena::inputs);
  stageInputs();
  pack(Arena::activations);
  rewrite();
  return success();
}

namespace {
struct PlanMemoryPass : public kernel::impl::PlanMemoryBase<PlanMemoryPass> {
  using PlanMemoryBase::PlanMemoryBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function->hasAttr(attrs::kInputs))
      return;
    if (staging < 1) {
      function.emitError("expected 'staging' to be positive, got ")
          << staging.getValue();
      return signalPassFailure();
    }
    if (workspace)
      addWorkspace(function);
    if (failed(Planner(function, staging).run()))
      signalPassFailure();
  }
};
} // namespace
