// What couples samples (dimension 0) as a formula that splits over them, and the
// merge of what micro-batches contribute to it. Values from PyTorch.
// RUN: accrue-translate --interpret --interpret-digits=6 %s | FileCheck %s
// RUN: accrue-opt %s -test-split=parts=2,3 | accrue-translate --interpret --interpret-digits=6 | FileCheck %s
// RUN: accrue-opt %s -test-split=parts=1,1,3 -nn-decompose | accrue-translate --interpret --interpret-digits=6 | FileCheck %s
// RUN: accrue-opt %s -test-split=parts=2,3 | accrue-translate --interpret --interpret-digits=6 --interpret-precision=declared | FileCheck %s --check-prefix=HALF
// RUN: accrue-opt %s -test-split=parts=5 | FileCheck %s --check-prefix=IR

// IR-LABEL: @moments
// CHECK-LABEL: @moments
func.func @moments() -> (tensor<2xf64>, tensor<2xf64>, tensor<f64>, tensor<f64>, tensor<5xf64>, tensor<5xf64>) {
  %x = nn.constant dense<[[1.0, -2.0], [3.0, 0.5], [2.0, 0.5], [-1.0, 4.0], [0.0, 1.0]]> : tensor<5x2xf64>
  // CHECK-NEXT: #0: [1, 0.8]
  // CHECK-NEXT: #1: [2, 3.66]
  %0, %1 = nn.moments %x dims [0] : tensor<5x2xf64> -> tensor<2xf64>, tensor<2xf64>
  // CHECK-NEXT: #2: 0.9
  // CHECK-NEXT: #3: 2.84
  %2, %3 = nn.moments %x dims [0, 1] : tensor<5x2xf64> -> tensor<f64>, tensor<f64>
  // CHECK-NEXT: #4: [-0.5, 1.75, 1.25, 1.5, 0.5]
  // CHECK-NEXT: #5: [2.25, 1.5625, 0.5625, 6.25, 0.25]
  %4, %5 = nn.moments %x dims [1] : tensor<5x2xf64> -> tensor<5xf64>, tensor<5xf64>
  return %0, %1, %2, %3, %4, %5 : tensor<2xf64>, tensor<2xf64>, tensor<f64>, tensor<f64>, tensor<5xf64>, tensor<5xf64>
}

// The distances from the mean do not cancel, as those of squares would.
// CHECK-LABEL: @moments_far_from_zero
func.func @moments_far_from_zero() -> (tensor<f64>, tensor<f64>) {
  %x = nn.constant dense<[1000000000.0, 1000000003.0, 1000000002.0, 999999999.0, 1000000001.0]> : tensor<5xf64>
  // CHECK-NEXT: #0: 1e+09
  // CHECK-NEXT: #1: 2 :
  %0, %1 = nn.moments %x dims [0] : tensor<5xf64> -> tensor<f64>, tensor<f64>
  return %0, %1 : tensor<f64>, tensor<f64>
}

// The lowest of equal ones, and of NaN.
// IR-LABEL: @argmax
// IR-NOT: nn.argmax
// CHECK-LABEL: @argmax
func.func @argmax() -> (tensor<4xi32>, tensor<2xi32>) {
  %x = nn.constant dense<[[1.0, 0xFFF0000000000000, 1.0, 2.0], [3.0, 0xFFF0000000000000, 7.0, 2.0], [2.0, 0xFFF0000000000000, 0x7FF8000000000000, 1.0], [3.0, 0xFFF0000000000000, 0x7FF8000000000000, 2.0], [0.0, 0xFFF0000000000000, 9.0, 2.0]]> : tensor<5x4xf64>
  // CHECK-NEXT: #0: [1, 0, 2, 0]
  %0 = nn.argmax %x dim 0 : tensor<5x4xf64> -> tensor<4xi32>
  %n = nn.constant dense<[[-5, 3], [-2147483648, 3], [-4, 2], [-9, 1], [-4, 3]]> : tensor<5x2xi32>
  // CHECK-NEXT: #1: [2, 0]
  %1 = nn.argmax %n dim 0 : tensor<5x2xi32> -> tensor<2xi32>
  return %0, %1 : tensor<4xi32>, tensor<2xi32>
}

