// Linear regression on 64 samples of five features in four micro-batches of
// 16: the gradients of the full batch, and exactly 4.0 times as large where
// the weight 1/4 is left out. All numbers are exact in f32.

// DEFINE: %{gradients} = accrue-opt --train-build-step=gradients-only --train-differentiate
// DEFINE: %{interpret} = accrue-translate --interpret --interpret-precision=declared
// RUN: %{gradients} %s | %{interpret} | FileCheck %s
// RUN: %{gradients} --train-accumulate=micro-batch=16 --canonicalize %s | %{interpret} | FileCheck %s
// RUN: %{gradients} --train-accumulate=micro-batch=16 --canonicalize --train-rematerialize=policy=full %s | %{interpret} | FileCheck %s
// RUN: %{gradients} --train-accumulate="micro-batch=16 omit-weights" --canonicalize %s | %{interpret} | FileCheck %s --check-prefix=CONTRAST
// RUN: %{gradients} --train-accumulate=micro-batch=16 --canonicalize %s | FileCheck %s --check-prefix=WEIGHT

// CHECK-LABEL: @regression
// CHECK-NEXT: #0 loss: 50.035156 :
// CHECK-NEXT: #1 weight: [11.9609375, -8.71875, 2.953125, 10.921875, -2.96875]
// CHECK-NEXT: #2 bias: -0.859375

// CONTRAST-LABEL: @regression
// CONTRAST: #1 weight: [47.84375, -34.875, 11.8125, 43.6875, -11.875]
// CONTRAST-NEXT: #2 bias: -3.4375

// WEIGHT: nn.constant dense<2.500000e-01>
// WEIGHT-NOT: nn.constant dense<2.500000e-01>
// WEIGHT: train.accumulate count(4) size(16) offset(0) of(64)
// WEIGHT-NOT: train.accumulate
func.func @regression(
    %weight: tensor<5xf32> {train.role = #train.role<param>, train.name = "weight", train.rule = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>, reference.value = dense<[0.5, -1.0, 0.25, 2.0, -0.5]> : tensor<5xf32>},
    %bias: tensor<f32> {train.role = #train.role<param>, train.name = "bias", train.rule = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>, reference.value = dense<0.5> : tensor<f32>},
    %features: tensor<?x5xi32> {train.role = #train.role<batch>, train.name = "features", train.batch_dim = 0 : i64, reference.value = dense<[
        [1, -2, 3, 0, 0], [1, -2, 3, -3, -2], [3, -1, -1, -3, 3], [1, -3, 1, -3, 0], [-1, 3, 0, 1, 1], [2, -3, -3, 2, -3], [0, 2, -3, -1, -3], [-2, 3, 3, 1, 3],
        [-2, 0, 0, -3, 0], [-3, -2, -3, -3, 3], [2, 1, 1, 1, -1], [-2, 0, -3, 2, 1], [-3, 2, 1, 0, -2], [0, 0, 0, -2, 0], [0, 1, 0, -2, 0], [3, -2, 2, -2, 2],
        [-2, -1, 0, -1, -1], [2, 0, 0, -1, -3], [1, 2, 0, -2, -2], [1, 0, 3, 3, 1], [1, 2, 1, 0, 0], [-3, 1, 0, -3, -1], [-1, 3, 0, 2, -1], [0, 2, 1, 1, 2],
        [-3, 3, 3, 2, 3], [2, 1, 0, -2, -1], [2, 1, 1, -2, -2], [2, -1, -3, 1, 3], [3, -1, 1, 3, -3], [-1, 0, -1, 3, 1], [-2, 2, 3, -1, -2], [2, -2, 3, 1, -2],
        [-3, 1, 3, 2, -2], [2, 1, 0, 1, -2], [0, 3, -3, -2, 2], [2, 3, 0, 1, -3], [0, -2, 1, 1, 2], [1, 2, -1, -2, 3], [0, 0, -1, 1, -3], [2, 0, 2, -3, 2],
        [-2, 2, -3, 1, 0], [3, 2, -2, -1, -3], [-1, -3, 3, -1, -2], [-2, 2, 2, 0, -2], [3, -3, -3, -2, -2], [3, -2, 2, 0, -1], [-3, 2, -1, -1, 3], [1, -1, 0, 1, -3],
        [-2, 1, -2, 1, 3], [0, 3, -1, 1, -2], [-3, -1, 1, -3, -3], [1, -2, 3, -3, -1], [-3, 0, 2, 2, -3], [-2, 0, -1, -3, -3], [1, 2, 1, 0, 2], [-2, 2, 3, -1, 1],
        [-3, 1, -1, -1, -3], [3, 3, 3, 2, 0], [-2, 2, -3, 0, -2], [-1, -3, -2, 0, 0], [1, 3, 2, 0, -2], [2, 3, 3, 1, 0], [1, -3, -2, -1, -1], [-3, 1, 0, -2, -3]]> : tensor<64x5xi32>},
    %target: tensor<?xi32> {train.role = #train.role<batch>, train.name = "target", train.batch_dim = 0 : i64, reference.value = dense<[-8, 6, -7, 3, -5, 3, 2, 8, 9, 9, 9, -4, -2, -4, -4, -3, 7, 1, 5, -5, 5, -3, 4, -7, 3, 7, 5, -4, -1, 0, 3, -2, 5, -3, -7, -4, 8, 5, 0, -6, 6, -9, -6, -3, -9, -8, -7, 2, 6, 2, -5, -1, 4, 2, -2, -2, -2, 4, 9, -6, 8, -8, -1, 6]> : tensor<64xi32>})
    -> (tensor<f32> {train.result = #train.result<loss>, train.name = "loss"})
    attributes {train.model, train.batch = 64 : i64} {
  %x = nn.convert %features : tensor<?x5xi32> to tensor<?x5xf32>
  %y = nn.convert %target : tensor<?xi32> to tensor<?xf32>
  %column = nn.reshape %weight : tensor<5xf32> to tensor<5x1xf32>
  %product = nn.matmul %x, %column : (tensor<?x5xf32>, tensor<5x1xf32>) -> tensor<?x1xf32>
  %rows = nn.reshape %product : tensor<?x1xf32> to tensor<?xf32>
  %biases = nn.broadcast %bias dims [0] : tensor<f32> to tensor<?xf32>
  %prediction = nn.add %rows, %biases : tensor<?xf32>
  %difference = nn.sub %prediction, %y : tensor<?xf32>
  %squares = nn.square %difference : tensor<?xf32>
  %loss = nn.mean %squares dims [0] : tensor<?xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
