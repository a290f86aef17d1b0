// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx = c y (1 - y)
// CHECK-LABEL: func.func @sigmoid(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.constant {train.backward} dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.sigmoid %[[X]]
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.broadcast %[[V0]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V3:[^ ]+]] = nn.sub %[[V2]], %[[V1]] {train.backward}
// CHECK-NEXT: %[[V4:[^ ]+]] = nn.mul %[[V1]], %[[V3]] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.mul %[[C]], %[[V4]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @sigmoid
// VALUES-NEXT: #0: {{\[\[}}-0.186769, -0.205076, 0.293755], [-0.120706, 0.236492, 0.0881264]]
func.func @sigmoid(%x: tensor<?x3xf32> {reference.value = dense<[[0.125, 1.5, -0.5], [0.375, -1.75, -0.5]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-0.75, -1.375, 1.25], [-0.5, 1.875, 0.375]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.sigmoid %x : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
