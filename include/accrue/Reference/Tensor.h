//===- Tensor.h - Tensors of the reference interpreter ----------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value of the reference semantics: a static shape, an element type and the
// elements in row-major order. Floats of every width are held as double and
// integers as int64_t, so that the meaning of an op is written once; rounding
// to the declared type is the business of the evaluation context.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_REFERENCE_TENSOR_H
#define ACCRUE_REFERENCE_TENSOR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include <memory>
#include <optional>
#include <vector>

namespace accrue::reference {

/// A tensor by value. Copies share their elements until one of them is written.
class Tensor {
public:
  /// No tensor: only to be assigned to.
  Tensor() = default;
  /// All zeros. `type` is static, of floats, integers or `index`.
  explicit Tensor(mlir::RankedTensorType type);
  /// The elements of an attribute; none where it does not list them.
  static std::optional<Tensor> get(mlir::ElementsAttr elements);
  /// Rank 0.
  static Tensor getScalar(mlir::FloatType elementType, double value);
  static Tensor getIntScalar(mlir::Type elementType, int64_t value);

  explicit operator bool() const { return static_cast<bool>(type); }
  mlir::RankedTensorType getType() const { return type; }
  mlir::Type getElementType() const {
    return mlir::RankedTensorType(type).getElementType();
  }
  llvm::ArrayRef<int64_t> getShape() const { return type.getShape(); }
  int64_t getRank() const { return type.getRank(); }
  int64_t getNumElements() const { return type.getNumElements(); }
  bool isFloat() const { return llvm::isa<mlir::FloatType>(getElementType()); }

  /// The elements of a tensor of floats.
  llvm::ArrayRef<double> getFloats() const {
    assert(floats && "not a tensor of floats");
    return *floats;
  }
  llvm::MutableArrayRef<double> getMutableFloats();
  /// The elements of a tensor of integers; i1 is 0 or 1.
  llvm::ArrayRef<int64_t> getInts() const {
    assert(ints && "not a tensor of integers");
    return *ints;
  }
  llvm::MutableArrayRef<int64_t> getMutableInts();
  /// The same, chosen by type: `getData<double>`, `getData<int64_t>`.
  template <typename T>
  llvm::ArrayRef<T> getData() const;
  template <typename T>
  llvm::MutableArrayRef<T> getMutableData();

  /// The same elements in row-major order under another type of as many
  /// elements of the same kind (floats or integers).
  Tensor withType(mlir::RankedTensorType newType) const;

  /// Prints `[[1, 2.5], [3, nan]]`: `digits` significant digits, or by default
  /// the fewest that read back as the same value (of f32 for f32 values that
  /// are exact in it).
  void print(llvm::raw_ostream &os, std::optional<unsigned> digits = {}) const;

private:
  mlir::RankedTensorType type;
  std::shared_ptr<std::vector<double>> floats;
  std::shared_ptr<std::vector<int64_t>> ints;
};

template <>
inline llvm::ArrayRef<double> Tensor::getData<double>() const {
  return getFloats();
}
template <>
inline llvm::ArrayRef<int64_t> Tensor::getData<int64_t>() const {
  return getInts();
}
template <>
inline llvm::MutableArrayRef<double> Tensor::getMutableData<double>() {
  return getMutableFloats();
}
template <>
inline llvm::MutableArrayRef<int64_t> Tensor::getMutableData<int64_t>() {
  return getMutableInts();
}

/// The error of a tensor against a reference of the same shape:
/// max |value - reference| / max(1e-6, max |reference|). Infinite where one is
/// NaN and the other is not, or where infinities differ.
double getError(const Tensor &value, const Tensor &reference);

} // namespace accrue::reference

#endif // ACCRUE_REFERENCE_TENSOR_H
