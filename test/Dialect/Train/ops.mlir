// RUN: accrue-opt %s --verify-roundtrip | FileCheck %s

#adamw = #train.adamw<lr = 1.0e-3, beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.01>
#sgd = #train.sgd<lr = 0.5, momentum = 0.9, nesterov = true, weight_decay = 1.0e-4>

// CHECK-LABEL: func.func @marks(
// CHECK-SAME: tensor<4x8xf32> {train.init = #train.uniform<1.250000e-01>, train.name = "w", train.role = #train.role<param>, train.rule = #train.adamw<lr = 1.000000e-03, beta1 = 9.000000e-01, beta2 = {{[^,]*}}, eps = {{[^,]*}}, weight_decay = {{[^>]*}}>}
// CHECK-SAME: tensor<4xf32> {train.init = #train.fill<0.000000e+00>, train.name = "b", train.role = #train.role<param>, train.rule = #train.sgd<lr = 5.000000e-01, momentum = 9.000000e-01, nesterov = true, weight_decay = 1.000000e-04>}
// CHECK-SAME: tensor<4xf32> {train.init = #train.normal<mean = 0.000000e+00, std = 2.000000e-02>, train.name = "e", train.role = #train.role<param>}
// CHECK-SAME: tensor<?x8xf32> {train.batch_dim = 0 : i64, train.name = "x", train.role = #train.role<batch>}
// CHECK-SAME: tensor<4x8xf32> {train.name = "w", train.role = #train.role<state>, train.slot = "m"}
// CHECK-SAME: tensor<i64> {train.name = "seed", train.role = #train.role<scalar>}
// CHECK-SAME: -> (tensor<4x8xf32> {train.updates = 0 : i64}, tensor<f32> {train.name = "l", train.result = #train.result<loss>})
// CHECK-SAME: attributes {train.batch = 512 : i64, train.clip_norm = 1.000000e+00 : f64, train.schedule = #train.constant, train.step}
func.func @marks(%w: tensor<4x8xf32> {train.role = #train.role<param>, train.name = "w", train.init = #train.uniform<0.125>, train.rule = #adamw},
                 %b: tensor<4xf32> {train.role = #train.role<param>, train.name = "b", train.init = #train.fill<0.0>, train.rule = #sgd},
                 %e: tensor<4xf32> {train.role = #train.role<param>, train.name = "e", train.init = #train.normal<mean = 0.0, std = 0.02>},
                 %x: tensor<?x8xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64},
                 %m: tensor<4x8xf32> {train.role = #train.role<state>, train.name = "w", train.slot = "m"},
                 %s: tensor<i64> {train.role = #train.role<scalar>, train.name = "seed"})
    -> (tensor<4x8xf32> {train.updates = 0 : i64}, tensor<f32> {train.result = #train.result<loss>, train.name = "l"})
    attributes {train.step, train.batch = 512 : i64, train.clip_norm = 1.0 : f64, train.schedule = #train.constant} {
  // CHECK: nn.square %{{.*}} {train.backward, train.recompute}
  %0 = nn.square %x {train.backward, train.recompute} : tensor<?x8xf32>
  %l = nn.mean %0 dims [0, 1] : tensor<?x8xf32> -> tensor<f32>
  return %w, %l : tensor<4x8xf32>, tensor<f32>
}

// CHECK-LABEL: func.func @step(
func.func @step(%w: tensor<4xf32>, %l: tensor<f32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %t: tensor<i64>) {
  // CHECK: train.gradient %{{.*}} wrt %{{.*}} : tensor<f32> wrt tensor<4xf32>
  %g = train.gradient %l wrt %w : tensor<f32> wrt tensor<4xf32>
  // CHECK: train.weight 128 of 512 : tensor<f32>
  %k = train.weight 128 of 512 : tensor<f32>
  // CHECK: train.global_norm %{{.*}} : tensor<4xf32> -> tensor<f32>
  %n = train.global_norm %g : tensor<4xf32> -> tensor<f32>
  // CHECK: train.all_finite %{{.*}}, %{{.*}} : tensor<f32>, tensor<f32> -> tensor<i1>
  %ok = train.all_finite %l, %n : tensor<f32>, tensor<f32> -> tensor<i1>
  // CHECK: train.clip %{{.*}} by %{{.*}} max 1.000000e+00 : tensor<4xf32> by tensor<f32>
  %c = train.clip %g by %n max 1.0 : tensor<4xf32> by tensor<f32>
  // CHECK: train.schedule #train.warmup_cosine<warmup = 20, steps = 400, floor = 1.000000e-01> after %{{.*}} : (tensor<i64>) -> tensor<f32>
  %f = train.schedule #train.warmup_cosine<warmup = 20, steps = 400, floor = 0.1> after %t : (tensor<i64>) -> tensor<f32>
  // CHECK: train.update #train.adamw<{{.*}}> on %{{.*}}, %{{.*}} slots(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>) completed %{{.*}} factor %{{.*}} if %{{.*}} :
  %w1, %s:2 = train.update #adamw on %w, %c slots(%m, %v : tensor<4xf32>, tensor<4xf32>) completed %t factor %f if %ok
    : tensor<4xf32>, tensor<4xf32>, tensor<i64>, tensor<f32>, tensor<i1>
  // CHECK: train.fused_update params(%{{.*}} : tensor<4xf32>) gradients(%{{.*}} : tensor<4xf32>) slots(%{{.*}} : tensor<4xf32>) completed %{{.*}} factor %{{.*}} if %{{.*}} clip %{{.*}} max 1.000000e+00 [#train.sgd<{{.*}}>] :
  %u:2 = train.fused_update params(%w : tensor<4xf32>) gradients(%g : tensor<4xf32>) slots(%m : tensor<4xf32>)
    completed %t factor %f if %ok clip %n max 1.0 [#sgd] : tensor<i64>, tensor<f32>, tensor<i1>, tensor<f32> -> tensor<4xf32>, tensor<4xf32>
  return
}

#plain = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
// CHECK-LABEL: func.func @double(
func.func @double(%w: tensor<4xf64>, %g: tensor<4xf64>, %t: tensor<i64>, %ok: tensor<i1>) {
  // CHECK: train.global_norm %{{.*}} : tensor<4xf64> -> tensor<f64>
  %n = train.global_norm %g : tensor<4xf64> -> tensor<f64>
  // CHECK: train.clip %{{.*}} by %{{.*}} max 1.000000e+00 : tensor<4xf64> by tensor<f64>
  %c = train.clip %g by %n max 1.0 : tensor<4xf64> by tensor<f64>
  // CHECK: train.schedule #train.constant after %{{.*}} : (tensor<i64>) -> tensor<f64>
  %f = train.schedule #train.constant after %t : (tensor<i64>) -> tensor<f64>
  // CHECK: train.update {{.*}} : tensor<4xf64>, tensor<4xf64>, tensor<i64>, tensor<f64>, tensor<i1>
  %w1 = train.update #plain on %w, %c completed %t factor %f if %ok
    : tensor<4xf64>, tensor<4xf64>, tensor<i64>, tensor<f64>, tensor<i1>
  // CHECK: train.fused_update {{.*}} : tensor<i64>, tensor<f64>, tensor<i1>, tensor<f64> -> tensor<4xf64>
  %u = train.fused_update params(%w : tensor<4xf64>) gradients(%g : tensor<4xf64>) slots()
    completed %t factor %f if %ok clip %n max 1.0 [#plain] : tensor<i64>, tensor<f64>, tensor<i1>, tensor<f64> -> tensor<4xf64>
  return
}

// CHECK-LABEL: func.func @regions(
func.func @regions(%x: tensor<10x6xf32>, %w: tensor<6xf32>) -> (tensor<f32>, tensor<10x6xf32>, tensor<f32>) {
  // CHECK: train.accumulate count(2) size(4) offset(0) of(10) slices(%{{.*}} : tensor<10x6xf32>) modes [#train.mapped<dim = 0>] reduce [#train.reducer<sum>, #train.reducer<concat, <dim = 0>>, #train.reducer<max>] -> tensor<f32>, tensor<10x6xf32>, tensor<f32> {
  %a:3 = train.accumulate count(2) size(4) offset(0) of(10)
      slices(%x : tensor<10x6xf32>) modes [#train.mapped<dim = 0>]
      reduce [#train.reducer<sum>, #train.reducer<concat, <dim = 0>>, #train.reducer<max>]
      -> tensor<f32>, tensor<10x6xf32>, tensor<f32> {
  // CHECK: ^bb0(%{{.*}}: index, %{{.*}}: tensor<4x6xf32>):
  ^bb0(%first: index, %s: tensor<4x6xf32>):
    %0 = nn.sum %s dims [0, 1] : tensor<4x6xf32> -> tensor<f32>
    // CHECK: train.recompute 7 after(%{{.*}} : tensor<f32>) inputs(%{{.*}} : tensor<4x6xf32>) -> tensor<4x6xf32> {
    %1 = train.recompute 7 after(%0 : tensor<f32>) inputs(%s : tensor<4x6xf32>) -> tensor<4x6xf32> {
    ^bb0(%b: tensor<4x6xf32>):
      %2 = nn.square %b : tensor<4x6xf32>
      train.yield %2 : tensor<4x6xf32>
    }
    // CHECK: train.yield %{{.*}}, %{{.*}}, %{{.*}} : tensor<f32>, tensor<4x6xf32>, tensor<f32>
    train.yield %0, %1, %0 : tensor<f32>, tensor<4x6xf32>, tensor<f32>
  }
  // The tail continues the sums.
  // CHECK: train.accumulate count(1) size(2) offset(8) of(10) slices({{.*}}) modes [#train.mapped<dim = 0>] init(%{{.*}}, %{{.*}}, %{{.*}} : tensor<f32>, tensor<10x6xf32>, tensor<f32>)
  %t:3 = train.accumulate count(1) size(2) offset(8) of(10)
      slices(%x : tensor<10x6xf32>) modes [#train.mapped<dim = 0>]
      init(%a#0, %a#1, %a#2 : tensor<f32>, tensor<10x6xf32>, tensor<f32>)
      reduce [#train.reducer<sum>, #train.reducer<concat, <dim = 0>>, #train.reducer<max>]
      -> tensor<f32>, tensor<10x6xf32>, tensor<f32> {
  ^bb0(%first: index, %s: tensor<2x6xf32>):
    %0 = nn.sum %s dims [0, 1] : tensor<2x6xf32> -> tensor<f32>
    train.yield %0, %s, %0 : tensor<f32>, tensor<2x6xf32>, tensor<f32>
  }
  return %t#0, %t#1, %t#2 : tensor<f32>, tensor<10x6xf32>, tensor<f32>
}

#average = #train.ema<rule = #sgd, decay = 0.5>

// CHECK-LABEL: func.func @schedules(
func.func @schedules(%t: tensor<i64>, %w: tensor<4xf32>, %g: tensor<4xf32>, %ok: tensor<i1>) {
  // CHECK: train.all_reduce %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>
  %a:2 = train.all_reduce %g, %w : tensor<4xf32>, tensor<4xf32>
  // CHECK: train.schedule #train.constant<warmup = 20> after
  %0 = train.schedule #train.constant<warmup = 20> after %t : (tensor<i64>) -> tensor<f32>
  // CHECK: train.schedule #train.linear<warmup = 20, steps = 400, floor = 1.000000e-01> after
  %1 = train.schedule #train.linear<warmup = 20, steps = 400, floor = 0.1> after %t : (tensor<i64>) -> tensor<f32>
  // CHECK: train.schedule #train.inverse_sqrt<warmup = 20> after
  %2 = train.schedule #train.inverse_sqrt<warmup = 20> after %t : (tensor<i64>) -> tensor<f32>
  // CHECK: train.schedule #train.step<warmup = 0, every = 30, gamma = 5.000000e-01> after
  %3 = train.schedule #train.step<warmup = 0, every = 30, gamma = 0.5> after %t : (tensor<i64>) -> tensor<f32>
  // CHECK: train.update #train.ema<rule = #train.sgd<{{.*}}>, decay = 5.000000e-01> on
  %w1, %s:2 = train.update #average on %w, %g slots(%g, %g : tensor<4xf32>, tensor<4xf32>) completed %t factor %0 if %ok
    : tensor<4xf32>, tensor<4xf32>, tensor<i64>, tensor<f32>, tensor<i1>
  return
}
