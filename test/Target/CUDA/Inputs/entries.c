/* Calls entries of several sizes in turn, without waiting for them, and prints
   what comes out. */

#include "digits.h"

#include <stdio.h>
#include <string.h>

static unsigned state = 1;

/* A number in [0, 1). */
static float draw(void) {
  state = state * 1664525u + 1013904223u;
  return (float)(state >> 8) / 16777216.0f;
}

static float pixels[200][64];
static int32_t label[200];
static float weight[128 * 64];

static int run(digits *model) {
  const digits_tensor *tensor;
  digits_results results;
  size_t i, j;
  int round;
  for (i = 0; (tensor = digits_get_tensor(i)) != NULL; ++i) {
    if (strcmp(tensor->arena, "params") != 0)
      continue;
    for (j = 0; j < tensor->bytes / sizeof(float); ++j)
      weight[j] = (draw() - 0.5f) * 0.2f;
    if (digits_set_parameter(model, tensor->name, weight, tensor->bytes))
      return 1;
  }
  for (i = 0; i < 200; ++i) {
    for (j = 0; j < 64; ++j)
      pixels[i][j] = draw();
    label[i] = (int)(pixels[i][0] * 10.0f);
  }
  for (round = 0; round < 3; ++round) {
    if (digits_step(model, &pixels[0][0], label) ||
        digits_step_17(model, &pixels[100][0], label + 100) ||
        digits_gradients(model, &pixels[50][0], label + 50) ||
        digits_evaluate(model, &pixels[0][0], label) ||
        digits_step_17(model, &pixels[150][0], label + 150) ||
        digits_evaluate_190(model, &pixels[10][0], label + 10) ||
        digits_get_results(model, &results))
      return 1;
    printf("step %d loss %.9g\n", (int)results.step, results.loss);
  }
  if (digits_get_parameter(model, "fc1.weight", weight, sizeof weight))
    return 1;
  for (i = 0; i < 128 * 64; ++i)
    printf("fc1.weight %.9g\n", weight[i]);
  return 0;
}

int main(void) {
  digits *model;
  int status = digits_create(&model);
  if (status == 0)
    status = run(model);
  if (status)
    fprintf(stderr, "%s\n", digits_last_error());
  digits_destroy(model);
  return status;
}
