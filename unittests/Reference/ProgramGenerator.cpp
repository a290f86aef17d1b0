//===- ProgramGenerator.cpp - Random models -------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramGenerator.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "accrue/Dialect/Train/TrainOps.h"
#include "runtime/io/Philox.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;
using namespace accrue::reference;

namespace {
/// Grows a function op by op from a pool of float values.
class Generator {
public:
  Generator(MLIRContext &context, uint64_t seed, int64_t batch)
      : builder(&context), loc(builder.getUnknownLoc()), seed(seed),
        batch(batch) {}

  OwningOpRef<ModuleOp> generate(unsigned size);

private:
  using Shape = SmallVector<Extent>;

  /// A random number in [0, n).
  int64_t draw(int64_t n) {
    return io::philoxWords(seed, /*stream=*/0, counter++).first % n;
  }
  bool chance(int64_t percent) { return draw(100) < percent; }
  /// A value of the pool; more likely one of the last, and one per sample.
  Value pick() {
    Value value;
    int64_t size = values.size();
    for (int attempt = 0; attempt < 3; ++attempt) {
      value = values[size - 1 - std::min(draw(size), draw(size))];
      if (isBatched(value))
        break;
    }
    return value;
  }

  static RankedTensorType getType(Value value) {
    return cast<RankedTensorType>(value.getType());
  }
  static Shape getShape(Value value) { return getExtents(getType(value)); }
  RankedTensorType makeType(const Shape &shape) {
    return getTensorType(shape, builder.getF64Type());
  }
  /// Whether a dimension depends on the batch.
  static bool isBatched(const Extent &extent) { return !extent.isStatic(); }
  static bool isBatched(Value value) {
    return llvm::any_of(getShape(value),
                        [](const Extent &e) { return isBatched(e); });
  }

  func::FuncOp createFunction(ModuleOp module);
  Value addArgument(func::FuncOp function, RankedTensorType type,
                    train::Role role, const Twine &name);

  void step();
  Value unary();
  Value binary();
  Value reduce(bool overBatch);
  Value transpose();
  Value reshape();
  /// A product of two matrices in any orientation that fits; null where none
  /// does.
  Value multiply(Value lhs, Value rhs);
  Value lose();
  Value choose();
  /// Joins parameters with inputs, so that most of the pool depends on both.
  void join(ArrayRef<Value> params, ArrayRef<Value> inputs);

  /// `value` repeated along new dimensions so that it has `shape`, where its
  /// own shape is a part of it in order; null otherwise.
  Value broadcastTo(Value value, const Shape &shape);
  /// Another value of the pool in the shape of `value`; `value` where there is
  /// none.
  Value partner(Value value);
  /// `value` reduced to a scalar that may be a loss term.
  Value toScalar(Value value);
  Value splat(double value, RankedTensorType type);

  OpBuilder builder;
  Location loc;
  uint64_t seed;
  uint64_t counter = 0;
  int64_t batch;
  SmallVector<Value> values;
  Value label;
};
} // namespace

Value Generator::addArgument(func::FuncOp function, RankedTensorType type,
                             train::Role role, const Twine &name) {
  SmallVector<NamedAttribute> attributes = {
      builder.getNamedAttr(train::attrs::kRole,
                           train::RoleAttr::get(builder.getContext(), role)),
      builder.getNamedAttr(train::attrs::kName, builder.getStringAttr(name))};
  if (role == train::Role::batch)
    for (auto [dim, extent] : llvm::enumerate(getExtents(type)))
      if (extent.isBatch())
        attributes.push_back(builder.getNamedAttr(
            train::attrs::kBatchDim, builder.getI64IntegerAttr(dim)));
  if (role == train::Role::param) {
    APFloat zero(0.0);
    attributes.push_back(builder.getNamedAttr(
        train::attrs::kRule,
        train::SGDAttr::get(builder.getContext(), APFloat(0.1), zero, false,
                            zero)));
  }
  unsigned index = function.getNumArguments();
  (void)function.insertArgument(index, type,
                                builder.getDictionaryAttr(attributes), loc);
  return function.getArgument(index);
}

