// RUN: accrue-translate --interpret %s | FileCheck %s

// Values by PyTorch.

// Two images, two channels.
// CHECK-LABEL: @conv2d
// CHECK-NEXT: #0: [3.609375, -4.109375, -5.3125, 4.90625, -2.1875, 6.671875, 6.21875, -3.5625, 0.15625, 6.609375, -2.828125, 6.296875, 1.375, -1.09375, 8.34375, -1.484375] : tensor<16xf64>
func.func @conv2d(%x: tensor<2x2x3x3xf64> {reference.value = dense<[[[[-1.625, 1.125, -1.875], [0.5, -0.375, 0.625], [-0.625, 0.125, -1.5]], [[-1.75, 1.875, -1.125], [-1.375, 0.25, 1.25], [-1.875, 1.0, 0.375]]], [[[-1.25, -1.25, -0.875], [1.5, -0.25, 0.25], [-1.5, 0.125, 1.25]], [[-0.375, 1.75, 1.25], [-0.875, 1.875, 0.625], [0.0, 1.5, -1.625]]]]> : tensor<2x2x3x3xf64>},
    %w: tensor<2x2x2x2xf64> {reference.value = dense<[[[[-2.0, 2.0], [-0.25, -0.25]], [[1.875, 1.25], [0.625, -0.25]]], [[[2.0, -1.125], [-1.5, 1.25]], [[0.875, 1.125], [-2.0, 0.875]]]]> : tensor<2x2x2x2xf64>}) -> tensor<16xf64> {
  %r = nn.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] dilation [1, 1] groups 1
    : (tensor<2x2x3x3xf64>, tensor<2x2x2x2xf64>) -> tensor<2x2x2x2xf64>
  %flat = nn.reshape %r : tensor<2x2x2x2xf64> to tensor<16xf64>
  return %flat : tensor<16xf64>
}

// Strides and asymmetric padding.
// CHECK-LABEL: @conv2d_stride_padding
// CHECK-NEXT: #0: [0, 2.84375, 0.25, 0, 3.609375, 10.203125, 0, 0.578125, 2.109375, 0, 5.078125, -1.28125] : tensor<12xf64>
func.func @conv2d_stride_padding(%x: tensor<1x2x4x5xf64> {reference.value = dense<[[[[0.125, 0.5, 1.25, 0.125, 1.25], [1.25, -0.625, -1.875, 1.0, 2.0], [1.625, 0.75, 0.375, -1.125, -1.5], [0.5, -1.25, -0.875, -1.0, -0.625]], [[-0.375, 0.75, -1.25, 1.375, 2.0], [-1.25, 1.875, -0.75, -0.5, 0.875], [-0.375, 0.875, 1.0, -0.875, 1.875], [-1.75, -0.375, -0.5, 2.0, -0.625]]]]> : tensor<1x2x4x5xf64>},
    %w: tensor<2x2x3x2xf64> {reference.value = dense<[[[[1.875, -0.875], [-1.625, 1.25], [-1.5, 1.75]], [[0.75, 0.375], [1.875, 0.875], [1.75, -1.125]]], [[[-0.375, -1.75], [1.25, -0.75], [-1.0, -0.75]], [[-0.875, 1.25], [1.0, 1.625], [0.625, 1.375]]]]> : tensor<2x2x3x2xf64>}) -> tensor<12xf64> {
  %r = nn.conv2d %x, %w stride [2, 3] padding [1, 0, 2, 1] dilation [1, 1] groups 1
    : (tensor<1x2x4x5xf64>, tensor<2x2x3x2xf64>) -> tensor<1x2x2x3xf64>
  %flat = nn.reshape %r : tensor<1x2x2x3xf64> to tensor<12xf64>
  return %flat : tensor<12xf64>
}

