// RUN: accrue-opt %s --split-input-file --verify-diagnostics --train-accumulate="micro-batch=2 coupled=error"

// Statistics of samples that others share take further loops.
func.func @softmax_over_samples(
    // expected-note @+1 {{it depends on batch input 'x' through 'nn.exp'}}
    %x: tensor<?x3xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64})
    -> tensor<f32> attributes {train.model, train.batch = 4 : i64} {
  // expected-note @+1 {{'nn.exp' is combined over all samples (partial(concat))}}
  %e = nn.exp %x : tensor<?x3xf32>
  // expected-error @+3 {{'nn.softmax' couples samples: it reads 'nn.exp' of all 4 samples}}
  // expected-note @+2 {{exact: --coupled store}}
  // expected-note @+1 {{exact: --coupled recompute}}
  %y = nn.softmax %e dim 0 : tensor<?x3xf32>
  %d = nn.sub %y, %x : tensor<?x3xf32>
  %loss = nn.mean %d dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

// Over features, heads and positions of one sample there is nothing to refuse.
func.func @within_samples(
    %x: tensor<?x4x2x2xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64})
    -> tensor<f32> attributes {train.model, train.batch = 4 : i64} {
  %a = nn.normalize %x dims [1, 2, 3] eps 1.0e-5 : tensor<?x4x2x2xf32>
  %b = nn.rms_norm %a dims [3] eps 1.0e-5 : tensor<?x4x2x2xf32>
  %c = nn.softmax %b dim 1 : tensor<?x4x2x2xf32>
  %d = nn.attention %c, %b, %a causal scale 0.5 : (tensor<?x4x2x2xf32>, tensor<?x4x2x2xf32>, tensor<?x4x2x2xf32>) -> tensor<?x4x2x2xf32>
  %e = nn.logsumexp %d dims [1, 2] : tensor<?x4x2x2xf32> -> tensor<?x2xf32>
  %f = nn.log_softmax %e dim 1 : tensor<?x2xf32>
  %loss = nn.mean %f dims [0, 1] : tensor<?x2xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
