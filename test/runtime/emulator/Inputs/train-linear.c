/* Fits y = 3 x0 - 2 x1 + 1 on eight samples of whole numbers. */

#include "linear_regression.h"

#include <stdio.h>

static float features[8][5];
static float target[8];

int main(void) {
  linear_regression *model;
  linear_regression_results results;
  int i, step;
  for (i = 0; i < 8; ++i) {
    features[i][0] = (float)(i & 1);
    features[i][1] = (float)(i >> 1 & 1);
    features[i][2] = (float)(i >> 2 & 1);
    target[i] = 3 * features[i][0] - 2 * features[i][1] + 1;
  }
  if (linear_regression_create(&model) != 0)
    return fprintf(stderr, "%s\n", linear_regression_last_error()), 1;
  for (step = 0; step < 500; ++step)
    if (linear_regression_step(model, &features[0][0], target) != 0 ||
        linear_regression_get_results(model, &results) != 0)
      return fprintf(stderr, "%s\n", linear_regression_last_error()), 1;
  printf("steps %d finite %d loss %.4f\n", (int)results.step, results.finite,
         results.loss);
  linear_regression_get_parameter(model, "weight", features[0],
                                  sizeof features[0]);
  printf("weight %.3f %.3f %.3f %.3f\n", features[0][0], features[0][1],
         features[0][2], features[0][3]);
  linear_regression_destroy(model);
  return 0;
}
