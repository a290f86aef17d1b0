//===- ChunksTest.cpp - Kernels of several chunks -------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every chunk has to do its own part and nothing else, and results must not
// depend on the number of threads, to the bit.
//
//===----------------------------------------------------------------------===//

#include "TestPrograms.h"
#include "gtest/gtest.h"

#include <cmath>
#include <omp.h>

using namespace mlir;
using namespace accrue;
using namespace accrue::cpu;

namespace {

constexpr int64_t rowCount = 3000, columnCount = 700;

/// Runs planned-chunks.mlir once.
class ChunksTest : public testing::Test {
protected:
  void SetUp() override {
    context = createContext();
    module = parseSourceFile<ModuleOp>(ACCRUE_PLANNED_CHUNKS, context.get());
    ASSERT_TRUE(module);
  }

  std::unique_ptr<Executable> run(int threads) {
    auto created = createExecutable({{*module, ProgramKind::Step}});
    if (failed(created))
      return nullptr;
    std::unique_ptr<Executable> executable = std::move(*created);
    auto *w = static_cast<float *>(executable->getParameters()[0].data);
    auto *b = static_cast<float *>(executable->getParameters()[1].data);
    for (int64_t i = 0; i < rowCount * columnCount; ++i)
      w[i] = getW(i);
    for (int64_t j = 0; j < columnCount; ++j)
      b[j] = getB(j);
    int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    MemoryInputs none;
    EXPECT_TRUE(executable->run(0, none, results).ok());
    omp_set_num_threads(before);
    return executable;
  }

  static float getW(int64_t i) { return float(i * 7919 % 2003 - 1001) / 1024; }
  static float getB(int64_t j) { return float(j % 13 - 6) / 16; }

  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  RunResults results;
};

TEST_F(ChunksTest, ComputesEveryElement) {
  std::unique_ptr<Executable> executable = run(/*threads=*/2);
  ASSERT_TRUE(executable);
  auto *rows = static_cast<float *>(executable->getState()[1].data);
  auto *columns = static_cast<float *>(executable->getState()[2].data);
  std::vector<double> columnSums(columnCount);
  double squares = 0;
  for (int64_t i = 0; i < rowCount; ++i) {
    double rowSum = 0;
    for (int64_t j = 0; j < columnCount; ++j) {
      double w = getW(i * columnCount + j);
      double x = w + 1 + getB(j);
      rowSum += std::tanh(x);
      columnSums[j] += x;
      squares += w * w;
    }
    ASSERT_NEAR(rows[i], rowSum, 1e-5 * columnCount) << i;
  }
  for (int64_t j = 0; j < columnCount; ++j)
    ASSERT_NEAR(columns[j], columnSums[j], 1e-5 * rowCount) << j;
  EXPECT_NEAR(results.loss, std::sqrt(squares), 1e-5 * std::sqrt(squares));

  auto *w = static_cast<float *>(executable->getParameters()[0].data);
  auto *b = static_cast<float *>(executable->getParameters()[1].data);
  for (int64_t i = 0; i < rowCount * columnCount; ++i)
    ASSERT_EQ(w[i], getW(i) - 0.25f * getW(i)) << i;
  for (int64_t j = 0; j < columnCount; ++j)
    ASSERT_EQ(b[j], getB(j)) << j;
}

TEST_F(ChunksTest, DoesNotDependOnThreads) {
  std::unique_ptr<Executable> one = run(/*threads=*/1);
  ASSERT_TRUE(one);
  double loss = results.loss;
  for (int threads : {2, 3, 5}) {
    std::unique_ptr<Executable> many = run(threads);
    ASSERT_TRUE(many);
    EXPECT_EQ(results.loss, loss);
    EXPECT_TRUE(getStateBytes(*many) == getStateBytes(*one)) << threads;
  }
}

} // namespace
