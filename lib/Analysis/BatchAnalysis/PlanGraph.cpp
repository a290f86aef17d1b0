//===- PlanGraph.cpp - What an accumulated step computes, and where -------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/PlanGraph.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace accrue;

/// Equal in what is computed: constants and other equal ops are one node too.
static bool isSameOp(Operation *a, Operation *b) {
  return a == b || (a->getName() == b->getName() &&
                    a->getAttrDictionary() == b->getAttrDictionary() &&
                    a->getNumRegions() == 0 && b->getNumRegions() == 0);
}

static bool isSame(const PlanNode &a, const PlanNode &b) {
  if (a.kind != b.kind || a.perMicroBatch != b.perMicroBatch ||
      a.operands != b.operands || a.types != b.types || a.modes != b.modes ||
      a.reducer != b.reducer)
    return false;
  if (a.kind == PlanNode::Kind::Op || a.kind == PlanNode::Kind::Merge)
    return isSameOp(a.op, b.op);
  if (a.kind == PlanNode::Kind::Argument)
    return a.source == b.source;
  return true;
}

static size_t getHash(const PlanNode &node) {
  llvm::hash_code hash =
      llvm::hash_combine(static_cast<int>(node.kind), node.perMicroBatch);
  if (node.kind == PlanNode::Kind::Op)
    hash = llvm::hash_combine(hash, node.op->getName());
  for (PlanValue operand : node.operands)
    hash = llvm::hash_combine(hash, operand.node->id, operand.index);
  for (const std::optional<MappedMode> &mode : node.modes)
    hash =
        llvm::hash_combine(hash, mode ? hash_value(*mode) : llvm::hash_code(0));
  return hash;
}

PlanNode *PlanGraph::get(PlanNode node) {
  size_t hash = getHash(node);
  auto [begin, end] = index.equal_range(hash);
  for (auto it = begin; it != end; ++it)
    if (isSame(*it->second, node))
      return it->second;
  node.id = nodes.size();
  node.level = 0;
  for (PlanValue operand : node.operands)
    node.level = std::max(node.level, operand.node->level);
  if (node.kind == PlanNode::Kind::Accumulator)
    ++node.level;
  nodes.push_back(std::make_unique<PlanNode>(std::move(node)));
  index.emplace(hash, nodes.back().get());
  return nodes.back().get();
}

static StringRef getKindName(const PlanNode &node) {
  switch (node.kind) {
  case PlanNode::Kind::Argument:
    return "argument";
  case PlanNode::Kind::Op:
    return node.op->getName().getStringRef();
  case PlanNode::Kind::Slice:
    return "slice";
  case PlanNode::Kind::Scale:
    return "scale";
  case PlanNode::Kind::Zero:
    return "zero";
  case PlanNode::Kind::Add:
    return "add";
  case PlanNode::Kind::Accumulator:
    return "accumulator";
  case PlanNode::Kind::Merge:
    return "merge";
  }
  llvm_unreachable("unknown kind of node");
}

void accrue::printPlan(const BatchPlan &plan, llvm::raw_ostream &os) {
  DenseMap<const PlanNode *, unsigned> names;
  for (const PlanNode *node : plan.needed)
    names.try_emplace(node, names.size());
  auto printValue = [&](PlanValue value) {
    os << "%" << names.lookup(value.node);
    if (value.node->types.size() > 1)
      os << "#" << value.index;
  };
  // The parts that one op merges are one accumulator.
  size_t accumulators = plan.accumulators.size();
  for (const PlanNode *node : plan.needed)
    if (node->kind == PlanNode::Kind::Merge)
      accumulators -= node->operands.size() - 1;
  os << "loops " << plan.loops << ", accumulators " << accumulators;
  if (plan.sampleGroup != 1)
    os << ", groups of " << plan.sampleGroup;
  os << "\n";
  for (const PlanNode *node : plan.needed) {
    os << "  %" << names.lookup(node) << " = " << getKindName(*node);
    if (node->kind == PlanNode::Kind::Argument)
      os << " " << cast<BlockArgument>(node->source).getArgNumber();
    if (node->kind == PlanNode::Kind::Accumulator)
      os << " " << BatchState::partial(node->reducer);
    if (!node->operands.empty()) {
      os << " ";
      llvm::interleaveComma(node->operands, os, printValue);
    }
    if (!node->perMicroBatch)
      os << " : once";
    else if (node->modes.front())
      os << " : " << *node->modes.front();
    else
      os << " : contribution";
    if (node->level != 0)
      os << " level " << node->level;
    if (node->kind == PlanNode::Kind::Accumulator && plan.loops > 1)
      os << " loop " << node->loop;
    os << "\n";
  }
  os << "  return ";
  llvm::interleaveComma(plan.results, os, printValue);
  os << "\n";
}
