// What targets ask of the plan: parts of the inputs, a workspace for products.
// RUN: accrue-opt %s --plan-memory="staging=2 workspace=true" -split-input-file | FileCheck %s
// RUN: accrue-opt %s --plan-memory -split-input-file | FileCheck %s --check-prefix=PLAIN --implicit-check-not=workspace --implicit-check-not=staging
// RUN: not accrue-opt %s --plan-memory=staging=0 -split-input-file 2>&1 | FileCheck %s --check-prefix=ZERO

// ZERO: error: expected 'staging' to be positive, got 0

// 100 bytes of inputs are 256 in each part; buffers stay where they are.
// The largest product has 10 x 20 sums of f32: 8 * 10 * 20 * 4 = 6400 bytes.
// The workspace begins at a multiple of 256 and meets neither what is dead
// before the first product nor after the last one.
// CHECK-LABEL: func.func @products(
// CHECK-SAME: memref<512xi8> {kernel.arena = #kernel.arena<inputs>}
// CHECK-SAME: <inputs bytes 512 used 200>
// CHECK-SAME: <"x" in inputs at 0 bytes 100
// CHECK-SAME: <"early" in activations at 0 bytes 1600 : tensor<400xf32> live 2 to 2>
// CHECK-SAME: <"workspace" in activations at 0 bytes 6400 : tensor<6400xi8> live 3 to 4 with {kernel.workspace}>
// CHECK-SAME: <"late" in activations at 0 bytes 1600 : tensor<400xf32> live 5 to 5>
// CHECK-SAME: <"y" in activations at 6400 bytes 800
// CHECK-SAME: <"z" in activations at 7232 bytes 400
// CHECK-SAME: inputs = [<0 "x" : tensor<5x5xf32> dim 0>] staging 2>
// CHECK: %[[W:.*]] = kernel.buffer "workspace" of %{{.*}} at 0 : memref<{{[0-9]+}}xi8> to memref<6400xi8>
// CHECK: kernel.gemm {{.*}} workspace(%[[W]] : memref<6400xi8>)
// CHECK: kernel.gemm {{.*}} workspace(%[[W]] : memref<6400xi8>)
// PLAIN-LABEL: func.func @products(
// PLAIN-SAME: <inputs bytes 100 used 100>
// PLAIN: kernel.gemm
func.func @products(%a: memref<10x5xf32> {train.role = #train.role<param>, train.name = "a"})
    attributes {kernel.inputs = [#kernel.input<0 "x" : tensor<5x5xf32> dim 0>]} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %x = kernel.alloc "x" inputs : memref<5x5xf32>
  %early = kernel.alloc "early" activations : memref<400xf32>
  %late = kernel.alloc "late" activations : memref<400xf32>
  %y = kernel.alloc "y" activations : memref<10x20xf32>
  %z = kernel.alloc "z" activations : memref<10x10xf32>
  kernel.load_input "x" 0 at %c0 size 5 of 5 #train.mapped<dim = 0> outs(%x : memref<5x5xf32>)
  kernel.group "early" elementwise outs(%early : memref<400xf32>) {
  ^bb0(%0: memref<400xf32>):
    kernel.yield
  }
  kernel.gemm %a, %a transpose_b alpha %one beta %one outs(%z) : memref<10x5xf32>, memref<10x5xf32>, f32, memref<10x10xf32>
  kernel.gemm %z, %y alpha %one beta %one outs(%y) : memref<10x10xf32>, memref<10x20xf32>, f32, memref<10x20xf32>
  kernel.group "late" elementwise outs(%late : memref<400xf32>) {
  ^bb0(%0: memref<400xf32>):
    kernel.yield
  }
  return
}

// -----

// A product in a loop: the workspace lives as long as the loop, so that it
// never shares bytes with what the loop keeps. Accumulators of f64; the size is
// rounded up.
// CHECK-LABEL: func.func @loop(
// CHECK-SAME: <"sum" in activations at 0 bytes 7200 : tensor<900xf64> live 1 to 3>
// CHECK-SAME: <"y" in activations at 7232 bytes 72 :
// CHECK-SAME: <"workspace" in activations at 7424 bytes 768 : tensor<768xi8> live 1 to 3 with {kernel.workspace}>
// CHECK: scf.for
// CHECK: kernel.gemm {{.*}} workspace(%{{.*}} : memref<768xi8>)
// PLAIN-LABEL: func.func @loop(
// PLAIN: kernel.gemm
func.func @loop(%a: memref<3x3xf64> {train.role = #train.role<param>, train.name = "a"}) attributes {kernel.inputs = []} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f64
  %sum = kernel.alloc "sum" activations : memref<900xf64>
  %y = kernel.alloc "y" activations : memref<3x3xf64>
  scf.for %i = %c0 to %c4 step %c1 {
    kernel.group "before" elementwise outs(%sum : memref<900xf64>) {
    ^bb0(%0: memref<900xf64>):
      kernel.yield
    }
    kernel.gemm %a, %a alpha %one beta %one outs(%y) : memref<3x3xf64>, memref<3x3xf64>, f64, memref<3x3xf64>
    kernel.group "after" elementwise outs(%sum : memref<900xf64>) {
    ^bb0(%0: memref<900xf64>):
      kernel.yield
    }
  }
  return
}

// -----

// At most 32 MiB.
// CHECK-LABEL: func.func @large(
// CHECK-SAME: <"workspace" in activations at 67108864 bytes 33554432
// PLAIN-LABEL: func.func @large(
func.func @large(%a: memref<4096x4096xf32> {train.role = #train.role<param>, train.name = "a"}) attributes {kernel.inputs = []} {
  %one = arith.constant 1.0 : f32
  %y = kernel.alloc "y" activations : memref<4096x4096xf32>
  kernel.gemm %a, %a alpha %one beta %one outs(%y) : memref<4096x4096xf32>, memref<4096x4096xf32>, f32, memref<4096x4096xf32>
  return
}

// -----

// No product, no workspace; no inputs, nothing to repeat.
// CHECK-LABEL: func.func @none(
// CHECK-NOT: workspace
// CHECK-SAME: <activations bytes 40 used 40>
// CHECK-NOT: workspace
// PLAIN-LABEL: func.func @none(
func.func @none() attributes {kernel.inputs = []} {
  %y = kernel.alloc "y" activations : memref<10xf32>
  kernel.group "y" elementwise outs(%y : memref<10xf32>) {
  ^bb0(%0: memref<10xf32>):
    kernel.yield
  }
  return
}
