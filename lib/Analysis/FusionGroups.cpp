//===- FusionGroups.cpp - Which ops share a kernel ------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk in program order. A group is a node of a graph whose edges are uses
// through stored values; every merge is checked against the transitive
// dependencies so that the graph stays acyclic. At the end the groups are
// sorted topologically, by the position of their last op where there is a
// choice.
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/FusionGroups.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "accrue/Interfaces/ElementwiseOpInterface.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace accrue;

static KernelKind getKind(Operation *op) {
  if (auto cost = dyn_cast_if_present<CostOpInterface>(op))
    return cost.getKernelKind();
  return KernelKind::None;
}

bool FusionGroups::isView(Operation *op) {
  return getKind(op) == KernelKind::View;
}

bool FusionGroups::isFree(Operation *op) {
  if (!isa_and_present<CostOpInterface>(op))
    return false;
  switch (getKind(op)) {
  case KernelKind::None:
  case KernelKind::View:
    return true;
  case KernelKind::Elementwise:
    // Elements at other places than those of the operands: a repetition.
    return !isa<ElementwiseOpInterface>(op);
  default:
    return false;
  }
}

static SmallVector<nn::Extent> getShape(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? nn::getExtents(type) : SmallVector<nn::Extent>();
}

/// Whether `op` belongs to the backward pass. What forward and backward pass
/// share decides what is kept between them, so neither moves into the other on
/// a forecast.
static bool isBackward(Operation *op) {
  return op->hasAttr(train::attrs::kBackward);
}

namespace {
using Shape = SmallVector<nn::Extent>;

/// The loop nest of one op.
struct Nest {
  KernelKind kind;
  Shape domain;
};

struct GroupBuilder {
  struct Node {
    KernelKind kind = KernelKind::None;
    Shape domain;
    SmallVector<Operation *> ops;
    /// Groups that must run before, transitively.
    llvm::BitVector before;
  };

  Block &block;
  SmallVector<Node> nodes;
  llvm::DenseMap<Operation *, unsigned> nodeOf;
  llvm::DenseMap<Operation *, unsigned> position;

  explicit GroupBuilder(Block &block) : block(block) {
    unsigned index = 0;
    for (Operation &op : block)
      position[&op] = index++;
  }

  static Nest getNest(Operation *op);
  static bool fits(const Node &node, const Nest &nest);
  void forEachProducer(Operation *op,
                       llvm::function_ref<void(Operation *)> callback) const;
  bool isAcyclic(Operation *op, unsigned node) const;
  bool canJoin(Operation *op, unsigned node) const;
  bool mayJoin(Operation *op, unsigned node, const Node &grown,
               llvm::SmallPtrSetImpl<Operation *> &assumed) const;
  bool sparesStore(Operation *op, Value operand, unsigned node) const;
  unsigned createNode(Operation *op, const Nest &nest);
  void join(Operation *op, unsigned node);
  void addDependencies(Operation *op, unsigned node);
  bool tryJoin(Operation *op);
  void pullProducers(Operation *reduction, unsigned node);
  std::optional<unsigned> getOnlyReader(unsigned node) const;
  bool canMerge(unsigned node, unsigned reader) const;
  void mergeIntoReaders();
  void run();
};
} // namespace

Nest GroupBuilder::getNest(Operation *op) {
  KernelKind kind = getKind(op);
  if (kind == KernelKind::Movement)
    return {KernelKind::Elementwise, getShape(op->getResult(0))};
  Shape domain = getShape(op->getResult(0));
  if (kind != KernelKind::Elementwise)
    for (Value operand : op->getOperands())
      if (getShape(operand).size() > domain.size())
        domain = getShape(operand);
  return {kind, domain};
}