// Elements of windows are apart.
// CHECK-LABEL: @conv2d_dilation
// CHECK-NEXT: #0: [4.296875, -1.90625, -4.5, 2.078125, 2.21875, -4.59375, -1.921875, 1.21875, -2.9375, 0.125, 4.328125, 2.34375, 5.109375, 0.140625, 2.171875, -2.296875] : tensor<16xf64>
func.func @conv2d_dilation(%x: tensor<1x1x5x6xf64> {reference.value = dense<[[[[1.0, -1.375, 0.125, 0.875, -0.375, 1.875], [1.875, 0.625, -0.75, 0.5, -1.5, -0.5], [1.875, -0.625, -1.0, -0.25, 0.875, -1.0], [-1.25, 1.875, 1.0, -1.125, -1.75, 1.375], [-0.625, -1.0, -1.125, -0.875, 1.875, -0.25]]]]> : tensor<1x1x5x6xf64>},
    %w: tensor<2x1x2x3xf64> {reference.value = dense<[[[[-0.125, 1.25, -0.5], [1.25, -0.75, 1.375]]], [[[0.875, -1.625, -1.25], [-1.875, -2.0, -1.625]]]]> : tensor<2x1x2x3xf64>}) -> tensor<16xf64> {
  %r = nn.conv2d %x, %w stride [1, 2] padding [1, 1, 0, 1] dilation [3, 2] groups 1
    : (tensor<1x1x5x6xf64>, tensor<2x1x2x3xf64>) -> tensor<1x2x4x2xf64>
  %flat = nn.reshape %r : tensor<1x2x4x2xf64> to tensor<16xf64>
  return %flat : tensor<16xf64>
}

// Every output channel sees the two input channels of its group.
// CHECK-LABEL: @conv2d_groups
// CHECK-NEXT: #0: [-1.859375, 9.140625, -3.125, -0.453125, 4.34375, 1.90625, -5.640625, -0.65625, 4.03125, 0.734375, 1.359375, 3.328125] : tensor<12xf64>
func.func @conv2d_groups(%x: tensor<1x4x3x3xf64> {reference.value = dense<[[[[-1.375, -0.625, 0.25], [0.0, 1.75, -1.75], [-1.75, 1.25, -0.625]], [[1.0, 0.5, 0.125], [1.0, 1.375, -1.125], [0.0, 1.75, 2.0]], [[-1.0, 0.0, 0.0], [1.875, 1.875, 0.5], [-0.875, 0.125, 1.75]], [[-0.875, -1.25, 1.125], [0.75, -1.5, 0.0], [1.375, -1.5, -1.25]]]]> : tensor<1x4x3x3xf64>},
    %w: tensor<2x2x2x2xf64> {reference.value = dense<[[[[-0.625, 0.5], [1.125, -1.875]], [[0.0, 1.5], [1.5, -1.0]]], [[[1.375, 1.625], [0.0, -1.25]], [[0.625, -1.0], [-1.25, 1.125]]]]> : tensor<2x2x2x2xf64>}) -> tensor<12xf64> {
  %r = nn.conv2d %x, %w stride [1, 1] padding [0, 1, 0, 0] dilation [1, 1] groups 2
    : (tensor<1x4x3x3xf64>, tensor<2x2x2x2xf64>) -> tensor<1x2x3x2xf64>
  %flat = nn.reshape %r : tensor<1x2x3x2xf64> to tensor<12xf64>
  return %flat : tensor<12xf64>
}

