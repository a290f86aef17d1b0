//===- MicroStatistics.cpp - Statistics of micro-batches ------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op that may take statistics of micro-batches is a formula of them. Its
// exact plan says which values of the formula are mean and variance over the
// samples, so no op is named here.
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/MicroStatistics.h"
#include "PlanCosts.h"
#include "accrue/Interfaces/CostOpInterface.h"
#include "accrue/Interfaces/SplittableOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>

using namespace mlir;
using namespace accrue;

double MicroStatistics::countValues(int64_t samples) const {
  return countElements(input, samples) / countElements(statistic, samples);
}

double MicroStatisticsOfStep::getFlops(int64_t samples) const {
  double flops = 0;
  (*function)->walk([&](CostOpInterface op) { flops += op.getFlops(samples); });
  return flops;
}

StatisticsSpread accrue::expectSpread(double values, double all) {
  StatisticsSpread spread;
  spread.mean = std::sqrt(1 / values - 1 / all);
  spread.deviation =
      std::min(1.0, std::sqrt((1 / (values - 1) - 1 / (all - 1)) / 2));
  return spread;
}

namespace {
/// Collects the ops that are built for a formula.
struct OpCollector : OpBuilder::Listener {
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    ops[op] = formula;
  }

  /// The op of the step that is expanded.
  Operation *formula = nullptr;
  DenseMap<Operation *, Operation *> ops;
};
} // namespace

/// Makes `function` return `values` and nothing else, without attributes.
static void returnOnly(FunctionOpInterface function, ValueRange values) {
  Operation *terminator = function.getFunctionBody().front().getTerminator();
  terminator->setOperands(values);
  function.removeResAttrsAttr();
  function.setType(
      function.cloneTypeWith(function.getArgumentTypes(), values.getTypes()));
  function->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

MicroStatisticsOfStep
accrue::collectMicroStatistics(FunctionOpInterface step, const BatchPlan &plan,
                               const BatchAnalysisOptions &options) {
  MicroStatisticsOfStep result;
  IRMapping mapping;
  result.function = cast<FunctionOpInterface>(step->clone(mapping));
  OpCollector collector;
  for (Operation *op : llvm::SetVector<Operation *>(
           plan.microStatistics.begin(), plan.microStatistics.end())) {
    Operation *copy = mapping.lookup(op);
    auto formula = dyn_cast<SplittableOpInterface>(copy);
    if (!formula)
      continue;
    collector.formula = op;
    OpBuilder builder(copy, &collector);
    SmallVector<Value> results;
    if (failed(formula.buildSplittable(builder, results)))
      continue;
    copy->replaceAllUsesWith(results);
    copy->erase();
  }

  // What is no plan has no statistics.
  ScopedDiagnosticHandler quiet(step.getContext(),
                                [](Diagnostic &) { return success(); });
  BatchAnalysisOptions exactOptions = options;
  exactOptions.microStatistics = false;
  FailureOr<BatchPlan> exact = analyzeBatch(*result.function, exactOptions);
  if (failed(exact))
    return result;
  SmallVector<Operation *> moments;
  for (const PlanNode *node : exact->accumulators) {
    Operation *formula = collector.ops.lookup(node->op);
    if (node->reducer != ReducerKind::Moments || !formula ||
        llvm::any_of(moments, [&](Operation *other) {
          return OperationEquivalence::isEquivalentTo(
              node->op, other, OperationEquivalence::IgnoreLocations);
        }))
      continue;
    moments.push_back(node->op);
    result.ops.push_back(
        {formula, cast<RankedTensorType>(node->op->getOperand(0).getType()),
         cast<RankedTensorType>(node->op->getResult(0).getType())});
  }
  SmallVector<Value> statistics;
  for (Operation *op : moments)
    llvm::append_range(statistics, op->getResults());
  returnOnly(*result.function, statistics);
  return result;
}
