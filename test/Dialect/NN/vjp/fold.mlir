// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret \
// RUN:   | FileCheck %s --check-prefix=VALUES

// Derivatives by PyTorch.

// VALUES-LABEL: @fold
// VALUES-NEXT: #0: [-1.125, -1.25, 0, -1.375, -1.25, 0.875, -1.375, 0.5, 0, -1.375, -1.625, -1, -1.375, 0.5, -1, -1, -1.375, 0.375, 0.625, -0.125, 0.375, -0.625, -0.125, 1.125, 0.625, -0.125, 0.625, 0.375, -0.125, 1.125, 0.375, -2]
func.func @fold(%x: tensor<1x2x2x2x2x2xf64> {reference.value = dense<[[[[[[0.625, -1.5], [1.0, 2.0]], [[1.75, -0.25], [-2.0, 0.25]]], [[[0.5, -1.875], [-2.0, 1.375]], [[0.125, 1.125], [1.875, 2.0]]]], [[[[0.625, 1.125], [1.25, 1.75]], [[-1.75, 0.5], [0.375, 1.25]]], [[[-1.75, 1.125], [0.375, -0.125]], [[-0.125, -1.125], [-2.0, -1.125]]]]]]> : tensor<1x2x2x2x2x2xf64>},
    %c: tensor<1x2x3x3xf64> {reference.value = dense<[[[[-1.125, -1.25, 0.875], [0.0, -1.375, 0.5], [-1.625, -1.0, -1.0]], [[-1.375, 0.375, -0.625], [0.625, -0.125, 1.125], [0.625, 0.375, -2.0]]]]> : tensor<1x2x3x3xf64>}) -> (tensor<32xf64>) {
  %r = nn.fold %x kernel [2, 2] stride [1, 1] dilation [1, 1] padding [0, 0, 0, 0] : tensor<1x2x2x2x2x2xf64> -> tensor<1x2x3x3xf64>
  %p = nn.mul %r, %c : tensor<1x2x3x3xf64>
  %loss = nn.sum %p dims [0, 1, 2, 3] : tensor<1x2x3x3xf64> -> tensor<f64>
  %dx = train.gradient %loss wrt %x : tensor<f64> wrt tensor<1x2x2x2x2x2xf64>
  %fx = nn.reshape %dx : tensor<1x2x2x2x2x2xf64> to tensor<32xf64>
  return %fx : tensor<32xf64>
}

// VALUES-LABEL: @fold_channels_last
// VALUES-NEXT: #0: [0, 0, 0, 1.125, 0, 0, 0, 1.5, 0, 0, 1.125, 0.5, 0, 0, -1.125, -0.625, 0, -1, 0, 0, 0, -1.125, 0, 0, -1.875, -1.75, 0, 0, 0.75, 0.875, 0, 0]
func.func @fold_channels_last(%x: tensor<1x2x2x2x2x2xf64> {reference.value = dense<[[[[[[2.0, 0.5], [1.875, -0.375]], [[-1.75, -1.25], [2.0, 0.0]]], [[[-0.5, 1.875], [0.0, -0.875]], [[1.375, -0.125], [-1.125, -2.0]]]], [[[[-0.625, -1.375], [-0.875, -1.125]], [[0.25, -0.25], [0.625, 0.5]]], [[[-0.125, 1.5], [-1.875, 0.875]], [[-0.375, -0.25], [-1.75, 1.625]]]]]]> : tensor<1x2x2x2x2x2xf64>},
    %c: tensor<1x2x2x3xf64> {reference.value = dense<[[[[1.125, 1.125, 0.5], [-1.875, -1.0, -1.75]], [[-1.125, 1.5, -0.625], [0.75, -1.125, 0.875]]]]> : tensor<1x2x2x3xf64>}) -> (tensor<32xf64>) {
  %r = nn.fold %x kernel [2, 2] stride [2, 1] dilation [1, 2] padding [1, 1, 1, 0] channels_last : tensor<1x2x2x2x2x2xf64> -> tensor<1x2x2x3xf64>
  %p = nn.mul %r, %c : tensor<1x2x2x3xf64>
  %loss = nn.sum %p dims [0, 1, 2, 3] : tensor<1x2x2x3xf64> -> tensor<f64>
  %dx = train.gradient %loss wrt %x : tensor<f64> wrt tensor<1x2x2x2x2x2xf64>
  %fx = nn.reshape %dx : tensor<1x2x2x2x2x2xf64> to tensor<32xf64>
  return %fx : tensor<32xf64>
}
