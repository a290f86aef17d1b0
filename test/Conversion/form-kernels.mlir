// RUN: accrue-opt %s --form-kernels --verify-roundtrip | FileCheck %s

#role_p = #train.role<param>
#role_b = #train.role<batch>
#rule = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>

// A step with three micro-batches of 4 and a tail of 2 that continues with the
// same accumulators. The batch arguments are gone.
// CHECK-LABEL: func.func @step(
// CHECK-SAME: %[[W:arg[0-9]+]]: tensor<3x2xf32> {{[^,]*}}"w"
// CHECK-SAME: %[[T:arg[0-9]+]]: tensor<i64> {train.name = "step"
// CHECK-SAME: -> (tensor<3x2xf32> {train.updates = 0 : i64}, tensor<i64> {train.updates = 1 : i64}, tensor<f32>
// CHECK-SAME: kernel.inputs = [#kernel.input<0 "x" : tensor<14x2xf32> dim 0>]
func.func @step(%w: tensor<3x2xf32> {train.role = #role_p, train.name = "w", train.rule = #rule},
                %x: tensor<14x2xf32> {train.role = #role_b, train.name = "x", train.batch_dim = 0 : i64},
                %t: tensor<i64> {train.role = #train.role<state>, train.name = "step"})
    -> (tensor<3x2xf32> {train.updates = 0 : i64}, tensor<i64> {train.updates = 2 : i64},
        tensor<f32> {train.result = #train.result<loss>, train.name = "loss"}) attributes {train.step} {
  %one = nn.constant dense<1> : tensor<i64>
  // CHECK-DAG: %[[GA:.*]] = kernel.alloc "w" gradients : tensor<3x2xf32>
  // CHECK-DAG: %[[LA:.*]] = kernel.alloc "loss" outputs info {train.name = "loss", train.result = #train.result<loss>} : tensor<f32>
  // CHECK: %[[LOOP:.*]]:2 = scf.for %[[K:.*]] = %{{.*}} iter_args(%[[L:.*]] = %[[LA]], %[[G:.*]] = %[[GA]])
  // CHECK:   %[[FIRST:.*]] = arith.cmpi eq, %[[K]]
  // CHECK:   %[[STAGE:.*]] = kernel.alloc "x" inputs : tensor<4x2xf32>
  // CHECK:   %[[XS:.*]] = kernel.load_input "x" 0 at %{{.*}} size 4 of 14 <dim = 0> outs(%[[STAGE]] : tensor<4x2xf32>) -> tensor<4x2xf32>
  // CHECK:   kernel.gemm %[[XS]], %[[W]] transpose_b alpha
  // What only the loop's end reads is combined by the kernel that computes it.
  // CHECK:   kernel.group "sum" rows ins(%{{.*}}, %[[FIRST]] : tensor<4x3xf32>, i1) outs(%[[L]] : tensor<f32>)
  // CHECK:     %[[S:.*]] = nn.sum
  // CHECK:     %[[ADD:.*]] = nn.add %{{.*}}, %[[S]]
  // CHECK:     arith.select %{{.*}}, %[[S]], %[[ADD]] : tensor<f32>
  // CHECK:   %[[BETA:.*]] = arith.select %[[FIRST]]
  // CHECK:   kernel.gemm %{{.*}} transpose_a, %[[XS]] alpha %{{.*}} beta %[[BETA]] outs(%[[G]]) {kernel.backward}
  %0:2 = train.accumulate count(3) size(4) offset(0) of(14) slices(%x : tensor<14x2xf32>) modes [#train.mapped<dim = 0>]
      reduce [#train.reducer<sum>, #train.reducer<sum>] -> tensor<f32>, tensor<3x2xf32> {
  ^bb0(%first: index, %xs: tensor<4x2xf32>):
    %1 = nn.matmul %xs, %w transpose_rhs : (tensor<4x2xf32>, tensor<3x2xf32>) -> tensor<4x3xf32>
    %2 = nn.square %1 : tensor<4x3xf32>
    %3 = nn.sum %2 dims [0, 1] : tensor<4x3xf32> -> tensor<f32>
    %4 = nn.matmul %1, %xs transpose_lhs {train.backward} : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
    train.yield %3, %4 : tensor<f32>, tensor<3x2xf32>
  }
  // The tail: no loop, the product adds.
  // CHECK: kernel.load_input "x" 0 at %{{.*}} size 2 of 14
  // CHECK: nn.sum
  // CHECK: %[[SUM:.*]] = nn.add
  // CHECK-NEXT: kernel.yield %[[SUM]]
  // CHECK: kernel.gemm %{{.*}} transpose_a, %{{.*}} alpha %[[ONE:.*]] beta %[[ONE]] outs(%[[LOOP]]#1)
  %5:2 = train.accumulate count(1) size(2) offset(12) of(14) slices(%x : tensor<14x2xf32>) modes [#train.mapped<dim = 0>]
      init(%0#0, %0#1 : tensor<f32>, tensor<3x2xf32>)
      reduce [#train.reducer<sum>, #train.reducer<sum>] -> tensor<f32>, tensor<3x2xf32> {
  ^bb0(%first: index, %xs: tensor<2x2xf32>):
    %1 = nn.matmul %xs, %w transpose_rhs : (tensor<2x2xf32>, tensor<3x2xf32>) -> tensor<2x3xf32>
    %2 = nn.square %1 : tensor<2x3xf32>
    %3 = nn.sum %2 dims [0, 1] : tensor<2x3xf32> -> tensor<f32>
    %4 = nn.matmul %1, %xs transpose_lhs {train.backward} : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
    train.yield %3, %4 : tensor<f32>, tensor<3x2xf32>
  }
  // CHECK: kernel.norm
  %n = train.global_norm %5#1 : tensor<3x2xf32> -> tensor<f32>
  // CHECK: kernel.group "all_finite" elementwise
  %ok = train.all_finite %5#0, %n : tensor<f32>, tensor<f32> -> tensor<i1>
  // CHECK: kernel.group "schedule" elementwise
  %f = train.schedule #train.constant after %t : (tensor<i64>) -> tensor<f32>
  // CHECK: %[[NEW:.*]] = kernel.update gradients(%{{.*}} : tensor<3x2xf32>) completed %[[T]] {{.*}} outs(%[[W]] : tensor<3x2xf32>)
  %p = train.fused_update params(%w : tensor<3x2xf32>) gradients(%5#1 : tensor<3x2xf32>) slots()
      completed %t factor %f if %ok [#rule] : tensor<i64>, tensor<f32>, tensor<i1> -> tensor<3x2xf32>
  // The counter is updated in place: the kernel reads it through its destination.
  // CHECK: %[[STEP:.*]] = kernel.group "next_step" elementwise ins(%{{.*}} : tensor<i1>) outs(%[[T]] : tensor<i64>)
  %t1 = nn.add %t, %one : tensor<i64>
  %t2 = nn.select %ok, %t1, %t : tensor<i1>, tensor<i64>
  // CHECK: return %[[NEW]], %[[STEP]]
  return %p, %t2, %5#0 : tensor<3x2xf32>, tensor<i64>, tensor<f32>
}

// Recomputation becomes part of the program, with buffers of its own.
// CHECK-LABEL: func.func @recompute
// CHECK: kernel.group "exp" {{.*}} outs(%{{.*}} : tensor<4xf32>) -> tensor<4xf32>
// CHECK: kernel.alloc "exp" activations {kernel.recompute = 7 : i64}
// CHECK: kernel.group "exp" {{.*}} attributes {kernel.recompute = 7 : i64}
func.func @recompute(%w: tensor<4x4xf32> {train.role = #role_p, train.name = "w"})
    -> (tensor<4x4xf32> {train.result = #train.result<output>}) attributes {train.model} {
  %c = nn.constant dense<1.0> : tensor<f32>
  %x = nn.sum %w dims [0] : tensor<4x4xf32> -> tensor<4xf32>
  %0 = nn.exp %x : tensor<4xf32>
  %1 = nn.reshape %0 : tensor<4xf32> to tensor<4x1xf32>
  %2 = nn.matmul %w, %1 : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  %3 = train.recompute 7 after(%2 : tensor<4x1xf32>) inputs(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %5 = nn.exp %a : tensor<4xf32>
    train.yield %5 : tensor<4xf32>
  }
  %4 = nn.reshape %3 : tensor<4xf32> to tensor<1x4xf32>
  %6 = nn.matmul %2, %4 : (tensor<4x1xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
  return %6 : tensor<4x4xf32>
}

// Without a mark nothing happens.
// CHECK-LABEL: func.func @unmarked
// CHECK: nn.exp
func.func @unmarked(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
