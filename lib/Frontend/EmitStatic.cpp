//===- EmitStatic.cpp - Functions of static values ------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What gives a static value only.
//
//===----------------------------------------------------------------------===//

#include "Builtins.h"

using namespace mlir;

namespace accrue::frontend {

static Term emitRange(BuiltinCall &call) {
  constexpr int64_t maxLength = 100000;
  SmallVector<int64_t, 2> bounds;
  for (const Operand &operand : call.getArguments()) {
    if (!operand.expr)
      continue;
    const StaticValue *value = operand.term.getStatic();
    std::optional<int64_t> bound = value ? value->asInteger() : std::nullopt;
    if (!bound) {
      call.getEmitter().emitError(operand.expr->range)
          << "expected a whole number as bound of a range, got "
          << operand.term.describe();
      return {};
    }
    bounds.push_back(*bound);
  }
  int64_t start = bounds.size() == 2 ? bounds[0] : 0;
  int64_t stop = bounds.back();
  if (stop - start > maxLength) {
    call.emitError() << "expected a range of at most " << maxLength
                     << " numbers, got " << stop - start;
    return {};
  }
  StaticValue::List list;
  for (int64_t i = start; i < stop; ++i)
    list.push_back(StaticValue(static_cast<double>(i)));
  return StaticValue(std::move(list));
}

static Term emitLen(BuiltinCall &call) {
  if (std::optional<Term::List> elements = call[0].term.getElements())
    return StaticValue(static_cast<double>(elements->size()));
  call.reportUnexpected(0, "a list as " + call.describe(0));
  return {};
}

ArrayRef<Builtin> getStaticBuiltins() {
  static const SmallVector<Builtin> builtins = {
      {"len", {{"list"}}, emitLen},
      {"range", {{"start"}, {"stop", false}}, emitRange},
  };
  return builtins;
}

} // namespace accrue::frontend
