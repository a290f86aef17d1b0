//===- NameValues.cpp - Identifiers and variables of emitted text ---------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Per block, first backward: which values become variables, knowing already
// which statement each user is printed in. Then forward: their names, from the
// words of ValueWords.cpp.
//
//===----------------------------------------------------------------------===//

#include "ValueWords.h"
#include "accrue/Dialect/CUDA/Identifiers.h"
#include "accrue/Dialect/CUDA/Passes.h"
#include "accrue/Dialect/Kernel/KernelOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

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
  return getWord(op);
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
        std::string base = getReductionWord(yielded.getDefiningOp()).str();
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