/// Whether an op of loop nest `nest` can be computed in the loops of `node`.
bool GroupBuilder::fits(const Node &node, const Nest &nest) {
  auto rowsOf = [](const Shape &domain) {
    return ArrayRef<nn::Extent>(domain).drop_back(domain.empty() ? 0 : 1);
  };
  auto isRowsOf = [&](const Shape &rows, const Shape &domain) {
    return !domain.empty() && llvm::equal(rows, rowsOf(domain));
  };
  switch (nest.kind) {
  case KernelKind::Elementwise:
    if (node.kind == KernelKind::Elementwise)
      return node.domain == nest.domain;
    if (node.kind == KernelKind::Row)
      return node.domain == nest.domain || isRowsOf(nest.domain, node.domain);
    // After a reduction: on its result.
    return node.kind == KernelKind::Reduction &&
           getShape(node.ops.back()->getResult(0)) == nest.domain;
  case KernelKind::Row:
    if (node.kind == KernelKind::Elementwise)
      return node.domain == nest.domain || isRowsOf(node.domain, nest.domain);
    return node.kind == KernelKind::Row && node.domain == nest.domain;
  default:
    return false;
  }
}

/// Calls back with every grouped op whose value `op` reads, directly or
/// through free ops.
void GroupBuilder::forEachProducer(
    Operation *op, llvm::function_ref<void(Operation *)> callback) const {
  SmallVector<Operation *> worklist = {op};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!worklist.empty()) {
    Operation *current = worklist.pop_back_val();
    current->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands()) {
        Operation *producer = operand.getDefiningOp();
        if (!producer || producer->getBlock() != &block ||
            !seen.insert(producer).second)
          continue;
        if (FusionGroups::isFree(producer))
          worklist.push_back(producer);
        else
          callback(producer);
      }
    });
  }
}

/// Whether `node` may also contain `op` without depending on itself.
bool GroupBuilder::isAcyclic(Operation *op, unsigned node) const {
  bool acyclic = true;
  forEachProducer(op, [&](Operation *producer) {
    auto it = nodeOf.find(producer);
    // Not yet grouped: it comes later, and may depend on anything.
    if (it == nodeOf.end())
      acyclic = false;
    else if (it->second != node && nodes[it->second].before.test(node))
      acyclic = false;
  });
  return acyclic;
}

bool GroupBuilder::canJoin(Operation *op, unsigned node) const {
  return fits(nodes[node], getNest(op)) && isAcyclic(op, node);
}

/// Whether `op`, which the walk has yet to reach, may join `node` once that has
/// become `grown`: it fits, and so does everything in between. Ops in `assumed`
/// count as members. Only a forecast: the join itself is checked when its time
/// comes.
bool GroupBuilder::mayJoin(Operation *op, unsigned node, const Node &grown,
                           llvm::SmallPtrSetImpl<Operation *> &assumed) const {
  // Members lie close together; a longer way leads somewhere else.
  constexpr unsigned kMostAssumed = 32;
  if (assumed.contains(op))
    return true;
  if (op->hasTrait<OpTrait::IsTerminator>() || !isa<CostOpInterface>(op) ||
      getKind(op) == KernelKind::Movement || !fits(grown, getNest(op)) ||
      assumed.size() == kMostAssumed)
    return false;
  assumed.insert(op);
  bool possible = true;
  forEachProducer(op, [&](Operation *producer) {
    if (!possible)
      return;
    auto it = nodeOf.find(producer);
    if (it == nodeOf.end())
      possible = mayJoin(producer, node, grown, assumed);
    else
      possible = it->second == node || !nodes[it->second].before.test(node);
  });
  return possible;
}

