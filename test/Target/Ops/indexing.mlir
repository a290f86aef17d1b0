// Gathers, scatters and the largest elements on every target: results and
// derivatives.
// RUN: env "EMULATE=%emulate_asan" bash %S/Inputs/check-ops.sh %t %s | FileCheck %s
// CHECK: all targets agree

func.func @embedding(%table: tensor<5x3xf32>, %i: tensor<?x4xi32> {test.values = dense<[3, 0, 3, 1, 4, 3, 2]>}) -> tensor<?x4x3xf32> {
  %r = nn.gather %table, %i dim 0 : (tensor<5x3xf32>, tensor<?x4xi32>) -> tensor<?x4x3xf32>
  return %r : tensor<?x4x3xf32>
}
func.func @gather_middle(%x: tensor<2x4x3xf32>, %i: tensor<3x2xi64> {test.values = dense<[1, 1, 0, 3, 1]>}) -> tensor<2x3x2x3xf32> {
  %r = nn.gather %x, %i dim 1 : (tensor<2x4x3xf32>, tensor<3x2xi64>) -> tensor<2x3x2x3xf32>
  return %r : tensor<2x3x2x3xf32>
}
func.func @gather_samples_rows(%x: tensor<?x4xf32>, %i: tensor<3xi32> {test.values = dense<[2, 0, 2]>}) -> tensor<?x3xf32> {
  %r = nn.gather %x, %i dim 1 : (tensor<?x4xf32>, tensor<3xi32>) -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
func.func @gather_one(%x: tensor<6xf32>, %i: tensor<i32> {test.values = dense<[4]>}) -> tensor<f32> {
  %r = nn.gather %x, %i dim 0 : (tensor<6xf32>, tensor<i32>) -> tensor<f32>
  return %r : tensor<f32>
}
// Out of range: NaN, which becomes a number here.
func.func @gather_out_of_range(%x: tensor<3x2xf32>, %i: tensor<5xi32> {test.values = dense<[2, -1, 3, 0, 1000000]>}) -> tensor<5x2xf32> {
  %g = nn.gather %x, %i dim 0 : (tensor<3x2xf32>, tensor<5xi32>) -> tensor<5x2xf32>
  %bad = nn.compare ne %g, %g : tensor<5x2xf32>
  %c = nn.constant dense<7.0> : tensor<f32>
  %sevens = nn.broadcast %c dims [0, 1] : tensor<f32> to tensor<5x2xf32>
  %r = nn.select %bad, %sevens, %g : tensor<5x2xi1>, tensor<5x2xf32>
  return %r : tensor<5x2xf32>
}
func.func @gather_out_of_range_i64(%x: tensor<3xf32>, %i: tensor<4xi64> {test.values = dense<[4294967296, -3, 1, 3]>}) -> tensor<4xf32> {
  %g = nn.gather %x, %i dim 0 : (tensor<3xf32>, tensor<4xi64>) -> tensor<4xf32>
  %bad = nn.compare ne %g, %g : tensor<4xf32>
  %c = nn.constant dense<7.0> : tensor<4xf32>
  %r = nn.select %bad, %c, %g : tensor<4xi1>, tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @scatter_rows(%u: tensor<?x2x3xf32>, %i: tensor<?x2xi32> {test.values = dense<[1, 0, 1, 3, 1]>}) -> tensor<4x3xf32> {
  %r = nn.scatter_add %u, %i dim 0 : (tensor<?x2x3xf32>, tensor<?x2xi32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
func.func @scatter_middle(%u: tensor<2x5x3xf32>, %i: tensor<5xi64> {test.values = dense<[1, 1, 6, -1, 0]>}) -> tensor<2x4x3xf32> {
  %r = nn.scatter_add %u, %i dim 1 : (tensor<2x5x3xf32>, tensor<5xi64>) -> tensor<2x4x3xf32>
  return %r : tensor<2x4x3xf32>
}
func.func @scatter_last(%u: tensor<2x6xf32>, %i: tensor<2x3xi32> {test.values = dense<[0, 0, 2, 1, 2, 0]>}) -> tensor<2x3xf32> {
  %v = nn.reshape %u : tensor<2x6xf32> to tensor<2x2x3xf32>
  %r = nn.scatter_add %v, %i dim 1 : (tensor<2x2x3xf32>, tensor<2x3xi32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
func.func @scatter_samples(%u: tensor<?x3x2xf32>, %i: tensor<3xi32> {test.values = dense<[1, 1, 0]>}) -> tensor<?x2x2xf32> {
  %e = nn.exp %u : tensor<?x3x2xf32>
  %r = nn.scatter_add %e, %i dim 1 : (tensor<?x3x2xf32>, tensor<3xi32>) -> tensor<?x2x2xf32>
  return %r : tensor<?x2x2xf32>
}
func.func @scatter_one(%u: tensor<f32>, %i: tensor<i32> {test.values = dense<[2]>}) -> tensor<4xf32> {
  %r = nn.scatter_add %u, %i dim 0 : (tensor<f32>, tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @scatter_long(%u: tensor<?x40x33xf32>, %i: tensor<?x40xi32> {test.from = 0.0, test.to = 100.0}) -> tensor<100x33xf32> {
  %r = nn.scatter_add %u, %i dim 0 : (tensor<?x40x33xf32>, tensor<?x40xi32>) -> tensor<100x33xf32>
  return %r : tensor<100x33xf32>
}
func.func @scatter_blocks(%u: tensor<2x3x2x5xf32>, %i: tensor<3xi32> {test.values = dense<[3, 3, 0]>}) -> tensor<2x4x2x5xf32> {
  %r = nn.scatter_add %u, %i dim 1 : (tensor<2x3x2x5xf32>, tensor<3xi32>) -> tensor<2x4x2x5xf32>
  return %r : tensor<2x4x2x5xf32>
}
// More rows than ranges of them.
func.func @scatter_far(%u: tensor<?x4x2xf32>, %i: tensor<?x4xi32> {test.values = dense<[1299, 0, 650, 1298, 1300, 3, 2]>}) -> tensor<1300x2xf32> {
  %r = nn.scatter_add %u, %i dim 0 : (tensor<?x4x2xf32>, tensor<?x4xi32>) -> tensor<1300x2xf32>
  return %r : tensor<1300x2xf32>
}
func.func @scatter_then_more(%u: tensor<4x3xf32>, %i: tensor<4xi32> {test.values = dense<[1, 1, 0, 1]>}) -> tensor<2x3xf32> {
  %s = nn.scatter_add %u, %i dim 0 : (tensor<4x3xf32>, tensor<4xi32>) -> tensor<2x3xf32>
  %f = nn.flip %s dims [0] : tensor<2x3xf32> -> tensor<2x3xf32>
  %r = nn.mul %s, %f : tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// The embedding and the projection share a table, and its gradient is one sum.
func.func @tied(%table: tensor<5x3xf32>, %i: tensor<?xi32> {test.values = dense<[3, 0, 3, 1]>}) -> tensor<?x5xf32> {
  %x = nn.gather %table, %i dim 0 : (tensor<5x3xf32>, tensor<?xi32>) -> tensor<?x3xf32>
  %h = nn.tanh %x : tensor<?x3xf32>
  %r = nn.matmul %h, %table transpose_rhs : (tensor<?x3xf32>, tensor<5x3xf32>) -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}
func.func @take_last(%x: tensor<?x5xf32>, %i: tensor<?x2xi32> {test.values = dense<[4, 0, 2, 2, 1]>}) -> tensor<?x2xf32> {
  %r = nn.take_along %x, %i dim 1 : (tensor<?x5xf32>, tensor<?x2xi32>) -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}
func.func @take_first(%x: tensor<3x2xf32>, %i: tensor<4x2xi64> {test.values = dense<[2, 0, 1, 1, 2]>}) -> tensor<4x2xf32> {
  %e = nn.exp %x : tensor<3x2xf32>
  %r = nn.take_along %e, %i dim 0 : (tensor<3x2xf32>, tensor<4x2xi64>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}
func.func @take_out_of_range(%x: tensor<2x3xf32>, %i: tensor<2x3xi32> {test.values = dense<[0, 3, -1, 2]>}) -> tensor<2x3xf32> {
  %g = nn.take_along %x, %i dim 1 : (tensor<2x3xf32>, tensor<2x3xi32>) -> tensor<2x3xf32>
  %bad = nn.compare ne %g, %g : tensor<2x3xf32>
  %c = nn.constant dense<7.0> : tensor<2x3xf32>
  %r = nn.select %bad, %c, %g : tensor<2x3xi1>, tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
func.func @scatter_along(%u: tensor<?x3xf32>, %i: tensor<?x3xi32> {test.values = dense<[1, 1, -1, 0, 3, 1, 2]>}) -> tensor<?x4xf32> {
  %r = nn.scatter_add_along %u, %i dim 1 : (tensor<?x3xf32>, tensor<?x3xi32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
func.func @scatter_along_samples(%u: tensor<?x3xf32>, %i: tensor<?x3xi64> {test.values = dense<[1, 1, 0, 2]>}) -> tensor<2x3xf32> {
  %r = nn.scatter_add_along %u, %i dim 0 : (tensor<?x3xf32>, tensor<?x3xi64>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// Ties: the lower index first.
func.func @top_k(%x: tensor<?x6xf32> {test.values = dense<[1.0, 3.0, 3.0, -2.0, 5.0, 1.0, 0.0]>}) -> tensor<?x4xi32> {
  %r = nn.top_k %x k 4 : tensor<?x6xf32> -> tensor<?x4xi32>
  return %r : tensor<?x4xi32>
}
func.func @top_k_vector(%x: tensor<6xi32> {test.values = dense<[1, 1, 4, -3, 0, 0]>}) -> tensor<2xi32> {
  %r = nn.top_k %x k 2 : tensor<6xi32> -> tensor<2xi32>
  return %r : tensor<2xi32>
}
func.func @top_k_all(%x: tensor<2x3xi32> {test.values = dense<[1, 1, 4, -3, 0, 0]>}) -> tensor<2x3xi32> {
  %r = nn.top_k %x k 3 : tensor<2x3xi32> -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// NaN is the largest, and the infinities are what they are.
func.func @top_k_nan(%x: tensor<?x6xf32> {test.values = dense<[0.0, 1.0, -1.0, 2.0, 0.0, -2.0]>}) -> tensor<?x5xi32> {
  %c = nn.constant dense<0.0> : tensor<f32>
  %zero = nn.broadcast %c dims [0, 1] : tensor<f32> to tensor<?x6xf32>
  %y = nn.div %x, %zero : tensor<?x6xf32>
  %r = nn.top_k %y k 5 : tensor<?x6xf32> -> tensor<?x5xi32>
  return %r : tensor<?x5xi32>
}
func.func @largest(%x: tensor<?x6xf32>) -> tensor<?x2xf32> {
  %i = nn.top_k %x k 2 : tensor<?x6xf32> -> tensor<?x2xi32>
  %v = nn.take_along %x, %i dim 1 : (tensor<?x6xf32>, tensor<?x2xi32>) -> tensor<?x2xf32>
  %r = nn.exp %v : tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}
