// RUN: accrue-translate --interpret --interpret-batch=2 %s | FileCheck %s
// RUN: accrue-translate --interpret --interpret-batch=2 --interpret-precision=declared %s | FileCheck %s --check-prefix=DECLARED

// CHECK-LABEL: @broadcast
func.func @broadcast() -> (tensor<?x2xf32>, tensor<2x?xi32>, tensor<?x2x?xf32>) {
  %x = nn.constant dense<[1.5, 2.0]> : tensor<2xf32>
  // CHECK-NEXT: #0: {{\[\[}}1.5, 2], [1.5, 2]] : tensor<2x2xf32>
  %0 = nn.broadcast %x dims [0] : tensor<2xf32> to tensor<?x2xf32>
  %i = nn.constant dense<[7, 8]> : tensor<2xi32>
  // CHECK-NEXT: #1: {{\[\[}}7, 7], [8, 8]] : tensor<2x2xi32>
  %1 = nn.broadcast %i dims [1] : tensor<2xi32> to tensor<2x?xi32>
  // CHECK-NEXT: #2: {{\[\[\[}}1.5, 1.5], [2, 2]], {{\[\[}}1.5, 1.5], [2, 2]]]
  %2 = nn.broadcast %x dims [0, 2] : tensor<2xf32> to tensor<?x2x?xf32>
  return %0, %1, %2 : tensor<?x2xf32>, tensor<2x?xi32>, tensor<?x2x?xf32>
}

// The share is divided by the extents of the new dimensions, and is rounded.
// CHECK-LABEL: @distribute
// DECLARED-LABEL: @distribute
func.func @distribute() -> (tensor<3x?xf32>, tensor<?x3xf32>) {
  %x = nn.constant dense<[1.0, 2.0, -4.0]> : tensor<3xf32>
  // CHECK-NEXT: #0: {{\[\[}}0.5, 0.5], [1, 1], [-2, -2]]
  %0 = nn.distribute %x dims [1] : tensor<3xf32> to tensor<3x?xf32>
  %one = nn.constant dense<1.0> : tensor<f32>
  // CHECK-NEXT: #1: {{\[\[}}0.16666666666666666, 0.16666666666666666,
  // DECLARED: #1: {{\[\[}}0.16666667, 0.16666667,
  %1 = nn.distribute %one dims [0, 1] : tensor<f32> to tensor<?x3xf32>
  return %0, %1 : tensor<3x?xf32>, tensor<?x3xf32>
}

// CHECK-LABEL: @reshape_and_transpose
func.func @reshape_and_transpose(
    %x: tensor<?x2x3xi32> {reference.value = dense<[[[0, 1, 2], [3, 4, 5]], [[6, 7, 8], [9, 10, 11]]]> : tensor<2x2x3xi32>})
    -> (tensor<?x3xi32, #nn.extents<"2*B">>, tensor<3x?x2xi32>) {
  // CHECK-NEXT: #0: {{\[\[}}0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]] : tensor<4x3xi32>
  %0 = nn.reshape %x : tensor<?x2x3xi32> to tensor<?x3xi32, #nn.extents<"2*B">>
  // CHECK-NEXT: #1: {{\[\[\[}}0, 3], [6, 9]], {{\[\[}}1, 4], [7, 10]], {{\[\[}}2, 5], [8, 11]]] : tensor<3x2x2xi32>
  %1 = nn.transpose %x [2, 0, 1] : tensor<?x2x3xi32> -> tensor<3x?x2xi32>
  return %0, %1 : tensor<?x3xi32, #nn.extents<"2*B">>, tensor<3x?x2xi32>
}
