/* Trains with the header of an emitted program, in C99. */
#include "mlp.h"
#include <stdio.h>

int main(void) {
  mlp *model = NULL;
  float x[10][3] = {{0}};
  int32_t label[10] = {0};
  mlp_results results;
  size_t i;
  if (mlp_create(&model) != 0) {
    fprintf(stderr, "%s\n", mlp_last_error());
    return 1;
  }
  for (i = 0; mlp_get_tensor(i) != NULL; ++i)
    printf("%s %s\n", mlp_get_tensor(i)->arena, mlp_get_tensor(i)->name);
  if (mlp_step(model, &x[0][0], label) != 0 ||
      mlp_get_results(model, &results) != 0)
    fprintf(stderr, "%s\n", mlp_last_error());
  else
    printf("loss %g\n", (double)results.loss);
  mlp_destroy(model);
  return 0;
}
