//===- CostTest.cpp - Tests of what nn ops cost ---------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace accrue;

namespace {
class CostTest : public ::testing::Test {
protected:
  CostTest() {
    context.loadDialect<nn::NNDialect>();
    context.allowUnregisteredDialects();
  }

  /// The cost of the op `text`, which may read `%x: tensor<?x4xf32>`,
  /// `%w: tensor<3x4xf32>`, `%v: tensor<4xf32>`, `%l: tensor<?xi32>`,
  /// `%m: tensor<?x2x4xf32>`, images `%i: tensor<?x2x3x3xf32>` and windows
  /// `%u: tensor<?x2x2x2x2x2xf32>`.
  CostOpInterface parse(StringRef text) {
    std::string source =
        R"(%x, %w, %v, %l, %m, %i, %u = "test.values"()
             : () -> (tensor<?x4xf32>, tensor<3x4xf32>, tensor<4xf32>,
                      tensor<?xi32>, tensor<?x2x4xf32>, tensor<?x2x3x3xf32>,
                      tensor<?x2x2x2x2x2xf32>)
           %r = )" +
        text.str();
    module = parseSourceString<ModuleOp>(source, &context);
    EXPECT_TRUE(module) << source;
    return module ? cast<CostOpInterface>(&module->getBody()->back())
                  : CostOpInterface();
  }

  /// For a batch of 10 samples.
  void expect(StringRef text, KernelKind kind, double flops) {
    CostOpInterface op = parse(text);
    ASSERT_TRUE(op);
    EXPECT_EQ(op.getKernelKind(), kind) << text.str();
    EXPECT_DOUBLE_EQ(op.getFlops(10), flops) << text.str();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(CostTest, Elementwise) {
  expect("nn.add %x, %x : tensor<?x4xf32>", KernelKind::Elementwise, 40);
  expect("nn.exp %x : tensor<?x4xf32>", KernelKind::Elementwise, 40);
  expect("nn.compare lt %x, %x : tensor<?x4xf32>", KernelKind::Elementwise, 40);
  expect("nn.convert %l : tensor<?xi32> to tensor<?xf32>",
         KernelKind::Elementwise, 10);
}

TEST_F(CostTest, Free) {
  expect("nn.constant dense<1.0> : tensor<4xf32>", KernelKind::None, 0);
  expect("nn.extent <\"B\"> : tensor<f32>", KernelKind::None, 0);
  expect("nn.reshape %x : tensor<?x4xf32> to tensor<?x2x2xf32>",
         KernelKind::View, 0);
  expect("nn.broadcast %v dims [0] : tensor<4xf32> to tensor<?x4xf32>",
         KernelKind::Elementwise, 0);
}

TEST_F(CostTest, Windows) {
  expect("nn.unfold %i kernel [2, 2] stride [1, 1] dilation [1, 1] padding "
         "[0, 0, 0, 0] value 0.0 : tensor<?x2x3x3xf32> -> "
         "tensor<?x2x2x2x2x2xf32>",
         KernelKind::Elementwise, 0);
  expect("nn.fold %u kernel [2, 2] stride [1, 1] dilation [1, 1] padding "
         "[0, 0, 0, 0] : tensor<?x2x2x2x2x2xf32> -> tensor<?x2x3x3xf32>",
         KernelKind::Movement, 10 * 32);
}

TEST_F(CostTest, Movement) {
  expect("nn.transpose %x [1, 0] : tensor<?x4xf32> -> tensor<4x?xf32>",
         KernelKind::Movement, 0);
}

// 2 M N K, whatever is transposed.
TEST_F(CostTest, Contraction) {
  expect("nn.matmul %x, %w transpose_rhs : (tensor<?x4xf32>, tensor<3x4xf32>) "
         "-> tensor<?x3xf32>",
         KernelKind::Contraction, 2 * 10 * 3 * 4);
  expect("nn.matmul %x, %x transpose_lhs : (tensor<?x4xf32>, tensor<?x4xf32>) "
         "-> tensor<4x4xf32>",
         KernelKind::Contraction, 2 * 4 * 4 * 10);
  expect("nn.matmul %m, %m transpose_lhs : (tensor<?x2x4xf32>, "
         "tensor<?x2x4xf32>) -> tensor<?x4x4xf32>",
         KernelKind::Contraction, 10 * 2 * 4 * 4 * 2);
}

TEST_F(CostTest, Reductions) {
  expect("nn.sum %x dims [1] : tensor<?x4xf32> -> tensor<?xf32>",
         KernelKind::Row, 40);
  expect("nn.sum %x dims [0] : tensor<?x4xf32> -> tensor<4xf32>",
         KernelKind::Reduction, 40);
  expect("nn.sum %v dims [0] : tensor<4xf32> -> tensor<f32>",
         KernelKind::Reduction, 4);
  expect("nn.mean %x dims [0, 1] : tensor<?x4xf32> -> tensor<f32>",
         KernelKind::Reduction, 41);
  expect("nn.argmax %x dim 1 : tensor<?x4xf32> -> tensor<?xi32>",
         KernelKind::Row, 40);
}

TEST_F(CostTest, Losses) {
  expect("nn.cross_entropy %x, %l : (tensor<?x4xf32>, tensor<?xi32>) -> "
         "tensor<?xf32>",
         KernelKind::Row, 4 * 40 + 3 * 10);
}
