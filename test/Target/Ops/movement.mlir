// Slices, padding, concatenation and flips on every target: results and
// derivatives.
// RUN: env "EMULATE=%emulate_asan" bash %S/Inputs/check-ops.sh %t %s | FileCheck %s
// CHECK: all targets agree

func.func @slice_first(%x: tensor<7x3xf32>) -> tensor<2x3xf32> {
  %r = nn.slice %x dim 0 from 1 to 6 by 3 : tensor<7x3xf32> -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
func.func @slice_middle(%x: tensor<?x5x2xf32>) -> tensor<?x3x2xf32> {
  %e = nn.exp %x : tensor<?x5x2xf32>
  %r = nn.slice %e dim 1 from 0 to 5 by 2 : tensor<?x5x2xf32> -> tensor<?x3x2xf32>
  return %r : tensor<?x3x2xf32>
}
func.func @slice_last(%x: tensor<2x3x6xf32>) -> tensor<2x3x4xf32> {
  %r = nn.slice %x dim 2 from 2 to 6 : tensor<2x3x6xf32> -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
func.func @slice_one(%x: tensor<5xf32>) -> tensor<1xf32> {
  %r = nn.slice %x dim 0 from 4 to 5 : tensor<5xf32> -> tensor<1xf32>
  return %r : tensor<1xf32>
}
// What lies between the steps need not be a whole number of them.
func.func @slice_rest(%x: tensor<8xf32>) -> tensor<3xf32> {
  %r = nn.slice %x dim 0 from 1 to 8 by 3 : tensor<8xf32> -> tensor<3xf32>
  return %r : tensor<3xf32>
}
func.func @slice_integers(%x: tensor<2x4xi32>) -> tensor<2x2xi32> {
  %r = nn.slice %x dim 1 from 1 to 3 : tensor<2x4xi32> -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}
func.func @pad_zero(%x: tensor<?x3xf32>) -> tensor<?x6xf32> {
  %r = nn.pad %x dim 1 low 2 high 1 : tensor<?x3xf32> -> tensor<?x6xf32>
  return %r : tensor<?x6xf32>
}
func.func @pad_value(%x: tensor<3x2xf32>) -> tensor<8x2xf32> {
  %r = nn.pad %x dim 0 low 0 high 1 interior 2 value -1.5 : tensor<3x2xf32> -> tensor<8x2xf32>
  return %r : tensor<8x2xf32>
}
func.func @pad_bools(%x: tensor<2x2xi1> {test.values = dense<[true, false, false]>}) -> tensor<2x4xi1> {
  %r = nn.pad %x dim 1 low 1 high 1 value 1.0 : tensor<2x2xi1> -> tensor<2x4xi1>
  return %r : tensor<2x4xi1>
}
// Of a reduction, at other places than its own.
func.func @pad_sums(%x: tensor<4x3xf32>) -> tensor<6xf32> {
  %s = nn.sum %x dims [1] : tensor<4x3xf32> -> tensor<4xf32>
  %p = nn.pad %s dim 0 low 1 high 1 : tensor<4xf32> -> tensor<6xf32>
  %r = nn.tanh %p : tensor<6xf32>
  return %r : tensor<6xf32>
}
func.func @concat_rows(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>, %z: tensor<3x3xf32>) -> tensor<6x3xf32> {
  %r = nn.concat %x, %y, %z dim 0 : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<3x3xf32>) -> tensor<6x3xf32>
  return %r : tensor<6x3xf32>
}
func.func @concat_columns(%x: tensor<?x2xf32>, %y: tensor<?x3xf32>) -> tensor<?x5xf32> {
  %a = nn.exp %x : tensor<?x2xf32>
  %r = nn.concat %a, %y dim 1 : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}
// Samples of the one after those of the other.
func.func @concat_samples(%x: tensor<?x2xf32>, %w: tensor<2xf32>) -> tensor<2xf32> {
  %v = nn.broadcast %w dims [0] : tensor<2xf32> to tensor<?x2xf32>
  %a = nn.mul %x, %v : tensor<?x2xf32>
  %c = nn.concat %a, %x dim 0 : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32, #nn.extents<"2*B">>
  %t = nn.tanh %c : tensor<?x2xf32, #nn.extents<"2*B">>
  %r = nn.sum %t dims [0] : tensor<?x2xf32, #nn.extents<"2*B">> -> tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func @flip_one(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %r = nn.flip %x dims [1] : tensor<?x5xf32> -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}
func.func @flip_all(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %r = nn.flip %x dims [0, 1, 2] : tensor<2x3x4xf32> -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
// Both are read by one kernel, at different places.
func.func @palindrome(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %e = nn.exp %x : tensor<3x4xf32>
  %f = nn.flip %e dims [1] : tensor<3x4xf32> -> tensor<3x4xf32>
  %r = nn.mul %e, %f : tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
func.func @flip_sums(%x: tensor<4x3xf32>) -> tensor<4xf32> {
  %s = nn.sum %x dims [1] : tensor<4x3xf32> -> tensor<4xf32>
  %f = nn.flip %s dims [0] : tensor<4xf32> -> tensor<4xf32>
  %r = nn.mul %s, %f : tensor<4xf32>
  return %r : tensor<4xf32>
}
// One on another.
func.func @nested(%x: tensor<?x4xf32>) -> tensor<?x5xf32> {
  %s = nn.slice %x dim 1 from 1 to 4 : tensor<?x4xf32> -> tensor<?x3xf32>
  %p = nn.pad %s dim 1 low 1 high 0 value 2.0 : tensor<?x3xf32> -> tensor<?x4xf32>
  %f = nn.flip %p dims [1] : tensor<?x4xf32> -> tensor<?x4xf32>
  %a = nn.slice %x dim 1 from 0 to 1 : tensor<?x4xf32> -> tensor<?x1xf32>
  %c = nn.concat %f, %a dim 1 : (tensor<?x4xf32>, tensor<?x1xf32>) -> tensor<?x5xf32>
  %r = nn.tanh %c : tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}
// Products read them from memory.
func.func @product(%x: tensor<4x6xf32>, %y: tensor<3x2xf32>) -> tensor<4x4xf32> {
  %s = nn.slice %x dim 1 from 0 to 6 by 2 : tensor<4x6xf32> -> tensor<4x3xf32>
  %f = nn.flip %y dims [0] : tensor<3x2xf32> -> tensor<3x2xf32>
  %c = nn.concat %f, %y dim 1 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x4xf32>
  %r = nn.matmul %s, %c : (tensor<4x3xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
// Rotation of pairs of halves.
func.func @rotate(%x: tensor<?x2x4xf32>, %angle: tensor<2x2xf32>) -> tensor<?x2x4xf32> {
  %a = nn.broadcast %angle dims [0] : tensor<2x2xf32> to tensor<?x2x2xf32>
  %x1 = nn.slice %x dim 2 from 0 to 2 : tensor<?x2x4xf32> -> tensor<?x2x2xf32>
  %x2 = nn.slice %x dim 2 from 2 to 4 : tensor<?x2x4xf32> -> tensor<?x2x2xf32>
  %p = nn.mul %x1, %a : tensor<?x2x2xf32>
  %q = nn.mul %x2, %a : tensor<?x2x2xf32>
  %y1 = nn.sub %p, %x2 : tensor<?x2x2xf32>
  %y2 = nn.add %q, %x1 : tensor<?x2x2xf32>
  %r = nn.concat %y1, %y2 dim 2 : (tensor<?x2x2xf32>, tensor<?x2x2xf32>) -> tensor<?x2x4xf32>
  return %r : tensor<?x2x4xf32>
}

// The one element of a vector, repeated.
func.func @broadcast_one_element(%x: tensor<1xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %s = nn.reshape %x : tensor<1xf32> to tensor<f32>
  %b = nn.broadcast %s dims [0] : tensor<f32> to tensor<4xf32>
  %z = nn.mul %b, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}
