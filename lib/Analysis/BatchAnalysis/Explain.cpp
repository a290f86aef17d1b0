//===- Explain.cpp - Why a step is scaled as it is ------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/Explain.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "accrue/Interfaces/BatchOpInterface.h"
#include "accrue/Support/Location.h"
#include "fmt/format.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace accrue;

namespace {

/// Collects the terms of one result, each once.
class TermCollector {
public:
  explicit TermCollector(SmallVectorImpl<ScalingTerm> &terms) : terms(terms) {}

  /// Terms of a value known once: through everything that is computed after
  /// the loops, down to accumulators and values without samples.
  void visitOnce(const PlanNode *node, bool isRoot = true);

private:
  void visitContribution(const PlanNode *node, Operation *outer);
  void add(ScalingTerm::Kind kind, Operation *cause);

  SmallVectorImpl<ScalingTerm> &terms;
  DenseSet<const PlanNode *> seen;
};

} // namespace

void TermCollector::add(ScalingTerm::Kind kind, Operation *cause) {
  for (const ScalingTerm &term : terms)
    if (term.kind == kind &&
        (term.cause == cause ||
         (term.cause && cause && term.cause->getLoc() == cause->getLoc())))
      return;
  terms.push_back({kind, cause});
}

void TermCollector::visitOnce(const PlanNode *node, bool isRoot) {
  if (!seen.insert(node).second)
    return;
  if (node->kind == PlanNode::Kind::Accumulator) {
    if (node->reducer == ReducerKind::Concat)
      add(ScalingTerm::Kind::Concatenated, node->op);
    else
      visitContribution(node->operands[0].node, node->op);
    return;
  }
  if (node->level == 0) {
    // What a sum over samples is added to; operands of other ops (a clip
    // threshold, a parameter) are no terms, and nothing is none.
    if (isRoot && node->kind != PlanNode::Kind::Zero)
      add(ScalingTerm::Kind::Once, node->op);
    return;
  }
  // A sum has its operands as terms.
  bool isSum = node->kind == PlanNode::Kind::Add;
  if (auto op = dyn_cast_if_present<BatchOpInterface>(node->op))
    isSum |= node->kind == PlanNode::Kind::Op && node->operands.size() > 1 &&
             op.isLinearIn(llvm::SmallBitVector(node->operands.size(), true));
  for (PlanValue operand : node->operands)
    visitOnce(operand.node, isSum);
}

/// The weights below a contribution: every one on the way to the samples is a
/// cause; a way without any is an unweighted sum.
void TermCollector::visitContribution(const PlanNode *node, Operation *outer) {
  SmallVector<const PlanNode *> worklist = {node};
  DenseSet<const PlanNode *> visited;
  bool weighted = false;
  while (!worklist.empty()) {
    const PlanNode *current = worklist.pop_back_val();
    if (!current->perMicroBatch || !visited.insert(current).second)
      continue;
    // Sums of contributions are terms of their own.
    bool isTermList = current->kind == PlanNode::Kind::Op &&
                      !current->modes.front() &&
                      llvm::any_of(current->operands, [](PlanValue operand) {
                        return operand.node->perMicroBatch &&
                               !operand.node->modes[operand.index];
                      });
    if (isTermList) {
      for (PlanValue operand : current->operands)
        if (operand.node->perMicroBatch)
          visitContribution(operand.node, outer);
      return;
    }
    if (current->kind == PlanNode::Kind::Scale) {
      add(ScalingTerm::Kind::Weighted, current->op);
      weighted = true;
      continue;
    }
    for (PlanValue operand : llvm::reverse(current->operands))
      worklist.push_back(operand.node);
  }
  if (!weighted)
    add(ScalingTerm::Kind::Unweighted, node->op ? node->op : outer);
}