// One channel per group, two outputs of each.
// CHECK-LABEL: @conv2d_depthwise
// CHECK-NEXT: #0: [3.15625, -4.3125, 2.421875, 2.9375, 1.0625, -1.078125, 1.765625, -0.953125, -0.65625, 0.671875, -1.5625, -1.84375, 2.03125, -1.96875, -0.375, 0.625, -1.21875, -0.078125, 1.765625, -2.984375, -3, 5.328125, 1.578125, -6.578125, 2.015625, -0.671875, -3.171875, -3.3125, 0.9375, -0.9375, -1.59375, 0.84375] : tensor<32xf64>
func.func @conv2d_depthwise(%x: tensor<2x2x3x3xf64> {reference.value = dense<[[[[1.75, 0.625, -1.25], [-0.75, -1.125, 0.375], [1.75, -1.125, 1.375]], [[0.375, 0.375, 1.125], [-0.75, -0.5, -0.125], [-0.75, 0.0, -1.625]]], [[[-1.0, 1.25, 1.875], [-0.625, -1.375, 1.0], [1.375, -0.25, -1.875]], [[-0.75, 1.5, 0.625], [1.125, -0.75, -1.5], [0.5, -1.75, -1.0]]]]> : tensor<2x2x3x3xf64>},
    %w: tensor<4x1x3x3xf64> {reference.value = dense<[[[[1.0, 1.125, -0.125], [-1.25, 1.625, -0.25], [1.5, 0.5, -0.75]]], [[[2.0, -0.625, 0.625], [0.625, 1.625, 0.75], [0.0, 1.5, 1.0]]], [[[0.875, -0.125, 2.0], [1.125, 0.875, 1.125], [1.125, 1.375, 0.75]]], [[[0.875, 1.25, 0.0], [-1.5, -0.75, 1.5], [1.625, -2.0, -0.5]]]]> : tensor<4x1x3x3xf64>}) -> tensor<32xf64> {
  %r = nn.conv2d %x, %w stride [2, 2] padding [1, 1, 1, 1] dilation [1, 1] groups 2
    : (tensor<2x2x3x3xf64>, tensor<4x1x3x3xf64>) -> tensor<2x4x2x2xf64>
  %flat = nn.reshape %r : tensor<2x4x2x2xf64> to tensor<32xf64>
  return %flat : tensor<32xf64>
}

// A product per pixel.
// CHECK-LABEL: @conv2d_pointwise
// CHECK-NEXT: #0: [-0.703125, 1.640625, 2.578125, 4.96875, 0.359375, 1.21875, 0.75, 2.625, 3.1875, -4.265625, 0.9375, 2.53125, 1.109375, -2.328125, 0.96875, 0.296875] : tensor<16xf64>
func.func @conv2d_pointwise(%x: tensor<2x3x2x2xf64> {reference.value = dense<[[[[1.125, 0.75], [-0.375, 1.5]], [[-0.75, 0.875], [1.375, 1.75]], [[-0.5, -0.75], [0.375, 0.0]]], [[[0.375, -1.75], [1.875, -0.25]], [[0.875, -1.0], [-1.0, 0.375]], [[1.0, -0.375], [0.625, 1.875]]]]> : tensor<2x3x2x2xf64>},
    %w: tensor<2x3x1x1xf64> {reference.value = dense<[[[[1.125]], [[1.875]], [[1.125]]], [[[0.875]], [[0.75]], [[0.125]]]]> : tensor<2x3x1x1xf64>}) -> tensor<16xf64> {
  %r = nn.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] dilation [1, 1] groups 1
    : (tensor<2x3x2x2xf64>, tensor<2x3x1x1xf64>) -> tensor<2x2x2x2xf64>
  %flat = nn.reshape %r : tensor<2x2x2x2xf64> to tensor<16xf64>
  return %flat : tensor<16xf64>
}

// Windows side by side.
// CHECK-LABEL: @max_pool2d
// CHECK-NEXT: #0: [-1.625, -1.375, -2, -1.5, -1.375, -1.375, -1.25, -1.25] : tensor<8xf64>
func.func @max_pool2d(%x: tensor<1x2x4x4xf64> {reference.value = dense<[[[[-2.25, -2.5, -4.375, -3.5], [-1.625, -4.875, -1.375, -3.875], [-3.875, -3.75, -3.625, -3.625], [-2.0, -2.875, -1.75, -1.5]], [[-3.875, -1.375, -1.375, -1.875], [-2.5, -3.75, -4.75, -3.25], [-2.25, -1.875, -1.25, -1.75], [-1.25, -5.0, -4.0, -3.75]]]]> : tensor<1x2x4x4xf64>}) -> tensor<8xf64> {
  %r = nn.max_pool2d %x kernel [2, 2] stride [2, 2] padding [0, 0, 0, 0] dilation [1, 1] : tensor<1x2x4x4xf64> -> tensor<1x2x2x2xf64>
  %flat = nn.reshape %r : tensor<1x2x2x2xf64> to tensor<8xf64>
  return %flat : tensor<8xf64>
}