// The order of the indices is not that of the elements.
// CHECK-LABEL: @reduce_argmax
func.func @reduce_argmax() -> (tensor<2xf64>, tensor<2xi32>, tensor<f64>, tensor<i32>, tensor<2xf64>, tensor<2xi32>) {
  %x = nn.constant dense<[[1.0, 4.0], [3.0, 0.5], [2.0, 0.5], [3.0, 4.0], [0.0, 1.0]]> : tensor<5x2xf64>
  %i = nn.constant dense<[[9, 1], [8, 3], [6, 5], [7, 0], [5, 2]]> : tensor<5x2xi32>
  // CHECK-NEXT: #0: [3, 4]
  // CHECK-NEXT: #1: [7, 0]
  %0, %1 = nn.reduce_argmax %x, %i dims [0] : tensor<5x2xf64>, tensor<5x2xi32> -> tensor<2xf64>, tensor<2xi32>
  // CHECK-NEXT: #2: 4
  // CHECK-NEXT: #3: 0
  %2, %3 = nn.reduce_argmax %x, %i dims [0, 1] : tensor<5x2xf64>, tensor<5x2xi32> -> tensor<f64>, tensor<i32>
  %e = nn.constant dense<0.0> : tensor<0x2xf64>
  %n = nn.constant dense<0> : tensor<0x2xi32>
  // CHECK-NEXT: #4: [-inf, -inf]
  // CHECK-NEXT: #5: [2147483647, 2147483647]
  %4, %5 = nn.reduce_argmax %e, %n dims [0] : tensor<0x2xf64>, tensor<0x2xi32> -> tensor<2xf64>, tensor<2xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<2xf64>, tensor<2xi32>, tensor<f64>, tensor<i32>, tensor<2xf64>, tensor<2xi32>
}

// CHECK-LABEL: @extrema
func.func @extrema() -> (tensor<2xf64>, tensor<2xf64>, tensor<2xi32>, tensor<2xi32>, tensor<i64>) {
  %x = nn.constant dense<[[1.0, -2.0], [3.0, 0x7FF8000000000000], [2.0, 0.5], [-1.0, 4.0], [0.0, 1.0]]> : tensor<5x2xf64>
  // CHECK-NEXT: #0: [3, nan]
  %0 = nn.reduce_max %x dims [0] : tensor<5x2xf64> -> tensor<2xf64>
  // CHECK-NEXT: #1: [-1, nan]
  %1 = nn.reduce_min %x dims [0] : tensor<5x2xf64> -> tensor<2xf64>
  %n = nn.constant dense<[[-5, 3], [-7, 3], [-4, 2], [-9, 1], [-4, 3]]> : tensor<5x2xi32>
  // CHECK-NEXT: #2: [-4, 3]
  %2 = nn.reduce_max %n dims [0] : tensor<5x2xi32> -> tensor<2xi32>
  // CHECK-NEXT: #3: [-9, 1]
  %3 = nn.reduce_min %n dims [0] : tensor<5x2xi32> -> tensor<2xi32>
  %e = nn.constant dense<0> : tensor<0xi64>
  // CHECK-NEXT: #4: -9223372036854775808
  %4 = nn.reduce_max %e dims [0] : tensor<0xi64> -> tensor<i64>
  return %0, %1, %2, %3, %4 : tensor<2xf64>, tensor<2xf64>, tensor<2xi32>, tensor<2xi32>, tensor<i64>
}

// IR-LABEL: @softmax
// IR-NOT: nn.softmax
// IR-NOT: nn.log_softmax
// CHECK-LABEL: @softmax
func.func @softmax() -> (tensor<5x2xf64>, tensor<5x2xf64>, tensor<2xf64>, tensor<5x4xf64>, tensor<4xf64>) {
  %x = nn.constant dense<[[1.0, -2.0], [3.0, 0.5], [2.0, 0.5], [-1.0, 4.0], [0.0, 1.0]]> : tensor<5x2xf64>
  // CHECK-NEXT: #0: {{\[\[}}0.0861285, 0.00222777], [0.636409, 0.0271398], [0.234122, 0.0271398], [0.0116562, 0.898747], [0.0316849, 0.044746]]
  %0 = nn.softmax %x dim 0 : tensor<5x2xf64>
  // CHECK-NEXT: #1: {{\[\[}}-2.45191, -6.10675], [-0.451914, -3.60675], [-1.45191, -3.60675], [-4.45191, -0.106754], [-3.45191, -3.10675]]
  %1 = nn.log_softmax %x dim 0 : tensor<5x2xf64>
  // CHECK-NEXT: #2: [3.45191, 4.10675]
  %2 = nn.logsumexp %x dims [0] : tensor<5x2xf64> -> tensor<2xf64>
  // Large ones, masked samples, all masked, and an infinite one.
  %e = nn.constant dense<[[1000.0, 0xFFF0000000000000, 0xFFF0000000000000, 0.0], [1001.0, 0.5, 0xFFF0000000000000, 0.0], [999.0, 0xFFF0000000000000, 0xFFF0000000000000, 0x7FF0000000000000], [-1000.0, 1.0, 0xFFF0000000000000, 0.0], [0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0.0]]> : tensor<5x4xf64>
  // CHECK-NEXT: #3: {{\[\[}}0.244728, 0, 0, nan], [0.665241, 0.377541, 0, nan], [0.0900306, 0, 0, nan], [0, 0.622459, 0, nan], [0, 0, 0, nan]]
  %3 = nn.softmax %e dim 0 : tensor<5x4xf64>
  // CHECK-NEXT: #4: [1001.41, 1.47408, -inf, inf]
  %4 = nn.logsumexp %e dims [0] : tensor<5x4xf64> -> tensor<4xf64>
  return %0, %1, %2, %3, %4 : tensor<5x2xf64>, tensor<5x2xf64>, tensor<2xf64>, tensor<5x4xf64>, tensor<4xf64>
}

