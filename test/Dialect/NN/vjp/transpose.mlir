// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// The inverse permutation.
// CHECK-LABEL: func.func @transpose(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.transpose %[[C]] [2, 0, 1] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @transpose
// VALUES-NEXT: #0: {{\[\[\[}}0.375, 0.125, 0.875], [-0.375, 1, -1.75], [-1.25, -0.25, -0.875], [0.75, -0.375, 1.125]], {{\[\[}}-0.625, -1.875, 0.75], [1.375, -0.625, -1.5], [-0.75, 1.75, 1.625], [1.375, -2, -1]]]
func.func @transpose(%x: tensor<?x4x3xf32> {reference.value = dense<[[[-0.375, 1.25, -1.375], [1.75, 1.625, 0.625], [-1.75, 0.625, 0.375], [1.125, -1.125, 1.875]], [[1.5, -1.5, -0.75], [-1.875, 1.375, 1.625], [2.0, 0.5, 0.625], [0.75, 0.25, 1.75]]]> : tensor<2x4x3xf32>},
    %c: tensor<4x3x?xf32> {reference.value = dense<[[[0.375, -0.625], [0.125, -1.875], [0.875, 0.75]], [[-0.375, 1.375], [1.0, -0.625], [-1.75, -1.5]], [[-1.25, -0.75], [-0.25, 1.75], [-0.875, 1.625]], [[0.75, 1.375], [-0.375, -2.0], [1.125, -1.0]]]> : tensor<4x3x2xf32>}) -> tensor<?x4x3xf32> {
  %y = nn.transpose %x [1, 2, 0] : tensor<?x4x3xf32> -> tensor<4x3x?xf32>
  %0 = nn.mul %y, %c : tensor<4x3x?xf32>
  %loss = nn.sum %0 dims [0, 1, 2] : tensor<4x3x?xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x4x3xf32>
  return %dx : tensor<?x4x3xf32>
}
