// 32 samples in four micro-batches of 8: the norm of every parameter's
// gradient is that of the full batch. (The norms of the micro-batches are not:
// those of w1 are 0.626, 0.359, 0.195 and 0.542; values by numpy.)
//
// The function is a step as any other front end may write it: it has marks and
// a gradient, and asks for norms of its own.

// DEFINE: %{interpret} = accrue-translate --interpret --interpret-digits=7
// RUN: accrue-opt --train-differentiate %s | %{interpret} | FileCheck %s
// RUN: accrue-opt --train-differentiate --train-accumulate=micro-batch=8 --canonicalize --cse %s | %{interpret} | FileCheck %s
// RUN: accrue-opt --train-differentiate --train-accumulate=micro-batch=8 --canonicalize --cse --train-rematerialize=policy=full %s | %{interpret} | FileCheck %s
// RUN: accrue-opt --train-differentiate --train-accumulate=micro-batch=9 --canonicalize --cse %s | %{interpret} | FileCheck %s

// CHECK-LABEL: @step
// CHECK-NEXT: #0 loss: 0.7750611
// CHECK-NEXT: #1 w1: 0.1668522
// CHECK-NEXT: #2 b1: 0.1234537
// CHECK-NEXT: #3 w2: 0.1366842
// CHECK-NEXT: #4 b2: 0.1311521
func.func @step(
    %w1: tensor<3x2xf64> {train.role = #train.role<param>, train.name = "w1", reference.value = dense<[[0.375, 0.25], [1.0, 1.0], [0.5, -0.5]]> : tensor<3x2xf64>},
    %b1: tensor<3xf64> {train.role = #train.role<param>, train.name = "b1", reference.value = dense<[0.125, -0.25, 0.5]> : tensor<3xf64>},
    %w2: tensor<2x3xf64> {train.role = #train.role<param>, train.name = "w2", reference.value = dense<[[0.5, 0.5, 1.0], [-0.75, -0.125, -0.875]]> : tensor<2x3xf64>},
    %b2: tensor<2xf64> {train.role = #train.role<param>, train.name = "b2", reference.value = dense<[0.25, -0.125]> : tensor<2xf64>},
    %x: tensor<?x2xf64> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64, reference.value = dense<[
        [1.0, -0.25], [1.0, 1.0], [-1.0, 0.25], [-0.25, 0.25], [0.75, 0.5], [-1.0, 0.0], [0.75, 1.0], [-0.75, 0.5],
        [-0.5, -0.5], [-0.75, -0.25], [0.25, 1.0], [-0.75, 1.0], [0.75, 1.0], [-0.75, -1.0], [0.25, 0.0], [-0.75, 0.25],
        [0.0, 0.75], [0.5, -1.0], [-1.0, -0.5], [0.0, 0.25], [1.0, 1.0], [0.75, 0.25], [-0.75, -0.75], [-0.75, 0.25],
        [0.25, 0.75], [0.0, -0.25], [-1.0, -1.0], [-1.0, -1.0], [-0.5, -0.5], [0.75, -1.0], [0.25, -1.0], [-0.75, 0.0]]> : tensor<32x2xf64>},
    %label: tensor<?xi32> {train.role = #train.role<batch>, train.name = "label", train.batch_dim = 0 : i64, reference.value = dense<[
        1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1]> : tensor<32xi32>})
    -> (tensor<f64> {train.result = #train.result<loss>, train.name = "loss"},
        tensor<f32> {train.result = #train.result<norm>, train.name = "w1"}, tensor<f32> {train.result = #train.result<norm>, train.name = "b1"},
        tensor<f32> {train.result = #train.result<norm>, train.name = "w2"}, tensor<f32> {train.result = #train.result<norm>, train.name = "b2"})
    attributes {train.step, train.batch = 32 : i64} {
  %0 = nn.matmul %x, %w1 transpose_rhs : (tensor<?x2xf64>, tensor<3x2xf64>) -> tensor<?x3xf64>
  %1 = nn.broadcast %b1 dims [0] : tensor<3xf64> to tensor<?x3xf64>
  %2 = nn.add %0, %1 : tensor<?x3xf64>
  %3 = nn.tanh %2 : tensor<?x3xf64>
  %4 = nn.matmul %3, %w2 transpose_rhs : (tensor<?x3xf64>, tensor<2x3xf64>) -> tensor<?x2xf64>
  %5 = nn.broadcast %b2 dims [0] : tensor<2xf64> to tensor<?x2xf64>
  %6 = nn.add %4, %5 : tensor<?x2xf64>
  %7 = nn.cross_entropy %6, %label : (tensor<?x2xf64>, tensor<?xi32>) -> tensor<?xf64>
  %loss = nn.mean %7 dims [0] : tensor<?xf64> -> tensor<f64>
  %g:4 = train.gradient %loss wrt %w1, %b1, %w2, %b2 : tensor<f64> wrt tensor<3x2xf64>, tensor<3xf64>, tensor<2x3xf64>, tensor<2xf64>
  %n0 = train.global_norm %g#0 : tensor<3x2xf64> -> tensor<f32>
  %n1 = train.global_norm %g#1 : tensor<3xf64> -> tensor<f32>
  %n2 = train.global_norm %g#2 : tensor<2x3xf64> -> tensor<f32>
  %n3 = train.global_norm %g#3 : tensor<2xf64> -> tensor<f32>
  return %loss, %n0, %n1, %n2, %n3 : tensor<f64>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}
