// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx = c 2 / sqrt(pi) exp(-x^2)
// CHECK-LABEL: func.func @erf(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.constant {train.backward} dense<1.12837923> : tensor<f32>
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.square %[[X]] {train.backward}
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.neg %[[V1]] {train.backward}
// CHECK-NEXT: %[[V3:[^ ]+]] = nn.exp %[[V2]] {train.backward}
// CHECK-NEXT: %[[V4:[^ ]+]] = nn.broadcast %[[V0]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V5:[^ ]+]] = nn.mul %[[V3]], %[[V4]] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.mul %[[C]], %[[V5]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @erf
// VALUES-NEXT: #0: {{\[\[}}0.416582, -1.527, 0.277721], [0.0197906, 2.22177, -0.0851799]]
func.func @erf(%x: tensor<?x3xf32> {reference.value = dense<[[-0.125, -0.625, -0.125], [1.75, 0.125, -1.375]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[0.375, -2.0, 0.25], [0.375, 2.0, -0.5]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.erf %x : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
