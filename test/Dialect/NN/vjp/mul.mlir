// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// da = c b, db = c a
// CHECK-LABEL: func.func @mul(
// CHECK-SAME: %[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DA:[^ ]+]] = nn.mul %[[C]], %[[B]] {train.backward}
// CHECK-NEXT: %[[DB:[^ ]+]] = nn.mul %[[C]], %[[A]] {train.backward}
// CHECK-NEXT: return %[[DA]], %[[DB]]
// VALUES-LABEL: @mul
// VALUES-NEXT: #0: {{\[\[}}-2.84375, -0.46875, 1.5], [0.15625, 1.42188, 2.8125]]
// VALUES-NEXT: #1: {{\[\[}}-1.21875, 2.34375, -0.1875], [0.0625, 0.8125, 2.34375]]
func.func @mul(%a: tensor<?x3xf32> {reference.value = dense<[[-0.75, 1.875, -0.125], [0.5, 0.5, -1.25]]> : tensor<2x3xf32>},
    %b: tensor<?x3xf32> {reference.value = dense<[[-1.75, -0.375, 1.0], [1.25, 0.875, -1.5]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[1.625, 1.25, 1.5], [0.125, 1.625, -1.875]]> : tensor<2x3xf32>}) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %y = nn.mul %a, %b : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %da, %db = train.gradient %loss wrt %a, %b : tensor<f32> wrt tensor<?x3xf32>, tensor<?x3xf32>
  return %da, %db : tensor<?x3xf32>, tensor<?x3xf32>
}

// Only what is wanted is built.
// CHECK-LABEL: func.func @mul_rhs(
// CHECK-SAME: %[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DB:[^ ]+]] = nn.mul %[[C]], %[[A]] {train.backward}
// CHECK-NEXT: return %[[DB]]
// VALUES-LABEL: @mul_rhs
// VALUES-NEXT: #0: {{\[\[}}-3.28125, -0.234375, -1.25], [-0.625, -0.625, -0.3125]]
func.func @mul_rhs(%a: tensor<?x3xf32> {reference.value = dense<[[-1.875, -1.875, -1.0], [-1.0, -1.25, 0.25]]> : tensor<2x3xf32>},
    %b: tensor<?x3xf32> {reference.value = dense<[[-1.875, 0.375, -1.375], [0.75, -1.875, -0.75]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[1.75, 0.125, 1.25], [0.625, 0.5, -1.25]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.mul %a, %b : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %db = train.gradient %loss wrt %b : tensor<f32> wrt tensor<?x3xf32>
  return %db : tensor<?x3xf32>
}
