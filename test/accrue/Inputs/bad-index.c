/* Gives a step a token that is none, from the host and from the device. */

#include "unigram.h"

#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

static int32_t tokens[3][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 0, 0, 0}};

static int check(int status) {
  if (status != 0)
    printf("%s\n", unigram_last_error());
  return status;
}

int main(void) {
  unigram *model;
  unigram_results results;
  float before[8], after[8];
  void *device;
  if (check(unigram_create(&model)) || check(unigram_step(model, tokens[0])) ||
      check(unigram_get_parameter(model, "bias", before, sizeof before)))
    return 1;
  tokens[2][1] = 8;
  if (check(unigram_step(model, tokens[0])) == 0)
    return 1;
  if (check(unigram_get_parameter(model, "bias", after, sizeof after)))
    return 1;
  printf("unchanged %d\n", memcmp(before, after, sizeof before) == 0);
  if (check(unigram_get_results(model, &results)))
    return 1;
  printf("step %d\n", (int)results.step);
  /* The host cannot look there: the loss is no number, and the step skipped. */
  if (cudaMalloc(&device, sizeof tokens) ||
      cudaMemcpy(device, tokens, sizeof tokens, cudaMemcpyHostToDevice) ||
      check(unigram_step(model, (const int32_t *)device)) ||
      check(unigram_get_results(model, &results)))
    return 1;
  printf("on the device: finite %d\n", results.finite);
  cudaFree(device);
  unigram_destroy(model);
  return 0;
}
