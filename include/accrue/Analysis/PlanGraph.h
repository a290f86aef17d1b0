//===- PlanGraph.h - What an accumulated step computes, and where *- C++
//-*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plan of an accumulated step: a graph of hash-consed nodes, each a value
// of the original step in one of two colours (computed once, or per
// micro-batch) and, for the latter, in one mode. Building it changes no IR;
// the pass `train-accumulate` materializes what the results need.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_ANALYSIS_PLANGRAPH_H
#define ACCRUE_ANALYSIS_PLANGRAPH_H

#include "accrue/Interfaces/BatchState.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace accrue {

struct PlanNode;

/// One result of a node.
struct PlanValue {
  PlanNode *node = nullptr;
  unsigned index = 0;

  explicit operator bool() const { return node != nullptr; }
  bool operator==(const PlanValue &other) const {
    return node == other.node && index == other.index;
  }
};

/// A computation of the accumulated step.
struct PlanNode {
  enum class Kind {
    /// An argument of the step, whole.
    Argument,
    /// `op` applied to `operands`.
    Op,
    /// The slice of operand 0 for the micro-batch, in the mode of the result.
    Slice,
    /// Operand 0 times the weight m/B of the micro-batch, because `op` divides
    /// by the number of samples.
    Scale,
    /// Zeros: the share of a value that is added once, in a contribution.
    Zero,
    /// operand 0 + operand 1: an accumulator and what is added once.
    Add,
    /// The value for the whole batch, combined from contributions operand 0; of
    /// a reducer that is merged, the contributions themselves, stacked.
    Accumulator,
    /// The results of `op` for the whole batch, merged from its results for
    /// micro-batches: stacked accumulators, one per result.
    Merge,
  };

  Kind kind = Kind::Op;
  /// Creation order: operands have smaller ids.
  unsigned id = 0;
  /// Computed in the loops (true) or once, outside of them (false).
  bool perMicroBatch = false;
  /// Once: number of loops that have to end before. Per micro-batch: index of
  /// the first loop that can compute it.
  unsigned level = 0;
  /// Kind Op: the op. Others: the op that gave rise to the node, or null.
  mlir::Operation *op = nullptr;
  /// The value of the original step that result 0 stands for; its location is
  /// that of the node.
  mlir::Value source;
  llvm::SmallVector<PlanValue, 3> operands;
  /// Per result: the type for the whole batch, symbolic.
  llvm::SmallVector<mlir::RankedTensorType, 1> types;
  /// Per result, for a node per micro-batch: how it enumerates samples; none
  /// for a contribution, which has the shape of the whole value.
  llvm::SmallVector<std::optional<MappedMode>, 1> modes;
  /// Of an accumulator.
  ReducerKind reducer = ReducerKind::Sum;
  /// Of an accumulator: the loop that it belongs to, from 0 (`placeLoops`).
  unsigned loop = 0;

  mlir::Location getLoc() const { return op ? op->getLoc() : source.getLoc(); }

  /// Whether this is an accumulator of one row per micro-batch.
  bool isStacked() const {
    return kind == Kind::Accumulator && reducer != ReducerKind::Sum &&
           reducer != ReducerKind::Max && reducer != ReducerKind::Concat;
  }
};

/// Owns the nodes; equal nodes are one.
class PlanGraph {
public:
  /// Returns the node equal to `node` in everything but id, level, op of
  /// non-ops and source; creates it if there is none. `level` is computed.
  PlanNode *get(PlanNode node);

  llvm::ArrayRef<std::unique_ptr<PlanNode>> getNodes() const { return nodes; }

private:
  std::vector<std::unique_ptr<PlanNode>> nodes;
  std::unordered_multimap<size_t, PlanNode *> index;
};

/// A mapped value that a later loop reads instead of computing it again.
struct StoredValue {
  PlanValue value;
  /// The accumulator that puts its slices side by side.
  PlanNode *whole = nullptr;
  /// Its slice in later loops.
  PlanNode *slice = nullptr;
  /// The whole is needed anyway.
  bool isGathered = false;
};

/// The plan for one function.
struct BatchPlan {
  PlanGraph graph;
  /// The values that the function returns.
  llvm::SmallVector<PlanValue> results;
  /// All nodes that the results need, by id.
  llvm::SmallVector<PlanNode *> needed;
  /// The accumulators among them.
  llvm::SmallVector<PlanNode *> accumulators;
  /// The longest chain of loops: how often the batch has to be visited.
  unsigned loops = 0;
  /// Every micro-batch has to be a multiple of this many samples, because of
  /// the op `groupOp` (null for 1).
  int64_t sampleGroup = 1;
  mlir::Operation *groupOp = nullptr;
  /// What crosses from one loop to later ones (`storeCrossings`).
  std::vector<StoredValue> stored;
  /// Ops that mix samples and have no form that is split: they are computed
  /// once, from whole operands.
  llvm::SmallVector<mlir::Operation *> whole;
  /// Values that are sums over micro-batches.
  llvm::DenseSet<mlir::Value> partialSums;
  /// Sums over micro-batches that are multiplied by factors of their terms
  /// (`hoistFactors`).
  llvm::SmallVector<mlir::Operation *> hoisted;
  /// Floating point operations of the full batch before the step was rewritten;
  /// 0 where it was not.
  double fullFlops = 0;
  /// Something is reduced over one sample dimension by slices along another.
  bool swapsSampleDims = false;
  /// Operands of ops of the step, in program order, whose samples come in
  /// another order than those of the op's other operands: outer (time-major)
  /// against inner (sample-major) rows.
  llvm::SmallVector<mlir::OpOperand *> reordered;
  /// Ops that take the statistics of each micro-batch for those of the batch.
  llvm::SmallVector<mlir::Operation *> microStatistics;
};

/// Prints one line per needed node.
void printPlan(const BatchPlan &plan, llvm::raw_ostream &os);

} // namespace accrue

#endif // ACCRUE_ANALYSIS_PLANGRAPH_H
