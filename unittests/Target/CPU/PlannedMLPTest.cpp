//===- PlannedMLPTest.cpp - A whole step against numbers from elsewhere ---===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs test/Dialect/Kernel/planned-mlp.mlir. The expected values were computed
// by planned_mlp.py, beside this file, for the whole batch in double precision.
//
//===----------------------------------------------------------------------===//

#include "TestPrograms.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace accrue;
using namespace accrue::cpu;

namespace {

/// The numbers of planned_mlp.py.
void fillNumbers(float *to, int64_t count, double scale, double phase) {
  for (int64_t k = 0; k < count; ++k)
    to[k] = static_cast<float>(scale * std::sin(double(k * k) + phase));
}

class PlannedMLPTest : public testing::Test {
protected:
  void SetUp() override {
    context = createContext();
    module = parseSourceFile<ModuleOp>(ACCRUE_PLANNED_MLP, context.get());
    ASSERT_TRUE(module);
    auto created = createExecutable({{*module, ProgramKind::Step}});
    ASSERT_TRUE(succeeded(created));
    executable = std::move(*created);

    x.resize(30);
    fillNumbers(x.data(), 30, 2.0, 0.3);
    for (int i = 0; i < 10; ++i)
      label.push_back(i * 7 % 3 % 2);
    inputs.values = {{x.data(), 12}, {label.data(), 4}};
    fill("fc1.weight", 0.9, 0.1);
    fill("fc1.bias", 0.4, 0.2);
    fill("fc2.weight", 1.5, 0.5);
    fill("fc2.bias", 0.3, 0.4);
  }

  const StateTensor &find(StringRef name, StringRef slot) {
    for (auto tensors : {executable->getParameters(), executable->getSlots(),
                         executable->getState()})
      for (const StateTensor &tensor : tensors)
        if (tensor.name == name && tensor.slot == slot)
          return tensor;
    ADD_FAILURE() << "no tensor '" << name.str() << "'";
    return executable->getParameters().front();
  }
  float *getData(StringRef name, StringRef slot = "") {
    return static_cast<float *>(find(name, slot).data);
  }
  int64_t getStep() { return *static_cast<int64_t *>(find("step", "").data); }
  void fill(StringRef name, double scale, double phase) {
    const StateTensor &tensor = find(name, "");
    fillNumbers(getData(name), tensor.bytes() / 4, scale, phase);
  }
  /// Largest error relative to the largest element.
  void expectNear(StringRef name, StringRef slot,
                  const std::vector<double> &expected) {
    const StateTensor &tensor = find(name, slot);
    ASSERT_EQ(tensor.bytes(), int64_t(expected.size()) * 4);
    double error = 0, largest = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
      double actual = static_cast<float *>(tensor.data)[i];
      error = std::max(error, std::abs(actual - expected[i]));
      largest = std::max(largest, std::abs(expected[i]));
    }
    EXPECT_LE(error, 1e-5 * largest) << name.str() << " " << slot.str();
  }

  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<Executable> executable;
  std::vector<float> x;
  std::vector<int32_t> label;
  MemoryInputs inputs;
  RunResults results;
};

TEST_F(PlannedMLPTest, Describes) {
  std::vector<std::string> parameters, slots;
  for (const StateTensor &tensor : executable->getParameters())
    parameters.push_back(tensor.name);
  for (const StateTensor &tensor : executable->getSlots())
    slots.push_back(tensor.name + "/" + tensor.slot);
  EXPECT_EQ(parameters, (std::vector<std::string>{"fc1.weight", "fc1.bias",
                                                  "fc2.weight", "fc2.bias"}));
  EXPECT_EQ(slots, (std::vector<std::string>{"fc1.weight/m", "fc1.weight/v",
                                             "fc1.bias/m", "fc1.bias/v",
                                             "fc2.weight/m", "fc2.weight/v",
                                             "fc2.bias/m", "fc2.bias/v"}));
  ASSERT_EQ(executable->getState().size(), 1u);
  EXPECT_EQ(executable->getState()[0].dtype, io::DType::I64);
  ASSERT_EQ(executable->getInputs().size(), 2u);
  EXPECT_EQ(executable->getInputs()[0].name, "x");
  EXPECT_EQ(executable->getInputs()[0].shape, (std::vector<int64_t>{-1, 3}));
  EXPECT_EQ(executable->getInputs()[1].dtype, io::DType::I32);
  ASSERT_EQ(executable->getPrograms().size(), 1u);
  EXPECT_EQ(executable->getPrograms()[0].batch, 10);
}

TEST_F(PlannedMLPTest, AllocatesWhatIsPlanned) {
  std::vector<std::pair<std::string, int64_t>> arenas;
  for (const ArenaUsage &arena : executable->getArenas()) {
    EXPECT_EQ(arena.planned, arena.allocated);
    arenas.push_back({arena.name, arena.planned});
  }
  EXPECT_EQ(arenas,
            (std::vector<std::pair<std::string, int64_t>>{{"params", 200},
                                                          {"gradients", 200},
                                                          {"slots", 456},
                                                          {"state", 8},
                                                          {"inputs", 80},
                                                          {"activations", 336},
                                                          {"outputs", 129}}));
}

