//===- NNMovementOps.cpp - Slices, padding, concatenation, flips ----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/IR/Builders.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

/// Fails unless `dim` is a dimension of `type`.
static LogicalResult verifyDim(std::optional<Location> loc, int64_t dim,
                               RankedTensorType type) {
  if (dim >= 0 && dim < type.getRank())
    return success();
  return emitOptionalError(loc, "expected 'dim' in [0, ", type.getRank(),
                           "), got ", dim, " for an operand ", type);
}

/// The extent of dimension `dim`; an error where it depends on the batch.
static FailureOr<int64_t> getStaticExtent(std::optional<Location> loc,
                                          int64_t dim, RankedTensorType type) {
  if (failed(verifyDim(loc, dim, type)))
    return failure();
  Extent extent = getExtents(type)[dim];
  if (!extent.isStatic())
    return emitOptionalError(
        loc,
        "expected a dimension whose extent does not depend on the batch, "
        "got ",
        extent.str(), " along dimension ", dim, " of ", type);
  return extent.getNum();
}

/// `type` with another static extent along `dim`.
static RankedTensorType withExtent(RankedTensorType type, int64_t dim,
                                   const Extent &extent) {
  SmallVector<Extent> extents = getExtents(type);
  extents[dim] = extent;
  return getTensorType(extents, type.getElementType());
}

//===----------------------------------------------------------------------===//
// slice
//===----------------------------------------------------------------------===//

/// Indices start, start + step, ... below stop.
static int64_t countSteps(int64_t start, int64_t stop, int64_t step) {
  return start >= stop ? 0 : (stop - start - 1) / step + 1;
}

LogicalResult
SliceOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                          ValueRange operands, DictionaryAttr attributes,
                          OpaqueProperties properties, RegionRange regions,
                          SmallVectorImpl<Type> &inferred) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  int64_t dim = adaptor.getDim(), start = adaptor.getStart(),
          stop = adaptor.getStop();
  FailureOr<int64_t> extent = getStaticExtent(loc, dim, input);
  if (failed(extent))
    return failure();
  if (start > stop || stop > *extent)
    return emitOptionalError(loc, "expected 0 <= start <= stop <= ", *extent,
                             " (the extent of dimension ", dim, "), got ",
                             start, " to ", stop);
  inferred.push_back(
      withExtent(input, dim, countSteps(start, stop, adaptor.getStep())));
  return success();
}

OpFoldResult SliceOp::fold(FoldAdaptor) {
  // As many elements in ascending order are all of them.
  if (getInput().getType() == getType())
    return getInput();
  auto inner = getInput().getDefiningOp<SliceOp>();
  if (!inner || inner.getDim() != getDim())
    return {};
  int64_t count = cast<RankedTensorType>(getType()).getDimSize(getDim());
  int64_t innerStep = inner.getStep();
  int64_t start = inner.getStart();
  if (count > 0)
    start += static_cast<int64_t>(getStart()) * innerStep;
  // A step that is never taken may be as large as it likes.
  int64_t step = count > 1 ? static_cast<int64_t>(getStep()) * innerStep : 1;
  setStart(start);
  setStop(count == 0 ? start : start + (count - 1) * step + 1);
  setStep(step);
  setOperand(inner.getInput());
  return getResult();
}

//===----------------------------------------------------------------------===//
// pad
//===----------------------------------------------------------------------===//

/// Fails unless elements of `type` can be `value`.
static LogicalResult verifyElement(std::optional<Location> loc, double value,
                                   Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return success();
  bool isBool = integer.getWidth() == 1;
  double limit = std::ldexp(1.0, isBool ? 1 : integer.getWidth() - 1);
  double least = isBool ? 0 : -limit;
  if (value == std::trunc(value) && value >= least && value < limit)
    return success();
  return emitOptionalError(loc,
                           "expected a 'value' that is an element of type ",
                           type, ", got ", value);
}

