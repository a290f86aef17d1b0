//===- WeightsTest.cpp - Weights from files -------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters and declared state of files from elsewhere and of checkpoints.
//
//===----------------------------------------------------------------------===//

#include "runtime/training/Weights.h"
#include "runtime/io/Safetensors.h"
#include "gtest/gtest.h"

#include <cstdio>
#include <string>

using namespace accrue;

namespace {
/// Memory without programs: a matrix `w` of 2 x 3, a running mean of 2, and the
/// counter of steps.
class Memory final : public Executable {
public:
  io::ArrayView<StateTensor> getParameters() const override {
    return parameters;
  }
  io::ArrayView<StateTensor> getSlots() const override { return slots; }
  io::ArrayView<StateTensor> getState() const override { return state; }
  io::ArrayView<InputInfo> getInputs() const override { return {}; }
  io::ArrayView<std::string> getMetricNames() const override { return {}; }
  io::ArrayView<ProgramInfo> getPrograms() const override { return {}; }
  io::ArrayView<ArenaUsage> getArenas() const override { return {}; }
  io::Status run(unsigned, InputProvider &, RunResults &) override {
    return io::fail("no program");
  }

  float w[6] = {}, mean[2] = {7, 7};
  int64_t step = 0;

private:
  std::vector<StateTensor> parameters = {{"w", "", io::DType::F32, {2, 3}, w}};
  std::vector<StateTensor> slots;
  std::vector<StateTensor> state = {
      {"step", "", io::DType::I64, {}, &step},
      {"bn.running_mean", "", io::DType::F32, {2}, mean}};
};

class WeightsTest : public testing::Test {
protected:
  void SetUp() override {
    // Tests run at the same time, each in a process of its own.
    path = testing::TempDir() + "accrue-weights-test-" +
           testing::UnitTest::GetInstance()->current_test_info()->name() +
           ".safetensors";
  }
  void TearDown() override { std::remove(path.c_str()); }

  void write(const std::vector<io::TensorView> &tensors) {
    io::Status status = io::writeSafetensors(path, tensors, {});
    ASSERT_TRUE(status) << status.message();
  }
  std::string failure(const WeightOptions &options = {}) {
    io::Status status = loadWeights(path, options, memory);
    return status ? "" : status.message();
  }

  std::string path;
  Memory memory;
  const float rows[6] = {1, 2, 3, 4, 5, 6};
  const double means[2] = {0.5, -0.5};
  const int64_t count = 9;
  const io::TensorView w = {"w", io::DType::F32, {2, 3}, rows};
};
} // namespace

TEST_F(WeightsTest, StateByItsNameOrAsACheckpointSavesIt) {
  for (const char *name : {"bn.running_mean", "state/bn.running_mean"}) {
    memory.mean[1] = memory.w[5] = 0;
    write({w,
           {name, io::DType::F64, {2}, means},
           {"state/step", io::DType::I64, {}, &count}});
    EXPECT_EQ(failure(), "");
    EXPECT_EQ(memory.w[5], 6);
    EXPECT_EQ(memory.mean[1], -0.5f);
    EXPECT_EQ(memory.step, 0);
  }
}

TEST_F(WeightsTest, StateMayBeMissingInTraining) {
  write({w});
  EXPECT_EQ(failure(), "");
  EXPECT_EQ(memory.mean[0], 7);
  WeightOptions evaluation;
  evaluation.needsState = true;
  EXPECT_EQ(failure(evaluation),
            path + ": the tensors are not those of the model:\n"
                   "  missing 'bn.running_mean' (f32 [2])");
}

TEST_F(WeightsTest, TransposesWithConversion) {
  // As [in, out] in f64.
  const double columns[6] = {1, 4, 2, 5, 3, 6};
  write({{"net.w", io::DType::F64, {3, 2}, columns}});
  EXPECT_EQ(failure({"net.", {}, {"w"}}), "");
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(memory.w[i], i + 1);
}

TEST_F(WeightsTest, NothingIsCopiedFromAFileThatDoesNotFit) {
  write({w, {"x", io::DType::F64, {2}, means}});
  EXPECT_EQ(failure(),
            path + ": the tensors are not those of the model:\n"
                   "  unexpected 'x' (f64 [2])\n"
                   "  --init-ignore 'PATTERN,...' leaves tensors aside");
  EXPECT_EQ(memory.w[0], 0);
}

TEST_F(WeightsTest, ListsAFewOfMany) {
  std::vector<io::TensorView> tensors = {w};
  for (int i = 0; i < 20; ++i)
    tensors.push_back({"h." + std::to_string(i), io::DType::F64, {2}, means});
  write(tensors);
  std::string message = failure();
  EXPECT_NE(message.find("unexpected 'h.0' (f64 [2])"), std::string::npos);
  EXPECT_NE(message.find("unexpected 12 more"), std::string::npos) << message;
}

TEST_F(WeightsTest, APrefixMustNotMergeNames) {
  write({w, {"net.w", io::DType::F32, {2, 3}, rows}});
  EXPECT_EQ(failure({"net.", {}, {}}),
            path + ": without the prefix 'net.', 'w' and 'net.w' have the same "
                   "name");
}
