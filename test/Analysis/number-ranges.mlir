// RUN: accrue-opt %s --mlir-disable-threading --test-number-ranges -o /dev/null | FileCheck %s

// Arguments are finite; ops whose results are not for all operands are unknown,
// and so is everything that is computed from them.
// CHECK-LABEL: divisions:
func.func @divisions(%x: tensor<?xf32>) -> tensor<?xf32> {
  // CHECK-NEXT: nn.square: [0, inf]
  %square = nn.square %x : tensor<?xf32>
  // CHECK-NEXT: nn.sqrt: [0, inf]
  %root = nn.sqrt %square : tensor<?xf32>
  // CHECK-NEXT: nn.rsqrt: unknown
  %r = nn.rsqrt %square : tensor<?xf32>
  // CHECK-NEXT: nn.log: unknown
  %log = nn.log %square : tensor<?xf32>
  // CHECK-NEXT: nn.div: unknown
  %quotient = nn.div %x, %root : tensor<?xf32>
  // CHECK-NEXT: nn.max: unknown
  %max = nn.max %quotient, %x : tensor<?xf32>
  // CHECK-NEXT: nn.constant: [0.25, 0.25]
  %c = nn.constant dense<0.25> : tensor<f32>
  // CHECK-NEXT: nn.broadcast: [0.25, 0.25]
  %eps = nn.broadcast %c dims [0] : tensor<f32> to tensor<?xf32>
  // CHECK-NEXT: nn.add: [0.25, inf]
  %positive = nn.add %square, %eps : tensor<?xf32>
  // CHECK-NEXT: nn.rsqrt: [0, 2]
  %r2 = nn.rsqrt %positive : tensor<?xf32>
  // CHECK-NEXT: nn.div: [-inf, inf]
  %q2 = nn.div %x, %positive : tensor<?xf32>
  // CHECK-NEXT: nn.reciprocal: [0, 4]
  %q3 = nn.reciprocal %positive : tensor<?xf32>
  // CHECK-NEXT: nn.log: [-1.38{{[0-9]*}}, inf]
  %l2 = nn.log %positive : tensor<?xf32>
  // CHECK-NEXT: nn.max: [0.25, inf]
  %clamped = nn.max %x, %eps : tensor<?xf32>
  // CHECK-NEXT: nn.neg: [-inf, -0.25]
  %negative = nn.neg %clamped : tensor<?xf32>
  // CHECK-NEXT: nn.mul: [-inf, -0.0625]
  %product = nn.mul %negative, %clamped : tensor<?xf32>
  // CHECK-NEXT: nn.div: [-4, 0]
  %q4 = nn.div %eps, %product : tensor<?xf32>
  return %q4 : tensor<?xf32>
}

// An exponential may underflow to 0, a count of what holds may be 0; the sum of
// positive elements is not, nor the number of samples.
// CHECK-LABEL: sums:
func.func @sums(%x: tensor<?xf32>, %keep: tensor<?xi1>) -> tensor<f32> {
  // CHECK-NEXT: nn.exp: [0, inf]
  %exp = nn.exp %x : tensor<?xf32>
  // CHECK-NEXT: nn.sum: [0, inf]
  %s0 = nn.sum %exp dims [0] : tensor<?xf32> -> tensor<f32>
  // CHECK-NEXT: nn.convert: [-inf, inf]
  %k = nn.convert %keep : tensor<?xi1> to tensor<?xf32>
  // CHECK-NEXT: nn.not: [0, 1]
  %not = nn.not %keep : tensor<?xi1>
  // CHECK-NEXT: nn.convert: [0, 1]
  %n = nn.convert %not : tensor<?xi1> to tensor<?xf32>
  // CHECK-NEXT: nn.sum: [0, inf]
  %count = nn.sum %n dims [0] : tensor<?xf32> -> tensor<f32>
  // CHECK-NEXT: nn.constant: [1, 1]
  %one = nn.constant dense<1.0> : tensor<f32>
  // CHECK-NEXT: nn.max: [1, inf]
  %max = nn.max %count, %one : tensor<f32>
  // CHECK-NEXT: nn.broadcast: [1, inf]
  %b = nn.broadcast %max dims [0] : tensor<f32> to tensor<?xf32>
  // CHECK-NEXT: nn.sum: [1, inf]
  %s1 = nn.sum %b dims [0] : tensor<?xf32> -> tensor<f32>
  // CHECK-NEXT: nn.mean: [1, inf]
  %mean = nn.mean %b dims [0] : tensor<?xf32> -> tensor<f32>
  // CHECK-NEXT: nn.distribute: [0, inf]
  %d = nn.distribute %max dims [0] : tensor<f32> to tensor<?xf32>
  // CHECK-NEXT: nn.extent: [1, inf]
  %extent = nn.extent <"B"> : tensor<f32>
  // CHECK-NEXT: nn.sigmoid: [0, 1]
  %sigmoid = nn.sigmoid %x : tensor<?xf32>
  // CHECK-NEXT: nn.select: [0, inf]
  %select = nn.select %keep, %sigmoid, %b : tensor<?xi1>, tensor<?xf32>
  // CHECK-NEXT: nn.softmax: [0, 1]
  %softmax = nn.softmax %x dim 0 : tensor<?xf32>
  // CHECK-NEXT: nn.moments: [0, 1] [0, inf]
  %m, %v = nn.moments %softmax dims [0] : tensor<?xf32> -> tensor<f32>, tensor<f32>
  return %v : tensor<f32>
}

