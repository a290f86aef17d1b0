//===- NameValues.cpp - Identifiers and variables of emitted text ---------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Per block, first backward: which values become variables, knowing already
// which statement each user is printed in. Then forward: their names.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/CUDA/CUDAOps.h"
#include "accrue/Dialect/CUDA/Identifiers.h"
#include "accrue/Dialect/CUDA/Passes.h"
#include "accrue/Dialect/Kernel/KernelOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

namespace accrue::cuda {
#define GEN_PASS_DEF_NAMEVALUES
#include "accrue/Dialect/CUDA/Passes.h.inc"
} // namespace accrue::cuda

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

/// Ops in one expression at most.
static constexpr unsigned kMaxExpression = 6;

/// What the launch configuration makes of a thread: short to write, free to
/// compute again.
static bool isLaunchIndex(Operation *op) {
  return isa<gpu::ThreadIdOp, gpu::BlockDimOp, gpu::GridDimOp>(op);
}

namespace {

/// Decides and names the values of one function.
class FunctionNamer {
public:
  /// `launches` are those of `function`, if it is a kernel.
  FunctionNamer(FunctionOpInterface function, ArrayRef<LaunchOp> launches)
      : function(function), launches(launches) {}

  void run();

private:
  void decide(Block &block);
  bool needsVariable(Operation *op);
  Operation *getStatement(Operation *op);
  void nameBlock(Block &block);
  std::string getBase(Operation *op);
  std::string getBase(Value value);
  std::string getElementBase(Value buffer, Value index);
  void nameKernelArguments();
  void nameStepArguments();
  void setArgument(unsigned i, const std::string &name);
  void setNames(Operation *op, ArrayRef<std::string> identifiers);

  FunctionOpInterface function;
  ArrayRef<LaunchOp> launches;
  NameScopes names;
  llvm::DenseSet<Operation *> variables;
  /// Ops in the expression that prints a value without a variable.
  llvm::DenseMap<Operation *, unsigned> sizes;
  llvm::DenseMap<Value, std::string> identifiers;
};

} // namespace

/// Whether `op` is written as an expression.
static bool isExpression(Operation *op) {
  return op->getNumResults() == 1 && op->getNumRegions() == 0;
}

/// Whether `later`, or what it contains, may write what `load` reads. Different
/// buffers do not overlap.
static bool mayChange(Operation *later, memref::LoadOp load) {
  if (auto store = dyn_cast<memref::StoreOp>(later))
    return store.getMemRef() == load.getMemRef();
  return !isMemoryEffectFree(later) && !isa<memref::LoadOp>(later);
}

/// The statement that the text of `op` is part of.
Operation *FunctionNamer::getStatement(Operation *op) {
  while (isExpression(op) && !variables.contains(op))
    op = *op->user_begin();
  return op;
}

/// Whether `value` is an operand of `op` that is written more than once: the
/// bound and the step of a loop, what tells a segment's graph.
static bool isRepeated(Operation *op, Value value) {
  if (isa<CallOp>(op)) {
    auto graphs =
        op->getParentOfType<func::FuncOp>()->getAttrOfType<GraphModeAttr>(
            attrs::kGraphs);
    return graphs && graphs.getValue() == GraphMode::segments;
  }
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop && (loop.getUpperBound() == value || loop.getStep() == value);
}

/// What the location of `op` calls its result; empty where it calls that of a
/// user the same, which then is what the name stands for, and for what is named
/// after buffers and loops.
static StringRef getHint(Operation *op) {
  if (isa<memref::LoadOp, kernel::BufferOp>(op) ||
      (isa<IndexType>(op->getResult(0).getType()) && !isa<CastOpInterface>(op)))
    return {};
  auto getName = [](Operation *op) {
    auto named = dyn_cast<NameLoc>(op->getLoc());
    return named ? named.getName().getValue() : StringRef();
  };
  StringRef name = getName(op);
  bool isPart = llvm::any_of(
      op->getUsers(), [&](Operation *user) { return getName(user) == name; });
  return isPart ? StringRef() : name;
}

