//===- EmitAttention.cpp - Attention --------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scaled dot-product attention of heads.
//
//===----------------------------------------------------------------------===//

#include "Builtins.h"
#include <cmath>

using namespace mlir;

namespace accrue::frontend {

/// `query` [N, H, T, D], `key` [N, G, S, D], `value` [N, G, S, E].
static bool checkHeads(BuiltinCall &call, Value query, Value key, Value value) {
  SmallVector<nn::Extent> q = nn::getExtents(getTensorType(query));
  SmallVector<nn::Extent> k = nn::getExtents(getTensorType(key));
  SmallVector<nn::Extent> v = nn::getExtents(getTensorType(value));
  std::string expected;
  if (q[0] != k[0] || k[0] != v[0])
    expected = "query, key and value of equally many samples";
  else if (k[1] != v[1] || k[2] != v[2])
    expected = "key and value of equal heads and positions";
  else if (q[3] != k[3])
    expected = "query and key of equal width";
  else if (!q[1].isStatic() || !k[1].isStatic() ||
           q[1].getNum() % k[1].getNum() != 0)
    expected = "a number of query heads that the key heads divide";
  if (expected.empty())
    return true;
  InFlightDiagnostic diag = call.emitError();
  diag << "expected " << expected << ", got "
       << formatType(getTensorType(query)) << ", "
       << formatType(getTensorType(key)) << " and "
       << formatType(getTensorType(value));
  call.getEmitter().noteOperands(diag, call.getArguments().take_front(3));
  return false;
}

/// The mask as [T, S] or [N, H, T, S]; null after an error.
static Value getMask(BuiltinCall &call, unsigned index, Value query,
                     Value key) {
  Value mask = call.getTensor(index);
  if (!mask)
    return {};
  SmallVector<nn::Extent> full = nn::getExtents(getTensorType(query));
  full[3] = nn::getExtents(getTensorType(key))[2];
  RankedTensorType type = getTensorType(mask);
  SmallVector<nn::Extent> own = nn::getExtents(type);
  if (type.getElementType().isInteger(1) &&
      ArrayRef(own) == ArrayRef(full).take_back(2))
    return mask;
  bool fits = type.getElementType().isInteger(1) && own.size() <= full.size();
  for (size_t i = 0; fits && i < own.size(); ++i) {
    const nn::Extent &target = full[full.size() - own.size() + i];
    fits = own[i] == target || own[i] == nn::Extent(1);
  }
  if (fits)
    return call.getBuilder().createBroadcast(call.getLoc(), mask, full);
  call.reportUnexpected(index,
                        "a mask that broadcasts to " +
                            formatType(nn::getTensorType(
                                full, IntegerType::get(type.getContext(), 1))));
  return {};
}

/// True where a key is no later than the query, of as many positions: what
/// `causal` means where their number depends on the batch.
static Value createCausalMask(BuiltinCall &call, nn::Extent positions) {
  auto index = nn::getTensorType({positions, positions},
                                 call.getBuilder().getBuilder().getI32Type());
  Value row = call.create<nn::IotaOp>(index, 0);
  Value column = call.create<nn::IotaOp>(index, 1);
  return call.create<nn::CompareOp>(nn::ComparePredicate::le, column, row);
}

static Term emitAttention(BuiltinCall &call) {
  constexpr StringLiteral form = "[samples, heads, positions, width]";
  Value query = call.getFloatTensorOfRank(0, 4, form);
  Value key = call.getFloatTensorOfRank(1, 4, form);
  Value value = call.getFloatTensorOfRank(2, 4, form);
  std::optional<bool> causal = call.getFlag(3, false);
  if (!query || !key || !value || !causal ||
      !call.getEmitter().unifyElementTypes(call.getRange(),
                                           call.getArguments().take_front(3)) ||
      !checkHeads(call, query, key, value))
    return {};
  RankedTensorType type = getTensorType(query);
  if (type.isDynamicDim(3)) {
    call.reportUnexpected(0, "a width that does not depend on the batch");
    return {};
  }
  Value mask;
  if (call.has(4) && !(mask = getMask(call, 4, query, key)))
    return {};
  nn::Extent positions = nn::getExtents(type)[2];
  nn::Extent keys = nn::getExtents(getTensorType(key))[2];
  if (*causal && !(positions.isStatic() && keys.isStatic())) {
    if (positions != keys) {
      call.emitError(3) << "expected as many positions of queries as of keys "
                           "where they depend on the batch, got "
                        << formatExtent(positions) << " and "
                        << formatExtent(keys);
      return {};
    }
    Value earlier = createCausalMask(call, positions);
    if (mask) {
      earlier = call.getBuilder().createBroadcast(
          call.getLoc(), earlier, nn::getExtents(getTensorType(mask)));
      earlier = call.create<nn::AndOp>(mask, earlier);
    }
    mask = earlier;
    causal = false;
  }
  std::optional<double> scale =
      call.getNumber(5, 1 / std::sqrt(type.getDimSize(3)));
  if (!scale)
    return {};
  return call.create<nn::AttentionOp>(query, key, value, mask, *causal,
                                      llvm::APFloat(*scale));
}

ArrayRef<Builtin> getAttentionBuiltins() {
  static const SmallVector<Builtin> builtins = {
      {"attention",
       {{"query"},
        {"key"},
        {"value"},
        {"causal", false},
        {"mask", false},
        {"scale", false}},
       emitAttention},
  };
  return builtins;
}

} // namespace accrue::frontend
