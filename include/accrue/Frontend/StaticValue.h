//===- StaticValue.h - Values known while parsing ---------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers, extents and lists that a model file computes with before there is a
// tensor. Numbers are doubles: quotients that are whole (`width / heads`) come
// out whole, and integers are exact up to 2^53. An extent that depends on the
// batch stays c * B^p; where arithmetic leaves that form, the result is no
// longer static and the emitter computes it as a scalar tensor.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_FRONTEND_STATICVALUE_H
#define ACCRUE_FRONTEND_STATICVALUE_H

#include "accrue/Dialect/NN/Extent.h"
#include "accrue/Frontend/AST.h"
#include "mlir/IR/Types.h"
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace accrue::frontend {

/// A number, a batch-dependent extent, true or false, a string, an element type
/// or a list.
class StaticValue {
public:
  using List = std::vector<StaticValue>;

  explicit StaticValue(double number) : value(number) {}
  explicit StaticValue(bool boolean) : value(boolean) {}
  /// The text must outlive the value.
  explicit StaticValue(llvm::StringRef text) : value(text) {}
  explicit StaticValue(mlir::Type elementType) : value(elementType) {}
  explicit StaticValue(List list) : value(std::move(list)) {}
  /// A number where the extent is static.
  explicit StaticValue(const nn::Extent &extent);

  /// Null if the value is of another kind.
  const double *getNumber() const { return std::get_if<double>(&value); }
  const bool *getBoolean() const { return std::get_if<bool>(&value); }
  const llvm::StringRef *getString() const {
    return std::get_if<llvm::StringRef>(&value);
  }
  const mlir::Type *getElementType() const {
    return std::get_if<mlir::Type>(&value);
  }
  const List *getList() const { return std::get_if<List>(&value); }
  /// An extent that depends on the batch.
  const nn::Extent *getBatchExtent() const {
    return std::get_if<nn::Extent>(&value);
  }

  bool isSameKind(const StaticValue &other) const {
    return value.index() == other.value.index();
  }
  bool operator==(const StaticValue &other) const {
    return value == other.value;
  }

  /// The whole number this is, or none.
  std::optional<int64_t> asInteger() const;
  /// The value as c * B^p: an extent, or a number that is a fraction with a
  /// power of two (what a double holds exactly) below. None otherwise.
  std::optional<nn::Extent> asMonomial() const;
  /// The value as the extent of a dimension: positive, and whole if static.
  std::optional<nn::Extent> asExtent() const;

  /// `3`, `0.5`, `16*batch`, `true`, `"text"`, `f32`, `[1, 2]`.
  std::string str() const;
  /// `the number 3`, `the list [1, 2]`.
  std::string describe() const;

private:
  std::variant<double, nn::Extent, bool, llvm::StringRef, mlir::Type, List>
      value;
};

/// What static arithmetic gives: a value, an error, or neither: then the
/// operands are numbers or extents whose result is no c * B^p.
struct StaticResult {
  std::optional<StaticValue> value;
  std::string error;
};

StaticResult evaluate(BinaryOperator op, const StaticValue &lhs,
                      const StaticValue &rhs);
StaticResult evaluateNegation(const StaticValue &operand);

/// `function`, which messages call `name`, of a number.
StaticResult evaluateFunction(llvm::StringRef name, double (*function)(double),
                              const StaticValue &operand);

/// `3` for whole numbers, the shortest exact text otherwise.
std::string formatNumber(double number);

/// An extent as a model file writes it: `16*batch`, `batch**2/3`.
std::string formatExtent(const nn::Extent &extent);

/// A type as a model file writes it: `f32[batch, 64]`.
std::string formatType(mlir::RankedTensorType type);

} // namespace accrue::frontend

#endif // ACCRUE_FRONTEND_STATICVALUE_H
