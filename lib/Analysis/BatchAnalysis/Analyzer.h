//===- Analyzer.h - The walk of the batch analysis --------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the files of the analysis: `Transfer.cpp` gives every value its
// state, `Fetch.cpp` makes nodes and fetches values in a mode.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_ANALYSIS_BATCHANALYSIS_ANALYZER_H
#define ACCRUE_LIB_ANALYSIS_BATCHANALYSIS_ANALYZER_H

#include "accrue/Analysis/BatchAnalysis.h"
#include "accrue/Interfaces/BatchOpInterface.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include <map>

namespace accrue {

/// The state in which a value comes out of its op.
struct Natural {
  BatchState state;
  /// The value (once), its slice (mapped) or its contribution (partial).
  PlanValue value;
  /// Partial sums: what is added once, after the loop; may be none.
  PlanValue offset;
  /// Partial sums: a linear function of other partial sums.
  bool isFolded = false;
};

/// How samples are numbered, and what is done with ops that no numbering suits.
struct Enumeration {
  /// Micro-batches take samples from the same positions of so many equal runs
  /// of the batch.
  int64_t runs = 1;
  /// Compute ops from whole operands that have no rule.
  bool gathers = false;
};

/// Whether only the order of rows keeps samples together: a dimension of as
/// many rows as there are samples, or more, of which several have one index.
inline bool makesGroups(const MappedMode &mode) {
  return mode.innerDenominator > 1 &&
         (mode.outer * mode.inner) % mode.innerDenominator == 0;
}

/// Builds the plan graph of one step, for one numbering of the samples.
class Analyzer {
public:
  Analyzer(const BatchAnalysisOptions &options, Enumeration enumeration,
           PlanGraph &graph, const llvm::DenseSet<mlir::Value> &finishedBefore)
      : options(options), enumeration(enumeration), graph(graph),
        finishedBefore(finishedBefore) {}

  llvm::LogicalResult run(mlir::FunctionOpInterface function,
                          llvm::SmallVectorImpl<PlanValue> &results);

  /// Values that were finished: known in advance in a second run.
  const llvm::DenseSet<mlir::Value> &getFinished() const { return finished; }
  /// Ops that were given statistics of micro-batches.
  const llvm::DenseSet<mlir::Operation *> &getMicroStatistics() const {
    return microStatistics;
  }
  /// After a failure without an error: the runs of samples that an op needs.
  std::optional<int64_t> getRequiredRuns() const { return requiredRuns; }
  /// Values that are sums over micro-batches.
  llvm::DenseSet<mlir::Value> getPartialSums() const;
  /// Operands that were fetched with their samples in another order.
  llvm::ArrayRef<mlir::OpOperand *> getReordered() const { return reordered; }
  /// Whether an op was sliced along another sample dimension.
  bool hasSwapped() const { return swapped; }
  /// Ops that mix samples and are computed from whole operands.
  const llvm::SetVector<mlir::Operation *> &getWhole() const { return whole; }

private:
  llvm::LogicalResult visitArgument(mlir::FunctionOpInterface function,
                                    mlir::BlockArgument argument);
  llvm::LogicalResult visit(mlir::Operation *op);
  llvm::LogicalResult visitMapped(mlir::Operation *op,
                                  llvm::ArrayRef<BatchState> states);
  /// The rule of `op` with an operand sliced along another sample dimension
  /// than that which is reduced, if it has such a rule.
  std::optional<BatchRule> swapSampleDims(BatchOpInterface op,
                                          llvm::ArrayRef<BatchState> states);
  /// Notes operands of `op` that come in another order than `rule` reads.
  void findReordered(mlir::Operation *op, llvm::ArrayRef<BatchState> states,
                     const BatchRule &rule);
  void visitOnce(mlir::Operation *op);
  /// Tries to keep a linear function of partial sums partial.
  bool foldPartial(mlir::Operation *op);

  PlanValue getOnce(mlir::Value value);
  PlanValue getMapped(mlir::Value value, MappedMode mode);
  PlanValue get(mlir::Value value, BatchState wanted) {
    return wanted.isMapped() ? getMapped(value, wanted.mode) : getOnce(value);
  }
  PlanValue finish(mlir::Value value);
  PlanValue merge(mlir::Value value);
  /// The accumulator of a partial value.
  PlanNode *makeAccumulator(mlir::Value value, const Natural &natural);
  PlanValue gather(mlir::Value value);

  PlanNode *makeNode(PlanNode::Kind kind, mlir::Value source,
                     llvm::ArrayRef<PlanValue> operands, bool perMicroBatch,
                     std::optional<MappedMode> mode = std::nullopt);
  PlanNode *makeOp(mlir::Operation *op, llvm::ArrayRef<PlanValue> operands,
                   bool perMicroBatch,
                   llvm::ArrayRef<std::optional<MappedMode>> modes);
  /// `op` applied per micro-batch as `rule` says, weighted where it divides by
  /// the number of samples.
  PlanNode *applyRule(BatchOpInterface op, const BatchRule &rule);
  PlanValue makeScale(PlanValue value, mlir::Operation *op);

  bool has(AnalysisFault fault) const { return options.fault == fault; }

  const BatchAnalysisOptions &options;
  Enumeration enumeration;
  std::optional<int64_t> requiredRuns;
  PlanGraph &graph;
  const llvm::DenseSet<mlir::Value> &finishedBefore;
  llvm::DenseSet<mlir::Value> finished;
  llvm::DenseSet<mlir::Operation *> microStatistics;
  llvm::SetVector<mlir::Operation *> whole;
  llvm::SmallVector<mlir::OpOperand *> reordered;
  bool swapped = false;
  llvm::DenseMap<mlir::Value, Natural> naturals;
  llvm::DenseMap<mlir::Value, PlanValue> onceMemo;
  std::map<std::pair<void *, std::tuple<int64_t, int64_t, int64_t, int64_t>>,
           PlanValue>
      mappedMemo;
};

/// The type of `value`, which is a ranked tensor in every step.
mlir::RankedTensorType getTensorType(mlir::Value value);

/// Whether `a` has at most as many elements as `b` for a large batch.
bool isAtMostAsLarge(mlir::RankedTensorType a, mlir::RankedTensorType b);

} // namespace accrue

#endif // ACCRUE_LIB_ANALYSIS_BATCHANALYSIS_ANALYZER_H
