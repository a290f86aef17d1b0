// RUN: accrue-opt %s -train-build-step -split-input-file | FileCheck %s
// RUN: accrue-opt %s -train-build-step=gradients-only -split-input-file | FileCheck %s --check-prefix=GRAD

#adamw = #train.adamw<lr = 1.0e-3, beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.01>
#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>

// Slots follow the model's arguments, then the counter; results are tied to
// arguments. %frozen has no rule: no gradient, no state, no result.
// CHECK-LABEL: func.func @model(
// CHECK-SAME: %[[W:[^:]+]]: tensor<4x8xf32> {train.name = "fc.weight", train.role = #train.role<param>, train.rule = #train.adamw<{{[^>]*}}>},
// CHECK-SAME: %[[B:[^:]+]]: tensor<4xf32> {train.name = "fc.bias", train.role = #train.role<param>, train.rule = #train.sgd<{{[^>]*}}>},
// CHECK-SAME: %[[FROZEN:[^:]+]]: tensor<?x8xf32> {train.name = "scale", train.role = #train.role<param>},
// CHECK-SAME: %[[X:[^:]+]]: tensor<?x8xf32> {train.batch_dim = 0 : i64, train.name = "x", train.role = #train.role<batch>},
// CHECK-SAME: %[[M:[^:]+]]: tensor<4x8xf32> {train.name = "fc.weight", train.role = #train.role<state>, train.slot = "m"},
// CHECK-SAME: %[[V:[^:]+]]: tensor<4x8xf32> {train.name = "fc.weight", train.role = #train.role<state>, train.slot = "v"},
// CHECK-SAME: %[[T:[^:]+]]: tensor<i64> {train.name = "step", train.role = #train.role<state>})
// CHECK-SAME: -> (tensor<4x8xf32> {train.updates = 0 : i64},
// CHECK-SAME: tensor<4xf32> {train.updates = 1 : i64},
// CHECK-SAME: tensor<4x8xf32> {train.updates = 4 : i64},
// CHECK-SAME: tensor<4x8xf32> {train.updates = 5 : i64},
// CHECK-SAME: tensor<i64> {train.updates = 6 : i64},
// CHECK-SAME: tensor<f32> {train.name = "loss", train.result = #train.result<loss>},
// CHECK-SAME: tensor<f32> {train.name = "grad_norm", train.result = #train.result<norm>},
// CHECK-SAME: tensor<i1> {train.name = "finite", train.result = #train.result<finite>},
// CHECK-SAME: tensor<f32> {train.name = "learning_rate", train.result = #train.result<rate>},
// CHECK-SAME: tensor<f32> {train.name = "error", train.result = #train.result<metric>})
// CHECK-SAME: attributes {train.batch = 16 : i64, train.clip_norm = 1.000000e+00 : f64, train.program = #train.program<step>, train.schedule = #train.warmup_cosine<{{[^>]*}}>, train.step}
// CHECK: %[[LOSS:.*]] = nn.mean
// CHECK: %[[ERROR:.*]] = nn.sqrt %[[LOSS]]
// CHECK: %[[G:.*]]:2 = train.gradient %[[LOSS]] wrt %[[W]], %[[B]]
// CHECK: %[[A:.*]]:2 = train.all_reduce %[[G]]#0, %[[G]]#1 : tensor<4x8xf32>, tensor<4xf32>
// CHECK: %[[NORM:.*]] = train.global_norm %[[A]]#0, %[[A]]#1
// CHECK: %[[OK:.*]] = train.all_finite %[[LOSS]], %[[NORM]]
// CHECK: %[[C:.*]]:2 = train.clip %[[A]]#0, %[[A]]#1 by %[[NORM]] max 1.000000e+00
// CHECK: %[[F:.*]] = train.schedule #train.warmup_cosine<warmup = 2, steps = 10, floor = 0.000000e+00> after %[[T]]
// CHECK: %[[W1:.*]], %[[S:.*]]:2 = train.update #train.adamw<{{[^>]*}}> on %[[W]], %[[C]]#0 slots(%[[M]], %[[V]] : {{.*}}) completed %[[T]] factor %[[F]] if %[[OK]]
// CHECK: %[[B1:.*]] = train.update #train.sgd<{{[^>]*}}> on %[[B]], %[[C]]#1 completed %[[T]] factor %[[F]] if %[[OK]]
// CHECK: %[[ONE:.*]] = nn.constant dense<1> : tensor<i64>
// CHECK: %[[T1:.*]] = nn.add %[[T]], %[[ONE]]
// CHECK: %[[NEXT:.*]] = nn.select %[[OK]], %[[T1]], %[[T]]
// CHECK: %[[BASE:.*]] = nn.constant dense<1.000000e-03> : tensor<f32>
// CHECK: %[[RATE:.*]] = nn.mul %[[F]], %[[BASE]] : tensor<f32>
// CHECK: return %[[W1]], %[[B1]], %[[S]]#0, %[[S]]#1, %[[NEXT]], %[[LOSS]], %[[NORM]], %[[OK]], %[[RATE]], %[[ERROR]]

