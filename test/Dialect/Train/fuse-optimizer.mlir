// RUN: accrue-opt %s -train-fuse-optimizer | FileCheck %s

#adamw = #train.adamw<lr = 1.0e-3, beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.01>
#momentum = #train.sgd<lr = 0.5, momentum = 0.9, nesterov = false, weight_decay = 0.0>
#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>

// The clip moves into the update, which reads the gradients themselves; slots
// follow the order of the parameters.
// CHECK-LABEL: func.func @clipped(
// CHECK-SAME: %[[P:[^:]+]]: tensor<4xf32>, %[[Q:[^:]+]]: tensor<f32>, %[[GP:[^:]+]]: tensor<4xf32>, %[[GQ:[^:]+]]: tensor<f32>, %[[B:[^:]+]]: tensor<f32>, %[[M:[^:]+]]: tensor<4xf32>, %[[V:[^:]+]]: tensor<4xf32>, %[[T:[^:]+]]: tensor<i64>)
// CHECK: %[[N:.*]] = train.global_norm %[[GP]], %[[GQ]]
// CHECK: %[[OK:.*]] = train.all_finite %[[N]]
// CHECK-NOT: train.clip
// CHECK: %[[F:.*]] = train.schedule
// CHECK-NOT: train.update
// CHECK: %[[R:.*]]:5 = train.fused_update params(%[[Q]], %[[P]] : {{.*}}) gradients(%[[GQ]], %[[GP]] : {{.*}}) slots(%[[B]], %[[M]], %[[V]] : {{.*}}) completed %[[T]] factor %[[F]] if %[[OK]] clip %[[N]] max 1.000000e+00 [#train.sgd<{{[^>]*}}>, #train.adamw<{{[^>]*}}>]
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1, %[[R]]#2, %[[R]]#3, %[[R]]#4
func.func @clipped(%p: tensor<4xf32>, %q: tensor<f32>, %gp: tensor<4xf32>, %gq: tensor<f32>,
                   %b: tensor<f32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %t: tensor<i64>)
    -> (tensor<f32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>) {
  %n = train.global_norm %gp, %gq : tensor<4xf32>, tensor<f32> -> tensor<f32>
  %ok = train.all_finite %n : tensor<f32> -> tensor<i1>
  %c:2 = train.clip %gp, %gq by %n max 1.0 : tensor<4xf32>, tensor<f32> by tensor<f32>
  %f = train.schedule #train.constant after %t : (tensor<i64>) -> tensor<f32>
  %q1, %b1 = train.update #momentum on %q, %c#1 slots(%b : tensor<f32>) completed %t factor %f if %ok
    : tensor<f32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i1>
  %p1, %s1:2 = train.update #adamw on %p, %c#0 slots(%m, %v : tensor<4xf32>, tensor<4xf32>) completed %t factor %f if %ok
    : tensor<4xf32>, tensor<4xf32>, tensor<i64>, tensor<f32>, tensor<i1>
  return %q1, %p1, %b1, %s1#0, %s1#1 : tensor<f32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @one(
// CHECK: train.fused_update params(%{{.*}}) gradients(%{{.*}}) slots() completed %{{.*}} factor %{{.*}} if %{{[^ ]+}} [#train.sgd
func.func @one(%p: tensor<4xf32>, %g: tensor<4xf32>, %t: tensor<i64>, %f: tensor<f32>, %ok: tensor<i1>) -> tensor<4xf32> {
  %p1 = train.update #sgd on %p, %g completed %t factor %f if %ok
    : tensor<4xf32>, tensor<4xf32>, tensor<i64>, tensor<f32>, tensor<i1>
  return %p1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @none(
// CHECK-NEXT: return
func.func @none(%p: tensor<4xf32>) -> tensor<4xf32> {
  return %p : tensor<4xf32>
}

// On one device the sum of the gradients is the gradients; norm and update then
// read the same values.
// CHECK-LABEL: func.func @one_device(
// CHECK-SAME: %[[P:[^:]+]]: tensor<4xf32>, %[[G:[^:]+]]: tensor<4xf32>
// CHECK-NOT: train.all_reduce
// CHECK: %[[N:.*]] = train.global_norm %[[G]]
// CHECK: train.fused_update params(%[[P]] : {{.*}}) gradients(%[[G]] : {{.*}}) {{.*}} clip %[[N]] max
func.func @one_device(%p: tensor<4xf32>, %g: tensor<4xf32>, %t: tensor<i64>, %f: tensor<f32>, %ok: tensor<i1>) -> tensor<4xf32> {
  %a = train.all_reduce %g : tensor<4xf32>
  %n = train.global_norm %a : tensor<4xf32> -> tensor<f32>
  %c = train.clip %a by %n max 1.0 : tensor<4xf32> by tensor<f32>
  %p1 = train.update #sgd on %p, %c completed %t factor %f if %ok
    : tensor<4xf32>, tensor<4xf32>, tensor<i64>, tensor<f32>, tensor<i1>
  return %p1 : tensor<4xf32>
}
