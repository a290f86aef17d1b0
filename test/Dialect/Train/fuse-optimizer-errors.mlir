// RUN: accrue-opt %s -train-fuse-optimizer -split-input-file -verify-diagnostics

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
func.func @counter(%p: tensor<f32>, %t: tensor<i64>, %u: tensor<i64>, %f: tensor<f32>, %ok: tensor<i1>) -> (tensor<f32>, tensor<f32>) {
  // expected-note @+1 {{another update is here}}
  %a = train.update #sgd on %p, %p completed %t factor %f if %ok
    : tensor<f32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i1>
  // expected-error @+1 {{expected all updates of a step to have one counter of steps}}
  %b = train.update #sgd on %p, %p completed %u factor %f if %ok
    : tensor<f32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i1>
  return %a, %b : tensor<f32>, tensor<f32>
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
func.func @factor(%p: tensor<f32>, %t: tensor<i64>, %f: tensor<f32>, %ok: tensor<i1>) -> (tensor<f32>, tensor<f32>) {
  // expected-note @+1 {{another update is here}}
  %a = train.update #sgd on %p, %p completed %t factor %f if %ok
    : tensor<f32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i1>
  // expected-error @+1 {{expected all updates of a step to have one factor}}
  %b = train.update #sgd on %p, %p completed %t factor %p if %ok
    : tensor<f32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i1>
  return %a, %b : tensor<f32>, tensor<f32>
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
func.func @finite(%p: tensor<f32>, %t: tensor<i64>, %f: tensor<f32>, %ok: tensor<i1>, %no: tensor<i1>) -> (tensor<f32>, tensor<f32>) {
  // expected-note @+1 {{another update is here}}
  %a = train.update #sgd on %p, %p completed %t factor %f if %ok
    : tensor<f32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i1>
  // expected-error @+1 {{expected all updates of a step to have one finite flag}}
  %b = train.update #sgd on %p, %p completed %t factor %f if %no
    : tensor<f32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i1>
  return %a, %b : tensor<f32>, tensor<f32>
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
func.func @clip(%p: tensor<f32>, %t: tensor<i64>, %f: tensor<f32>, %ok: tensor<i1>) -> (tensor<f32>, tensor<f32>) {
  %c = train.clip %p by %f max 1.0 : tensor<f32> by tensor<f32>
  // expected-note @+1 {{another update is here}}
  %a = train.update #sgd on %p, %c completed %t factor %f if %ok
    : tensor<f32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i1>
  // expected-error @+1 {{expected all updates of a step to have one clipping}}
  %b = train.update #sgd on %p, %p completed %t factor %f if %ok
    : tensor<f32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i1>
  return %a, %b : tensor<f32>, tensor<f32>
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
func.func @clip_user(%p: tensor<f32>, %t: tensor<i64>, %f: tensor<f32>, %ok: tensor<i1>) -> (tensor<f32>, tensor<f32>) {
  // expected-error @+1 {{expected clipped gradients to be read by updates only}}
  %c = train.clip %p by %f max 1.0 : tensor<f32> by tensor<f32>
  %a = train.update #sgd on %p, %c completed %t factor %f if %ok
    : tensor<f32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i1>
  // expected-note @+1 {{it is read here}}
  %b = nn.neg %c : tensor<f32>
  return %a, %b : tensor<f32>, tensor<f32>
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
func.func @early_use(%p: tensor<f32>, %t: tensor<i64>, %f: tensor<f32>, %ok: tensor<i1>) -> (tensor<f32>, tensor<f32>) {
  %a = train.update #sgd on %p, %p completed %t factor %f if %ok
    : tensor<f32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i1>
  // expected-error @+1 {{new value of 'train.update' is read before the last update}}
  %g = nn.neg %a : tensor<f32>
  // expected-note @+1 {{the last update is here}}
  %b = train.update #sgd on %p, %g completed %t factor %f if %ok
    : tensor<f32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i1>
  return %a, %b : tensor<f32>, tensor<f32>
}
