//===- EmitInitializers.cpp - Initial values ------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `param w: ... = INITIALIZER(...)` as an attribute of the train dialect; of
// states too.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include <cmath>

using namespace mlir;

namespace accrue::frontend {

Attribute Emitter::emitInitializer(const Expr *initializer,
                                   RankedTensorType type) {
  static constexpr StringRef names[] = {"zeros",   "ones",   "constant",
                                        "uniform", "normal", "linear_default"};
  const auto *call = dyn_cast<CallExpr>(initializer);
  if (!call || call->scope || !llvm::is_contained(names, call->callee.text)) {
    InFlightDiagnostic diag = emitError(initializer->range);
    diag << "expected an initializer: zeros, ones, constant, uniform, normal "
            "or linear_default";
    if (call)
      if (StringRef nearest = findNearest(call->callee.text, names);
          !nearest.empty() && nearest != call->callee.text)
        diag << "; did you mean '" << nearest << "'?";
    return {};
  }
  StringRef kind = call->callee.text;
  if (!isa<FloatType>(type.getElementType()) && kind != "zeros" &&
      kind != "ones" && kind != "constant") {
    emitError(initializer->range)
        << "expected zeros, ones or constant as initializer of "
        << formatType(type) << ", got " << kind;
    return {};
  }
  MLIRContext *context = getContext();
  auto fill = [&](double value) {
    return train::FillAttr::get(context, llvm::APFloat(value));
  };
  auto uniform = [&](double bound) {
    return train::UniformAttr::get(context, llvm::APFloat(bound));
  };

  SmallVector<Formal> formals;
  if (kind == "constant")
    formals = {{"value"}};
  else if (kind == "uniform")
    formals = {{"bound"}};
  else if (kind == "normal")
    formals = {{"std"}, {"mean", /*required=*/false}};
  FailureOr<SmallVector<const Expr *>> arguments =
      bindArguments(*call, formals);
  if (failed(arguments))
    return {};
  SmallVector<double, 2> values;
  for (auto [formal, expr] : llvm::zip_equal(formals, *arguments)) {
    std::optional<double> value =
        expr ? evaluateNumber(expr, "a number") : std::optional<double>(0);
    if (!value)
      return {};
    bool isScale = formal.name == "std" || formal.name == "bound";
    if (isScale && *value < 0) {
      emitError(expr->range)
          << "expected '" << formal.name << "' not to be negative, got "
          << formatNumber(*value);
      return {};
    }
    if (kind == "constant" && !isa<FloatType>(type.getElementType()) &&
        !StaticValue(*value).asInteger()) {
      emitError(expr->range)
          << "expected a whole number as value of " << formatType(type)
          << ", got " << formatNumber(*value);
      return {};
    }
    values.push_back(*value);
  }

  if (kind == "zeros")
    return fill(0);
  if (kind == "ones")
    return fill(1);
  if (kind == "constant")
    return fill(values[0]);
  if (kind == "uniform")
    return uniform(values[0]);
  if (kind == "normal")
    return train::NormalAttr::get(context, llvm::APFloat(values[1]),
                                  llvm::APFloat(values[0]));

  // As torch.nn.Linear: the weight and the bias of a layer both have the bound
  // 1 / sqrt(fan_in), where fan_in is the size of a row of the weight.
  if (!frame->fanIn) {
    emitError(call->range)
        << "expected a parameter of rank 2 or more before or with "
           "'linear_default', which takes its fan-in from there";
    return {};
  }
  return uniform(1.0 / std::sqrt(static_cast<double>(*frame->fanIn)));
}

} // namespace accrue::frontend