// GRAD-LABEL: func.func @model(
// GRAD-SAME: %[[X:[^:]+]]: tensor<?x8xf32> {train.batch_dim = 0 : i64, train.name = "x", train.role = #train.role<batch>})
// GRAD-SAME: -> (tensor<f32> {train.name = "loss", train.result = #train.result<loss>},
// GRAD-SAME: tensor<4x8xf32> {train.name = "fc.weight", train.result = #train.result<gradient>},
// GRAD-SAME: tensor<4xf32> {train.name = "fc.bias", train.result = #train.result<gradient>},
// GRAD-SAME: tensor<f32> {train.name = "grad_norm", train.result = #train.result<norm>},
// GRAD-SAME: tensor<f32> {train.name = "error", train.result = #train.result<metric>})
// GRAD-SAME: train.program = #train.program<gradients>
// GRAD-SAME: train.step
// GRAD: %[[G:.*]]:2 = train.gradient %[[LOSS:[^ ]+]] wrt
// GRAD: %[[NORM:.*]] = train.global_norm %[[G]]#0, %[[G]]#1
// GRAD-NOT: train.update
// GRAD-NOT: train.all_reduce
// GRAD: return %[[LOSS]], %[[G]]#0, %[[G]]#1, %[[NORM]], %{{.*}}
func.func @model(
    %w: tensor<4x8xf32> {train.role = #train.role<param>, train.name = "fc.weight", train.rule = #adamw},
    %b: tensor<4xf32> {train.role = #train.role<param>, train.name = "fc.bias", train.rule = #sgd},
    %frozen: tensor<?x8xf32> {train.role = #train.role<param>, train.name = "scale"},
    %x: tensor<?x8xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64})
    -> (tensor<f32> {train.result = #train.result<metric>, train.name = "error"},
        tensor<f32> {train.result = #train.result<loss>, train.name = "loss"})
    attributes {train.model, train.batch = 16 : i64, train.clip_norm = 1.0 : f64,
                train.schedule = #train.warmup_cosine<warmup = 2, steps = 10, floor = 0.0>} {
  %0 = nn.mul %x, %frozen : tensor<?x8xf32>
  %1 = nn.matmul %0, %w transpose_rhs : (tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<?x4xf32>
  %2 = nn.broadcast %b dims [0] : tensor<4xf32> to tensor<?x4xf32>
  %3 = nn.add %1, %2 : tensor<?x4xf32>
  %4 = nn.square %3 : tensor<?x4xf32>
  %loss = nn.mean %4 dims [0, 1] : tensor<?x4xf32> -> tensor<f32>
  %error = nn.sqrt %loss : tensor<f32>
  return %error, %loss : tensor<f32>, tensor<f32>
}

// -----

// Without a limit there is no clip, without a schedule the factor is constant;
// other functions stay as they are.
// CHECK-LABEL: func.func @plain(
// CHECK: %[[G0:.*]] = train.gradient
// CHECK: %[[G:.*]] = train.all_reduce %[[G0]]
// CHECK-NOT: train.clip
// CHECK: train.schedule #train.constant after %{{.*}}
// CHECK: train.update #train.sgd<{{[^>]*}}> on %{{.*}}, %[[G]] slots(%{{.*}} : tensor<f32>)
// CHECK-LABEL: func.func @other(%{{.*}}: tensor<f32>) -> tensor<f32> {
// CHECK-NEXT: return
#momentum = #train.sgd<lr = 0.5, momentum = 0.9, nesterov = true, weight_decay = 0.0>
func.func @plain(%w: tensor<f32> {train.role = #train.role<param>, train.name = "w", train.rule = #momentum})
    -> (tensor<f32> {train.result = #train.result<loss>, train.name = "loss"}) attributes {train.model} {
  %loss = nn.square %w : tensor<f32>
  return %loss : tensor<f32>
}
func.func @other(%w: tensor<f32>) -> tensor<f32> {
  return %w : tensor<f32>
}

// -----

// What all gradients share is in f64 where one of them is.
// CHECK-LABEL: func.func @double(
// CHECK-SAME: tensor<f64> {train.name = "grad_norm", train.result = #train.result<norm>},
// CHECK-SAME: tensor<f64> {train.name = "learning_rate", train.result = #train.result<rate>})
// CHECK: %[[A:.*]]:2 = train.all_reduce
// CHECK: %[[NORM:.*]] = train.global_norm %[[A]]#0, %[[A]]#1 : tensor<4xf32>, tensor<4xf64> -> tensor<f64>
// CHECK: train.clip %[[A]]#0, %[[A]]#1 by %[[NORM]] max 1.000000e-01 : tensor<4xf32>, tensor<4xf64> by tensor<f64>
// CHECK: %[[F:.*]] = train.schedule #train.constant<warmup = 3> after %{{.*}} : (tensor<i64>) -> tensor<f64>
// CHECK: train.update {{.*}} factor %[[F]] {{.*}}, tensor<f64>, tensor<i1>
// CHECK: nn.constant dense<1.000000e-01> : tensor<f64>
// GRAD-LABEL: func.func @double(
// GRAD-SAME: tensor<f64> {train.name = "grad_norm", train.result = #train.result<norm>})
#sgd = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>
func.func @double(%w: tensor<4xf32> {train.role = #train.role<param>, train.name = "w", train.rule = #sgd},
                  %v: tensor<4xf64> {train.role = #train.role<param>, train.name = "v", train.rule = #sgd})
    -> (tensor<f64> {train.result = #train.result<loss>, train.name = "loss"})
    attributes {train.model, train.clip_norm = 0.1 : f64, train.schedule = #train.constant<warmup = 3>} {
  %0 = nn.convert %w : tensor<4xf32> to tensor<4xf64>
  %1 = nn.mul %0, %v : tensor<4xf64>
  %loss = nn.sum %1 dims [0] : tensor<4xf64> -> tensor<f64>
  return %loss : tensor<f64>
}

// -----

// Halves have no range for squares.
// CHECK-LABEL: func.func @half(
// CHECK: train.global_norm %{{.*}} : tensor<4xf16> -> tensor<f32>
// CHECK: train.schedule {{.*}} -> tensor<f32>
#sgd = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>
func.func @half(%w: tensor<4xf16> {train.role = #train.role<param>, train.name = "w", train.rule = #sgd})
    -> (tensor<f16> {train.result = #train.result<loss>, train.name = "loss"}) attributes {train.model} {
  %loss = nn.sum %w dims [0] : tensor<4xf16> -> tensor<f16>
  return %loss : tensor<f16>
}

// -----

// The loss that is differentiated is scaled, and the gradients before anything
// reads them; that of a half in f32. What is reported is not scaled.
// CHECK-LABEL: func.func @scaled(
// CHECK: %[[LOSS:.*]] = nn.sum
// CHECK: %[[S:.*]] = nn.constant dense<1.024000e+03> : tensor<f32>
// CHECK: %[[SCALED:.*]] = nn.mul %[[LOSS]], %[[S]] : tensor<f32>
// CHECK: %[[G:.*]]:2 = train.gradient %[[SCALED]] wrt
// CHECK: %[[A:.*]]:2 = train.all_reduce %[[G]]#0, %[[G]]#1
// CHECK: %[[R:.*]] = nn.constant dense<9.765625E-4> : tensor<4xf32>
// CHECK: %[[GW:.*]] = nn.mul %[[A]]#0, %[[R]] : tensor<4xf32>
// CHECK: %[[WIDE:.*]] = nn.convert %[[A]]#1 : tensor<4xf16> to tensor<4xf32>
// CHECK: %[[UNSCALED:.*]] = nn.mul %[[WIDE]], %{{.*}} : tensor<4xf32>
// CHECK: %[[GH:.*]] = nn.convert %[[UNSCALED]] : tensor<4xf32> to tensor<4xf16>
// CHECK: %[[NORM:.*]] = train.global_norm %[[GW]], %[[GH]]
// CHECK: train.all_finite %[[LOSS]], %[[NORM]]
// CHECK: train.clip %[[GW]], %[[GH]] by %[[NORM]]
// CHECK: return %{{.*}}, %{{.*}}, %{{.*}}, %[[LOSS]], %[[NORM]],
// GRAD-LABEL: func.func @scaled(
// GRAD: %[[G:.*]]:2 = train.gradient
// GRAD: %[[GW:.*]] = nn.mul %[[G]]#0, %{{.*}} : tensor<4xf32>
// GRAD: %[[GH:.*]] = nn.convert %{{.*}} : tensor<4xf32> to tensor<4xf16>
// GRAD: return %{{.*}}, %[[GW]], %[[GH]], %{{.*}} : tensor<f32>, tensor<4xf32>, tensor<4xf16>, tensor<f32>
#sgd = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>
func.func @scaled(%w: tensor<4xf32> {train.role = #train.role<param>, train.name = "w", train.rule = #sgd},
                  %h: tensor<4xf16> {train.role = #train.role<param>, train.name = "h", train.rule = #sgd})
    -> (tensor<f32> {train.result = #train.result<loss>, train.name = "loss"})
    attributes {train.model, train.clip_norm = 1.0 : f64, train.loss_scale = 1024.0 : f64} {
  %0 = nn.convert %h : tensor<4xf16> to tensor<4xf32>
  %1 = nn.mul %0, %w : tensor<4xf32>
  %loss = nn.sum %1 dims [0] : tensor<4xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
