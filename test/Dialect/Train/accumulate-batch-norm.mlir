// RUN: accrue-opt %s --train-accumulate="micro-batch=2 batch-norm=micro" --canonicalize | FileCheck %s
// RUN: accrue-opt %s --train-accumulate="accumulate=1 batch-norm=micro" | FileCheck %s --check-prefix=WHOLE
// RUN: accrue-opt %s --verify-diagnostics --train-accumulate="micro-batch=2 coupled=error"

// Each micro-batch has statistics of its own; a single one is the batch.
// CHECK-LABEL: func.func @batch_norm(
// CHECK: train.accumulate count(2) size(2)
// CHECK: %[[H:.+]] = nn.matmul {{.*}} -> tensor<2x3xf32>
// CHECK: %[[Y:.+]] = nn.normalize %[[H]] dims [0] {{.*}} : tensor<2x3xf32>
// CHECK: train.yield
// CHECK-NOT: nn.normalize
// WHOLE-LABEL: func.func @batch_norm(
// WHOLE: nn.normalize {{.*}} : tensor<4x3xf32>
// WHOLE: nn.normalize_grad {{.*}} : tensor<4x3xf32>
func.func @batch_norm(
    %w: tensor<3x3xf32> {train.role = #train.role<param>, train.name = "w"},
    // expected-note @+1 {{it depends on batch input 'x' through 'nn.matmul'}}
    %x: tensor<?x3xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64})
    -> (tensor<f32>, tensor<?x3xf32>) attributes {train.model, train.batch = 4 : i64} {
  // expected-note @+1 {{'nn.matmul' is combined over all samples (partial(concat))}}
  %h = nn.matmul %x, %w : (tensor<?x3xf32>, tensor<3x3xf32>) -> tensor<?x3xf32>
  // expected-error @+4 {{'nn.normalize' couples samples: it reads 'nn.matmul' of all 4 samples}}
  // expected-note @+3 {{exact: --coupled store: 3 loops over the batch}}
  // expected-note @+2 {{exact: --coupled recompute: 3 loops over the batch}}
  // expected-note @+1 {{'--batch-norm micro' normalizes by the statistics of each micro-batch: a different step}}
  %y = nn.normalize %h dims [0] eps 1.0e-5 : tensor<?x3xf32>
  %d = nn.sub %y, %x : tensor<?x3xf32>
  %g = nn.normalize_grad %h, %d dims [0] eps 1.0e-5 : tensor<?x3xf32>
  %q = nn.square %d : tensor<?x3xf32>
  %loss = nn.mean %q dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  return %loss, %g : tensor<f32>, tensor<?x3xf32>
}
