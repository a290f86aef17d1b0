//===- Arguments.cpp - Arguments to run a model on ------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Reference/Arguments.h"
#include "accrue/Dialect/NN/Extent.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "accrue/Interfaces/ReferenceOpInterface.h"
#include "accrue/Reference/EvaluationContext.h"
#include "runtime/io/Init.h"
#include "runtime/io/Philox.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::reference;

/// The smaller of two bounds.
static std::optional<int64_t> meet(std::optional<int64_t> a,
                                   std::optional<int64_t> b) {
  return a && b ? std::min(a, b) : a ? a : b;
}

static bool isInteger(Value value) {
  return isa<IntegerType>(getElementTypeOrSelf(value.getType()));
}

/// The bound of the valid elements of `value` by its uses.
static std::optional<int64_t> getIndexBound(Value value) {
  std::optional<int64_t> bound;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (auto reference = dyn_cast<ReferenceOpInterface>(user))
      bound = meet(bound, reference.getIndexBound(use.getOperandNumber()));
    // Most of these move or select elements; for others the bound is only
    // narrower.
    if (isInteger(value))
      for (Value result : user->getResults())
        if (isInteger(result) && !getElementTypeOrSelf(result).isInteger(1))
          bound = meet(bound, getIndexBound(result));
  }
  return bound;
}

/// What a parameter starts from; constants get noise.
static io::Initializer getInitializer(Attribute init) {
  return TypeSwitch<Attribute, io::Initializer>(init)
      .Case([](train::UniformAttr attr) {
        return io::Initializer::uniform(attr.getBound().convertToDouble());
      })
      .Case([](train::NormalAttr attr) {
        return io::Initializer::normal(attr.getMean().convertToDouble(),
                                       attr.getStd().convertToDouble());
      })
      .Case([](train::FillAttr attr) {
        return io::Initializer::normal(attr.getValue().convertToDouble(), 0.1);
      })
      .Default(io::Initializer::normal(0, 1));
}

static Tensor draw(func::FuncOp function, unsigned index, StringRef name,
                   RankedTensorType type, uint64_t seed) {
  Tensor tensor(type);
  auto role =
      function.getArgAttrOfType<train::RoleAttr>(index, train::attrs::kRole);
  // The state of a run starts from zero, what the model declares near its
  // initial value.
  Attribute init = function.getArgAttr(index, train::attrs::kInit);
  bool isState = role && role.getValue() == train::Role::state;
  if (isState && !init)
    return tensor;
  if (tensor.isFloat()) {
    io::Initializer initializer = io::Initializer::normal(0, 1);
    if (init)
      initializer = getInitializer(init);
    MutableArrayRef<double> values = tensor.getMutableFloats();
    io::initialize(initializer, seed, name, values.data(), values.size());
    Rounding round(type.getElementType());
    for (double &value : values)
      value = round(value);
    return tensor;
  }
  if (auto fill = dyn_cast_if_present<train::FillAttr>(init)) {
    llvm::fill(tensor.getMutableInts(),
               static_cast<int64_t>(fill.getValue().convertToDouble()));
    return tensor;
  }
  uint64_t bound = 8;
  if (type.getElementType().isInteger(1))
    bound = 2;
  else if (auto known = ::getIndexBound(function.getArgument(index)))
    bound = std::max<int64_t>(*known, 1);
  for (auto [i, value] : llvm::enumerate(tensor.getMutableInts()))
    value = io::philoxWords(seed, io::hashName(name), i).first % bound;
  return tensor;
}

FailureOr<SmallVector<Tensor>>
reference::drawArguments(func::FuncOp function, int64_t batch, uint64_t seed,
                         const llvm::StringMap<Tensor> &given) {
  SmallVector<Tensor> arguments;
  for (auto [i, argument] : llvm::enumerate(function.getArguments())) {
    auto attr = function.getArgAttrOfType<StringAttr>(i, train::attrs::kName);
    std::string name = attr ? attr.str() : "argument " + std::to_string(i);
    auto declared = dyn_cast<RankedTensorType>(argument.getType());
    RankedTensorType type =
        declared ? nn::getTypeForBatch(declared, batch) : declared;
    if (!type)
      return function.emitOpError("expected '")
             << name << "' to be a tensor with an integer shape for a batch of "
             << batch << ", got " << argument.getType();
    auto found = given.find(name);
    if (found == given.end()) {
      arguments.push_back(draw(function, i, name, type, seed));
      continue;
    }
    const Tensor &tensor = found->second;
    if (tensor.getShape() != type.getShape() ||
        tensor.isFloat() != isa<FloatType>(type.getElementType()))
      return function.emitOpError("expected '")
             << name << "' of type " << type << ", got " << tensor.getType();
    arguments.push_back(tensor.withType(type));
  }
  return arguments;
}
