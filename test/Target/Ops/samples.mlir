// Ops over samples on every target: loops over the batch in turn, whose
// contributions merge.
// RUN: env "EMULATE=%emulate_asan" bash %S/Inputs/check-ops.sh %t %s | FileCheck %s
// CHECK: all targets agree

func.func @moments(%x: tensor<?x3xf32>) -> tensor<3xf32> {
  %m, %v = nn.moments %x dims [0] : tensor<?x3xf32> -> tensor<3xf32>, tensor<3xf32>
  %r = nn.mul %m, %v : tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @moments_and_positions(%x: tensor<?x3x5xf32>) -> tensor<3xf32> {
  %m, %v = nn.moments %x dims [0, 2] : tensor<?x3x5xf32> -> tensor<3xf32>, tensor<3xf32>
  %r = nn.mul %m, %v : tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @normalize(%x: tensor<?x3x5xf32>) -> tensor<?x3x5xf32> {
  %r = nn.normalize %x dims [0, 2] eps 1.0e-5 : tensor<?x3x5xf32>
  return %r : tensor<?x3x5xf32>
}
func.func @rms_norm(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = nn.rms_norm %x dims [0] eps 1.0e-5 : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
func.func @reduce_max(%x: tensor<?x3xf32>) -> tensor<3xf32> {
  %r = nn.reduce_max %x dims [0] : tensor<?x3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @reduce_min_of_all(%x: tensor<?x3xf32>) -> tensor<f32> {
  %r = nn.reduce_min %x dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  return %r : tensor<f32>
}
func.func @reduce_max_of_equal(%x: tensor<?x3xf32>) -> tensor<3xf32> {
  %f = nn.floor %x : tensor<?x3xf32>
  %z = nn.sub %x, %x : tensor<?x3xf32>
  %s = nn.add %z, %f : tensor<?x3xf32>
  %r = nn.reduce_max %s dims [0] : tensor<?x3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @argmax(%x: tensor<?x3xf32>) -> tensor<3xf32> {
  %i = nn.argmax %x dim 0 : tensor<?x3xf32> -> tensor<3xi32>
  %r = nn.convert %i : tensor<3xi32> to tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @argmax_of_equal(%x: tensor<?x3xf32>) -> tensor<3xf32> {
  %f = nn.floor %x : tensor<?x3xf32>
  %n = nn.convert %f : tensor<?x3xf32> to tensor<?x3xi32>
  %i = nn.argmax %n dim 0 : tensor<?x3xi32> -> tensor<3xi32>
  %r = nn.convert %i : tensor<3xi32> to tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @logsumexp(%x: tensor<?x3xf32>) -> tensor<3xf32> {
  %r = nn.logsumexp %x dims [0] : tensor<?x3xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @softmax(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = nn.softmax %x dim 0 : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
func.func @log_softmax(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = nn.log_softmax %x dim 0 : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
func.func @cross_entropy(%x: tensor<?x3xf32>, %l: tensor<3xi32> {test.values = dense<[2, 0, 5]>}) -> tensor<3xf32> {
  %t = nn.transpose %x [1, 0] : tensor<?x3xf32> -> tensor<3x?xf32>
  %r = nn.cross_entropy %t, %l : (tensor<3x?xf32>, tensor<3xi32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @similarity(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?xf32> {
  %s = nn.matmul %x, %y transpose_rhs : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  %l = nn.iota dim 0 : tensor<?xi32>
  %a = nn.cross_entropy %s, %l : (tensor<?x?xf32>, tensor<?xi32>) -> tensor<?xf32>
  %t = nn.transpose %s [1, 0] : tensor<?x?xf32> -> tensor<?x?xf32>
  %b = nn.cross_entropy %t, %l : (tensor<?x?xf32>, tensor<?xi32>) -> tensor<?xf32>
  %r = nn.add %a, %b : tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @cumsum(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = nn.cumsum %x dim 0 : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
func.func @flip(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = nn.flip %x dims [0] : tensor<?x3xf32> -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
func.func @take_along(%x: tensor<?x3xf32>, %i: tensor<2x3xi32> {test.values = dense<[[2, 0, 5], [2, 3, 1]]>}) -> tensor<2x3xf32> {
  %r = nn.take_along %x, %i dim 0 : (tensor<?x3xf32>, tensor<2x3xi32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
func.func @gather(%x: tensor<?x3xf32>, %i: tensor<4xi32> {test.values = dense<[2, 0, 5, 2]>}) -> tensor<4x3xf32> {
  %r = nn.gather %x, %i dim 0 : (tensor<?x3xf32>, tensor<4xi32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
func.func @concat(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<3xf32> {
  %c = nn.concat %x, %y dim 0 : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32, #nn.extents<"2*B">>
  %r = nn.logsumexp %c dims [0] : tensor<?x3xf32, #nn.extents<"2*B">> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @pairs(%x: tensor<?x3xf32>) -> tensor<2x3xf32> {
  %p = nn.reshape %x : tensor<?x3xf32> to tensor<?x2x3xf32, #nn.extents<"B/2">>
  %r = nn.logsumexp %p dims [0] : tensor<?x2x3xf32, #nn.extents<"B/2">> -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
