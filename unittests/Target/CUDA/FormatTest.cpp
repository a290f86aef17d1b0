//===- FormatTest.cpp - Tests of the layout of CUDA text ------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Target/CUDA/Format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace accrue::cuda;
using testing::HasSubstr;

static constexpr char kSource[] = R"(
// A comment that is much longer than what fits into a single line of eighty columns.
// The next one.
//     0  100  weight  f32[1, 2]
//    64    4  loss
#include "runtime/cuda/Model.cuh"
#include "model.h"
#include <cmath>
namespace kernels {
__global__ void __launch_bounds__(256) add_columns(float *__restrict__ a, const float *__restrict__ b) {
for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 100; i += gridDim.x * blockDim.x) { a[i] = a[i] + b[i]; }
}
} // namespace kernels
static const Row rows[] = {
{"a", "weight", {1, 2}, 0}, // first
{"b", "w", {}, 100},
};
extern "C" int step(model *model) {
ACCRUE_CHECK(accrue::launch(kernels::add_columns, 1, 256, model->stream, model->weights, model->gradients));
return 0;
}
)";

TEST(Format, IsAFixedPoint) {
  std::string once = formatText(kSource, "model.cu");
  EXPECT_NE(once, kSource);
  EXPECT_EQ(formatText(once, "model.cu"), once);
}

TEST(Format, HasTheStyleOfTheProject) {
  std::string text = formatText(kSource, "model.cu");
  // The file's own header, then the others in order.
  EXPECT_THAT(text, HasSubstr("#include \"model.h\"\n"
                              "#include \"runtime/cuda/Model.cuh\"\n"
                              "#include <cmath>\n"));
  EXPECT_THAT(text, HasSubstr("__global__ void __launch_bounds__(256)\n"
                              "add_columns(float *__restrict__ a, const float "
                              "*__restrict__ b) {\n"
                              "  for (int i = "));
  // What fits stays as it is.
  EXPECT_THAT(text, HasSubstr("//     0  100  weight  f32[1, 2]\n"
                              "//    64    4  loss\n"));
}
