// Windows, convolutions and pooling on every target: results and derivatives.
// RUN: env "EMULATE=%emulate_asan" bash %S/Inputs/check-ops.sh %t %s | FileCheck %s
// CHECK: all targets agree

func.func @unfold(%x: tensor<2x2x4x5xf32>) -> tensor<2x2x3x2x2x2xf32> {
  %r = nn.unfold %x kernel [2, 2] stride [2, 3] dilation [1, 2] padding [1, 1, 0, 2] value 0.5 : tensor<2x2x4x5xf32> -> tensor<2x2x3x2x2x2xf32>
  return %r : tensor<2x2x3x2x2x2xf32>
}
func.func @unfold_channels_last(%x: tensor<2x3x4x3xf32>) -> tensor<2x3x4x3x2x2xf32> {
  %r = nn.unfold %x kernel [2, 2] stride [1, 1] dilation [1, 1] padding [0, 0, 2, 0] value -1.5 channels_last : tensor<2x3x4x3xf32> -> tensor<2x3x4x3x2x2xf32>
  return %r : tensor<2x3x4x3x2x2xf32>
}
func.func @fold(%x: tensor<2x2x3x2x2x2xf32>) -> tensor<2x2x4x5xf32> {
  %r = nn.fold %x kernel [2, 2] stride [2, 3] dilation [1, 2] padding [1, 1, 0, 2] : tensor<2x2x3x2x2x2xf32> -> tensor<2x2x4x5xf32>
  return %r : tensor<2x2x4x5xf32>
}
func.func @fold_channels_last(%x: tensor<2x3x4x3x2x2xf32>) -> tensor<2x3x4x3xf32> {
  %r = nn.fold %x kernel [2, 2] stride [1, 1] dilation [1, 1] padding [0, 0, 2, 0] channels_last : tensor<2x3x4x3x2x2xf32> -> tensor<2x3x4x3xf32>
  return %r : tensor<2x3x4x3xf32>
}
func.func @conv2d(%x: tensor<2x3x4x5xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<2x4x4x5xf32> {
  %r = nn.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] dilation [1, 1] groups 1 : (tensor<2x3x4x5xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x4x5xf32>
  return %r : tensor<2x4x4x5xf32>
}
// Steps larger than windows, uneven padding: some pixels have no window.
func.func @conv2d_stride(%x: tensor<2x2x5x7xf32>, %w: tensor<3x2x2x1xf32>) -> tensor<2x3x2x4xf32> {
  %r = nn.conv2d %x, %w stride [3, 2] padding [1, 0, 0, 0] dilation [1, 1] groups 1 : (tensor<2x2x5x7xf32>, tensor<3x2x2x1xf32>) -> tensor<2x3x2x4xf32>
  return %r : tensor<2x3x2x4xf32>
}
func.func @conv2d_dilation(%x: tensor<2x1x5x6xf32>, %w: tensor<2x1x2x3xf32>) -> tensor<2x2x4x2xf32> {
  %r = nn.conv2d %x, %w stride [1, 2] padding [1, 1, 0, 1] dilation [3, 2] groups 1 : (tensor<2x1x5x6xf32>, tensor<2x1x2x3xf32>) -> tensor<2x2x4x2xf32>
  return %r : tensor<2x2x4x2xf32>
}
func.func @conv2d_groups(%x: tensor<2x4x3x3xf32>, %w: tensor<6x2x2x2xf32>) -> tensor<2x6x3x2xf32> {
  %r = nn.conv2d %x, %w stride [1, 1] padding [0, 1, 0, 0] dilation [1, 1] groups 2 : (tensor<2x4x3x3xf32>, tensor<6x2x2x2xf32>) -> tensor<2x6x3x2xf32>
  return %r : tensor<2x6x3x2xf32>
}
func.func @conv2d_pointwise(%x: tensor<2x3x2x4xf32>, %w: tensor<5x3x1x1xf32>) -> tensor<2x5x2x4xf32> {
  %r = nn.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] dilation [1, 1] groups 1 : (tensor<2x3x2x4xf32>, tensor<5x3x1x1xf32>) -> tensor<2x5x2x4xf32>
  return %r : tensor<2x5x2x4xf32>
}
// Derivatives of weights are sums over the samples of all micro-batches.
func.func @conv2d_samples(%x: tensor<?x2x4x4xf32>, %w: tensor<3x2x3x3xf32>, %v: tensor<6x1x2x2xf32>) -> tensor<?x6x2x2xf32> {
  %y = nn.conv2d %x, %w stride [2, 2] padding [1, 1, 1, 1] dilation [1, 1] groups 1 : (tensor<?x2x4x4xf32>, tensor<3x2x3x3xf32>) -> tensor<?x3x2x2xf32>
  %h = nn.tanh %y : tensor<?x3x2x2xf32>
  %r = nn.conv2d %h, %v stride [1, 1] padding [0, 1, 1, 0] dilation [1, 1] groups 3 : (tensor<?x3x2x2xf32>, tensor<6x1x2x2xf32>) -> tensor<?x6x2x2xf32>
  return %r : tensor<?x6x2x2xf32>
}
func.func @max_pool2d(%x: tensor<2x2x5x6xf32>) -> tensor<2x2x3x3xf32> {
  %r = nn.max_pool2d %x kernel [3, 3] stride [2, 2] padding [1, 1, 1, 1] dilation [1, 1] : tensor<2x2x5x6xf32> -> tensor<2x2x3x3xf32>
  return %r : tensor<2x2x3x3xf32>
}
// The first of equal elements receives the cotangent.
func.func @max_pool2d_ties(%x: tensor<1x1x4x4xf32> {test.values = dense<[[[[1.0, 2.0, 2.0, 0.0], [2.0, 1.0, 2.0, 2.0], [-1.0, -1.0, 3.0, 3.0], [-1.0, -1.0, 3.0, 3.0]]]]> : tensor<1x1x4x4xf32>}) -> tensor<1x1x3x2xf32> {
  %r = nn.max_pool2d %x kernel [2, 2] stride [1, 2] padding [0, 0, 0, 0] dilation [1, 1] : tensor<1x1x4x4xf32> -> tensor<1x1x3x2xf32>
  return %r : tensor<1x1x3x2xf32>
}
func.func @max_pool2d_samples(%x: tensor<?x2x4x6xf32>, %w: tensor<2x4x6xf32>) -> tensor<?x2x3x4xf32> {
  %all = nn.broadcast %w dims [0] : tensor<2x4x6xf32> to tensor<?x2x4x6xf32>
  %a = nn.mul %x, %all : tensor<?x2x4x6xf32>
  %r = nn.max_pool2d %a kernel [2, 3] stride [1, 1] padding [1, 0, 0, 2] dilation [2, 2] : tensor<?x2x4x6xf32> -> tensor<?x2x3x4xf32>
  return %r : tensor<?x2x3x4xf32>
}
