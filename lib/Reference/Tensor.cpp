//===- Tensor.cpp - Tensors of the reference interpreter ------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Reference/Tensor.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

using namespace mlir;
using namespace accrue;
using namespace accrue::reference;

Tensor::Tensor(RankedTensorType type) : type(type) {
  assert(type.hasStaticShape() && "tensor of a symbolic shape");
  if (isFloat())
    floats = std::make_shared<std::vector<double>>(type.getNumElements());
  else
    ints = std::make_shared<std::vector<int64_t>>(type.getNumElements());
}

std::optional<Tensor> Tensor::get(ElementsAttr elements) {
  auto type = dyn_cast<RankedTensorType>(elements.getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  Tensor tensor(type);
  if (tensor.isFloat()) {
    auto values = elements.tryGetValues<APFloat>();
    if (!values)
      return std::nullopt;
    for (auto [to, from] : llvm::zip_equal(*tensor.floats, *values))
      to = from.convertToDouble();
    return tensor;
  }
  auto values = elements.tryGetValues<APInt>();
  if (!values)
    return std::nullopt;
  for (auto [to, from] : llvm::zip_equal(*tensor.ints, *values))
    to = from.getBitWidth() == 1 ? from.getZExtValue() : from.getSExtValue();
  return tensor;
}

Tensor Tensor::getScalar(FloatType elementType, double value) {
  Tensor tensor(RankedTensorType::get({}, elementType));
  tensor.floats->front() = value;
  return tensor;
}

Tensor Tensor::getIntScalar(Type elementType, int64_t value) {
  Tensor tensor(RankedTensorType::get({}, elementType));
  assert(tensor.ints && "an integer for a tensor of floats");
  tensor.ints->front() = value;
  return tensor;
}

/// The elements behind `shared`, which nobody else sees.
template <typename T>
static MutableArrayRef<T> unshare(std::shared_ptr<std::vector<T>> &shared) {
  assert(shared && "a tensor of other elements");
  if (shared.use_count() > 1)
    shared = std::make_shared<std::vector<T>>(*shared);
  return *shared;
}

MutableArrayRef<double> Tensor::getMutableFloats() { return unshare(floats); }

MutableArrayRef<int64_t> Tensor::getMutableInts() { return unshare(ints); }

Tensor Tensor::withType(RankedTensorType newType) const {
  Tensor tensor = *this;
  tensor.type = newType;
  assert(newType.getNumElements() == getNumElements() &&
         tensor.isFloat() == isFloat() && "a type of other elements");
  return tensor;
}

static std::string formatFloat(double value, Type elementType,
                               std::optional<unsigned> digits) {
  if (std::isnan(value)) // Of either sign.
    return "nan";
  if (digits)
    return fmt::format("{:.{}g}", value, *digits);
  if (elementType.isF32() && static_cast<float>(value) == value)
    return fmt::format("{}", static_cast<float>(value));
  return fmt::format("{}", value);
}

void Tensor::print(llvm::raw_ostream &os,
                   std::optional<unsigned> digits) const {
  int64_t position = 0;
  auto printDim = [&](auto &&self, int64_t dim) -> void {
    if (dim == getRank()) {
      if (isFloat())
        os << formatFloat((*floats)[position], getElementType(), digits);
      else
        os << (*ints)[position];
      ++position;
      return;
    }
    os << '[';
    for (int64_t i = 0; i < getShape()[dim]; ++i) {
      if (i > 0)
        os << ", ";
      self(self, dim + 1);
    }
    os << ']';
  };
  printDim(printDim, 0);
}

double reference::getError(const Tensor &value, const Tensor &reference) {
  assert(value.getShape() == reference.getShape() && "tensors of other shapes");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double difference = 0, scale = 1e-6;
  auto add = [&](double a, double b) {
    if (a == b || (std::isnan(a) && std::isnan(b))) {
      if (std::isfinite(b))
        scale = std::max(scale, std::abs(b));
      return;
    }
    if (!std::isfinite(a) || !std::isfinite(b)) {
      difference = infinity;
      return;
    }
    difference = std::max(difference, std::abs(a - b));
    scale = std::max(scale, std::abs(b));
  };
  if (value.isFloat())
    for (auto [a, b] :
         llvm::zip_equal(value.getFloats(), reference.getFloats()))
      add(a, b);
  else
    for (auto [a, b] : llvm::zip_equal(value.getInts(), reference.getInts()))
      add(static_cast<double>(a), static_cast<double>(b));
  return difference / scale;
}