/// The first store of `value`, or null.
static memref::StoreOp getStore(Value value) {
  memref::StoreOp first;
  // Users come in the reverse order of their making.
  for (Operation *user : value.getUsers())
    if (auto store = dyn_cast<memref::StoreOp>(user))
      if (store.getValueToStore() == value)
        first = store;
  return first;
}

/// Whether `value` is the number of a part of the inputs.
static bool isPart(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return isa<BeginFillOp>(user) ||
           (isa<PartOp>(user) && cast<PartOp>(user).getPart() == value);
  });
}

/// Whether `value` is an argument that is passed by address.
static bool isAddressed(Operation *op, Value value) {
  auto gemm = dyn_cast<GemmOp>(op);
  return gemm && (gemm.getAlpha() == value || gemm.getBeta() == value);
}

bool FunctionNamer::needsVariable(Operation *op) {
  Value result = op->getResult(0);
  if (llvm::any_of(op->getUsers(),
                   [&](Operation *user) { return isAddressed(user, result); }))
    return true;
  if (op->hasTrait<OpTrait::ConstantLike>() || isLaunchIndex(op) ||
      isa<InputOp>(op))
    return false;
  if (isa<kernel::BufferOp, PartOp, gpu::AllReduceOp>(op) ||
      !result.hasOneUse())
    return true;
  Operation *user = *op->user_begin();
  if (user->getBlock() != op->getBlock())
    return true;
  if (isRepeated(user, result))
    return !llvm::all_of(op->getOperands(), [](Value operand) {
      Operation *def = operand.getDefiningOp();
      return def && isLaunchIndex(def);
    });
  // All carried values change at once.
  if (isa<scf::YieldOp>(user) && user->getNumOperands() > 1)
    return true;
  // What has a name of its own is easier to read with it.
  if (isa<KernelOp>(function) && !getHint(op).empty() &&
      !isa<memref::StoreOp, scf::YieldOp>(user))
    return true;
  unsigned &size = sizes[getStatement(user)];
  if (size >= kMaxExpression)
    return true;
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    Operation *statement = getStatement(user);
    for (Operation *later = op->getNextNode(); later != statement;
         later = later->getNextNode())
      if (mayChange(later, load))
        return true;
  }
  ++size;
  return false;
}

void FunctionNamer::decide(Block &block) {
  for (Operation &op : llvm::reverse(block)) {
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        if (!isa<gpu::AllReduceOp>(op))
          decide(inner);
    if ((isExpression(&op) || isa<gpu::AllReduceOp>(op)) && needsVariable(&op))
      variables.insert(&op);
  }
}

std::string FunctionNamer::getBase(Value value) {
  if (auto it = identifiers.find(value); it != identifiers.end())
    return it->second;
  if (Operation *op = value.getDefiningOp())
    return getBase(op);
  return "value";
}

/// What the combination `op` of a reduction is called.
static StringRef getReductionName(Operation *op) {
  if (!op)
    return "total";
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return "sum"; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return "product"; })
      .Case<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp,
            arith::MaxUIOp>([](auto) { return "largest"; })
      .Case<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp,
            arith::MinUIOp>([](auto) { return "smallest"; })
      .Case<arith::AndIOp>([](auto) { return "all"; })
      .Case<arith::OrIOp>([](auto) { return "any"; })
      .Default([](auto) { return "total"; });
}

static StringRef getReductionName(gpu::AllReduceOperation kind) {
  using Kind = gpu::AllReduceOperation;
  switch (kind) {
  case Kind::ADD:
    return "sum";
  case Kind::MUL:
    return "product";
  case Kind::MAXIMUMF:
  case Kind::MAXNUMF:
  case Kind::MAXSI:
  case Kind::MAXUI:
    return "largest";
  case Kind::MINIMUMF:
  case Kind::MINNUMF:
  case Kind::MINSI:
  case Kind::MINUI:
    return "smallest";
  case Kind::AND:
    return "all";
  case Kind::OR:
    return "any";
  default:
    return "total";
  }
}

