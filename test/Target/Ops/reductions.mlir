// Reductions on every target: results and derivatives.
// RUN: env "EMULATE=%emulate_asan" bash %S/Inputs/check-ops.sh %t %s | FileCheck %s
// CHECK: all targets agree

func.func @sum_3x4x5_over_nothing(%x: tensor<3x4x5xf32>) -> tensor<3x4x5xf32> {
  %r = nn.sum %x dims [] : tensor<3x4x5xf32> -> tensor<3x4x5xf32>
  return %r : tensor<3x4x5xf32>
}
func.func @sum_3x4x5_over_0(%x: tensor<3x4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.sum %x dims [0] : tensor<3x4x5xf32> -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @sum_3x4x5_over_1(%x: tensor<3x4x5xf32>) -> tensor<3x5xf32> {
  %r = nn.sum %x dims [1] : tensor<3x4x5xf32> -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
func.func @sum_3x4x5_over_2(%x: tensor<3x4x5xf32>) -> tensor<3x4xf32> {
  %r = nn.sum %x dims [2] : tensor<3x4x5xf32> -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
func.func @sum_3x4x5_over_0_1(%x: tensor<3x4x5xf32>) -> tensor<5xf32> {
  %r = nn.sum %x dims [0, 1] : tensor<3x4x5xf32> -> tensor<5xf32>
  return %r : tensor<5xf32>
}
func.func @sum_3x4x5_over_0_2(%x: tensor<3x4x5xf32>) -> tensor<4xf32> {
  %r = nn.sum %x dims [0, 2] : tensor<3x4x5xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @sum_3x4x5_over_1_2(%x: tensor<3x4x5xf32>) -> tensor<3xf32> {
  %r = nn.sum %x dims [1, 2] : tensor<3x4x5xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @sum_3x4x5_over_0_1_2(%x: tensor<3x4x5xf32> {test.from = 0.5}) -> tensor<f32> {
  %r = nn.sum %x dims [0, 1, 2] : tensor<3x4x5xf32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @sum_2x3x4x5_over_0_2_3(%x: tensor<2x3x4x5xf32> {test.from = 0.5}) -> tensor<3xf32> {
  %r = nn.sum %x dims [0, 2, 3] : tensor<2x3x4x5xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @sum_2x3x4x5_over_1_3(%x: tensor<2x3x4x5xf32> {test.from = 0.5}) -> tensor<2x4xf32> {
  %r = nn.sum %x dims [1, 3] : tensor<2x3x4x5xf32> -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
func.func @sum_2x3x4x5_over_1_2(%x: tensor<2x3x4x5xf32> {test.from = 0.5}) -> tensor<2x5xf32> {
  %r = nn.sum %x dims [1, 2] : tensor<2x3x4x5xf32> -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}
func.func @sum_2x3x4x5_over_0_1_2_3(%x: tensor<2x3x4x5xf32> {test.from = 0.5}) -> tensor<f32> {
  %r = nn.sum %x dims [0, 1, 2, 3] : tensor<2x3x4x5xf32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @sum_2x3x4x5_over_3(%x: tensor<2x3x4x5xf32> {test.from = 0.5}) -> tensor<2x3x4xf32> {
  %r = nn.sum %x dims [3] : tensor<2x3x4x5xf32> -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
func.func @sum_1x4x1_over_0(%x: tensor<1x4x1xf32>) -> tensor<4x1xf32> {
  %r = nn.sum %x dims [0] : tensor<1x4x1xf32> -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
func.func @sum_1x4x1_over_2(%x: tensor<1x4x1xf32>) -> tensor<1x4xf32> {
  %r = nn.sum %x dims [2] : tensor<1x4x1xf32> -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
func.func @sum_1x4x1_over_0_2(%x: tensor<1x4x1xf32>) -> tensor<4xf32> {
  %r = nn.sum %x dims [0, 2] : tensor<1x4x1xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @sum_1x1x1_over_0_1_2(%x: tensor<1x1x1xf32>) -> tensor<f32> {
  %r = nn.sum %x dims [0, 1, 2] : tensor<1x1x1xf32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @sum_scalar_over_nothing(%x: tensor<f32>) -> tensor<f32> {
  %r = nn.sum %x dims [] : tensor<f32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @sum_5_over_0(%x: tensor<5xf32>) -> tensor<f32> {
  %r = nn.sum %x dims [0] : tensor<5xf32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @sum_300x70_over_0(%x: tensor<300x70xf32>) -> tensor<70xf32> {
  %r = nn.sum %x dims [0] : tensor<300x70xf32> -> tensor<70xf32>
  return %r : tensor<70xf32>
}
func.func @sum_3x700_over_1(%x: tensor<3x700xf32> {test.from = 0.5}) -> tensor<3xf32> {
  %r = nn.sum %x dims [1] : tensor<3x700xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @sum_20x7x3x50_over_0_2_3(%x: tensor<20x7x3x50xf32>) -> tensor<7xf32> {
  %r = nn.sum %x dims [0, 2, 3] : tensor<20x7x3x50xf32> -> tensor<7xf32>
  return %r : tensor<7xf32>
}
func.func @sum_2x70x3_over_1(%x: tensor<2x70x3xf32>) -> tensor<2x3xf32> {
  %r = nn.sum %x dims [1] : tensor<2x70x3xf32> -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
func.func @mean_3x4x5_over_nothing(%x: tensor<3x4x5xf32>) -> tensor<3x4x5xf32> {
  %r = nn.mean %x dims [] : tensor<3x4x5xf32> -> tensor<3x4x5xf32>
  return %r : tensor<3x4x5xf32>
}
func.func @mean_3x4x5_over_1(%x: tensor<3x4x5xf32>) -> tensor<3x5xf32> {
  %r = nn.mean %x dims [1] : tensor<3x4x5xf32> -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
func.func @mean_3x4x5_over_0_2(%x: tensor<3x4x5xf32>) -> tensor<4xf32> {
  %r = nn.mean %x dims [0, 2] : tensor<3x4x5xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @mean_3x4x5_over_0_1_2(%x: tensor<3x4x5xf32> {test.from = 0.5}) -> tensor<f32> {
  %r = nn.mean %x dims [0, 1, 2] : tensor<3x4x5xf32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @mean_2x3x4x5_over_0_2_3(%x: tensor<2x3x4x5xf32> {test.from = 0.5}) -> tensor<3xf32> {
  %r = nn.mean %x dims [0, 2, 3] : tensor<2x3x4x5xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @mean_2x3x4x5_over_1_3(%x: tensor<2x3x4x5xf32> {test.from = 0.5}) -> tensor<2x4xf32> {
  %r = nn.mean %x dims [1, 3] : tensor<2x3x4x5xf32> -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
func.func @mean_2x3x4x5_over_1_2(%x: tensor<2x3x4x5xf32> {test.from = 0.5}) -> tensor<2x5xf32> {
  %r = nn.mean %x dims [1, 2] : tensor<2x3x4x5xf32> -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}
func.func @mean_2x3x4x5_over_0_1_2_3(%x: tensor<2x3x4x5xf32> {test.from = 0.5}) -> tensor<f32> {
  %r = nn.mean %x dims [0, 1, 2, 3] : tensor<2x3x4x5xf32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @mean_2x3x4x5_over_3(%x: tensor<2x3x4x5xf32> {test.from = 0.5}) -> tensor<2x3x4xf32> {
  %r = nn.mean %x dims [3] : tensor<2x3x4x5xf32> -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
func.func @mean_1x4x1_over_0(%x: tensor<1x4x1xf32>) -> tensor<4x1xf32> {
  %r = nn.mean %x dims [0] : tensor<1x4x1xf32> -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
func.func @mean_1x4x1_over_2(%x: tensor<1x4x1xf32>) -> tensor<1x4xf32> {
  %r = nn.mean %x dims [2] : tensor<1x4x1xf32> -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
func.func @mean_1x4x1_over_0_2(%x: tensor<1x4x1xf32>) -> tensor<4xf32> {
  %r = nn.mean %x dims [0, 2] : tensor<1x4x1xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @mean_1x1x1_over_0_1_2(%x: tensor<1x1x1xf32>) -> tensor<f32> {
  %r = nn.mean %x dims [0, 1, 2] : tensor<1x1x1xf32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @mean_scalar_over_nothing(%x: tensor<f32>) -> tensor<f32> {
  %r = nn.mean %x dims [] : tensor<f32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @mean_5_over_0(%x: tensor<5xf32>) -> tensor<f32> {
  %r = nn.mean %x dims [0] : tensor<5xf32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @mean_300x70_over_0(%x: tensor<300x70xf32>) -> tensor<70xf32> {
  %r = nn.mean %x dims [0] : tensor<300x70xf32> -> tensor<70xf32>
  return %r : tensor<70xf32>
}
func.func @mean_3x700_over_1(%x: tensor<3x700xf32> {test.from = 0.5}) -> tensor<3xf32> {
  %r = nn.mean %x dims [1] : tensor<3x700xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @mean_20x7x3x50_over_0_2_3(%x: tensor<20x7x3x50xf32>) -> tensor<7xf32> {
  %r = nn.mean %x dims [0, 2, 3] : tensor<20x7x3x50xf32> -> tensor<7xf32>
  return %r : tensor<7xf32>
}
func.func @mean_2x70x3_over_1(%x: tensor<2x70x3xf32>) -> tensor<2x3xf32> {
  %r = nn.mean %x dims [1] : tensor<2x70x3xf32> -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
func.func @moments_3x4x5_over_0(%x: tensor<3x4x5xf32>) -> tensor<4x5xf32> {
  %m, %v = nn.moments %x dims [0] : tensor<3x4x5xf32> -> tensor<4x5xf32>, tensor<4x5xf32>
  %r = nn.sub %m, %v : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @moments_3x4x5_over_0_2(%x: tensor<3x4x5xf32>) -> tensor<4xf32> {
  %m, %v = nn.moments %x dims [0, 2] : tensor<3x4x5xf32> -> tensor<4xf32>, tensor<4xf32>
  %r = nn.sub %m, %v : tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @moments_5x700_over_1(%x: tensor<5x700xf32>) -> tensor<5xf32> {
  %m, %v = nn.moments %x dims [1] : tensor<5x700xf32> -> tensor<5xf32>, tensor<5xf32>
  %r = nn.sub %m, %v : tensor<5xf32>
  return %r : tensor<5xf32>
}
func.func @reduce_argmax_70x3_over_0(%x: tensor<70x3xf32>) -> tensor<3xf32> {
  %i = nn.iota dim 0 : tensor<70x3xi32>
  %v, %n = nn.reduce_argmax %x, %i dims [0] : tensor<70x3xf32>, tensor<70x3xi32> -> tensor<3xf32>, tensor<3xi32>
  %f = nn.convert %n : tensor<3xi32> to tensor<3xf32>
  %r = nn.mul %v, %f : tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @reduce_argmax_3x4x5_over_2(%x: tensor<3x4x5xf32>) -> tensor<3x4xf32> {
  %i = nn.iota dim 2 : tensor<3x4x5xi32>
  %v, %n = nn.reduce_argmax %x, %i dims [2] : tensor<3x4x5xf32>, tensor<3x4x5xi32> -> tensor<3x4xf32>, tensor<3x4xi32>
  %f = nn.convert %n : tensor<3x4xi32> to tensor<3x4xf32>
  %r = nn.mul %v, %f : tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
func.func @reduce_max_3x4x5_over_nothing(%x: tensor<3x4x5xf32>) -> tensor<3x4x5xf32> {
  %r = nn.reduce_max %x dims [] : tensor<3x4x5xf32> -> tensor<3x4x5xf32>
  return %r : tensor<3x4x5xf32>
}
func.func @reduce_max_3x4x5_over_0(%x: tensor<3x4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.reduce_max %x dims [0] : tensor<3x4x5xf32> -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @reduce_max_3x4x5_over_1(%x: tensor<3x4x5xf32>) -> tensor<3x5xf32> {
  %r = nn.reduce_max %x dims [1] : tensor<3x4x5xf32> -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
func.func @reduce_max_3x4x5_over_2(%x: tensor<3x4x5xf32>) -> tensor<3x4xf32> {
  %r = nn.reduce_max %x dims [2] : tensor<3x4x5xf32> -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
func.func @reduce_max_3x4x5_over_0_1(%x: tensor<3x4x5xf32>) -> tensor<5xf32> {
  %r = nn.reduce_max %x dims [0, 1] : tensor<3x4x5xf32> -> tensor<5xf32>
  return %r : tensor<5xf32>
}
func.func @reduce_max_3x4x5_over_0_2(%x: tensor<3x4x5xf32>) -> tensor<4xf32> {
  %r = nn.reduce_max %x dims [0, 2] : tensor<3x4x5xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @reduce_max_3x4x5_over_1_2(%x: tensor<3x4x5xf32>) -> tensor<3xf32> {
  %r = nn.reduce_max %x dims [1, 2] : tensor<3x4x5xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @reduce_max_3x4x5_over_0_1_2(%x: tensor<3x4x5xf32>) -> tensor<f32> {
  %r = nn.reduce_max %x dims [0, 1, 2] : tensor<3x4x5xf32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @reduce_max_2x3x4x5_over_0_2_3(%x: tensor<2x3x4x5xf32>) -> tensor<3xf32> {
  %r = nn.reduce_max %x dims [0, 2, 3] : tensor<2x3x4x5xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @reduce_max_2x3x4x5_over_1_3(%x: tensor<2x3x4x5xf32>) -> tensor<2x4xf32> {
  %r = nn.reduce_max %x dims [1, 3] : tensor<2x3x4x5xf32> -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
func.func @reduce_max_2x3x4x5_over_1_2(%x: tensor<2x3x4x5xf32>) -> tensor<2x5xf32> {
  %r = nn.reduce_max %x dims [1, 2] : tensor<2x3x4x5xf32> -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}
func.func @reduce_max_2x3x4x5_over_0_1_2_3(%x: tensor<2x3x4x5xf32>) -> tensor<f32> {
  %r = nn.reduce_max %x dims [0, 1, 2, 3] : tensor<2x3x4x5xf32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @reduce_max_2x3x4x5_over_3(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4xf32> {
  %r = nn.reduce_max %x dims [3] : tensor<2x3x4x5xf32> -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
func.func @reduce_max_1x4x1_over_0(%x: tensor<1x4x1xf32>) -> tensor<4x1xf32> {
  %r = nn.reduce_max %x dims [0] : tensor<1x4x1xf32> -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
func.func @reduce_max_1x4x1_over_2(%x: tensor<1x4x1xf32>) -> tensor<1x4xf32> {
  %r = nn.reduce_max %x dims [2] : tensor<1x4x1xf32> -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
func.func @reduce_max_1x4x1_over_0_2(%x: tensor<1x4x1xf32>) -> tensor<4xf32> {
  %r = nn.reduce_max %x dims [0, 2] : tensor<1x4x1xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @reduce_max_1x1x1_over_0_1_2(%x: tensor<1x1x1xf32>) -> tensor<f32> {
  %r = nn.reduce_max %x dims [0, 1, 2] : tensor<1x1x1xf32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @reduce_max_scalar_over_nothing(%x: tensor<f32>) -> tensor<f32> {
  %r = nn.reduce_max %x dims [] : tensor<f32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @reduce_max_5_over_0(%x: tensor<5xf32>) -> tensor<f32> {
  %r = nn.reduce_max %x dims [0] : tensor<5xf32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @reduce_max_300x70_over_0(%x: tensor<300x70xf32>) -> tensor<70xf32> {
  %r = nn.reduce_max %x dims [0] : tensor<300x70xf32> -> tensor<70xf32>
  return %r : tensor<70xf32>
}
func.func @reduce_max_3x700_over_1(%x: tensor<3x700xf32> {test.from = 0.5}) -> tensor<3xf32> {
  %r = nn.reduce_max %x dims [1] : tensor<3x700xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @reduce_max_20x7x3x50_over_0_2_3(%x: tensor<20x7x3x50xf32>) -> tensor<7xf32> {
  %r = nn.reduce_max %x dims [0, 2, 3] : tensor<20x7x3x50xf32> -> tensor<7xf32>
  return %r : tensor<7xf32>
}
func.func @reduce_max_2x70x3_over_1(%x: tensor<2x70x3xf32>) -> tensor<2x3xf32> {
  %r = nn.reduce_max %x dims [1] : tensor<2x70x3xf32> -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
func.func @reduce_min_3x4x5_over_nothing(%x: tensor<3x4x5xf32>) -> tensor<3x4x5xf32> {
  %r = nn.reduce_min %x dims [] : tensor<3x4x5xf32> -> tensor<3x4x5xf32>
  return %r : tensor<3x4x5xf32>
}
func.func @reduce_min_3x4x5_over_1(%x: tensor<3x4x5xf32>) -> tensor<3x5xf32> {
  %r = nn.reduce_min %x dims [1] : tensor<3x4x5xf32> -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
func.func @reduce_min_3x4x5_over_0_2(%x: tensor<3x4x5xf32>) -> tensor<4xf32> {
  %r = nn.reduce_min %x dims [0, 2] : tensor<3x4x5xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @reduce_min_3x4x5_over_0_1_2(%x: tensor<3x4x5xf32>) -> tensor<f32> {
  %r = nn.reduce_min %x dims [0, 1, 2] : tensor<3x4x5xf32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @reduce_min_2x3x4x5_over_0_2_3(%x: tensor<2x3x4x5xf32>) -> tensor<3xf32> {
  %r = nn.reduce_min %x dims [0, 2, 3] : tensor<2x3x4x5xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @reduce_min_2x3x4x5_over_1_3(%x: tensor<2x3x4x5xf32>) -> tensor<2x4xf32> {
  %r = nn.reduce_min %x dims [1, 3] : tensor<2x3x4x5xf32> -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
func.func @reduce_min_2x3x4x5_over_1_2(%x: tensor<2x3x4x5xf32>) -> tensor<2x5xf32> {
  %r = nn.reduce_min %x dims [1, 2] : tensor<2x3x4x5xf32> -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}
func.func @reduce_min_2x3x4x5_over_0_1_2_3(%x: tensor<2x3x4x5xf32>) -> tensor<f32> {
  %r = nn.reduce_min %x dims [0, 1, 2, 3] : tensor<2x3x4x5xf32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @reduce_min_2x3x4x5_over_3(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4xf32> {
  %r = nn.reduce_min %x dims [3] : tensor<2x3x4x5xf32> -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
func.func @reduce_min_1x4x1_over_0(%x: tensor<1x4x1xf32>) -> tensor<4x1xf32> {
  %r = nn.reduce_min %x dims [0] : tensor<1x4x1xf32> -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}
func.func @reduce_min_1x4x1_over_2(%x: tensor<1x4x1xf32>) -> tensor<1x4xf32> {
  %r = nn.reduce_min %x dims [2] : tensor<1x4x1xf32> -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
func.func @reduce_min_1x4x1_over_0_2(%x: tensor<1x4x1xf32>) -> tensor<4xf32> {
  %r = nn.reduce_min %x dims [0, 2] : tensor<1x4x1xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @reduce_min_1x1x1_over_0_1_2(%x: tensor<1x1x1xf32>) -> tensor<f32> {
  %r = nn.reduce_min %x dims [0, 1, 2] : tensor<1x1x1xf32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @reduce_min_scalar_over_nothing(%x: tensor<f32>) -> tensor<f32> {
  %r = nn.reduce_min %x dims [] : tensor<f32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @reduce_min_5_over_0(%x: tensor<5xf32>) -> tensor<f32> {
  %r = nn.reduce_min %x dims [0] : tensor<5xf32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @reduce_min_300x70_over_0(%x: tensor<300x70xf32>) -> tensor<70xf32> {
  %r = nn.reduce_min %x dims [0] : tensor<300x70xf32> -> tensor<70xf32>
  return %r : tensor<70xf32>
}
func.func @reduce_min_3x700_over_1(%x: tensor<3x700xf32> {test.from = 0.5}) -> tensor<3xf32> {
  %r = nn.reduce_min %x dims [1] : tensor<3x700xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @reduce_min_20x7x3x50_over_0_2_3(%x: tensor<20x7x3x50xf32>) -> tensor<7xf32> {
  %r = nn.reduce_min %x dims [0, 2, 3] : tensor<20x7x3x50xf32> -> tensor<7xf32>
  return %r : tensor<7xf32>
}
func.func @reduce_min_2x70x3_over_1(%x: tensor<2x70x3xf32>) -> tensor<2x3xf32> {
  %r = nn.reduce_min %x dims [1] : tensor<2x70x3xf32> -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
func.func @reduce_max_3x4_over_1_ties(%x: tensor<3x4xf32> {test.values = dense<[1.0, 3.0, 1.0, 3.0, 2.0]>}) -> tensor<3xf32> {
  %r = nn.reduce_max %x dims [1] : tensor<3x4xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @reduce_max_3x4_over_0_ties(%x: tensor<3x4xf32> {test.values = dense<[1.0, 3.0, 1.0, 3.0, 2.0]>}) -> tensor<4xf32> {
  %r = nn.reduce_max %x dims [0] : tensor<3x4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @reduce_max_6_over_0_all_equal(%x: tensor<6xf32> {test.values = dense<0.0>}) -> tensor<f32> {
  %r = nn.reduce_max %x dims [0] : tensor<6xf32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @reduce_max_transposed(%x: tensor<3x4x5xf32>) -> tensor<5x4xf32> {
  %t = nn.transpose %x [2, 0, 1] : tensor<3x4x5xf32> -> tensor<5x3x4xf32>
  %r = nn.reduce_max %t dims [1] : tensor<5x3x4xf32> -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}
func.func @reduce_max_repeated(%x: tensor<4xf32>) -> tensor<4xf32> {
  %t = nn.broadcast %x dims [0, 2] : tensor<4xf32> to tensor<3x4x2xf32>
  %r = nn.reduce_max %t dims [0, 2] : tensor<3x4x2xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @reduce_max_fused(%x: tensor<6x5xf32>, %y: tensor<5xf32>) -> tensor<6xf32> {
  %b = nn.broadcast %y dims [0] : tensor<5xf32> to tensor<6x5xf32>
  %p = nn.mul %x, %b : tensor<6x5xf32>
  %m = nn.reduce_max %p dims [1] : tensor<6x5xf32> -> tensor<6xf32>
  %r = nn.exp %m : tensor<6xf32>
  return %r : tensor<6xf32>
}
func.func @reduce_max_samples(%x: tensor<?x4xf32>) -> tensor<4xf32> {
  %r = nn.reduce_max %x dims [0] : tensor<?x4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @reduce_max_per_sample(%x: tensor<?x4x2xf32>, %w: tensor<4x2xf32>) -> tensor<?x2xf32> {
  %b = nn.broadcast %w dims [0] : tensor<4x2xf32> to tensor<?x4x2xf32>
  %p = nn.add %x, %b : tensor<?x4x2xf32>
  %r = nn.reduce_max %p dims [1] : tensor<?x4x2xf32> -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}
func.func @reduce_min_3x4_over_1_ties(%x: tensor<3x4xf32> {test.values = dense<[1.0, 3.0, 1.0, 3.0, 2.0]>}) -> tensor<3xf32> {
  %r = nn.reduce_min %x dims [1] : tensor<3x4xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @reduce_min_3x4_over_0_ties(%x: tensor<3x4xf32> {test.values = dense<[1.0, 3.0, 1.0, 3.0, 2.0]>}) -> tensor<4xf32> {
  %r = nn.reduce_min %x dims [0] : tensor<3x4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @reduce_min_6_over_0_all_equal(%x: tensor<6xf32> {test.values = dense<0.0>}) -> tensor<f32> {
  %r = nn.reduce_min %x dims [0] : tensor<6xf32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @reduce_min_transposed(%x: tensor<3x4x5xf32>) -> tensor<5x4xf32> {
  %t = nn.transpose %x [2, 0, 1] : tensor<3x4x5xf32> -> tensor<5x3x4xf32>
  %r = nn.reduce_min %t dims [1] : tensor<5x3x4xf32> -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}
func.func @reduce_min_repeated(%x: tensor<4xf32>) -> tensor<4xf32> {
  %t = nn.broadcast %x dims [0, 2] : tensor<4xf32> to tensor<3x4x2xf32>
  %r = nn.reduce_min %t dims [0, 2] : tensor<3x4x2xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @reduce_min_fused(%x: tensor<6x5xf32>, %y: tensor<5xf32>) -> tensor<6xf32> {
  %b = nn.broadcast %y dims [0] : tensor<5xf32> to tensor<6x5xf32>
  %p = nn.mul %x, %b : tensor<6x5xf32>
  %m = nn.reduce_min %p dims [1] : tensor<6x5xf32> -> tensor<6xf32>
  %r = nn.exp %m : tensor<6xf32>
  return %r : tensor<6xf32>
}
func.func @reduce_min_samples(%x: tensor<?x4xf32>) -> tensor<4xf32> {
  %r = nn.reduce_min %x dims [0] : tensor<?x4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @reduce_min_per_sample(%x: tensor<?x4x2xf32>, %w: tensor<4x2xf32>) -> tensor<?x2xf32> {
  %b = nn.broadcast %w dims [0] : tensor<4x2xf32> to tensor<?x4x2xf32>
  %p = nn.add %x, %b : tensor<?x4x2xf32>
  %r = nn.reduce_min %p dims [1] : tensor<?x4x2xf32> -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}
func.func @sum_samples(%x: tensor<?x3x4xf32>, %w: tensor<3x4xf32>) -> tensor<3xf32> {
  %b = nn.broadcast %w dims [0] : tensor<3x4xf32> to tensor<?x3x4xf32>
  %p = nn.mul %x, %b : tensor<?x3x4xf32>
  %r = nn.sum %p dims [0, 2] : tensor<?x3x4xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @mean_samples(%x: tensor<?x3x4xf32>, %w: tensor<3x4xf32>) -> tensor<3xf32> {
  %b = nn.broadcast %w dims [0] : tensor<3x4xf32> to tensor<?x3x4xf32>
  %p = nn.mul %x, %b : tensor<?x3x4xf32>
  %r = nn.mean %p dims [0, 2] : tensor<?x3x4xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @cumsum_7_along_0(%x: tensor<7xf32>) -> tensor<7xf32> {
  %r = nn.cumsum %x dim 0 : tensor<7xf32>
  return %r : tensor<7xf32>
}
func.func @cumsum_3x4x5_along_0(%x: tensor<3x4x5xf32>) -> tensor<3x4x5xf32> {
  %r = nn.cumsum %x dim 0 : tensor<3x4x5xf32>
  return %r : tensor<3x4x5xf32>
}
func.func @cumsum_3x4x5_along_1(%x: tensor<3x4x5xf32>) -> tensor<3x4x5xf32> {
  %r = nn.cumsum %x dim 1 : tensor<3x4x5xf32>
  return %r : tensor<3x4x5xf32>
}
func.func @cumsum_3x4x5_along_2(%x: tensor<3x4x5xf32>) -> tensor<3x4x5xf32> {
  %r = nn.cumsum %x dim 2 : tensor<3x4x5xf32>
  return %r : tensor<3x4x5xf32>
}
func.func @cumsum_1x4_along_0(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = nn.cumsum %x dim 0 : tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
func.func @cumsum_3x1_along_0(%x: tensor<3x1xf32>) -> tensor<3x1xf32> {
  %r = nn.cumsum %x dim 0 : tensor<3x1xf32>
  return %r : tensor<3x1xf32>
}
func.func @cumsum_7_along_0_reverse(%x: tensor<7xf32>) -> tensor<7xf32> {
  %r = nn.cumsum %x dim 0 reverse : tensor<7xf32>
  return %r : tensor<7xf32>
}
func.func @cumsum_3x4x5_along_0_reverse(%x: tensor<3x4x5xf32>) -> tensor<3x4x5xf32> {
  %r = nn.cumsum %x dim 0 reverse : tensor<3x4x5xf32>
  return %r : tensor<3x4x5xf32>
}
func.func @cumsum_3x4x5_along_1_reverse(%x: tensor<3x4x5xf32>) -> tensor<3x4x5xf32> {
  %r = nn.cumsum %x dim 1 reverse : tensor<3x4x5xf32>
  return %r : tensor<3x4x5xf32>
}
func.func @cumsum_3x4x5_along_2_reverse(%x: tensor<3x4x5xf32>) -> tensor<3x4x5xf32> {
  %r = nn.cumsum %x dim 2 reverse : tensor<3x4x5xf32>
  return %r : tensor<3x4x5xf32>
}
func.func @cumsum_1x4_along_0_reverse(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %r = nn.cumsum %x dim 0 reverse : tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
func.func @cumsum_3x1_along_0_reverse(%x: tensor<3x1xf32>) -> tensor<3x1xf32> {
  %r = nn.cumsum %x dim 0 reverse : tensor<3x1xf32>
  return %r : tensor<3x1xf32>
}
func.func @cumsum_2x300_along_1(%x: tensor<2x300xf32>) -> tensor<2x300xf32> {
  %r = nn.cumsum %x dim 1 : tensor<2x300xf32>
  return %r : tensor<2x300xf32>
}
func.func @cumsum_2x300_along_1_reverse(%x: tensor<2x300xf32>) -> tensor<2x300xf32> {
  %r = nn.cumsum %x dim 1 reverse : tensor<2x300xf32>
  return %r : tensor<2x300xf32>
}
func.func @cumsum_2048x2_along_0(%x: tensor<2048x2xf32>) -> tensor<2048x2xf32> {
  %r = nn.cumsum %x dim 0 : tensor<2048x2xf32>
  return %r : tensor<2048x2xf32>
}
func.func @cumsum_509_along_0(%x: tensor<509xf32>) -> tensor<509xf32> {
  %r = nn.cumsum %x dim 0 : tensor<509xf32>
  return %r : tensor<509xf32>
}
func.func @cumsum_transposed(%x: tensor<3x4xf32>) -> tensor<4x3xf32> {
  %t = nn.transpose %x [1, 0] : tensor<3x4xf32> -> tensor<4x3xf32>
  %r = nn.cumsum %t dim 0 : tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
func.func @cumsum_fused(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %t = nn.square %x : tensor<3x4xf32>
  %s = nn.cumsum %t dim 1 : tensor<3x4xf32>
  %r = nn.tanh %s : tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
func.func @cumsum_per_sample(%x: tensor<?x4xf32>, %w: tensor<4xf32>) -> tensor<?x4xf32> {
  %b = nn.broadcast %w dims [0] : tensor<4xf32> to tensor<?x4xf32>
  %p = nn.mul %x, %b : tensor<?x4xf32>
  %r = nn.cumsum %p dim 1 : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
func.func @cumsum_over_samples(%x: tensor<?x4xf32>, %w: tensor<4xf32>) -> tensor<?x4xf32> {
  %b = nn.broadcast %w dims [0] : tensor<4xf32> to tensor<?x4xf32>
  %p = nn.mul %x, %b : tensor<?x4xf32>
  %r = nn.cumsum %p dim 0 : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
func.func @argmax_middle(%x: tensor<3x4x5xf32>) -> tensor<3x5xi32> {
  %r = nn.argmax %x dim 1 : tensor<3x4x5xf32> -> tensor<3x5xi32>
  return %r : tensor<3x5xi32>
}
func.func @argmax_integers(%x: tensor<3x4xi32> {test.from = -9.0, test.to = 9.0}) -> tensor<3xi32> {
  %r = nn.argmax %x dim 1 : tensor<3x4xi32> -> tensor<3xi32>
  return %r : tensor<3xi32>
}
