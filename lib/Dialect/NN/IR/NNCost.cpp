//===- NNCost.cpp - What the ops of the nn dialect cost -------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic per op and the loop nest that it becomes. Counts are of what a
// plain implementation does; they rank choices, they do not predict times.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"
#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

/// `extent` for a logical batch of `batch` samples.
static double getNumber(Extent extent, int64_t batch) {
  return static_cast<double>(extent.getNum()) / extent.getDen() *
         std::pow(static_cast<double>(batch), extent.getPower());
}

/// Elements of `value` for a logical batch of `batch` samples.
static double countElements(Value value, int64_t batch) {
  return getNumber(
      getProduct(getExtents(cast<RankedTensorType>(value.getType()))), batch);
}

//===----------------------------------------------------------------------===//
// Elementwise ops and changes of shape
//===----------------------------------------------------------------------===//

/// Ops with a fixed number of operations per element of the result.
#define ACCRUE_COST_PER_ELEMENT(OP, KIND, FLOPS)                               \
  KernelKind OP::getKernelKind() { return KernelKind::KIND; }                  \
  double OP::getFlops(int64_t batch) {                                         \
    return FLOPS * countElements(getResult(), batch);                          \
  }

ACCRUE_COST_PER_ELEMENT(ConstantOp, None, 0)
ACCRUE_COST_PER_ELEMENT(ExtentOp, None, 0)
ACCRUE_COST_PER_ELEMENT(ConvertOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(NegOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(ExpOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(LogOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(TanhOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(SigmoidOp, Elementwise, 4)
ACCRUE_COST_PER_ELEMENT(ReluOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(SqrtOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(SquareOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(AddOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(SubOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(MulOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(DivOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(MaxOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(CompareOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(SelectOp, Elementwise, 1)
// 0.5 x (1 + erf(x c)); with tanh a polynomial of three products and a sum.
ACCRUE_COST_PER_ELEMENT(GeluOp, Elementwise, (getApproximate() ? 8 : 5))
ACCRUE_COST_PER_ELEMENT(AbsOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(SignOp, Elementwise, 2)
ACCRUE_COST_PER_ELEMENT(FloorOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(ErfOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(Log1pOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(Expm1Op, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(RsqrtOp, Elementwise, 2)
ACCRUE_COST_PER_ELEMENT(ReciprocalOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(SinOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(CosOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(SiluOp, Elementwise, 4)
ACCRUE_COST_PER_ELEMENT(SoftplusOp, Elementwise, 5)
ACCRUE_COST_PER_ELEMENT(ClampOp, Elementwise, 2)
ACCRUE_COST_PER_ELEMENT(StopGradientOp, Elementwise, 0)
ACCRUE_COST_PER_ELEMENT(MinOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(PowOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(AndOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(OrOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(NotOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(WhenTrainingOp, Elementwise, 0)
ACCRUE_COST_PER_ELEMENT(IotaOp, Elementwise, 0)
ACCRUE_COST_PER_ELEMENT(BroadcastOp, Elementwise, 0)
ACCRUE_COST_PER_ELEMENT(DistributeOp, Elementwise, 1)
ACCRUE_COST_PER_ELEMENT(ReshapeOp, View, 0)
ACCRUE_COST_PER_ELEMENT(TransposeOp, Movement, 0)
ACCRUE_COST_PER_ELEMENT(SliceOp, Elementwise, 0)
ACCRUE_COST_PER_ELEMENT(PadOp, Elementwise, 0)
ACCRUE_COST_PER_ELEMENT(ConcatOp, Elementwise, 0)
ACCRUE_COST_PER_ELEMENT(FlipOp, Elementwise, 0)
ACCRUE_COST_PER_ELEMENT(GatherOp, Movement, 0)
ACCRUE_COST_PER_ELEMENT(TakeAlongOp, Movement, 0)
ACCRUE_COST_PER_ELEMENT(UnfoldOp, Elementwise, 0)
// Ten rounds of two wide products and what is around them.
ACCRUE_COST_PER_ELEMENT(UniformOp, Elementwise, 100)
ACCRUE_COST_PER_ELEMENT(NormalOp, Elementwise, 110)

#undef ACCRUE_COST_PER_ELEMENT

// Every element of a window is added to a pixel.
KernelKind FoldOp::getKernelKind() { return KernelKind::Movement; }
double FoldOp::getFlops(int64_t batch) {
  return countElements(getInput(), batch);
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

KernelKind MatmulOp::getKernelKind() { return KernelKind::Contraction; }

double MatmulOp::getFlops(int64_t batch) {
  auto lhs = cast<RankedTensorType>(getLhs().getType());
  Extent summed = getExtents(lhs)[lhs.getRank() - (getTransposeLhs() ? 2 : 1)];
  return 2 * countElements(getResult(), batch) * getNumber(summed, batch);
}

//===----------------------------------------------------------------------===//
// Reductions and losses
//===----------------------------------------------------------------------===//

/// Row where only the last of several dimensions is reduced.
static KernelKind getReductionKind(Value input, ArrayRef<int64_t> dims) {
  int64_t rank = cast<RankedTensorType>(input.getType()).getRank();
  bool alongRows = rank > 1 && dims == ArrayRef<int64_t>{rank - 1};
  return alongRows ? KernelKind::Row : KernelKind::Reduction;
}

KernelKind SumOp::getKernelKind() {
  return getReductionKind(getInput(), getDims());
}
double SumOp::getFlops(int64_t batch) {
  return countElements(getInput(), batch);
}

KernelKind MeanOp::getKernelKind() {
  return getReductionKind(getInput(), getDims());
}
double MeanOp::getFlops(int64_t batch) {
  return countElements(getInput(), batch) + countElements(getResult(), batch);
}

KernelKind ReduceMaxOp::getKernelKind() {
  return getReductionKind(getInput(), getDims());
}
double ReduceMaxOp::getFlops(int64_t batch) {
  return countElements(getInput(), batch);
}

KernelKind ReduceMinOp::getKernelKind() {
  return getReductionKind(getInput(), getDims());
}
double ReduceMinOp::getFlops(int64_t batch) {
  return countElements(getInput(), batch);
}

KernelKind CumsumOp::getKernelKind() { return KernelKind::Movement; }
double CumsumOp::getFlops(int64_t batch) {
  return countElements(getInput(), batch);
}

KernelKind ArgmaxOp::getKernelKind() {
  return getReductionKind(getInput(), {static_cast<int64_t>(getDim())});
}
double ArgmaxOp::getFlops(int64_t batch) {
  return countElements(getInput(), batch);
}

KernelKind CrossEntropyOp::getKernelKind() { return KernelKind::Row; }
double CrossEntropyOp::getFlops(int64_t batch) {
  // Per element: maximum, difference, exponential, sum. Per row: a logarithm,
  // an addition and a difference.
  return 4 * countElements(getLogits(), batch) +
         3 * countElements(getResult(), batch);
}

KernelKind CrossEntropyGradOp::getKernelKind() { return KernelKind::Row; }
double CrossEntropyGradOp::getFlops(int64_t batch) {
  // The four above, a quotient, a difference and a product.
  return 7 * countElements(getLogits(), batch);
}

//===----------------------------------------------------------------------===//
// Scatters, and the largest elements
//===----------------------------------------------------------------------===//

KernelKind ScatterAddOp::getKernelKind() {
  // A product with the one-hot matrix of the index. Sums of halves need wider
  // accumulators than their result has.
  Type element = getElementTypeOrSelf(getType());
  return element.isF32() || element.isF64() ? KernelKind::Contraction
                                            : KernelKind::Movement;
}
double ScatterAddOp::getFlops(int64_t batch) {
  return countElements(getUpdates(), batch);
}

KernelKind ScatterAddAlongOp::getKernelKind() { return KernelKind::Movement; }
double ScatterAddAlongOp::getFlops(int64_t batch) {
  return countElements(getUpdates(), batch);
}

KernelKind TopKOp::getKernelKind() { return KernelKind::Row; }
double TopKOp::getFlops(int64_t batch) {
  // A search for each of them.
  return getK() * countElements(getInput(), batch);
}
