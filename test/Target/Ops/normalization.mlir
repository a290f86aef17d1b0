// Normalization and attention on every target: results and derivatives.
// RUN: env "EMULATE=%emulate_asan" bash %S/Inputs/check-ops.sh %t %s | FileCheck %s
// CHECK: all targets agree

func.func @softmax(%x: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %r = nn.softmax %x dim 1 : tensor<?x7xf32>
  return %r : tensor<?x7xf32>
}
func.func @softmax_large(%x: tensor<4x5xf32> {test.from = -900.0, test.to = 900.0}) -> tensor<4x5xf32> {
  %r = nn.softmax %x dim 1 : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @softmax_middle(%x: tensor<3x5x2xf32>) -> tensor<3x5x2xf32> {
  %r = nn.softmax %x dim 1 : tensor<3x5x2xf32>
  return %r : tensor<3x5x2xf32>
}
func.func @softmax_one(%x: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %r = nn.softmax %x dim 1 : tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
func.func @log_softmax(%x: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %r = nn.log_softmax %x dim 1 : tensor<?x6xf32>
  return %r : tensor<?x6xf32>
}
func.func @logsumexp(%x: tensor<4x6xf32>) -> tensor<4xf32> {
  %r = nn.logsumexp %x dims [1] : tensor<4x6xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @logsumexp_all(%x: tensor<3x4xf32>) -> tensor<f32> {
  %r = nn.logsumexp %x dims [0, 1] : tensor<3x4xf32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @normalize(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %r = nn.normalize %x dims [1] eps 1.0e-5 : tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
func.func @normalize_parameter(%x: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %r = nn.normalize %x dims [1] eps 1.0e-5 : tensor<5x8xf32>
  return %r : tensor<5x8xf32>
}
func.func @normalize_group(%x: tensor<3x4x6xf32>) -> tensor<3x4x6xf32> {
  %r = nn.normalize %x dims [1, 2] eps 1.0e-5 : tensor<3x4x6xf32>
  return %r : tensor<3x4x6xf32>
}
func.func @normalize_batch(%x: tensor<6x4x3xf32>) -> tensor<6x4x3xf32> {
  %r = nn.normalize %x dims [0, 2] eps 1.0e-5 : tensor<6x4x3xf32>
  return %r : tensor<6x4x3xf32>
}
func.func @normalize_transposed(%x: tensor<6x4xf32>) -> tensor<4x6xf32> {
  %t = nn.transpose %x [1, 0] : tensor<6x4xf32> -> tensor<4x6xf32>
  %r = nn.normalize %t dims [1] eps 1.0e-5 : tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}
func.func @rms_norm(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %r = nn.rms_norm %x dims [1] eps 1.0e-5 : tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
func.func @rms_norm_dims(%x: tensor<3x4x6xf32>) -> tensor<3x4x6xf32> {
  %r = nn.rms_norm %x dims [1, 2] eps 1.0e-2 : tensor<3x4x6xf32>
  return %r : tensor<3x4x6xf32>
}
func.func @attention(%q: tensor<?x2x4x3xf32>, %k: tensor<?x2x4x3xf32>, %v: tensor<?x2x4x3xf32>) -> tensor<?x2x4x3xf32> {
  %r = nn.attention %q, %k, %v causal scale 0.6 : (tensor<?x2x4x3xf32>, tensor<?x2x4x3xf32>, tensor<?x2x4x3xf32>) -> tensor<?x2x4x3xf32>
  return %r : tensor<?x2x4x3xf32>
}
func.func @attention_causal(%q: tensor<2x2x4x3xf32>, %k: tensor<2x2x4x3xf32>, %v: tensor<2x2x4x3xf32>) -> tensor<2x2x4x3xf32> {
  %r = nn.attention %q, %k, %v causal scale 0.6 : (tensor<2x2x4x3xf32>, tensor<2x2x4x3xf32>, tensor<2x2x4x3xf32>) -> tensor<2x2x4x3xf32>
  return %r : tensor<2x2x4x3xf32>
}
func.func @attention_grouped(%q: tensor<2x4x3x2xf32>, %k: tensor<2x2x5x2xf32>, %v: tensor<2x2x5x3xf32>) -> tensor<2x4x3x3xf32> {
  %r = nn.attention %q, %k, %v causal scale 0.7 : (tensor<2x4x3x2xf32>, tensor<2x2x5x2xf32>, tensor<2x2x5x3xf32>) -> tensor<2x4x3x3xf32>
  return %r : tensor<2x4x3x3xf32>
}
func.func @attention_masked(%q: tensor<2x2x3x2xf32>, %k: tensor<2x1x3x2xf32>, %v: tensor<2x1x3x2xf32>,
    %m: tensor<3x3xi1> {test.values = dense<[[true, false, true], [false, false, false], [true, true, true]]>}) -> tensor<2x2x3x2xf32> {
  %r = nn.attention %q, %k, %v mask %m scale 0.7 : (tensor<2x2x3x2xf32>, tensor<2x1x3x2xf32>, tensor<2x1x3x2xf32>, tensor<3x3xi1>) -> tensor<2x2x3x2xf32>
  return %r : tensor<2x2x3x2xf32>
}
