//===- check.cpp - Trains an emitted model on made-up data ----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the loss of every step, through nothing but the model's C functions.
// Compiled with -DDIGITS or -DLINEAR_REGRESSION, and the header's name as
// CHECK_HEADER. Parameters and data are the same on every machine.
//
//===----------------------------------------------------------------------===//

#include CHECK_HEADER

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#define JOIN(a, b) a##_##b
#ifdef DIGITS
using Model = digits;
using Results = digits_results;
#define CALL(name) JOIN(digits, name)
#else
using Model = linear_regression;
using Results = linear_regression_results;
#define CALL(name) JOIN(linear_regression, name)
#endif

static uint32_t state = 1;

/// The next number from [-1, 1).
static float draw() {
  state = state * 1664525u + 1013904223u;
  return float(state >> 8) / 8388608.0f - 1.0f;
}

static int train(Model *model) {
  for (size_t i = 0; const auto *tensor = CALL(get_tensor)(i); ++i) {
    if (std::strcmp(tensor->arena, "params") != 0)
      continue;
    std::vector<float> values(tensor->bytes / sizeof(float));
    for (float &value : values)
      value = 0.1f * draw();
    if (CALL(set_parameter)(model, tensor->name, values.data(), tensor->bytes))
      return 1;
  }
#ifdef DIGITS
  std::vector<float> x(512 * 64);
  std::vector<int32_t> y(512);
  for (int32_t &label : y)
    label = int32_t((draw() + 1.0f) * 5.0f) % 10;
#else
  std::vector<float> x(64 * 5), y(64);
  for (float &value : y)
    value = draw();
#endif
  for (float &value : x)
    value = draw();
  for (int step = 0; step < 20; ++step) {
    Results results;
    if (CALL(step)(model, x.data(), y.data()) ||
        CALL(get_results)(model, &results))
      return 1;
    std::printf("%.9g\n", double(results.loss));
  }
  return 0;
}

int main() {
  Model *model = nullptr;
  int status = CALL(create)(&model);
  if (status == 0)
    status = train(model);
  if (status != 0)
    std::fprintf(stderr, "error: %s\n", CALL(last_error)());
  CALL(destroy)(model);
  return status != 0;
}