/// The plan of a step function or of the one that a segment is part of.
static kernel::PlanAttr getPlan(FunctionOpInterface function) {
  Operation *step = function;
  if (auto segment = dyn_cast<SegmentOp>(step))
    step = SymbolTable::lookupNearestSymbolFrom(segment, segment.getStepAttr());
  return step ? step->getAttrOfType<kernel::PlanAttr>(kernel::attrs::kPlan)
              : kernel::PlanAttr();
}

/// A buffer's name; that of a gradient or a slot is told from its parameter's,
/// and in a step that of a staged input from the input's.
static std::string getBufferName(kernel::BufferOp buffer,
                                 bool isLaunched = false) {
  std::string name = buffer.getName().str();
  auto function = buffer->getParentOfType<FunctionOpInterface>();
  Value whole = buffer.getArena();
  if (auto part = whole.getDefiningOp<PartOp>())
    whole = part.getArena();
  auto arena = dyn_cast<BlockArgument>(whole);
  if (!function || !arena)
    return name;
  auto plan = getPlan(function);
  auto mark = function.getArgAttrOfType<kernel::ArenaAttr>(
      arena.getArgNumber(), kernel::attrs::kArena);
  if (!plan || !mark)
    return name;
  for (kernel::BufferPlanAttr planned : plan.getBuffers()) {
    if (planned.getArena() != mark.getValue() ||
        planned.getName() != buffer.getName() ||
        planned.getOffset() != buffer.getOffsetAttr().getInt())
      continue;
    if (planned.getArena() == kernel::Arena::gradients)
      return "d_" + name;
    if (planned.getArena() == kernel::Arena::inputs && !isLaunched)
      return name + "_micro";
    if (DictionaryAttr attributes = planned.getAttributes())
      if (auto slot = attributes.getAs<StringAttr>(train::attrs::kSlot))
        return (name + "." + slot.getValue()).str();
  }
  return name;
}

/// `x_i` for element i of x.
std::string FunctionNamer::getElementBase(Value buffer, Value index) {
  auto it = identifiers.find(index);
  bool isShort = it != identifiers.end() && it->second.size() <= 3;
  return getBase(buffer) + "_" + (isShort ? it->second : "value");
}

