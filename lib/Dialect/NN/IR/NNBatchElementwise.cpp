//===- NNBatchElementwise.cpp - Batch rules of constants, elementwise ops -===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise ops work in one mode: that of the first mapped operand that is
// not a mere repetition. The others are fetched in it.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

Attribute ExtentOp::getConstantForBatch(int64_t batch) {
  std::optional<int64_t> value =
      getProduct(getExtents().getExtents()).evaluate(batch);
  auto type = cast<RankedTensorType>(getType());
  if (!value)
    return {};
  if (isa<FloatType>(type.getElementType()))
    return DenseElementsAttr::get(
        type, FloatAttr::get(type.getElementType(), *value).getValue());
  return DenseElementsAttr::get(
      type, IntegerAttr::get(type.getElementType(), *value).getValue());
}

FailureOr<BatchRule> ExtentOp::inferBatchRule(ArrayRef<BatchState>,
                                              std::string &) {
  return BatchRule{{}, {BatchState::once()}};
}

// Without operands it is computed once, with the indices of the logical batch;
// along another dimension a slice is the same indices for fewer samples.
FailureOr<BatchRule> IotaOp::inferBatchRule(ArrayRef<BatchState>,
                                            std::string &) {
  return BatchRule{{}, {BatchState::once()}};
}

std::optional<SmallVector<BatchState>> IotaOp::operandModes(unsigned,
                                                            MappedMode mode) {
  if (mode.dim == static_cast<int64_t>(getDim()))
    return std::nullopt;
  return SmallVector<BatchState>();
}

static BatchRule inferElementwise(Operation *op,
                                  ArrayRef<BatchState> operands) {
  const BatchState *chosen = nullptr;
  bool chosenIsBroadcast = true;
  for (auto [operand, state] : llvm::zip_equal(op->getOperands(), operands)) {
    if (!state.isMapped())
      continue;
    bool isBroadcast = operand.getDefiningOp<BroadcastOp>() != nullptr;
    if (!chosen || (chosenIsBroadcast && !isBroadcast)) {
      chosen = &state;
      chosenIsBroadcast = isBroadcast;
    }
  }
  BatchRule rule;
  rule.operands.assign(operands.size(), *chosen);
  rule.results.push_back(*chosen);
  return rule;
}

static SmallVector<BatchState> elementwiseModes(Operation *op,
                                                MappedMode mode) {
  return SmallVector<BatchState>(op->getNumOperands(),
                                 BatchState::mapped(mode));
}

#define ELEMENTWISE_RULE(OP)                                                   \
  FailureOr<BatchRule> OP::inferBatchRule(ArrayRef<BatchState> operands,       \
                                          std::string &) {                     \
    return inferElementwise(*this, operands);                                  \
  }                                                                            \
  std::optional<SmallVector<BatchState>> OP::operandModes(unsigned,            \
                                                          MappedMode mode) {   \
    return elementwiseModes(*this, mode);                                      \
  }
ELEMENTWISE_RULE(ConvertOp)
ELEMENTWISE_RULE(NegOp)
ELEMENTWISE_RULE(ExpOp)
ELEMENTWISE_RULE(LogOp)
ELEMENTWISE_RULE(TanhOp)
ELEMENTWISE_RULE(SigmoidOp)
ELEMENTWISE_RULE(ReluOp)
ELEMENTWISE_RULE(SqrtOp)
ELEMENTWISE_RULE(SquareOp)
ELEMENTWISE_RULE(AddOp)
ELEMENTWISE_RULE(SubOp)
ELEMENTWISE_RULE(MulOp)
ELEMENTWISE_RULE(DivOp)
ELEMENTWISE_RULE(MaxOp)
ELEMENTWISE_RULE(CompareOp)
ELEMENTWISE_RULE(SelectOp)
ELEMENTWISE_RULE(AbsOp)
ELEMENTWISE_RULE(SignOp)
ELEMENTWISE_RULE(FloorOp)
ELEMENTWISE_RULE(ErfOp)
ELEMENTWISE_RULE(Log1pOp)
ELEMENTWISE_RULE(Expm1Op)
ELEMENTWISE_RULE(RsqrtOp)
ELEMENTWISE_RULE(ReciprocalOp)
ELEMENTWISE_RULE(SinOp)
ELEMENTWISE_RULE(CosOp)
ELEMENTWISE_RULE(SiluOp)
ELEMENTWISE_RULE(SoftplusOp)
ELEMENTWISE_RULE(GeluOp)
ELEMENTWISE_RULE(ClampOp)
ELEMENTWISE_RULE(StopGradientOp)
ELEMENTWISE_RULE(MinOp)
ELEMENTWISE_RULE(PowOp)
ELEMENTWISE_RULE(AndOp)
ELEMENTWISE_RULE(OrOp)
ELEMENTWISE_RULE(NotOp)
ELEMENTWISE_RULE(WhenTrainingOp)
#undef ELEMENTWISE_RULE

// A conversion to a narrower float rounds, which is linear up to the rounding
// that the result has anyway; to and from integers it is not.
bool ConvertOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.all() &&
         isa<FloatType>(getElementTypeOrSelf(getInput().getType())) &&
         isa<FloatType>(getElementTypeOrSelf(getType()));
}

bool StopGradientOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.all();
}

bool NegOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.all();
}

// A sum is linear in both operands together, and affine in one.
bool AddOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.all();
}

bool SubOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.all();
}

bool MulOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.count() == 1;
}

/// Whether `value` is known to have no zero: a constant, repeated or not, or an
/// extent.
static bool isNonZero(Value value) {
  while (auto broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getInput();
  if (value.getDefiningOp<ExtentOp>())
    return true;
  auto constant = value.getDefiningOp<ConstantOp>();
  auto elements =
      constant ? dyn_cast<DenseFPElementsAttr>(constant.getValue()) : nullptr;
  return elements && llvm::none_of(elements.getValues<APFloat>(),
                                   [](const APFloat &x) { return x.isZero(); });
}

/// A quotient by 0 is infinite, and infinite contributions of micro-batches may
/// cancel to NaN where the sum is finite: only what is no 0 divides them.
bool DivOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.count() == 1 && operands.test(0) &&
         isa<FloatType>(getElementTypeOrSelf(getType())) && isNonZero(getRhs());
}

std::optional<int64_t> DivOp::getDegreeIn(unsigned operand) {
  if (!isa<FloatType>(getElementTypeOrSelf(getType())))
    return std::nullopt;
  return operand == 0 ? 1 : -1;
}

std::optional<int64_t> SquareOp::getDegreeIn(unsigned) { return 2; }

std::optional<int64_t> ReciprocalOp::getDegreeIn(unsigned) { return -1; }

bool SelectOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return !operands.test(0) && operands.test(1) && operands.test(2);
}
