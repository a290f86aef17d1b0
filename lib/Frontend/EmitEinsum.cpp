//===- EmitEinsum.cpp - Einstein summation --------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands are contracted from left to right, two at a time. Of two, what only
// one has and nothing further needs is summed first; what both have and the
// result keeps are the leading dimensions of a matrix product, what both have
// and the result lacks is summed by it. Without such a dimension the product is
// elementwise.
//
//===----------------------------------------------------------------------===//

#include "Builtins.h"

using namespace mlir;

namespace accrue::frontend {

namespace {

/// A tensor with a label for each of its dimensions.
struct Labelled {
  Value value;
  std::string labels;
};

class Einsum {
public:
  explicit Einsum(BuiltinCall &call) : call(call) {}

  Value build();

private:
  /// Splits the equation into `terms` and `result`.
  LogicalResult parse();
  /// Reports at the character `text` of the equation.
  InFlightDiagnostic emitErrorAt(StringRef text) {
    const char *end = text.begin() + std::max<size_t>(text.size(), 1);
    return call.getEmitter().emitError(
        {SMLoc::getFromPointer(text.begin()), SMLoc::getFromPointer(end)});
  }
  /// Takes the operands and checks the extents of equal labels.
  LogicalResult bind();

  nn::Extent getExtent(const Labelled &operand, char label) {
    return nn::getExtents(
        getTensorType(operand.value))[operand.labels.find(label)];
  }
  std::string getBatchLabelsFirst(const Labelled &operand, StringRef labels);
  /// Sums the labels that are not in `kept`.
  Labelled sum(Labelled operand, StringRef kept);
  /// The dimensions in the order of `labels`.
  Labelled permute(Labelled operand, StringRef labels);
  /// Merges the dimensions after the first `kept` into one or two, the first of
  /// which has `rows` dimensions.
  Value flatten(const Labelled &operand, size_t leading, size_t rows);
  Labelled contract(const Labelled &lhs, const Labelled &rhs, StringRef kept);
  Labelled multiply(Labelled lhs, Labelled rhs, StringRef labels);

