// RUN: accrue-opt %s --mlir-disable-threading --test-fusion-groups -o /dev/null | FileCheck %s

// An asterisk marks results that leave their group, so are stored.

// A chain of elementwise ops; the broadcast bias is read where it is needed.
// CHECK-LABEL: chain:
// CHECK-NEXT: group 0 contraction [8, 4]: nn.matmul*
// CHECK-NEXT: group 1 elementwise [8, 4]: nn.add nn.relu*
func.func @chain(%x: tensor<8x3xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>) -> tensor<8x4xf32> {
  %0 = nn.matmul %x, %w transpose_rhs : (tensor<8x3xf32>, tensor<4x3xf32>) -> tensor<8x4xf32>
  %1 = nn.broadcast %b dims [0] : tensor<4xf32> to tensor<8x4xf32>
  %2 = nn.add %0, %1 : tensor<8x4xf32>
  %3 = nn.relu %2 : tensor<8x4xf32>
  return %3 : tensor<8x4xf32>
}

// Everything that reads the logits works on rows, so they are never stored;
// the symbolic batch makes no difference.
// CHECK-LABEL: loss:
// CHECK-NEXT: group 0 row [B, 10]: nn.add nn.argmax nn.compare* nn.cross_entropy* nn.cross_entropy_grad*
// CHECK-NEXT: group 1 reduction [B]: nn.mean*
func.func @loss(%x: tensor<?x10xf32>, %b: tensor<10xf32>, %t: tensor<?xi32>, %ct: tensor<f32>)
    -> (tensor<?xi1>, tensor<f32>, tensor<?x10xf32>) {
  %0 = nn.broadcast %b dims [0] : tensor<10xf32> to tensor<?x10xf32>
  %1 = nn.add %x, %0 : tensor<?x10xf32>
  %2 = nn.argmax %1 dim 1 : tensor<?x10xf32> -> tensor<?xi32>
  %3 = nn.compare eq %2, %t : tensor<?xi32>
  %4 = nn.cross_entropy %1, %t : (tensor<?x10xf32>, tensor<?xi32>) -> tensor<?xf32>
  %5 = nn.mean %4 dims [0] : tensor<?xf32> -> tensor<f32>
  %6 = nn.distribute %ct dims [0] : tensor<f32> to tensor<?xf32>
  %7 = nn.cross_entropy_grad %1, %t, %6 : tensor<?x10xf32>, tensor<?xi32>, tensor<?xf32>
  return %3, %5, %7 : tensor<?xi1>, tensor<f32>, tensor<?x10xf32>
}

// A value that a product reads is stored anyway: the mask of the derivative
// joins the op that needs it, not the one that computes %h.
// CHECK-LABEL: mask:
// CHECK-NEXT: group 0 elementwise [8, 4]: nn.relu*
// CHECK-NEXT: group 1 contraction [8, 4]: nn.matmul*
// CHECK-NEXT: group 2 elementwise [8, 4]: nn.compare nn.select*
func.func @mask(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>) -> tensor<8x4xf32> {
  %c = nn.constant dense<0.0> : tensor<f32>
  %h = nn.relu %x : tensor<8x4xf32>
  %y = nn.matmul %h, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %z = nn.broadcast %c dims [0, 1] : tensor<f32> to tensor<8x4xf32>
  %m = nn.compare gt %h, %z : tensor<8x4xf32>
  %g = nn.select %m, %y, %z : tensor<8x4xi1>, tensor<8x4xf32>
  return %g : tensor<8x4xf32>
}

// A reduction takes in what only it reads, and what follows on its result.
// CHECK-LABEL: reduction:
// CHECK-NEXT: group 0 reduction [8, 4]: nn.sub nn.square nn.sum nn.sqrt*
func.func @reduction(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<4xf32> {
  %0 = nn.sub %x, %y : tensor<8x4xf32>
  %1 = nn.square %0 : tensor<8x4xf32>
  %2 = nn.sum %1 dims [0] : tensor<8x4xf32> -> tensor<4xf32>
  %3 = nn.sqrt %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// Joining the group of %0 would make it depend on itself through the product.
// CHECK-LABEL: cycle:
// CHECK-NEXT: group 0 elementwise [4, 4]: nn.exp*
// CHECK-NEXT: group 1 contraction [4, 4]: nn.matmul*
// CHECK-NEXT: group 2 elementwise [4, 4]: nn.add*
func.func @cycle(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = nn.exp %x : tensor<4x4xf32>
  %1 = nn.matmul %0, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = nn.add %0, %1 : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
