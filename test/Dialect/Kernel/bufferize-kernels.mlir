// RUN: accrue-opt %s --bufferize-kernels | FileCheck %s

// Accumulators are buffers, no longer values of the loop; a view of one is
// written in place. Bodies stay on tensors.
// CHECK-LABEL: func.func @loop
// CHECK-SAME: (%[[X:.*]]: memref<4x2xf32>, %[[Y:.*]]: memref<4x3xf32>)
// CHECK: %[[G:.*]] = kernel.alloc "w" gradients : memref<6xf32>
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{[a-z0-9_]+}} {
// CHECK:   %[[V:.*]] = memref.expand_shape %[[G]] {{.*}} into memref<2x3xf32>
// CHECK:   kernel.gemm %[[X]] transpose_a, %[[Y]] {{.*}} outs(%[[V]])
// CHECK-NOT: copy
// CHECK: kernel.group "double" elementwise outs(%[[G]] : memref<6xf32>) {
// CHECK:   ^bb0(%[[OLD:.*]]: tensor<6xf32>):
// CHECK: return %[[G]] : memref<6xf32>
func.func @loop(%x: tensor<4x2xf32>, %y: tensor<4x3xf32>) -> tensor<6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %0 = kernel.alloc "w" gradients : tensor<6xf32>
  %1 = scf.for %k = %c0 to %c3 step %c1 iter_args(%acc = %0) -> tensor<6xf32> {
    %first = arith.cmpi eq, %k, %c0 : index
    %beta = arith.select %first, %zero, %one : f32
    %v = tensor.expand_shape %acc [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
    %g = kernel.gemm %x transpose_a, %y alpha %one beta %beta outs(%v) : tensor<4x2xf32>, tensor<4x3xf32>, f32, tensor<2x3xf32> -> tensor<2x3xf32>
    %w = tensor.collapse_shape %g [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
    scf.yield %w : tensor<6xf32>
  }
  %2 = kernel.group "double" elementwise outs(%1 : tensor<6xf32>) -> tensor<6xf32> {
  ^bb0(%old: tensor<6xf32>):
    %3 = arith.addf %old, %old : tensor<6xf32>
    kernel.yield %3 : tensor<6xf32>
  }
  return %2 : tensor<6xf32>
}

// A value that is still needed after its buffer is overwritten is copied.
// CHECK-LABEL: func.func @conflict
// CHECK-SAME: (%[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>)
// CHECK: %[[C:.*]] = kernel.alloc "copy" activations : memref<4xf32>
// CHECK: kernel.group "copy" elementwise ins(%[[X]] : memref<4xf32>) outs(%[[C]] : memref<4xf32>)
// CHECK: kernel.group "double" elementwise outs(%[[C]]
// CHECK: kernel.group "read" elementwise ins(%[[X]]
func.func @conflict(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = kernel.group "double" elementwise outs(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%old: tensor<4xf32>):
    %3 = arith.addf %old, %old : tensor<4xf32>
    kernel.yield %3 : tensor<4xf32>
  }
  %1 = kernel.group "read" elementwise ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%in: tensor<4xf32>, %out: tensor<4xf32>):
    kernel.yield %in : tensor<4xf32>
  }
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
