// RUN: accrue-translate --interpret --interpret-digits=7 --interpret-batch=2 %s | FileCheck %s
// RUN: accrue-translate --interpret --interpret-batch=2 --interpret-precision=declared %s | FileCheck %s --check-prefix=DECLARED

// CHECK-LABEL: @sum_and_mean
func.func @sum_and_mean(
    %x: tensor<?x3xf32> {reference.value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]]> : tensor<2x3xf32>})
    -> (tensor<3xf32>, tensor<?xf32>, tensor<f32>, tensor<3xf32>, tensor<?xf32>, tensor<f32>) {
  // CHECK-NEXT: #0: [5, 7, 9.5] : tensor<3xf32>
  %0 = nn.sum %x dims [0] : tensor<?x3xf32> -> tensor<3xf32>
  // CHECK-NEXT: #1: [6, 15.5] : tensor<2xf32>
  %1 = nn.sum %x dims [1] : tensor<?x3xf32> -> tensor<?xf32>
  // CHECK-NEXT: #2: 21.5 : tensor<f32>
  %2 = nn.sum %x dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  // CHECK-NEXT: #3: [2.5, 3.5, 4.75]
  %3 = nn.mean %x dims [0] : tensor<?x3xf32> -> tensor<3xf32>
  // CHECK-NEXT: #4: [2, 5.166667]
  %4 = nn.mean %x dims [1] : tensor<?x3xf32> -> tensor<?xf32>
  // CHECK-NEXT: #5: 3.583333
  %5 = nn.mean %x dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  return %0, %1, %2, %3, %4, %5 : tensor<3xf32>, tensor<?xf32>, tensor<f32>, tensor<3xf32>, tensor<?xf32>, tensor<f32>
}

// Dimensions that do not lie side by side.
// CHECK-LABEL: @rank3
func.func @rank3() -> (tensor<3xf32>, tensor<3xf32>, tensor<2x4xf32>) {
  %x = nn.constant dense<[[[0.0, 0.5, 1.0, 1.5], [2.0, 2.5, 3.0, 3.5], [4.0, 4.5, 5.0, 5.5]],
                          [[6.0, 6.5, 7.0, 7.5], [8.0, 8.5, 9.0, 9.5], [10.0, 10.5, 11.0, 11.5]]]> : tensor<2x3x4xf32>
  // CHECK-NEXT: #0: [30, 46, 62]
  %0 = nn.sum %x dims [0, 2] : tensor<2x3x4xf32> -> tensor<3xf32>
  // CHECK-NEXT: #1: [3.75, 5.75, 7.75]
  %1 = nn.mean %x dims [0, 2] : tensor<2x3x4xf32> -> tensor<3xf32>
  // CHECK-NEXT: #2: {{\[\[}}6, 7.5, 9, 10.5], [24, 25.5, 27, 28.5]]
  %2 = nn.sum %x dims [1] : tensor<2x3x4xf32> -> tensor<2x4xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<2x4xf32>
}

// f32 sums run sequentially in f32, f16 sums in f32.
// CHECK-LABEL: @order
// DECLARED-LABEL: @order
func.func @order() -> (tensor<f32>, tensor<f16>) {
  %a = nn.constant dense<[1.0e8, 1.0, 1.0, -1.0e8]> : tensor<4xf32>
  // CHECK-NEXT: #0: 2
  // DECLARED-NEXT: #0: 0
  %0 = nn.sum %a dims [0] : tensor<4xf32> -> tensor<f32>
  %b = nn.constant dense<[2048.0, 1.0, 1.0, 1.0, 1.0]> : tensor<5xf16>
  // DECLARED-NEXT: #1: 2052
  %1 = nn.sum %b dims [0] : tensor<5xf16> -> tensor<f16>
  return %0, %1 : tensor<f32>, tensor<f16>
}

