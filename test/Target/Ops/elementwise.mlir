// Elementwise ops on every target: results and derivatives.
// RUN: env "EMULATE=%emulate_asan" bash %S/Inputs/check-ops.sh %t %s | FileCheck %s
// CHECK: all targets agree

//===----------------------------------------------------------------------===//
// Functions of one operand
//===----------------------------------------------------------------------===//

func.func @neg(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.neg %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @exp(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.exp %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @log(%x: tensor<4x5xf32> {test.from = 0.1}) -> tensor<4x5xf32> {
  %r = nn.log %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @tanh(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.tanh %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @sigmoid(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.sigmoid %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @relu(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.relu %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @sqrt(%x: tensor<4x5xf32> {test.from = 0.1}) -> tensor<4x5xf32> {
  %r = nn.sqrt %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @square(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.square %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @abs(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.abs %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @abs_kink(%x: tensor<4x5xf32> {test.values = dense<[0.0, -0.0, -1.5, 2.5]>}) -> tensor<4x5xf32> {
  %r = nn.abs %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @sign(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.sign %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @sign_zero(%x: tensor<4x5xf32> {test.values = dense<[0.0, -0.0, -1.5, 2.5]>}) -> tensor<4x5xf32> {
  %r = nn.sign %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @floor(%x: tensor<4x5xf32> {test.from = -3.0, test.to = 3.0}) -> tensor<4x5xf32> {
  %r = nn.floor %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @floor_whole(%x: tensor<4x5xf32> {test.values = dense<[-1.0, -0.5, 0.0, 2.0, 1.0e6]>}) -> tensor<4x5xf32> {
  %r = nn.floor %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @erf(%x: tensor<256xf32> {test.from = -4.5, test.to = 4.5}) -> tensor<256xf32> {
  %r = nn.erf %x : tensor<256xf32>
  return %r : tensor<256xf32>
}
func.func @erf_small(%x: tensor<4x5xf32> {test.values = dense<[1.0e-7, -2.0e-5, 3.0e-4]>}) -> tensor<4x5xf32> {
  %r = nn.erf %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @log1p(%x: tensor<256xf32> {test.from = -0.9, test.to = 20.0}) -> tensor<256xf32> {
  %r = nn.log1p %x : tensor<256xf32>
  return %r : tensor<256xf32>
}
func.func @log1p_small(%x: tensor<4x5xf32> {test.values = dense<[1.0e-8, -3.0e-7, 2.0e-6]>}) -> tensor<4x5xf32> {
  %r = nn.log1p %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @expm1(%x: tensor<256xf32> {test.from = -10.0, test.to = 10.0}) -> tensor<256xf32> {
  %r = nn.expm1 %x : tensor<256xf32>
  return %r : tensor<256xf32>
}
func.func @expm1_small(%x: tensor<4x5xf32> {test.values = dense<[1.0e-8, -3.0e-7, 2.0e-6]>}) -> tensor<4x5xf32> {
  %r = nn.expm1 %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @rsqrt(%x: tensor<4x5xf32> {test.from = 0.05, test.to = 4.0}) -> tensor<4x5xf32> {
  %r = nn.rsqrt %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @reciprocal(%x: tensor<4x5xf32> {test.from = 0.05, test.to = 4.0}) -> tensor<4x5xf32> {
  %r = nn.reciprocal %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @reciprocal_negative(%x: tensor<4x5xf32> {test.from = -4.0, test.to = -0.05}) -> tensor<4x5xf32> {
  %r = nn.reciprocal %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @sin(%x: tensor<256xf32> {test.from = -50.0, test.to = 50.0}) -> tensor<256xf32> {
  %r = nn.sin %x : tensor<256xf32>
  return %r : tensor<256xf32>
}
func.func @cos(%x: tensor<256xf32> {test.from = -50.0, test.to = 50.0}) -> tensor<256xf32> {
  %r = nn.cos %x : tensor<256xf32>
  return %r : tensor<256xf32>
}
func.func @sin_small(%x: tensor<4x5xf32> {test.values = dense<[1.0e-8, -3.0e-6, 2.0e-4]>}) -> tensor<4x5xf32> {
  %r = nn.sin %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @silu(%x: tensor<256xf32> {test.from = -20.0, test.to = 20.0}) -> tensor<256xf32> {
  %r = nn.silu %x : tensor<256xf32>
  return %r : tensor<256xf32>
}
func.func @silu_large(%x: tensor<4x5xf32> {test.values = dense<[-200.0, 200.0, -0.0]>}) -> tensor<4x5xf32> {
  %r = nn.silu %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @softplus(%x: tensor<256xf32> {test.from = -20.0, test.to = 20.0}) -> tensor<256xf32> {
  %r = nn.softplus %x : tensor<256xf32>
  return %r : tensor<256xf32>
}
func.func @softplus_large(%x: tensor<4x5xf32> {test.values = dense<[-200.0, 200.0, 0.0]>}) -> tensor<4x5xf32> {
  %r = nn.softplus %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @gelu(%x: tensor<256xf32> {test.from = -6.0, test.to = 6.0}) -> tensor<256xf32> {
  %r = nn.gelu %x : tensor<256xf32>
  return %r : tensor<256xf32>
}
func.func @gelu_large(%x: tensor<4x5xf32> {test.values = dense<[-200.0, 200.0, 0.0]>}) -> tensor<4x5xf32> {
  %r = nn.gelu %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @gelu_tanh(%x: tensor<256xf32> {test.from = -6.0, test.to = 6.0}) -> tensor<256xf32> {
  %r = nn.gelu %x tanh : tensor<256xf32>
  return %r : tensor<256xf32>
}
func.func @gelu_tanh_large(%x: tensor<4x5xf32> {test.values = dense<[-200.0, 200.0, 0.0]>}) -> tensor<4x5xf32> {
  %r = nn.gelu %x tanh : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @clamp(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.clamp %x from -0.5 to 1.25 : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @clamp_ends(%x: tensor<4x5xf32> {test.values = dense<[-0.5, 1.25, -0.75, 1.5, 0.25]>}) -> tensor<4x5xf32> {
  %r = nn.clamp %x from -0.5 to 1.25 : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @stop_gradient(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.stop_gradient %x : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
//===----------------------------------------------------------------------===//
// Functions of two operands
//===----------------------------------------------------------------------===//

func.func @add(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.add %x, %y : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @sub(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.sub %x, %y : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @mul(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.mul %x, %y : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @div(%x: tensor<4x5xf32>, %y: tensor<4x5xf32> {test.from = 0.5}) -> tensor<4x5xf32> {
  %r = nn.div %x, %y : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @max(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.max %x, %y : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @max_ties(%x: tensor<4x5xf32> {test.values = dense<[1.0, 2.0, -0.5]>}, %y: tensor<4x5xf32> {test.values = dense<[1.0, -2.0]>}) -> tensor<4x5xf32> {
  %r = nn.max %x, %y : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @min(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.min %x, %y : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @min_ties(%x: tensor<4x5xf32> {test.values = dense<[1.0, 2.0, -0.5]>}, %y: tensor<4x5xf32> {test.values = dense<[1.0, -2.0]>}) -> tensor<4x5xf32> {
  %r = nn.min %x, %y : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @pow(%x: tensor<4x5xf32> {test.from = 0.1, test.to = 3.0}, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.pow %x, %y : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @pow_negative_base(%x: tensor<4x5xf32> {test.from = -3.0, test.to = -0.1}, %y: tensor<4x5xf32> {test.values = dense<[2.0, 3.0, -1.0, 0.0]>}) -> tensor<4x5xf32> {
  %r = nn.pow %x, %y : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @pow_zero_base(%x: tensor<4x5xf32> {test.values = dense<0.0>}, %y: tensor<4x5xf32> {test.values = dense<[0.0, 2.0, 1.0]>}) -> tensor<4x5xf32> {
  %r = nn.pow %x, %y : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @min_integers(%x: tensor<4x5xi32> {test.from = -9.0, test.to = 9.0}, %y: tensor<4x5xi32> {test.from = -9.0, test.to = 9.0}) -> tensor<4x5xi32> {
  %r = nn.min %x, %y : tensor<4x5xi32>
  return %r : tensor<4x5xi32>
}
func.func @max_integers(%x: tensor<4x5xi32> {test.from = -9.0, test.to = 9.0}, %y: tensor<4x5xi32> {test.from = -9.0, test.to = 9.0}) -> tensor<4x5xi32> {
  %r = nn.max %x, %y : tensor<4x5xi32>
  return %r : tensor<4x5xi32>
}
//===----------------------------------------------------------------------===//
// Logic and choice
//===----------------------------------------------------------------------===//

func.func @and(%x: tensor<4xi1> {test.values = dense<[true, false, true, false]>}, %y: tensor<4xi1> {test.values = dense<[true, true, false, false]>}) -> tensor<4xi1> {
  %r = nn.and %x, %y : tensor<4xi1>
  return %r : tensor<4xi1>
}
func.func @or(%x: tensor<4xi1> {test.values = dense<[true, false, true, false]>}, %y: tensor<4xi1> {test.values = dense<[true, true, false, false]>}) -> tensor<4xi1> {
  %r = nn.or %x, %y : tensor<4xi1>
  return %r : tensor<4xi1>
}
func.func @not(%x: tensor<4xi1> {test.values = dense<[true, false]>}) -> tensor<4xi1> {
  %r = nn.not %x : tensor<4xi1>
  return %r : tensor<4xi1>
}
func.func @select(%c: tensor<4x5xi1> {test.values = dense<[true, false, false]>}, %x: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.select %c, %x, %y : tensor<4x5xi1>, tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @when_training(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = nn.when_training %x else %y : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func @band(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %a = nn.compare gt %x, %y : tensor<4x5xf32>
  %b = nn.compare ge %y, %y : tensor<4x5xf32>
  %n = nn.not %a : tensor<4x5xi1>
  %c = nn.and %b, %n : tensor<4x5xi1>
  %d = nn.or %c, %a : tensor<4x5xi1>
  %e = nn.and %d, %n : tensor<4x5xi1>
  %r = nn.select %e, %x, %y : tensor<4x5xi1>, tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
// NaN stays NaN.
func.func @nan(%x: tensor<4xf32> {test.values = dense<[-1.0, 4.0]>}) -> tensor<4xf32> {
  %0 = nn.sqrt %x : tensor<4xf32>
  %1 = nn.stop_gradient %0 : tensor<4xf32>
  %2 = nn.sign %1 : tensor<4xf32>
  %3 = nn.clamp %2 from -1.0 to 1.0 : tensor<4xf32>
  %4 = nn.softplus %3 : tensor<4xf32>
  %5 = nn.gelu %4 : tensor<4xf32>
  %6 = nn.min %5, %x : tensor<4xf32>
  %7 = nn.expm1 %6 : tensor<4xf32>
  %8 = nn.log1p %7 : tensor<4xf32>
  %9 = nn.erf %8 : tensor<4xf32>
  %10 = nn.sin %9 : tensor<4xf32>
  %11 = nn.silu %10 : tensor<4xf32>
  %c = nn.compare ne %11, %11 : tensor<4xf32>
  %r = nn.convert %c : tensor<4xi1> to tensor<4xf32>
  return %r : tensor<4xf32>
}
//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

func.func @iota() -> tensor<3x4xi32> {
  %r = nn.iota dim 1 : tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}
func.func @iota_floats(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %i = nn.iota dim 0 : tensor<3x4xf32>
  %r = nn.mul %x, %i : tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
func.func @iota_i64() -> tensor<1x5x1xi64> {
  %r = nn.iota dim 1 : tensor<1x5x1xi64>
  return %r : tensor<1x5x1xi64>
}
// Of the logical batch, in every micro-batch.
func.func @iota_samples(%x: tensor<?x2xf32>, %w: tensor<2xf32>) -> tensor<?x2xf32> {
  %i = nn.iota dim 0 : tensor<?x2xf32>
  %ws = nn.broadcast %w dims [0] : tensor<2xf32> to tensor<?x2xf32>
  %y = nn.mul %ws, %i : tensor<?x2xf32>
  %r = nn.mul %y, %x : tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}
func.func @causal_mask(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %i = nn.iota dim 0 : tensor<4x4xi32>
  %j = nn.iota dim 1 : tensor<4x4xi32>
  %c = nn.compare ge %i, %j : tensor<4x4xi32>
  %0 = nn.constant dense<0.0> : tensor<f32>
  %zero = nn.broadcast %0 dims [0, 1] : tensor<f32> to tensor<4x4xf32>
  %r = nn.select %c, %x, %zero : tensor<4x4xi1>, tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

//===----------------------------------------------------------------------===//
// Shapes: rank 0, extents of 1, transposed operands, repetition
//===----------------------------------------------------------------------===//

func.func @erf_scalar(%x: tensor<f32>) -> tensor<f32> {
  %r = nn.erf %x : tensor<f32>
  return %r : tensor<f32>
}
func.func @erf_one(%x: tensor<1x1x1xf32>) -> tensor<1x1x1xf32> {
  %r = nn.erf %x : tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}
func.func @erf_transposed(%x: tensor<3x4x5xf32>) -> tensor<5x3x4xf32> {
  %t = nn.transpose %x [2, 0, 1] : tensor<3x4x5xf32> -> tensor<5x3x4xf32>
  %r = nn.erf %t : tensor<5x3x4xf32>
  return %r : tensor<5x3x4xf32>
}
func.func @erf_repeated(%x: tensor<4xf32>) -> tensor<3x4x2xf32> {
  %t = nn.broadcast %x dims [0, 2] : tensor<4xf32> to tensor<3x4x2xf32>
  %r = nn.erf %t : tensor<3x4x2xf32>
  return %r : tensor<3x4x2xf32>
}
func.func @gelu_scalar(%x: tensor<f32>) -> tensor<f32> {
  %r = nn.gelu %x tanh : tensor<f32>
  return %r : tensor<f32>
}
func.func @gelu_one(%x: tensor<1x1x1xf32>) -> tensor<1x1x1xf32> {
  %r = nn.gelu %x tanh : tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}
func.func @gelu_transposed(%x: tensor<3x4x5xf32>) -> tensor<5x3x4xf32> {
  %t = nn.transpose %x [2, 0, 1] : tensor<3x4x5xf32> -> tensor<5x3x4xf32>
  %r = nn.gelu %t tanh : tensor<5x3x4xf32>
  return %r : tensor<5x3x4xf32>
}
func.func @gelu_repeated(%x: tensor<4xf32>) -> tensor<3x4x2xf32> {
  %t = nn.broadcast %x dims [0, 2] : tensor<4xf32> to tensor<3x4x2xf32>
  %r = nn.gelu %t tanh : tensor<3x4x2xf32>
  return %r : tensor<3x4x2xf32>
}
func.func @softplus_scalar(%x: tensor<f32>) -> tensor<f32> {
  %r = nn.softplus %x : tensor<f32>
  return %r : tensor<f32>
}
func.func @softplus_one(%x: tensor<1x1x1xf32>) -> tensor<1x1x1xf32> {
  %r = nn.softplus %x : tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}
func.func @softplus_transposed(%x: tensor<3x4x5xf32>) -> tensor<5x3x4xf32> {
  %t = nn.transpose %x [2, 0, 1] : tensor<3x4x5xf32> -> tensor<5x3x4xf32>
  %r = nn.softplus %t : tensor<5x3x4xf32>
  return %r : tensor<5x3x4xf32>
}
func.func @softplus_repeated(%x: tensor<4xf32>) -> tensor<3x4x2xf32> {
  %t = nn.broadcast %x dims [0, 2] : tensor<4xf32> to tensor<3x4x2xf32>
  %r = nn.softplus %t : tensor<3x4x2xf32>
  return %r : tensor<3x4x2xf32>
}
func.func @log1p_scalar(%x: tensor<f32> {test.from = 0.0}) -> tensor<f32> {
  %r = nn.log1p %x : tensor<f32>
  return %r : tensor<f32>
}
func.func @log1p_one(%x: tensor<1x1x1xf32> {test.from = 0.0}) -> tensor<1x1x1xf32> {
  %r = nn.log1p %x : tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}
func.func @log1p_transposed(%x: tensor<3x4x5xf32> {test.from = 0.0}) -> tensor<5x3x4xf32> {
  %t = nn.transpose %x [2, 0, 1] : tensor<3x4x5xf32> -> tensor<5x3x4xf32>
  %r = nn.log1p %t : tensor<5x3x4xf32>
  return %r : tensor<5x3x4xf32>
}
func.func @log1p_repeated(%x: tensor<4xf32> {test.from = 0.0}) -> tensor<3x4x2xf32> {
  %t = nn.broadcast %x dims [0, 2] : tensor<4xf32> to tensor<3x4x2xf32>
  %r = nn.log1p %t : tensor<3x4x2xf32>
  return %r : tensor<3x4x2xf32>
}
func.func @rsqrt_scalar(%x: tensor<f32> {test.from = 0.5}) -> tensor<f32> {
  %r = nn.rsqrt %x : tensor<f32>
  return %r : tensor<f32>
}
func.func @rsqrt_one(%x: tensor<1x1x1xf32> {test.from = 0.5}) -> tensor<1x1x1xf32> {
  %r = nn.rsqrt %x : tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}
func.func @rsqrt_transposed(%x: tensor<3x4x5xf32> {test.from = 0.5}) -> tensor<5x3x4xf32> {
  %t = nn.transpose %x [2, 0, 1] : tensor<3x4x5xf32> -> tensor<5x3x4xf32>
  %r = nn.rsqrt %t : tensor<5x3x4xf32>
  return %r : tensor<5x3x4xf32>
}
func.func @rsqrt_repeated(%x: tensor<4xf32> {test.from = 0.5}) -> tensor<3x4x2xf32> {
  %t = nn.broadcast %x dims [0, 2] : tensor<4xf32> to tensor<3x4x2xf32>
  %r = nn.rsqrt %t : tensor<3x4x2xf32>
  return %r : tensor<3x4x2xf32>
}
func.func @min_scalar(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %r = nn.min %x, %y : tensor<f32>
  return %r : tensor<f32>
}
func.func @min_columns(%x: tensor<3x4xf32>, %y: tensor<4xf32>) -> tensor<3x4xf32> {
  %b = nn.broadcast %y dims [0] : tensor<4xf32> to tensor<3x4xf32>
  %r = nn.min %x, %b : tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
func.func @min_rows(%x: tensor<3xf32>, %y: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %b = nn.broadcast %x dims [1] : tensor<3xf32> to tensor<3x4xf32>
  %r = nn.min %b, %y : tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
func.func @min_transposed(%x: tensor<4x3xf32>, %y: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %t = nn.transpose %x [1, 0] : tensor<4x3xf32> -> tensor<3x4xf32>
  %r = nn.min %t, %y : tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
func.func @pow_scalar(%x: tensor<f32> {test.from = 0.2}, %y: tensor<f32>) -> tensor<f32> {
  %r = nn.pow %x, %y : tensor<f32>
  return %r : tensor<f32>
}
func.func @pow_columns(%x: tensor<3x4xf32> {test.from = 0.2}, %y: tensor<4xf32>) -> tensor<3x4xf32> {
  %b = nn.broadcast %y dims [0] : tensor<4xf32> to tensor<3x4xf32>
  %r = nn.pow %x, %b : tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
func.func @pow_rows(%x: tensor<3xf32> {test.from = 0.2}, %y: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %b = nn.broadcast %x dims [1] : tensor<3xf32> to tensor<3x4xf32>
  %r = nn.pow %b, %y : tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
func.func @pow_transposed(%x: tensor<4x3xf32> {test.from = 0.2}, %y: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %t = nn.transpose %x [1, 0] : tensor<4x3xf32> -> tensor<3x4xf32>
  %r = nn.pow %t, %y : tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
func.func @gelu_samples(%x: tensor<?x3xf32>, %w: tensor<3xf32>) -> tensor<?x3xf32> {
  %b = nn.broadcast %w dims [0] : tensor<3xf32> to tensor<?x3xf32>
  %p = nn.mul %x, %b : tensor<?x3xf32>
  %r = nn.gelu %p : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
