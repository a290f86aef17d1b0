// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret \
// RUN:   | FileCheck %s --check-prefix=VALUES

// Derivatives by PyTorch.

// VALUES-LABEL: @max_pool2d
// VALUES-NEXT: #0: [0, 0, 0, 0, 0.625, 0, -0.5, 0, 0, 0, 0, 0, 0.375, 0, 0, 1.125, 0, 1.625, 0.75, 0, 0, 0, 0, 0, 0, 0, 1.75, 0, 1.75, 0, 0, 0]
func.func @max_pool2d(%x: tensor<1x2x4x4xf64> {reference.value = dense<[[[[-2.25, -2.5, -4.375, -3.5], [-1.625, -4.875, -1.375, -3.875], [-3.875, -3.75, -3.625, -3.625], [-2.0, -2.875, -1.75, -1.5]], [[-3.875, -1.375, -1.375, -1.875], [-2.5, -3.75, -4.75, -3.25], [-2.25, -1.875, -1.25, -1.75], [-1.25, -5.0, -4.0, -3.75]]]]> : tensor<1x2x4x4xf64>},
    %c: tensor<1x2x2x2xf64> {reference.value = dense<[[[[0.625, -0.5], [0.375, 1.125]], [[1.625, 0.75], [1.75, 1.75]]]]> : tensor<1x2x2x2xf64>}) -> (tensor<32xf64>) {
  %r = nn.max_pool2d %x kernel [2, 2] stride [2, 2] padding [0, 0, 0, 0] dilation [1, 1] : tensor<1x2x4x4xf64> -> tensor<1x2x2x2xf64>
  %p = nn.mul %r, %c : tensor<1x2x2x2xf64>
  %loss = nn.sum %p dims [0, 1, 2, 3] : tensor<1x2x2x2xf64> -> tensor<f64>
  %dx = train.gradient %loss wrt %x : tensor<f64> wrt tensor<1x2x4x4xf64>
  %fx = nn.reshape %dx : tensor<1x2x4x4xf64> to tensor<32xf64>
  return %fx : tensor<32xf64>
}

// VALUES-LABEL: @max_pool2d_overlap
// VALUES-NEXT: #0: [0, 0, 0, 0, 1.25, 0, 1, 0.125, 0, 0, 0, 0, 0, 0, 1.125, 0, 2.875, 0, 0, 0, 0, 0, 0, 0, -0.75]
func.func @max_pool2d_overlap(%x: tensor<1x1x5x5xf64> {reference.value = dense<[[[[-4.75, -5.0, -3.0, -3.375, -1.875], [-4.75, -3.5, -2.375, -3.375, -3.0], [-2.0, -3.875, -4.75, -2.125, -1.75], [-3.5, -1.625, -1.625, -4.75, -3.375], [-3.125, -3.75, -2.375, -4.375, -1.375]]]]> : tensor<1x1x5x5xf64>},
    %c: tensor<1x1x3x3xf64> {reference.value = dense<[[[[1.0, 0.125, 1.25], [1.625, 1.0, 1.125], [-1.625, 1.875, -0.75]]]]> : tensor<1x1x3x3xf64>}) -> (tensor<25xf64>) {
  %r = nn.max_pool2d %x kernel [3, 3] stride [2, 2] padding [1, 1, 1, 1] dilation [1, 1] : tensor<1x1x5x5xf64> -> tensor<1x1x3x3xf64>
  %p = nn.mul %r, %c : tensor<1x1x3x3xf64>
  %loss = nn.sum %p dims [0, 1, 2, 3] : tensor<1x1x3x3xf64> -> tensor<f64>
  %dx = train.gradient %loss wrt %x : tensor<f64> wrt tensor<1x1x5x5xf64>
  %fx = nn.reshape %dx : tensor<1x1x5x5xf64> to tensor<25xf64>
  return %fx : tensor<25xf64>
}

// VALUES-LABEL: @max_pool2d_uneven
// VALUES-NEXT: #0: [0, 0, 0, 0, 0, 0, 0.75, 0, 0.875, 0, 0, 0, -1.625, 0, -2, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0.875, 0, 0, 0, -0.375, 0, 0, 0, -1.625, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -0.375, 0]
func.func @max_pool2d_uneven(%x: tensor<2x1x4x6xf64> {reference.value = dense<[[[[-1.375, -2.25, -3.75, -2.875, -3.125, -3.0], [-3.125, -3.5, -4.0, -1.25, -4.0, -3.625], [-1.125, -2.875, -1.125, -3.875, -3.625, -3.875], [-2.5, -2.625, -3.5, -3.25, -1.5, -2.25]]], [[[-2.625, -1.75, -1.125, -2.625, -1.75, -1.875], [-4.125, -4.5, -4.75, -3.625, -4.625, -3.125], [-4.25, -3.625, -2.375, -1.625, -4.0, -1.625], [-3.75, -4.625, -3.75, -1.375, -3.375, -1.375]]]]> : tensor<2x1x4x6xf64>},
    %c: tensor<2x1x3x2xf64> {reference.value = dense<[[[[0.75, 0.875], [-1.625, -2.0], [-0.375, -0.625]]], [[[-0.375, -1.625], [0.625, 0.25], [-0.625, 0.25]]]]> : tensor<2x1x3x2xf64>}) -> (tensor<48xf64>) {
  %r = nn.max_pool2d %x kernel [2, 3] stride [1, 2] padding [1, 0, 0, 2] dilation [2, 2] : tensor<2x1x4x6xf64> -> tensor<2x1x3x2xf64>
  %p = nn.mul %r, %c : tensor<2x1x3x2xf64>
  %loss = nn.sum %p dims [0, 1, 2, 3] : tensor<2x1x3x2xf64> -> tensor<f64>
  %dx = train.gradient %loss wrt %x : tensor<f64> wrt tensor<2x1x4x6xf64>
  %fx = nn.reshape %dx : tensor<2x1x4x6xf64> to tensor<48xf64>
  return %fx : tensor<48xf64>
}

// The first of equal elements receives the cotangent.
// VALUES-LABEL: @max_pool2d_ties
// VALUES-NEXT: #0: [0, -0.25, -1.125, 0, 0, 0, 0, 0, 1.75, 0, -1.875, 0, 0, 0, 0, 0]
func.func @max_pool2d_ties(%x: tensor<1x1x4x4xf64> {reference.value = dense<[[[[1.0, 2.0, 2.0, 0.0], [2.0, 1.0, 2.0, 2.0], [-1.0, -1.0, 3.0, 3.0], [-1.0, -1.0, 3.0, 3.0]]]]> : tensor<1x1x4x4xf64>},
    %c: tensor<1x1x2x2xf64> {reference.value = dense<[[[[-0.25, -1.125], [1.75, -1.875]]]]> : tensor<1x1x2x2xf64>}) -> (tensor<16xf64>) {
  %r = nn.max_pool2d %x kernel [2, 2] stride [2, 2] padding [0, 0, 0, 0] dilation [1, 1] : tensor<1x1x4x4xf64> -> tensor<1x1x2x2xf64>
  %p = nn.mul %r, %c : tensor<1x1x2x2xf64>
  %loss = nn.sum %p dims [0, 1, 2, 3] : tensor<1x1x2x2xf64> -> tensor<f64>
  %dx = train.gradient %loss wrt %x : tensor<f64> wrt tensor<1x1x4x4xf64>
  %fx = nn.reshape %dx : tensor<1x1x4x4xf64> to tensor<16xf64>
  return %fx : tensor<16xf64>
}
