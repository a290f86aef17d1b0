// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// da = db = c
// CHECK-LABEL: func.func @add(
// CHECK-SAME: %[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: return %[[C]], %[[C]]
// VALUES-LABEL: @add
// VALUES-NEXT: #0: {{\[\[}}-0.625, 0.125, 1], [1.625, -1.375, 1.75]]
// VALUES-NEXT: #1: {{\[\[}}-0.625, 0.125, 1], [1.625, -1.375, 1.75]]
func.func @add(%a: tensor<?x3xf32> {reference.value = dense<[[-1.875, -0.5, -1.875], [-1.5, 1.875, 0.625]]> : tensor<2x3xf32>},
    %b: tensor<?x3xf32> {reference.value = dense<[[-0.25, 0.125, 1.5], [-0.625, 0.375, 0.75]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-0.625, 0.125, 1.0], [1.625, -1.375, 1.75]]> : tensor<2x3xf32>}) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %y = nn.add %a, %b : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %da, %db = train.gradient %loss wrt %a, %b : tensor<f32> wrt tensor<?x3xf32>, tensor<?x3xf32>
  return %da, %db : tensor<?x3xf32>, tensor<?x3xf32>
}

// Only what is wanted is built.
// CHECK-LABEL: func.func @add_rhs(
// CHECK-SAME: %[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: return %[[C]]
// VALUES-LABEL: @add_rhs
// VALUES-NEXT: #0: {{\[\[}}-1.25, -0.5, -1.25], [-0.625, 1.75, 0.25]]
func.func @add_rhs(%a: tensor<?x3xf32> {reference.value = dense<[[-2.0, 1.0, 1.25], [-1.5, -0.375, 1.25]]> : tensor<2x3xf32>},
    %b: tensor<?x3xf32> {reference.value = dense<[[-2.0, 0.5, 1.125], [0.125, 0.875, -1.125]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-1.25, -0.5, -1.25], [-0.625, 1.75, 0.25]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.add %a, %b : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %db = train.gradient %loss wrt %b : tensor<f32> wrt tensor<?x3xf32>
  return %db : tensor<?x3xf32>
}