LogicalResult
PadOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                        ValueRange operands, DictionaryAttr attributes,
                        OpaqueProperties properties, RegionRange regions,
                        SmallVectorImpl<Type> &inferred) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  int64_t dim = adaptor.getDim();
  FailureOr<int64_t> extent = getStaticExtent(loc, dim, input);
  if (failed(extent) ||
      failed(verifyElement(loc, adaptor.getValue().convertToDouble(),
                           input.getElementType())))
    return failure();
  int64_t between, padded = *extent;
  if (llvm::MulOverflow<int64_t>(adaptor.getInterior(),
                                 std::max<int64_t>(*extent - 1, 0), between) ||
      llvm::AddOverflow(padded, between, padded) ||
      llvm::AddOverflow<int64_t>(padded, adaptor.getLow(), padded) ||
      llvm::AddOverflow<int64_t>(padded, adaptor.getHigh(), padded))
    return emitOptionalError(
        loc, "expected fewer than 2^63 elements along dimension ", dim);
  inferred.push_back(withExtent(input, dim, padded));
  return success();
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  return getInput().getType() == getType() ? getInput() : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// concat
//===----------------------------------------------------------------------===//

/// `a` + `b`; none where that is no c * B^p.
static std::optional<Extent> getSum(const Extent &a, const Extent &b) {
  if (a.getNum() == 0)
    return b;
  if (b.getNum() == 0)
    return a;
  if (a.getPower() != b.getPower())
    return std::nullopt;
  int64_t den = std::lcm(a.getDen(), b.getDen());
  return Extent(a.getNum() * (den / a.getDen()) +
                    b.getNum() * (den / b.getDen()),
                den, a.getPower());
}

LogicalResult
ConcatOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                           ValueRange operands, DictionaryAttr attributes,
                           OpaqueProperties properties, RegionRange regions,
                           SmallVectorImpl<Type> &inferred) {
  Adaptor adaptor(operands, attributes, properties, regions);
  if (operands.empty())
    return emitOptionalError(loc, "expected at least one operand");
  auto first = cast<RankedTensorType>(operands.front().getType());
  int64_t dim = adaptor.getDim();
  if (failed(verifyDim(loc, dim, first)))
    return failure();
  Extent total = getExtents(first)[dim];
  for (auto [i, operand] : llvm::enumerate(operands)) {
    if (i == 0)
      continue;
    auto type = cast<RankedTensorType>(operand.getType());
    bool sameRank = type.getRank() == first.getRank();
    if (!sameRank ||
        withExtent(type, dim, Extent(1)) != withExtent(first, dim, Extent(1)))
      return emitOptionalError(loc, "expected operand ", i, " to be ", first,
                               " but for dimension ", dim, ", got ", type);
    Extent extent = getExtents(type)[dim];
    std::optional<Extent> sum = getSum(total, extent);
    if (!sum)
      return emitOptionalError(loc, "expected extents along dimension ", dim,
                               " that depend on the batch alike, got ",
                               total.str(), " and ", extent.str());
    total = *sum;
  }
  inferred.push_back(withExtent(first, dim, total));
  return success();
}

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  return getInputs().size() == 1 ? getInputs().front() : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// flip
//===----------------------------------------------------------------------===//

LogicalResult
FlipOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                         ValueRange operands, DictionaryAttr attributes,
                         OpaqueProperties properties, RegionRange regions,
                         SmallVectorImpl<Type> &inferred) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  ArrayRef<int64_t> dims = adaptor.getDims();
  for (auto [i, dim] : llvm::enumerate(dims))
    if (dim < 0 || dim >= input.getRank() || (i > 0 && dims[i - 1] >= dim))
      return emitOptionalError(loc,
                               "expected strictly increasing 'dims' in [0, ",
                               input.getRank(), "), got ", dim);
  inferred.push_back(input);
  return success();
}

OpFoldResult FlipOp::fold(FoldAdaptor) {
  SmallVector<Extent> extents = getExtents(cast<RankedTensorType>(getType()));
  if (llvm::all_of(getDims(), [&](int64_t dim) { return extents[dim] == 1; }))
    return getInput();
  auto inner = getInput().getDefiningOp<FlipOp>();
  if (!inner)
    return {};
  // What is flipped twice is not flipped.
  SmallVector<int64_t> once;
  std::set_symmetric_difference(getDims().begin(), getDims().end(),
                                inner.getDims().begin(), inner.getDims().end(),
                                std::back_inserter(once));
  setDims(once);
  setOperand(inner.getInput());
  return getResult();
}
