// RUN: accrue-opt %s --split-input-file --mlir-disable-threading --test-batch-analysis -o /dev/null | FileCheck %s
// RUN: accrue-opt %s --split-input-file --mlir-disable-threading --test-batch-analysis="fold=false" -o /dev/null | FileCheck %s --check-prefix=NOFOLD

// Linear functions of sums stay partial where that merges accumulators: the two
// uses of one weight share a gradient.
// CHECK-LABEL: tied: loops 1, accumulators 1
// CHECK:         %[[A:.*]] = nn.sum %{{.*}} : contribution
// CHECK:         %[[B:.*]] = nn.sum %{{.*}} : contribution
// CHECK:         %[[S:.*]] = nn.add %[[A]], %[[B]] : contribution
// CHECK:         accumulator partial(sum) %[[S]] : once level 1
// NOFOLD-LABEL: tied: loops 1, accumulators 2
func.func @tied(%x: tensor<?x4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                %y: tensor<?x4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<4xf32> {
  %a = nn.sum %x dims [0] : tensor<?x4xf32> -> tensor<4xf32>
  %b = nn.sum %y dims [0] : tensor<?x4xf32> -> tensor<4xf32>
  %s = nn.add %a, %b : tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

// A - P negates the contribution; what is added once stays outside. Both sums
// merge, although one of them has an offset.
// CHECK-LABEL: offsets: loops 1, accumulators 1
// CHECK-DAG:     %[[ZERO:.*]] = zero : once
// CHECK-DAG:     %[[P:.*]] = nn.sum %{{.*}} : contribution
// CHECK:         %[[C:.*]] = nn.sub %[[ZERO]], %[[P]] : contribution
// CHECK:         %[[T:.*]] = nn.add %[[C]], %{{.*}} : contribution
// CHECK:         %[[ACC:.*]] = accumulator partial(sum) %[[T]]
// CHECK:         add %[[ACC]], %{{.*}} : once level 1
func.func @offsets(%w: tensor<4xf32> {train.role = #train.role<param>},
                   %x: tensor<?x4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                   %y: tensor<?x4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<4xf32> {
  %a = nn.sum %x dims [0] : tensor<?x4xf32> -> tensor<4xf32>
  %d = nn.sub %w, %a : tensor<4xf32>
  %b = nn.sum %y dims [0] : tensor<?x4xf32> -> tensor<4xf32>
  %s = nn.add %d, %b : tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

// select keeps the other branch: linear only in both branches together.
// CHECK-LABEL: branches: loops 1, accumulators 1
// CHECK:         nn.select %{{.*}}, %{{.*}}, %{{.*}} : contribution
func.func @branches(%c: tensor<4xi1> {train.role = #train.role<param>},
                    %w: tensor<4xf32> {train.role = #train.role<param>},
                    %x: tensor<?x4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                    %y: tensor<?x4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<4xf32> {
  %a = nn.sum %x dims [0] : tensor<?x4xf32> -> tensor<4xf32>
  %d = nn.select %c, %a, %w : tensor<4xi1>, tensor<4xf32>
  %b = nn.sum %y dims [0] : tensor<?x4xf32> -> tensor<4xf32>
  %s = nn.add %d, %b : tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

// A product of two sums, a maximum, a comparison finish their operands.
// CHECK-LABEL: nonlinear: loops 1, accumulators 2
// CHECK:         nn.mul %{{.*}}, %{{.*}} : once level 1
// CHECK:         nn.max %{{.*}}, %{{.*}} : once level 1
// CHECK:         nn.add %{{.*}}, %{{.*}} : once level 1
func.func @nonlinear(%w: tensor<f32> {train.role = #train.role<param>},
                     %x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                     %y: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> {
  %a = nn.sum %x dims [0] : tensor<?xf32> -> tensor<f32>
  %b = nn.sum %y dims [0] : tensor<?xf32> -> tensor<f32>
  %p = nn.mul %a, %b : tensor<f32>
  %m = nn.max %a, %w : tensor<f32>
  %s = nn.add %p, %m : tensor<f32>
  return %s : tensor<f32>
}

// -----

// A coefficient that is known only after the loop does not enter it: clipping.
// CHECK-LABEL: late: loops 1, accumulators 1
// CHECK:         %[[ACC:.*]] = accumulator
// CHECK:         %[[N:.*]] = nn.exp %[[ACC]] : once level 1
// CHECK:         nn.mul %[[ACC]], %[[N]] : once level 1
func.func @late(%x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> {
  %a = nn.sum %x dims [0] : tensor<?xf32> -> tensor<f32>
  %n = nn.exp %a : tensor<f32>
  %s = nn.mul %a, %n : tensor<f32>
  return %s : tensor<f32>
}

// -----

// Time-major rows are (outer T, sample, inner 1), batch-major rows (1, sample,
// T): not the same mode. Where they meet, one is sliced again, which costs no
// loop: the slice is pushed into the input.
// CHECK-LABEL: meet: loops 1, accumulators 1
// CHECK-DAG:     nn.reshape %{{.*}} : mapped(0, 5, 1)
// CHECK-DAG:     slice %{{.*}} : mapped(0, 5, 1)
func.func @meet(%x: tensor<5x?xf32> {train.role = #train.role<batch>, train.batch_dim = 1 : i64},
                %y: tensor<?x5xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> {
  %a = nn.reshape %x : tensor<5x?xf32> to tensor<?xf32, #nn.extents<"5*B">>
  %b = nn.reshape %y : tensor<?x5xf32> to tensor<?xf32, #nn.extents<"5*B">>
  %p = nn.mul %a, %b : tensor<?xf32, #nn.extents<"5*B">>
  %s = nn.sum %p dims [0] : tensor<?xf32, #nn.extents<"5*B">> -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// Batch-shaped values that depend on no sample are sliced through, not stored.
// CHECK-LABEL: free: loops 1, accumulators 1
// CHECK:         nn.broadcast %{{.*}} : mapped(0, 1, 1)
// CHECK-NOT:     slice
// CHECK:         nn.exp %{{.*}} : mapped(0, 1, 1)
// CHECK-NOT:     slice
// CHECK:         return
func.func @free(%x: tensor<?x4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                %w: tensor<4xf32> {train.role = #train.role<param>}) -> tensor<f32> {
  %wb = nn.broadcast %w dims [0] : tensor<4xf32> to tensor<?x4xf32>
  %e = nn.exp %wb : tensor<?x4xf32>
  %p = nn.mul %x, %e : tensor<?x4xf32>
  %s = nn.sum %p dims [0, 1] : tensor<?x4xf32> -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// A similarity matrix needs all samples of one tower: gathered, a second loop.
// CHECK-LABEL: similarity: loops 2, accumulators 2
// CHECK:         accumulator partial(concat) %{{.*}} : once level 1
// CHECK:         nn.matmul %{{.*}}, %{{.*}} : mapped(0, 1, 1) level 1
func.func @similarity(%x: tensor<?x4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                      %y: tensor<?x4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> {
  %e = nn.exp %y : tensor<?x4xf32>
  %s = nn.matmul %x, %e transpose_rhs : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
  %q = nn.square %s : tensor<?x?xf32>
  %l = nn.sum %q dims [0, 1] : tensor<?x?xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// Products of batches: a leading dimension of samples survives; the rows of all
// samples, one group of matrices each, map the result or are summed.
// CHECK-LABEL: products: loops 1, accumulators 2
// CHECK:         nn.matmul %{{.*}}, %{{.*}} : mapped(0, 1, 1)
// CHECK:         nn.matmul %{{.*}}, %{{.*}} : mapped(1, 1, 1)
// CHECK:         nn.matmul %{{.*}}, %{{.*}} : contribution
func.func @products(%w: tensor<2x4x3xf32> {train.role = #train.role<param>},
                    %x: tensor<?x2x4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> (tensor<f32>, tensor<2x4x3xf32>) {
  %s = nn.matmul %x, %x transpose_rhs : (tensor<?x2x4xf32>, tensor<?x2x4xf32>) -> tensor<?x2x2xf32>
  %l = nn.sum %s dims [0, 1, 2] : tensor<?x2x2xf32> -> tensor<f32>
  %t = nn.transpose %x [1, 0, 2] : tensor<?x2x4xf32> -> tensor<2x?x4xf32>
  %y = nn.matmul %t, %w : (tensor<2x?x4xf32>, tensor<2x4x3xf32>) -> tensor<2x?x3xf32>
  %e = nn.exp %y : tensor<2x?x3xf32>
  %g = nn.matmul %t, %e transpose_lhs : (tensor<2x?x4xf32>, tensor<2x?x3xf32>) -> tensor<2x4x3xf32>
  return %l, %g : tensor<f32>, tensor<2x4x3xf32>
}

// -----

// The gradient of an embedding is a sum over the samples, whatever the table's
// rows are; the table is there as a whole.
// CHECK-LABEL: embedding: loops 1, accumulators 1
// CHECK:         nn.gather %{{.*}}, %{{.*}} : mapped(0, 1, 1)
// CHECK:         %[[G:.*]] = nn.scatter_add %{{.*}}, %{{.*}} : contribution
// CHECK:         accumulator partial(sum) %[[G]] : once level 1
func.func @embedding(%table: tensor<100x4xf32> {train.role = #train.role<param>},
                     %i: tensor<?x3xi32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<100x4xf32> {
  %x = nn.gather %table, %i dim 0 : (tensor<100x4xf32>, tensor<?x3xi32>) -> tensor<?x3x4xf32>
  %e = nn.exp %x : tensor<?x3x4xf32>
  %g = nn.scatter_add %e, %i dim 0 : (tensor<?x3x4xf32>, tensor<?x3xi32>) -> tensor<100x4xf32>
  return %g : tensor<100x4xf32>
}

// -----

// The two gradients of a tied table are one sum: linear in the updates.
// CHECK-LABEL: tied_table: loops 1, accumulators 1
// CHECK:         %[[S:.*]] = nn.add %{{.*}}, %{{.*}} : contribution
// CHECK:         accumulator partial(sum) %[[S]] : once level 1
func.func @tied_table(%h: tensor<?x4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                      %c: tensor<?x100xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                      %i: tensor<?xi32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<100x4xf32> {
  %a = nn.matmul %c, %h transpose_lhs : (tensor<?x100xf32>, tensor<?x4xf32>) -> tensor<100x4xf32>
  %b = nn.scatter_add %h, %i dim 0 : (tensor<?x4xf32>, tensor<?xi32>) -> tensor<100x4xf32>
  %s = nn.add %a, %b : tensor<100x4xf32>
  return %s : tensor<100x4xf32>
}

// -----

// Rows of samples by sample number: all samples of what is gathered from.
// CHECK-LABEL: gather_samples: loops 2, accumulators 2
// CHECK:         %[[ALL:.*]] = accumulator partial(concat) %{{.*}} : once level 1
// CHECK:         nn.gather %[[ALL]], %{{.*}} : mapped(0, 1, 1) level 1
func.func @gather_samples(%x: tensor<?x4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                          %i: tensor<?xi32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<4xf32> {
  %e = nn.exp %x : tensor<?x4xf32>
  %y = nn.gather %e, %i dim 0 : (tensor<?x4xf32>, tensor<?xi32>) -> tensor<?x4xf32>
  %s = nn.sum %y dims [0] : tensor<?x4xf32> -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

// The largest of all samples are those of the gathered operand.
// CHECK-LABEL: largest_samples: loops 1, accumulators 1
// CHECK:         nn.exp %{{.*}} : mapped(0, 1, 1)
// CHECK:         %[[ALL:.*]] = accumulator partial(concat) %{{.*}} : once level 1
// CHECK:         nn.top_k %[[ALL]] : once level 1
func.func @largest_samples(%x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> {
  %e = nn.exp %x : tensor<?xf32>
  %k = nn.top_k %e k 2 : tensor<?xf32> -> tensor<2xi32>
  %y = nn.take_along %e, %k dim 0 : (tensor<?xf32>, tensor<2xi32>) -> tensor<2xf32>
  %s = nn.sum %y dims [0] : tensor<2xf32> -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// Columns are gathered, taken and scattered sample by sample.
// CHECK-LABEL: columns: loops 1, accumulators 1
// CHECK:         nn.gather %{{.*}}, %{{.*}} : mapped(0, 1, 1)
// CHECK:         nn.take_along %{{.*}}, %{{.*}} : mapped(0, 1, 1)
// CHECK:         nn.scatter_add_along %{{.*}}, %{{.*}} : mapped(0, 1, 1)
// CHECK:         nn.top_k %{{.*}} : mapped(0, 1, 1)
func.func @columns(%x: tensor<?x5xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                   %i: tensor<3xi32> {train.role = #train.role<param>},
                   %j: tensor<?x2xi32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> {
  %a = nn.gather %x, %i dim 1 : (tensor<?x5xf32>, tensor<3xi32>) -> tensor<?x3xf32>
  %b = nn.take_along %a, %j dim 1 : (tensor<?x3xf32>, tensor<?x2xi32>) -> tensor<?x2xf32>
  %c = nn.scatter_add_along %b, %j dim 1 : (tensor<?x2xf32>, tensor<?x2xi32>) -> tensor<?x4xf32>
  %k = nn.top_k %c k 2 : tensor<?x4xf32> -> tensor<?x2xi32>
  %d = nn.take_along %c, %k dim 1 : (tensor<?x4xf32>, tensor<?x2xi32>) -> tensor<?x2xf32>
  %s = nn.sum %d dims [0, 1] : tensor<?x2xf32> -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// Samples one after another are further outer indices; in reverse order they
// are other samples.
// CHECK-LABEL: rows: loops 2, accumulators 2
// CHECK:         nn.slice %{{.*}} : mapped(0, 1, 1)
// CHECK:         nn.pad %{{.*}} : mapped(0, 1, 1)
// CHECK:         nn.concat %{{.*}}, %{{.*}} : mapped(0, 1, 1)
// CHECK:         nn.flip %{{.*}} : mapped(0, 1, 1)
// CHECK:         nn.concat %{{.*}}, %{{.*}} : mapped(0, 2, 1)
// CHECK:         %[[ALL:.*]] = accumulator partial(concat)
// CHECK:         %[[F:.*]] = nn.flip %[[ALL]] : once level 1
func.func @rows(%x: tensor<?x4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> {
  %a = nn.slice %x dim 1 from 0 to 2 : tensor<?x4xf32> -> tensor<?x2xf32>
  %b = nn.pad %a dim 1 low 1 high 1 : tensor<?x2xf32> -> tensor<?x4xf32>
  %c = nn.concat %a, %b dim 1 : (tensor<?x2xf32>, tensor<?x4xf32>) -> tensor<?x6xf32>
  %d = nn.flip %c dims [1] : tensor<?x6xf32> -> tensor<?x6xf32>
  %e = nn.concat %d, %c dim 0 : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32, #nn.extents<"2*B">>
  %f = nn.flip %d dims [0] : tensor<?x6xf32> -> tensor<?x6xf32>
  %p = nn.mul %f, %d : tensor<?x6xf32>
  %s = nn.sum %e dims [0, 1] : tensor<?x6xf32, #nn.extents<"2*B">> -> tensor<f32>
  %t = nn.sum %p dims [0, 1] : tensor<?x6xf32> -> tensor<f32>
  %r = nn.add %s, %t : tensor<f32>
  return %r : tensor<f32>
}

// -----

// Images are samples; so are images of the groups of a convolution, next to
// each other. Channels may be.
// CHECK-LABEL: windows: loops 1, accumulators 3
// CHECK:         nn.conv2d %{{.*}}, %{{.*}} : mapped(0, 1, 1)
// CHECK:         nn.max_pool2d %{{.*}} : mapped(0, 1, 1)
// CHECK:         nn.unfold %{{.*}} : mapped(0, 2, 1)
// CHECK:         nn.matmul %{{.*}}, %{{.*}} : contribution
// CHECK:         nn.unfold %{{.*}} : mapped(3, 1, 1)
// CHECK:         nn.fold %{{.*}} : mapped(1, 1, 1)
func.func @windows(%w: tensor<4x2x3x3xf32> {train.role = #train.role<param>},
                   %x: tensor<?x4x6x6xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> (tensor<2x18x18xf32>, tensor<f32>, tensor<1x?x6x6xf32>) {
  %y = nn.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] dilation [1, 1] groups 2 : (tensor<?x4x6x6xf32>, tensor<4x2x3x3xf32>) -> tensor<?x4x6x6xf32>
  %p = nn.max_pool2d %y kernel [2, 2] stride [2, 2] padding [0, 0, 0, 0] dilation [1, 1] : tensor<?x4x6x6xf32> -> tensor<?x4x3x3xf32>
  %l = nn.sum %p dims [0, 1, 2, 3] : tensor<?x4x3x3xf32> -> tensor<f32>
  %g = nn.reshape %x : tensor<?x4x6x6xf32> to tensor<?x2x2x6x6xf32>
  %t = nn.transpose %g [1, 0, 2, 3, 4] : tensor<?x2x2x6x6xf32> -> tensor<2x?x2x6x6xf32>
  %i = nn.reshape %t : tensor<2x?x2x6x6xf32> to tensor<?x2x6x6xf32, #nn.extents<"2*B">>
  %u = nn.unfold %i kernel [3, 3] stride [1, 1] dilation [1, 1] padding [1, 1, 1, 1] value 0.0 channels_last : tensor<?x2x6x6xf32, #nn.extents<"2*B">> -> tensor<?x6x6x2x3x3xf32, #nn.extents<"2*B">>
  %m = nn.reshape %u : tensor<?x6x6x2x3x3xf32, #nn.extents<"2*B">> to tensor<2x?x18xf32, #nn.extents<"36*B">>
  %d = nn.matmul %m, %m transpose_lhs : (tensor<2x?x18xf32, #nn.extents<"36*B">>, tensor<2x?x18xf32, #nn.extents<"36*B">>) -> tensor<2x18x18xf32>
  %n = nn.sum %x dims [1] : tensor<?x4x6x6xf32> -> tensor<?x6x6xf32>
  %c = nn.reshape %n : tensor<?x6x6xf32> to tensor<1x?x6x6xf32>
  %v = nn.unfold %c kernel [3, 3] stride [1, 1] dilation [1, 1] padding [1, 1, 1, 1] value 0.0 channels_last : tensor<1x?x6x6xf32> -> tensor<1x6x6x?x3x3xf32>
  %f = nn.fold %v kernel [3, 3] stride [1, 1] dilation [1, 1] padding [1, 1, 1, 1] channels_last : tensor<1x6x6x?x3x3xf32> -> tensor<1x?x6x6xf32>
  return %d, %l, %f : tensor<2x18x18xf32>, tensor<f32>, tensor<1x?x6x6xf32>
}

// -----

// Maxima and minima of micro-batches combine.
// CHECK-LABEL: extrema: loops 1, accumulators 2
// CHECK-DAG:     nn.reduce_max %{{.*}} : contribution
// CHECK-DAG:     nn.reduce_min %{{.*}} : contribution
// CHECK:         accumulator partial(max) %{{.*}} : once level 1
// CHECK:         %[[MIN:.+]] = accumulator partial(min) %{{.*}} : once level 1
// CHECK:         merge %[[MIN]]
// CHECK:         return
func.func @extrema(%x: tensor<?x4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> (tensor<4xf32>, tensor<4xf32>) {
  %a = nn.reduce_max %x dims [0] : tensor<?x4xf32> -> tensor<4xf32>
  %b = nn.reduce_min %x dims [0] : tensor<?x4xf32> -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// -----

// Indices of samples are those of the logical batch, sliced; other indices are
// the same in every micro-batch.
// CHECK-LABEL: indices: loops 1, accumulators 2
// CHECK-DAG:     %[[I:.*]] = nn.iota : once
// CHECK-DAG:     slice %[[I]] : mapped(0, 1, 1)
// CHECK-DAG:     nn.iota : mapped(0, 1, 1)
// CHECK:         return
func.func @indices(%x: tensor<?x4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> (tensor<4xf32>, tensor<4xf32>) {
  %i = nn.iota dim 0 : tensor<?x4xf32>
  %j = nn.iota dim 1 : tensor<?x4xf32>
  %0 = nn.mul %x, %i : tensor<?x4xf32>
  %1 = nn.mul %x, %j : tensor<?x4xf32>
  %a = nn.sum %0 dims [0] : tensor<?x4xf32> -> tensor<4xf32>
  %b = nn.sum %1 dims [0] : tensor<?x4xf32> -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// -----

// What is no sum merges after the loop, all results of an op at once; over other
// dimensions every sample has its own.
// CHECK-LABEL: merges: loops 1, accumulators 4
// CHECK:         %[[M:.*]] = nn.moments %{{.*}} : contribution
// CHECK:         nn.logsumexp %{{.*}} : contribution
// CHECK:         %[[A:.*]] = nn.reduce_argmax %{{.*}}, %{{.*}} : contribution
// CHECK:         nn.moments %{{.*}} : mapped(0, 1, 1)
// CHECK:         %[[MEAN:.*]] = accumulator partial(moments) %[[M]]#0 : once level 1
// CHECK:         %[[VARIANCE:.*]] = accumulator partial(moments) %[[M]]#1 : once level 1
// CHECK:         merge %[[MEAN]], %[[VARIANCE]] : once level 1
// CHECK:         %[[L:.*]] = accumulator partial(logsumexp)
// CHECK:         merge %[[L]] : once level 1
// CHECK:         %[[INDEX:.*]] = accumulator partial(argmax) %[[A]]#1 : once level 1
// CHECK:         %[[VALUE:.*]] = accumulator partial(argmax) %[[A]]#0 : once level 1
// CHECK:         merge %[[VALUE]], %[[INDEX]] : once level 1
func.func @merges(%x: tensor<?x4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<f32>) {
  %m, %v = nn.moments %x dims [0] : tensor<?x4xf32> -> tensor<4xf32>, tensor<4xf32>
  %l = nn.logsumexp %x dims [0] : tensor<?x4xf32> -> tensor<4xf32>
  %i = nn.iota dim 0 : tensor<?xi32>
  %b = nn.broadcast %i dims [1] : tensor<?xi32> to tensor<?x4xi32>
  %a, %n = nn.reduce_argmax %x, %b dims [0] : tensor<?x4xf32>, tensor<?x4xi32> -> tensor<4xf32>, tensor<4xi32>
  %r, %s = nn.moments %x dims [1] : tensor<?x4xf32> -> tensor<?xf32>, tensor<?xf32>
  %t = nn.sum %s dims [0] : tensor<?xf32> -> tensor<f32>
  return %m, %v, %l, %n, %t : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<f32>
}

// -----

// An argmax and a softmax over samples as formulas that split.
// CHECK-LABEL: formulas: loops 2, accumulators 3
// CHECK:         nn.reduce_argmax %{{.*}}, %{{.*}} : contribution
// CHECK:         nn.logsumexp %{{.*}} : contribution
// CHECK:         nn.exp %{{.*}} : mapped(0, 1, 1) level 1
// CHECK-NOT:     nn.softmax
// CHECK:         return
func.func @formulas(%x: tensor<?x4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> (tensor<4xi32>, tensor<f32>) {
  %a = nn.argmax %x dim 0 : tensor<?x4xf32> -> tensor<4xi32>
  %s = nn.softmax %x dim 0 : tensor<?x4xf32>
  %q = nn.square %s : tensor<?x4xf32>
  %t = nn.sum %q dims [0, 1] : tensor<?x4xf32> -> tensor<f32>
  return %a, %t : tensor<4xi32>, tensor<f32>
}
