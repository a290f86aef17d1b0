//===- ExpandDraws.cpp - Random numbers as arithmetic ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Philox 4x32-10 on scalars: without a call in it, LLVM vectorizes the loop.
// `runtime/io/Draw.h` has the layout of the counter.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Kernel/KernelDrawOps.h"
#include "accrue/Target/CPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace accrue::cpu {
#define GEN_PASS_DEF_EXPANDDRAWS
#include "accrue/Target/CPU/Passes.h.inc"
} // namespace accrue::cpu

using namespace mlir;
using namespace accrue;
using namespace accrue::cpu;

namespace {
/// Builds the number of one draw.
class Expansion {
public:
  explicit Expansion(kernel::DrawOp op)
      : op(op), builder(op.getLoc(), op), i32(builder.getI32Type()),
        i64(builder.getI64Type()) {}

  Value build();

private:
  Value constant(Type type, int64_t value) {
    return arith::ConstantOp::create(builder,
                                     builder.getIntegerAttr(type, value));
  }
  Value constant(double value) {
    return arith::ConstantOp::create(builder,
                                     builder.getFloatAttr(op.getType(), value));
  }
  Value low(Value wide) { return arith::TruncIOp::create(builder, i32, wide); }
  Value high(Value wide) {
    return low(arith::ShRUIOp::create(builder, wide, constant(i64, 32)));
  }
  Value extend(Value word) {
    return arith::ExtUIOp::create(builder, i64, word);
  }
  Value xor3(Value a, Value b, Value c) {
    Value first = arith::XOrIOp::create(builder, a, b);
    return arith::XOrIOp::create(builder, first, c);
  }
  /// One round on the words of the counter.
  void applyRound(MutableArrayRef<Value> words, Value key0, Value key1);
  /// The top digits of 64 bits as a number in [0, 1).
  Value toUnit(Value top, Value bottom);

  kernel::DrawOp op;
  ImplicitLocOpBuilder builder;
  Type i32, i64;
};
} // namespace

void Expansion::applyRound(MutableArrayRef<Value> words, Value key0,
                           Value key1) {
  auto multiply = [&](Value word, int64_t factor) -> Value {
    return arith::MulIOp::create(builder, extend(word), constant(i64, factor));
  };
  Value product0 = multiply(words[0], 0xD2511F53);
  Value product1 = multiply(words[2], 0xCD9E8D57);
  Value next0 = xor3(high(product1), words[1], key0);
  Value next2 = xor3(high(product0), words[3], key1);
  words[0] = next0;
  words[1] = low(product1);
  words[2] = next2;
  words[3] = low(product0);
}

Value Expansion::toUnit(Value top, Value bottom) {
  int64_t digits = op.getDigits();
  // The digits fit a signed integer: conversions of those are cheap.
  Value bits;
  if (digits < 32) {
    bits = arith::ShRUIOp::create(builder, top, constant(i32, 32 - digits));
  } else {
    Value shifted =
        arith::ShLIOp::create(builder, extend(top), constant(i64, 32));
    Value word = arith::OrIOp::create(builder, shifted, extend(bottom));
    bits = arith::ShRUIOp::create(builder, word, constant(i64, 64 - digits));
  }
  Value number = arith::SIToFPOp::create(builder, op.getType(), bits);
  return arith::MulFOp::create(builder, number,
                               constant(std::ldexp(1.0, -digits)));
}

Value Expansion::build() {
  Value site = constant(i32, static_cast<int32_t>(0x80000000u | op.getSite()));
  SmallVector<Value> words = {op.getPlace(), op.getSample(), low(op.getBatch()),
                              site};
  Value key0 = low(op.getSeed()), key1 = high(op.getSeed());
  for (int round = 0; round < 10; ++round) {
    applyRound(words, key0, key1);
    key0 = arith::AddIOp::create(builder, key0,
                                 constant(i32, int32_t(0x9E3779B9u)));
    key1 = arith::AddIOp::create(builder, key1,
                                 constant(i32, int32_t(0xBB67AE85u)));
  }
  Value first = toUnit(words[0], words[1]);
  if (op.getDistribution() == kernel::Distribution::uniform)
    return first;
  Value second = toUnit(words[2], words[3]);
  Value rest = arith::SubFOp::create(builder, constant(1.0), first);
  Value log = math::LogOp::create(builder, rest);
  Value square = arith::MulFOp::create(builder, log, constant(-2.0));
  Value radius = math::SqrtOp::create(builder, square);
  Value turns = arith::SubFOp::create(builder, second, constant(0.5));
  Value angle =
      arith::MulFOp::create(builder, turns, constant(6.283185307179586));
  Value cosine = math::CosOp::create(builder, angle);
  return arith::MulFOp::create(builder, radius, cosine);
}

namespace {
struct ExpandDraws : cpu::impl::ExpandDrawsBase<ExpandDraws> {
  void runOnOperation() override {
    getOperation().walk([](kernel::DrawOp op) {
      op.replaceAllUsesWith(Expansion(op).build());
      op.erase();
    });
  }
};
} // namespace
