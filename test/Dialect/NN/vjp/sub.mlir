// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// da = c, db = -c
// CHECK-LABEL: func.func @sub(
// CHECK-SAME: %[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DB:[^ ]+]] = nn.neg %[[C]] {train.backward}
// CHECK-NEXT: return %[[C]], %[[DB]]
// VALUES-LABEL: @sub
// VALUES-NEXT: #0: {{\[\[}}-0.375, 1.75, -1.75], [-0.25, 0.125, 1.75]]
// VALUES-NEXT: #1: {{\[\[}}0.375, -1.75, 1.75], [0.25, -0.125, -1.75]]
func.func @sub(%a: tensor<?x3xf32> {reference.value = dense<[[-0.625, -0.875, 1.75], [-0.25, 1.875, 0.125]]> : tensor<2x3xf32>},
    %b: tensor<?x3xf32> {reference.value = dense<[[0.125, 1.625, 1.0], [0.375, -0.25, 1.5]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-0.375, 1.75, -1.75], [-0.25, 0.125, 1.75]]> : tensor<2x3xf32>}) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %y = nn.sub %a, %b : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %da, %db = train.gradient %loss wrt %a, %b : tensor<f32> wrt tensor<?x3xf32>, tensor<?x3xf32>
  return %da, %db : tensor<?x3xf32>, tensor<?x3xf32>
}

// Only what is wanted is built.
// CHECK-LABEL: func.func @sub_rhs(
// CHECK-SAME: %[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DB:[^ ]+]] = nn.neg %[[C]] {train.backward}
// CHECK-NEXT: return %[[DB]]
// VALUES-LABEL: @sub_rhs
// VALUES-NEXT: #0: {{\[\[}}-1.375, 1.5, -0.375], [0.125, -0.375, -0.625]]
func.func @sub_rhs(%a: tensor<?x3xf32> {reference.value = dense<[[-1.0, 1.25, 0.75], [0.875, 0.5, 1.875]]> : tensor<2x3xf32>},
    %b: tensor<?x3xf32> {reference.value = dense<[[-0.625, -0.375, -1.25], [-1.75, -1.125, 1.625]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[1.375, -1.5, 0.375], [-0.125, 0.375, 0.625]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.sub %a, %b : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %db = train.gradient %loss wrt %b : tensor<f32> wrt tensor<?x3xf32>
  return %db : tensor<?x3xf32>
}