// What is smaller than the normal numbers of its type may be 0.
// CHECK-LABEL: underflow:
func.func @underflow() -> tensor<f16> {
  // CHECK-NEXT: nn.constant: [9.99{{[0-9]*}}e-07
  %a = nn.constant dense<1.0e-6> : tensor<f32>
  // CHECK-NEXT: nn.mul: [{{9.9[0-9]*e-13|1e-12}}
  %b = nn.mul %a, %a : tensor<f32>
  // CHECK-NEXT: nn.convert: [0, {{5.96[0-9]*}}e-08]
  %c = nn.convert %b : tensor<f32> to tensor<f16>
  return %c : tensor<f16>
}

// Indices that are given exist; computed ones need bounds.
// CHECK-LABEL: indices:
func.func @indices(%table: tensor<8x4xf32>, %token: tensor<?xi32>) -> tensor<?x4xf32> {
  // CHECK-NEXT: nn.gather: [-inf, inf]
  %a = nn.gather %table, %token dim 0 : (tensor<8x4xf32>, tensor<?xi32>) -> tensor<?x4xf32>
  // CHECK-NEXT: nn.cross_entropy: [0, inf]
  %b = nn.cross_entropy %a, %token : (tensor<?x4xf32>, tensor<?xi32>) -> tensor<?xf32>
  // CHECK-NEXT: nn.add: [-inf, inf]
  %next = nn.add %token, %token : tensor<?xi32>
  // CHECK-NEXT: nn.gather: unknown
  %c = nn.gather %table, %next dim 0 : (tensor<8x4xf32>, tensor<?xi32>) -> tensor<?x4xf32>
  // CHECK-NEXT: nn.cross_entropy: unknown
  %d = nn.cross_entropy %a, %next : (tensor<?x4xf32>, tensor<?xi32>) -> tensor<?xf32>
  // CHECK-NEXT: nn.compare: [0, 1]
  %is = nn.compare lt %token, %next : tensor<?xi32>
  // CHECK-NEXT: nn.convert: [0, 1]
  %bit = nn.convert %is : tensor<?xi1> to tensor<?xi32>
  // CHECK-NEXT: nn.gather: [-inf, inf]
  %e = nn.gather %table, %bit dim 0 : (tensor<8x4xf32>, tensor<?xi32>) -> tensor<?x4xf32>
  return %e : tensor<?x4xf32>
}

// Ends are numbers of the type: in f32 the sum is 1, and the difference may be
// 0.
// CHECK-LABEL: coarse:
func.func @coarse(%x: tensor<f32>, %y: tensor<f64>) -> (tensor<f32>, tensor<f64>) {
  // CHECK-NEXT: nn.constant: [1, 1]
  %one = nn.constant dense<1.0> : tensor<f32>
  // CHECK-NEXT: nn.constant: [9.99{{[0-9]*}}e-10, 9.99{{[0-9]*}}e-10]
  %eps = nn.constant dense<1.0e-9> : tensor<f32>
  // CHECK-NEXT: nn.add: [1, 1.0000001{{[0-9]*}}]
  %above = nn.add %one, %eps : tensor<f32>
  // CHECK-NEXT: nn.sigmoid: [0, 1]
  %p = nn.sigmoid %x : tensor<f32>
  // CHECK-NEXT: nn.sub: [0, 1.0000001{{[0-9]*}}]
  %rest = nn.sub %above, %p : tensor<f32>
  // CHECK-NEXT: nn.constant: [1, 1]
  %one64 = nn.constant dense<1.0> : tensor<f64>
  // CHECK-NEXT: nn.constant: [1e-09, 1e-09]
  %eps64 = nn.constant dense<1.0e-9> : tensor<f64>
  // CHECK-NEXT: nn.add: [1.000000001, 1.000000001]
  %above64 = nn.add %one64, %eps64 : tensor<f64>
  // CHECK-NEXT: nn.sigmoid: [0, 1]
  %p64 = nn.sigmoid %y : tensor<f64>
  // CHECK-NEXT: nn.sub: [1.0{{[0-9]*}}e-09, 1.000000001]
  %rest64 = nn.sub %above64, %p64 : tensor<f64>
  // CHECK-NEXT: nn.constant: [1e+200, 1e+200]
  %large = nn.constant dense<1.0e200> : tensor<f64>
  // CHECK-NEXT: nn.abs: [1e+200, 1e+200]
  %magnitude = nn.abs %large : tensor<f64>
  return %rest, %rest64 : tensor<f32>, tensor<f64>
}

// Nobody checks the indices in state.
// CHECK-LABEL: state_index:
func.func @state_index(%table: tensor<8x4xf32>, %next: tensor<3xi32> {train.role = #train.role<state>}) -> tensor<3x4xf32> {
  // CHECK-NEXT: nn.gather: unknown
  %a = nn.gather %table, %next dim 0 : (tensor<8x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
  return %a : tensor<3x4xf32>
}
