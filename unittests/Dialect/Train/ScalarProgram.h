//===- ScalarProgram.h - Evaluates built scalar arithmetic ------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a rule builds as `arith` and `math` ops is built here on constants and
// folded: the folders are an evaluator that was written by others.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_UNITTESTS_DIALECT_TRAIN_SCALARPROGRAM_H
#define ACCRUE_UNITTESTS_DIALECT_TRAIN_SCALARPROGRAM_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

namespace accrue {

/// A block of scalar ops.
class ScalarProgram {
public:
  explicit ScalarProgram(mlir::MLIRContext &context)
      : module(mlir::ModuleOp::create(mlir::UnknownLoc::get(&context))),
        builder(mlir::OpBuilder::atBlockEnd(module->getBody())) {
    context.loadDialect<mlir::arith::ArithDialect, mlir::math::MathDialect>();
  }

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() { return builder.getUnknownLoc(); }

  mlir::Value number(double value, mlir::FloatType type) {
    return mlir::arith::ConstantOp::create(builder, getLoc(),
                                           mlir::FloatAttr::get(type, value));
  }
  mlir::Value integer(int64_t value) {
    return mlir::arith::ConstantOp::create(builder, getLoc(),
                                           builder.getI64IntegerAttr(value));
  }

  /// The number that `value` is, by folding every op in order.
  double evaluate(mlir::Value value) {
    mlir::Attribute result = fold(value);
    auto number = llvm::dyn_cast_if_present<mlir::FloatAttr>(result);
    EXPECT_TRUE(number) << "an op without a constant folder";
    return number ? number.getValueAsDouble() : 0;
  }

private:
  mlir::Attribute fold(mlir::Value value) {
    mlir::Attribute constant;
    if (mlir::matchPattern(value, mlir::m_Constant(&constant)))
      return constant;
    mlir::Operation *op = value.getDefiningOp();
    llvm::SmallVector<mlir::Attribute> operands;
    for (mlir::Value operand : op->getOperands())
      operands.push_back(fold(operand));
    llvm::SmallVector<mlir::OpFoldResult> results;
    if (failed(op->fold(operands, results)) || results.empty())
      return {};
    if (auto attr = llvm::dyn_cast<mlir::Attribute>(results.front()))
      return attr;
    // Folded to one of the operands.
    return fold(llvm::cast<mlir::Value>(results.front()));
  }

  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::OpBuilder builder;
};

} // namespace accrue

#endif // ACCRUE_UNITTESTS_DIALECT_TRAIN_SCALARPROGRAM_H
