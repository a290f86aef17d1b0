// Four micro-batches, each with a gradient of norm 0.5, make a gradient of
// norm 2.0, which is clipped to 1.0. (Clipping every micro-batch would leave
// all four alone and move the weight by 2.) A norm of 0.25 is left alone.

// DEFINE: %{step} = accrue-opt --train-build-step --train-differentiate
// DEFINE: %{interpret} = accrue-translate --interpret --interpret-precision=declared
// RUN: %{step} %s | %{interpret} | FileCheck %s
// RUN: %{step} --train-accumulate=accumulate=4 --canonicalize %s | %{interpret} | FileCheck %s
// RUN: %{step} --train-accumulate=accumulate=4 --canonicalize --train-fuse-optimizer %s | %{interpret} | FileCheck %s

// CHECK-LABEL: @clipped
// CHECK-NEXT: #0 w: [-1, 3]
// CHECK: grad_norm: 2 :
func.func @clipped(
    %w: tensor<2xf32> {train.role = #train.role<param>, train.name = "w", train.rule = #train.sgd<lr = 1.0, momentum = 0.0, nesterov = false, weight_decay = 0.0>, reference.value = dense<[0.0, 3.0]> : tensor<2xf32>},
    %x: tensor<?x2xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64, reference.value = dense<[[0.5, 0.0], [0.5, 0.0], [0.5, 0.0], [0.5, 0.0]]> : tensor<4x2xf32>})
    -> (tensor<f32> {train.result = #train.result<loss>, train.name = "loss"})
    attributes {train.model, train.batch = 4 : i64, train.clip_norm = 1.0 : f64} {
  %ws = nn.broadcast %w dims [0] : tensor<2xf32> to tensor<?x2xf32>
  %products = nn.mul %x, %ws : tensor<?x2xf32>
  %loss = nn.sum %products dims [0, 1] : tensor<?x2xf32> -> tensor<f32>
  return %loss : tensor<f32>
}

// CHECK-LABEL: @left_alone
// CHECK-NEXT: #0 w: [-0.25, 3]
// CHECK: grad_norm: 0.25 :
func.func @left_alone(
    %w: tensor<2xf32> {train.role = #train.role<param>, train.name = "w", train.rule = #train.sgd<lr = 1.0, momentum = 0.0, nesterov = false, weight_decay = 0.0>, reference.value = dense<[0.0, 3.0]> : tensor<2xf32>},
    %x: tensor<?x2xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64, reference.value = dense<[[0.0625, 0.0], [0.0625, 0.0], [0.0625, 0.0], [0.0625, 0.0]]> : tensor<4x2xf32>})
    -> (tensor<f32> {train.result = #train.result<loss>, train.name = "loss"})
    attributes {train.model, train.batch = 4 : i64, train.clip_norm = 1.0 : f64} {
  %ws = nn.broadcast %w dims [0] : tensor<2xf32> to tensor<?x2xf32>
  %products = nn.mul %x, %ws : tensor<?x2xf32>
  %loss = nn.sum %products dims [0, 1] : tensor<?x2xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
