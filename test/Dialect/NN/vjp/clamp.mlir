// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx = c in the range, also at its ends, else 0
// CHECK-LABEL: func.func @clamp(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.constant {train.backward} dense<1.250000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.constant {train.backward} dense<-5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.constant {train.backward} dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V3:[^ ]+]] = nn.broadcast %[[V2]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V4:[^ ]+]] = nn.broadcast %[[V1]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V5:[^ ]+]] = nn.broadcast %[[V0]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V6:[^ ]+]] = nn.compare ge %[[X]], %[[V4]] {train.backward}
// CHECK-NEXT: %[[V7:[^ ]+]] = nn.compare le %[[X]], %[[V5]] {train.backward}
// CHECK-NEXT: %[[V8:[^ ]+]] = nn.and %[[V6]], %[[V7]] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.select %[[V8]], %[[C]], %[[V3]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @clamp
// VALUES-NEXT: #0: {{\[\[}}-0.125, 0, -0.25], [1.25, 0, 0.5]]
func.func @clamp(%x: tensor<?x3xf32> {reference.value = dense<[[-0.5, -0.625, 0.0], [1.25, 1.375, 0.5]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-0.125, -0.375, -0.25], [1.25, -0.875, 0.5]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.clamp %x from -0.5 to 1.25 : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
