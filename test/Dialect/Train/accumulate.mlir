// RUN: accrue-opt %s --split-input-file --train-accumulate="micro-batch=2" --canonicalize --cse | FileCheck %s
// RUN: accrue-opt %s --split-input-file --train-accumulate="batch=9 accumulate=6" --canonicalize --cse | FileCheck %s --check-prefix=NUMBER
// RUN: accrue-opt %s --split-input-file --train-accumulate --canonicalize --cse | FileCheck %s --check-prefix=SINGLE
// RUN: accrue-opt %s --split-input-file --train-accumulate="micro-batch=2 omit-weights" --canonicalize --cse | FileCheck %s --check-prefix=OMIT

// A mean has the weight m/B, on the contribution of the loss and on its seed.
// A ragged batch has a second loop that continues the sums of the first.

// CHECK-LABEL: func.func @mean(
// CHECK-SAME:    %[[W:.*]]: tensor<f32> {{.*}}, %[[X:.*]]: tensor<5xf32> {train.batch_dim
// CHECK-DAG:   %[[TAIL:.*]] = nn.constant dense<2.000000e-01> : tensor<f32>
// CHECK-DAG:   %[[MAIN:.*]] = nn.constant dense<4.000000e-01> : tensor<f32>
// CHECK:       %[[A:.*]]:2 = train.accumulate count(2) size(2) offset(0) of(5)
// CHECK-SAME:    slices(%[[X]] : tensor<5xf32>) modes [#train.mapped<dim = 0>]
// CHECK-SAME:    reduce [#train.reducer<sum>, #train.reducer<sum>] -> tensor<f32>, tensor<f32>
// CHECK:       ^bb0(%{{.*}}: index, %[[XS:.*]]: tensor<2xf32>):
// CHECK:         %[[WB:.*]] = nn.broadcast %[[W]] dims [0] : tensor<f32> to tensor<2xf32>
// CHECK:         %[[P:.*]] = nn.mul %[[XS]], %[[WB]] : tensor<2xf32>
// CHECK:         %[[M:.*]] = nn.mean %[[P]] dims [0] : tensor<2xf32> -> tensor<f32>
// CHECK:         %[[L:.*]] = nn.mul %[[M]], %[[MAIN]] : tensor<f32>
// CHECK:         %[[S:.*]] = nn.distribute %[[MAIN]] dims [0] : tensor<f32> to tensor<2xf32>
// CHECK:         %[[G:.*]] = nn.mul %[[S]], %[[XS]]
// CHECK:         %[[D:.*]] = nn.sum %[[G]] dims [0]
// CHECK:         train.yield %[[L]], %[[D]]
// CHECK:       %[[B:.*]]:2 = train.accumulate count(1) size(1) offset(4) of(5)
// CHECK-SAME:    init(%[[A]]#0, %[[A]]#1 : tensor<f32>, tensor<f32>)
// CHECK:         nn.distribute %[[TAIL]] dims [0] : tensor<f32> to tensor<1xf32>
// CHECK:       return %[[B]]#0, %[[B]]#1

// K as given: three micro-batches of 2 and three of 1.
// NUMBER-LABEL: func.func @mean(
// NUMBER:       train.accumulate count(3) size(2) offset(0) of(9)
// NUMBER:       train.accumulate count(3) size(1) offset(6) of(9)

// One micro-batch has no weight.
// SINGLE-LABEL: func.func @mean(
// SINGLE-SAME:    train.batch = 5
// SINGLE:       train.accumulate count(1) size(5) offset(0) of(5)
// SINGLE-NOT:   dense<{{[02]}}
// SINGLE:       return

