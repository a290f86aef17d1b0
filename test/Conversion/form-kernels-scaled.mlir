// RUN: accrue-opt %s --form-kernels | FileCheck %s

// A rule with a scale has kernels of its own for each parameter: the sums that
// the scale is made of, then the update in place. Other rules share one op.

// CHECK-LABEL: func.func @step
// CHECK: kernel.group "scale_sum" rows ins(%arg0,
// CHECK: arith.mulf %[[X:.*]], %[[X]]
// CHECK: kernel.group "scale_sum" rows
// CHECK: math.sqrt
// CHECK: kernel.group "scaled_update" elementwise ins({{.*}}) outs(%arg0, %arg2, %arg3
// CHECK: math.sqrt
// CHECK: arith.select
// CHECK: kernel.update gradients(%{{[^ ]*}} : tensor<2xf32>) {{.*}} outs(%arg1 : tensor<2xf32>) :
#lamb = #train.lamb<lr = 0.1, beta1 = 0.9, beta2 = 0.999, eps = 1.0e-6, weight_decay = 0.1>
#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
func.func @step(
    %w: tensor<3x2xf32> {train.role = #train.role<param>, train.name = "w", train.rule = #lamb},
    %b: tensor<2xf32> {train.role = #train.role<param>, train.name = "b", train.rule = #sgd},
    %gw: tensor<3x2xf32> {train.role = #train.role<batch>, train.name = "gw", train.batch_dim = 0 : i64},
    %gb: tensor<2xf32> {train.role = #train.role<batch>, train.name = "gb", train.batch_dim = 0 : i64},
    %m: tensor<3x2xf32> {train.role = #train.role<state>, train.name = "w", train.slot = "m"},
    %v: tensor<3x2xf32> {train.role = #train.role<state>, train.name = "w", train.slot = "v"},
    %t: tensor<i64> {train.role = #train.role<state>, train.name = "step"})
    -> (tensor<3x2xf32> {train.updates = 0 : i64}, tensor<2xf32> {train.updates = 1 : i64},
        tensor<3x2xf32> {train.updates = 4 : i64}, tensor<3x2xf32> {train.updates = 5 : i64})
    attributes {train.step} {
  %f = train.schedule #train.constant after %t : (tensor<i64>) -> tensor<f32>
  %n = train.global_norm %gw, %gb : tensor<3x2xf32>, tensor<2xf32> -> tensor<f32>
  %ok = train.all_finite %n : tensor<f32> -> tensor<i1>
  %0:4 = train.fused_update params(%w, %b : tensor<3x2xf32>, tensor<2xf32>) gradients(%gw, %gb : tensor<3x2xf32>, tensor<2xf32>) slots(%m, %v : tensor<3x2xf32>, tensor<3x2xf32>)
    completed %t factor %f if %ok [#lamb, #sgd] : tensor<i64>, tensor<f32>, tensor<i1> -> tensor<3x2xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<3x2xf32>
  return %0#0, %0#1, %0#2, %0#3 : tensor<3x2xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<3x2xf32>
}
