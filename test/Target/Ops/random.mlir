// Random numbers on every target: the same bits, in f32 and f64, in one batch
// and in micro-batches.
// RUN: env "EMULATE=%emulate_asan" bash %S/Inputs/check-ops.sh %t %s | FileCheck %s
// CHECK: all targets agree

func.func @uniform(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %key = nn.iota dim 0 : tensor<2xi64>
  %i = nn.iota dim 0 : tensor<?xi32>
  %u = nn.uniform key %key sample %i dim 0 site 1 : tensor<2xi64>, tensor<?xi32> -> tensor<?x5xf32>
  %r = nn.mul %u, %x : tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}
func.func @normal(%x: tensor<?x3x5xf32>) -> tensor<?x3x5xf32> {
  %key = nn.iota dim 0 : tensor<2xi64>
  %i = nn.iota dim 0 : tensor<?xi32>
  %u = nn.normal key %key sample %i dim 0 site 2 : tensor<2xi64>, tensor<?xi32> -> tensor<?x3x5xf32>
  %r = nn.mul %u, %x : tensor<?x3x5xf32>
  return %r : tensor<?x3x5xf32>
}
func.func @once(%x: tensor<7x3xf32>) -> tensor<7x3xf32> {
  %key = nn.iota dim 0 : tensor<2xi64>
  %u = nn.normal key %key site 3 : tensor<2xi64> -> tensor<7x3xf32>
  %r = nn.add %u, %x : tensor<7x3xf32>
  return %r : tensor<7x3xf32>
}
// Written as it is, and read by a product.
func.func @stored(%x: tensor<?x4xf32>, %w: tensor<4x4xf32>) -> tensor<?x4xf32> {
  %key = nn.iota dim 0 : tensor<2xi64>
  %i = nn.iota dim 0 : tensor<?xi32>
  %u = nn.uniform key %key sample %i dim 0 site 4 : tensor<2xi64>, tensor<?xi32> -> tensor<?x4xf32>
  %p = nn.matmul %u, %w : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
  %r = nn.mul %p, %x : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
// A mask that is kept for the backward pass, along rows.
func.func @dropped(%x: tensor<?x6xf32>) -> tensor<?xf32> {
  %key = nn.iota dim 0 : tensor<2xi64>
  %i = nn.iota dim 0 : tensor<?xi32>
  %u = nn.uniform key %key sample %i dim 0 site 5 : tensor<2xi64>, tensor<?xi32> -> tensor<?x6xf32>
  %half = nn.constant dense<0.5> : tensor<f32>
  %p = nn.broadcast %half dims [0, 1] : tensor<f32> to tensor<?x6xf32>
  %keep = nn.compare ge %u, %p : tensor<?x6xf32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %zeros = nn.broadcast %zero dims [0, 1] : tensor<f32> to tensor<?x6xf32>
  %y = nn.select %keep, %x, %zeros : tensor<?x6xi1>, tensor<?x6xf32>
  %z = nn.square %y : tensor<?x6xf32>
  %r = nn.sum %z dims [1] : tensor<?x6xf32> -> tensor<?xf32>
  return %r : tensor<?xf32>
}
