// RUN: accrue-opt %s --split-input-file --verify-diagnostics --train-accumulate="micro-batch=2 coupled=error"

func.func @coupled(%x: tensor<?xf32> {train.role = #train.role<batch>, train.name = "pixels", train.batch_dim = 0 : i64})
    -> tensor<f32> attributes {train.model, train.batch = 4 : i64} {
  // expected-note @+2 {{'nn.mean' is combined over all samples (partial(sum))}}
  // expected-note @-3 {{it depends on batch input 'pixels' through 'nn.mean'}}
  %m = nn.mean %x dims [0] : tensor<?xf32> -> tensor<f32>
  %b = nn.broadcast %m dims [0] : tensor<f32> to tensor<?xf32>
  // expected-error @+3 {{'nn.sub' couples samples: every sample reads 'nn.mean' of all 4 samples}}
  // expected-note @+2 {{exact: --coupled store: 2 loops over the batch, 1.00 x the work of one, 0 B held for the whole batch}}
  // expected-note @+1 {{exact: --coupled recompute: 2 loops over the batch}}
  %d = nn.sub %x, %b : tensor<?xf32>
  %q = nn.square %d : tensor<?xf32>
  %v = nn.mean %q dims [0] : tensor<?xf32> -> tensor<f32>
  return %v : tensor<f32>
}

// -----

func.func @groups(%x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> attributes {train.model, train.batch = 9 : i64} {
  // expected-error @+2 {{groups 3 consecutive samples, which a micro-batch of 2 splits}}
  // expected-note @+1 {{choose micro-batches that are multiples of 3 samples}}
  %r = nn.reshape %x : tensor<?xf32> to tensor<?x3xf32, #nn.extents<"B/3">>
  %v = nn.mean %r dims [0, 1] : tensor<?x3xf32, #nn.extents<"B/3">> -> tensor<f32>
  return %v : tensor<f32>
}

// -----

func.func @fraction(%x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> attributes {train.model, train.batch = 8 : i64} {
  // expected-error @+2 {{expected whole extents, got B/3 for a batch of 8 samples}}
  // expected-note @+1 {{choose a batch that is a multiple of 3 samples}}
  %r = nn.reshape %x : tensor<?xf32> to tensor<?x3xf32, #nn.extents<"B/3">>
  %v = nn.mean %r dims [0, 1] : tensor<?x3xf32, #nn.extents<"B/3">> -> tensor<f32>
  return %v : tensor<f32>
}

// -----

// expected-error @+1 {{expected a micro-batch of at most the batch of 1 samples, got 2}}
func.func @small(%x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> attributes {train.model, train.batch = 1 : i64} {
  %v = nn.mean %x dims [0] : tensor<?xf32> -> tensor<f32>
  return %v : tensor<f32>
}

// -----

// expected-error @+1 {{expected a batch: neither the option 'batch' nor the attribute 'train.batch' is given}}
func.func @unknown(%x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> attributes {train.model} {
  %v = nn.mean %x dims [0] : tensor<?xf32> -> tensor<f32>
  return %v : tensor<f32>
}

// -----

func.func @no_rule(%x: tensor<?x3xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> attributes {train.model, train.batch = 4 : i64} {
  // expected-error @+1 {{'train.global_norm' reads samples but has no batch rule}}
  %v = train.global_norm %x : tensor<?x3xf32> -> tensor<f32>
  return %v : tensor<f32>
}

// -----

func.func @not_differentiated(
    %w: tensor<f32> {train.role = #train.role<param>, train.name = "w"},
    %x: tensor<?xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64})
    -> tensor<f32> attributes {train.step, train.batch = 4 : i64} {
  %s = nn.sum %x dims [0] : tensor<?xf32> -> tensor<f32>
  %l = nn.mul %s, %w : tensor<f32>
  // expected-error @+1 {{'train.gradient' op expected none before accumulation: expand it by train-differentiate first}}
  %g = train.gradient %l wrt %w : tensor<f32> wrt tensor<f32>
  return %g : tensor<f32>
}
