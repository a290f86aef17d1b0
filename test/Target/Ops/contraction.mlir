// Products of batches of matrices on every target: results and derivatives.
// RUN: env "EMULATE=%emulate_asan" bash %S/Inputs/check-ops.sh %t %s | FileCheck %s
// CHECK: all targets agree

func.func @plain(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
  %r = nn.matmul %a, %b : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return %r : tensor<2x3x5xf32>
}
func.func @transpose_lhs(%a: tensor<2x4x3xf32>, %b: tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
  %r = nn.matmul %a, %b transpose_lhs : (tensor<2x4x3xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return %r : tensor<2x3x5xf32>
}
func.func @transpose_rhs(%a: tensor<2x3x4xf32>, %b: tensor<2x5x4xf32>) -> tensor<2x3x5xf32> {
  %r = nn.matmul %a, %b transpose_rhs : (tensor<2x3x4xf32>, tensor<2x5x4xf32>) -> tensor<2x3x5xf32>
  return %r : tensor<2x3x5xf32>
}
func.func @transpose_both(%a: tensor<2x2x4x3xf32>, %b: tensor<2x2x5x4xf32>) -> tensor<2x2x3x5xf32> {
  %r = nn.matmul %a, %b transpose_lhs transpose_rhs : (tensor<2x2x4x3xf32>, tensor<2x2x5x4xf32>) -> tensor<2x2x3x5xf32>
  return %r : tensor<2x2x3x5xf32>
}
// One product for each sample.
func.func @samples(%x: tensor<?x3x4xf32>, %y: tensor<?x5x4xf32>, %w: tensor<3x4xf32>) -> tensor<?x3x5xf32> {
  %all = nn.broadcast %w dims [0] : tensor<3x4xf32> to tensor<?x3x4xf32>
  %a = nn.mul %x, %all : tensor<?x3x4xf32>
  %r = nn.matmul %a, %y transpose_rhs : (tensor<?x3x4xf32>, tensor<?x5x4xf32>) -> tensor<?x3x5xf32>
  return %r : tensor<?x3x5xf32>
}
// The derivative of w is a sum over the samples of all micro-batches.
func.func @rows(%x: tensor<?x3x4xf32>, %w: tensor<3x4x2xf32>) -> tensor<?x3x2xf32> {
  %t = nn.transpose %x [1, 0, 2] : tensor<?x3x4xf32> -> tensor<3x?x4xf32>
  %y = nn.matmul %t, %w : (tensor<3x?x4xf32>, tensor<3x4x2xf32>) -> tensor<3x?x2xf32>
  %r = nn.transpose %y [1, 0, 2] : tensor<3x?x2xf32> -> tensor<?x3x2xf32>
  return %r : tensor<?x3x2xf32>
}
// One matrix for all.
func.func @one_matrix(%x: tensor<?x3x4xf32>, %w: tensor<4x5xf32>, %v: tensor<2x3xf32>) -> tensor<?x2x5xf32> {
  %right = nn.broadcast %w dims [0] : tensor<4x5xf32> to tensor<?x4x5xf32>
  %left = nn.broadcast %v dims [0] : tensor<2x3xf32> to tensor<?x2x3xf32>
  %y = nn.matmul %x, %right : (tensor<?x3x4xf32>, tensor<?x4x5xf32>) -> tensor<?x3x5xf32>
  %r = nn.matmul %left, %y : (tensor<?x2x3xf32>, tensor<?x3x5xf32>) -> tensor<?x2x5xf32>
  return %r : tensor<?x2x5xf32>
}
