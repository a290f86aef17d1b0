// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// Back to the shape of the operand.
// CHECK-LABEL: func.func @reshape(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.reshape %[[C]] {train.backward} : tensor<?x3xf32, #nn.extents<"4*B">> to tensor<?x4x3xf32>
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @reshape
// VALUES-NEXT: #0: {{\[\[\[}}-0.625, -1, -0.25], [0.125, -1.375, -0.25], [0.5, -1.5, -1.5], [-1.25, -0.875, 1.875]], {{\[\[}}-1.875, -1.25, -1.375], [-0.125, -2, -0.125], [-1.375, -0.875, 1.125], [-1.25, 0.5, -0.375]]]
func.func @reshape(%x: tensor<?x4x3xf32> {reference.value = dense<[[[0.5, -1.0, -0.125], [0.125, 0.5, -1.125], [1.875, -0.875, -0.75], [-1.0, -1.75, -0.25]], [[1.125, 0.875, -1.25], [-1.5, -0.75, 1.125], [0.125, 1.75, 0.625], [0.5, 1.125, 1.0]]]> : tensor<2x4x3xf32>},
    %c: tensor<?x3xf32, #nn.extents<"4*B">> {reference.value = dense<[[-0.625, -1.0, -0.25], [0.125, -1.375, -0.25], [0.5, -1.5, -1.5], [-1.25, -0.875, 1.875], [-1.875, -1.25, -1.375], [-0.125, -2.0, -0.125], [-1.375, -0.875, 1.125], [-1.25, 0.5, -0.375]]> : tensor<8x3xf32>}) -> tensor<?x4x3xf32> {
  %y = nn.reshape %x : tensor<?x4x3xf32> to tensor<?x3xf32, #nn.extents<"4*B">>
  %0 = nn.mul %y, %c : tensor<?x3xf32, #nn.extents<"4*B">>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32, #nn.extents<"4*B">> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x4x3xf32>
  return %dx : tensor<?x4x3xf32>
}
