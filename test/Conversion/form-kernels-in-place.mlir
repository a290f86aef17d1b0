// RUN: accrue-opt %s --form-kernels --split-input-file | FileCheck %s

// A gradient that is a function of one sum over micro-batches takes the place of
// the sum: one buffer in the arena, read and written by the kernel.
// CHECK-LABEL: func.func @scaled(
// CHECK: %[[ALLOC:.*]] = kernel.alloc "w" gradients : tensor<6xf32>
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[ALLOC]]) -> (tensor<6xf32>)
// CHECK: %[[G:.*]] = kernel.group "w_grad_mul" elementwise outs(%[[SUM]] : tensor<6xf32>)
// CHECK-NEXT: ^bb0(%[[OLD:.*]]: tensor<6xf32>):
// CHECK: nn.mul %[[OLD]], %{{.*}} : tensor<6xf32>
// CHECK: kernel.update gradients(%[[G]] : tensor<6xf32>)
#sgd = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>
func.func @scaled(%w: tensor<6xf32> {train.role = #train.role<param>, train.name = "w", train.rule = #sgd},
                  %x: tensor<8x6xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64},
                  %t: tensor<i64> {train.role = #train.role<state>, train.name = "step"})
    -> (tensor<6xf32> {train.updates = 0 : i64}) attributes {train.step, train.batch = 8 : i64} {
  %g = train.accumulate count(4) size(2) offset(0) of(8) slices(%x : tensor<8x6xf32>)
      modes [#train.mapped<dim = 0>] reduce [#train.reducer<sum>] -> tensor<6xf32> {
  ^bb0(%first: index, %s: tensor<2x6xf32>):
    %0 = nn.sum %s dims [0] : tensor<2x6xf32> -> tensor<6xf32>
    train.yield %0 : tensor<6xf32>
  }
  %c = nn.constant dense<0.5> : tensor<6xf32>
  %scaled = nn.mul %g, %c : tensor<6xf32>
  %f = train.schedule #train.constant after %t : (tensor<i64>) -> tensor<f32>
  %ok = nn.constant dense<true> : tensor<i1>
  %u = train.fused_update params(%w : tensor<6xf32>) gradients(%scaled : tensor<6xf32>) slots()
    completed %t factor %f if %ok [#sgd] : tensor<i64>, tensor<f32>, tensor<i1> -> tensor<6xf32>
  return %u : tensor<6xf32>
}

// -----

// What is read at another place, or by somebody else, stays.
// CHECK-LABEL: func.func @elsewhere(
// CHECK: kernel.alloc "accumulate" activations : tensor<3x3xf32>
// CHECK: kernel.alloc "accumulate" activations : tensor<6xf32>
// CHECK: scf.for
// CHECK-DAG: kernel.alloc "w" gradients : tensor<3x3xf32>
// CHECK-DAG: kernel.alloc "v" gradients : tensor<6xf32>
#sgd = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>
func.func @elsewhere(%w: tensor<3x3xf32> {train.role = #train.role<param>, train.name = "w", train.rule = #sgd},
                     %v: tensor<6xf32> {train.role = #train.role<param>, train.name = "v", train.rule = #sgd},
                     %x: tensor<8x3x3xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64},
                     %y: tensor<8x6xf32> {train.role = #train.role<batch>, train.name = "y", train.batch_dim = 0 : i64},
                     %t: tensor<i64> {train.role = #train.role<state>, train.name = "step"})
    -> (tensor<3x3xf32> {train.updates = 0 : i64}, tensor<6xf32> {train.updates = 1 : i64},
        tensor<f32> {train.result = #train.result<metric>, train.name = "total"})
    attributes {train.step, train.batch = 8 : i64} {
  %g:2 = train.accumulate count(4) size(2) offset(0) of(8) slices(%x, %y : tensor<8x3x3xf32>, tensor<8x6xf32>)
      modes [#train.mapped<dim = 0>, #train.mapped<dim = 0>] reduce [#train.reducer<sum>, #train.reducer<sum>]
      -> tensor<3x3xf32>, tensor<6xf32> {
  ^bb0(%first: index, %s: tensor<2x3x3xf32>, %r: tensor<2x6xf32>):
    %0 = nn.sum %s dims [0] : tensor<2x3x3xf32> -> tensor<3x3xf32>
    %1 = nn.sum %r dims [0] : tensor<2x6xf32> -> tensor<6xf32>
    train.yield %0, %1 : tensor<3x3xf32>, tensor<6xf32>
  }
  %transposed = nn.transpose %g#0 [1, 0] : tensor<3x3xf32> -> tensor<3x3xf32>
  %gw = nn.add %g#0, %transposed : tensor<3x3xf32>
  %c = nn.constant dense<0.5> : tensor<6xf32>
  %gv = nn.mul %g#1, %c : tensor<6xf32>
  %f = train.schedule #train.constant after %t : (tensor<i64>) -> tensor<f32>
  %ok = nn.constant dense<true> : tensor<i1>
  %u:2 = train.fused_update params(%w, %v : tensor<3x3xf32>, tensor<6xf32>) gradients(%gw, %gv : tensor<3x3xf32>, tensor<6xf32>) slots()
    completed %t factor %f if %ok [#sgd, #sgd] : tensor<i64>, tensor<f32>, tensor<i1> -> tensor<3x3xf32>, tensor<6xf32>
  %total = nn.sum %g#1 dims [0] : tensor<6xf32> -> tensor<f32>
  return %u#0, %u#1, %total : tensor<3x3xf32>, tensor<6xf32>, tensor<f32>
}