// IR-LABEL: @normalize
// IR-NOT: nn.normalize
// CHECK-LABEL: @normalize
func.func @normalize() -> (tensor<5x2xf64>, tensor<5x2xf64>, tensor<5x2xf64>) {
  %x = nn.constant dense<[[1.0, -2.0], [3.0, 0.5], [2.0, 0.5], [-1.0, 4.0], [0.0, 1.0]]> : tensor<5x2xf64>
  %c = nn.constant dense<[[0.5, 1.0], [-1.0, 2.0], [0.25, -0.5], [1.5, 0.0], [-2.0, 1.0]]> : tensor<5x2xf64>
  // CHECK-NEXT: #0: {{\[\[}}0, -1.46358], [1.41421, -0.156812], [0.707105, -0.156812], [-1.41421, 1.67266], [-0.707105, 0.104542]]
  %0 = nn.normalize %x dims [0] eps 1.0e-5 : tensor<5x2xf64>
  // CHECK-NEXT: #1: {{\[\[}}0.459618, -0.0871173], [-0.212133, 0.653385], [0.477295, -0.653385], [0.777817, -0.0871187], [-1.5026, 0.174236]]
  %1 = nn.normalize_grad %x, %c dims [0] eps 1.0e-5 : tensor<5x2xf64>
  // CHECK-NEXT: #2: {{\[\[}}0.577349, -0.964485], [1.73205, 0.241121], [1.1547, 0.241121], [-0.577349, 1.92897], [0, 0.482242]]
  %2 = nn.rms_norm %x dims [0] eps 1.0e-5 : tensor<5x2xf64>
  return %0, %1, %2 : tensor<5x2xf64>, tensor<5x2xf64>, tensor<5x2xf64>
}

// Samples are the classes: each row has its own label.
// IR-LABEL: @cross_entropy
// IR-NOT: nn.cross_entropy
// CHECK-LABEL: @cross_entropy
func.func @cross_entropy() -> (tensor<2xf64>, tensor<2x5xf64>) {
  %x = nn.constant dense<[[1.0, 3.0, 2.0, -1.0, 0.0], [-2.0, 0.5, 0.5, 4.0, 1.0]]> : tensor<2x5xf64>
  %l = nn.constant dense<[1, 4]> : tensor<2xi64>
  %c = nn.constant dense<[0.5, -2.0]> : tensor<2xf64>
  // CHECK-NEXT: #0: [0.451914, 3.10675]
  %0 = nn.cross_entropy %x, %l : (tensor<2x5xf64>, tensor<2xi64>) -> tensor<2xf64>
  // CHECK-NEXT: #1: {{\[\[}}0.0430643, -0.181796, 0.117061, 0.00582812, 0.0158425], [-0.00445554, -0.0542796, -0.0542796, -1.79749, 1.91051]]
  %1 = nn.cross_entropy_grad %x, %l, %c : tensor<2x5xf64>, tensor<2xi64>, tensor<2xf64>
  return %0, %1 : tensor<2xf64>, tensor<2x5xf64>
}

// A logarithm of the sum in bf16 would be off by up to 0.25.
// HALF-LABEL: @half
func.func @half() -> (tensor<5xbf16>, tensor<5xbf16>) {
  %x = nn.constant dense<[100.0, 101.0, 99.5, 98.0, 100.5]> : tensor<5xbf16>
  // HALF-NEXT: #0: [0.164062, 0.445312, 0.0991211, 0.0220947, 0.269531]
  %0 = nn.softmax %x dim 0 : tensor<5xbf16>
  // HALF-NEXT: #1: [0.194336, 1.16406, -0.291016, -1.75, 0.679688]
  %1 = nn.normalize %x dims [0] eps 1.0e-5 : tensor<5xbf16>
  return %0, %1 : tensor<5xbf16>, tensor<5xbf16>
}
