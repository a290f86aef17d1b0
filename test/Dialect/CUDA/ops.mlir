// RUN: accrue-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: cuda.kernel @relu(%arg0: memref<512xf32> {cuda.name = "x"})
// CHECK-SAME:    attributes {block = 256 : i64, bytes = 4096 : i64, flops = 512 : i64, grid = 2 : i64, index_bits = 32 : i64,
// CHECK-SAME:    schedule = "elementwise", sources = ["a.acr:1"]}
cuda.kernel @relu(%x: memref<512xf32> {cuda.name = "x"})
    attributes {block = 256 : i64, bytes = 4096 : i64, flops = 512 : i64, grid = 2 : i64, schedule = "elementwise", sources = ["a.acr:1"]} {
  // CHECK: %[[I:.*]] = gpu.thread_id x
  %i = gpu.thread_id x
  // CHECK: cuda.range_rule @ranges[%{{.*}}] {cuda.names = ["rule"]}
  %rule = cuda.range_rule @ranges[%i] {cuda.names = ["rule"]}
  // CHECK: cuda.return
  cuda.return
}

// CHECK: cuda.ranges @ranges [#kernel.range<"fc1.weight" at 0 count 8192 rule 0>, #kernel.range<"fc1.bias" at 8192 count 128 rule 1>]
cuda.ranges @ranges [#kernel.range<"fc1.weight" at 0 count 8192 rule 0>, #kernel.range<"fc1.bias" at 8192 count 128 rule 1>]

// CHECK-LABEL: func.func @calls
func.func @calls(%x: memref<512xf32>, %y: memref<512xf32>, %n: index, %a: f32) {
  // CHECK: cuda.input 0 : memref<4096xf32>
  %in = cuda.input 0 : memref<4096xf32>
  // CHECK: cuda.memcpy %{{.*}}, %{{.*}}[%{{.*}}] count 512 : memref<512xf32>, memref<4096xf32>
  cuda.memcpy %x, %in[%n] count 512 : memref<512xf32>, memref<4096xf32>
  // CHECK: cuda.memcpy_2d %{{.*}}, %{{.*}}[%{{.*}}] width 8 height 3 pitch 32 : memref<512xf32>, memref<4096xf32>
  cuda.memcpy_2d %x, %in[%n] width 8 height 3 pitch 32 : memref<512xf32>, memref<4096xf32>
  // CHECK: cuda.launch @relu(%{{.*}}) : memref<512xf32>
  cuda.launch @relu(%x) : memref<512xf32>
  // CHECK: cuda.gemm @tn_2x3x4 alpha %{{.*}}, %{{.*}}, %{{.*}}, beta %{{.*}}, %{{.*}} : f32, memref<512xf32>, memref<512xf32>, memref<512xf32>
  cuda.gemm @tn_2x3x4 alpha %a, %x, %x, beta %a, %y : f32, memref<512xf32>, memref<512xf32>, memref<512xf32>
  return
}

// CHECK: cuda.gemm_plan @tn_2x3x4 m 2 n 3 k 4 in f32 a f32 transpose ld 4 b f32 ld 4 c f32 ld 2{{$}}
cuda.gemm_plan @tn_2x3x4 m 2 n 3 k 4 in f32 a f32 transpose ld 4 b f32 ld 4 c f32 ld 2

// CHECK: cuda.gemm_plan @halves m 2 n 3 k 4 in f32 a bf16 ld 2 b bf16 transpose ld 3 c f32 ld 2 workspace 512 {flops = 48 : i64, sources = ["m.acr:3"]}
cuda.gemm_plan @halves m 2 n 3 k 4 in f32 a bf16 ld 2 b bf16 transpose ld 3 c f32 ld 2 workspace 512 {flops = 48 : i64, sources = ["m.acr:3"]}

// CHECK-LABEL: func.func @products
func.func @products(%a: memref<8xbf16>, %b: memref<12xbf16>, %c: memref<6xf32>, %w: memref<512xi8>, %s: f32) {
  // CHECK: cuda.gemm @halves alpha %{{.*}}, %{{.*}}, %{{.*}}, beta %{{.*}}, %{{.*}} workspace %{{.*}} : f32, memref<8xbf16>, memref<12xbf16>, memref<6xf32>, memref<512xi8>
  cuda.gemm @halves alpha %s, %a, %b, beta %s, %c workspace %w : f32, memref<8xbf16>, memref<12xbf16>, memref<6xf32>, memref<512xi8>
  return
}

// CHECK-LABEL: cuda.segment @segment(%arg0: memref<64xi8> {kernel.arena = #kernel.arena<inputs>}, %arg1: i1, %arg2: index)
// CHECK-SAME:    attributes {label = "micro_batch", step = @step}
cuda.segment @segment(%inputs: memref<64xi8> {kernel.arena = #kernel.arena<inputs>}, %first: i1, %part: index)
    attributes {label = "micro_batch", step = @step} {
  // CHECK: cuda.part %arg0[%arg2] stride 32 : memref<64xi8> to memref<32xi8>
  %in = cuda.part %inputs[%part] stride 32 : memref<64xi8> to memref<32xi8>
  // CHECK: cuda.return
  cuda.return
}

// CHECK-LABEL: func.func @step
// CHECK-SAME:    cuda.graphs = #cuda.graphs<segments>
func.func @step(%inputs: memref<64xi8> {kernel.arena = #kernel.arena<inputs>})
    attributes {cuda.graphs = #cuda.graphs<segments>, kernel.plan = #kernel.plan<arenas = [<inputs bytes 64 used 64>], buffers = [], inputs = [] staging 2>} {
  // CHECK: %[[FIRST:.*]] = arith.constant true
  %first = arith.constant true
  // CHECK: %[[PART:.*]] = arith.constant 1
  %part = arith.constant 1 : index
  // CHECK: cuda.begin_fill %[[PART]]
  cuda.begin_fill %part
  // CHECK: cuda.end_fill %[[PART]]
  cuda.end_fill %part
  // CHECK: cuda.call @segment(%arg0, %[[FIRST]], %[[PART]]) : memref<64xi8>, i1, index
  cuda.call @segment(%inputs, %first, %part) : memref<64xi8>, i1, index
  // CHECK: cuda.release %[[PART]]
  cuda.release %part
  return
}
