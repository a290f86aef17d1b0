// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx = c s (1 + x (1 - s)) with s = sigmoid(x); reads x only
// CHECK-LABEL: func.func @silu(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.constant {train.backward} dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.sigmoid %[[X]] {train.backward}
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.broadcast %[[V0]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V3:[^ ]+]] = nn.sub %[[V2]], %[[V1]] {train.backward}
// CHECK-NEXT: %[[V4:[^ ]+]] = nn.mul %[[X]], %[[V3]] {train.backward}
// CHECK-NEXT: %[[V5:[^ ]+]] = nn.add %[[V2]], %[[V4]] {train.backward}
// CHECK-NEXT: %[[V6:[^ ]+]] = nn.mul %[[V1]], %[[V5]] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.mul %[[C]], %[[V6]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @silu
// VALUES-NEXT: #0: {{\[\[}}-0.0497469, 0.26817, 0.0936058], [1.61919, 0.00737931, 1.47493]]
func.func @silu(%x: tensor<?x3xf32> {reference.value = dense<[[-3.875, 1.75, -3.375], [3.25, -1.375, 1.75]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[0.875, 0.25, -1.25], [1.5, -0.375, 1.375]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.silu %x : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
