// RUN: accrue-opt %s --verify-roundtrip | FileCheck %s

// The kernels level, on tensors; the planned level is in planned-mlp.mlir.

#rule = #train.adamw<lr = 1.0e-3, beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.0>

// CHECK-LABEL: @tensors
func.func @tensors(%x: tensor<4x2xf32>, %w: tensor<3x2xf32>, %first: i1, %offset: index) -> tensor<4x3xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  // CHECK: %[[A:.*]] = kernel.alloc "y" activations : tensor<4x3xf32>
  %0 = kernel.alloc "y" activations : tensor<4x3xf32>
  // CHECK: kernel.alloc "loss" outputs info {train.name = "loss"} : tensor<f32>
  %1 = kernel.alloc "loss" outputs info {train.name = "loss"} : tensor<f32>
  // CHECK: %[[G:.*]] = kernel.gemm %{{.*}}, %{{.*}} transpose_b alpha %{{.*}} beta %{{.*}} outs(%[[A]]) : tensor<4x2xf32>, tensor<3x2xf32>, f32, tensor<4x3xf32> -> tensor<4x3xf32>
  %2 = kernel.gemm %x, %w transpose_b alpha %one beta %zero outs(%0) : tensor<4x2xf32>, tensor<3x2xf32>, f32, tensor<4x3xf32> -> tensor<4x3xf32>
  // CHECK: kernel.group "relu" elementwise ins(%[[G]], %{{.*}} : tensor<4x3xf32>, i1) outs(%{{.*}} : tensor<4x3xf32>) attributes {kernel.backward} -> tensor<4x3xf32> {
  %3 = kernel.group "relu" elementwise ins(%2, %first : tensor<4x3xf32>, i1) outs(%0 : tensor<4x3xf32>) attributes {kernel.backward} -> tensor<4x3xf32> {
  // CHECK-NEXT: ^bb0(%[[IN:.*]]: tensor<4x3xf32>, %{{.*}}: i1, %{{.*}}: tensor<4x3xf32>):
  ^bb0(%in: tensor<4x3xf32>, %f: i1, %out: tensor<4x3xf32>):
    %7 = nn.relu %in : tensor<4x3xf32>
    // CHECK: kernel.yield %{{.*}} : tensor<4x3xf32>
    kernel.yield %7 : tensor<4x3xf32>
  }
  %idx = kernel.alloc "index" activations : tensor<4xi32>
  // CHECK: kernel.scatter_add %{{.*}}, %{{.*}} dim 0 overwrite %{{.*}} outs(%{{.*}}) : tensor<4x2xf32>, tensor<4xi32>, tensor<3x2xf32> -> tensor<3x2xf32>
  %5 = kernel.scatter_add %x, %idx dim 0 overwrite %first outs(%w) : tensor<4x2xf32>, tensor<4xi32>, tensor<3x2xf32> -> tensor<3x2xf32>
  // CHECK: kernel.load_input "x" 0 at %{{.*}} size 4 of 12 <dim = 0> outs(%{{.*}} : tensor<4x2xf32>) -> tensor<4x2xf32>
  %4 = kernel.load_input "x" 0 at %offset size 4 of 12 #train.mapped<dim = 0> outs(%x : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %3 : tensor<4x3xf32>
}

// CHECK-LABEL: @staged
// CHECK-SAME: inputs = [] staging 2, kept = 4>
func.func @staged(%i: memref<512xi8> {kernel.arena = #kernel.arena<inputs>}) attributes {kernel.plan = #kernel.plan<arenas = [<inputs bytes 512 used 8>], buffers = [<"x" in inputs at 0 bytes 4 : tensor<1xf32> live 0 to 1>], inputs = [] staging 2, kept = 4>} {
  return
}

// CHECK-LABEL: @workspace
func.func @workspace(%a: memref<4x2xf32>, %b: memref<2x3xf32>, %c: memref<4x3xf32>, %s: f32, %w: memref<512xi8>) {
  // CHECK: kernel.gemm %{{.*}}, %{{.*}} alpha %{{.*}} beta %{{.*}} outs(%{{.*}}) workspace(%{{.*}} : memref<512xi8>) : memref<4x2xf32>, memref<2x3xf32>, f32, memref<4x3xf32>
  kernel.gemm %a, %b alpha %s beta %s outs(%c) workspace(%w : memref<512xi8>) : memref<4x2xf32>, memref<2x3xf32>, f32, memref<4x3xf32>
  return
}

// CHECK-LABEL: @optimizer
func.func @optimizer(%w: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %t: tensor<i64>, %f: tensor<f32>, %ok: tensor<i1>, %p: tensor<1xf32>, %n: tensor<f32>) {
  // CHECK: kernel.norm %{{.*}} : tensor<4xf32> outs(%{{.*}}, %{{.*}} : tensor<1xf32>, tensor<f32>) -> tensor<1xf32>, tensor<f32>
  %0:2 = kernel.norm %g : tensor<4xf32> outs(%p, %n : tensor<1xf32>, tensor<f32>) -> tensor<1xf32>, tensor<f32>
  // CHECK: kernel.update gradients(%{{.*}} : tensor<4xf32>) completed %{{.*}} factor %{{.*}} if %{{.*}} clip %{{.*}} max 1.000000e+00 [#train.adamw{{.*}}] outs(%{{.*}} : tensor<4xf32>) slots(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>)
  %1:3 = kernel.update gradients(%g : tensor<4xf32>) completed %t factor %f if %ok clip %n max 1.0 [#rule] outs(%w : tensor<4xf32>) slots(%m, %v : tensor<4xf32>, tensor<4xf32>)
      : tensor<i64>, tensor<f32>, tensor<i1>, tensor<f32> -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}
