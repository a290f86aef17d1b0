//===- InterpreterTest.cpp - Functions and arguments ----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Reference/Interpreter.h"
#include "ReferenceTest.h"
#include "accrue/Reference/Arguments.h"
#include "accrue/Reference/Promotion.h"
#include "mlir/IR/Verifier.h"
#include <algorithm>
#include <set>

using namespace mlir;
using namespace accrue;
using namespace accrue::reference;

namespace {
class InterpreterTest : public ReferenceTest {};
} // namespace

TEST_F(InterpreterTest, SymbolicBatch) {
  func::FuncOp function = parse(R"(
    func.func @f(%x: tensor<?x2xf32>) -> tensor<2xf32> {
      %0 = nn.mean %x dims [0] : tensor<?x2xf32> -> tensor<2xf32>
      return %0 : tensor<2xf32>
    })");
  ASSERT_TRUE(function);
  Tensor input(RankedTensorType::get({4, 2}, Float32Type::get(&context)));
  for (auto [i, value] : llvm::enumerate(input.getMutableFloats()))
    value = i;
  auto results = interpret(function, {input}, {4, Precision::F64});
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ(results->front().getFloats(), ArrayRef<double>({3, 4}));

  EXPECT_TRUE(failed(interpret(function, {input}, {8, Precision::F64})));
  EXPECT_TRUE(failed(interpret(function, {}, {4, Precision::F64})));
  EXPECT_TRUE(failed(interpret(function, {input})));
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[0], "'func.func' op expected argument 0 of type "
                         "'tensor<8x2xf32>', got 'tensor<4x2xf32>'");
  EXPECT_EQ(messages[1], "'func.func' op expected 1 arguments, got 0");
}

TEST_F(InterpreterTest, OpsOfOtherDialectsAreErrors) {
  func::FuncOp function = parse(R"(
    func.func private @g()
    func.func @f() {
      call @g() : () -> ()
      return
    })");
  ASSERT_TRUE(function);
  EXPECT_TRUE(failed(interpret(function, {})));
  function = cast<func::FuncOp>(function->getNextNode());
  EXPECT_TRUE(failed(interpret(function, {})));
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0], "'func.func' op expected a body to interpret");
  EXPECT_EQ(messages[1], "'func.call' op has no reference semantics");
}

