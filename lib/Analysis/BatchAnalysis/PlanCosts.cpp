//===- PlanCosts.cpp - Work and bytes of nodes of a plan ------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanCosts.h"
#include "accrue/Dialect/NN/Extent.h"
#include "accrue/Interfaces/CostOpInterface.h"
#include <cmath>

using namespace mlir;
using namespace accrue;

double accrue::countElements(RankedTensorType type, int64_t batch) {
  nn::Extent product = nn::getProduct(nn::getExtents(type));
  return static_cast<double>(product.getNum()) / product.getDen() *
         std::pow(static_cast<double>(batch), product.getPower());
}

double accrue::countBytes(RankedTensorType type, int64_t batch) {
  unsigned bits = type.getElementType().getIntOrFloatBitWidth();
  return countElements(type, batch) * std::max(1u, bits / 8);
}

int64_t accrue::getBatchPower(RankedTensorType type) {
  return nn::getProduct(nn::getExtents(type)).getPower();
}

double accrue::getFlops(const PlanNode &node, int64_t batch) {
  if (node.kind != PlanNode::Kind::Op)
    return 0;
  auto op = dyn_cast<CostOpInterface>(node.op);
  return op ? op.getFlops(batch) : 0;
}