/// A word for what `op` computes; empty for positions, which are letters.
std::string FunctionNamer::getBase(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return getElementBase(load.getMemRef(), load.getIndices()[0]);
  Value result = op->getResult(0);
  for (Operation *user : op->getUsers())
    if (isAddressed(user, result) && !op->hasTrait<OpTrait::ConstantLike>())
      return cast<GemmOp>(user).getAlpha() == result ? "alpha" : "beta";
  if (StringRef hint = getHint(op); !hint.empty())
    return hint.str();
  if (memref::StoreOp store = getStore(result);
      store && !isa<gpu::AllReduceOp>(op)) {
    bool isRead = llvm::any_of(store.getMemRef().getUsers(),
                               llvm::IsaPred<memref::LoadOp>);
    return isRead ? "new_" + getBase(store.getMemRef())
                  : getElementBase(store.getMemRef(), store.getIndices()[0]);
  }
  if (isa<CastOpInterface>(op))
    return getBase(op->getOperand(0));
  if (isa<IndexType>(result.getType()) && !isa<gpu::BlockIdOp>(op)) {
    if (!isa<KernelOp>(function))
      return isPart(result) ? "part" : "offset";
    bool isEnd = llvm::any_of(op->getUsers(), [&](Operation *user) {
      auto loop = dyn_cast<scf::ForOp>(user);
      return loop && loop.getUpperBound() == result;
    });
    return isEnd ? "end" : "";
  }
  if (isa<arith::CmpIOp>(op) && !isa<KernelOp>(function))
    return "first";
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case([](kernel::BufferOp buffer) { return getBufferName(buffer); })
      .Case([](PartOp) { return "inputs"; })
      .Case([](gpu::AllReduceOp reduce) {
        return getReductionName(*reduce.getOp()).str();
      })
      .Case([](arith::ConstantOp constant) {
        auto value = dyn_cast<FloatAttr>(constant.getValue());
        if (value && value.getValue().isZero())
          return "zero";
        if (value && value.getValue().isExactlyValue(1.0))
          return "one";
        return "factor";
      })
      .Case([](gpu::BlockIdOp) { return "row"; })
      .Case([](RangeRuleOp) { return "rule"; })
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return "sum"; })
      .Case<arith::SubFOp, arith::SubIOp>([](auto) { return "difference"; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return "product"; })
      .Case<arith::DivFOp>([](auto) { return "quotient"; })
      .Case<arith::NegFOp>([](auto) { return "negative"; })
      .Case<arith::MaximumFOp>([](auto) { return "larger"; })
      .Case<arith::MinimumFOp>([](auto) { return "smaller"; })
      .Case<arith::SelectOp>([](auto) { return "selected"; })
      .Case<arith::CmpFOp, arith::CmpIOp>([](auto) { return "condition"; })
      .Case<math::ExpOp>([](auto) { return "exponential"; })
      .Case<math::LogOp>([](auto) { return "logarithm"; })
      .Case<math::SqrtOp>([](auto) { return "root"; })
      .Default([](Operation *op) {
        return (op->getName().stripDialect() + "_value").str();
      });
}

void FunctionNamer::setNames(Operation *op, ArrayRef<std::string> chosen) {
  SmallVector<StringRef> refs(chosen.begin(), chosen.end());
  op->setAttr(attrs::kNames, Builder(op).getStrArrayAttr(refs));
}

void FunctionNamer::nameBlock(Block &block) {
  for (Operation &op : block) {
    op.removeAttr(attrs::kNames);
    SmallVector<std::string> chosen;
    if (variables.contains(&op)) {
      std::string base = getBase(&op);
      chosen.push_back(base.empty() ? names.addIndex() : names.add(base));
      identifiers[op.getResult(0)] = chosen.back();
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (auto [result, argument, yielded] :
           llvm::zip(loop.getResults(), loop.getRegionIterArgs(),
                     loop.getYieldedValues())) {
        std::string base = getReductionName(yielded.getDefiningOp()).str();
        if (result.hasOneUse() && isa<gpu::AllReduceOp>(*result.user_begin()))
          base = "thread_" + base;
        chosen.push_back(names.add(base));
        identifiers[result] = chosen.back();
        identifiers[argument] = chosen.back();
      }
      NameScopes::Scope scope(names);
      chosen.insert(chosen.begin(), names.addIndex());
      identifiers[loop.getInductionVar()] = chosen.front();
      nameBlock(*loop.getBody());
    } else if (auto ifOp = dyn_cast<scf::IfOp>(op)) {
      for (Value result : ifOp.getResults()) {
        StringRef hint = getHint(ifOp);
        chosen.push_back(names.add(hint.empty() ? "value" : hint));
        identifiers[result] = chosen.back();
      }
      for (Region &region : ifOp->getRegions()) {
        NameScopes::Scope scope(names);
        if (!region.empty())
          nameBlock(region.front());
      }
    }
    if (!chosen.empty())
      setNames(&op, chosen);
  }
}