// Overlapping windows, padding that does not take part.
// CHECK-LABEL: @max_pool2d_overlap
// CHECK-NEXT: #0: [-3.5, -2.375, -1.875, -1.625, -1.625, -1.75, -1.625, -1.625, -1.375] : tensor<9xf64>
func.func @max_pool2d_overlap(%x: tensor<1x1x5x5xf64> {reference.value = dense<[[[[-4.75, -5.0, -3.0, -3.375, -1.875], [-4.75, -3.5, -2.375, -3.375, -3.0], [-2.0, -3.875, -4.75, -2.125, -1.75], [-3.5, -1.625, -1.625, -4.75, -3.375], [-3.125, -3.75, -2.375, -4.375, -1.375]]]]> : tensor<1x1x5x5xf64>}) -> tensor<9xf64> {
  %r = nn.max_pool2d %x kernel [3, 3] stride [2, 2] padding [1, 1, 1, 1] dilation [1, 1] : tensor<1x1x5x5xf64> -> tensor<1x1x3x3xf64>
  %flat = nn.reshape %r : tensor<1x1x3x3xf64> to tensor<9xf64>
  return %flat : tensor<9xf64>
}

// Different rows and columns, dilation.
// CHECK-LABEL: @max_pool2d_uneven
// CHECK-NEXT: #0: [-3.125, -4, -1.125, -1.125, -1.5, -1.5, -4.125, -4.625, -1.125, -1.125, -3.375, -3.375] : tensor<12xf64>
func.func @max_pool2d_uneven(%x: tensor<2x1x4x6xf64> {reference.value = dense<[[[[-1.375, -2.25, -3.75, -2.875, -3.125, -3.0], [-3.125, -3.5, -4.0, -1.25, -4.0, -3.625], [-1.125, -2.875, -1.125, -3.875, -3.625, -3.875], [-2.5, -2.625, -3.5, -3.25, -1.5, -2.25]]], [[[-2.625, -1.75, -1.125, -2.625, -1.75, -1.875], [-4.125, -4.5, -4.75, -3.625, -4.625, -3.125], [-4.25, -3.625, -2.375, -1.625, -4.0, -1.625], [-3.75, -4.625, -3.75, -1.375, -3.375, -1.375]]]]> : tensor<2x1x4x6xf64>}) -> tensor<12xf64> {
  %r = nn.max_pool2d %x kernel [2, 3] stride [1, 2] padding [1, 0, 0, 2] dilation [2, 2] : tensor<2x1x4x6xf64> -> tensor<2x1x3x2xf64>
  %flat = nn.reshape %r : tensor<2x1x3x2xf64> to tensor<12xf64>
  return %flat : tensor<12xf64>
}

// Channels before the windows.
// CHECK-LABEL: @unfold
// CHECK-NEXT: #0: [-1.75, 0.625, 1.875, 0.875, 0.625, 0.125, 0.875, 0.625, 1.875, 0.875, -0.375, -1.5, 0.875, 0.625, -1.5, -0.25, -0.375, -1.625, 0.75, -1.75, -1.625, 0.75, -1.75, 0, 0.75, -1.75, 0.625, -2, -1.75, 0, -2, -0.75] : tensor<32xf64>
func.func @unfold(%x: tensor<1x2x3x3xf64> {reference.value = dense<[[[[-1.75, 0.625, 0.125], [1.875, 0.875, 0.625], [-0.375, -1.5, -0.25]], [[-0.375, -1.625, 0.75], [0.75, -1.75, 0.0], [0.625, -2.0, -0.75]]]]> : tensor<1x2x3x3xf64>}) -> tensor<32xf64> {
  %r = nn.unfold %x kernel [2, 2] stride [1, 1] dilation [1, 1] padding [0, 0, 0, 0] value 0.0 : tensor<1x2x3x3xf64> -> tensor<1x2x2x2x2x2xf64>
  %flat = nn.reshape %r : tensor<1x2x2x2x2x2xf64> to tensor<32xf64>
  return %flat : tensor<32xf64>
}

