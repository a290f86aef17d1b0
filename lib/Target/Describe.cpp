//===- Describe.cpp - What a program looks like from outside --------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Target/Describe.h"
#include "accrue/Analysis/IndexBounds.h"
#include "accrue/Dialect/NN/Extent.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace accrue;

std::optional<io::DType> accrue::getDType(Type elementType) {
  return llvm::TypeSwitch<Type, std::optional<io::DType>>(elementType)
      .Case([](Float16Type) { return io::DType::F16; })
      .Case([](BFloat16Type) { return io::DType::BF16; })
      .Case([](Float32Type) { return io::DType::F32; })
      .Case([](Float64Type) { return io::DType::F64; })
      .Case([](IntegerType type) -> std::optional<io::DType> {
        switch (type.getWidth()) {
        case 1:
          return io::DType::Bool;
        case 32:
          return io::DType::I32;
        case 64:
          return io::DType::I64;
        default:
          return std::nullopt;
        }
      })
      .Default([](Type) -> std::optional<io::DType> { return std::nullopt; });
}

FailureOr<std::vector<InputInfo>>
accrue::describeInputs(func::FuncOp function,
                       const train::Signature &signature) {
  std::vector<InputInfo> inputs;
  for (const train::Signature::Input &input : signature.inputs) {
    SmallVector<nn::Extent> extents = nn::getExtents(input.type);
    const nn::Extent &samples = extents[input.batchDim];
    std::optional<io::DType> dtype = getDType(input.type.getElementType());
    std::vector<int64_t> shape(extents.size(), -1);
    bool readable = dtype && (samples.isBatch() || samples.isStatic());
    for (auto [dim, extent] : llvm::enumerate(extents)) {
      if (static_cast<int64_t>(dim) == input.batchDim)
        continue;
      readable &= extent.isStatic();
      shape[dim] = extent.getNum();
    }
    if (!readable)
      return emitError(function.getArgument(input.number).getLoc())
             << "batch input '" << input.name << "' of type " << input.type
             << " cannot be read from a file: expected numbers, one row per "
                "sample";
    std::vector<io::IndexBound> bounds;
    for (const IndexBound &bound : getIndexBounds(
             function, function.getArgument(input.number), input.batchDim))
      bounds.push_back(
          {bound.begin, bound.end, bound.bound, describeReader(bound)});
    inputs.push_back(
        {input.name, *dtype, shape, input.batchDim, std::move(bounds)});
  }
  return inputs;
}

std::vector<std::string>
accrue::describeMetrics(const train::Signature &signature) {
  std::vector<std::string> names;
  for (const train::Signature::Result &result : signature.results)
    if (result.kind == train::ResultKind::metric)
      names.push_back(result.name);
  return names;
}
