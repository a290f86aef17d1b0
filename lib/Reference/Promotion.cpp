//===- Promotion.cpp - A model in f64 -------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Reference/Promotion.h"
#include "accrue/Dialect/NN/Extent.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::reference;

void reference::promoteToF64(func::FuncOp model) {
  Type f64 = Float64Type::get(model.getContext());
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](RankedTensorType type) -> Type {
    return isa<FloatType>(type.getElementType())
               ? nn::withElementType(type, f64)
               : type;
  });
  replacer.addReplacement([&](DenseElementsAttr elements) -> Attribute {
    auto type = dyn_cast<FloatType>(elements.getElementType());
    if (!type || type == f64)
      return elements;
    return cast<DenseFPElementsAttr>(elements).mapValues(
        f64, [](const APFloat &value) {
          return APFloat(value.convertToDouble()).bitcastToAPInt();
        });
  });
  replacer.recursivelyReplaceElementsIn(model, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

Tensor reference::promoteToF64(const Tensor &tensor) {
  if (!tensor.isFloat())
    return tensor;
  return tensor.withType(nn::withElementType(
      tensor.getType(), Float64Type::get(tensor.getType().getContext())));
}
