//===- EmitIndex.cpp - Positions and ranges in brackets -------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `list[i]` and `list[a:b]` of lists; `x[:, 0:4, -1]` of tensors, where a
// position drops its dimension and a range keeps it.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace mlir;

namespace accrue::frontend {

std::optional<int64_t> Emitter::evaluatePosition(const Subscript &subscript,
                                                 int64_t size) {
  std::optional<int64_t> index =
      evaluateInteger(subscript.start, "a whole number as index");
  if (!index)
    return std::nullopt;
  if (*index < -size || *index >= size) {
    emitError(subscript.range)
        << "expected an index of " << size << " elements, got " << *index;
    return std::nullopt;
  }
  return *index < 0 ? *index + size : *index;
}

std::optional<IndexRange> Emitter::evaluateRange(const Subscript &subscript,
                                                 int64_t size) {
  auto evaluateBound = [&](const Expr *expr,
                           int64_t fallback) -> std::optional<int64_t> {
    if (!expr)
      return fallback;
    std::optional<int64_t> bound =
        evaluateInteger(expr, "a whole number as bound of a range");
    return bound && *bound < 0 ? *bound + size : bound;
  };
  std::optional<int64_t> start = evaluateBound(subscript.start, 0);
  std::optional<int64_t> stop = evaluateBound(subscript.stop, size);
  std::optional<int64_t> step =
      subscript.step
          ? evaluateInteger(subscript.step, "a positive whole number as step")
          : 1;
  if (!start || !stop || !step)
    return std::nullopt;
  if (*step < 1) {
    emitError(subscript.step->range)
        << "expected a positive whole number as step, got " << *step
        << ": flip(x, dim) reverses the order";
    return std::nullopt;
  }
  if (*start < 0 || *start > *stop || *stop > size) {
    emitError(subscript.range) << "expected a range within " << size
                               << " elements, got " << *start << ":" << *stop;
    return std::nullopt;
  }
  return IndexRange{*start, *stop, *step};
}

Term Emitter::emitIndex(const IndexExpr &expr) {
  Operand base{expr.base, emitExpr(expr.base)};
  if (base.term.isNothing())
    return {};
  if (std::optional<Term::List> list = base.term.getElements())
    return emitListIndex(expr, *list);
  if (base.term.getTensor())
    return emitTensorIndex(expr, base);
  emitError(expr.range) << "expected a list, a tensor or '.shape' before '[', "
                           "got "
                        << base.term.describe();
  return {};
}

Term Emitter::emitListIndex(const IndexExpr &expr, const Term::List &list) {
  const Subscript &subscript = expr.subscripts.front();
  if (expr.subscripts.size() != 1 ||
      subscript.kind == Subscript::Kind::Ellipsis) {
    emitError(expr.range) << "expected one index or range of a list";
    return {};
  }
  int64_t size = list.size();
  if (subscript.kind == Subscript::Kind::Position) {
    std::optional<int64_t> index = evaluatePosition(subscript, size);
    return index ? list[*index] : Term();
  }
  std::optional<IndexRange> range = evaluateRange(subscript, size);
  if (!range)
    return {};
  Term::List elements;
  for (int64_t i = range->start; i < range->stop; i += range->step)
    elements.push_back(list[i]);
  return Term::fromList(std::move(elements));
}

Term Emitter::emitTensorIndex(const IndexExpr &expr, const Operand &base) {
  Value tensor = base.term.getTensor();
  RankedTensorType type = getTensorType(tensor);
  int64_t rank = type.getRank();
  auto isEllipsis = [](const Subscript &subscript) {
    return subscript.kind == Subscript::Kind::Ellipsis;
  };
  int64_t given = llvm::count_if(expr.subscripts, std::not_fn(isEllipsis));
  if (given > rank || expr.subscripts.size() - given > 1) {
    InFlightDiagnostic diag = emitError(expr.range);
    diag << "expected at most " << rank << " indices and one '...' of "
         << base.term.describe() << ", got " << given;
    noteOperands(diag, base);
    return {};
  }

  Location loc = getLoc(expr.range);
  SmallVector<bool> dropped(rank, false);
  int64_t dim = 0;
  for (const Subscript &subscript : expr.subscripts) {
    if (isEllipsis(subscript)) {
      dim += rank - given;
      continue;
    }
    int64_t current = dim++;
    bool all = !subscript.start && !subscript.stop && !subscript.step;
    if (all)
      continue;
    if (type.isDynamicDim(current)) {
      InFlightDiagnostic diag = emitError(subscript.range);
      diag << "expected ':' for a dimension whose extent depends on the batch, "
              "dimension "
           << current << " of " << base.term.describe();
      noteOperands(diag, base);
      return {};
    }
    int64_t size = type.getDimSize(current);
    IndexRange range;
    if (subscript.kind == Subscript::Kind::Position) {
      std::optional<int64_t> index = evaluatePosition(subscript, size);
      if (!index)
        return {};
      range = {*index, *index + 1, 1};
      dropped[current] = true;
    } else {
      std::optional<IndexRange> evaluated = evaluateRange(subscript, size);
      if (!evaluated)
        return {};
      range = *evaluated;
      if (range.start == range.stop) {
        emitError(subscript.range) << "expected a range that is not empty";
        return {};
      }
    }
    tensor = builder.createSlice(loc, tensor, current, range.start, range.stop,
                                 range.step);
  }
  SmallVector<nn::Extent> kept;
  for (auto [dim, extent] :
       llvm::enumerate(nn::getExtents(getTensorType(tensor))))
    if (!dropped[dim])
      kept.push_back(extent);
  return builder.createReshape(loc, tensor, kept);
}

} // namespace accrue::frontend
