// RUN: accrue-opt %s -train-verify=level=accumulated -split-input-file -verify-diagnostics

func.func @static(%x: tensor<4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> (tensor<f32> {train.result = #train.result<loss>}) attributes {train.model} {
  %r = train.accumulate count(2) size(2) offset(0) of(4)
      slices(%x : tensor<4xf32>) modes [#train.mapped<dim = 0>] reduce [#train.reducer<sum>] -> tensor<f32> {
  ^bb0(%first: index, %s: tensor<2xf32>):
    %1 = nn.sum %s dims [0] : tensor<2xf32> -> tensor<f32>
    train.yield %1 : tensor<f32>
  }
  return %r : tensor<f32>
}

// -----

// expected-error @+1 {{expected static types after accumulation, got 'tensor<?xf32>'}}
func.func @argument(%x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64}, %l: tensor<f32> {train.role = #train.role<param>})
    -> (tensor<f32> {train.result = #train.result<loss>}) attributes {train.model} {
  return %l : tensor<f32>
}

// -----

func.func @op(%l: tensor<f32> {train.role = #train.role<param>})
    -> (tensor<f32> {train.result = #train.result<loss>}) attributes {train.model} {
  // expected-error @+1 {{'nn.broadcast' op expected static types after accumulation, got 'tensor<?xf32>'}}
  %0 = nn.broadcast %l dims [0] : tensor<f32> to tensor<?xf32>
  return %l : tensor<f32>
}

// -----

func.func @nested(%x: tensor<4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> (tensor<f32> {train.result = #train.result<loss>}) attributes {train.model} {
  %r = train.accumulate count(2) size(2) offset(0) of(4) modes [] reduce [#train.reducer<sum>] -> tensor<f32> {
  ^bb0(%first: index):
    // expected-error @+1 {{'train.accumulate' op expected no loop over samples in another}}
    %0 = train.accumulate count(2) size(2) offset(0) of(4)
        slices(%x : tensor<4xf32>) modes [#train.mapped<dim = 0>] reduce [#train.reducer<sum>] -> tensor<f32> {
    ^bb0(%f: index, %s: tensor<2xf32>):
      %1 = nn.sum %s dims [0] : tensor<2xf32> -> tensor<f32>
      train.yield %1 : tensor<f32>
    }
    train.yield %0 : tensor<f32>
  }
  return %r : tensor<f32>
}