SmallVector<ScalingRow> accrue::explainScaling(FunctionOpInterface function,
                                               const BatchPlan &plan) {
  SmallVector<ScalingRow> rows;
  for (auto [i, value] : llvm::enumerate(plan.results)) {
    auto kind = function.getResultAttrOfType<train::ResultKindAttr>(
        i, train::attrs::kResult);
    if (!kind && value.node->level == 0)
      continue;
    ScalingRow row;
    if (auto name =
            function.getResultAttrOfType<StringAttr>(i, train::attrs::kName))
      row.name = name.str();
    else if (auto updated = function.getResultAttrOfType<IntegerAttr>(
                 i, train::attrs::kUpdates))
      if (auto name = function.getArgAttrOfType<StringAttr>(
              updated.getInt(), train::attrs::kName))
        row.name = name.str();
    row.kind = kind ? train::stringifyResultKind(kind.getValue()).str() : "new";
    TermCollector(row.terms).visitOnce(value.node);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string accrue::formatWeights(ArrayRef<MicroBatchSpan> spans,
                                  int64_t batch) {
  if (spans.size() == 1) {
    int64_t count = spans.front().count;
    return count == 1 ? "1" : fmt::format("1/{}", count);
  }
  std::string text;
  for (const MicroBatchSpan &span : spans)
    text += fmt::format("{}{}", text.empty() ? "" : ", ",
                        static_cast<double>(span.size) / batch);
  return text;
}

/// "nn.mean (digits.acr:12:8)".
static std::string describeCause(Operation *cause) {
  if (!cause)
    return "";
  std::string text = cause->getName().getStringRef().str();
  std::string place = formatLocation(cause->getLoc());
  return place.empty() ? text : text + " (" + place + ")";
}

void accrue::printScaling(ArrayRef<ScalingRow> rows,
                          ArrayRef<MicroBatchSpan> spans, int64_t batch,
                          llvm::raw_ostream &os) {
  int64_t count = 0;
  for (const MicroBatchSpan &span : spans)
    count += span.count;
  os << fmt::format("batch    {} samples in K = {} micro-batches:", batch,
                    count);
  for (auto [i, span] : llvm::enumerate(spans))
    os << (i == 0 ? "" : ",")
       << (i > 0 && span.size < spans[i - 1].size && span.count == 1
               ? fmt::format(" tail {}", span.size)
               : fmt::format(" {} x {}", span.count, span.size));
  os << fmt::format("\nweights  m/B = {}\n\n", formatWeights(spans, batch));

  size_t nameWidth = 4, kindWidth = 4;
  for (const ScalingRow &row : rows) {
    nameWidth = std::max(nameWidth, row.name.size());
    kindWidth = std::max(kindWidth, row.kind.size());
  }
  os << fmt::format("{:<{}}  {:<{}}  {:<12}  because of\n", "name", nameWidth,
                    "kind", kindWidth, "scaled by");
  for (const ScalingRow &row : rows) {
    for (auto [i, term] : llvm::enumerate(row.terms)) {
      StringRef scale, prefix = "";
      switch (term.kind) {
      case ScalingTerm::Kind::Once:
        scale = "added once";
        prefix = "no samples in ";
        break;
      case ScalingTerm::Kind::Unweighted:
        scale = "1";
        prefix = "sum over samples in ";
        break;
      case ScalingTerm::Kind::Weighted:
        scale = "m/B";
        prefix = "divides by the batch: ";
        break;
      case ScalingTerm::Kind::Concatenated:
        scale = "in order";
        prefix = "one value per sample: ";
        break;
      }
      os << fmt::format("{:<{}}  {:<{}}  {:<12}  {}{}\n",
                        i == 0 ? row.name : "", nameWidth,
                        i == 0 ? row.kind : "", kindWidth, scale.str(),
                        prefix.str(), describeCause(term.cause));
    }
  }
}

/// One line per loop: what it combines, by op and place, and what it stores.
static void printLoops(const BatchPlan &plan, int64_t batch,
                       llvm::raw_ostream &os) {
  if (plan.loops <= 1) {
    os << fmt::format("loops    {}\n", plan.loops);
    return;
  }
  os << "loops    " << describePrice(getPrice(plan, batch)) << '\n';
  for (unsigned loop = 0; loop < plan.loops; ++loop) {
    SmallVector<std::string> combined, stored;
    for (const PlanNode *node : plan.accumulators) {
      if (node->loop != loop)
        continue;
      bool isStored = llvm::any_of(plan.stored, [&](const StoredValue &s) {
        return s.whole == node && !s.isGathered;
      });
      auto &list = isStored ? stored : combined;
      std::string text = describeCause(node->op);
      if (!llvm::is_contained(list, text))
        list.push_back(std::move(text));
    }
    os << fmt::format("loop {:<3}  combines {}\n", loop + 1,
                      llvm::join(combined, ", "));
    if (!stored.empty())
      os << "          stores " << llvm::join(stored, ", ") << '\n';
  }
}

/// The loops that compute each op, as "1, 3-5".
static DenseMap<Operation *, std::string> describeLoops(const BatchPlan &plan) {
  DenseMap<Operation *, SmallVector<unsigned>> loops;
  for (unsigned loop = 0; loop < plan.loops; ++loop) {
    llvm::BitVector body = getLoopBody(plan, loop);
    for (const PlanNode *node : plan.needed)
      if (node->kind == PlanNode::Kind::Op && body.test(node->id) &&
          (loops[node->op].empty() || loops[node->op].back() != loop + 1))
        loops[node->op].push_back(loop + 1);
  }
  DenseMap<Operation *, std::string> texts;
  for (auto &[op, numbers] : loops) {
    std::string &text = texts[op];
    for (size_t first = 0, last; first < numbers.size(); first = last + 1) {
      last = first;
      while (last + 1 < numbers.size() &&
             numbers[last + 1] == numbers[last] + 1)
        ++last;
      text += fmt::format("{}{}", text.empty() ? "" : ", ", numbers[first]);
      if (last > first)
        text += fmt::format("-{}", numbers[last]);
    }
  }
  return texts;
}

void accrue::printBatchStates(FunctionOpInterface function,
                              const BatchPlan &plan, int64_t batch,
                              llvm::raw_ostream &os) {
  // An op can occur in several nodes (sliced and whole): print every state.
  llvm::MapVector<Operation *, SmallVector<std::string>> states;
  for (const PlanNode *node : plan.needed) {
    if (!node->op)
      continue;
    std::string state;
    if (node->kind == PlanNode::Kind::Accumulator)
      state = BatchState::partial(node->reducer).str();
    else if (node->kind != PlanNode::Kind::Op)
      continue;
    else if (!node->perMicroBatch)
      state = "once";
    else if (node->modes.front())
      state = BatchState::mapped(*node->modes.front()).str();
    else
      continue;
    if (!llvm::is_contained(states[node->op], state))
      states[node->op].push_back(state);
  }
  printLoops(plan, batch, os);
  if (!plan.hoisted.empty()) {
    SmallVector<std::string> sums;
    for (Operation *op : plan.hoisted)
      if (std::string text = describeCause(op); !llvm::is_contained(sums, text))
        sums.push_back(std::move(text));
    os << "hoisted   factors out of " << llvm::join(sums, ", ") << '\n';
  }
  DenseMap<Operation *, std::string> loops = describeLoops(plan);
  os << fmt::format("\n{:<24}  {:<28}  {:<8}  place\n", "op", "state", "loops");
  for (Operation &op : function.getFunctionBody().front()) {
    auto it = states.find(&op);
    if (it == states.end())
      continue;
    os << fmt::format("{:<24}  {:<28}  {:<8}  {}\n",
                      op.getName().getStringRef().str(),
                      llvm::join(it->second, ", "), loops.lookup(&op),
                      formatLocation(op.getLoc()));
  }
}
