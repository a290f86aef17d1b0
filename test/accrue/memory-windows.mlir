// RUN: accrue compile %s --accumulate 1 --emit planned | FileCheck %s
// RUN: accrue compile %s --accumulate 1 2>&1 | FileCheck %s --check-prefix=PLAN

// Two convolutions of 8 images of 8 x 8 pixels. The windows of each are 9 times
// as large as its input: 8 * 64 * 4 * 9 * 4 = 73,728 bytes. They are in memory
// for a product each, two in the forward and two in the backward pass, one
// after another at the same place. Nothing of them is kept, only the results of
// the two tanh, 8 * 64 * 4 * 4 = 8,192 bytes each, and the rate of the schedule.

// CHECK: <"unfold" in activations at [[PLACE:[0-9]+]] bytes 73728 : tensor<8x8x8x4x3x3xf32>
// CHECK-SAME: <"unfold" in activations at [[PLACE]] bytes 73728
// CHECK-SAME: <"unfold_grad" in activations at [[PLACE]] bytes 73728
// CHECK-SAME: <"unfold_grad" in activations at [[PLACE]] bytes 73728
// PLAN: kept for backward 16,388

func.func @windows(
    %w: tensor<4x4x3x3xf32> {train.role = #train.role<param>, train.name = "w", train.rule = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>},
    %v: tensor<4x4x3x3xf32> {train.role = #train.role<param>, train.name = "v", train.rule = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>},
    %x: tensor<?x4x8x8xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64})
    -> (tensor<f32> {train.result = #train.result<loss>, train.name = "loss"})
    attributes {train.model, train.batch = 8 : i64, train.schedule = #train.constant} {
  %0 = nn.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] dilation [1, 1] groups 1 : (tensor<?x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<?x4x8x8xf32>
  %1 = nn.tanh %0 : tensor<?x4x8x8xf32>
  %2 = nn.conv2d %1, %v stride [1, 1] padding [1, 1, 1, 1] dilation [1, 1] groups 1 : (tensor<?x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<?x4x8x8xf32>
  %3 = nn.tanh %2 : tensor<?x4x8x8xf32>
  %4 = nn.sum %3 dims [0, 1, 2, 3] : tensor<?x4x8x8xf32> -> tensor<f32>
  return %4 : tensor<f32>
}
