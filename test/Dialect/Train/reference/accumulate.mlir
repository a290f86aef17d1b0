// RUN: accrue-translate --interpret %s | FileCheck %s
// RUN: accrue-translate --interpret --interpret-precision=declared %s | FileCheck %s --check-prefix=DECLARED

// The mean of 8 numbers as four weighted means of 2, of which the first
// overwrites; the largest local mean; every slice in its place.
// CHECK-LABEL: @reducers
func.func @reducers() -> (tensor<f32>, tensor<f32>, tensor<8xf32>) {
  %x = nn.constant dense<[1.0, 2.0, 3.0, 4.0, -5.0, 6.0, 7.5, 8.0]> : tensor<8xf32>
  // CHECK-NEXT: #0: 3.3125 : tensor<f32>
  // CHECK-NEXT: #1: 7.75 : tensor<f32>
  // CHECK-NEXT: #2: [1, 4, 9, 16, 25, 36, 56.25, 64] : tensor<8xf32>
  %mean, %max, %square = train.accumulate count(4) size(2) offset(0) of(8)
      slices(%x : tensor<8xf32>) modes [#train.mapped<dim = 0>]
      reduce [#train.reducer<sum>, #train.reducer<max>, #train.reducer<concat, <dim = 0>>]
      -> tensor<f32>, tensor<f32>, tensor<8xf32> {
  ^bb0(%first: index, %xs: tensor<2xf32>):
    %local = nn.mean %xs dims [0] : tensor<2xf32> -> tensor<f32>
    %w = train.weight 2 of 8 : tensor<f32>
    %m = nn.mul %local, %w : tensor<f32>
    %s = nn.square %xs : tensor<2xf32>
    train.yield %m, %local, %s : tensor<f32>, tensor<f32>, tensor<2xf32>
  }
  return %mean, %max, %square : tensor<f32>, tensor<f32>, tensor<8xf32>
}

// A ragged tail continues a loop: 8 = 3 + 3 + 2, weights 3/8, 3/8 and 2/8.
// CHECK-LABEL: @tail
func.func @tail() -> (tensor<f32>, tensor<8xf32>) {
  %x = nn.constant dense<[1.0, 2.0, 3.0, 4.0, -5.0, 6.0, 7.5, 8.0]> : tensor<8xf32>
  %m0, %s0 = train.accumulate count(2) size(3) offset(0) of(8)
      slices(%x : tensor<8xf32>) modes [#train.mapped<dim = 0>]
      reduce [#train.reducer<sum>, #train.reducer<concat, <dim = 0>>] -> tensor<f32>, tensor<8xf32> {
  ^bb0(%first: index, %xs: tensor<3xf32>):
    %local = nn.mean %xs dims [0] : tensor<3xf32> -> tensor<f32>
    %w = train.weight 3 of 8 : tensor<f32>
    %m = nn.mul %local, %w : tensor<f32>
    %n = nn.neg %xs : tensor<3xf32>
    train.yield %m, %n : tensor<f32>, tensor<3xf32>
  }
  // CHECK-NEXT: #0: 3.3125 : tensor<f32>
  // CHECK-NEXT: #1: [-1, -2, -3, -4, 5, -6, -7.5, -8]
  %m1, %s1 = train.accumulate count(1) size(2) offset(6) of(8)
      slices(%x : tensor<8xf32>) modes [#train.mapped<dim = 0>]
      init(%m0, %s0 : tensor<f32>, tensor<8xf32>)
      reduce [#train.reducer<sum>, #train.reducer<concat, <dim = 0>>] -> tensor<f32>, tensor<8xf32> {
  ^bb0(%first: index, %xs: tensor<2xf32>):
    %local = nn.mean %xs dims [0] : tensor<2xf32> -> tensor<f32>
    %w = train.weight 2 of 8 : tensor<f32>
    %m = nn.mul %local, %w : tensor<f32>
    %n = nn.neg %xs : tensor<2xf32>
    train.yield %m, %n : tensor<f32>, tensor<2xf32>
  }
  return %m1, %s1 : tensor<f32>, tensor<8xf32>
}

// Slices in modes other than leading rows.
// CHECK-LABEL: @modes
func.func @modes() -> (tensor<2x4xi32>, tensor<6x1xi32>, tensor<6x1xi32>, tensor<2xi32>) {
  // The columns of a matrix.
  %a = nn.constant dense<[[0, 1, 2, 3], [10, 11, 12, 13]]> : tensor<2x4xi32>
  // Three rows of every sample, those of a sample side by side.
  %b = nn.constant dense<[[0], [1], [2], [10], [11], [12], [20], [21], [22], [30], [31], [32]]> : tensor<12x1xi32>
  // The same, all samples side by side for each of the three.
  %c = nn.constant dense<[[0], [10], [20], [30], [1], [11], [21], [31], [2], [12], [22], [32]]> : tensor<12x1xi32>
  // One element for every group of two samples.
  %d = nn.constant dense<[7, 8]> : tensor<2xi32>
  // CHECK-NEXT: #0: {{\[\[}}0, 1, 2, 3], [10, 11, 12, 13]]
  // CHECK-NEXT: #1: {{\[\[}}20], [22], [24], [40], [42], [44]]
  // CHECK-NEXT: #2: {{\[\[}}20], [40], [22], [42], [24], [44]]
  // CHECK-NEXT: #3: [7, 8]
  %0, %1, %2, %3 = train.accumulate count(2) size(2) offset(0) of(4)
      slices(%a, %b, %c, %d : tensor<2x4xi32>, tensor<12x1xi32>, tensor<12x1xi32>, tensor<2xi32>)
      modes [#train.mapped<dim = 1>, #train.mapped<dim = 0, inner = 3>, #train.mapped<dim = 0, outer = 3>, #train.mapped<dim = 0, group = 2>]
      reduce [#train.reducer<concat, <dim = 1>>, #train.reducer<sum>, #train.reducer<sum>, #train.reducer<concat, <dim = 0, group = 2>>]
      -> tensor<2x4xi32>, tensor<6x1xi32>, tensor<6x1xi32>, tensor<2xi32> {
  ^bb0(%first: index, %as: tensor<2x2xi32>, %bs: tensor<6x1xi32>, %cs: tensor<6x1xi32>, %ds: tensor<1xi32>):
    train.yield %as, %bs, %cs, %ds : tensor<2x2xi32>, tensor<6x1xi32>, tensor<6x1xi32>, tensor<1xi32>
  }
  return %0, %1, %2, %3 : tensor<2x4xi32>, tensor<6x1xi32>, tensor<6x1xi32>, tensor<2xi32>
}

// Contributions are added in the order of the loop: in f32 the two ones are
// lost; f16 is summed in f32.
// CHECK-LABEL: @order
// DECLARED-LABEL: @order
func.func @order() -> (tensor<f32>, tensor<f16>) {
  %x = nn.constant dense<[1.0e8, 1.0, 1.0, -1.0e8]> : tensor<4xf32>
  %y = nn.constant dense<[2048.0, 1.0, 1.0, 1.0]> : tensor<4xf16>
  // CHECK-NEXT: #0: 2
  // DECLARED-NEXT: #0: 0
  // DECLARED-NEXT: #1: 2052
  %0, %1 = train.accumulate count(4) size(1) offset(0) of(4)
      slices(%x, %y : tensor<4xf32>, tensor<4xf16>) modes [#train.mapped<dim = 0>, #train.mapped<dim = 0>]
      reduce [#train.reducer<sum>, #train.reducer<sum>] -> tensor<f32>, tensor<f16> {
  ^bb0(%first: index, %xs: tensor<1xf32>, %ys: tensor<1xf16>):
    %a = nn.reshape %xs : tensor<1xf32> to tensor<f32>
    %b = nn.reshape %ys : tensor<1xf16> to tensor<f16>
    train.yield %a, %b : tensor<f32>, tensor<f16>
  }
  return %0, %1 : tensor<f32>, tensor<f16>
}

// CHECK-LABEL: @recompute
func.func @recompute() -> tensor<2xf32> {
  %x = nn.constant dense<[1.5, -2.0]> : tensor<2xf32>
  // CHECK-NEXT: #0: [2.25, 4]
  %0 = train.recompute 1 after(%x : tensor<2xf32>) inputs(%x : tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>):
    %s = nn.square %a : tensor<2xf32>
    train.yield %s : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}
