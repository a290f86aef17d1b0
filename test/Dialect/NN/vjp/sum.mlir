// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// The cotangent is repeated along the reduced dimensions.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.broadcast %[[C]] dims [0] {train.backward} : tensor<3xf32> to tensor<?x3xf32>
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @sum
// VALUES-NEXT: #0: {{\[\[}}-1.625, 0.25, 0.25], [-1.625, 0.25, 0.25]]
func.func @sum(%x: tensor<?x3xf32> {reference.value = dense<[[1.875, -0.125, -0.375], [0.875, 0.125, 0.875]]> : tensor<2x3xf32>},
    %c: tensor<3xf32> {reference.value = dense<[-1.625, 0.25, 0.25]> : tensor<3xf32>}) -> tensor<?x3xf32> {
  %y = nn.sum %x dims [0] : tensor<?x3xf32> -> tensor<3xf32>
  %0 = nn.mul %y, %c : tensor<3xf32>
  %loss = nn.sum %0 dims [0] : tensor<3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}

// CHECK-LABEL: func.func @sum_inner(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.broadcast %[[C]] dims [2] {train.backward} : tensor<?x3xf32> to tensor<?x3x4xf32>
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @sum_inner
// VALUES-NEXT: #0: {{\[\[\[}}1, 1, 1, 1], [-0.5, -0.5, -0.5, -0.5], [-0.125, -0.125, -0.125, -0.125]], {{\[\[}}1, 1, 1, 1], [0.125, 0.125, 0.125, 0.125], [-0.625, -0.625, -0.625, -0.625]]]
func.func @sum_inner(%x: tensor<?x3x4xf32> {reference.value = dense<[[[1.75, -1.875, -0.25, 0.5], [0.25, -1.75, 0.375, -1.125], [-1.25, 1.5, -1.25, -0.125]], [[1.0, 0.875, 0.25, 1.25], [-0.125, 0.5, 1.25, 0.75], [0.625, -0.375, 0.25, -0.375]]]> : tensor<2x3x4xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[1.0, -0.5, -0.125], [1.0, 0.125, -0.625]]> : tensor<2x3xf32>}) -> tensor<?x3x4xf32> {
  %y = nn.sum %x dims [2] : tensor<?x3x4xf32> -> tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3x4xf32>
  return %dx : tensor<?x3x4xf32>
}