TEST_F(PlannedMLPTest, ThreeSteps) {
  const double losses[] = {2.304756108, 2.304047354, 2.302630053};
  const double norms[] = {3.341966761, 3.341749897, 3.341316076};
  for (int step = 0; step < 3; ++step) {
    ASSERT_TRUE(executable->run(0, inputs, results).ok());
    EXPECT_TRUE(results.finite);
    EXPECT_NEAR(results.loss, losses[step], 1e-5 * losses[step]);
    EXPECT_NEAR(results.gradNorm, norms[step], 1e-5 * norms[step]);
    EXPECT_EQ(getStep(), step + 1);
  }
  expectNear("fc1.weight", "",
             {0.08954979784, 0.80238425, -0.7367472184, 0.2868876668,
              -0.3441632307, -0.02916175281, -0.8993365538, -0.8267783102,
              0.8587925825, -0.4939802857, -0.3756718002, 0.8897677104,
              -0.3611379361, -0.4670467888, 0.8718206876});
  expectNear("fc1.weight", "m",
             {0.002048772114, -0.0009381436125, 0.003539162089, 0.1428915369,
              0.09274141938, -0.05082507871, -0.01893133346, -0.01202923816,
              0.01165665938, -0.07213778785, -0.05057817197, 0.03967056932,
              -0.03580695493, -0.02510543219, 0.01969123736});
  expectNear("fc1.weight", "v",
             {1.712741366e-07, 3.591344187e-08, 5.111056024e-07, 0.000833204751,
              0.0003509888024, 0.0001054141284, 1.462609316e-05,
              5.905395472e-06, 5.545139414e-06, 0.0002123593763,
              0.0001043951966, 6.422329356e-05, 5.23222404e-05, 2.572144857e-05,
              1.582367969e-05});
  expectNear("fc1.bias", "",
             {0.07976773618, 0.3731156371, -0.3489303037, 0.08885596804,
              -0.1892687879});
  expectNear("fc1.bias", "m",
             {-0.002033841046, -0.05345189718, 0.01012386452, 0.02358330857,
              0.01170602136});
  expectNear("fc1.bias", "v",
             {1.687887047e-07, 0.0001165958329, 4.182803122e-06,
              2.269733704e-05, 5.592291928e-06});
  expectNear("fc2.weight", "",
             {0.7194361661, 1.496538056, -1.465990725, -0.1124263445,
              -1.067374774, 0.5382858956, -1.397871207, -1.039624264,
              1.492593272, -0.2709226317});
  expectNear("fc2.weight", "m",
             {-0.01846786148, -0.003216499084, -0.07839632314, -0.05734808169,
              -0.04972888874, 0.01846786148, 0.003216499084, 0.07839632314,
              0.05734808169, 0.04972888874});
  expectNear("fc2.weight", "v",
             {1.391822189e-05, 4.220906172e-07, 0.0002508093575,
              0.0001342125436, 0.0001009192343, 1.391822189e-05,
              4.220906172e-07, 0.0002508093575, 0.0001342125436,
              0.0001009192343});
  expectNear("fc2.bias", "", {0.1171255038, 0.2953349277});
  expectNear("fc2.bias", "m", {-0.02618289331, 0.02618289331});
  expectNear("fc2.bias", "v", {2.797660616e-05, 2.797660616e-05});
}

TEST_F(PlannedMLPTest, NonFiniteStepChangesNothing) {
  ASSERT_TRUE(executable->run(0, inputs, results).ok());
  std::string before = getStateBytes(*executable);
  for (float bad : {std::numeric_limits<float>::quiet_NaN(),
                    std::numeric_limits<float>::infinity()}) {
    float good = std::exchange(x[17], bad);
    ASSERT_TRUE(executable->run(0, inputs, results).ok());
    EXPECT_FALSE(results.finite);
    EXPECT_EQ(getStateBytes(*executable), before);
    x[17] = good;
  }
  ASSERT_TRUE(executable->run(0, inputs, results).ok());
  EXPECT_TRUE(results.finite);
  EXPECT_EQ(getStep(), 2);
}

TEST_F(PlannedMLPTest, FailingInputEndsTheStep) {
  std::string before = getStateBytes(*executable);
  // The first micro-batch, and the tail.
  for (int64_t sample : {2, 9}) {
    inputs.failFrom = sample;
    io::Status status = executable->run(0, inputs, results);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.message(),
              "sample " + std::to_string(sample) + " is missing");
    EXPECT_EQ(getStateBytes(*executable), before);
  }
}

TEST_F(PlannedMLPTest, ProgramsShareState) {
  auto created = createExecutable(
      {{*module, ProgramKind::Step}, {*module, ProgramKind::Step}});
  ASSERT_TRUE(succeeded(created));
  Executable &both = **created;
  std::memcpy(both.getParameters()[0].data, getData("fc1.weight"), 60);
  std::memcpy(both.getParameters()[1].data, getData("fc1.bias"), 20);
  std::memcpy(both.getParameters()[2].data, getData("fc2.weight"), 40);
  std::memcpy(both.getParameters()[3].data, getData("fc2.bias"), 8);
  for (unsigned program : {0, 1}) {
    ASSERT_TRUE(executable->run(0, inputs, results).ok());
    ASSERT_TRUE(both.run(program, inputs, results).ok());
  }
  EXPECT_EQ(getStateBytes(both), getStateBytes(*executable));
}

} // namespace
