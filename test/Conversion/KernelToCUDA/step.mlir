// RUN: accrue-opt --kernels-to-cuda --canonicalize %s | FileCheck %s

// Row-major C = op(A) op(B) is column-major C^T = op(B)^T op(A)^T; a
// micro-batch is one copy, or one per outer index.

// CHECK: cuda.gemm_plan @nn_5x2x3 m 5 n 2 k 3 in f32 a f32 ld 5 b f32 ld 3 c f32 ld 5 {flops = 60 : i64
// CHECK-NEXT: cuda.gemm_plan @tn_5x2x3 m 5 n 2 k 3 in f32 a f32 transpose ld 3 b f32 ld 3 c f32 ld 5 {
// CHECK-NEXT: cuda.gemm_plan @nt_5x2x3 m 5 n 2 k 3 in f32 a f32 ld 5 b f32 transpose ld 2 c f32 ld 5 {
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
  // CHECK: cuda.gemm @nn_5x2x3 alpha %{{.*}}, %[[B]], %[[A]], beta %{{.*}}, %[[C]] :
  kernel.gemm %a, %b alpha %one beta %zero outs(%c) : memref<2x3xf32>, memref<3x5xf32>, f32, memref<2x5xf32>
  // CHECK: cuda.gemm @tn_5x2x3 alpha %{{.*}}, %{{.*}}, %[[A]], beta %{{.*}}, %[[C]] :
  kernel.gemm %a, %bt transpose_b alpha %one beta %zero outs(%c) : memref<2x3xf32>, memref<5x3xf32>, f32, memref<2x5xf32>
  // CHECK: cuda.gemm @nt_5x2x3 alpha %{{.*}}, %[[B]], %{{.*}}, beta %{{.*}}, %[[C]] :
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
