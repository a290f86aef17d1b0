//===- CheckpointTest.cpp - Weights and state in files --------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/training/Checkpoint.h"
#include "runtime/io/Safetensors.h"
#include "runtime/training/Weights.h"
#include "gtest/gtest.h"

#include <cstdio>
#include <cstring>

using namespace accrue;

namespace {
/// Memory without programs: a parameter `w` of 3 elements, its slot `m`, and
/// the step.
class Memory final : public Executable {
public:
  explicit Memory(std::string name = "w", io::DType dtype = io::DType::F32)
      : parameters({{name, "", dtype, {3}, w}}),
        slots({{name, "m", dtype, {3}, m}}),
        state({{"step", "", io::DType::I64, {}, &step}}) {}

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

  double w[3] = {}, m[3] = {};
  int64_t step = 0;

private:
  std::vector<StateTensor> parameters, slots, state;
};

class CheckpointTest : public testing::Test {
protected:
  void SetUp() override {
    // Tests run at the same time, each in a process of its own.
    path = testing::TempDir() + "accrue-checkpoint-test-" +
           testing::UnitTest::GetInstance()->current_test_info()->name() +
           ".safetensors";
    saved.step = 7;
    const float w[3] = {0, 1.5, 3}, m[3] = {0, -0.25, -0.5};
    std::memcpy(saved.w, w, sizeof(w));
    std::memcpy(saved.m, m, sizeof(m));
    run = {"model", 9, 64, true, 123, 1000, false, "hash"};
    run.norms = NormHistory({0.1, 1.0 / 3, 1e-30});
    run.skippedInARow = 4;
    io::Status status = saveCheckpoint(path, saved, run);
    ASSERT_TRUE(status) << status.message();
  }
  void TearDown() override { std::remove(path.c_str()); }

  std::string path;
  Memory saved;
  RunState run;
};
} // namespace

TEST_F(CheckpointTest, RestoresEverything) {
  Memory loaded;
  io::Result<RunState> state = loadCheckpoint(path, loaded);
  ASSERT_TRUE(state) << state.message();
  EXPECT_EQ(state->model, "model");
  EXPECT_EQ(state->batchIndex, 9);
  EXPECT_EQ(state->batch, 64);
  EXPECT_EQ(state->seed, 123u);
  EXPECT_EQ(state->samples, 1000);
  EXPECT_FALSE(state->keepTail);
  EXPECT_EQ(state->config, "hash");
  EXPECT_EQ(state->norms.getNorms(),
            (std::vector<double>{0.1, 1.0 / 3, 1e-30}));
  EXPECT_EQ(state->skippedInARow, 4);
  EXPECT_EQ(loaded.step, 7);
  EXPECT_EQ(std::memcmp(loaded.w, saved.w, 12), 0);
  EXPECT_EQ(std::memcmp(loaded.m, saved.m, 12), 0);
  EXPECT_TRUE(checkResumable(path, *state, run));
}

TEST_F(CheckpointTest, NamesTensorsByParameterAndSlot) {
  io::Result<io::SafetensorsFile> file = io::SafetensorsFile::open(path);
  ASSERT_TRUE(file) << file.message();
  EXPECT_NE(file->find("w"), nullptr);
  EXPECT_NE(file->find("optimizer/w/m"), nullptr);
  EXPECT_NE(file->find("state/step"), nullptr);
  EXPECT_EQ(file->metadata().at("accrue.step"), "7");
}

TEST_F(CheckpointTest, WeightsLeaveTheOptimizerAlone) {
  Memory loaded;
  ASSERT_TRUE(loadWeights(path, {}, loaded));
  EXPECT_EQ(loaded.step, 0);
  EXPECT_EQ(loaded.m[0], 0);
  EXPECT_EQ(std::memcmp(loaded.w, saved.w, 12), 0);
}

TEST_F(CheckpointTest, RefusesOtherModelsWithoutTouchingMemory) {
  Memory renamed("v");
  io::Result<RunState> state = loadCheckpoint(path, renamed);
  ASSERT_FALSE(state);
  EXPECT_EQ(state.message(),
            path + ": expected a tensor 'v' of f32 [3], as the model has; the "
                   "file has none of this name");
  Memory wider("w", io::DType::F64);
  EXPECT_FALSE(loadCheckpoint(path, wider));
  EXPECT_EQ(wider.w[1], 0);
  EXPECT_EQ(wider.step, 0);
}

TEST_F(CheckpointTest, RefusesFilesThatAreNoCheckpoint) {
  float values[3] = {1, 2, 3};
  ASSERT_TRUE(
      io::writeSafetensors(path, {{"w", io::DType::F32, {3}, values}}, {}));
  Memory loaded;
  EXPECT_FALSE(loadCheckpoint(path, loaded));
  EXPECT_TRUE(loadWeights(path, {}, loaded));
}

TEST_F(CheckpointTest, RefusesAnotherRun) {
  RunState other = run;
  other.batch = 32;
  EXPECT_FALSE(checkResumable(path, run, other));
  other = run;
  other.seed = 1;
  EXPECT_FALSE(checkResumable(path, run, other));
  other = run;
  other.samples = 999;
  EXPECT_FALSE(checkResumable(path, run, other));
  other = run;
  other.keepTail = true;
  EXPECT_FALSE(checkResumable(path, run, other));
  other = run;
  other.batchIndex = 0;
  other.config = "changed";
  EXPECT_TRUE(checkResumable(path, run, other));
}
