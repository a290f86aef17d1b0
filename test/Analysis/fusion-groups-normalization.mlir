// RUN: accrue-opt %s --mlir-disable-threading -train-differentiate -nn-decompose -canonicalize -cse --test-fusion-groups -o /dev/null | FileCheck %s

// Normalization is one kernel, and so is its derivative: nothing between the
// passes over a row is stored. The gain's product moves into the kernel that
// alone reads it, and what the forward pass computes stays there.
// CHECK-LABEL: normalize:
// CHECK-NEXT: group 0 row [B, 64]: nn.mean nn.sub nn.square nn.mean nn.add nn.rsqrt nn.mul nn.mul*
// CHECK-NEXT: group 1 contraction
// CHECK-NEXT: group 2 reduction
// CHECK-NEXT: group 3 elementwise [64, 64]: nn.add*
// CHECK-NEXT: group 4 contraction
// CHECK-NEXT: group 5 row [B, 64]: nn.mul nn.mean nn.sub nn.square nn.mean nn.add nn.rsqrt nn.mul nn.mul nn.mean nn.mul nn.mean nn.sub nn.sub nn.mul*
func.func @normalize(%x: tensor<?x64xf32>, %g: tensor<64xf32>, %t: tensor<?x64xf32>) -> (tensor<f32>, tensor<?x64xf32>) {
  %y = nn.normalize %x dims [1] eps 1.0e-5 : tensor<?x64xf32>
  %gs = nn.broadcast %g dims [0] : tensor<64xf32> to tensor<?x64xf32>
  %z = nn.mul %y, %gs : tensor<?x64xf32>
  %m = nn.matmul %z, %t transpose_lhs : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<64x64xf32>
  %q = nn.square %m : tensor<64x64xf32>
  %loss = nn.sum %q dims [0, 1] : tensor<64x64xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x64xf32>
  return %loss, %dx : tensor<f32>, tensor<?x64xf32>
}

// CHECK-LABEL: masked_softmax:
// CHECK-NEXT: group 0 row [B, 64]: nn.select nn.reduce_max nn.compare nn.select nn.sub nn.exp nn.sum nn.select nn.div*
// CHECK-NEXT: group 1 contraction
func.func @masked_softmax(%x: tensor<?x64xf32>, %m: tensor<?x64xi1>, %w: tensor<64x8xf32>) -> tensor<?x8xf32> {
  %c = nn.constant dense<0xFF800000> : tensor<f32>
  %i = nn.broadcast %c dims [0, 1] : tensor<f32> to tensor<?x64xf32>
  %s = nn.select %m, %x, %i : tensor<?x64xi1>, tensor<?x64xf32>
  %p = nn.softmax %s dim 1 : tensor<?x64xf32>
  %y = nn.matmul %p, %w : (tensor<?x64xf32>, tensor<64x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
