// Eight samples, four micro-batches of two, one weight, squared error. All
// numbers are small, so even f32 sums are exact: the gradients are equal, not
// merely close. The gradients of the micro-batches alone are -6.5, -40.5,
// -98.5 and -170.5; their mean is -79.

// DEFINE: %{gradients} = accrue-opt --train-build-step=gradients-only --train-differentiate
// DEFINE: %{interpret} = accrue-translate --interpret --interpret-precision=declared
// RUN: %{gradients} %s | %{interpret} | FileCheck %s
// RUN: %{gradients} --train-accumulate=accumulate=4 --canonicalize %s | %{interpret} | FileCheck %s
// RUN: %{gradients} --train-accumulate=micro-batch=3 --canonicalize %s | accrue-translate --interpret --interpret-digits=6 | FileCheck %s
// RUN: %{gradients} --train-accumulate="accumulate=4 omit-weights" --canonicalize %s | %{interpret} | FileCheck %s --check-prefix=CONTRAST

// CHECK-LABEL: @regression
// CHECK-NEXT: #0 loss: 62.375
// CHECK-NEXT: #1 w: -79
// CHECK-NEXT: #2 grad_norm: 79

// CONTRAST: #1 w: -316
func.func @regression(
    %w: tensor<f32> {train.role = #train.role<param>, train.name = "w", train.rule = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>, reference.value = dense<0.5> : tensor<f32>},
    %x: tensor<?xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64, reference.value = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>},
    %y: tensor<?xf32> {train.role = #train.role<batch>, train.name = "y", train.batch_dim = 0 : i64, reference.value = dense<[3.0, 3.0, 7.0, 8.0, 9.0, 14.0, 13.0, 17.0]> : tensor<8xf32>})
    -> (tensor<f32> {train.result = #train.result<loss>, train.name = "loss"})
    attributes {train.model, train.batch = 8 : i64} {
  %ws = nn.broadcast %w dims [0] : tensor<f32> to tensor<?xf32>
  %prediction = nn.mul %ws, %x : tensor<?xf32>
  %difference = nn.sub %prediction, %y : tensor<?xf32>
  %squares = nn.square %difference : tensor<?xf32>
  %loss = nn.mean %squares dims [0] : tensor<?xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
