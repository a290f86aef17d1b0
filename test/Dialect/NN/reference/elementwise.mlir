// RUN: accrue-translate --interpret --interpret-digits=7 --interpret-batch=3 %s | FileCheck %s
// RUN: accrue-translate --interpret --interpret-precision=declared --interpret-batch=3 %s | FileCheck %s --check-prefix=DECLARED

// CHECK-LABEL: @unary
func.func @unary(%x: tensor<?xf64> {reference.value = dense<[-1.5, 2.0, 0.25]> : tensor<3xf64>},
                 %p: tensor<?xf64> {reference.value = dense<[1.5, 2.0, 0.25]> : tensor<3xf64>})
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  // CHECK-NEXT: #0: [1.5, -2, -0.25] : tensor<3xf64>
  %neg = nn.neg %x : tensor<?xf64>
  // CHECK-NEXT: #1: [0.2231302, 7.389056, 1.284025]
  %exp = nn.exp %x : tensor<?xf64>
  // CHECK-NEXT: #2: [0.4054651, 0.6931472, -1.386294]
  %log = nn.log %p : tensor<?xf64>
  // CHECK-NEXT: #3: [-0.9051483, 0.9640276, 0.2449187]
  %tanh = nn.tanh %x : tensor<?xf64>
  // CHECK-NEXT: #4: [0.1824255, 0.8807971, 0.5621765]
  %sigmoid = nn.sigmoid %x : tensor<?xf64>
  // CHECK-NEXT: #5: [0, 2, 0.25]
  %relu = nn.relu %x : tensor<?xf64>
  // CHECK-NEXT: #6: [1.224745, 1.414214, 0.5]
  %sqrt = nn.sqrt %p : tensor<?xf64>
  // CHECK-NEXT: #7: [2.25, 4, 0.0625]
  %square = nn.square %x : tensor<?xf64>
  return %neg, %exp, %log, %tanh, %sigmoid, %relu, %sqrt, %square : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// Extremes: no overflow in the sigmoid, NaN stays NaN, -0 is not positive.
// CHECK-LABEL: @extremes
func.func @extremes() -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
  %x = nn.constant dense<[-1.0e4, 1.0e4, -0.0, 0x7FF8000000000000]> : tensor<4xf64>
  %zero = nn.constant dense<0.0> : tensor<4xf64>
  // CHECK-NEXT: #0: [0, 1, 0.5, nan]
  %0 = nn.sigmoid %x : tensor<4xf64>
  // CHECK-NEXT: #1: [0, 10000, 0, nan]
  %1 = nn.relu %x : tensor<4xf64>
  // CHECK-NEXT: #2: [0, 10000, {{-?}}0, nan]
  %2 = nn.max %x, %zero : tensor<4xf64>
  return %0, %1, %2 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
}

// In f64 the declared type is ignored (the constants were rounded to f32 when
// they were written); in declared precision every result is rounded.
// CHECK-LABEL: @binary
// DECLARED-LABEL: @binary
func.func @binary() -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %a = nn.constant dense<[0.1, 0.33333333333, 1.0e8]> : tensor<3xf32>
  %b = nn.constant dense<[0.2, 3.0, 1.0]> : tensor<3xf32>
  // CHECK-NEXT: #0: [0.3, 3.333333, 1e+08]
  // DECLARED-NEXT: #0: [0.3, 3.3333333, 100000000]
  %0 = nn.add %a, %b : tensor<3xf32>
  // CHECK-NEXT: #1: [-0.1, -2.666667, 1e+08]
  // DECLARED-NEXT: #1: [-0.1, -2.6666667, 100000000]
  %1 = nn.sub %a, %b : tensor<3xf32>
  // CHECK-NEXT: #2: [0.02, 1, 1e+08]
  // DECLARED-NEXT: #2: [0.020000001, 1, 100000000]
  %2 = nn.mul %a, %b : tensor<3xf32>
  // CHECK-NEXT: #3: [0.5, 0.1111111, 1e+08]
  // DECLARED-NEXT: #3: [0.5, 0.11111111, 100000000]
  %3 = nn.div %a, %b : tensor<3xf32>
  // CHECK-NEXT: #4: [0.2, 3, 1e+08]
  %4 = nn.max %a, %b : tensor<3xf32>
  return %0, %1, %2, %3, %4 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// Integers wrap at their width and divide towards zero.
