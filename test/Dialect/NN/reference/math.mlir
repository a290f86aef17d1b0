// RUN: accrue-translate --interpret --interpret-digits=7 %s | FileCheck %s

// CHECK-LABEL: @everywhere
func.func @everywhere(%x: tensor<5xf64> {reference.value = dense<[-3.0, -0.75, 0.0, 0.5, 2.25]> : tensor<5xf64>})
    -> (tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>) {
  // CHECK-NEXT: #0: [3, 0.75, 0, 0.5, 2.25] : tensor<5xf64>
  %0 = nn.abs %x : tensor<5xf64>
  // CHECK-NEXT: #1: [-1, -1, 0, 1, 1]
  %1 = nn.sign %x : tensor<5xf64>
  // CHECK-NEXT: #2: [-3, -1, 0, 0, 2]
  %2 = nn.floor %x : tensor<5xf64>
  // CHECK-NEXT: #3: [-0.9999779, -0.7111556, 0, 0.5204999, 0.9985373]
  %3 = nn.erf %x : tensor<5xf64>
  // CHECK-NEXT: #4: [-0.9502129, -0.5276334, 0, 0.6487213, 8.487736]
  %4 = nn.expm1 %x : tensor<5xf64>
  // CHECK-NEXT: #5: [-0.14112, -0.6816388, 0, 0.4794255, 0.7780732]
  %5 = nn.sin %x : tensor<5xf64>
  // CHECK-NEXT: #6: [-0.9899925, 0.7316889, 1, 0.8775826, -0.6281736]
  %6 = nn.cos %x : tensor<5xf64>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>
}

// CHECK-LABEL: @positive
func.func @positive(%x: tensor<5xf64> {reference.value = dense<[0.25, 0.5, 1.0, 2.0, 9.0]> : tensor<5xf64>})
    -> (tensor<5xf64>, tensor<5xf64>, tensor<5xf64>) {
  // CHECK-NEXT: #0: [0.2231436, 0.4054651, 0.6931472, 1.098612, 2.302585]
  %0 = nn.log1p %x : tensor<5xf64>
  // CHECK-NEXT: #1: [2, 1.414214, 1, 0.7071068, 0.3333333]
  %1 = nn.rsqrt %x : tensor<5xf64>
  // CHECK-NEXT: #2: [4, 2, 1, 0.5, 0.1111111]
  %2 = nn.reciprocal %x : tensor<5xf64>
  return %0, %1, %2 : tensor<5xf64>, tensor<5xf64>, tensor<5xf64>
}

// CHECK-LABEL: @activations
func.func @activations(%x: tensor<5xf64> {reference.value = dense<[-3.0, -0.75, 0.0, 0.5, 2.25]> : tensor<5xf64>})
    -> (tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>) {
  // CHECK-NEXT: #0: [-0.1422776, -0.240616, 0, 0.3112297, 2.035464]
  %0 = nn.silu %x : tensor<5xf64>
  // CHECK-NEXT: #1: [0.04858735, 0.386871, 0.6931472, 0.974077, 2.350207]
  %1 = nn.softplus %x : tensor<5xf64>
  // CHECK-NEXT: #2: [-0.004049694, -0.1699705, 0, 0.3457312, 2.222495]
  %2 = nn.gelu %x : tensor<5xf64>
  // CHECK-NEXT: #3: [-0.003637392, -0.1700394, 0, 0.345714, 2.222799]
  %3 = nn.gelu %x tanh : tensor<5xf64>
  // CHECK-NEXT: #4: [-0.75, -0.75, 0, 0.5, 1.5]
  %4 = nn.clamp %x from -0.75 to 1.5 : tensor<5xf64>
  // CHECK-NEXT: #5: [-3, -0.75, 0, 0.5, 2.25]
  %5 = nn.stop_gradient %x : tensor<5xf64>
  return %0, %1, %2, %3, %4, %5 : tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>
}

