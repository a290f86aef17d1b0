//===- Builtins.h - Built-in functions --------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A built-in function is a name, its parameters and a handler. The handler gets
// its arguments evaluated, none of them nothing; an optional argument that is
// missing has no expression. Each family of functions has a file and a table of
// its own (Emit<Family>.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_FRONTEND_BUILTINS_H
#define ACCRUE_LIB_FRONTEND_BUILTINS_H

#include "Emitter.h"

namespace accrue::frontend {

class BuiltinCall;

struct Builtin {
  llvm::StringRef name;
  llvm::SmallVector<Formal, 4> formals;
  Term (*emit)(BuiltinCall &call);
};

/// One call of a built-in function: its evaluated arguments, and the checks
/// that handlers have in common. What returns nothing has reported an error.
class BuiltinCall {
public:
  BuiltinCall(Emitter &emitter, const CallExpr &expr, const Builtin &builtin,
              llvm::ArrayRef<Operand> arguments)
      : emitter(emitter), expr(expr), builtin(builtin), arguments(arguments) {}

  Emitter &getEmitter() { return emitter; }
  TensorBuilder &getBuilder() { return emitter.getBuilder(); }
  llvm::StringRef getName() const { return builtin.name; }
  llvm::SMRange getRange() const { return expr.range; }
  mlir::Location getLoc() const { return emitter.getLoc(expr.range); }

  llvm::ArrayRef<Operand> getArguments() const { return arguments; }
  const Operand &operator[](unsigned index) const { return arguments[index]; }
  bool has(unsigned index) const { return arguments[index].expr != nullptr; }

  /// Builds an op with one result at the place of the call.
  template <typename OpTy, typename... Args>
  mlir::Value create(Args &&...args) {
    return getBuilder().create<OpTy>(getLoc(), std::forward<Args>(args)...);
  }

  /// Starts an error at the call.
  mlir::InFlightDiagnostic emitError() { return emitter.emitError(expr.range); }
  /// Starts an error at an argument.
  mlir::InFlightDiagnostic emitError(unsigned index) {
    return emitter.emitError(arguments[index].expr->range);
  }
  /// "expected X, got Y" at an argument, with a note where Y is a variable.
  void reportUnexpected(unsigned index, const llvm::Twine &expected);

  /// `operand of relu` or `weight of conv2d`.
  std::string describe(unsigned index) const;

  mlir::Value getTensor(unsigned index);
  /// A tensor of floats; a number becomes an f32 scalar.
  mlir::Value getFloats(unsigned index);
  /// A tensor of floats.
  mlir::Value getFloatTensor(unsigned index);
  /// A tensor of i32 or i64.
  mlir::Value getIndices(unsigned index);
  /// A tensor of floats of rank `rank`; `form` describes its dimensions.
  mlir::Value getFloatTensorOfRank(unsigned index, int64_t rank,
                                   llvm::StringRef form);

  /// A whole number that is at least `minimum`.
  std::optional<int64_t>
  getInteger(unsigned index, std::optional<int64_t> fallback, int64_t minimum);
  /// A positive whole number or extent.
  std::optional<nn::Extent> getExtent(unsigned index);
  std::optional<double> getNumber(unsigned index,
                                  std::optional<double> fallback);
  std::optional<bool> getFlag(unsigned index, bool fallback);
  /// One of `choices`; the first where the argument is missing.
  std::optional<llvm::StringRef>
  getChoice(unsigned index, llvm::ArrayRef<llvm::StringRef> choices);
  /// One whole number, at least `minimum`, for each of `count` places: a list
  /// of `count` numbers, or one number for all.
  std::optional<llvm::SmallVector<int64_t>>
  getIntegers(unsigned index, size_t count, int64_t fallback, int64_t minimum);

  /// A dimension of a tensor of `rank`, counted from the end if negative.
  std::optional<int64_t> getDim(unsigned index, int64_t rank,
                                std::optional<int64_t> fallback = {});
  /// Dimensions in the given order, each once: a list of them, or one.
  std::optional<llvm::SmallVector<int64_t>> getDims(unsigned index,
                                                    int64_t rank);
  /// The same in ascending order; all where the argument is missing.
  std::optional<llvm::SmallVector<int64_t>> getReducedDims(unsigned index,
                                                           int64_t rank);
  /// The extents of a shape. One may be -1 if `total`, the number of elements,
  /// is given.
  std::optional<llvm::SmallVector<nn::Extent>>
  getExtents(unsigned index, std::optional<nn::Extent> total = {});
  mlir::Type getElementType(unsigned index, mlir::Type fallback);

private:
  std::optional<int64_t> toDim(const Operand &operand, int64_t rank);

  Emitter &emitter;
  const CallExpr &expr;
  const Builtin &builtin;
  llvm::ArrayRef<Operand> arguments;
};

/// Null if there is none of this name.
const Builtin *findBuiltin(llvm::StringRef name);
void appendBuiltinNames(llvm::SmallVectorImpl<llvm::StringRef> &names);

/// The families.
llvm::ArrayRef<Builtin> getAttentionBuiltins();
llvm::ArrayRef<Builtin> getEinsumBuiltins();
llvm::ArrayRef<Builtin> getElementwiseBuiltins();
llvm::ArrayRef<Builtin> getIndexingBuiltins();
llvm::ArrayRef<Builtin> getLossBuiltins();
llvm::ArrayRef<Builtin> getModeBuiltins();
llvm::ArrayRef<Builtin> getNormalizationBuiltins();
llvm::ArrayRef<Builtin> getReductionBuiltins();
llvm::ArrayRef<Builtin> getShapeBuiltins();
llvm::ArrayRef<Builtin> getStaticBuiltins();
llvm::ArrayRef<Builtin> getWindowBuiltins();

} // namespace accrue::frontend

#endif // ACCRUE_LIB_FRONTEND_BUILTINS_H