/// What all launches pass for memref argument `i` of `kernel`: the name of the
/// buffer, or where they differ, as those of layers do, what they have in
/// common behind the last dot. Empty where there is nothing.
static std::string getCommonName(KernelOp kernel, unsigned i,
                                 ArrayRef<LaunchOp> launches) {
  std::string common;
  for (LaunchOp launch : launches) {
    auto buffer = launch.getOperands()[i].getDefiningOp<kernel::BufferOp>();
    if (!buffer)
      return "";
    std::string name = getBufferName(buffer, /*isLaunched=*/true);
    if (launch == launches.front())
      common = name;
    if (name == common)
      continue;
    // A mark in front, as that of a gradient, stays where all have it.
    auto getLeaf = [](StringRef name) {
      StringRef mark = name.starts_with("d_") ? "d_" : "";
      StringRef leaf = name.drop_front(mark.size());
      return (mark + leaf.substr(leaf.rfind('.') + 1)).str();
    };
    common = getLeaf(common);
    if (getLeaf(name) != common)
      return kernel.isWritten(i) ? "output" : "input";
  }
  return common;
}

/// Arguments of kernels are called after what they are launched with, or what
/// the planner called them.
void FunctionNamer::nameKernelArguments() {
  for (BlockArgument argument : function.getArguments()) {
    unsigned i = argument.getArgNumber();
    bool isBuffer = isa<MemRefType>(argument.getType());
    std::string base =
        isBuffer ? getCommonName(cast<KernelOp>(*function), i, launches) : "";
    if (auto name =
            function.getArgAttrOfType<StringAttr>(i, kernel::attrs::kName);
        name && base.empty())
      base = name.str();
    if (base.empty())
      base = isBuffer                          ? "buffer"
             : argument.getType().isInteger(1) ? "first"
                                               : "value";
    setArgument(i, names.add(base));
  }
}

/// Inputs of the plan are the parameters of a step; arenas belong to the model.
void FunctionNamer::nameStepArguments() {
  SmallVector<std::string> inputs;
  if (auto plan =
          function->getAttrOfType<kernel::PlanAttr>(kernel::attrs::kPlan))
    for (kernel::InputPlanAttr input : plan.getInputs())
      inputs.push_back(names.add(input.getName()));
  if (!isa<SegmentOp>(function))
    setNames(function, inputs);
  for (auto [i, argument] : llvm::enumerate(function.getArguments())) {
    if (auto arena = function.getArgAttrOfType<kernel::ArenaAttr>(
            i, kernel::attrs::kArena))
      setArgument(i, ("model->" + stringifyArena(arena.getValue())).str());
    else if (isa<SegmentOp>(function))
      setArgument(i,
                  names.add(argument.getType().isIndex() ? "part" : "first"));
  }
}

void FunctionNamer::setArgument(unsigned i, const std::string &name) {
  identifiers[function.getArgument(i)] = name;
  function.setArgAttr(i, attrs::kName,
                      StringAttr::get(function.getContext(), name));
}

void FunctionNamer::run() {
  if (isa<KernelOp>(function))
    nameKernelArguments();
  else
    nameStepArguments();
  decide(function.getFunctionBody().front());
  nameBlock(function.getFunctionBody().front());
}

namespace {

struct NameValuesPass : accrue::cuda::impl::NameValuesBase<NameValuesPass> {
  void runOnOperation() override {
    nameSymbols();
    llvm::StringMap<SmallVector<LaunchOp>> launches;
    getOperation().walk([&](LaunchOp launch) {
      launches[launch.getCallee()].push_back(launch);
    });
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (!function.isExternal())
        FunctionNamer(function, launches[function.getName()]).run();
  }

  /// Kernels and tables get valid names; those that already have one keep it.
  void nameSymbols() {
    SymbolTable symbols(getOperation());
    NameScopes names;
    SmallVector<Operation *> renamed;
    for (Operation &op : getOperation().getOps()) {
      if (!isa<KernelOp, RangesOp>(op))
        continue;
      StringRef name = SymbolTable::getSymbolName(&op).getValue();
      if (getIdentifier(name) == name)
        names.add(name);
      else
        renamed.push_back(&op);
    }
    for (Operation *op : renamed) {
      std::string name = names.add(SymbolTable::getSymbolName(op).getValue());
      if (failed(symbols.rename(op, name)))
        return signalPassFailure();
    }
  }
};

} // namespace
