// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// The branch that is taken receives c, the other one 0.
// CHECK-LABEL: func.func @select(
// CHECK-SAME: %[[P:[^:]+]]:{{[^%]+}}%[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.constant {train.backward} dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.broadcast %[[V0]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[DA:[^ ]+]] = nn.select %[[P]], %[[C]], %[[V1]] {train.backward}
// CHECK-NEXT: %[[DB:[^ ]+]] = nn.select %[[P]], %[[V1]], %[[C]] {train.backward}
// CHECK-NEXT: return %[[DA]], %[[DB]]
// VALUES-LABEL: @select
// VALUES-NEXT: #0: {{\[\[}}0, 0.875, -0.25], [-0.5, -0.375, 0]]
// VALUES-NEXT: #1: {{\[\[}}1, 0, 0], [0, 0, -1.875]]
func.func @select(%p: tensor<?x3xi1> {reference.value = dense<[[false, true, true], [true, true, false]]> : tensor<2x3xi1>},
    %a: tensor<?x3xf32> {reference.value = dense<[[-1.25, 1.25, 0.625], [0.875, 2.0, 1.75]]> : tensor<2x3xf32>},
    %b: tensor<?x3xf32> {reference.value = dense<[[1.375, 1.125, -0.375], [0.625, -1.25, 1.0]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[1.0, 0.875, -0.25], [-0.5, -0.375, -1.875]]> : tensor<2x3xf32>}) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %y = nn.select %p, %a, %b : tensor<?x3xi1>, tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %da, %db = train.gradient %loss wrt %a, %b : tensor<f32> wrt tensor<?x3xf32>, tensor<?x3xf32>
  return %da, %db : tensor<?x3xf32>, tensor<?x3xf32>
}
