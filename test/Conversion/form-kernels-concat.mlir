// RUN: accrue-opt %s --form-kernels | FileCheck %s

// Samples of several outer indices are a range once these are a dimension.
// CHECK-LABEL: func.func @outer(
// CHECK: scf.for %[[I:.+]] = {{.*}} iter_args(%[[WHOLE:.+]] = {{.*}}) -> (tensor<12xf32>)
// CHECK: %[[FIRST:.+]] = arith.muli %[[I]]
// CHECK: %[[SLICE:.+]] = tensor.expand_shape {{.*}} : tensor<6xf32> into tensor<3x2xf32>
// CHECK: %[[ROWS:.+]] = tensor.expand_shape %[[WHOLE]] {{.*}} : tensor<12xf32> into tensor<3x4xf32>
// CHECK: kernel.group "concat"
// CHECK: tensor.insert_slice {{.*}} tensor<3x2xf32> into tensor<3x4xf32>
// CHECK: tensor.collapse_shape {{.*}} : tensor<3x4xf32> into tensor<12xf32>
func.func @outer(%x: tensor<12xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64}) -> tensor<12xf32> attributes {train.model} {
  %0 = train.accumulate count(2) size(2) offset(0) of(4) slices(%x : tensor<12xf32>) modes [#train.mapped<dim = 0, outer = 3>]
      reduce [#train.reducer<concat, <dim = 0, outer = 3>>] -> tensor<12xf32> {
  ^bb0(%first: index, %xs: tensor<6xf32>):
    %y = nn.neg %xs : tensor<6xf32>
    train.yield %y : tensor<6xf32>
  }
  return %0 : tensor<12xf32>
}

// A row per micro-batch, the tail's behind those of the loop.
// CHECK-LABEL: func.func @stack(
// CHECK: scf.for %[[I:arg[0-9]+]] = {{.*}} -> (tensor<3x5xf32>)
// CHECK: kernel.group "concat" elementwise ins({{.*}}%[[I]] :
// CHECK: tensor.insert_slice {{.*}} tensor<1x5xf32> into tensor<3x5xf32>
// CHECK: kernel.group "concat" elementwise ins({{.*}}%c2_
func.func @stack(%x: tensor<5x5xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64}) -> tensor<3x5xf32> attributes {train.model} {
  %0 = train.accumulate count(2) size(2) offset(0) of(5) slices(%x : tensor<5x5xf32>) modes [#train.mapped<dim = 0>]
      reduce [#train.reducer<stack>] -> tensor<3x5xf32> {
  ^bb0(%first: index, %xs: tensor<2x5xf32>):
    %m = nn.reduce_max %xs dims [0] : tensor<2x5xf32> -> tensor<5xf32>
    %r = nn.reshape %m : tensor<5xf32> to tensor<1x5xf32>
    train.yield %r : tensor<1x5xf32>
  }
  %1 = train.accumulate count(1) size(1) offset(4) of(5) slices(%x : tensor<5x5xf32>) modes [#train.mapped<dim = 0>]
      init(%0 : tensor<3x5xf32>) reduce [#train.reducer<stack at 2>] -> tensor<3x5xf32> {
  ^bb0(%first: index, %xs: tensor<1x5xf32>):
    %m = nn.reduce_max %xs dims [0] : tensor<1x5xf32> -> tensor<5xf32>
    %r = nn.reshape %m : tensor<5xf32> to tensor<1x5xf32>
    train.yield %r : tensor<1x5xf32>
  }
  return %1 : tensor<3x5xf32>
}
