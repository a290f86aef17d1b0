//===- ExtentTest.cpp - Tests of symbolic extents -------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNDialect.h"
#include "gtest/gtest.h"
#include <limits>

using namespace mlir;
using namespace accrue::nn;

TEST(ExtentTest, LowestTerms) {
  EXPECT_EQ(Extent(6, 4, 1), Extent(3, 2, 1));
  EXPECT_EQ(Extent(0, 5, 2), Extent(0));
  EXPECT_TRUE(Extent(4, 2, 0).isStatic());
  EXPECT_FALSE(Extent(3, 2, 0).isStatic());
  EXPECT_TRUE(Extent::batch().isBatch());
}

TEST(ExtentTest, ProductsAndQuotients) {
  EXPECT_EQ(Extent::batch() * Extent(16), Extent(16, 1, 1));
  EXPECT_EQ(Extent(16, 1, 1) / Extent(4), Extent(4, 1, 1));
  EXPECT_EQ(Extent::batch() / Extent::batch(), Extent(1));
  EXPECT_EQ(getProduct({Extent::batch(), Extent::batch(), Extent(3, 2, 0)}),
            Extent(3, 2, 2));
}

TEST(ExtentTest, Numbers) {
  EXPECT_EQ(Extent(3, 2, 2).evaluate(4), 24);
  EXPECT_EQ(Extent(1, 4, 1).evaluate(8), 2);
  EXPECT_EQ(Extent(1, 4, 1).evaluate(6), std::nullopt);
  int64_t huge = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(Extent(2, 1, 1).evaluate(huge), std::nullopt);
}

TEST(ExtentTest, TextAndBack) {
  for (StringRef text : {"B", "16*B", "3*B^2/2", "7", "B/4", "1/2"}) {
    std::optional<Extent> extent = Extent::parse(text);
    ASSERT_TRUE(extent) << text.str();
    EXPECT_EQ(extent->str(), text);
  }
  for (StringRef text :
       {"", "2B", "B*2", "B^", "B/0", "-B", "B B", "1/-2", "/2"})
    EXPECT_FALSE(Extent::parse(text)) << text.str();
}

TEST(ExtentTest, TypesHaveACanonicalEncoding) {
  MLIRContext context;
  context.loadDialect<NNDialect>();
  Type f32 = Float32Type::get(&context);
  RankedTensorType plain = getTensorType({Extent::batch(), 4}, f32);
  EXPECT_FALSE(plain.getEncoding());
  EXPECT_EQ(getExtents(plain),
            (llvm::SmallVector<Extent>{Extent::batch(), Extent(4)}));
  llvm::SmallVector<Extent> extents = {Extent(16, 1, 1), Extent::batch()};
  RankedTensorType encoded = getTensorType(extents, f32);
  EXPECT_TRUE(encoded.getEncoding());
  EXPECT_EQ(getExtents(encoded), extents);
  EXPECT_EQ(getTypeForBatch(encoded, 2), RankedTensorType::get({32, 2}, f32));
  EXPECT_FALSE(getTypeForBatch(getTensorType({Extent(1, 4, 1)}, f32), 6));
}
