// RUN: accrue-opt %s --train-freeze-statistics | FileCheck %s

// Statistics over samples give way to state, which stays; other state, statistics
// of single samples and other choices of the mode do not.
// CHECK-LABEL: func.func @batch_norm(
// CHECK-SAME: %[[X:[^ :]+]]: tensor<?x3xf32>
// CHECK-SAME: %[[MEAN:[^ :]+]]: tensor<3xf32> {{{.*}}train.name = "bn.mean"
// CHECK-SAME: %[[COUNT:[^ :]+]]: tensor<f32> {{{.*}}train.name = "steps"
// CHECK-NOT: nn.normalize %{{.*}} dims [0]
// CHECK: %[[R:.+]] = nn.broadcast %[[MEAN]]
// CHECK: %[[C:.+]] = nn.sub %[[X]], %[[R]]
// CHECK: %[[ROW:.+]] = nn.normalize %[[C]] dims [1]
// CHECK: %[[BOTH:.+]] = nn.when_training %[[ROW]] else %[[C]]
// CHECK: %[[LOSS:.+]] = nn.mean %[[BOTH]]
// CHECK: %[[NEXT:.+]] = nn.add %[[COUNT]]
// CHECK: return %[[LOSS]], %[[MEAN]], %[[NEXT]]
func.func @batch_norm(
    %x: tensor<?x3xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64},
    %mean: tensor<3xf32> {train.role = #train.role<state>, train.name = "bn.mean", train.init = #train.fill<0.0>},
    %steps: tensor<f32> {train.role = #train.role<state>, train.name = "steps", train.init = #train.fill<0.0>})
    -> (tensor<f32> {train.result = #train.result<loss>, train.name = "loss"}, tensor<3xf32> {train.updates = 1 : i64}, tensor<f32> {train.updates = 2 : i64})
    attributes {train.model, train.batch = 4 : i64} {
  %n = nn.normalize %x dims [0] eps 1.0e-5 : tensor<?x3xf32>
  %b = nn.broadcast %mean dims [0] : tensor<3xf32> to tensor<?x3xf32>
  %c = nn.sub %x, %b : tensor<?x3xf32>
  %y = nn.when_training %n else %c : tensor<?x3xf32>
  %r = nn.normalize %y dims [1] eps 1.0e-5 : tensor<?x3xf32>
  %z = nn.when_training %r else %y : tensor<?x3xf32>
  %loss = nn.mean %z dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %m = nn.mean %x dims [0] : tensor<?x3xf32> -> tensor<3xf32>
  %s = nn.add %mean, %m : tensor<3xf32>
  %one = nn.constant dense<1.0> : tensor<f32>
  %t = nn.add %steps, %one : tensor<f32>
  return %loss, %s, %t : tensor<f32>, tensor<3xf32>, tensor<f32>
}
