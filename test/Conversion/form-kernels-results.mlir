// RUN: accrue-opt %s --accrue-linalg --accrue-kernels --accrue-plan | FileCheck %s

// Where results and gradients end up when they are not simply the last value
// of a chain. Seen at the planned level, where it has to be right.

#p = #train.role<param>
#b = #train.role<batch>
#rule = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>

// CHECK-LABEL: func.func @step(
// CHECK-SAME: %[[PARAMS:arg[0-9]+]]: memref<76xi8> {kernel.arena = #kernel.arena<params>}
// CHECK-SAME: %[[GRADS:arg[0-9]+]]: memref<76xi8> {kernel.arena = #kernel.arena<gradients>}
// CHECK-SAME: {{.*}} %[[OUT:arg[0-9]+]]: memref<{{[0-9]+}}xi8> {kernel.arena = #kernel.arena<outputs>}
// CHECK-DAG: %[[W:.*]] = kernel.buffer "w" of %[[PARAMS]] at 0
// CHECK-DAG: %[[GW:.*]] = kernel.buffer "w" of %[[GRADS]] at 0
// CHECK-DAG: %[[GU:.*]] = kernel.buffer "u" of %[[GRADS]] at 64
// CHECK-DAG: %[[LOSS:.*]] = kernel.buffer "loss" of %[[OUT]]
// CHECK-DAG: %[[AGAIN:.*]] = kernel.buffer "again" of %[[OUT]]
// CHECK-DAG: %[[PEAK:.*]] = kernel.buffer "peak" of %[[OUT]]
// CHECK-DAG: %[[OLD:.*]] = kernel.buffer "old" of %[[OUT]]
// CHECK-DAG: %[[CONST:.*]] = kernel.buffer "const" of %[[OUT]]
func.func @step(%w: tensor<3xf32> {train.role = #p, train.name = "w", train.rule = #rule},
                %u: tensor<3xf32> {train.role = #p, train.name = "u", train.rule = #rule},
                %x: tensor<8x3xf32> {train.role = #b, train.name = "x", train.batch_dim = 0 : i64},
                %t: tensor<i64> {train.role = #train.role<state>, train.name = "step"})
    -> (tensor<3xf32> {train.updates = 0 : i64}, tensor<3xf32> {train.updates = 1 : i64}, tensor<i64> {train.updates = 3 : i64},
        tensor<f32> {train.result = #train.result<loss>, train.name = "loss"},
        tensor<f32> {train.result = #train.result<metric>, train.name = "again"},
        tensor<f32> {train.result = #train.result<metric>, train.name = "peak"},
        tensor<3xf32> {train.result = #train.result<output>, train.name = "old"},
        tensor<3xf32> {train.result = #train.result<output>, train.name = "const"}) attributes {train.step} {
  %c = nn.constant dense<2.0> : tensor<f32>
  %k = nn.broadcast %c dims [0] : tensor<f32> to tensor<3xf32>
  // An old value is saved before anything is updated.
  // CHECK: kernel.launch @copy(%[[W]], %[[OLD]])
  // A contribution that goes to two accumulators is stored; one that is the
  // same in every micro-batch is added as often as they are.
  // CHECK: scf.for
  // CHECK:   kernel.launch @sum(%{{.*}}, %[[W]], %[[SUM:.*]])
  // CHECK:   kernel.launch @w_grad_sum(%{{.*}}, %[[FIRST:.*]], %[[GW]])
  // CHECK:   kernel.launch @accumulate(%[[SUM]], %[[FIRST]], %[[LOSS]])
  // CHECK:   kernel.launch @accumulate_2(%[[SUM]], %[[FIRST]], %[[PEAK]])
  // CHECK:   kernel.launch @broadcast(%[[K:.*]])
  // CHECK:   kernel.launch @accumulate_3(%[[K]], %[[FIRST]], %[[CONST]])
  %0:4 = train.accumulate count(2) size(4) offset(0) of(8) slices(%x : tensor<8x3xf32>) modes [#train.mapped<dim = 0>]
      reduce [#train.reducer<sum>, #train.reducer<sum>, #train.reducer<max>, #train.reducer<sum>] -> tensor<f32>, tensor<3xf32>, tensor<f32>, tensor<3xf32> {
  ^bb0(%first: index, %xs: tensor<4x3xf32>):
    %1 = nn.broadcast %w dims [0] : tensor<3xf32> to tensor<4x3xf32>
    %2 = nn.mul %xs, %1 : tensor<4x3xf32>
    %3 = nn.sum %2 dims [0, 1] : tensor<4x3xf32> -> tensor<f32>
    %4 = nn.sum %xs dims [0] : tensor<4x3xf32> -> tensor<3xf32>
    train.yield %3, %4, %3, %k : tensor<f32>, tensor<3xf32>, tensor<f32>, tensor<3xf32>
  }
  // One value that is the gradient of two parameters is copied before the norm.
  // CHECK: kernel.launch @copy(%[[GW]], %[[GU]])
  // CHECK: kernel.launch @norm_partials
  %n = train.global_norm %0#1, %0#1 : tensor<3xf32>, tensor<3xf32> -> tensor<f32>
  %ok = train.all_finite %0#0, %0#1 : tensor<f32>, tensor<3xf32> -> tensor<i1>
  %f = train.schedule #train.constant after %t : (tensor<i64>) -> tensor<f32>
  // CHECK: %[[FLAT:.*]] = kernel.buffer "parameters" of %[[PARAMS]] at 0
  // CHECK: kernel.flat_update params(%[[FLAT]]
  // CHECK-SAME: ranges [#kernel.range<"w" at 0 count 3 rule 0>, #kernel.range<"u" at 16 count 3 rule 0>]
  %p:2 = train.fused_update params(%w, %u : tensor<3xf32>, tensor<3xf32>) gradients(%0#1, %0#1 : tensor<3xf32>, tensor<3xf32>) slots()
      completed %t factor %f if %ok [#rule, #rule] : tensor<i64>, tensor<f32>, tensor<i1> -> tensor<3xf32>, tensor<3xf32>
  // A result that is returned twice gets two buffers.
  // CHECK: kernel.launch @{{.*}}(%[[LOSS]], %[[AGAIN]])
  return %p#0, %p#1, %t, %0#0, %0#0, %0#2, %w, %0#3 : tensor<3xf32>, tensor<3xf32>, tensor<i64>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>
}

// Outputs with a batch dimension: every micro-batch at its place.
// CHECK-LABEL: func.func @outputs(
// CHECK: scf.for %[[K:.*]] =
// CHECK:   %[[AT:.*]] = arith.muli %[[K]], %c4
// CHECK:   kernel.launch @exp(
// CHECK:   kernel.launch @concat(%{{.*}}, %[[AT]], %[[ALL:.*]]) : memref<4x3xf32>, index, memref<10x3xf32>
// CHECK: kernel.launch @concat_2(%{{.*}}, %c8, %[[ALL]]) : memref<2x3xf32>, index, memref<10x3xf32>
func.func @outputs(%x: tensor<10x3xf32> {train.role = #b, train.name = "x", train.batch_dim = 0 : i64})
    -> (tensor<10x3xf32> {train.result = #train.result<output>, train.name = "y"}) attributes {train.model} {
  %0 = train.accumulate count(2) size(4) offset(0) of(10) slices(%x : tensor<10x3xf32>) modes [#train.mapped<dim = 0>]
      reduce [#train.reducer<concat, <dim = 0>>] -> tensor<10x3xf32> {
  ^bb0(%first: index, %xs: tensor<4x3xf32>):
    %1 = nn.exp %xs : tensor<4x3xf32>
    train.yield %1 : tensor<4x3xf32>
  }
  %2 = train.accumulate count(1) size(2) offset(8) of(10) slices(%x : tensor<10x3xf32>) modes [#train.mapped<dim = 0>]
      init(%0 : tensor<10x3xf32>) reduce [#train.reducer<concat, <dim = 0>>] -> tensor<10x3xf32> {
  ^bb0(%first: index, %xs: tensor<2x3xf32>):
    %1 = nn.exp %xs : tensor<2x3xf32>
    train.yield %1 : tensor<2x3xf32>
  }
  return %2 : tensor<10x3xf32>
}
