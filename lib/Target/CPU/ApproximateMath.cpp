//===- ApproximateMath.cpp - f32 functions by polynomials -----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call of the mathematical library keeps a loop scalar. The approximations
// are arithmetic, so LLVM vectorizes a loop that contains them.
//
//===----------------------------------------------------------------------===//

#include "accrue/Target/CPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace accrue::cpu {
#define GEN_PASS_DEF_APPROXIMATEMATH
#include "accrue/Target/CPU/Passes.h.inc"
} // namespace accrue::cpu

using namespace mlir;
using namespace accrue;
using namespace accrue::cpu;

namespace {
struct ApproximateMath : cpu::impl::ApproximateMathBase<ApproximateMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathPolynomialApproximationPatterns(patterns,
                                                [](StringRef) { return true; });
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
