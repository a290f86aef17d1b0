//===- LimitGathered.cpp - Values that are too large to be whole ----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op that mixes samples and has no form that is split reads whole operands.
// That is exact at any size, so refusing it is a matter of bytes.
//
//===----------------------------------------------------------------------===//

#include "Diagnose.h"
#include "PlanCosts.h"
#include "accrue/Analysis/Phases.h"
#include "accrue/Interfaces/CostOpInterface.h"
#include "runtime/io/Progress.h"

using namespace mlir;
using namespace accrue;

/// The nodes of `plan` that read `node`.
static SmallVector<PlanNode *> getReaders(const BatchPlan &plan,
                                          const PlanNode *node) {
  SmallVector<PlanNode *> readers;
  for (PlanNode *reader : plan.needed)
    if (llvm::any_of(reader->operands,
                     [&](PlanValue value) { return value.node == node; }))
      readers.push_back(reader);
  return readers;
}

/// The kind of kernel of an op node; of others the one that every reader needs
/// in memory.
static KernelKind getKind(const PlanNode &node) {
  // What is added once to a finished sum.
  if (node.kind == PlanNode::Kind::Add)
    return KernelKind::Elementwise;
  if (node.kind == PlanNode::Kind::Op)
    if (auto op = dyn_cast<CostOpInterface>(node.op))
      return op.getKernelKind();
  return KernelKind::Movement;
}

/// Whether a kernel that reads the result of `node` computes it instead.
static bool isFused(const PlanNode &node) {
  switch (getKind(node)) {
  case KernelKind::None:
  case KernelKind::View:
  case KernelKind::Elementwise:
    return true;
  case KernelKind::Row:
  case KernelKind::Reduction:
  case KernelKind::Contraction:
  case KernelKind::Movement:
    return false;
  }
  llvm_unreachable("unknown kind of kernel");
}

/// Whether the kernel of `node` reads its operands from memory.
static bool readsMemory(const PlanNode &node) {
  KernelKind kind = getKind(node);
  return kind == KernelKind::Contraction || kind == KernelKind::Movement;
}

/// Whether `node`, which is known once, is in memory as a whole because of what
/// reads it.
static bool isHeld(const BatchPlan &plan, const PlanNode *node) {
  SmallVector<PlanNode *> readers = getReaders(plan, node);
  if (node->kind == PlanNode::Kind::Argument)
    return llvm::any_of(readers, [](const PlanNode *reader) {
      return reader->kind != PlanNode::Kind::Slice;
    });
  if (getKind(*node) == KernelKind::None)
    return false;
  if (!isFused(*node))
    return true;
  return llvm::any_of(readers, [&](const PlanNode *reader) {
    // The bytes of a view are those of its operand.
    return reader->perMicroBatch || readsMemory(*reader) ||
           (getKind(*reader) == KernelKind::View && isHeld(plan, reader));
  });
}

/// The first op that computes with the whole of `node`, rather than moves it;
/// null where there are slices of it only.
static PlanNode *findReader(const BatchPlan &plan, const PlanNode *node) {
  for (PlanNode *reader : getReaders(plan, node)) {
    if (reader->kind == PlanNode::Kind::Op && !isMovement(*reader))
      return reader;
    if (reader->kind == PlanNode::Kind::Slice)
      continue;
    if (PlanNode *next = findReader(plan, reader))
      return next;
  }
  return nullptr;
}

static bool isResult(const BatchPlan &plan, const PlanNode *node) {
  return llvm::any_of(plan.results,
                      [&](PlanValue value) { return value.node == node; });
}

/// Whether `node` is whole only to be stored for later loops, as `--coupled`
/// says.
static bool isOnlyStored(const BatchPlan &plan, const PlanNode *node) {
  return llvm::any_of(plan.stored,
                      [&](const StoredValue &stored) {
                        return stored.whole == node && !stored.isGathered;
                      }) &&
         !findReader(plan, node);
}

static void emitLimit(const BatchPlan &plan, PlanNode *node, int64_t bytes,
                      const BatchPlanOptions &options) {
  int64_t batch = options.analysis.batch;
  // A sum of the shape of the batch, of which there are slices only, is whole
  // because every sample adds to all of it.
  PlanNode *reader = findReader(plan, node);
  PlanNode *place = reader ? reader : node;
  InFlightDiagnostic error = emitError(place->getLoc());
  error << describe(place->source) << (reader ? " reads " : " makes ");
  if (reader)
    error << describe(node->source) << " of all " << batch
          << " samples at once";
  else
    error << "a value of all " << batch << " samples at once";
  error << ": " << io::groupDigits(bytes) << " B, above the limit of "
        << io::groupDigits(options.gatherLimit) << " B";
  if (node->kind == PlanNode::Kind::Accumulator)
    error.attachNote(node->getLoc())
        << describe(node->source) << " is combined over all samples ("
        << BatchState::partial(node->reducer).str() << ")";
  else if (reader && node->kind == PlanNode::Kind::Op)
    error.attachNote(node->getLoc())
        << describe(node->source) << " is computed once, as a whole";
  attachChainToInput(error, node, /*acrossLoops=*/true);
  error.attachNote() << "reduce it over samples or features before, or raise "
                        "'--gather-limit'";
}

LogicalResult accrue::limitGathered(const BatchPlan &plan,
                                    const BatchPlanOptions &options) {
  int64_t batch = options.analysis.batch;
  if (!options.analysis.isSplit || batch == 0)
    return success();
  for (PlanNode *node : plan.needed) {
    if (node->perMicroBatch)
      continue;
    for (RankedTensorType type : node->types) {
      double bytes = countBytes(type, batch);
      if (getBatchPower(type) == 0 ||
          bytes <= static_cast<double>(options.gatherLimit) ||
          isResult(plan, node) || isOnlyStored(plan, node) ||
          !isHeld(plan, node))
        continue;
      emitLimit(plan, node, std::llround(bytes), options);
      return failure();
    }
  }
  return success();
}
