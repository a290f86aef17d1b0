/* Calls every function of the C interface of `digits` on made-up data, and
   prints what goes wrong. The argument is a folder. */

#include "digits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float pixels[512][64];
static int32_t label[512];
static float first[2][10 * 128], second[10 * 128];

static unsigned state = 1;

/* A number in [0, 1). */
static float draw(void) {
  state = state * 1664525u + 1013904223u;
  return (float)(state >> 8) / 16777216.0f;
}

#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition))                                                          \
      printf("line %d: not %s: %s\n", __LINE__, #condition,                    \
             digits_last_error());                                             \
  } while (0)

/* Prints the text of a call that has to fail. */
#define REFUSED(call)                                                          \
  do {                                                                         \
    EXPECT((call) != 0);                                                       \
    printf("refused: %s\n", digits_last_error());                              \
  } while (0)

static void fill(digits *model) {
  const digits_tensor *tensor;
  size_t i, j;
  float *data;
  for (i = 0; (tensor = digits_get_tensor(i)) != NULL; ++i) {
    if (strcmp(tensor->arena, "params") != 0)
      continue;
    data = (float *)malloc(tensor->bytes);
    for (j = 0; j < tensor->bytes / sizeof(float); ++j)
      data[j] = (draw() - 0.5f) * 0.2f;
    EXPECT(digits_set_parameter(model, tensor->name, data, tensor->bytes) == 0);
    free(data);
  }
  for (i = 0; i < 512; ++i) {
    for (j = 0; j < 64; ++j)
      pixels[i][j] = draw();
    label[i] = (int)(pixels[i][0] * 10.0f);
  }
}

static void checkCopies(digits *model) {
  int64_t step = 7;
  size_t bytes = sizeof second;
  EXPECT(digits_get_parameter(model, "fc2.weight", first[0], bytes) == 0);
  EXPECT(digits_set_state(model, "fc2.weight", "m", first[0], bytes) == 0);
  EXPECT(digits_get_state(model, "fc2.weight", "m", second, bytes) == 0);
  EXPECT(memcmp(first[0], second, bytes) == 0);
  memset(second, 0, bytes);
  EXPECT(digits_set_state(model, "fc2.weight", "m", second, bytes) == 0);
  EXPECT(digits_set_state(model, "step", NULL, &step, sizeof step) == 0);
  step = 0;
  EXPECT(digits_get_state(model, "step", "", &step, sizeof step) == 0);
  EXPECT(step == 7);
  step = 0;
  EXPECT(digits_set_state(model, "step", "", &step, sizeof step) == 0);
  EXPECT(digits_get_device_pointer(model, "params", "fc2.weight", NULL));
  EXPECT(digits_get_stream(model));
  EXPECT(digits_synchronize(model) == 0);
}

/* A step leaves the gradients that it was made of. */
static void checkPrograms(digits *model) {
  digits_results gradients, step, before, after;
  size_t bytes = sizeof second;
  EXPECT(digits_evaluate(model, &pixels[0][0], label) == 0);
  EXPECT(digits_get_results(model, &before) == 0);
  EXPECT(before.finite && before.grad_norm == 0 && before.learning_rate == 0);
  EXPECT(digits_gradients(model, &pixels[0][0], label) == 0);
  EXPECT(digits_get_results(model, &gradients) == 0);
  EXPECT(gradients.finite && gradients.step == 0);
  EXPECT(digits_get_gradient(model, "fc2.weight", first[0], bytes) == 0);
  EXPECT(digits_step(model, &pixels[0][0], label) == 0);
  EXPECT(digits_get_results(model, &step) == 0);
  EXPECT(digits_get_gradient(model, "fc2.weight", second, bytes) == 0);
  EXPECT(memcmp(first[0], second, bytes) == 0);
  EXPECT(step.step == 1 && step.finite && step.learning_rate > 0);
  EXPECT(step.loss == gradients.loss && step.loss == before.loss);
  EXPECT(step.grad_norm == gradients.grad_norm && step.grad_norm > 0);
  EXPECT(step.accuracy == before.accuracy);
  EXPECT(digits_evaluate(model, &pixels[0][0], label) == 0);
  EXPECT(digits_get_results(model, &after) == 0);
  EXPECT(after.loss < before.loss && after.step == 1);
  /* What is not finite is said, by all of them. */
  pixels[3][3] = NAN;
  EXPECT(digits_evaluate(model, &pixels[0][0], label) == 0);
  EXPECT(digits_get_results(model, &after) == 0 && !after.finite);
  EXPECT(digits_gradients(model, &pixels[0][0], label) == 0);
  EXPECT(digits_get_results(model, &after) == 0 && !after.finite);
  EXPECT(digits_step(model, &pixels[0][0], label) == 0);
  EXPECT(digits_get_results(model, &after) == 0 && !after.finite);
  EXPECT(after.step == 1);
  pixels[3][3] = 0.5f;
}

