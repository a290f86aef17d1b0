//===- Reduction.cpp - Shrinking models -----------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-reduce itself only erases ops, which a model of values that read each
// other does not survive. These patterns run its test for every choice.
//
//===----------------------------------------------------------------------===//

#include "accrue/Fuzz/Reduction.h"
#include "accrue/Dialect/NN/Builders.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Reducer/ReductionPatternInterface.h"
#include "mlir/Reducer/Tester.h"

using namespace mlir;
using namespace accrue;

/// The model that contains `op`, or null.
static func::FuncOp getModel(Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  return function && function->hasAttr(train::attrs::kModel) ? function
                                                             : func::FuncOp();
}

static bool isInteresting(Tester &tester, Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  return tester.isInteresting(module).first == Tester::Interestingness::True;
}

namespace {
/// Replaces a value by a simpler one of its type.
class SimplifyValue : public RewritePattern {
public:
  SimplifyValue(MLIRContext *context, Tester &tester)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context),
        tester(tester) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || !isMemoryEffectFree(op) || !getModel(op) ||
        isSimple(op))
      return failure();
    if (op->use_empty()) {
      rewriter.eraseOp(op);
      return success();
    }
    Value result = op->getResult(0);
    for (Value operand : op->getOperands())
      if (operand.getType() == result.getType() &&
          replace(op, operand, rewriter))
        return success();
    for (Value argument : op->getBlock()->getArguments())
      if (argument.getType() == result.getType() &&
          replace(op, argument, rewriter))
        return success();
    return replaceByZero(op, rewriter);
  }

private:
  /// What other values are replaced by: a constant, or its broadcast.
  static bool isSimple(Operation *op) {
    if (isa<nn::BroadcastOp>(op) && !op->use_empty())
      op = op->getOperand(0).getDefiningOp();
    return isa_and_nonnull<nn::ConstantOp>(op) && !op->use_empty();
  }

  /// Reads `value` in place of the result of `op` where that is interesting.
  bool replace(Operation *op, Value value, PatternRewriter &rewriter) const {
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : op->getResult(0).getUses())
      uses.push_back(&use);
    for (OpOperand *use : uses)
      use->set(value);
    bool kept = isInteresting(tester, op);
    for (OpOperand *use : uses)
      use->set(op->getResult(0));
    if (kept)
      rewriter.replaceOp(op, value);
    return kept;
  }

  LogicalResult replaceByZero(Operation *op, PatternRewriter &rewriter) const {
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type || !isa<FloatType>(type.getElementType()))
      return failure();
    rewriter.setInsertionPoint(op);
    Value zero = nn::createSplat(rewriter, op->getLoc(), type, 0);
    if (replace(op, zero, rewriter))
      return success();
    Operation *splat = zero.getDefiningOp();
    Operation *constant =
        type.getRank() == 0 ? nullptr : splat->getOperand(0).getDefiningOp();
    rewriter.eraseOp(splat);
    if (constant)
      rewriter.eraseOp(constant);
    return failure();
  }

  Tester &tester;
};

/// Drops a result of the model but the loss.
class DropResult : public OpRewritePattern<func::ReturnOp> {
public:
  DropResult(MLIRContext *context, Tester &tester)
      : OpRewritePattern(context), tester(tester) {}

  LogicalResult matchAndRewrite(func::ReturnOp op,
                                PatternRewriter &rewriter) const override {
    func::FuncOp function = getModel(op);
    if (!function)
      return failure();
    for (unsigned i = function.getNumResults(); i-- > 0;) {
      auto kind = function.getResultAttrOfType<train::ResultKindAttr>(
          i, train::attrs::kResult);
      if (kind && kind.getValue() == train::ResultKind::loss)
        continue;
      Value value = op.getOperand(i);
      DictionaryAttr attributes = function.getResultAttrDict(i);
      (void)function.eraseResult(i);
      op->eraseOperand(i);
      if (isInteresting(tester, op)) {
        rewriter.modifyOpInPlace(op, [] {});
        return success();
      }
      op->insertOperands(i, value);
      (void)function.insertResult(i, value.getType(), attributes);
    }
    return failure();
  }

private:
  Tester &tester;
};

class ModelReductionPatterns : public DialectReductionPatternInterface {
public:
  explicit ModelReductionPatterns(Dialect *dialect)
      : DialectReductionPatternInterface(dialect) {}

  void populateReductionPatterns(RewritePatternSet &patterns) const override {}
  void populateReductionPatternsWithTester(RewritePatternSet &patterns,
                                           Tester &tester) const override {
    patterns.add<SimplifyValue, DropResult>(patterns.getContext(), tester);
  }
};
} // namespace

void fuzz::registerReductionPatterns(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, nn::NNDialect *dialect) {
    dialect->addInterfaces<ModelReductionPatterns>();
  });
}