// The lowest index among equal elements; NaN counts as largest.
// CHECK-LABEL: @argmax
func.func @argmax() -> (tensor<3xi32>, tensor<2xi32>, tensor<2xi32>) {
  %x = nn.constant dense<[[1.0, 3.0, 3.0], [0x7F800000, 0x7FC00000, 0x7FC00000]]> : tensor<2x3xf32>
  // CHECK-NEXT: #0: [1, 1, 1]
  %0 = nn.argmax %x dim 0 : tensor<2x3xf32> -> tensor<3xi32>
  // CHECK-NEXT: #1: [1, 1]
  %1 = nn.argmax %x dim 1 : tensor<2x3xf32> -> tensor<2xi32>
  %i = nn.constant dense<[[-5, -2, -9], [0, 0, 0]]> : tensor<2x3xi64>
  // CHECK-NEXT: #2: [1, 0]
  %2 = nn.argmax %i dim 1 : tensor<2x3xi64> -> tensor<2xi32>
  return %0, %1, %2 : tensor<3xi32>, tensor<2xi32>, tensor<2xi32>
}

// NaN wins; an extremum over no elements is that of no number.
// CHECK-LABEL: @extrema
func.func @extrema() -> (tensor<2xf64>, tensor<3xf64>, tensor<f64>, tensor<2xf64>, tensor<f64>, tensor<2xf64>, tensor<2xf64>) {
  %x = nn.constant dense<[[1.0, -3.0, 2.0], [-4.0, 0x7FF8000000000000, 8.0]]> : tensor<2x3xf64>
  // CHECK-NEXT: #0: [2, nan]
  %0 = nn.reduce_max %x dims [1] : tensor<2x3xf64> -> tensor<2xf64>
  // CHECK-NEXT: #1: [1, nan, 8]
  %1 = nn.reduce_max %x dims [0] : tensor<2x3xf64> -> tensor<3xf64>
  // CHECK-NEXT: #2: nan
  %2 = nn.reduce_max %x dims [0, 1] : tensor<2x3xf64> -> tensor<f64>
  // CHECK-NEXT: #3: [-3, nan]
  %3 = nn.reduce_min %x dims [1] : tensor<2x3xf64> -> tensor<2xf64>
  %y = nn.constant dense<[[[1.0, 5.0], [0.5, 7.0]]]> : tensor<1x2x2xf64>
  // CHECK-NEXT: #4: 0.5
  %4 = nn.reduce_min %y dims [0, 1, 2] : tensor<1x2x2xf64> -> tensor<f64>
  %none = nn.constant dense<> : tensor<2x0xf64>
  // CHECK-NEXT: #5: [-inf, -inf]
  %5 = nn.reduce_max %none dims [1] : tensor<2x0xf64> -> tensor<2xf64>
  // CHECK-NEXT: #6: [inf, inf]
  %6 = nn.reduce_min %none dims [1] : tensor<2x0xf64> -> tensor<2xf64>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2xf64>, tensor<3xf64>, tensor<f64>, tensor<2xf64>, tensor<f64>, tensor<2xf64>, tensor<2xf64>
}

// CHECK-LABEL: @cumsum
// DECLARED-LABEL: @cumsum
func.func @cumsum() -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<4xf16>) {
  %x = nn.constant dense<[[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]]> : tensor<2x3xf32>
  // CHECK-NEXT: #0: {{\[\[}}1, 3, 6], [10, 30, 60]]
  %0 = nn.cumsum %x dim 1 : tensor<2x3xf32>
  // CHECK-NEXT: #1: {{\[\[}}1, 2, 3], [11, 22, 33]]
  %1 = nn.cumsum %x dim 0 : tensor<2x3xf32>
  // CHECK-NEXT: #2: {{\[\[}}6, 5, 3], [60, 50, 30]]
  %2 = nn.cumsum %x dim 1 reverse : tensor<2x3xf32>
  // The sum of halves is kept in f32: 2049 rounds to 2048, 2050 is exact.
  %h = nn.constant dense<[2048.0, 1.0, 1.0, 2.0]> : tensor<4xf16>
  // DECLARED: #3: [2048, 2048, 2050, 2052]
  %3 = nn.cumsum %h dim 0 : tensor<4xf16>
  return %0, %1, %2, %3 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<4xf16>
}
