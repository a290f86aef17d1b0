// 1000 samples, 64 per step, micro-batches of 16: 15 full batches, and a last
// one of 40 = 16 + 16 + 8 with weights 0.4, 0.4 and 0.2. Equal weights would
// give the mean of the means 5.375, 4.5625 and 1.75, which is 3.896, not the
// mean of 40 samples, 4.325.

// DEFINE: %{gradients} = accrue-opt --train-build-step=gradients-only --train-differentiate
// RUN: %{gradients} --train-accumulate="batch=64 micro-batch=16" --canonicalize %s | FileCheck %s --check-prefix=FULL
// RUN: %{gradients} --train-accumulate="batch=40 micro-batch=16" --canonicalize %s | FileCheck %s --check-prefix=TAIL
// RUN: %{gradients} %s | accrue-translate --interpret --interpret-batch=40 --interpret-digits=7 | FileCheck %s
// RUN: %{gradients} --train-accumulate="batch=40 micro-batch=16" --canonicalize %s | accrue-translate --interpret --interpret-digits=7 | FileCheck %s

// FULL: nn.constant dense<2.500000e-01>
// FULL: train.accumulate count(4) size(16) offset(0) of(64)
// FULL-NOT: train.accumulate

// TAIL-DAG: nn.constant dense<4.000000e-01>
// TAIL-DAG: nn.constant dense<2.000000e-01>
// TAIL: train.accumulate count(2) size(16) offset(0) of(40)
// TAIL: train.accumulate count(1) size(8) offset(32) of(40)
// TAIL-NOT: train.accumulate

// The loss is w times the mean, its gradient the mean.
// CHECK-LABEL: @mean
// CHECK-NEXT: #0 loss: 8.65
// CHECK-NEXT: #1 w: 4.325
func.func @mean(
    %w: tensor<f64> {train.role = #train.role<param>, train.name = "w", train.rule = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>, reference.value = dense<2.0> : tensor<f64>},
    %x: tensor<?xi32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64, reference.value = dense<[
        7, 5, 1, 8, 7, 8, 2, 7, 7, 7, 8, 4, 2, 6, 4, 3, 0, 7, 5, 5, 6, 6, 8, 2, 5, 8, 1, 2, 7, 0, 8, 3,
        1, 0, 3, 2, 3, 2, 2, 1]> : tensor<40xi32>})
    -> (tensor<f64> {train.result = #train.result<loss>, train.name = "loss"})
    attributes {train.model} {
  %values = nn.convert %x : tensor<?xi32> to tensor<?xf64>
  %ws = nn.broadcast %w dims [0] : tensor<f64> to tensor<?xf64>
  %products = nn.mul %values, %ws : tensor<?xf64>
  %loss = nn.mean %products dims [0] : tensor<?xf64> -> tensor<f64>
  return %loss : tensor<f64>
}
