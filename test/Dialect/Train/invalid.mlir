// RUN: accrue-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{expected argument 0 to have the attribute 'train.role'}}
func.func @no_role(%x: tensor<f32>) attributes {train.model} { return }

// -----

// expected-error @+1 {{expected 'train.step' on a function}}
module attributes {train.step} {}

// -----

// expected-error @+1 {{expected 'train.program' on a function}}
module attributes {train.program = #train.program<step>} {}

// -----

// expected-error @+1 {{expected 'train.program' to be a kind of program, got "step"}}
func.func @program() attributes {train.program = "step"} { return }

// -----

// expected-error @+1 {{unknown attribute 'train.momentum'}}
func.func @unknown() attributes {train.momentum} { return }

// -----

// expected-error @+1 {{unknown argument attribute 'train.nam'}}
func.func @unknown_arg(%x: tensor<f32> {train.nam = "x"}) { return }

// -----

// expected-error @+1 {{unknown result attribute 'train.kind'}}
func.func @unknown_result(%x: tensor<f32>) -> (tensor<f32> {train.kind = "loss"}) { return %x : tensor<f32> }

// -----

// expected-error @+1 {{expected 'train.batch' to be an integer, got "many"}}
func.func @batch() attributes {train.batch = "many"} { return }

// -----

// expected-error @+1 {{expected 'train.schedule' to be a schedule, got 1 : i64}}
func.func @schedule() attributes {train.schedule = 1 : i64} { return }

// -----

// expected-error @+1 {{expected 'train.clip_norm' to be a float, got 1 : i64}}
func.func @clip_norm() attributes {train.clip_norm = 1 : i64} { return }

// -----

// expected-error @+1 {{expected 'train.loss_scale' to be a float, got 1 : i64}}
func.func @loss_scale() attributes {train.loss_scale = 1 : i64} { return }

// -----

// expected-error @+1 {{expected 'train.role' to be a role, got "param"}}
func.func @role(%x: tensor<f32> {train.role = "param"}) { return }

// -----

// expected-error @+1 {{expected 'train.rule' to be an optimizer rule, got #train.constant}}
func.func @rule(%x: tensor<f32> {train.rule = #train.constant}) { return }

// -----

// expected-error @+1 {{expected 'train.init' to be an initializer, got 0.000000e+00 : f64}}
func.func @init(%x: tensor<f32> {train.init = 0.0}) { return }

// -----

// expected-error @+1 {{expected 'train.batch_dim' of argument 0 to be one of its dimensions, got 2 : i64}}
func.func @batch_dim(%x: tensor<?x4xf32> {train.batch_dim = 2 : i64}) { return }

// -----

// expected-error @+1 {{expected 'train.updates' to be the index of an argument, got 1 : i64}}
func.func @updates(%x: tensor<f32>) -> (tensor<f32> {train.updates = 1 : i64}) { return %x : tensor<f32> }

// -----

func.func @recompute_mark(%x: tensor<f32>) {
  // expected-error @+1 {{expected 'train.recompute' to be a unit attribute, got 3 : i64}}
  %0 = nn.exp %x {train.recompute = 3 : i64} : tensor<f32>
  return
}

// -----

// expected-error @+1 {{expected 0 <= warmup < steps, got warmup 20 and steps 20}}
func.func @warmup() attributes {train.schedule = #train.warmup_cosine<warmup = 20, steps = 20, floor = 0.0>} { return }

// -----

// expected-error @+1 {{expected 0 <= warmup < steps, got warmup -1 and steps 20}}
func.func @warmup() attributes {train.schedule = #train.linear<warmup = -1, steps = 20, floor = 0.0>} { return }

// -----

// expected-error @+1 {{expected warmup not to be negative, got -1}}
func.func @warmup() attributes {train.schedule = #train.constant<warmup = -1>} { return }

// -----

// expected-error @+1 {{expected gamma to be positive, got}}
func.func @gamma() attributes {train.schedule = #train.step<warmup = 0, every = 10, gamma = 0.0>} { return }

// -----

func.func @weight() {
  // expected-error @+1 {{'train.weight' op expected at most 4 samples, got 5}}
  %0 = train.weight 5 of 4 : tensor<f32>
  return
}

// -----

func.func @gradient_types(%w: tensor<4xf32>, %l: tensor<f32>) {
  // expected-error @+1 {{wrt and gradients have equal types}}
  %g = "train.gradient"(%l, %w) : (tensor<f32>, tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @gradient_loss(%w: tensor<4xf32>) {
  // expected-error @+1 {{operand #0 must be 0D tensor}}
  %g = train.gradient %w wrt %w : tensor<4xf32> wrt tensor<4xf32>
  return
}

// -----

func.func @range(%x: tensor<4xf32>) {
  // expected-error @+1 {{'train.accumulate' op expected micro-batches within 4 samples, got 2 of 2 from 1}}
  train.accumulate count(2) size(2) offset(1) of(4) modes [] reduce [] {
  ^bb0(%first: index):
    train.yield
  }
  return
}

// -----

func.func @modes(%x: tensor<4xf32>) {
  // expected-error @+1 {{'train.accumulate' op expected one mode per sliced operand (1), got 0}}
  train.accumulate count(2) size(2) offset(0) of(4) slices(%x : tensor<4xf32>) modes [] reduce [] {
  ^bb0(%first: index, %s: tensor<2xf32>):
    train.yield
  }
  return
}

// -----

func.func @mode(%x: tensor<4xf32>) {
  // expected-error @+1 {{'train.accumulate' op expected #train.mapped<dim = 0, inner = 2> to enumerate 4 samples of 'tensor<4xf32>'}}
  train.accumulate count(2) size(2) offset(0) of(4) slices(%x : tensor<4xf32>) modes [#train.mapped<dim = 0, inner = 2>] reduce [] {
  ^bb0(%first: index, %s: tensor<4xf32>):
    train.yield
  }
  return
}

// -----

func.func @slice(%x: tensor<4xf32>) {
  // expected-error @+1 {{'train.accumulate' op expected body argument 1 of type 'tensor<2xf32>', got 'tensor<4xf32>'}}
  train.accumulate count(2) size(2) offset(0) of(4) slices(%x : tensor<4xf32>) modes [#train.mapped<dim = 0>] reduce [] {
  ^bb0(%first: index, %s: tensor<4xf32>):
    train.yield
  }
  return
}

// -----

func.func @index(%x: tensor<4xf32>) {
  // expected-error @+1 {{'train.accumulate' op expected a body with an index and 0 slices as arguments}}
  train.accumulate count(2) size(2) offset(0) of(4) modes [] reduce [] {
    train.yield
  }
  return
}

// -----

func.func @reducers(%x: tensor<f32>) {
  // expected-error @+1 {{'train.accumulate' op expected one reducer per result (1), got 0}}
  %0 = train.accumulate count(2) size(2) offset(0) of(4) modes [] reduce [] -> tensor<f32> {
  ^bb0(%first: index):
    train.yield %x : tensor<f32>
  }
  return
}

// -----

func.func @concat(%x: tensor<f32>) {
  // expected-error @+1 {{'train.accumulate' op expected a mode exactly for reducer 'concat', got #train.reducer<sum, <dim = 0>>}}
  %0 = train.accumulate count(2) size(2) offset(0) of(4) modes [] reduce [#train.reducer<sum, <dim = 0>>] -> tensor<f32> {
  ^bb0(%first: index):
    train.yield %x : tensor<f32>
  }
  return
}

// -----

func.func @inits(%x: tensor<f32>, %y: tensor<2xf32>) {
  // expected-error @+1 {{'train.accumulate' op expected initial values of the types of the results}}
  %0 = train.accumulate count(2) size(2) offset(0) of(4) modes [] init(%y : tensor<2xf32>) reduce [#train.reducer<sum>] -> tensor<f32> {
  ^bb0(%first: index):
    train.yield %x : tensor<f32>
  }
  return
}

// -----

func.func @contributions(%x: tensor<f32>) {
  %0 = train.accumulate count(2) size(2) offset(0) of(4) modes [] reduce [#train.reducer<sum>] -> tensor<f32> {
  ^bb0(%first: index):
    // expected-error @+1 {{'train.yield' op expected 1 contributions, got 2}}
    train.yield %x, %x : tensor<f32>, tensor<f32>
  }
  return
}

// -----

func.func @contribution(%x: tensor<2xf32>) {
  %0 = train.accumulate count(2) size(2) offset(0) of(4) modes [] reduce [#train.reducer<sum>] -> tensor<f32> {
  ^bb0(%first: index):
    // expected-error @+1 {{'train.yield' op expected contribution 0 of type 'tensor<f32>', got 'tensor<2xf32>'}}
    train.yield %x : tensor<2xf32>
  }
  return
}

// -----

func.func @recompute_inputs(%x: tensor<2xf32>) {
  // expected-error @+1 {{'train.recompute' op expected body arguments of the types of the inputs}}
  %0 = train.recompute 0 inputs(%x : tensor<2xf32>) -> tensor<f32> {
  ^bb0(%a: tensor<f32>):
    train.yield %a : tensor<f32>
  }
  return
}

// -----

func.func @recompute_results(%x: tensor<2xf32>) {
  %0 = train.recompute 0 inputs(%x : tensor<2xf32>) -> tensor<f32> {
  ^bb0(%a: tensor<2xf32>):
    // expected-error @+1 {{'train.yield' op expected values of the types of the results}}
    train.yield %a : tensor<2xf32>
  }
  return
}

// -----

func.func @yield() {
  // expected-error @+1 {{'train.yield' op expects parent op to be one of 'train.accumulate, train.recompute'}}
  train.yield
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.9, nesterov = false, weight_decay = 0.0>
func.func @slots(%p: tensor<f32>, %t: tensor<i64>, %ok: tensor<i1>) {
  // expected-error @+1 {{'train.update' op expected 1 slots for #train.sgd<lr = 5.000000e-01, momentum = 9.000000e-01, nesterov = false, weight_decay = 0.000000e+00>, got 0}}
  %0 = train.update #sgd on %p, %p completed %t factor %p if %ok : tensor<f32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i1>
  return
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.9, nesterov = false, weight_decay = 0.0>
func.func @slot_type(%p: tensor<f32>, %s: tensor<2xf32>, %t: tensor<i64>, %ok: tensor<i1>) {
  // expected-error @+1 {{'train.update' op expected slots of type 'tensor<f32>', got 'tensor<2xf32>'}}
  %0, %1 = train.update #sgd on %p, %p slots(%s : tensor<2xf32>) completed %t factor %p if %ok : tensor<f32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i1>
  return
}

// -----

func.func @fused_rules(%p: tensor<f32>, %t: tensor<i64>, %ok: tensor<i1>) {
  // expected-error @+1 {{'train.fused_update' op expected one gradient and one rule per parameter (1), got 1 and 0}}
  %0 = train.fused_update params(%p : tensor<f32>) gradients(%p : tensor<f32>) slots() completed %t factor %p if %ok []
    : tensor<i64>, tensor<f32>, tensor<i1> -> tensor<f32>
  return
}

// -----

func.func @fused_rule(%p: tensor<f32>, %t: tensor<i64>, %ok: tensor<i1>) {
  // expected-error @+1 {{'train.fused_update' op expected 'rules' to be optimizer rules, got 1 : i64}}
  %0 = train.fused_update params(%p : tensor<f32>) gradients(%p : tensor<f32>) slots() completed %t factor %p if %ok [1]
    : tensor<i64>, tensor<f32>, tensor<i1> -> tensor<f32>
  return
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.9, nesterov = false, weight_decay = 0.0>
func.func @fused_slots(%p: tensor<f32>, %t: tensor<i64>, %ok: tensor<i1>) {
  // expected-error @+1 {{'train.fused_update' op expected 1 slots, got 0}}
  %0 = train.fused_update params(%p : tensor<f32>) gradients(%p : tensor<f32>) slots() completed %t factor %p if %ok [#sgd]
    : tensor<i64>, tensor<f32>, tensor<i1> -> tensor<f32>
  return
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
func.func @update_gradient(%p: tensor<f32>, %g: tensor<2xf32>, %t: tensor<i64>, %ok: tensor<i1>) {
  // expected-error @+1 {{'train.update' op expected a gradient of the shape of the parameter 'tensor<f32>', got 'tensor<2xf32>'}}
  %0 = train.update #sgd on %p, %g completed %t factor %p if %ok : tensor<f32>, tensor<2xf32>, tensor<i64>, tensor<f32>, tensor<i1>
  return
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
func.func @fused_gradient(%p: tensor<f32>, %g: tensor<2xf32>, %t: tensor<i64>, %ok: tensor<i1>) {
  // expected-error @+1 {{'train.fused_update' op expected a gradient of the shape of the parameter 'tensor<f32>', got 'tensor<2xf32>'}}
  %0 = train.fused_update params(%p : tensor<f32>) gradients(%g : tensor<2xf32>) slots() completed %t factor %p if %ok [#sgd]
    : tensor<i64>, tensor<f32>, tensor<i1> -> tensor<f32>
  return
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
func.func @fused_results(%p: tensor<f32>, %t: tensor<i64>, %ok: tensor<i1>) {
  // expected-error @+1 {{'train.fused_update' op expected results of the types of 'params' and 'slots'}}
  %0 = train.fused_update params(%p : tensor<f32>) gradients(%p : tensor<f32>) slots() completed %t factor %p if %ok [#sgd]
    : tensor<i64>, tensor<f32>, tensor<i1> -> tensor<2xf32>
  return
}

// -----

func.func @group_of_none(%x: tensor<4xf32>) {
  // expected-error @+1 {{'train.accumulate' op expected positive factors in a mode, got #train.mapped<dim = 0, group = 0>}}
  train.accumulate count(2) size(2) offset(0) of(4) slices(%x : tensor<4xf32>) modes [#train.mapped<dim = 0, group = 0>] reduce [] {
  ^bb0(%first: index, %s: tensor<2xf32>):
    train.yield
  }
  return
}

// -----

func.func @negative_factors(%x: tensor<2xf32>) {
  // expected-error @+1 {{'train.accumulate' op expected positive factors in a mode, got #train.mapped<dim = 0, outer = -1, inner = -1>}}
  %0 = train.accumulate count(2) size(2) offset(0) of(4) modes [] reduce [#train.reducer<concat, <dim = 0, outer = -1, inner = -1>>] -> tensor<4xf32> {
  ^bb0(%first: index):
    train.yield %x : tensor<2xf32>
  }
  return
}

// -----

func.func @concat_mode(%x: tensor<2xf32>) {
  // expected-error @+1 {{'train.accumulate' op expected #train.mapped<dim = 0> to enumerate 4 samples of 'tensor<5xf32>'}}
  %0 = train.accumulate count(2) size(2) offset(0) of(4) modes [] reduce [#train.reducer<concat, <dim = 0>>] -> tensor<5xf32> {
  ^bb0(%first: index):
    train.yield %x : tensor<2xf32>
  }
  return
}

// -----

func.func @split_group(%x: tensor<3xf32>) {
  // expected-error @+1 {{'train.accumulate' op expected micro-batches of whole groups of 2 samples, got 3 from 0}}
  train.accumulate count(2) size(3) offset(0) of(6) slices(%x : tensor<3xf32>) modes [#train.mapped<dim = 0, group = 2>] reduce [] {
  ^bb0(%first: index, %s: tensor<1xf32>):
    train.yield
  }
  return
}

// -----

func.func @many(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected micro-batches within 4 samples, got 4611686018427387904 of 4 from 0}}
  train.accumulate count(4611686018427387904) size(4) offset(0) of(4) modes [] reduce [] {
  ^bb0(%first: index):
    train.yield
  }
  return
}

// -----

func.func @norm_without_limit(%w: tensor<4xf32>, %g: tensor<4xf32>, %t: tensor<i64>, %f: tensor<f32>, %ok: tensor<i1>) {
  // expected-error @+1 {{'train.fused_update' op expected 'norm' and 'max_norm' together}}
  %0 = "train.fused_update"(%w, %g, %t, %f, %ok, %f) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 1, 1>, rules = [#train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>]}> : (tensor<4xf32>, tensor<4xf32>, tensor<i64>, tensor<f32>, tensor<i1>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @half_norm(%g: tensor<4xf16>) {
  // expected-error @+1 {{'train.global_norm' op result #0 must be 0D tensor of 32-bit float or 64-bit float values, but got 'tensor<f16>'}}
  %n = train.global_norm %g : tensor<4xf16> -> tensor<f16>
  return
}
