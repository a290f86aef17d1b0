// RUN: accrue-opt %s -train-rematerialize -verify-diagnostics

func.func private @f(tensor<2xf32>) -> tensor<2xf32>

func.func @impure(%x: tensor<4xf32>) -> tensor<f32> {
  %r = train.accumulate count(2) size(2) offset(0) of(4)
      slices(%x : tensor<4xf32>) modes [#train.mapped<dim = 0>] reduce [#train.reducer<sum>] -> tensor<f32> {
  ^bb0(%first: index, %s: tensor<2xf32>):
    // expected-error @+1 {{op 'func.call' is pinned with 'train.recompute' but cannot be computed again}}
    %0 = func.call @f(%s) {train.recompute} : (tensor<2xf32>) -> tensor<2xf32>
    %1 = nn.sum %0 dims [0] : tensor<2xf32> -> tensor<f32>
    train.yield %1 : tensor<f32>
  }
  return %r : tensor<f32>
}
