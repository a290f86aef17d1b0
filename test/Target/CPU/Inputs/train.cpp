// Trains examples/linear_regression.acr, compiled with --accumulate 4 to an
// object. Sizes and places are those of the memory plan (--emit planned).
#include "runtime/cpu/Step.h"

#include <cstdio>
#include <cstring>

extern "C" int32_t linear_regression_step(void *const *arenas,
                                          accrue_load_input_fn load, void *ctx);

alignas(64) static unsigned char params[68], gradients[68], state[8],
    inputs[384], activations[196], outputs[129];
static float features[64][5], target[64];

static int32_t load(void *, int64_t input, int64_t first, int64_t count,
                    void *to) {
  if (input == 0)
    std::memcpy(to, features[first], count * sizeof features[0]);
  else
    std::memcpy(to, &target[first], count * sizeof target[0]);
  return 0;
}

int main() {
  // target = features . (1, 2, 3, 4, 5) + 1
  unsigned random = 1;
  for (int i = 0; i < 64; ++i) {
    target[i] = 1;
    for (int j = 0; j < 5; ++j) {
      random = random * 1664525u + 1013904223u;
      features[i][j] = float(random >> 8) / (1 << 23) - 1;
      target[i] += float(j + 1) * features[i][j];
    }
  }
  void *const arenas[] = {params, gradients,   state,
                          inputs, activations, outputs};
  for (int step = 0; step < 1000; ++step)
    if (int32_t error = linear_regression_step(arenas, load, nullptr))
      return error;
  const float *weight = reinterpret_cast<const float *>(params);
  const float *bias = reinterpret_cast<const float *>(params + 64);
  std::printf("weight %.3f %.3f %.3f %.3f %.3f bias %.3f steps %lld\n",
              weight[0], weight[1], weight[2], weight[3], weight[4], *bias,
              *reinterpret_cast<const long long *>(state));
  return 0;
}