func::FuncOp Generator::createFunction(ModuleOp module) {
  builder.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(builder, loc, "program",
                                       builder.getFunctionType({}, {}));
  function.addEntryBlock();
  Extent b = Extent::batch();
  const Shape params[] = {{}, {3}, {4}, {4, 3}, {3, 4}, {2, 3}, {3, 3}};
  for (int i = 0; i < 3; ++i)
    values.push_back(addArgument(function, makeType(params[draw(7)]),
                                 train::Role::param, "w" + Twine(i)));
  const Shape inputs[] = {{b},    {b, 3},    {b, 4},    {b, 2, 3},
                          {4, b}, {b, 4, 3}, {3, b, 4}, {b, 3, 4}};
  for (int i = 0; i < 2; ++i)
    values.push_back(addArgument(function, makeType(inputs[draw(8)]),
                                 train::Role::batch, "x" + Twine(i)));
  label = addArgument(function, getTensorType({b}, builder.getIntegerType(32)),
                      train::Role::batch, "label");
  function->setAttr(train::attrs::kModel, builder.getUnitAttr());
  function->setAttr(train::attrs::kBatch, builder.getI64IntegerAttr(batch));
  return function;
}

Value Generator::splat(double value, RankedTensorType type) {
  auto scalar = RankedTensorType::get({}, builder.getF64Type());
  Value constant = ConstantOp::create(
      builder, loc, cast<ElementsAttr>(DenseElementsAttr::get(scalar, value)));
  return broadcastTo(constant, getExtents(type));
}

Value Generator::broadcastTo(Value value, const Shape &shape) {
  Shape own = getShape(value);
  SmallVector<int64_t> added;
  size_t next = 0;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (next < own.size() && own[next] == extent)
      ++next;
    else
      added.push_back(dim);
  }
  if (next != own.size())
    return {};
  if (added.empty())
    return value;
  return BroadcastOp::create(builder, loc, makeType(shape), value,
                             builder.getDenseI64ArrayAttr(added));
}

Value Generator::partner(Value value) {
  for (int attempt = 0; attempt < 4; ++attempt)
    if (Value other = broadcastTo(pick(), getShape(value)))
      return other;
  return value;
}

void Generator::join(ArrayRef<Value> params, ArrayRef<Value> inputs) {
  for (Value input : inputs)
    for (Value param : params) {
      if (Value product = multiply(input, param))
        values.push_back(product);
      if (Value repeated = broadcastTo(param, getShape(input))) {
        Value sum = AddOp::create(builder, loc, input, repeated);
        values.push_back(sum);
        Value product = MulOp::create(builder, loc, input, repeated);
        values.push_back(product);
      }
    }
}

Value Generator::unary() {
  Value value = pick();
  switch (draw(8)) {
  case 0:
    return NegOp::create(builder, loc, value);
  case 1: // Bounded from both sides.
    return ExpOp::create(builder, loc, TanhOp::create(builder, loc, value));
  case 2:
    return LogOp::create(builder, loc, SigmoidOp::create(builder, loc, value));
  case 3:
    return ReluOp::create(builder, loc, value);
  case 4:
    return SquareOp::create(builder, loc, TanhOp::create(builder, loc, value));
  case 5:
    return SqrtOp::create(
        builder, loc,
        ExpOp::create(builder, loc, TanhOp::create(builder, loc, value)));
  case 6:
    return SigmoidOp::create(builder, loc, value);
  default:
    return TanhOp::create(builder, loc, value);
  }
}

Value Generator::binary() {
  Value lhs = pick(), rhs = partner(lhs);
  switch (draw(5)) {
  case 0:
    return AddOp::create(builder, loc, lhs, rhs);
  case 1:
    return SubOp::create(builder, loc, lhs, rhs);
  case 2:
    return MulOp::create(builder, loc, lhs, TanhOp::create(builder, loc, rhs));
  case 3:
    return MaxOp::create(builder, loc, lhs, rhs);
  default: {
    Value positive = AddOp::create(builder, loc, splat(0.5, getType(rhs)),
                                   SigmoidOp::create(builder, loc, rhs));
    return DivOp::create(builder, loc, lhs, positive);
  }
  }
}

Value Generator::reduce(bool overBatch) {
  Value value = pick();
  SmallVector<int64_t> dims;
  for (auto [dim, extent] : llvm::enumerate(getShape(value)))
    if ((overBatch || !isBatched(extent)) && chance(60))
      dims.push_back(dim);
  if (dims.empty())
    return value;
  if (chance(50))
    return MeanOp::create(builder, loc, value, dims);
  return SumOp::create(builder, loc, value, dims);
}

Value Generator::transpose() {
  Value value = pick();
  SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::seq<int64_t>(0, getType(value).getRank()));
  for (size_t i = permutation.size(); i > 1; --i)
    std::swap(permutation[i - 1], permutation[draw(i)]);
  return TransposeOp::create(builder, loc, value, permutation);
}

