// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s

// Back to the shape of the operand.
// CHECK-LABEL: func.func @reshape(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.reshape %[[C]] {train.backward} : tensor<?x3xf32, #nn.extents<"4*B">> to tensor<?x4x3xf32>
// CHECK-NEXT: return %[[DX]]
func.func @reshape(%x: tensor<?x4x3xf32>, %c: tensor<?x3xf32, #nn.extents<"4*B">>) -> tensor<?x4x3xf32> {
  %y = nn.reshape %x : tensor<?x4x3xf32> to tensor<?x3xf32, #nn.extents<"4*B">>
  %0 = nn.mul %y, %c : tensor<?x3xf32, #nn.extents<"4*B">>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32, #nn.extents<"4*B">> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x4x3xf32>
  return %dx : tensor<?x4x3xf32>
}