// CHECK-LABEL: @integers
func.func @integers() -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) {
  %a = nn.constant dense<[2147483647, -7, 5]> : tensor<3xi32>
  %b = nn.constant dense<[1, 2, -3]> : tensor<3xi32>
  // CHECK-NEXT: #0: [-2147483648, -5, 2]
  %0 = nn.add %a, %b : tensor<3xi32>
  // CHECK-NEXT: #1: [2147483646, -9, 8]
  %1 = nn.sub %a, %b : tensor<3xi32>
  // CHECK-NEXT: #2: [2147483647, -3, -1]
  %2 = nn.div %a, %b : tensor<3xi32>
  // CHECK-NEXT: #3: [2147483647, 2, 5]
  %3 = nn.max %a, %b : tensor<3xi32>
  return %0, %1, %2, %3 : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>
}

// With NaN every predicate but 'ne' is false.
// CHECK-LABEL: @comparison
func.func @comparison() -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xf32>) {
  %a = nn.constant dense<[1.0, 2.0, 3.0, 0x7FC00000]> : tensor<4xf32>
  %b = nn.constant dense<[2.0, 2.0, 2.0, 2.0]> : tensor<4xf32>
  // CHECK-NEXT: #0: [0, 1, 0, 0]
  %eq = nn.compare eq %a, %b : tensor<4xf32>
  // CHECK-NEXT: #1: [1, 0, 1, 1]
  %ne = nn.compare ne %a, %b : tensor<4xf32>
  // CHECK-NEXT: #2: [1, 0, 0, 0]
  %lt = nn.compare lt %a, %b : tensor<4xf32>
  // CHECK-NEXT: #3: [1, 1, 0, 0]
  %le = nn.compare le %a, %b : tensor<4xf32>
  // CHECK-NEXT: #4: [0, 0, 1, 0]
  %gt = nn.compare gt %a, %b : tensor<4xf32>
  // CHECK-NEXT: #5: [0, 1, 1, 0]
  %ge = nn.compare ge %a, %b : tensor<4xf32>
  // CHECK-NEXT: #6: [1, 2, 2, 2]
  %select = nn.select %lt, %a, %b : tensor<4xi1>, tensor<4xf32>
  return %eq, %ne, %lt, %le, %gt, %ge, %select : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xf32>
}

// 65519.9 is the largest that rounds to a finite f16; 6e-8 is a subnormal.
// CHECK-LABEL: @conversion
// DECLARED-LABEL: @conversion
func.func @conversion() -> (tensor<6xf16>, tensor<3xbf16>, tensor<3xi32>, tensor<3xi1>, tensor<3xf32>, tensor<2xi32>) {
  %a = nn.constant dense<[0.1, 65519.9, 65520.0, 1.0e-8, 6.0e-8, -2.5]> : tensor<6xf64>
  // DECLARED-NEXT: #0: [0.0999755859375, 65504, inf, 0, 5.960464477539063e-08, -2.5]
  %0 = nn.convert %a : tensor<6xf64> to tensor<6xf16>
  // bf16 keeps 8 digits: 257 is a tie, which goes to the even 256.
  %b = nn.constant dense<[257.0, 259.0, -2.9]> : tensor<3xf64>
  // DECLARED-NEXT: #1: [256, 260, -2.90625]
  %1 = nn.convert %b : tensor<3xf64> to tensor<3xbf16>
  // CHECK: #2: [257, 259, -2]
  %2 = nn.convert %b : tensor<3xf64> to tensor<3xi32>
  %c = nn.constant dense<[0.0, 0.25, -3.0]> : tensor<3xf32>
  // CHECK-NEXT: #3: [0, 1, 1]
  %3 = nn.convert %c : tensor<3xf32> to tensor<3xi1>
  // CHECK-NEXT: #4: [0, 1, 1]
  %4 = nn.convert %3 : tensor<3xi1> to tensor<3xf32>
  // CHECK-NEXT: #5: [0, -1]
  %d = nn.constant dense<[4294967296, 4294967295]> : tensor<2xi64>
  %5 = nn.convert %d : tensor<2xi64> to tensor<2xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<6xf16>, tensor<3xbf16>, tensor<3xi32>, tensor<3xi1>, tensor<3xf32>, tensor<2xi32>
}

// The logical batch of this run is 3.
// CHECK-LABEL: @extent
func.func @extent() -> (tensor<f32>, tensor<i64>) {
  // CHECK-NEXT: #0: 3 : tensor<f32>
  %0 = nn.extent <"B"> : tensor<f32>
  // CHECK-NEXT: #1: 54 : tensor<i64>
  %1 = nn.extent <"2*B", "3*B"> : tensor<i64>
  return %0, %1 : tensor<f32>, tensor<i64>
}