Value Generator::reshape() {
  Value value = pick();
  Shape shape = getShape(value);
  if (shape.size() < 2)
    return value;
  // Two neighbours become one, or one of 4 becomes 2 x 2.
  size_t dim = draw(shape.size() - 1);
  if (shape[dim] == Extent(4) && chance(50)) {
    shape[dim] = 2;
    shape.insert(shape.begin() + dim, Extent(2));
  } else {
    shape[dim] = shape[dim] * shape[dim + 1];
    shape.erase(shape.begin() + dim + 1);
  }
  if (llvm::any_of(shape, [](const Extent &e) { return e.getPower() > 1; }))
    return value;
  return ReshapeOp::create(builder, loc, makeType(shape), value);
}

Value Generator::multiply(Value lhs, Value rhs) {
  if (getType(lhs).getRank() != 2 || getType(rhs).getRank() != 2)
    return {};
  int64_t first = draw(4);
  for (int64_t i = first; i < first + 4; ++i) {
    bool transposeLhs = i & 1, transposeRhs = i & 2;
    Extent inner = getShape(lhs)[transposeLhs ? 0 : 1];
    Extent left = getShape(lhs)[transposeLhs ? 1 : 0];
    Extent right = getShape(rhs)[transposeRhs ? 0 : 1];
    if (inner != getShape(rhs)[transposeRhs ? 1 : 0] ||
        (left * right).getPower() > 1)
      continue;
    return MatmulOp::create(builder, loc, makeType({left, right}), lhs, rhs,
                            transposeLhs, transposeRhs);
  }
  return {};
}

Value Generator::lose() {
  for (int attempt = 0; attempt < 4; ++attempt) {
    Value value = pick();
    Shape shape = getShape(value);
    if (shape.size() == 2 && shape[0].isBatch() && !isBatched(shape[1]))
      return CrossEntropyOp::create(builder, loc, value, label);
  }
  return pick();
}

Value Generator::choose() {
  Value lhs = pick(), rhs = partner(lhs);
  Value condition =
      CompareOp::create(builder, loc, ComparePredicate::lt, partner(lhs), rhs);
  return SelectOp::create(builder, loc, condition, lhs, rhs);
}

void Generator::step() {
  Value value;
  int64_t kind = draw(100);
  if (kind < 25)
    value = unary();
  else if (kind < 50)
    value = binary();
  else if (kind < 60)
    value = reduce(/*overBatch=*/chance(20));
  else if (kind < 68)
    value = transpose();
  else if (kind < 76)
    value = reshape();
  else if (kind < 90)
    value = multiply(pick(), values[draw(values.size())]);
  else if (kind < 95)
    value = lose();
  else
    value = choose();
  if (!value)
    return;
  values.push_back(value);
  if (values.size() > 12)
    values.erase(values.begin() + draw(12));
}

Value Generator::toScalar(Value value) {
  SmallVector<int64_t> dims =
      llvm::to_vector(llvm::seq<int64_t>(0, getType(value).getRank()));
  if (chance(50))
    value = TanhOp::create(builder, loc, value);
  if (dims.empty())
    return value;
  if (chance(70))
    return MeanOp::create(builder, loc, value, dims);
  return SumOp::create(builder, loc, value, dims);
}

OwningOpRef<ModuleOp> Generator::generate(unsigned size) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  func::FuncOp function = createFunction(*module);
  builder.setInsertionPointToEnd(&function.front());
  SmallVector<Value> params(values.begin(), values.begin() + 3);
  SmallVector<Value> inputs(values.begin() + 3, values.end());
  join(params, inputs);
  for (unsigned i = 0; i < size; ++i)
    step();

  // Every parameter is active: by a term without a batch.
  Value loss = toScalar(values.back());
  for (int i = 0; i < 3; ++i)
    loss = AddOp::create(builder, loc, loss, toScalar(pick()));
  for (Value param : params) {
    Value square = SquareOp::create(builder, loc, param);
    loss = AddOp::create(builder, loc, loss, toScalar(square));
  }
  func::ReturnOp::create(builder, loc, loss);
  auto kind =
      train::ResultKindAttr::get(builder.getContext(), train::ResultKind::loss);
  (void)function.insertResult(
      0, loss.getType(),
      builder.getDictionaryAttr(
          {builder.getNamedAttr(train::attrs::kName,
                                builder.getStringAttr("loss")),
           builder.getNamedAttr(train::attrs::kResult, kind)}));
  return module;
}

OwningOpRef<ModuleOp> reference::generateProgram(MLIRContext &context,
                                                 uint64_t seed, unsigned size,
                                                 int64_t batch) {
  return Generator(context, seed, batch).generate(size);
}
