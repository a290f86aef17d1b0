/* Gradient descent by a program of its own, on the arrays of the working
   folder. */

#include "linear_regression.h"

#include <stdio.h>

static float features[64][5], target[64], weight[5], gradient[5];

static int readArray(const char *path, void *data, size_t bytes) {
  FILE *file = fopen(path, "rb");
  return !file || fread(data, 1, bytes, file) != bytes || fclose(file) != 0;
}

static int update(linear_regression *model, const char *name, size_t count) {
  size_t i, bytes = count * sizeof(float);
  if (linear_regression_get_parameter(model, name, weight, bytes) ||
      linear_regression_get_gradient(model, name, gradient, bytes))
    return 1;
  for (i = 0; i < count; ++i)
    weight[i] -= 0.1f * gradient[i];
  return linear_regression_set_parameter(model, name, weight, bytes);
}

int main(void) {
  linear_regression *model;
  linear_regression_results results;
  int64_t step;
  if (readArray("features.bin", features, sizeof features) ||
      readArray("target.bin", target, sizeof target))
    return 2;
  if (linear_regression_create(&model))
    return fprintf(stderr, "%s\n", linear_regression_last_error()), 1;
  for (step = 0; step < 5; ++step) {
    if (linear_regression_gradients(model, &features[0][0], target) ||
        update(model, "weight", 5) || update(model, "bias", 1) ||
        linear_regression_get_results(model, &results))
      return fprintf(stderr, "%s\n", linear_regression_last_error()), 1;
    printf("loss %.9g norm %.9g\n", results.loss, results.grad_norm);
  }
  if (linear_regression_set_state(model, "step", "", &step, sizeof step) ||
      linear_regression_save(model, "own.safetensors"))
    return fprintf(stderr, "%s\n", linear_regression_last_error()), 1;
  linear_regression_destroy(model);
  return 0;
}
