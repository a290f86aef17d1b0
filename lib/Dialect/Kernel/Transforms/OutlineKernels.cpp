//===- OutlineKernels.cpp - Groups as functions ---------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Kernel/KernelOps.h"
#include "accrue/Dialect/Kernel/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringExtras.h"

namespace accrue::kernel {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "accrue/Dialect/Kernel/Passes.h.inc"
} // namespace accrue::kernel

using namespace mlir;
using namespace accrue;
using namespace accrue::kernel;

/// Letters, digits and underscores of `name`.
static std::string getIdentifier(StringRef name) {
  std::string result;
  for (char c : name)
    result += llvm::isAlnum(c) ? c : '_';
  if (result.empty() || llvm::isDigit(result[0]))
    result.insert(0, "k");
  return result;
}

/// Whether `a` and `b` are the same bytes seen as the same type.
static bool isSameBuffer(Value a, Value b) {
  if (a == b)
    return true;
  auto first = a.getDefiningOp<BufferOp>();
  auto second = b.getDefiningOp<BufferOp>();
  return first && second && a.getType() == b.getType() &&
         first.getArena() == second.getArena() &&
         first.getOffset() == second.getOffset();
}

namespace {
struct OutlineKernelsPass
    : public kernel::impl::OutlineKernelsBase<OutlineKernelsPass> {
  using OutlineKernelsBase::OutlineKernelsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    SmallVector<FuncOp> kernels(module.getOps<FuncOp>());
    SmallVector<GroupOp> groups;
    module.walk([&](GroupOp group) { groups.push_back(group); });
    for (GroupOp group : groups)
      outline(group, module, symbols, kernels);

    // Fold and merge constants; loops keep their form.
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(applyPatternsGreedily(module, RewritePatternSet(&getContext()),
                                     config)))
      signalPassFailure();
  }

  void outline(GroupOp group, ModuleOp module, SymbolTable &symbols,
               SmallVectorImpl<FuncOp> &kernels);
};
} // namespace

void OutlineKernelsPass::outline(GroupOp group, ModuleOp module,
                                 SymbolTable &symbols,
                                 SmallVectorImpl<FuncOp> &kernels) {
  Location loc = group.getLoc();
  MLIRContext *context = module.getContext();
  Block &body = group.getBody().front();

  // One argument per buffer. The last operand that shows it names it: what is
  // written rather than what is read.
  SmallVector<Value> operands(group.getOperands());
  for (size_t i = operands.size(); i-- > 0;)
    for (size_t j = 0; j != i; ++j)
      if (isSameBuffer(operands[j], operands[i])) {
        body.getArgument(i).replaceAllUsesWith(body.getArgument(j));
        body.eraseArgument(i);
        operands[j] = operands[i];
        operands.erase(operands.begin() + i);
        break;
      }
  Operation *yield = body.getTerminator();
  OpBuilder bodyBuilder(yield);
  ReturnOp::create(bodyBuilder, yield->getLoc());
  yield->erase();

  // An equal kernel, or a new one.
  FuncOp kernel;
  auto *same = llvm::find_if(kernels, [&](FuncOp candidate) {
    return candidate.getSchedule() == group.getSchedule() &&
           OperationEquivalence::isRegionEquivalentTo(
               &candidate.getBody(), &group.getBody(),
               OperationEquivalence::IgnoreLocations);
  });
  if (same != kernels.end()) {
    kernel = *same;
    kernel->setLoc(FusedLoc::get(context, {kernel.getLoc(), loc}));
  } else {
    OpBuilder builder(context);
    SmallVector<Attribute> argumentAttrs;
    for (Value operand : operands) {
      SmallVector<NamedAttribute> attributes;
      if (auto buffer = operand.getDefiningOp<BufferOp>())
        attributes.push_back(
            builder.getNamedAttr(attrs::kName, buffer.getNameAttr()));
      argumentAttrs.push_back(builder.getDictionaryAttr(attributes));
    }
    auto type =
        builder.getFunctionType(TypeRange(ValueRange(operands)), TypeRange());
    std::string base = getIdentifier(group.getName()), name = base;
    for (unsigned number = 2; symbols.lookup(name); ++number)
      name = (base + "_" + Twine(number)).str();
    kernel = FuncOp::create(builder, loc, name, type, group.getSchedule(),
                            builder.getArrayAttr(argumentAttrs), nullptr);
    kernel.getBody().takeBody(group.getBody());
    // Kernels stand before the steps, in the order of their first use.
    Operation *step = group->getParentOp();
    while (step->getParentOp() != module)
      step = step->getParentOp();
    symbols.insert(kernel, Block::iterator(step));
    kernels.push_back(kernel);
  }
  OpBuilder builder(group);
  auto launch = LaunchOp::create(
      builder, loc, FlatSymbolRefAttr::get(kernel.getSymNameAttr()), operands);
  launch->setDiscardableAttrs(group->getDiscardableAttrDictionary());
  group.erase();
}