// No overflow, no digits lost near 0, NaN stays NaN.
// CHECK-LABEL: @extremes
func.func @extremes() -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<2xf64>, tensor<2xf64>) {
  %x = nn.constant dense<[-1.0e4, 1.0e4, 0x7FF8000000000000]> : tensor<3xf64>
  // CHECK-NEXT: #0: [{{-?}}0, 10000, nan]
  %0 = nn.silu %x : tensor<3xf64>
  // CHECK-NEXT: #1: [0, 10000, nan]
  %1 = nn.softplus %x : tensor<3xf64>
  // CHECK-NEXT: #2: [{{-?}}0, 10000, nan]
  %2 = nn.gelu %x : tensor<3xf64>
  // CHECK-NEXT: #3: [{{-?}}0, 10000, nan]
  %3 = nn.gelu %x tanh : tensor<3xf64>
  // CHECK-NEXT: #4: [-1, 1, nan]
  %4 = nn.clamp %x from -1.0 to 1.0 : tensor<3xf64>
  // CHECK-NEXT: #5: [-1, 1, nan]
  %5 = nn.sign %x : tensor<3xf64>
  %small = nn.constant dense<[1.0e-10, -2.0e-8]> : tensor<2xf64>
  // CHECK-NEXT: #6: [1e-10, -2e-08]
  %6 = nn.log1p %small : tensor<2xf64>
  // CHECK-NEXT: #7: [1e-10, -2e-08]
  %7 = nn.expm1 %small : tensor<2xf64>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<2xf64>, tensor<2xf64>
}

// CHECK-LABEL: @two_operands
func.func @two_operands() -> (tensor<6xf64>, tensor<3xf64>, tensor<2xi32>) {
  %a = nn.constant dense<[2.0, 0.0, -2.0, 9.0, 0.0, -2.0]> : tensor<6xf64>
  %b = nn.constant dense<[0.5, 0.0, 3.0, -0.5, 2.0, 0.5]> : tensor<6xf64>
  // A root of a negative number is none.
  // CHECK-NEXT: #0: [1.414214, 1, -8, 0.3333333, 0, {{-?}}nan]
  %0 = nn.pow %a, %b : tensor<6xf64>
  %c = nn.constant dense<[1.0, -3.0, 0x7FF8000000000000]> : tensor<3xf64>
  %d = nn.constant dense<[2.0, -4.0, 1.0]> : tensor<3xf64>
  // CHECK-NEXT: #1: [1, -4, nan]
  %1 = nn.min %c, %d : tensor<3xf64>
  %i = nn.constant dense<[-7, 5]> : tensor<2xi32>
  %j = nn.constant dense<[3, 4]> : tensor<2xi32>
  // CHECK-NEXT: #2: [-7, 4]
  %2 = nn.min %i, %j : tensor<2xi32>
  return %0, %1, %2 : tensor<6xf64>, tensor<3xf64>, tensor<2xi32>
}

// CHECK-LABEL: @logic
func.func @logic() -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %a = nn.constant dense<[true, false, true, false]> : tensor<4xi1>
  %b = nn.constant dense<[true, true, false, false]> : tensor<4xi1>
  // CHECK-NEXT: #0: [1, 0, 0, 0] : tensor<4xi1>
  %0 = nn.and %a, %b : tensor<4xi1>
  // CHECK-NEXT: #1: [1, 1, 1, 0]
  %1 = nn.or %a, %b : tensor<4xi1>
  // CHECK-NEXT: #2: [0, 1, 0, 1]
  %2 = nn.not %a : tensor<4xi1>
  return %0, %1, %2 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// CHECK-LABEL: @iota
func.func @iota() -> (tensor<2x3xi32>, tensor<2x3xf32>, tensor<1x2x2xi64>) {
  // CHECK-NEXT: #0: {{\[\[}}0, 1, 2], [0, 1, 2]] : tensor<2x3xi32>
  %0 = nn.iota dim 1 : tensor<2x3xi32>
  // CHECK-NEXT: #1: {{\[\[}}0, 0, 0], [1, 1, 1]] : tensor<2x3xf32>
  %1 = nn.iota dim 0 : tensor<2x3xf32>
  // CHECK-NEXT: #2: {{\[\[\[}}0, 0], [1, 1]]] : tensor<1x2x2xi64>
  %2 = nn.iota dim 1 : tensor<1x2x2xi64>
  return %0, %1, %2 : tensor<2x3xi32>, tensor<2x3xf32>, tensor<1x2x2xi64>
}
