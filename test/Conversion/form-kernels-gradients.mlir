// RUN: accrue-opt %s --form-kernels | FileCheck %s

// Every gradient ends in a place of its own in the arena, before the norm reads
// all of them: also one that is a constant (an unused parameter), one that two
// parameters share, and one that is the parameter itself.

// CHECK-LABEL: func.func @places(
// CHECK:         %[[A:.*]] = kernel.alloc "a" gradients : tensor<4xf32>
// CHECK:         %[[GA:.*]] = kernel.group {{.*}} outs(%[[A]] : tensor<4xf32>)
// CHECK-DAG:     %[[B:.*]] = kernel.alloc "b" gradients : tensor<4xf32>
// CHECK-DAG:     %[[GB:.*]] = kernel.group "copy" {{.*}} outs(%[[B]] : tensor<4xf32>)
// CHECK-DAG:     %[[C:.*]] = kernel.alloc "c" gradients : tensor<4xf32>
// CHECK-DAG:     %[[GC:.*]] = kernel.group "copy" {{.*}} outs(%[[C]] : tensor<4xf32>)
// CHECK-DAG:     %[[D:.*]] = kernel.alloc "d" gradients : tensor<4xf32>
// CHECK-DAG:     %[[GD:.*]] = kernel.group "copy" {{.*}} outs(%[[D]] : tensor<4xf32>)
// CHECK:         kernel.norm %[[GA]], %[[GB]], %[[GC]], %[[GD]] :
// CHECK:         kernel.update gradients(%[[GA]], %[[GB]], %[[GC]], %[[GD]] :
func.func @places(%a: tensor<4xf32> {train.role = #train.role<param>, train.name = "a"},
                  %b: tensor<4xf32> {train.role = #train.role<param>, train.name = "b"},
                  %c: tensor<4xf32> {train.role = #train.role<param>, train.name = "c"},
                  %d: tensor<4xf32> {train.role = #train.role<param>, train.name = "d"},
                  %t: tensor<i64> {train.role = #train.role<state>, train.name = "step"})
    -> (tensor<4xf32> {train.updates = 0 : i64}, tensor<4xf32> {train.updates = 1 : i64},
        tensor<4xf32> {train.updates = 2 : i64}, tensor<4xf32> {train.updates = 3 : i64},
        tensor<f32> {train.result = #train.result<norm>, train.name = "grad_norm"}) attributes {train.step, train.batch = 1 : i64} {
  %g = nn.exp %a : tensor<4xf32>
  %zero = nn.constant dense<0.0> : tensor<4xf32>
  %n = train.global_norm %g, %g, %zero, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32> -> tensor<f32>
  %ok = train.all_finite %n : tensor<f32> -> tensor<i1>
  %f = train.schedule #train.constant after %t : (tensor<i64>) -> tensor<f32>
  %r:4 = train.fused_update params(%a, %b, %c, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      gradients(%g, %g, %zero, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
      slots() completed %t factor %f if %ok
      [#train.sgd<lr = 1.0, momentum = 0.0, nesterov = false, weight_decay = 0.0>,
       #train.sgd<lr = 1.0, momentum = 0.0, nesterov = false, weight_decay = 0.0>,
       #train.sgd<lr = 1.0, momentum = 0.0, nesterov = false, weight_decay = 0.0>,
       #train.sgd<lr = 1.0, momentum = 0.0, nesterov = false, weight_decay = 0.0>]
      : tensor<i64>, tensor<f32>, tensor<i1> -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %r#0, %r#1, %r#2, %r#3, %n : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>
}
