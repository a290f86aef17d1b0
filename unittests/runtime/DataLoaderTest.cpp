//===- DataLoaderTest.cpp - Unit tests of sampling and loading ------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each epoch visits each sample once, positions are a pure function of the
// index, and files that do not fit the model are refused.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/DataLoader.h"

#include "TestFiles.h"

#include <numeric>
#include <set>

using namespace accrue::io;

namespace {

using Ids = std::vector<int64_t>;

TEST(Sampler, ExactOrder) {
  // Computed by a second implementation.
  Sampler sampler(10, {/*batch=*/10, true, true, /*seed=*/7});
  EXPECT_EQ(sampler.batchAt(0).samples, (Ids{7, 1, 3, 9, 2, 6, 5, 0, 4, 8}));
  EXPECT_EQ(sampler.batchAt(1).samples, (Ids{4, 6, 0, 8, 3, 9, 7, 2, 5, 1}));
}

TEST(Sampler, EveryEpochVisitsEverySample) {
  Sampler sampler(1000, {/*batch=*/64, true, true, 1});
  ASSERT_EQ(sampler.batchesPerEpoch(), 16);
  EXPECT_EQ(sampler.tailSize(), 40);
  for (int64_t epoch : {0, 1, 2}) {
    std::set<int64_t> seen;
    for (int64_t i = 0; i < 16; ++i) {
      Batch batch = sampler.batchAt(epoch * 16 + i);
      EXPECT_EQ(batch.epoch, epoch);
      EXPECT_EQ(batch.index, epoch * 16 + i);
      EXPECT_EQ(batch.size(), i < 15 ? 64 : 40);
      seen.insert(batch.samples.begin(), batch.samples.end());
    }
    EXPECT_EQ(seen.size(), 1000u);
  }
}

TEST(Sampler, DropsTheTail) {
  Sampler sampler(1000, {/*batch=*/64, /*keepTail=*/false, true, 1});
  EXPECT_EQ(sampler.batchesPerEpoch(), 15);
  EXPECT_EQ(sampler.tailSize(), 0);
  EXPECT_EQ(sampler.batchAt(14).size(), 64);
  EXPECT_EQ(sampler.batchAt(15).epoch, 1);
  // The same samples are not always left out.
  std::set<int64_t> first, second;
  for (int64_t i = 0; i < 15; ++i) {
    for (int64_t id : sampler.batchAt(i).samples)
      first.insert(id);
    for (int64_t id : sampler.batchAt(15 + i).samples)
      second.insert(id);
  }
  EXPECT_EQ(first.size(), 960u);
  EXPECT_NE(first, second);
}

TEST(Sampler, PositionIsAPureFunctionOfTheIndex) {
  SamplerOptions options = {/*batch=*/3, true, true, 5};
  Sampler forward(10, options);
  for (int64_t index = 0; index < 12; ++index)
    forward.batchAt(index);
  for (int64_t index : {11, 2, 7, 0})
    EXPECT_EQ(Sampler(10, options).batchAt(index).samples,
              forward.batchAt(index).samples);
}

TEST(Sampler, WithoutShufflingTheOrderIsThatOfTheFile) {
  Sampler sampler(5, {/*batch=*/3, true, /*shuffle=*/false, 1});
  EXPECT_EQ(sampler.batchAt(0).samples, (Ids{0, 1, 2}));
  EXPECT_EQ(sampler.batchAt(3).samples, (Ids{3, 4}));
}

TEST(Sampler, FewerSamplesThanABatch) {
  Sampler sampler(5, {/*batch=*/8, true, true, 1});
  EXPECT_EQ(sampler.batchesPerEpoch(), 1);
  EXPECT_EQ(sampler.tailSize(), 5);
  EXPECT_EQ(sampler.batchAt(1).size(), 5);
}

class DataLoaderTest : public FileTest {
protected:
  /// Five samples of two pixels, sample s being (10 s, 10 s + 1).
  InputSpec pixels() {
    std::string file =
        put("x.npy", npyArray<uint8_t>("|u1", "(5, 2)",
                                       {0, 1, 10, 11, 20, 21, 30, 31, 40, 41}));
    return {"pixels", file, DType::F32, {-1, 2}, 0};
  }
  InputSpec label() {
    std::string file =
        put("y.npy", npyArray<int64_t>("<i8", "(5,)", {0, 1, 2, 3, 4}));
    return {"label", file, DType::I32, {-1}, 0};
  }
};

const SamplerOptions inOrder = {/*batch=*/3, true, /*shuffle=*/false, 0};

TEST_F(DataLoaderTest, GathersAndConverts) {
  Result<DataLoader> loader = DataLoader::open({pixels(), label()}, {3});
  ASSERT_TRUE(loader.ok()) << loader.message();
  EXPECT_EQ(loader->samples(), 5);
  EXPECT_EQ(loader->sampleBytes(0), 8);
  EXPECT_EQ(loader->sampleBytes(1), 4);
  for (int64_t index = 0; index < 4; ++index) {
    Batch batch = loader->batchAt(index);
    float x[6];
    int32_t y[3];
    ASSERT_TRUE(loader->gather(0, batch, 0, batch.size(), x).ok());
    ASSERT_TRUE(loader->gather(1, batch, 0, batch.size(), y).ok());
    for (int64_t i = 0; i < batch.size(); ++i) {
      EXPECT_EQ(y[i], batch.samples[i]);
      EXPECT_EQ(x[2 * i], 10.0f * batch.samples[i]);
      EXPECT_EQ(x[2 * i + 1], 10.0f * batch.samples[i] + 1);
    }
    // A micro-batch is the same samples.
    ASSERT_TRUE(loader->gather(1, batch, 1, 2, y).ok());
    EXPECT_EQ(y[0], batch.samples[1]);
  }
}

TEST_F(DataLoaderTest, AnyBatchDimension) {
  // [outer 2, samples 3, inner 2], element = 100 outer + 10 sample + inner.
  std::string file = put("t.npy", npyArray<int32_t>("<i4", "(2, 3, 2)",
                                                    {0, 1, 10, 11, 20, 21, 100,
                                                     101, 110, 111, 120, 121}));
  Result<DataLoader> loader = DataLoader::open(
      {{"tokens", file, DType::I32, {2, -1, 2}, /*batchDim=*/1}}, inOrder);
  ASSERT_TRUE(loader.ok()) << loader.message();
  std::vector<int32_t> values(8);
  Batch batch = loader->batchAt(0);
  batch.samples = {2, 0};
  ASSERT_TRUE(loader->gather(0, batch, 0, 2, values.data()).ok());
  EXPECT_EQ(values, (std::vector<int32_t>{20, 21, 0, 1, 120, 121, 100, 101}));
}

TEST_F(DataLoaderTest, RefusesFilesThatDoNotFit) {
  InputSpec input = pixels();
  input.shape = {-1, 3};
  expectMessage(DataLoader::open({input}, inOrder),
                input.path +
                    ": input 'pixels': expected shape [?, 3], got [5, 2]");
  input.shape = {-1};
  expectMessage(DataLoader::open({input}, inOrder),
                input.path +
                    ": input 'pixels': expected shape [?], got [5, 2]");
  std::string reals =
      put("r.npy", npyArray<double>("<f8", "(5,)", {0, 1, 2, 3, 4}));
  expectMessage(
      DataLoader::open({{"label", reals, DType::I32, {-1}, 0}}, inOrder),
      reals + ": input 'label': expected i32 or a type that converts "
              "to it, got f64");
  std::string four =
      put("f.npy", npyArray<int32_t>("<i4", "(4,)", {0, 1, 2, 3}));
  expectMessage(DataLoader::open(
                    {pixels(), {"label", four, DType::I32, {-1}, 0}}, inOrder),
                four + ": input 'label': expected 5 samples as in " +
                    path("x.npy") + ", got 4");
  expectMessage(DataLoader::open({label()}, {/*batch=*/6, /*keepTail=*/false}),
                path("y.npy") + ": expected at least 6 samples, got 5");
  std::string none = put("n.npy", npyArray<float>("<f4", "(0, 2)", {}));
  expectMessage(
      DataLoader::open({{"x", none, DType::F32, {-1, 2}, 0}}, inOrder),
      none + ": expected at least 1 sample, got 0");
}

TEST_F(DataLoaderTest, NamesAValueThatDoesNotFit) {
  std::string file =
      put("y.npy", npyArray<int64_t>("<i8", "(3,)", {0, int64_t(1) << 40, 2}));
  Result<DataLoader> loader =
      DataLoader::open({{"label", file, DType::I32, {-1}, 0}}, inOrder);
  ASSERT_TRUE(loader.ok()) << loader.message();
  int32_t values[3];
  expectMessage(loader->gather(0, loader->batchAt(0), 0, 3, values),
                file + ": value 1099511627776 at [1] does not fit i32");
}

TEST_F(DataLoaderTest, NamesAnIndexOutOfBounds) {
  // [outer 2, samples 3, inner 2]; elements of a sample in C order are bounded
  // by 10, 10, nothing, 200.
  std::string file =
      put("t.npy",
          npyArray<int32_t>("<i4", "(2, 3, 2)",
                            {0, 1, 2, 3, 4, 5, 100, 101, -9, 111, 120, 121}));
  InputSpec input = {"tokens",
                     file,
                     DType::I32,
                     {2, -1, 2},
                     /*batchDim=*/1,
                     {{0, 2, 10, "embedding"}, {3, 4, 200, "loss at m.acr:3"}}};
  Result<DataLoader> loader = DataLoader::open({input}, inOrder);
  ASSERT_TRUE(loader.ok()) << loader.message();
  int32_t values[12];
  EXPECT_TRUE(loader->gather(0, loader->batchAt(0), 0, 3, values).ok());

  input.bounds[1].bound = 121;
  loader = DataLoader::open({input}, inOrder);
  ASSERT_TRUE(loader.ok()) << loader.message();
  expectMessage(loader->gather(0, loader->batchAt(2), 1, 3, values),
                "tokens[1, 2, 1] = 121 of batch 3 (sample 2 of " + file +
                    "): expected a value in [0, 121), as loss at m.acr:3 "
                    "reads it");
  // A micro-batch without it is fine.
  EXPECT_TRUE(loader->gather(0, loader->batchAt(2), 0, 2, values).ok());
  input.bounds = {{2, 3, 1000, "loss"}};
  loader = DataLoader::open({input}, inOrder);
  ASSERT_TRUE(loader.ok()) << loader.message();
  expectMessage(loader->gather(0, loader->batchAt(0), 0, 3, values),
                "tokens[1, 1, 0] = -9 of batch 1 (sample 1 of " + file +
                    "): expected a value in [0, 1000), as loss reads it");
}

} // namespace
