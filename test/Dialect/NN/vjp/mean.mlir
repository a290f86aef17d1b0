// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s

// Equal shares along the reduced dimensions; the batch is never a number.
// CHECK-LABEL: func.func @mean(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.distribute %[[C]] dims [0] {train.backward} : tensor<3xf32> to tensor<?x3xf32>
// CHECK-NEXT: return %[[DX]]
func.func @mean(%x: tensor<?x3xf32>, %c: tensor<3xf32>) -> tensor<?x3xf32> {
  %y = nn.mean %x dims [0] : tensor<?x3xf32> -> tensor<3xf32>
  %0 = nn.mul %y, %c : tensor<3xf32>
  %loss = nn.sum %0 dims [0] : tensor<3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}

// CHECK-LABEL: func.func @mean_inner(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.distribute %[[C]] dims [2] {train.backward} : tensor<?x3xf32> to tensor<?x3x4xf32>
// CHECK-NEXT: return %[[DX]]
func.func @mean_inner(%x: tensor<?x3x4xf32>, %c: tensor<?x3xf32>) -> tensor<?x3x4xf32> {
  %y = nn.mean %x dims [2] : tensor<?x3x4xf32> -> tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3x4xf32>
  return %dx : tensor<?x3x4xf32>
}
