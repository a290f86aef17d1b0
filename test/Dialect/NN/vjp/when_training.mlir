// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// da = c, db = 0: where no mode is chosen, it is a training step.
// CHECK-LABEL: func.func @when_training(
// CHECK-SAME: %[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK: return %[[C]], %{{.*}}
// VALUES-LABEL: @when_training
// VALUES-NEXT: #0: {{\[\[}}-2, 1.25, 1.25], [-0.125, -0.75, -0.875]]
// VALUES-NEXT: #1: {{\[\[}}0, 0, 0], [0, 0, 0]]
func.func @when_training(%a: tensor<?x3xf32> {reference.value = dense<[[0.5, 1.625, 1.125], [-1.125, -0.75, 1.5]]> : tensor<2x3xf32>},
    %b: tensor<?x3xf32> {reference.value = dense<1.0> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-2.0, 1.25, 1.25], [-0.125, -0.75, -0.875]]> : tensor<2x3xf32>})
    -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %y = nn.when_training %a else %b : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %d:2 = train.gradient %loss wrt %a, %b : tensor<f32> wrt tensor<?x3xf32>, tensor<?x3xf32>
  return %d#0, %d#1 : tensor<?x3xf32>, tensor<?x3xf32>
}
