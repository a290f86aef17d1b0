// RUN: accrue-opt %s -train-differentiate -split-input-file -verify-diagnostics

// The loss depends on the parameter only through an op without a derivative.
// expected-note @+1 {{it depends on this parameter 'fc.weight'}}
func.func @no_rule(%w: tensor<4x3xf32> {train.role = #train.role<param>, train.name = "fc.weight"},
                   %label: tensor<4xi32>, %ct: tensor<4xf32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{op 'nn.cross_entropy_grad' has no derivative}}
  %g = nn.cross_entropy_grad %w, %label, %ct : tensor<4x3xf32>, tensor<4xi32>, tensor<4xf32>
  // expected-note @+1 {{and this loss depends on it}}
  %loss = nn.sum %g dims [0, 1] : tensor<4x3xf32> -> tensor<f32>
  %dw = train.gradient %loss wrt %w : tensor<f32> wrt tensor<4x3xf32>
  return %dw : tensor<4x3xf32>
}

// -----

// An op with a region depends on what the region captures.
// expected-note @+1 {{it depends on this value}}
func.func @captured(%w: tensor<f32>, %x: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+2 {{op 'train.accumulate' has no derivative}}
  // expected-note @+1 {{and this loss depends on it}}
  %loss = train.accumulate count(2) size(2) offset(0) of(4)
      slices(%x : tensor<4xf32>) modes [#train.mapped<dim = 0>] reduce [#train.reducer<sum>] -> tensor<f32> {
  ^bb0(%first: index, %s: tensor<2xf32>):
    %0 = nn.sum %s dims [0] : tensor<2xf32> -> tensor<f32>
    %1 = nn.mul %0, %w : tensor<f32>
    train.yield %1 : tensor<f32>
  }
  %dw = train.gradient %loss wrt %w : tensor<f32> wrt tensor<f32>
  return %dw : tensor<f32>
}

// -----

func.func @outside(%w: tensor<f32>, %x: tensor<4xf32>) -> tensor<f32> {
  // expected-note @+1 {{the loss is defined here}}
  %loss = nn.exp %w : tensor<f32>
  %r = train.accumulate count(2) size(2) offset(0) of(4)
      slices(%x : tensor<4xf32>) modes [#train.mapped<dim = 0>] reduce [#train.reducer<sum>] -> tensor<f32> {
  ^bb0(%first: index, %s: tensor<2xf32>):
    // expected-error @+1 {{'train.gradient' op expected the loss to be defined in the block of the op}}
    %dw = train.gradient %loss wrt %w : tensor<f32> wrt tensor<f32>
    train.yield %dw : tensor<f32>
  }
  return %r : tensor<f32>
}

// -----

// expected-note @+1 {{the parameter 'w' is defined here}}
func.func @outside_wrt(%w: tensor<f32> {train.role = #train.role<param>, train.name = "w"}, %x: tensor<4xf32>) -> tensor<f32> {
  %r = train.accumulate count(2) size(2) offset(0) of(4)
      slices(%x : tensor<4xf32>) modes [#train.mapped<dim = 0>] reduce [#train.reducer<sum>] -> tensor<f32> {
  ^bb0(%first: index, %s: tensor<2xf32>):
    %loss = nn.exp %w : tensor<f32>
    // expected-error @+1 {{'train.gradient' op expected the parameter 'w' to be defined in the block of the op}}
    %dw = train.gradient %loss wrt %w : tensor<f32> wrt tensor<f32>
    train.yield %dw : tensor<f32>
  }
  return %r : tensor<f32>
}

// -----

func.func @unused(%w: tensor<f32>,
    // expected-warning @+1 {{the loss does not depend on parameter 'v': its gradient is zero}}
    %v: tensor<4x3xf32> {train.role = #train.role<param>, train.name = "v"}) -> tensor<4x3xf32> {
  %loss = nn.exp %w : tensor<f32>
  %dw, %dv = train.gradient %loss wrt %w, %v : tensor<f32> wrt tensor<f32>, tensor<4x3xf32>
  return %dv : tensor<4x3xf32>
}