// Sums of all windows that cover a pixel.
// CHECK-LABEL: @fold
// CHECK-NEXT: #0: [0.625, 0.25, -0.25, 1.5, -1.75, 1.375, -2, 3.25, 2, 0.625, -0.625, 0.5, -0.5, 3.125, 0.125, 0.375, -2.125, -1.125] : tensor<18xf64>
func.func @fold(%x: tensor<1x2x2x2x2x2xf64> {reference.value = dense<[[[[[[0.625, -1.5], [1.0, 2.0]], [[1.75, -0.25], [-2.0, 0.25]]], [[[0.5, -1.875], [-2.0, 1.375]], [[0.125, 1.125], [1.875, 2.0]]]], [[[[0.625, 1.125], [1.25, 1.75]], [[-1.75, 0.5], [0.375, 1.25]]], [[[-1.75, 1.125], [0.375, -0.125]], [[-0.125, -1.125], [-2.0, -1.125]]]]]]> : tensor<1x2x2x2x2x2xf64>}) -> tensor<18xf64> {
  %r = nn.fold %x kernel [2, 2] stride [1, 1] dilation [1, 1] padding [0, 0, 0, 0] : tensor<1x2x2x2x2x2xf64> -> tensor<1x2x3x3xf64>
  %flat = nn.reshape %r : tensor<1x2x3x3xf64> to tensor<18xf64>
  return %flat : tensor<18xf64>
}

// Channels after the windows; padding has the value.
// CHECK-LABEL: @unfold_channels_last
// CHECK-NEXT: #0: [-1.5, -1.5, -1.5, 0.5, -1.5, -1.5, -1.5, -2, -1.5, -1.5, -1, -0.625, -1.5, -1.5, -0.25, 0.875, -1.5, -0.625, -1.5, -1.5, -1.5, 1.625, -1.5, -1.5, -1.375, 0.25, -1.5, -1.5, -0.5, 0, -1.5, -1.5] : tensor<32xf64>
func.func @unfold_channels_last(%x: tensor<1x2x2x3xf64> {reference.value = dense<[[[[-1.0, 0.5, -0.625], [-1.375, -0.625, 0.25]], [[-0.25, -2.0, 0.875], [-0.5, 1.625, 0.0]]]]> : tensor<1x2x2x3xf64>}) -> tensor<32xf64> {
  %r = nn.unfold %x kernel [2, 2] stride [2, 1] dilation [1, 2] padding [1, 1, 1, 0] value -1.5 channels_last : tensor<1x2x2x3xf64> -> tensor<1x2x2x2x2x2xf64>
  %flat = nn.reshape %r : tensor<1x2x2x2x2x2xf64> to tensor<32xf64>
  return %flat : tensor<32xf64>
}

// Sums of all windows that cover a pixel.
// CHECK-LABEL: @fold_channels_last
// CHECK-NEXT: #0: [0, -0.375, -0.875, -0.125, -1.375, 1.5, -1.125, 0, -2, -0.375, -0.25, -0.25] : tensor<12xf64>
func.func @fold_channels_last(%x: tensor<1x2x2x2x2x2xf64> {reference.value = dense<[[[[[[2.0, 0.5], [1.875, -0.375]], [[-1.75, -1.25], [2.0, 0.0]]], [[[-0.5, 1.875], [0.0, -0.875]], [[1.375, -0.125], [-1.125, -2.0]]]], [[[[-0.625, -1.375], [-0.875, -1.125]], [[0.25, -0.25], [0.625, 0.5]]], [[[-0.125, 1.5], [-1.875, 0.875]], [[-0.375, -0.25], [-1.75, 1.625]]]]]]> : tensor<1x2x2x2x2x2xf64>}) -> tensor<12xf64> {
  %r = nn.fold %x kernel [2, 2] stride [2, 1] dilation [1, 2] padding [1, 1, 1, 0] channels_last : tensor<1x2x2x2x2x2xf64> -> tensor<1x2x2x3xf64>
  %flat = nn.reshape %r : tensor<1x2x2x3xf64> to tensor<12xf64>
  return %flat : tensor<12xf64>
}
