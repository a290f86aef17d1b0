//===- WidenHalves.cpp - Arithmetic on f16 and bf16 in f32 ----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every op on halves takes extended operands, and its result is rounded, one op
// at a time: f32 has more than twice as many digits as f16 or bf16, so that
// rounding to it first changes no sum, difference, product, quotient or square
// root. MLIR's own `arith-emulate-unsupported-floats` marks its conversions so
// that later folds may leave the rounding out.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/CUDA/CUDAOps.h"
#include "accrue/Dialect/CUDA/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace accrue::cuda {
#define GEN_PASS_DEF_WIDENHALVES
#include "accrue/Dialect/CUDA/Passes.h.inc"
} // namespace accrue::cuda

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

static bool isHalf(Type type) { return type.isF16() || type.isBF16(); }

/// Whether f32 gives the same as the op on halves.
static bool canWiden(Operation *op) {
  // The order of the sum or product decides how it is rounded.
  if (auto reduce = dyn_cast<gpu::AllReduceOp>(op)) {
    using Kind = gpu::AllReduceOperation;
    return reduce.getOp() == Kind::MAXIMUMF ||
           reduce.getOp() == Kind::MINIMUMF ||
           reduce.getOp() == Kind::MAXNUMF || reduce.getOp() == Kind::MINNUMF;
  }
  if (!isa_and_present<arith::ArithDialect, math::MathDialect>(
          op->getDialect()))
    return false;
  // These convert, or move bits. A fused product and sum would be rounded
  // twice where once is meant.
  return !isa<CastOpInterface, arith::ConstantOp, arith::SelectOp, math::FmaOp>(
      op);
}

static void widen(Operation *op) {
  OpBuilder builder(op);
  Type wide = builder.getF32Type();
  for (OpOperand &operand : op->getOpOperands())
    if (isHalf(operand.get().getType()))
      operand.set(
          arith::ExtFOp::create(builder, op->getLoc(), wide, operand.get()));
  builder.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    Type type = result.getType();
    if (!isHalf(type))
      continue;
    result.setType(wide);
    auto rounded = arith::TruncFOp::create(builder, op->getLoc(), type, result);
    result.replaceAllUsesExcept(rounded, rounded);
  }
}

namespace {

struct WidenHalvesPass : cuda::impl::WidenHalvesBase<WidenHalvesPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (canWiden(op) && (llvm::any_of(op->getOperandTypes(), isHalf) ||
                           llvm::any_of(op->getResultTypes(), isHalf)))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      widen(op);
  }
};

} // namespace
