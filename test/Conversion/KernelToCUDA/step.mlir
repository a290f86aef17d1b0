// RUN: accrue-opt --kernels-to-cuda --canonicalize %s | FileCheck %s

// Row-major C = op(A) op(B) is column-major C^T = op(B)^T op(A)^T; a
// micro-batch is one copy, or one per outer index.

// CHECK-LABEL: func.func @step(
func.func @step(%inputs: memref<1024xi8> {kernel.arena = #kernel.arena<inputs>}, %params: memref<1024xi8> {kernel.arena = #kernel.arena<params>})
    attributes {kernel.plan = #kernel.plan<arenas = [<inputs bytes 1024 used 1024>, <params bytes 1024 used 1024>], buffers = [],
      inputs = [<0 "x" : tensor<10x3xf32> dim 0>, <1 "y" : tensor<2x10x3xf32> dim 1>, <2 "z" : tensor<60xf32> dim 0>]>} {
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  // CHECK-DAG:  %[[A:.*]] = kernel.buffer "a"
  // CHECK-DAG:  %[[B:.*]] = kernel.buffer "b"
  // CHECK-DAG:  %[[C:.*]] = kernel.buffer "c"
  %a = kernel.buffer "a" of %inputs at 0 : memref<1024xi8> to memref<2x3xf32>
  %at = kernel.buffer "at" of %inputs at 0 : memref<1024xi8> to memref<3x2xf32>
  %b = kernel.buffer "b" of %params at 0 : memref<1024xi8> to memref<3x5xf32>
  %bt = kernel.buffer "bt" of %params at 0 : memref<1024xi8> to memref<5x3xf32>
  %c = kernel.buffer "c" of %params at 64 : memref<1024xi8> to memref<2x5xf32>
  // CHECK: cuda.gemm m 5 n 2 k 3 alpha %{{.*}}, %[[B]] ld 5, %[[A]] ld 3, beta %{{.*}}, %[[C]] ld 5
  kernel.gemm %a, %b alpha %one beta %zero outs(%c) : memref<2x3xf32>, memref<3x5xf32>, f32, memref<2x5xf32>
  // CHECK: cuda.gemm m 5 n 2 k 3 alpha %{{.*}}, %{{.*}} transpose_a ld 3, %[[A]] ld 3, beta %{{.*}}, %[[C]] ld 5
  kernel.gemm %a, %bt transpose_b alpha %one beta %zero outs(%c) : memref<2x3xf32>, memref<5x3xf32>, f32, memref<2x5xf32>
  // CHECK: cuda.gemm m 5 n 2 k 3 alpha %{{.*}}, %[[B]] ld 5, %{{.*}} transpose_b ld 2, beta %{{.*}}, %[[C]] ld 5
  kernel.gemm %at transpose_a, %b alpha %one beta %zero outs(%c) : memref<3x2xf32>, memref<3x5xf32>, f32, memref<2x5xf32>

  %x = kernel.buffer "x" of %inputs at 0 : memref<1024xi8> to memref<2x3xf32>
  %y = kernel.buffer "y" of %inputs at 64 : memref<1024xi8> to memref<2x2x3xf32>
  %z = kernel.buffer "z" of %inputs at 128 : memref<1024xi8> to memref<12xf32>
  // CHECK: %[[X:.*]] = cuda.input 0
  // CHECK: cuda.memcpy %{{.*}}, %[[X]][%c12] count 6 : memref<2x3xf32>, memref<10x3xf32>
  kernel.load_input "x" 0 at %c4 size 2 of 10 #train.mapped<dim = 0> outs(%x : memref<2x3xf32>)
  // CHECK: cuda.memcpy_2d %{{.*}}, %{{.*}}[%c12] width 6 height 2 pitch 30
  kernel.load_input "y" 1 at %c4 size 2 of 10 #train.mapped<dim = 1> outs(%y : memref<2x2x3xf32>)
  // Two outer indices, three elements per sample.
  // CHECK: cuda.memcpy_2d %{{.*}}, %{{.*}}[%c12] width 6 height 2 pitch 30
  kernel.load_input "z" 2 at %c4 size 2 of 10 #train.mapped<dim = 0, outer = 2, inner = 3> outs(%z : memref<12xf32>)
  return
}
