// RUN: accrue-opt --kernels-to-cuda %s | FileCheck %s

// Plans of products: equal ones once, across steps too, called after types,
// transposes and sizes. What differs in anything, here in the workspace, has a
// plan of its own. All lines of the model that share a plan are with it.

// CHECK: cuda.gemm_plan @nt_5x3x2 m 5 n 3 k 2 in f32 a f32 ld 5 b f32 transpose ld 3 c f32 ld 5 workspace 512 {flops = 60 : i64, sources = ["m.acr:3", "m.acr:7", "m.acr:9"]}
// CHECK-NEXT: cuda.gemm_plan @f64_nn_2x2x2 m 2 n 2 k 2 in f64 a f64 ld 2 b f64 ld 2 c f64 ld 2 {
// CHECK-NEXT: cuda.gemm_plan @tn_5x3x2_batch6 m 5 n 3 k 2 batch 6 in f32 a f32 transpose ld 2 b f32 ld 2 c f32 ld 5 {flops = 360 : i64,
// CHECK-LABEL: func.func @step(
func.func @step(%params: memref<1024xi8> {kernel.arena = #kernel.arena<params>})
    attributes {kernel.plan = #kernel.plan<arenas = [<params bytes 1024 used 1024>], buffers = [], inputs = []>} {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f64
  // CHECK-DAG: %[[A:.*]] = kernel.buffer "a"
  // CHECK-DAG: %[[B:.*]] = kernel.buffer "b"
  // CHECK-DAG: %[[C:.*]] = kernel.buffer "c"
  // CHECK-DAG: %[[W:.*]] = kernel.buffer "workspace"
  %a = kernel.buffer "a" of %params at 0 : memref<1024xi8> to memref<2x3xf32>
  %b = kernel.buffer "b" of %params at 0 : memref<1024xi8> to memref<2x5xf32>
  %c = kernel.buffer "c" of %params at 64 : memref<1024xi8> to memref<3x5xf32>
  %d = kernel.buffer "d" of %params at 0 : memref<1024xi8> to memref<2x2xf64>
  %w = kernel.buffer "workspace" of %params at 512 : memref<1024xi8> to memref<512xi8>
  // CHECK: cuda.gemm @nt_5x3x2 alpha %{{.*}}, %[[B]], %[[A]], beta %{{.*}}, %[[C]] workspace %[[W]] : f32, memref<2x5xf32>, memref<2x3xf32>, memref<3x5xf32>, memref<512xi8>
  kernel.gemm %a transpose_a, %b alpha %one beta %one outs(%c) workspace(%w : memref<512xi8>) : memref<2x3xf32>, memref<2x5xf32>, f32, memref<3x5xf32> loc("m.acr":3:1)
  // CHECK-NEXT: cuda.gemm @nt_5x3x2
  kernel.gemm %a transpose_a, %b alpha %one beta %one outs(%c) workspace(%w : memref<512xi8>) : memref<2x3xf32>, memref<2x5xf32>, f32, memref<3x5xf32> loc("m.acr":7:1)
  // CHECK-NEXT: cuda.gemm @f64_nn_2x2x2
  kernel.gemm %d, %d alpha %half beta %half outs(%d) : memref<2x2xf64>, memref<2x2xf64>, f64, memref<2x2xf64>
  %as = kernel.buffer "as" of %params at 0 : memref<1024xi8> to memref<3x2x3x2xf32>
  %bs = kernel.buffer "bs" of %params at 0 : memref<1024xi8> to memref<3x2x5x2xf32>
  %cs = kernel.buffer "cs" of %params at 512 : memref<1024xi8> to memref<3x2x3x5xf32>
  // CHECK: cuda.gemm @tn_5x3x2_batch6
  kernel.gemm %as, %bs transpose_b alpha %one beta %one outs(%cs) : memref<3x2x3x2xf32>, memref<3x2x5x2xf32>, f32, memref<3x2x3x5xf32>
  return
}

// CHECK: cuda.gemm_plan @nt_5x3x2_0 m 5 n 3 k 2 in f32 a f32 ld 5 b f32 transpose ld 3 c f32 ld 5 workspace 256 {
// CHECK-LABEL: func.func @tail(
func.func @tail(%params: memref<1024xi8> {kernel.arena = #kernel.arena<params>})
    attributes {kernel.plan = #kernel.plan<arenas = [<params bytes 1024 used 1024>], buffers = [], inputs = []>} {
  %one = arith.constant 1.0 : f32
  %a = kernel.buffer "a" of %params at 0 : memref<1024xi8> to memref<2x3xf32>
  %b = kernel.buffer "b" of %params at 0 : memref<1024xi8> to memref<2x5xf32>
  %c = kernel.buffer "c" of %params at 64 : memref<1024xi8> to memref<3x5xf32>
  %w = kernel.buffer "workspace" of %params at 512 : memref<1024xi8> to memref<512xi8>
  %half = kernel.buffer "workspace" of %params at 512 : memref<1024xi8> to memref<256xi8>
  // CHECK: cuda.gemm @nt_5x3x2 alpha
  kernel.gemm %a transpose_a, %b alpha %one beta %one outs(%c) workspace(%w : memref<512xi8>) : memref<2x3xf32>, memref<2x5xf32>, f32, memref<3x5xf32> loc("m.acr":9:1)
  // CHECK: cuda.gemm @nt_5x3x2_0 alpha
  kernel.gemm %a transpose_a, %b alpha %one beta %one outs(%c) workspace(%half : memref<256xi8>) : memref<2x3xf32>, memref<2x5xf32>, f32, memref<3x5xf32>
  return
}
