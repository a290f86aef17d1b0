//===- Extent.cpp - Symbolic extents c * B^p ------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/Extent.h"
#include "accrue/Dialect/NN/NNDialect.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>

using namespace accrue;
using namespace accrue::nn;

Extent::Extent(int64_t num, int64_t den, int64_t power)
    : num(num), den(den), power(power) {
  int64_t divisor = std::gcd(num, den);
  if (divisor > 1) {
    this->num /= divisor;
    this->den /= divisor;
  }
  if (num == 0) {
    this->den = 1;
    this->power = 0;
  }
}

std::optional<int64_t> Extent::evaluate(int64_t batch) const {
  int64_t top = num, bottom = den;
  for (int64_t i = 0; i < power; ++i)
    if (llvm::MulOverflow(top, batch, top))
      return std::nullopt;
  for (int64_t i = 0; i > power; --i)
    if (llvm::MulOverflow(bottom, batch, bottom))
      return std::nullopt;
  if (bottom == 0 || top % bottom != 0)
    return std::nullopt;
  return top / bottom;
}

Extent Extent::operator*(const Extent &other) const {
  // Reduce crosswise first: products of extents stay small that way.
  Extent left(num, other.den, 0), right(other.num, den, 0);
  return Extent(left.num * right.num, left.den * right.den,
                power + other.power);
}

Extent Extent::operator/(const Extent &other) const {
  return *this * Extent(other.den, other.num, -other.power);
}

std::string Extent::str() const {
  std::string text;
  if (num != 1 || power == 0)
    text = std::to_string(num);
  if (power != 0) {
    text += text.empty() ? "B" : "*B";
    if (power != 1)
      text += "^" + std::to_string(power);
  }
  if (den != 1)
    text += "/" + std::to_string(den);
  return text;
}

std::optional<Extent> Extent::parse(llvm::StringRef text) {
  int64_t num = 1, den = 1, power = 0;
  if (text.empty() || text.front() == '/')
    return std::nullopt;
  if (llvm::isDigit(text.front())) {
    if (text.consumeInteger(10, num))
      return std::nullopt;
    if (!text.empty() && text.front() != '/' && !text.consume_front("*"))
      return std::nullopt;
  }
  if (text.consume_front("B")) {
    power = 1;
    if (text.consume_front("^") && text.consumeInteger(10, power))
      return std::nullopt;
  }
  if (text.consume_front("/") && text.consumeInteger(10, den))
    return std::nullopt;
  if (!text.empty() || den <= 0 || num < 0)
    return std::nullopt;
  return Extent(num, den, power);
}

llvm::SmallVector<Extent> nn::getExtents(mlir::RankedTensorType type) {
  auto encoding = llvm::dyn_cast_if_present<ExtentsAttr>(type.getEncoding());
  llvm::SmallVector<Extent> extents;
  unsigned dynamic = 0;
  for (int64_t size : type.getShape()) {
    if (!mlir::ShapedType::isDynamic(size))
      extents.push_back(size);
    else
      extents.push_back(encoding ? encoding.getExtents()[dynamic++]
                                 : Extent::batch());
  }
  return extents;
}

Extent nn::getProduct(llvm::ArrayRef<Extent> extents) {
  Extent product;
  for (const Extent &extent : extents)
    product = product * extent;
  return product;
}

mlir::RankedTensorType nn::getTensorType(llvm::ArrayRef<Extent> extents,
                                         mlir::Type elementType) {
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<Extent> dynamic;
  for (const Extent &extent : extents) {
    if (extent.isStatic()) {
      shape.push_back(extent.getNum());
    } else {
      assert(extent.getPower() > 0 && "extent is neither static nor batched");
      shape.push_back(mlir::ShapedType::kDynamic);
      dynamic.push_back(extent);
    }
  }
  mlir::Attribute encoding;
  if (!llvm::all_of(dynamic, [](const Extent &e) { return e.isBatch(); }))
    encoding = ExtentsAttr::get(elementType.getContext(), dynamic);
  return mlir::RankedTensorType::get(shape, elementType, encoding);
}

mlir::RankedTensorType nn::withElementType(mlir::RankedTensorType type,
                                           mlir::Type elementType) {
  return mlir::RankedTensorType::get(type.getShape(), elementType,
                                     type.getEncoding());
}

mlir::RankedTensorType nn::getTypeForBatch(mlir::RankedTensorType type,
                                           int64_t batch) {
  llvm::SmallVector<int64_t> shape;
  for (const Extent &extent : getExtents(type)) {
    std::optional<int64_t> size = extent.evaluate(batch);
    if (!size)
      return {};
    shape.push_back(*size);
  }
  return mlir::RankedTensorType::get(shape, type.getElementType());
}
