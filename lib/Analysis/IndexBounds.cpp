//===- IndexBounds.cpp - Valid values of integer inputs -------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows the elements of an input through the ops that only move them. No op
// has to say that it does: it is evaluated by its reference semantics on
// numbers that stand for the elements, in several codes. Where every code names
// the same element in the same place, the op has moved it there; arithmetic,
// order and selection give different answers in different codes.
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/IndexBounds.h"

#include "accrue/Dialect/NN/Extent.h"
#include "accrue/Interfaces/ReferenceOpInterface.h"
#include "accrue/Reference/EvaluationContext.h"
#include "accrue/Support/Location.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <array>
#include <numeric>

using namespace mlir;
using namespace accrue;
using reference::Tensor;

namespace {

/// Evaluates single ops, of no region.
class OpContext final : public reference::EvaluationContext {
public:
  explicit OpContext(int64_t batch)
      : EvaluationContext(batch, reference::Precision::F64) {}
  LogicalResult evaluateRegion(Region &, ArrayRef<Tensor>,
                               SmallVectorImpl<Tensor> &) override {
    return failure();
  }
};

/// Numbers for elements: large, so that no constant of a model is one, negative
/// too, and in different orders.
class Codes {
public:
  static constexpr unsigned kCount = 3;
  /// All numbers fit i32.
  static constexpr int64_t kMaxElements = int64_t(1) << 28;

  explicit Codes(int64_t elements) : elements(elements) {
    stride = std::max<int64_t>(elements / 2 + 1, 1);
    while (std::gcd(stride, elements) != 1)
      ++stride;
    inverse.resize(elements);
    for (int64_t i = 0; i < elements; ++i)
      inverse[i * stride % elements] = i;
  }

  /// A value that is no element gets numbers that are none.
  int64_t encode(unsigned code, int64_t element) const {
    if (element < 0)
      return kOther[code];
    switch (code) {
    case 0:
      return kBase + element;
    case 1:
      return -2 * kBase - element;
    default:
      return 2 * kBase + element * stride % elements;
    }
  }

  /// The element of a number, or -1.
  int64_t decode(unsigned code, int64_t number) const {
    int64_t offset = code == 0   ? number - kBase
                     : code == 1 ? -number - 2 * kBase
                                 : number - 2 * kBase;
    if (offset < 0 || offset >= elements)
      return -1;
    return code == 2 ? inverse[offset] : offset;
  }

private:
  static constexpr int64_t kBase = int64_t(1) << 29;
  static constexpr int64_t kOther[kCount] = {7919, -104729, 1299709};

  int64_t elements;
  int64_t stride;
  std::vector<int64_t> inverse;
};

/// The elements that a value consists of; -1 for what is none.
using Elements = std::vector<int64_t>;

/// Follows one input through a function.
class Tracer {
public:
  Tracer(func::FuncOp function, BlockArgument input, int64_t batchDim);

  SmallVector<IndexBound> run();

private:
  void read(Operation *op, const OpOperand &operand, int64_t bound);
  void move(Operation *op);
  std::optional<Elements> evaluate(ReferenceOpInterface op, Value result,
                                   OpContext &context) const;
  SmallVector<IndexBound> summarize() const;

  struct Reading {
    int64_t bound;
    Operation *reader;
  };

  func::FuncOp function;
  BlockArgument input;
  int64_t batchDim;
  /// Samples to follow: as few as make every extent a whole number.
  int64_t batch = 1;
  RankedTensorType type;
  std::optional<Codes> codes;
  llvm::DenseMap<Value, Elements> traced;
  /// By element of the input.
  std::vector<std::optional<Reading>> readings;
};

} // namespace

/// Whether `type` is one that indices have.
static bool holdsIndices(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return false;
  auto element = dyn_cast<IntegerType>(tensor.getElementType());
  return element && element.getWidth() >= 32;
}

Tracer::Tracer(func::FuncOp function, BlockArgument input, int64_t batchDim)
    : function(function), input(input), batchDim(batchDim) {
  auto add = [&](Value value) {
    if (auto tensor = dyn_cast<RankedTensorType>(value.getType()))
      for (const nn::Extent &extent : nn::getExtents(tensor))
        if (extent.getDen() <= Codes::kMaxElements)
          batch = std::lcm(batch, extent.getDen());
    batch = std::min(batch, Codes::kMaxElements);
  };
  llvm::for_each(function.getArguments(), add);
  function.walk([&](Operation *op) { llvm::for_each(op->getResults(), add); });
}

void Tracer::read(Operation *op, const OpOperand &operand, int64_t bound) {
  for (int64_t element : traced.at(operand.get())) {
    if (element < 0)
      continue;
    std::optional<Reading> &reading = readings[element];
    if (!reading || bound < reading->bound)
      reading = Reading{bound, op};
  }
}

