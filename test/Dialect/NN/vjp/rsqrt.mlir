// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx = -c y^3 / 2
// CHECK-LABEL: func.func @rsqrt(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.constant {train.backward} dense<-5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.rsqrt %[[X]]
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.square %[[V1]] {train.backward}
// CHECK-NEXT: %[[V3:[^ ]+]] = nn.mul %[[V2]], %[[V1]] {train.backward}
// CHECK-NEXT: %[[V4:[^ ]+]] = nn.broadcast %[[V0]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V5:[^ ]+]] = nn.mul %[[V3]], %[[V4]] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.mul %[[C]], %[[V5]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @rsqrt
// VALUES-NEXT: #0: {{\[\[}}0.136083, -0.10799, 0.120281], [0.221987, 0.0775275, -0.0146956]]
func.func @rsqrt(%x: tensor<?x3xf32> {reference.value = dense<[[1.5, 1.75, 3.0], [2.375, 1.375, 2.625]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-0.5, 0.5, -1.25], [-1.625, -0.25, 0.125]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.rsqrt %x : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
