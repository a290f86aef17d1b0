// RUN: accrue-opt %s --form-kernels -split-input-file -verify-diagnostics

// expected-error @below {{expected arguments of static shape, got 'tensor<?xf32>'; run 'train-accumulate' first}}
func.func @symbolic(%x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64}) attributes {train.model} {
  return
}

// -----

func.func @half(%x: tensor<4x4xf16> {train.role = #train.role<param>, train.name = "w"}) -> tensor<4x4xf16> attributes {train.model} {
  // expected-error @below {{expected a product of f32 or f64 matrices, got 'f16'}}
  %0 = nn.matmul %x, %x : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  return %0 : tensor<4x4xf16>
}

// -----

func.func @unfused(%w: tensor<4xf32> {train.role = #train.role<param>, train.name = "w"}, %n: tensor<f32> {train.role = #train.role<scalar>})
    -> tensor<4xf32> attributes {train.step} {
  // expected-error @below {{expected one 'train.fused_update', got 'train.clip'; run 'train-fuse-optimizer' first}}
  %0 = train.clip %w by %n max 1.0 : tensor<4xf32> by tensor<f32>
  return %0 : tensor<4xf32>
}

// -----

func.func @foreign(%w: tensor<4xf32> {train.role = #train.role<param>, train.name = "w"}) -> tensor<4xf32> attributes {train.model} {
  // expected-error @below {{expected an op that can become a kernel, got 'math.exp'}}
  %0 = math.exp %w : tensor<4xf32>
  return %0 : tensor<4xf32>
}
