// RUN: accrue-opt %s -train-verify=level=step -split-input-file -verify-diagnostics

#sgd = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>
// A program as it should be, and one that is no step.
func.func @good(%w: tensor<f32> {train.role = #train.role<param>, train.name = "w", train.rule = #sgd},
                %x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> (tensor<f32> {train.updates = 0 : i64}, tensor<f32> {train.result = #train.result<loss>}) attributes {train.step} {
  return %w, %w : tensor<f32>, tensor<f32>
}
func.func @other(%x: tensor<?xf32>, %w: tensor<f32>) -> tensor<f32> {
  %g = train.gradient %w wrt %w : tensor<f32> wrt tensor<f32>
  return %g : tensor<f32>
}

// -----

func.func @gradient(%w: tensor<f32> {train.role = #train.role<param>})
    -> (tensor<f32> {train.result = #train.result<loss>}) attributes {train.step} {
  // expected-error @+1 {{'train.gradient' op expected none after differentiation}}
  %g = train.gradient %w wrt %w : tensor<f32> wrt tensor<f32>
  return %g : tensor<f32>
}

// -----

// expected-error @+1 {{expected result 0 to have the attribute 'train.result' or 'train.updates'}}
func.func @unmarked(%w: tensor<f32> {train.role = #train.role<param>}) -> tensor<f32> attributes {train.step} {
  return %w : tensor<f32>
}

// -----

// expected-error @+1 {{expected one result that is the loss, got 0}}
func.func @no_loss(%w: tensor<f32> {train.role = #train.role<param>}) attributes {train.step} {
  return
}

// -----

// expected-error @+1 {{expected one new value of argument 0, got results 0 and 1}}
func.func @twice(%w: tensor<f32> {train.role = #train.role<param>})
    -> (tensor<f32> {train.updates = 0 : i64}, tensor<f32> {train.updates = 0 : i64}) attributes {train.step} {
  return %w, %w : tensor<f32>, tensor<f32>
}

// -----

// expected-error @+1 {{expected result 0 to have the type 'tensor<f32>' of argument 0 that it updates, got 'tensor<4xf32>'}}
func.func @type(%w: tensor<f32> {train.role = #train.role<param>}, %v: tensor<4xf32> {train.role = #train.role<param>})
    -> (tensor<4xf32> {train.updates = 0 : i64}) attributes {train.step} {
  return %v : tensor<4xf32>
}
