// RUN: accrue-opt %s -train-build-step -split-input-file -verify-diagnostics

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>

// expected-error @+2 {{expected a parameter with a 'train.rule', got none: nothing is trained}}
// expected-note @+1 {{a 'train' block of the model gives its parameters rules, but for those that it freezes}}
func.func @frozen(%w: tensor<f32> {train.role = #train.role<param>, train.name = "w"})
    -> (tensor<f32> {train.result = #train.result<loss>}) attributes {train.model} {
  return %w : tensor<f32>
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
// expected-error @+1 {{expected a result that is the loss}}
func.func @no_loss(%w: tensor<f32> {train.role = #train.role<param>, train.name = "w", train.rule = #sgd})
    -> (tensor<f32> {train.result = #train.result<metric>}) attributes {train.model} {
  return %w : tensor<f32>
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
func.func @two(%w: tensor<f32> {train.role = #train.role<param>, train.name = "w", train.rule = #sgd})
    -> (tensor<f32> {train.result = #train.result<loss>}, tensor<f32> {train.result = #train.result<loss>})
    attributes {train.model} {
  // expected-note @+1 {{another loss is computed here}}
  %0 = nn.square %w : tensor<f32>
  // expected-error @+1 {{expected one loss}}
  %1 = nn.exp %w : tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
func.func @vector(%w: tensor<4xf32> {train.role = #train.role<param>, train.name = "w", train.rule = #sgd})
    -> (tensor<4xf32> {train.result = #train.result<loss>}) attributes {train.model} {
  // expected-error @+1 {{expected the loss to be a float scalar, got 'tensor<4xf32>'}}
  %0 = nn.square %w : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
func.func @unmarked(%w: tensor<f32> {train.role = #train.role<param>, train.name = "w", train.rule = #sgd})
    -> tensor<f32> attributes {train.model} {
  // expected-error @+1 {{expected result 0 to have the attribute 'train.result'}}
  return %w : tensor<f32>
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
func.func @kind(%w: tensor<f32> {train.role = #train.role<param>, train.name = "w", train.rule = #sgd})
    -> (tensor<f32> {train.result = #train.result<norm>}) attributes {train.model} {
  // expected-error @+1 {{expected result 0 to be the loss, a metric or an output, got #train.result<norm>}}
  return %w : tensor<f32>
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
// expected-error @+1 {{expected a parameter to have the attribute 'train.name'}}
func.func @unnamed(%w: tensor<f32> {train.role = #train.role<param>, train.rule = #sgd})
    -> (tensor<f32> {train.result = #train.result<loss>}) attributes {train.model} {
  return %w : tensor<f32>
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
// expected-error @+1 {{expected parameter "w" to be a float tensor of static shape, got 'tensor<?xf32>'}}
func.func @dynamic(%w: tensor<?xf32> {train.role = #train.role<param>, train.name = "w", train.rule = #sgd})
    -> (tensor<f32> {train.result = #train.result<loss>}) attributes {train.model} {
  %0 = nn.sum %w dims [0] : tensor<?xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
// expected-error @+1 {{expected 'train.clip_norm' to be positive, got -1.000000e+00 : f64}}
func.func @clip(%w: tensor<f32> {train.role = #train.role<param>, train.name = "w", train.rule = #sgd})
    -> (tensor<f32> {train.result = #train.result<loss>}) attributes {train.model, train.clip_norm = -1.0 : f64} {
  return %w : tensor<f32>
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
// expected-error @+1 {{expected 'train.loss_scale' to be positive and, for a loss of type 'f16', at most 6.550400e+04, got 6.553600e+04 : f64}}
func.func @too_large(%w: tensor<f16> {train.role = #train.role<param>, train.name = "w", train.rule = #sgd})
    -> (tensor<f16> {train.result = #train.result<loss>, train.name = "loss"})
    attributes {train.model, train.loss_scale = 65536.0 : f64} {
  return %w : tensor<f16>
}

// -----

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
// expected-error @+1 {{expected 'train.loss_scale' to be positive and, for a loss of type 'f32', at most 3.402823e+38, got 0.000000e+00 : f64}}
func.func @zero(%w: tensor<f32> {train.role = #train.role<param>, train.name = "w", train.rule = #sgd})
    -> (tensor<f32> {train.result = #train.result<loss>, train.name = "loss"})
    attributes {train.model, train.loss_scale = 0.0 : f64} {
  return %w : tensor<f32>
}
