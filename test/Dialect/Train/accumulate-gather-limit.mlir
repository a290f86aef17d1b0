// RUN: accrue-opt %s --split-input-file --verify-diagnostics --train-accumulate="micro-batch=2 gather-limit=95"
// RUN: accrue-opt %s --split-input-file --train-accumulate="micro-batch=2 gather-limit=96"
// RUN: accrue-opt %s --split-input-file --train-accumulate="accumulate=1 gather-limit=0"

// Four samples of six f32.
func.func @gathered(
    // expected-note @+1 {{it depends on batch input 'x' through 'nn.tanh'}}
    %x: tensor<?x6xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64})
    -> tensor<f32> attributes {train.model, train.batch = 4 : i64} {
  // expected-note @+1 {{'nn.tanh' is combined over all samples (partial(concat))}}
  %h = nn.tanh %x : tensor<?x6xf32>
  // Moving it is not what it is gathered for.
  %t = nn.transpose %h [1, 0] : tensor<?x6xf32> -> tensor<6x?xf32>
  // expected-error @+2 {{'nn.cumsum' reads 'nn.tanh' of all 4 samples at once: 96 B, above the limit of 95 B}}
  // expected-note @+1 {{reduce it over samples or features before, or raise '--gather-limit'}}
  %s = nn.cumsum %t dim 1 : tensor<6x?xf32>
  %v = nn.sum %s dims [0, 1] : tensor<6x?xf32> -> tensor<f32>
  return %v : tensor<f32>
}

// -----

// What is combined in an output has the shape that was asked for.
func.func @output(%x: tensor<?x100xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64})
    -> tensor<?x100xf32> attributes {train.model, train.batch = 4 : i64} {
  %h = nn.tanh %x : tensor<?x100xf32>
  return %h : tensor<?x100xf32>
}
