/* Runs two steps and prints what each leaves in the output. */

#include "fill.h"

#include <stdio.h>

int main(void) {
  fill *model;
  float y[14];
  int step, i;
  if (fill_create(&model) != 0)
    return fprintf(stderr, "%s\n", fill_last_error()), 1;
  for (step = 0; step < 2; ++step) {
    if (fill_step(model) || fill_get_output(model, "y", y, sizeof y))
      return fprintf(stderr, "%s\n", fill_last_error()), 1;
    for (i = 0; i < 14; ++i)
      printf("%g%c", y[i], i == 13 ? '\n' : ' ');
  }
  fill_destroy(model);
  return 0;
}
