// RUN: accrue-translate --interpret --interpret-batch=2 %s | FileCheck %s
// RUN: accrue-translate --interpret --interpret-batch=2 --interpret-precision=declared %s | FileCheck %s --check-prefix=DECLARED

// CHECK-LABEL: @matmul
func.func @matmul(
    %a: tensor<?x3xf32> {reference.value = dense<[[1.5, -2.0, 0.25], [0.5, 1.0, 3.0]]> : tensor<2x3xf32>},
    %b: tensor<3x2xf32> {reference.value = dense<[[2.0, 1.0], [-1.0, 0.5], [4.0, -3.0]]> : tensor<3x2xf32>})
    -> (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<3x3xf32>) {
  // CHECK-NEXT: #0: {{\[\[}}6, -0.25], [12, -8]] : tensor<2x2xf32>
  %0 = nn.matmul %a, %b : (tensor<?x3xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  %at = nn.transpose %a [1, 0] : tensor<?x3xf32> -> tensor<3x?xf32>
  %bt = nn.transpose %b [1, 0] : tensor<3x2xf32> -> tensor<2x3xf32>
  // CHECK-NEXT: #1: {{\[\[}}6, -0.25], [12, -8]]
  %1 = nn.matmul %at, %b transpose_lhs : (tensor<3x?xf32>, tensor<3x2xf32>) -> tensor<?x2xf32>
  // CHECK-NEXT: #2: {{\[\[}}6, -0.25], [12, -8]]
  %2 = nn.matmul %a, %bt transpose_rhs : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<?x2xf32>
  // CHECK-NEXT: #3: {{\[\[}}6, -0.25], [12, -8]]
  %3 = nn.matmul %at, %bt transpose_lhs transpose_rhs : (tensor<3x?xf32>, tensor<2x3xf32>) -> tensor<?x2xf32>
  // The weight gradient's form: the batch is the summed dimension.
  // CHECK-NEXT: #4: {{\[\[}}2.5, -2.5, 1.875], [-2.5, 5, 2.5], [1.875, 2.5, 9.0625]]
  %4 = nn.matmul %a, %a transpose_lhs : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<3x3xf32>
  return %0, %1, %2, %3, %4 : tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<3x3xf32>
}

// One product for each leading index.
// CHECK-LABEL: @batch
func.func @batch(
    %a: tensor<?x2x3xf32> {reference.value = dense<[[[1.5, -2.0, 0.25], [0.5, 1.0, 3.0]], [[-1.0, 2.5, 0.5], [2.0, -0.5, 1.0]]]> : tensor<2x2x3xf32>},
    %b: tensor<?x3x2xf32> {reference.value = dense<[[[2.0, 1.0], [-1.0, 0.5], [4.0, -3.0]], [[1.0, -1.5], [0.5, 2.0], [-2.0, 0.25]]]> : tensor<2x3x2xf32>})
    -> (tensor<?x2x2xf32>, tensor<?x2x2xf32>) {
  // CHECK-NEXT: #0: {{\[\[\[}}6, -0.25], [12, -8]], {{\[\[}}-0.75, 6.625], [-0.25, -3.75]]] : tensor<2x2x2xf32>
  %0 = nn.matmul %a, %b : (tensor<?x2x3xf32>, tensor<?x3x2xf32>) -> tensor<?x2x2xf32>
  %at = nn.transpose %a [0, 2, 1] : tensor<?x2x3xf32> -> tensor<?x3x2xf32>
  %bt = nn.transpose %b [0, 2, 1] : tensor<?x3x2xf32> -> tensor<?x2x3xf32>
  // CHECK-NEXT: #1: {{\[\[\[}}6, -0.25], [12, -8]], {{\[\[}}-0.75, 6.625], [-0.25, -3.75]]]
  %1 = nn.matmul %at, %bt transpose_lhs transpose_rhs : (tensor<?x3x2xf32>, tensor<?x2x3xf32>) -> tensor<?x2x2xf32>
  return %0, %1 : tensor<?x2x2xf32>, tensor<?x2x2xf32>
}

// Sums run in the order of the inner dimension, in f32 for f16.
// CHECK-LABEL: @order
// DECLARED-LABEL: @order
func.func @order() -> (tensor<1x1xf32>, tensor<1x1xf16>) {
  %a = nn.constant dense<[[1.0e8, 1.0, 1.0, -1.0e8]]> : tensor<1x4xf32>
  %one = nn.constant dense<1.0> : tensor<4x1xf32>
  // CHECK-NEXT: #0: {{\[\[}}2]]
  // DECLARED-NEXT: #0: {{\[\[}}0]]
  %0 = nn.matmul %a, %one : (tensor<1x4xf32>, tensor<4x1xf32>) -> tensor<1x1xf32>
  %b = nn.constant dense<[[2048.0, 1.0, 1.0, 1.0, 1.0]]> : tensor<1x5xf16>
  %ones = nn.constant dense<1.0> : tensor<5x1xf16>
  // DECLARED-NEXT: #1: {{\[\[}}2052]]
  %1 = nn.matmul %b, %ones : (tensor<1x5xf16>, tensor<5x1xf16>) -> tensor<1x1xf16>
  return %0, %1 : tensor<1x1xf32>, tensor<1x1xf16>
}
