// RUN: accrue-opt %s --train-bound-indices --mlir-print-local-scope | FileCheck %s

// Elements are followed through whatever moves them.
// CHECK-LABEL: @moved(
// CHECK-SAME: train.index_bounds = [#train.index_bound<0 to 6 below 10 for "cross_entropy at bound-indices.mlir:[[#@LINE+9]]:8">]
func.func @moved(%logits: tensor<3x?x2x10xf32> {train.name = "logits", train.role = #train.role<param>},
                 %label: tensor<?x6xi64> {train.name = "label", train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> (tensor<f32> {train.name = "loss", train.result = #train.result<loss>})
    attributes {train.model} {
  %0 = nn.convert %label : tensor<?x6xi64> to tensor<?x6xi32>
  %1 = nn.reshape %0 : tensor<?x6xi32> to tensor<?x3x2xi32>
  %2 = nn.transpose %1 [1, 0, 2] : tensor<?x3x2xi32> -> tensor<3x?x2xi32>
  %3 = nn.add %2, %2 : tensor<3x?x2xi32>
  %4 = nn.cross_entropy %logits, %2 : (tensor<3x?x2x10xf32>, tensor<3x?x2xi32>) -> tensor<3x?x2xf32>
  %5 = nn.mean %4 dims [0, 1, 2] : tensor<3x?x2xf32> -> tensor<f32>
  return %5 : tensor<f32>
}

// Computed indices have no bound: neither sums nor what a selection lets through.
// CHECK-LABEL: @computed(
// CHECK-NOT: index_bounds
// CHECK: return
func.func @computed(%logits: tensor<?x10xf32> {train.name = "logits", train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                    %label: tensor<?xi32> {train.name = "label", train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                    %half: tensor<?xi32> {train.name = "half", train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> (tensor<f32> {train.name = "loss", train.result = #train.result<loss>})
    attributes {train.model} {
  %ignored = nn.constant dense<-100> : tensor<i32>
  %0 = nn.broadcast %ignored dims [0] : tensor<i32> to tensor<?xi32>
  %1 = nn.compare eq %label, %0 : tensor<?xi32>
  %zero = nn.constant dense<0> : tensor<i32>
  %2 = nn.broadcast %zero dims [0] : tensor<i32> to tensor<?xi32>
  %3 = nn.select %1, %2, %label : tensor<?xi1>, tensor<?xi32>
  %4 = nn.cross_entropy %logits, %3 : (tensor<?x10xf32>, tensor<?xi32>) -> tensor<?xf32>
  %5 = nn.add %half, %half : tensor<?xi32>
  %6 = nn.cross_entropy %logits, %5 : (tensor<?x10xf32>, tensor<?xi32>) -> tensor<?xf32>
  %7 = nn.add %4, %6 : tensor<?xf32>
  %8 = nn.mean %7 dims [0] : tensor<?xf32> -> tensor<f32>
  return %8 : tensor<f32>
}

// The smaller of two bounds, in a batch that is a multiple of 4, and only of an
// input.
// CHECK-LABEL: @two_readers(
// CHECK-SAME: train.index_bounds = [#train.index_bound<0 to 1 below 4 for "cross_entropy at bound-indices.mlir:[[#@LINE+8]]:8">]
func.func @two_readers(%wide: tensor<?x10xf32> {train.name = "wide", train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                       %small: tensor<?x4x4xf32, #nn.extents<"B/4">> {train.name = "small", train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                       %label: tensor<?xi32> {train.name = "label", train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> (tensor<f32> {train.name = "loss", train.result = #train.result<loss>})
    attributes {train.model} {
  %0 = nn.cross_entropy %wide, %label : (tensor<?x10xf32>, tensor<?xi32>) -> tensor<?xf32>
  %1 = nn.reshape %label : tensor<?xi32> to tensor<?x4xi32, #nn.extents<"B/4">>
  %2 = nn.cross_entropy %small, %1 : (tensor<?x4x4xf32, #nn.extents<"B/4">>, tensor<?x4xi32, #nn.extents<"B/4">>) -> tensor<?x4xf32, #nn.extents<"B/4">>
  %3 = nn.sum %0 dims [0] : tensor<?xf32> -> tensor<f32>
  %4 = nn.sum %2 dims [0, 1] : tensor<?x4xf32, #nn.extents<"B/4">> -> tensor<f32>
  %5 = nn.add %3, %4 : tensor<f32>
  return %5 : tensor<f32>
}

// A function that is neither model nor step is left alone.
// CHECK-LABEL: @other(
// CHECK-NOT: index_bounds
func.func @other(%logits: tensor<?x10xf32>, %label: tensor<?xi32>) -> tensor<?xf32> {
  %0 = nn.cross_entropy %logits, %label : (tensor<?x10xf32>, tensor<?xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Parts of a sample are read by different ops: tokens, then labels that may be
// ignored, which have no bound.
// CHECK-LABEL: @packed(
// CHECK-SAME: train.index_bounds = [#train.index_bound<0 to 3 below 7 for "cross_entropy at bound-indices.mlir:[[#@LINE+9]]:8">,
// CHECK-SAME: #train.index_bound<5 to 6 below 7 for
func.func @packed(%logits: tensor<?x3x7xf32> {train.name = "logits", train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                  %one: tensor<?x1x7xf32> {train.name = "one", train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                  %tokens: tensor<?x6xi32> {train.name = "tokens", train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> (tensor<f32> {train.name = "loss", train.result = #train.result<loss>})
    attributes {train.model} {
  %0 = nn.slice %tokens dim 1 from 0 to 3 : tensor<?x6xi32> -> tensor<?x3xi32>
  %1 = nn.flip %0 dims [1] : tensor<?x3xi32> -> tensor<?x3xi32>
  %2 = nn.cross_entropy %logits, %1 : (tensor<?x3x7xf32>, tensor<?x3xi32>) -> tensor<?x3xf32>
  %3 = nn.slice %tokens dim 1 from 5 to 6 : tensor<?x6xi32> -> tensor<?x1xi32>
  %4 = nn.cross_entropy %one, %3 : (tensor<?x1x7xf32>, tensor<?x1xi32>) -> tensor<?x1xf32>
  %5 = nn.sum %2 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %6 = nn.sum %4 dims [0, 1] : tensor<?x1xf32> -> tensor<f32>
  %7 = nn.add %5, %6 : tensor<f32>
  return %7 : tensor<f32>
}