  BuiltinCall &call;
  SmallVector<StringRef> terms;
  StringRef result;
  SmallVector<Labelled> operands;
};

} // namespace

/// The characters of `labels` that `predicate` holds for, in order.
template <typename Predicate>
static std::string filter(StringRef labels, Predicate predicate) {
  std::string text;
  llvm::copy_if(labels, std::back_inserter(text), predicate);
  return text;
}

LogicalResult Einsum::parse() {
  const StaticValue *value = call[0].term.getStatic();
  const StringRef *equation = value ? value->getString() : nullptr;
  if (!equation) {
    call.emitError(0) << "expected an equation such as \"ij,jk->ik\", got "
                      << call[0].term.describe();
    return failure();
  }
  size_t arrow = equation->find("->");
  if (arrow == StringRef::npos) {
    call.emitError(0) << "expected '->' and the labels of the result in the "
                         "equation of einsum";
    return failure();
  }
  equation->take_front(arrow).split(terms, ',');
  for (StringRef &term : terms)
    term = term.trim(' ');
  result = equation->drop_front(arrow + 2).trim(' ');

  for (StringRef labels :
       llvm::concat<const StringRef>(terms, ArrayRef<StringRef>(result)))
    for (size_t i = 0; i < labels.size(); ++i) {
      StringRef label = labels.substr(i, 1);
      if (!llvm::isAlpha(labels[i])) {
        emitErrorAt(label) << "expected a letter for each dimension, got '"
                           << label << "'";
        return failure();
      }
      if (labels.take_front(i).contains(label)) {
        emitErrorAt(label) << "expected every label once in an operand or the "
                              "result of einsum, got '"
                           << label << "' twice";
        return failure();
      }
    }
  for (size_t i = 0; i < result.size(); ++i) {
    StringRef label = result.substr(i, 1);
    if (llvm::any_of(terms,
                     [&](StringRef term) { return term.contains(label); }))
      continue;
    emitErrorAt(label) << "expected labels of the operands in the result, got '"
                       << label << "'";
    return failure();
  }
  return success();
}

LogicalResult Einsum::bind() {
  SmallVector<Operand> given;
  for (const Operand &operand : call.getArguments().drop_front())
    if (operand.expr)
      given.push_back(operand);
  if (given.size() != terms.size()) {
    call.emitError() << "expected as many operands as the equation of einsum "
                        "has, "
                     << terms.size() << ", got " << given.size();
    return failure();
  }
  Emitter &emitter = call.getEmitter();
  llvm::SmallDenseMap<char, std::pair<nn::Extent, Operand *>> extents;
  for (auto [operand, labels] : llvm::zip_equal(given, terms)) {
    Value value = emitter.expectTensor(operand, "operand of einsum");
    if (!value || !emitter.expectFloat(operand, "operand of einsum"))
      return failure();
    RankedTensorType type = getTensorType(value);
    if (type.getRank() != static_cast<int64_t>(labels.size())) {
      InFlightDiagnostic diag = emitErrorAt(labels);
      diag << "expected a label for each dimension of "
           << operand.term.describe() << ", got '" << labels << "'";
      emitter.noteOperands(diag, operand);
      return failure();
    }
    for (auto [index, extent] : llvm::enumerate(nn::getExtents(type))) {
      auto [it, inserted] =
          extents.try_emplace(labels[index], extent, &operand);
      if (inserted || it->second.first == extent)
        continue;
      InFlightDiagnostic diag = emitErrorAt(labels.substr(index, 1));
      diag << "expected equal extents of the label '" << labels.substr(index, 1)
           << "', got " << formatExtent(it->second.first) << " and "
           << formatExtent(extent);
      emitter.noteOperands(diag, {*it->second.second, operand});
      return failure();
    }
    operands.push_back({value, labels.str()});
  }
  return success(emitter.unifyElementTypes(call.getRange(), given) != Type());
}

/// What depends on the batch comes first, so that merged dimensions keep the
/// samples outermost.
std::string Einsum::getBatchLabelsFirst(const Labelled &operand,
                                        StringRef labels) {
  auto isBatch = [&](char label) {
    return getExtent(operand, label).getPower() != 0;
  };
  return filter(labels, isBatch) + filter(labels, std::not_fn(isBatch));
}

Labelled Einsum::sum(Labelled operand, StringRef kept) {
  SmallVector<int64_t> dims;
  for (auto [dim, label] : llvm::enumerate(operand.labels))
    if (!kept.contains(label))
      dims.push_back(dim);
  if (dims.empty())
    return operand;
  return {call.create<nn::SumOp>(operand.value, dims),
          filter(operand.labels, [&](char c) { return kept.contains(c); })};
}

Labelled Einsum::permute(Labelled operand, StringRef labels) {
  if (operand.labels == labels)
    return operand;
  SmallVector<int64_t> permutation;
  for (char label : labels)
    permutation.push_back(operand.labels.find(label));
  return {call.create<nn::TransposeOp>(operand.value, permutation),
          labels.str()};
}

Value Einsum::flatten(const Labelled &operand, size_t leading, size_t rows) {
  SmallVector<nn::Extent> extents =
      nn::getExtents(getTensorType(operand.value));
  ArrayRef<nn::Extent> all = extents;
  SmallVector<nn::Extent> shape(all.take_front(leading));
  shape.push_back(nn::getProduct(all.slice(leading, rows)));
  shape.push_back(nn::getProduct(all.drop_front(leading + rows)));
  return call.getBuilder().createReshape(call.getLoc(), operand.value, shape);
}

Labelled Einsum::multiply(Labelled lhs, Labelled rhs, StringRef labels) {
  SmallVector<nn::Extent> shape;
  for (char label : labels)
    shape.push_back(
        getExtent(StringRef(lhs.labels).contains(label) ? lhs : rhs, label));
  auto spread = [&](Labelled operand) -> Value {
    operand = permute(operand, filter(labels, [&](char c) {
                        return StringRef(operand.labels).contains(c);
                      }));
    SmallVector<nn::Extent> extents;
    for (char label : labels)
      extents.push_back(StringRef(operand.labels).contains(label)
                            ? getExtent(operand, label)
                            : nn::Extent(1));
    TensorBuilder &builder = call.getBuilder();
    return builder.createBroadcast(
        call.getLoc(),
        builder.createReshape(call.getLoc(), operand.value, extents), shape);
  };
  Value left = spread(lhs), right = spread(rhs);
  return {call.create<nn::MulOp>(left, right), labels.str()};
}

Labelled Einsum::contract(const Labelled &lhs, const Labelled &rhs,
                          StringRef kept) {
  auto inLeft = [&](char c) { return StringRef(lhs.labels).contains(c); };
  auto inRight = [&](char c) { return StringRef(rhs.labels).contains(c); };
  auto isKept = [&](char c) { return kept.contains(c); };
  Labelled left = sum(lhs, (kept + rhs.labels).str());
  Labelled right = sum(rhs, (kept + lhs.labels).str());

  std::string shared =
      filter(left.labels, [&](char c) { return inRight(c) && isKept(c); });
  std::string summed =
      filter(left.labels, [&](char c) { return inRight(c) && !isKept(c); });
  std::string rows = filter(left.labels, std::not_fn(inRight));
  std::string columns = filter(right.labels, std::not_fn(inLeft));
  if (summed.empty()) {
    std::string order;
    for (char label : kept)
      if ((inLeft(label) || inRight(label)) &&
          !StringRef(order).contains(label))
        order += label;
    return multiply(left, right, order);
  }
  // The order of the result, where a product can have it.
  if (!rows.empty() && !columns.empty() &&
      kept.find(columns.front()) < kept.find(rows.front()))
    return contract(right, left, kept);

  shared = getBatchLabelsFirst(left, shared);
  summed = getBatchLabelsFirst(left, summed);
  rows = getBatchLabelsFirst(left, rows);
  columns = getBatchLabelsFirst(right, columns);
  // An order that is there already needs no transposition.
  bool transposeLhs = !rows.empty() && left.labels == shared + summed + rows;
  bool transposeRhs =
      !columns.empty() && right.labels == shared + columns + summed;
  left = permute(left, shared + (transposeLhs ? summed + rows : rows + summed));
  right = permute(
      right, shared + (transposeRhs ? columns + summed : summed + columns));

  SmallVector<nn::Extent> shape;
  for (char label : shared + rows)
    shape.push_back(getExtent(left, label));
  for (char label : columns)
    shape.push_back(getExtent(right, label));
  Value leftMatrix =
      flatten(left, shared.size(), transposeLhs ? summed.size() : rows.size());
  Value rightMatrix = flatten(right, shared.size(),
                              transposeRhs ? columns.size() : summed.size());
  Value product = call.create<nn::MatmulOp>(leftMatrix, rightMatrix,
                                            transposeLhs, transposeRhs);
  return {call.getBuilder().createReshape(call.getLoc(), product, shape),
          shared + rows + columns};
}

Value Einsum::build() {
  if (failed(parse()) || failed(bind()))
    return {};
  Labelled whole = operands.front();
  for (size_t i = 1; i < operands.size(); ++i) {
    std::string needed = result.str();
    for (const Labelled &later : ArrayRef(operands).drop_front(i + 1))
      needed += later.labels;
    whole = contract(whole, operands[i], needed);
  }
  return permute(sum(whole, result), result).value;
}

static Term emitEinsum(BuiltinCall &call) { return Einsum(call).build(); }

ArrayRef<Builtin> getEinsumBuiltins() {
  static const SmallVector<Builtin> builtins = {
      {"einsum",
       {{"equation"}, {"a"}, {"b", false}, {"c", false}, {"d", false}},
       emitEinsum},
  };
  return builtins;
}

} // namespace accrue::frontend