std::optional<Elements> Tracer::evaluate(ReferenceOpInterface op, Value result,
                                         OpContext &context) const {
  std::array<Tensor, Codes::kCount> numbers;
  for (unsigned code = 0; code < Codes::kCount; ++code) {
    SmallVector<Tensor> operands, results;
    for (Value operand : op->getOperands()) {
      Tensor tensor(nn::getTypeForBatch(
          cast<RankedTensorType>(operand.getType()), batch));
      llvm::transform(
          traced.at(operand), tensor.getMutableInts().begin(),
          [&](int64_t element) { return codes->encode(code, element); });
      operands.push_back(std::move(tensor));
    }
    if (failed(op.evaluate(operands, context, results)))
      return std::nullopt;
    numbers[code] = results[cast<OpResult>(result).getResultNumber()];
  }
  Elements elements(numbers[0].getNumElements());
  bool any = false;
  for (auto [i, element] : llvm::enumerate(elements)) {
    element = codes->decode(0, numbers[0].getInts()[i]);
    for (unsigned code = 1; code < Codes::kCount; ++code)
      if (codes->decode(code, numbers[code].getInts()[i]) != element)
        element = -1;
    any |= element >= 0;
  }
  if (!any)
    return std::nullopt;
  return elements;
}

void Tracer::move(Operation *op) {
  auto reference = dyn_cast<ReferenceOpInterface>(op);
  if (!reference || op->getNumRegions() != 0 ||
      !llvm::all_of(op->getOperands(),
                    [&](Value operand) { return traced.contains(operand); }))
    return;
  OpContext context(batch);
  for (Value result : op->getResults()) {
    if (!holdsIndices(result.getType()) ||
        !nn::getTypeForBatch(cast<RankedTensorType>(result.getType()), batch))
      continue;
    if (std::optional<Elements> elements = evaluate(reference, result, context))
      traced[result] = std::move(*elements);
  }
}

SmallVector<IndexBound> Tracer::run() {
  if (!holdsIndices(input.getType()))
    return {};
  type = nn::getTypeForBatch(cast<RankedTensorType>(input.getType()), batch);
  if (!type || type.getNumElements() == 0 ||
      type.getNumElements() > Codes::kMaxElements)
    return {};
  codes.emplace(type.getNumElements());
  Elements all(type.getNumElements());
  std::iota(all.begin(), all.end(), 0);
  readings.resize(all.size());
  traced[input] = std::move(all);

  // A probe may leave the domain of an op; that is no error of the model.
  ScopedDiagnosticHandler silence(function.getContext(),
                                  [](Diagnostic &) { return success(); });
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool moves = false;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!traced.contains(operand.get()))
        continue;
      moves = true;
      auto reference = dyn_cast<ReferenceOpInterface>(op);
      if (!reference)
        continue;
      if (std::optional<int64_t> bound =
              reference.getIndexBound(operand.getOperandNumber())) {
        read(op, operand, *bound);
        moves = false;
        break;
      }
    }
    if (moves)
      move(op);
  });
  return summarize();
}

SmallVector<IndexBound> Tracer::summarize() const {
  ArrayRef<int64_t> shape = type.getShape();
  auto product = [](ArrayRef<int64_t> extents) {
    return std::accumulate(extents.begin(), extents.end(), int64_t(1),
                           std::multiplies<int64_t>());
  };
  int64_t samples = shape[batchDim];
  int64_t inner = product(shape.drop_front(batchDim + 1));
  int64_t perSample = type.getNumElements() / samples;
  SmallVector<IndexBound> bounds;
  for (int64_t element = 0; element < perSample; ++element) {
    // All samples are read alike; where not, the weakest demand counts.
    std::optional<Reading> weakest;
    for (int64_t sample = 0; sample < samples; ++sample) {
      int64_t place =
          element / inner * samples * inner + sample * inner + element % inner;
      const std::optional<Reading> &reading = readings[place];
      if (!reading) {
        weakest.reset();
        break;
      }
      if (!weakest || reading->bound > weakest->bound)
        weakest = reading;
    }
    if (!weakest)
      continue;
    if (!bounds.empty() && bounds.back().end == element &&
        bounds.back().bound == weakest->bound &&
        bounds.back().reader == weakest->reader) {
      ++bounds.back().end;
      continue;
    }
    bounds.push_back({element, element + 1, weakest->bound, weakest->reader});
  }
  return bounds;
}

SmallVector<IndexBound> accrue::getIndexBounds(func::FuncOp function,
                                               BlockArgument input,
                                               int64_t batchDim) {
  return Tracer(function, input, batchDim).run();
}

std::string accrue::describeReader(const IndexBound &bound) {
  std::string text = bound.reader->getName().stripDialect().str();
  std::string place = formatLocation(bound.reader->getLoc());
  return place.empty() ? text : text + " at " + place;
}
