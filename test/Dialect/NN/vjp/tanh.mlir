// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx = c (1 - y^2)
// CHECK-LABEL: func.func @tanh(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.constant {train.backward} dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.tanh %[[X]]
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.broadcast %[[V0]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V3:[^ ]+]] = nn.square %[[V1]] {train.backward}
// CHECK-NEXT: %[[V4:[^ ]+]] = nn.sub %[[V2]], %[[V3]] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.mul %[[C]], %[[V4]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @tanh
// VALUES-NEXT: #0: {{\[\[}}0.098306, 0.0971449, 0.112952], [0.225905, -0.81984, 0.0225883]]
func.func @tanh(%x: tensor<?x3xf32> {reference.value = dense<[[-0.5, -2.0, 1.375], [-1.375, -0.875, 1.5]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[0.125, 1.375, 0.5], [1.0, -1.625, 0.125]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.tanh %x : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
