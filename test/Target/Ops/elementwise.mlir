// Elementwise ops on every target: results and derivatives.
// RUN: env "EMULATE=%emulate_asan" bash %S/Inputs/check-ops.sh %t %s | FileCheck %s
// CHECK: all targets agree

func.func @tanh(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.tanh %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @compare(%x: tensor<?x5xf32>, %y: tensor<?x5xf32>) -> tensor<?x5xi1> {
  %r = nn.compare lt %x, %y : tensor<?x5xf32>
  return %r : tensor<?x5xi1>
}
func.func @exp_scalar(%x: tensor<f32>) -> tensor<f32> {
  %r = nn.exp %x : tensor<f32>
  return %r : tensor<f32>
}
func.func @argmax(%x: tensor<3x4xi32>) -> tensor<3xi32> {
  %r = nn.argmax %x dim 1 : tensor<3x4xi32> -> tensor<3xi32>
  return %r : tensor<3xi32>
}
