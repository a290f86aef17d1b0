/* Trains for as many steps as the argument says, on made-up data, and prints
   every digit of what comes out. */

#include "digits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned state = 1;

/* A number in [0, 1). */
static float draw(void) {
  state = state * 1664525u + 1013904223u;
  return (float)(state >> 8) / 16777216.0f;
}

static float pixels[512][64];
static int32_t label[512];
static float weight[128 * 64];

static int train(digits *model, int steps) {
  digits_results results;
  const digits_tensor *tensor;
  size_t i, j;
  int step;
  for (i = 0; (tensor = digits_get_tensor(i)) != NULL; ++i) {
    if (strcmp(tensor->arena, "params") != 0)
      continue;
    for (j = 0; j < tensor->bytes / sizeof(float); ++j)
      weight[j] = (draw() - 0.5f) * 0.2f;
    if (digits_set_parameter(model, tensor->name, weight, tensor->bytes))
      return 1;
  }
  for (i = 0; i < 512; ++i) {
    for (j = 0; j < 64; ++j)
      pixels[i][j] = draw();
    label[i] = (int)(pixels[i][0] * 10.0f);
  }
  for (step = 1; step <= steps; ++step) {
    if (digits_step(model, &pixels[0][0], label) ||
        digits_get_results(model, &results))
      return 1;
    printf("step %d loss %.9g\n", step, results.loss);
  }
  if (digits_get_parameter(model, "fc1.weight", weight, sizeof weight))
    return 1;
  for (i = 0; i < 128 * 64; ++i)
    printf("fc1.weight %.9g\n", weight[i]);
  return 0;
}

int main(int argc, char **argv) {
  digits *model;
  int status;
  if (digits_create(&model) != 0)
    return fprintf(stderr, "%s\n", digits_last_error()), 1;
  status = train(model, argc > 1 ? atoi(argv[1]) : 20);
  if (status)
    fprintf(stderr, "%s\n", digits_last_error());
  digits_destroy(model);
  return status;
}