/// Whether `operand`, computed in `node`, need not be stored once `op` has
/// joined: every other user is in the group or may join it too.
bool GroupBuilder::sparesStore(Operation *op, Value operand,
                               unsigned node) const {
  Node grown = nodes[node];
  Nest nest = getNest(op);
  if (nest.kind == KernelKind::Row && grown.kind == KernelKind::Elementwise) {
    grown.kind = KernelKind::Row;
    grown.domain = nest.domain;
  }
  bool forecasts = isBackward(nodes[node].ops.front()) == isBackward(op);
  llvm::SmallPtrSet<Operation *, 16> assumed = {op};
  SmallVector<Value> worklist = {operand};
  while (!worklist.empty()) {
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (user->getBlock() != &block)
        return false;
      if (FusionGroups::isFree(user)) {
        worklist.append(user->result_begin(), user->result_end());
        continue;
      }
      auto it = nodeOf.find(user);
      if (user == op || (it != nodeOf.end() && it->second == node))
        continue;
      if (it != nodeOf.end() || user->hasTrait<OpTrait::IsTerminator>() ||
          !isa<CostOpInterface>(user))
        return false;
      if (!canJoin(user, node) &&
          (!forecasts || isBackward(user) != isBackward(op) ||
           !mayJoin(user, node, grown, assumed)))
        return false;
    }
  }
  return true;
}

unsigned GroupBuilder::createNode(Operation *op, const Nest &nest) {
  unsigned index = nodes.size();
  for (Node &node : nodes)
    node.before.resize(index + 1);
  nodes.emplace_back();
  nodes.back().kind = nest.kind;
  nodes.back().domain = nest.domain;
  nodes.back().before.resize(index + 1);
  return index;
}

void GroupBuilder::addDependencies(Operation *op, unsigned node) {
  forEachProducer(op, [&](Operation *producer) {
    unsigned other = nodeOf.lookup(producer);
    if (other == node)
      return;
    llvm::BitVector added = nodes[other].before;
    added.set(other);
    nodes[node].before |= added;
    for (Node &later : nodes)
      if (later.before.test(node))
        later.before |= added;
  });
}

void GroupBuilder::join(Operation *op, unsigned node) {
  addDependencies(op, node);
  Nest nest = getNest(op);
  if (nest.kind == KernelKind::Row &&
      nodes[node].kind == KernelKind::Elementwise) {
    nodes[node].kind = KernelKind::Row;
    nodes[node].domain = nest.domain;
  }
  nodes[node].ops.push_back(op);
  nodeOf[op] = node;
}

/// Adds `op` to the group of an operand; false where none fits.
bool GroupBuilder::tryJoin(Operation *op) {
  // The latest group first: it tends to be the closest.
  SmallVector<std::pair<unsigned, Value>> candidates;
  for (Value operand : op->getOperands()) {
    Value source = operand;
    while (Operation *producer = source.getDefiningOp()) {
      if (!FusionGroups::isFree(producer) || FusionGroups::isView(producer) ||
          producer->getNumOperands() != 1)
        break;
      source = producer->getOperand(0);
    }
    Operation *producer = source.getDefiningOp();
    if (producer && nodeOf.contains(producer))
      candidates.emplace_back(nodeOf.lookup(producer), source);
  }
  llvm::stable_sort(candidates, [](const auto &a, const auto &b) {
    return a.first > b.first;
  });
  for (auto [node, source] : candidates) {
    if (!canJoin(op, node) || !sparesStore(op, source, node))
      continue;
    join(op, node);
    return true;
  }
  return false;
}