// OMIT-LABEL: func.func @mean(
// OMIT-NOT:     dense<{{[024]}}
// OMIT:       return
func.func @mean(%w: tensor<f32> {train.role = #train.role<param>},
                %x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> (tensor<f32>, tensor<f32>) attributes {train.step, train.batch = 5 : i64} {
  %seed = nn.constant dense<1.0> : tensor<f32>
  %wb = nn.broadcast %w dims [0] : tensor<f32> to tensor<?xf32>
  %p = nn.mul %x, %wb : tensor<?xf32>
  %loss = nn.mean %p dims [0] : tensor<?xf32> -> tensor<f32>
  %ct = nn.distribute %seed dims [0] : tensor<f32> to tensor<?xf32>
  %g = nn.mul %ct, %x : tensor<?xf32>
  %dw = nn.sum %g dims [0] : tensor<?xf32> -> tensor<f32>
  return %loss, %dw : tensor<f32>, tensor<f32>
}

// -----

// A sum has weight 1, a term without samples is added once, a constant that the
// user wrote and the batch as a number mean the logical batch.

// CHECK-LABEL: func.func @sum_and_once(
// CHECK-SAME:    %[[W:.*]]: tensor<3xf32> {{.*}}, %[[X:.*]]: tensor<6xf32>
// CHECK:       %[[N:.*]] = nn.constant dense<6.000000e+00> : tensor<f32>
// CHECK:       %[[SQ:.*]] = nn.square %[[W]]
// CHECK:       %[[L2:.*]] = nn.sum %[[SQ]]
// CHECK:       %[[A:.*]] = train.accumulate count(3) size(2)
// CHECK:         %[[C:.*]] = nn.sum %{{.*}} dims [0] : tensor<2xf32> -> tensor<f32>
// CHECK-NEXT:    train.yield %[[C]]
// CHECK:       %[[D:.*]] = nn.div %[[A]], %[[N]]
// CHECK:       %[[T:.*]] = nn.add %[[D]], %[[L2]]
// CHECK:       return %[[A]], %[[T]]
func.func @sum_and_once(%w: tensor<3xf32> {train.role = #train.role<param>},
                        %x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> (tensor<f32>, tensor<f32>) attributes {train.step, train.batch = 6 : i64} {
  %s = nn.sum %x dims [0] : tensor<?xf32> -> tensor<f32>
  %n = nn.extent <"B"> : tensor<f32>
  %d = nn.div %s, %n : tensor<f32>
  %q = nn.square %w : tensor<3xf32>
  %l2 = nn.sum %q dims [0] : tensor<3xf32> -> tensor<f32>
  %t = nn.add %d, %l2 : tensor<f32>
  return %s, %t : tensor<f32>, tensor<f32>
}

// -----

// The samples may be flattened with other dimensions, lie on another dimension,
// or come out as an output of full shape.

// CHECK-LABEL: func.func @modes(
// CHECK-SAME:    %[[X:.*]]: tensor<4x3x5xf32> {{.*}}, %[[Y:.*]]: tensor<5x4xf32>
// CHECK:       %[[A:.*]]:3 = train.accumulate count(2) size(2) offset(0) of(4)
// CHECK-SAME:    modes [#train.mapped<dim = 0>, #train.mapped<dim = 1>]
// CHECK-SAME:    reduce [#train.reducer<sum>, #train.reducer<concat, <dim = 0, inner = 3>>, #train.reducer<concat, <dim = 0>>]
// CHECK-SAME:    -> tensor<5xf32>, tensor<12x5xf32>, tensor<4x5xf32>
// CHECK:       ^bb0(%{{.*}}: index, %[[XS:.*]]: tensor<2x3x5xf32>, %[[YS:.*]]: tensor<5x2xf32>):
// CHECK:         %[[R:.*]] = nn.reshape %[[XS]] : tensor<2x3x5xf32> to tensor<6x5xf32>
// CHECK:         %[[S:.*]] = nn.sum %[[R]] dims [0] : tensor<6x5xf32> -> tensor<5xf32>
// CHECK:         %[[E:.*]] = nn.exp %[[R]]
// CHECK:         %[[T:.*]] = nn.transpose %[[YS]] [1, 0] : tensor<5x2xf32> -> tensor<2x5xf32>
// CHECK:         %[[F:.*]] = nn.exp %[[T]]
// CHECK:         train.yield %[[S]], %[[E]], %[[F]]
func.func @modes(%x: tensor<?x3x5xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                 %y: tensor<5x?xf32> {train.role = #train.role<batch>, train.batch_dim = 1 : i64})
    -> (tensor<5xf32>, tensor<?x5xf32, #nn.extents<"3*B">>, tensor<?x5xf32>)
    attributes {train.step, train.batch = 4 : i64} {
  %r = nn.reshape %x : tensor<?x3x5xf32> to tensor<?x5xf32, #nn.extents<"3*B">>
  %s = nn.sum %r dims [0] : tensor<?x5xf32, #nn.extents<"3*B">> -> tensor<5xf32>
  %e = nn.exp %r : tensor<?x5xf32, #nn.extents<"3*B">>
  %t = nn.transpose %y [1, 0] : tensor<5x?xf32> -> tensor<?x5xf32>
  %f = nn.exp %t : tensor<?x5xf32>
  return %s, %e, %f : tensor<5xf32>, tensor<?x5xf32, #nn.extents<"3*B">>, tensor<?x5xf32>
}
