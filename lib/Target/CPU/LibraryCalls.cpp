//===- LibraryCalls.cpp - Functions of the mathematical library -----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions for which LLVM has no intrinsic become calls. MLIR has conversions
// for two of them, to log(1 + x) and exp(x) - 1, which lose all digits of a
// small x.
//
//===----------------------------------------------------------------------===//

#include "LLVMPatterns.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace accrue;

namespace {
/// A call of the function `name` for f64, `name`f for f32 and, between
/// conversions, for narrower types.
template <typename OpTy>
struct LibraryCallPattern : ConvertOpToLLVMPattern<OpTy> {
  LibraryCallPattern(LLVMTypeConverter &converter, StringRef name)
      : ConvertOpToLLVMPattern<OpTy>(converter, /*benefit=*/2), name(name) {}

  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value operand = adaptor.getOperand();
    Type type = operand.getType();
    if (!isa<FloatType>(type))
      return rewriter.notifyMatchFailure(op, "expected a scalar");
    bool isHalf = type.getIntOrFloatBitWidth() < 32;
    Type called = isHalf ? rewriter.getF32Type() : type;
    FailureOr<LLVM::LLVMFuncOp> function = LLVM::lookupOrCreateFn(
        rewriter, op->template getParentOfType<ModuleOp>(),
        called.isF64() ? name.str() : name.str() + "f", called, called);
    if (failed(function))
      return failure();
    if (isHalf)
      operand = LLVM::FPExtOp::create(rewriter, loc, called, operand);
    Value result =
        LLVM::CallOp::create(rewriter, loc, *function, operand).getResult();
    if (isHalf)
      result = LLVM::FPTruncOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }

  StringRef name;
};
} // namespace

void cpu::populateLibraryCallPatterns(LLVMTypeConverter &converter,
                                      RewritePatternSet &patterns) {
  patterns.add<LibraryCallPattern<math::ErfOp>>(converter, "erf");
  patterns.add<LibraryCallPattern<math::Log1pOp>>(converter, "log1p");
  patterns.add<LibraryCallPattern<math::ExpM1Op>>(converter, "expm1");
}