TEST_F(InterpreterTest, DrawnArguments) {
  func::FuncOp function = parse(R"(
    func.func @f(
        %w: tensor<4x3xf32> {train.role = #train.role<param>, train.name = "w", train.init = #train.uniform<0.25>},
        %b: tensor<3xf32> {train.role = #train.role<param>, train.name = "b", train.init = #train.fill<0.0>},
        %x: tensor<?x4xf32> {train.role = #train.role<batch>, train.name = "x"},
        %label: tensor<?xi64> {train.role = #train.role<batch>, train.name = "label"})
        -> tensor<?xf32> {
      %0 = nn.matmul %x, %w : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
      %1 = nn.convert %label : tensor<?xi64> to tensor<?xi32>
      %2 = nn.cross_entropy %0, %1 : (tensor<?x3xf32>, tensor<?xi32>) -> tensor<?xf32>
      return %2 : tensor<?xf32>
    })");
  ASSERT_TRUE(function);
  auto arguments = drawArguments(function, 100, 1);
  ASSERT_TRUE(succeeded(arguments));
  for (double value : (*arguments)[0].getFloats())
    EXPECT_LE(std::abs(value), 0.25);
  EXPECT_NE((*arguments)[1].getFloats()[0], 0);
  // The bound of the label is found through the conversion; all three occur.
  ArrayRef<int64_t> labels = (*arguments)[3].getInts();
  EXPECT_EQ(*std::min_element(labels.begin(), labels.end()), 0);
  EXPECT_EQ(*std::max_element(labels.begin(), labels.end()), 2);
  EXPECT_TRUE(succeeded(interpret(function, *arguments, {100})));

  auto again = drawArguments(function, 100, 1);
  auto other = drawArguments(function, 100, 2);
  ASSERT_TRUE(succeeded(again) && succeeded(other));
  EXPECT_EQ((*again)[2].getFloats(), (*arguments)[2].getFloats());
  EXPECT_NE((*other)[2].getFloats(), (*arguments)[2].getFloats());

  llvm::StringMap<Tensor> given;
  given["x"] =
      Tensor(RankedTensorType::get({5, 4}, Float32Type::get(&context)));
  EXPECT_TRUE(failed(drawArguments(function, 100, 1, given)));
  EXPECT_TRUE(succeeded(drawArguments(function, 5, 1, given)));
}

TEST_F(InterpreterTest, Promotion) {
  func::FuncOp function = parse(R"(
    func.func @f(%x: tensor<?xf16>, %n: tensor<?xi32>) -> tensor<?xf16> {
      %0 = nn.constant dense<0.5> : tensor<f16>
      %1 = nn.broadcast %0 dims [0] : tensor<f16> to tensor<?xf16>
      %2 = nn.add %x, %1 : tensor<?xf16>
      return %2 : tensor<?xf16>
    })");
  ASSERT_TRUE(function);
  promoteToF64(function);
  EXPECT_TRUE(succeeded(mlir::verify(function->getParentOp())));
  Type f64 = Float64Type::get(&context);
  EXPECT_EQ(getElementTypeOrSelf(function.getArgumentTypes()[0]), f64);
  EXPECT_TRUE(
      getElementTypeOrSelf(function.getArgumentTypes()[1]).isInteger(32));
  EXPECT_EQ(getElementTypeOrSelf(function.getResultTypes()[0]), f64);
  auto constant = cast<nn::ConstantOp>(function.front().front());
  EXPECT_EQ(cast<DenseElementsAttr>(constant.getValue())
                .getSplatValue<APFloat>()
                .convertToDouble(),
            0.5);
}

TEST_F(InterpreterTest, PerturbationChangesLastDigitsOfSums) {
  func::FuncOp function = parse(R"(
    func.func @f(%x: tensor<3xf64>) -> (tensor<f64>, tensor<2x3xf64>, tensor<f64>, tensor<f64>) {
      %sum = nn.sum %x dims [0] : tensor<3xf64> -> tensor<f64>
      %moved = nn.broadcast %x dims [0] : tensor<3xf64> to tensor<2x3xf64>
      %largest = nn.reduce_max %x dims [0] : tensor<3xf64> -> tensor<f64>
      %floor = nn.floor %x : tensor<3xf64>
      %count = nn.sum %floor dims [0] : tensor<3xf64> -> tensor<f64>
      return %sum, %moved, %largest, %count : tensor<f64>, tensor<2x3xf64>, tensor<f64>, tensor<f64>
    })");
  ASSERT_TRUE(function);
  Tensor x(cast<RankedTensorType>(function.getArgumentTypes()[0]));
  llvm::copy(ArrayRef<double>{1.1, 2.3, 5.7}, x.getMutableFloats().begin());
  auto run = [&](uint64_t perturbation) {
    InterpreterOptions options;
    options.perturbation = perturbation;
    auto results = interpret(function, {x}, options);
    EXPECT_TRUE(succeeded(results));
    return *results;
  };
  SmallVector<Tensor> plain = run(0);
  std::set<double> sums;
  for (uint64_t perturbation = 1; perturbation <= 16; ++perturbation) {
    SmallVector<Tensor> results = run(perturbation);
    sums.insert(results[0].getFloats()[0]);
    EXPECT_NEAR(results[0].getFloats()[0], 9.1, 1e-14);
    for (unsigned i = 1; i < 4; ++i)
      EXPECT_EQ(results[i].getFloats(), plain[i].getFloats());
    EXPECT_EQ(run(perturbation)[0].getFloats(), results[0].getFloats());
  }
  EXPECT_GT(sums.size(), 2u);
}