/// Moves the elementwise ops that only `reduction` needs into its group,
/// where that makes nothing else stored: a group moves with all that feeds it.
void GroupBuilder::pullProducers(Operation *reduction, unsigned node) {
  Value input = reduction->getOperand(0);
  while (Operation *view = input.getDefiningOp()) {
    if (!FusionGroups::isView(view) || !input.hasOneUse())
      break;
    input = view->getOperand(0);
  }
  Operation *producer = input.getDefiningOp();
  if (!producer || !nodeOf.contains(producer))
    return;
  unsigned source = nodeOf.lookup(producer);
  if (nodes[source].kind != KernelKind::Elementwise)
    return;
  // All ops of the source group whose users are among what moves.
  SmallVector<Operation *> moved;
  auto moves = [&](Operation *user) {
    return user == reduction || llvm::is_contained(moved, user);
  };
  for (Operation *op : llvm::reverse(nodes[source].ops)) {
    SmallVector<Value> worklist(op->getResults());
    bool internal = true;
    while (!worklist.empty() && internal)
      for (Operation *user : worklist.pop_back_val().getUsers()) {
        if (FusionGroups::isFree(user) && user->getBlock() == &block)
          worklist.append(user->result_begin(), user->result_end());
        else
          internal &= moves(user);
      }
    if (internal)
      moved.push_back(op);
  }
  if (!llvm::is_contained(moved, producer))
    return;
  bool closed = true;
  for (Operation *op : moved)
    forEachProducer(op, [&](Operation *feeding) {
      if (nodeOf.lookup(feeding) == source &&
          !llvm::is_contained(moved, feeding))
        closed = false;
    });
  if (!closed)
    return;
  for (Operation *op : llvm::reverse(moved)) {
    llvm::erase(nodes[source].ops, op);
    nodeOf[op] = node;
    nodes[node].ops.push_back(op);
  }
  for (Operation *op : llvm::reverse(moved))
    addDependencies(op, node);
}

/// The group that alone reads what `node` computes; none where something else
/// does.
std::optional<unsigned> GroupBuilder::getOnlyReader(unsigned node) const {
  std::optional<unsigned> reader;
  SmallVector<Value> worklist;
  for (Operation *op : nodes[node].ops)
    worklist.append(op->result_begin(), op->result_end());
  while (!worklist.empty()) {
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (user->getBlock() == &block && FusionGroups::isFree(user)) {
        worklist.append(user->result_begin(), user->result_end());
        continue;
      }
      auto it = nodeOf.find(user);
      if (it == nodeOf.end() ||
          (it->second != node && reader.value_or(it->second) != it->second))
        return std::nullopt;
      if (it->second != node)
        reader = it->second;
    }
  }
  return reader;
}

/// Whether `node` and `reader` are the loops of one row kernel, and nothing has
/// to run between them.
bool GroupBuilder::canMerge(unsigned node, unsigned reader) const {
  const Node &first = nodes[node], &second = nodes[reader];
  auto isRow = [](const Node &n) { return n.kind == KernelKind::Row; };
  if ((!isRow(first) && !isRow(second)) || first.ops.empty() ||
      isBackward(first.ops.front()) != isBackward(second.ops.front()))
    return false;
  const Node &rows = isRow(second) ? second : first;
  for (const Node *part : {&first, &second})
    for (Operation *op : part->ops)
      if (getKind(op) == KernelKind::Movement || !fits(rows, getNest(op)))
        return false;
  return llvm::none_of(nodes, [&](const Node &between) {
    return !between.ops.empty() && between.before.test(node) &&
           second.before.test(&between - nodes.data());
  });
}

/// Gives elementwise and row groups to the group that alone reads them where
/// both make one row kernel: what the walk met too early to know.
void GroupBuilder::mergeIntoReaders() {
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned node = 0, e = nodes.size(); node != e; ++node) {
      std::optional<unsigned> reader = getOnlyReader(node);
      if (!reader || !canMerge(node, *reader))
        continue;
      Node &first = nodes[node], &second = nodes[*reader];
      if (first.kind == KernelKind::Row) {
        second.kind = first.kind;
        second.domain = first.domain;
      }
      for (Operation *op : first.ops)
        nodeOf[op] = *reader;
      second.ops.append(first.ops.begin(), first.ops.end());
      first.ops.clear();
      second.before |= first.before;
      for (Node &other : nodes) {
        if (other.before.test(node) || other.before.test(*reader))
          other.before |= second.before;
        other.before.reset(node);
      }
      changed = true;
    }
  }
}

