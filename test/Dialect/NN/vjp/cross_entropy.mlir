// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s

// The label is an integer: it has no cotangent.
// CHECK-LABEL: func.func @cross_entropy(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[LABEL:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.cross_entropy_grad %[[X]], %[[LABEL]], %[[C]] {train.backward}
// CHECK-NEXT: return %[[DX]]
func.func @cross_entropy(%x: tensor<?x3xf32>, %label: tensor<?xi32>, %c: tensor<?xf32>) -> tensor<?x3xf32> {
  %y = nn.cross_entropy %x, %label : (tensor<?x3xf32>, tensor<?xi32>) -> tensor<?xf32>
  %0 = nn.mul %y, %c : tensor<?xf32>
  %loss = nn.sum %0 dims [0] : tensor<?xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