static void train(digits *model, float *weight) {
  int i;
  for (i = 0; i < 3; ++i)
    EXPECT(digits_step(model, &pixels[0][0], label) == 0);
  EXPECT(digits_get_parameter(model, "fc2.weight", weight, sizeof second) == 0);
}

static const char *join(const char *folder, const char *name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

/* Continues from a file as if nothing had happened. */
static void checkFiles(digits *model, const char *folder) {
  digits *other;
  digits_results results;
  const char *files[] = {"cut.safetensors",   "header.safetensors",
                         "shape.safetensors", "type.safetensors",
                         "name.safetensors",  "twice.safetensors",
                         "gap.safetensors",   "part.safetensors"};
  size_t i;
  EXPECT(digits_save(model, join(folder, "saved.safetensors")) == 0);
  train(model, first[0]);
  EXPECT(digits_create(&other) == 0);
  EXPECT(digits_load(other, join(folder, "saved.safetensors")) == 0);
  train(other, first[1]);
  EXPECT(memcmp(first[0], first[1], sizeof second) == 0);
  for (i = 0; i < sizeof files / sizeof *files; ++i)
    if (fopen(join(folder, files[i]), "rb"))
      REFUSED(digits_load(other, join(folder, files[i])));
  REFUSED(digits_load(other, "missing.safetensors"));
  REFUSED(digits_load(other, folder));
  REFUSED(digits_save(other, join(folder, "missing/saved.safetensors")));
  /* Nothing was loaded. */
  EXPECT(digits_get_parameter(other, "fc2.weight", second, sizeof second) == 0);
  EXPECT(memcmp(first[1], second, sizeof second) == 0);
  if (fopen(join(folder, "weights.safetensors"), "rb")) {
    EXPECT(digits_load(other, join(folder, "weights.safetensors")) == 0);
    EXPECT(digits_evaluate(other, &pixels[0][0], label) == 0);
    EXPECT(digits_get_results(other, &results) == 0);
    EXPECT(results.step == 4);
  }
  if (fopen(join(folder, "full.safetensors"), "rb")) {
    EXPECT(digits_load(other, join(folder, "full.safetensors")) == 0);
    EXPECT(digits_evaluate(other, &pixels[0][0], label) == 0);
    EXPECT(digits_get_results(other, &results) == 0);
    EXPECT(results.step == 3);
  }
  digits_destroy(other);
}

static void checkErrors(digits *model) {
  float value;
  digits *fresh;
  digits_results results;
  REFUSED(digits_create(NULL));
  REFUSED(digits_step(NULL, &pixels[0][0], label));
  REFUSED(digits_step(model, NULL, label));
  REFUSED(digits_set_parameter(NULL, "fc1.bias", &value, sizeof value));
  REFUSED(digits_set_parameter(model, NULL, &value, sizeof value));
  REFUSED(digits_set_parameter(model, "fc1.bia", &value, sizeof value));
  REFUSED(digits_set_parameter(model, "fc1.bias", &value, sizeof value));
  REFUSED(digits_get_parameter(model, "fc1.bias", NULL, 512));
  REFUSED(digits_get_state(model, "fc1.bias", "w", &value, sizeof value));
  REFUSED(digits_get_results(NULL, &results));
  REFUSED(digits_get_results(model, NULL));
  REFUSED(digits_synchronize(NULL));
  REFUSED(digits_save(model, NULL));
  REFUSED(digits_load(NULL, "file"));
  REFUSED(digits_get_device_pointer(model, "weights", "fc1.bias", "") == NULL);
  REFUSED(digits_get_stream(NULL) == NULL);
  EXPECT(digits_create(&fresh) == 0);
  REFUSED(digits_get_results(fresh, &results));
  digits_destroy(fresh);
  digits_destroy(NULL);
}

int main(int argc, char **argv) {
  digits *model;
  EXPECT(argc == 2);
  EXPECT(digits_create(&model) == 0);
  fill(model);
  checkCopies(model);
  checkPrograms(model);
  checkErrors(model);
  checkFiles(model, argv[1]);
  digits_destroy(model);
  printf("done\n");
  return 0;
}
