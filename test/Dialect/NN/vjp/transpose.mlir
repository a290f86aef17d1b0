// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s

// The inverse permutation.
// CHECK-LABEL: func.func @transpose(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.transpose %[[C]] [2, 0, 1] {train.backward}
// CHECK-NEXT: return %[[DX]]
func.func @transpose(%x: tensor<?x4x3xf32>, %c: tensor<4x3x?xf32>) -> tensor<?x4x3xf32> {
  %y = nn.transpose %x [1, 2, 0] : tensor<?x4x3xf32> -> tensor<4x3x?xf32>
  %0 = nn.mul %y, %c : tensor<4x3x?xf32>
  %loss = nn.sum %0 dims [0, 1, 2] : tensor<4x3x?xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x4x3xf32>
  return %dx : tensor<?x4x3xf32>
}
