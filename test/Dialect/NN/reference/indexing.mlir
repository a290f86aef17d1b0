// RUN: accrue-translate --interpret --interpret-batch=2 %s | FileCheck %s
// RUN: accrue-translate --interpret --interpret-batch=2 --interpret-precision=declared %s | FileCheck %s --check-prefix=DECLARED

// numpy.take(x, i, axis); NaN out of range.
// CHECK-LABEL: @gather
func.func @gather() -> (tensor<2x2x2xf32>, tensor<2x3xf32>, tensor<f32>) {
  %x = nn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %i = nn.constant dense<[[2, 0], [3, -1]]> : tensor<2x2xi32>
  %y = nn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %j = nn.constant dense<[2, 1, 1]> : tensor<3xi64>
  %v = nn.constant dense<[7.0, 8.0]> : tensor<2xf32>
  %k = nn.constant dense<1> : tensor<i32>
  // CHECK-NEXT: #0: {{\[\[\[}}5, 6], [1, 2]], {{\[\[}}nan, nan], [nan, nan]]]
  %0 = nn.gather %x, %i dim 0 : (tensor<3x2xf32>, tensor<2x2xi32>) -> tensor<2x2x2xf32>
  // CHECK-NEXT: #1: {{\[\[}}3, 2, 2], [6, 5, 5]]
  %1 = nn.gather %y, %j dim 1 : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<2x3xf32>
  // CHECK-NEXT: #2: 8
  %2 = nn.gather %v, %k dim 0 : (tensor<2xf32>, tensor<i32>) -> tensor<f32>
  return %0, %1, %2 : tensor<2x2x2xf32>, tensor<2x3xf32>, tensor<f32>
}

// numpy.add.at(zeros, i, u), without what is out of range.
// CHECK-LABEL: @scatter_add
func.func @scatter_add() -> (tensor<3x2xf32>, tensor<2x3xf32>) {
  %u = nn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>
  %i = nn.constant dense<[2, 0, 2, 3]> : tensor<4xi32>
  %w = nn.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf32>
  %j = nn.constant dense<[[1, 1], [-1, 0]]> : tensor<2x2xi64>
  // CHECK-NEXT: #0: {{\[\[}}3, 4], [0, 0], [6, 8]]
  %0 = nn.scatter_add %u, %i dim 0 : (tensor<4x2xf32>, tensor<4xi32>) -> tensor<3x2xf32>
  // CHECK-NEXT: #1: {{\[\[}}4, 3, 0], [8, 11, 0]]
  %1 = nn.scatter_add %w, %j dim 1 : (tensor<2x2x2xf32>, tensor<2x2xi64>) -> tensor<2x3xf32>
  return %0, %1 : tensor<3x2xf32>, tensor<2x3xf32>
}

// In the order of the indices: 1e8 + 3 + 3 - 1e8 in f32, where 3 is lost twice,
// and 3 + 3 + 1e8 - 1e8, where 6 becomes 8. Halves are summed in f32.
// CHECK-LABEL: @order
// DECLARED-LABEL: @order
func.func @order() -> (tensor<2xf32>, tensor<1xf16>) {
  %u = nn.constant dense<[1.0e8, 3.0, 3.0, 3.0, 3.0, -1.0e8, 1.0e8, -1.0e8]> : tensor<8xf32>
  %i = nn.constant dense<[0, 1, 0, 0, 1, 0, 1, 1]> : tensor<8xi32>
  %h = nn.constant dense<[2048.0, 1.0, 1.0]> : tensor<3xf16>
  %j = nn.constant dense<[0, 0, 0]> : tensor<3xi32>
  // CHECK-NEXT: #0: [6, 6]
  // DECLARED-NEXT: #0: [0, 8]
  %0 = nn.scatter_add %u, %i dim 0 : (tensor<8xf32>, tensor<8xi32>) -> tensor<2xf32>
  // DECLARED-NEXT: #1: [2050]
  %1 = nn.scatter_add %h, %j dim 0 : (tensor<3xf16>, tensor<3xi32>) -> tensor<1xf16>
  return %0, %1 : tensor<2xf32>, tensor<1xf16>
}

// numpy.take_along_axis(x, i, axis)
// CHECK-LABEL: @take_along
func.func @take_along() -> (tensor<2x4xf32>, tensor<1x3xf32>) {
  %x = nn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %i = nn.constant dense<[[2, 2, 0, -1], [1, 0, 3, 2]]> : tensor<2x4xi32>
  %j = nn.constant dense<[[1, 0, 1]]> : tensor<1x3xi64>
  // CHECK-NEXT: #0: {{\[\[}}3, 3, 1, nan], [5, 4, nan, 6]]
  %0 = nn.take_along %x, %i dim 1 : (tensor<2x3xf32>, tensor<2x4xi32>) -> tensor<2x4xf32>
  // CHECK-NEXT: #1: {{\[\[}}4, 2, 6]]
  %1 = nn.take_along %x, %j dim 0 : (tensor<2x3xf32>, tensor<1x3xi64>) -> tensor<1x3xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<1x3xf32>
}

// torch.zeros(..).scatter_add(dim, i, u)
// CHECK-LABEL: @scatter_add_along
func.func @scatter_add_along() -> (tensor<2x4xf32>, tensor<3x2xf32>) {
  %u = nn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %i = nn.constant dense<[[3, 3, 0], [4, 1, -2]]> : tensor<2x3xi32>
  %v = nn.constant dense<[[1.0, 2.0], [4.0, 8.0]]> : tensor<2x2xf32>
  %j = nn.constant dense<[[2, 0], [2, 1]]> : tensor<2x2xi64>
  // CHECK-NEXT: #0: {{\[\[}}3, 0, 0, 3], [0, 5, 0, 0]]
  %0 = nn.scatter_add_along %u, %i dim 1 : (tensor<2x3xf32>, tensor<2x3xi32>) -> tensor<2x4xf32>
  // CHECK-NEXT: #1: {{\[\[}}0, 2], [0, 8], [5, 0]]
  %1 = nn.scatter_add_along %v, %j dim 0 : (tensor<2x2xf32>, tensor<2x2xi64>) -> tensor<3x2xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<3x2xf32>
}

// CHECK-LABEL: @top_k
func.func @top_k() -> (tensor<2x3xi32>, tensor<5xi32>, tensor<3xi32>) {
  %x = nn.constant dense<[[1.0, 4.0, 4.0, -2.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<2x4xf32>
  // NaN, then infinity, then numbers, then minus infinity.
  %y = nn.constant dense<[0xFF800000, 1.0, 0x7FC00000, 0x7F800000, 0x7FC00000]> : tensor<5xf32>
  %n = nn.constant dense<[-5, 7, -9, 7]> : tensor<4xi64>
  // CHECK-NEXT: #0: {{\[\[}}1, 2, 0], [0, 1, 2]]
  %0 = nn.top_k %x k 3 : tensor<2x4xf32> -> tensor<2x3xi32>
  // CHECK-NEXT: #1: [2, 4, 3, 1, 0]
  %1 = nn.top_k %y k 5 : tensor<5xf32> -> tensor<5xi32>
  // CHECK-NEXT: #2: [1, 3, 0]
  %2 = nn.top_k %n k 3 : tensor<4xi64> -> tensor<3xi32>
  return %0, %1, %2 : tensor<2x3xi32>, tensor<5xi32>, tensor<3xi32>
}