void GroupBuilder::run() {
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>() || FusionGroups::isFree(&op))
      continue;
    Nest nest{KernelKind::None, {}};
    if (isa<CostOpInterface>(op))
      nest = getNest(&op);
    if ((nest.kind == KernelKind::Elementwise ||
         nest.kind == KernelKind::Row) &&
        getKind(&op) != KernelKind::Movement && tryJoin(&op))
      continue;
    unsigned node = createNode(&op, nest);
    if (nest.kind == KernelKind::Reduction || nest.kind == KernelKind::Row)
      pullProducers(&op, node);
    join(&op, node);
  }
  mergeIntoReaders();
}

FusionGroups::FusionGroups(Block &block) {
  GroupBuilder builder(block);
  builder.run();

  // Topological order; among ready groups the one that ends first.
  SmallVector<unsigned> pending;
  for (auto [index, node] : llvm::enumerate(builder.nodes))
    if (!node.ops.empty())
      pending.push_back(index);
  auto getEnd = [&](unsigned index) {
    unsigned end = 0;
    for (Operation *op : builder.nodes[index].ops)
      end = std::max(end, builder.position.lookup(op));
    return end;
  };
  llvm::stable_sort(
      pending, [&](unsigned a, unsigned b) { return getEnd(a) < getEnd(b); });
  while (!pending.empty()) {
    unsigned *next = llvm::find_if(pending, [&](unsigned candidate) {
      return llvm::none_of(pending, [&](unsigned other) {
        return builder.nodes[candidate].before.test(other);
      });
    });
    assert(next != pending.end() && "groups depend on each other");
    GroupBuilder::Node &node = builder.nodes[*next];
    pending.erase(next);
    llvm::sort(node.ops, [&](Operation *a, Operation *b) {
      return builder.position.lookup(a) < builder.position.lookup(b);
    });
    FusionGroup group{node.kind, node.ops, {}, node.domain};
    for (Operation *op : node.ops)
      groupOf[op] = groups.size();
    groups.push_back(std::move(group));
  }

  // A value is stored where something outside its group reads it, directly or
  // through free ops.
  for (auto [index, group] : llvm::enumerate(groups))
    for (Operation *op : group.ops)
      for (Value result : op->getResults()) {
        SmallVector<Value> worklist = {result};
        bool stored = false;
        while (!worklist.empty() && !stored)
          for (Operation *user : worklist.pop_back_val().getUsers()) {
            if (user->getBlock() == &block && isFree(user)) {
              worklist.append(user->result_begin(), user->result_end());
              continue;
            }
            auto it = groupOf.find(user);
            stored |= it == groupOf.end() || it->second != index;
          }
        if (stored)
          group.stored.push_back(result);
      }
}

const FusionGroup *FusionGroups::getGroup(Operation *op) const {
  auto it = groupOf.find(op);
  return it == groupOf.end() ? nullptr : &groups[it->second];
}

bool FusionGroups::isStored(Value value) const {
  Operation *op = value.getDefiningOp();
  const FusionGroup *group = op ? getGroup(op) : nullptr;
  return group && llvm::is_contained(group->stored, value);
}

static StringRef stringify(KernelKind kind) {
  switch (kind) {
  case KernelKind::None:
    return "none";
  case KernelKind::View:
    return "view";
  case KernelKind::Elementwise:
    return "elementwise";
  case KernelKind::Row:
    return "row";
  case KernelKind::Reduction:
    return "reduction";
  case KernelKind::Contraction:
    return "contraction";
  case KernelKind::Movement:
    return "movement";
  }
  return "";
}

void FusionGroups::print(llvm::raw_ostream &os) const {
  for (auto [index, group] : llvm::enumerate(groups)) {
    os << "group " << index << ' ' << stringify(group.kind) << " [";
    llvm::interleaveComma(group.domain, os,
                          [&](const nn::Extent &e) { os << e.str(); });
    os << "]:";
    for (Operation *op : group.ops) {
      os << ' ' << op->getName();
      if (llvm::any_of(op->getResults(), [&](Value result) {
            return llvm::is_contained(group.stored, result);
          }))
        os << '*';
    }
    os << '\n';
  }
}
