// B11, B19: results with samples keep shape, order and element type, whatever the
// split: along the first dimension and along the second.
// Kind: combination of results. Seen in https://github.com/alpa-projects/alpa/issues/268

// DEFINE: %{gradients} = accrue-opt --train-build-step=gradients-only --train-differentiate
// RUN: %{gradients} %s | accrue-translate --interpret --interpret-precision=declared | FileCheck %s
// RUN: %{gradients} --train-accumulate=accumulate=2 %s | accrue-translate --interpret --interpret-precision=declared | FileCheck %s
// RUN: %{gradients} --train-accumulate=micro-batch=3 %s | accrue-translate --interpret --interpret-precision=declared | FileCheck %s
// RUN: %{gradients} --train-accumulate=micro-batch=1 %s | accrue-translate --interpret --interpret-precision=declared | FileCheck %s

// CHECK-LABEL: @results
// CHECK: loss: 3.5
// CHECK: correct: 3 : tensor<i32>
// CHECK: largest: 6
// CHECK: logits: {{\[\[1, 2, 3], \[3, 4, 5], \[6, 2, 1], \[0, 9, 6]]}} : tensor<4x3xf32>
// CHECK: chosen: [2, 2, 0, 1] : tensor<4xi32>
func.func @results(
    %w: tensor<f32> {train.role = #train.role<param>, train.name = "w", train.rule = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>, reference.value = dense<1.0> : tensor<f32>},
    %x: tensor<?x3xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64, reference.value = dense<[[1.0, 2.0, 3.0], [3.0, 4.0, 5.0], [6.0, 2.0, 1.0], [0.0, 9.0, 6.0]]> : tensor<4x3xf32>},
    %hit: tensor<?xi32> {train.role = #train.role<batch>, train.name = "hit", train.batch_dim = 0 : i64, reference.value = dense<[1, 0, 1, 1]> : tensor<4xi32>})
    -> (tensor<f32> {train.result = #train.result<loss>, train.name = "loss"},
        tensor<i32> {train.result = #train.result<metric>, train.name = "correct"},
        tensor<f32> {train.result = #train.result<metric>, train.name = "largest"},
        tensor<?x3xf32> {train.result = #train.result<output>, train.name = "logits"},
        tensor<?xi32> {train.result = #train.result<output>, train.name = "chosen"})
    attributes {train.model, train.batch = 4 : i64} {
  %ws = nn.broadcast %w dims [0, 1] : tensor<f32> to tensor<?x3xf32>
  %logits = nn.mul %ws, %x : tensor<?x3xf32>
  %chosen = nn.argmax %logits dim 1 : tensor<?x3xf32> -> tensor<?xi32>
  %counts = nn.convert %hit : tensor<?xi32> to tensor<?xf32>
  %count = nn.sum %counts dims [0] : tensor<?xf32> -> tensor<f32>
  %correct = nn.convert %count : tensor<f32> to tensor<i32>
  %first = nn.slice %logits dim 1 from 0 to 1 : tensor<?x3xf32> -> tensor<?x1xf32>
  %largest = nn.reduce_max %first dims [0, 1] : tensor<?x1xf32> -> tensor<f32>
  %loss = nn.mean %logits dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  return %loss, %correct, %largest, %logits, %chosen : tensor<f32>, tensor<i32>, tensor<f32>, tensor<?x3xf32>, tensor<?xi32>
}

// CHECK-LABEL: @positions
// CHECK: loss: 4.5
// CHECK: losses: {{\[\[1, 2, 3, 4, 5, 6, 7, 8]]}} : tensor<1x8xf32>
func.func @positions(
    %w: tensor<f32> {train.role = #train.role<param>, train.name = "w", train.rule = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>, reference.value = dense<1.0> : tensor<f32>},
    %x: tensor<1x?xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 1 : i64, reference.value = dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]]> : tensor<1x8xf32>})
    -> (tensor<f32> {train.result = #train.result<loss>, train.name = "loss"},
        tensor<1x?xf32> {train.result = #train.result<output>, train.name = "losses"})
    attributes {train.model, train.batch = 8 : i64} {
  %ws = nn.broadcast %w dims [0, 1] : tensor<f32> to tensor<1x?xf32>
  %losses = nn.mul %ws, %x : tensor<1x?xf32>
  %loss = nn.mean %losses dims [0, 1] : tensor<1x?xf32> -> tensor<f32>
  return %loss, %losses : tensor<f32>, tensor<1x?xf32>
}
