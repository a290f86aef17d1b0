// RUN: accrue-opt %s -canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @neutral(
// CHECK-SAME: %[[X:[^:]+]]: tensor<?x3xf32>)
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
func.func @neutral(%x: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  %0 = nn.constant dense<0.0> : tensor<f32>
  %1 = nn.constant dense<1.0> : tensor<f32>
  %zero = nn.broadcast %0 dims [0, 1] : tensor<f32> to tensor<?x3xf32>
  %one = nn.broadcast %1 dims [0, 1] : tensor<f32> to tensor<?x3xf32>
  %a = nn.add %x, %zero : tensor<?x3xf32>
  %b = nn.add %zero, %x : tensor<?x3xf32>
  %c = nn.sub %x, %zero : tensor<?x3xf32>
  %d = nn.mul %x, %one : tensor<?x3xf32>
  %e = nn.mul %one, %x : tensor<?x3xf32>
  %f = nn.div %x, %one : tensor<?x3xf32>
  return %a, %b, %c, %d, %e, %f : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

// 0 - x, 1 / x and x * 0 stay: the first two are no identities, the last one
// would lose NaN and infinity.
// CHECK-LABEL: func.func @not_neutral(
// CHECK: nn.sub
// CHECK: nn.div
// CHECK: nn.mul
func.func @not_neutral(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %zero = nn.constant dense<0.0> : tensor<3xf32>
  %one = nn.constant dense<1.0> : tensor<3xf32>
  %a = nn.sub %zero, %x : tensor<3xf32>
  %b = nn.div %one, %x : tensor<3xf32>
  %c = nn.mul %x, %zero : tensor<3xf32>
  return %a, %b, %c : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @constants(
// CHECK-DAG: %[[A:.*]] = nn.constant dense<[5.000000e+00, 7.000000e+00]>
// CHECK-DAG: %[[S:.*]] = nn.constant dense<-3.000000e+00>
// CHECK-DAG: %[[M:.*]] = nn.constant dense<[4.000000e+00, 1.000000e+01]>
// CHECK-DAG: %[[D:.*]] = nn.constant dense<[2.500000e-01, 4.000000e-01]>
// CHECK-DAG: %[[N:.*]] = nn.constant dense<[-1.000000e+00, -2.000000e+00]>
// CHECK-DAG: %[[I:.*]] = nn.constant dense<7> : tensor<i64>
// CHECK-DAG: %[[R:.*]] = nn.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
// CHECK: return %[[A]], %[[S]], %[[M]], %[[D]], %[[N]], %[[I]], %[[R]]
func.func @constants() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i64>, tensor<1x2xf32>) {
  %x = nn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = nn.constant dense<[4.0, 5.0]> : tensor<2xf32>
  %i = nn.constant dense<3> : tensor<i64>
  %j = nn.constant dense<4> : tensor<i64>
  %a = nn.add %x, %y : tensor<2xf32>
  %s = nn.sub %x, %y : tensor<2xf32>
  %m = nn.mul %x, %y : tensor<2xf32>
  %d = nn.div %x, %y : tensor<2xf32>
  %n = nn.neg %x : tensor<2xf32>
  %k = nn.add %i, %j : tensor<i64>
  %r = nn.reshape %x : tensor<2xf32> to tensor<1x2xf32>
  return %a, %s, %m, %d, %n, %k, %r : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<i64>, tensor<1x2xf32>
}

// -----

// CHECK-LABEL: func.func @identities(
// CHECK-SAME: %[[X:[^:]+]]: tensor<?x3xf32>, %[[P:[^:]+]]: tensor<?x3xi1>)
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
func.func @identities(%x: tensor<?x3xf32>, %p: tensor<?x3xi1>) -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>,
    tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  %0 = nn.neg %x : tensor<?x3xf32>
  %neg = nn.neg %0 : tensor<?x3xf32>
  %convert = nn.convert %x : tensor<?x3xf32> to tensor<?x3xf32>
  %select = nn.select %p, %x, %x : tensor<?x3xi1>, tensor<?x3xf32>
  %1 = nn.reshape %x : tensor<?x3xf32> to tensor<?x1x3xf32>
  %reshape = nn.reshape %1 : tensor<?x1x3xf32> to tensor<?x3xf32>
  %2 = nn.transpose %x [1, 0] : tensor<?x3xf32> -> tensor<3x?xf32>
  %transpose = nn.transpose %2 [1, 0] : tensor<3x?xf32> -> tensor<?x3xf32>
  %sum = nn.sum %x dims [] : tensor<?x3xf32> -> tensor<?x3xf32>
  %mean = nn.mean %x dims [] : tensor<?x3xf32> -> tensor<?x3xf32>
  %broadcast = nn.broadcast %x dims [] : tensor<?x3xf32> to tensor<?x3xf32>
  return %neg, %convert, %select, %reshape, %transpose, %sum, %mean, %broadcast : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>,
    tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

// CHECK-LABEL: func.func @select_constant(
// CHECK-SAME: %[[X:[^:]+]]: tensor<3xf32>, %[[Y:[^:]+]]: tensor<3xf32>)
// CHECK-NEXT: return %[[X]], %[[Y]]
func.func @select_constant(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %t = nn.constant dense<true> : tensor<3xi1>
  %f = nn.constant dense<false> : tensor<3xi1>
  %0 = nn.select %t, %x, %y : tensor<3xi1>, tensor<3xf32>
  %1 = nn.select %f, %x, %y : tensor<3xi1>, tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @compose(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[T:.*]] = nn.transpose %[[X]] [2, 0, 1] : tensor<?x4x5xf32> -> tensor<5x?x4xf32>
// CHECK-NEXT: %[[R:.*]] = nn.reshape %[[X]] : tensor<?x4x5xf32> to tensor<?x5xf32, #nn.extents<"4*B">>
// CHECK-NEXT: return %[[T]], %[[R]]
func.func @compose(%x: tensor<?x4x5xf32>) -> (tensor<5x?x4xf32>, tensor<?x5xf32, #nn.extents<"4*B">>) {
  %0 = nn.transpose %x [1, 2, 0] : tensor<?x4x5xf32> -> tensor<4x5x?xf32>
  %1 = nn.transpose %0 [1, 2, 0] : tensor<4x5x?xf32> -> tensor<5x?x4xf32>
  %2 = nn.reshape %x : tensor<?x4x5xf32> to tensor<?x20xf32>
  %3 = nn.reshape %2 : tensor<?x20xf32> to tensor<?x5xf32, #nn.extents<"4*B">>
  return %1, %3 : tensor<5x?x4xf32>, tensor<?x5xf32, #nn.extents<"4*B">>
}

// -----

// CHECK-LABEL: func.func @movement_of_nothing(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
func.func @movement_of_nothing(%x: tensor<?x1x5xf32>) -> (tensor<?x1x5xf32>, tensor<?x1x5xf32>, tensor<?x1x5xf32>, tensor<?x1x5xf32>, tensor<?x1x5xf32>) {
  %0 = nn.slice %x dim 2 from 0 to 5 : tensor<?x1x5xf32> -> tensor<?x1x5xf32>
  %1 = nn.pad %x dim 1 low 0 high 0 interior 3 value 2.0 : tensor<?x1x5xf32> -> tensor<?x1x5xf32>
  %2 = nn.concat %x dim 2 : (tensor<?x1x5xf32>) -> tensor<?x1x5xf32>
  %3 = nn.flip %x dims [1] : tensor<?x1x5xf32> -> tensor<?x1x5xf32>
  %4 = nn.flip %x dims [0, 2] : tensor<?x1x5xf32> -> tensor<?x1x5xf32>
  %5 = nn.flip %4 dims [0, 1, 2] : tensor<?x1x5xf32> -> tensor<?x1x5xf32>
  return %0, %1, %2, %3, %5 : tensor<?x1x5xf32>, tensor<?x1x5xf32>, tensor<?x1x5xf32>, tensor<?x1x5xf32>, tensor<?x1x5xf32>
}

// -----

// x[1:10:2] is 1 3 5 7 9, of which [1:5:3] is 3 9; a slice along another
// dimension stays.
// CHECK-LABEL: func.func @slice_of_slice(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK-NEXT: %[[A:.*]] = nn.slice %[[X]] dim 0 from 3 to 10 by 6 : tensor<10x4xf32> -> tensor<2x4xf32>
// CHECK-NEXT: %[[B:.*]] = nn.slice %[[A]] dim 1 from 1 to 4 : tensor<2x4xf32> -> tensor<2x3xf32>
// CHECK-NEXT: %[[C:.*]] = nn.slice %[[X]] dim 0 from 5 to 6 : tensor<10x4xf32> -> tensor<1x4xf32>
// CHECK-NEXT: %[[F:.*]] = nn.flip %[[X]] dims [0] : tensor<10x4xf32>
// CHECK-NEXT: return %[[B]], %[[C]], %[[F]]
func.func @slice_of_slice(%x: tensor<10x4xf32>) -> (tensor<2x3xf32>, tensor<1x4xf32>, tensor<10x4xf32>) {
  %0 = nn.slice %x dim 0 from 1 to 10 by 2 : tensor<10x4xf32> -> tensor<5x4xf32>
  %1 = nn.slice %0 dim 0 from 1 to 5 by 3 : tensor<5x4xf32> -> tensor<2x4xf32>
  %2 = nn.slice %1 dim 1 from 1 to 4 : tensor<2x4xf32> -> tensor<2x3xf32>
  %3 = nn.slice %0 dim 0 from 2 to 5 by 9223372036854775807 : tensor<5x4xf32> -> tensor<1x4xf32>
  %4 = nn.flip %x dims [0, 1] : tensor<10x4xf32> -> tensor<10x4xf32>
  %5 = nn.flip %4 dims [1] : tensor<10x4xf32> -> tensor<10x4xf32>
  return %2, %3, %5 : tensor<2x3xf32>, tensor<1x4xf32>, tensor<10x4xf32>
}

// -----

// The marks of a product stay when transposes fold into it.
// CHECK-LABEL: func.func @matmul(
// CHECK-SAME: %[[A:[^:]+]]: tensor<4x?xf32>, %[[B:[^:]+]]: tensor<3x4xf32>)
// CHECK-NEXT: nn.matmul %[[A]], %[[B]] transpose_lhs transpose_rhs {train.backward}
// CHECK-NEXT: nn.matmul %[[A]], %[[B]] transpose_lhs transpose_rhs :
func.func @matmul(%a: tensor<4x?xf32>, %b: tensor<3x4xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %at = nn.transpose %a [1, 0] : tensor<4x?xf32> -> tensor<?x4xf32>
  %bt = nn.transpose %b [1, 0] : tensor<3x4xf32> -> tensor<4x3xf32>
  %0 = nn.matmul %at, %bt {train.backward} : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  %1 = nn.matmul %at, %b transpose_rhs : (tensor<?x4xf32>, tensor<3x4xf32>) -> tensor<?x3xf32>
  return %0, %1 : tensor<?x3xf32>, tensor<?x3xf32>
}

// Of batches, the transposes of matrices fold; others move matrices.
// CHECK-LABEL: func.func @matmul_batch(
// CHECK-SAME: %[[A:[^:]+]]: tensor<?x2x4x3xf32>, %[[B:[^:]+]]: tensor<2x?x3x4xf32>)
// CHECK-NEXT: %[[T:.*]] = nn.transpose %[[B]] [1, 0, 2, 3]
// CHECK-NEXT: nn.matmul %[[A]], %[[T]] transpose_lhs transpose_rhs :
func.func @matmul_batch(%a: tensor<?x2x4x3xf32>, %b: tensor<2x?x3x4xf32>) -> tensor<?x2x3x3xf32> {
  %at = nn.transpose %a [0, 1, 3, 2] : tensor<?x2x4x3xf32> -> tensor<?x2x3x4xf32>
  %bt = nn.transpose %b [1, 0, 2, 3] : tensor<2x?x3x4xf32> -> tensor<?x2x3x4xf32>
  %0 = nn.matmul %at, %bt transpose_rhs : (tensor<?x2x3x4xf32>, tensor<?x2x3x4xf32>) -> tensor<?x2x3x3xf32>
  return %0 : tensor<?x2x3x3xf32>
}

// All matrices times one matrix are one product.
// CHECK-LABEL: func.func @matmul_rows(
// CHECK-SAME: %[[X:[^:]+]]: tensor<?x2x5x4xf32>, %[[W:[^:]+]]: tensor<3x4xf32>)
// CHECK-NEXT: %[[ROWS:.*]] = nn.reshape %[[X]] : tensor<?x2x5x4xf32> to tensor<?x4xf32, #nn.extents<"10*B">>
// CHECK-NEXT: %[[Y:.*]] = nn.matmul %[[ROWS]], %[[W]] transpose_rhs :
// CHECK-NEXT: %[[R:.*]] = nn.reshape %[[Y]] : tensor<?x3xf32, #nn.extents<"10*B">> to tensor<?x2x5x3xf32>
// CHECK-NEXT: return %[[R]]
func.func @matmul_rows(%x: tensor<?x2x5x4xf32>, %w: tensor<3x4xf32>) -> tensor<?x2x5x3xf32> {
  %all = nn.broadcast %w dims [0, 1] : tensor<3x4xf32> to tensor<?x2x3x4xf32>
  %0 = nn.matmul %x, %all transpose_rhs : (tensor<?x2x5x4xf32>, tensor<?x2x3x4xf32>) -> tensor<?x2x5x3xf32>
  return %0 : tensor<?x2x5x3xf32>
}

// Not where matrices differ, or their columns are the rows of the product.
// CHECK-LABEL: func.func @matmul_no_rows(
// CHECK-NEXT: nn.broadcast
// CHECK-NEXT: nn.matmul {{.*}} -> tensor<?x2x5x3xf32>
// CHECK-NEXT: nn.broadcast
// CHECK-NEXT: nn.matmul {{.*}} transpose_lhs : {{.*}} -> tensor<?x4x3xf32>
func.func @matmul_no_rows(%x: tensor<?x2x5x4xf32>, %w: tensor<2x4x3xf32>, %y: tensor<?x5x4xf32>, %v: tensor<5x3xf32>)
    -> (tensor<?x2x5x3xf32>, tensor<?x4x3xf32>) {
  %some = nn.broadcast %w dims [0] : tensor<2x4x3xf32> to tensor<?x2x4x3xf32>
  %0 = nn.matmul %x, %some : (tensor<?x2x5x4xf32>, tensor<?x2x4x3xf32>) -> tensor<?x2x5x3xf32>
  %all = nn.broadcast %v dims [0] : tensor<5x3xf32> to tensor<?x5x3xf32>
  %1 = nn.matmul %y, %all transpose_lhs : (tensor<?x5x4xf32>, tensor<?x5x3xf32>) -> tensor<?x4x3xf32>
  return %0, %1 : tensor<?x2x5x3xf32>, tensor<?x4x3xf32>
}

// -----

// CHECK-LABEL: func.func @twice(
// CHECK-SAME: %[[X:[^:]+]]: tensor<?x3xf32>)
// CHECK-NEXT: %[[ABS:.*]] = nn.abs %[[X]]
// CHECK-NEXT: %[[ABS_NEG:.*]] = nn.abs %[[X]]
// CHECK-NEXT: %[[SIGN:.*]] = nn.sign %[[X]]
// CHECK-NEXT: %[[FLOOR:.*]] = nn.floor %[[X]]
// CHECK-NEXT: %[[STOP:.*]] = nn.stop_gradient %[[X]]
// CHECK-NEXT: return %[[ABS]], %[[ABS_NEG]], %[[SIGN]], %[[FLOOR]], %[[STOP]]
func.func @twice(%x: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  %abs = nn.abs %x : tensor<?x3xf32>
  %0 = nn.abs %abs : tensor<?x3xf32>
  %neg = nn.neg %x : tensor<?x3xf32>
  %1 = nn.abs %neg : tensor<?x3xf32>
  %sign = nn.sign %x : tensor<?x3xf32>
  %2 = nn.sign %sign : tensor<?x3xf32>
  %floor = nn.floor %x : tensor<?x3xf32>
  %3 = nn.floor %floor : tensor<?x3xf32>
  %stop = nn.stop_gradient %x : tensor<?x3xf32>
  %4 = nn.stop_gradient %stop : tensor<?x3xf32>
  return %0, %1, %2, %3, %4 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}

// -----

// Only within a wider range there is nothing left to do.
// CHECK-LABEL: func.func @clamp(
// CHECK-SAME: %[[X:[^:]+]]: tensor<3xf32>)
// CHECK-NEXT: %[[INNER:.*]] = nn.clamp %[[X]] from 0.{{0*}}e+00 to 1.{{0*}}e+00
// CHECK-NEXT: %[[NARROW:.*]] = nn.clamp %[[INNER]]
// CHECK-NEXT: return %[[INNER]], %[[NARROW]]
func.func @clamp(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %inner = nn.clamp %x from 0.0 to 1.0 : tensor<3xf32>
  %0 = nn.clamp %inner from 0.0 to 6.0 : tensor<3xf32>
  %1 = nn.clamp %inner from 0.5 to 6.0 : tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @pow(
// CHECK-SAME: %[[X:[^:]+]]: tensor<?xf32>)
// CHECK: %[[SQUARE:.*]] = nn.square %[[X]]
// CHECK: %[[RECIPROCAL:.*]] = nn.reciprocal %[[X]]
// CHECK: %[[CUBE:.*]] = nn.pow %[[X]]
// CHECK: return %[[X]], %[[SQUARE]], %[[RECIPROCAL]], %[[CUBE]]
func.func @pow(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c1 = nn.constant dense<1.0> : tensor<f32>
  %c2 = nn.constant dense<2.0> : tensor<f32>
  %c3 = nn.constant dense<3.0> : tensor<f32>
  %cm = nn.constant dense<-1.0> : tensor<f32>
  %one = nn.broadcast %c1 dims [0] : tensor<f32> to tensor<?xf32>
  %two = nn.broadcast %c2 dims [0] : tensor<f32> to tensor<?xf32>
  %three = nn.broadcast %c3 dims [0] : tensor<f32> to tensor<?xf32>
  %minus = nn.broadcast %cm dims [0] : tensor<f32> to tensor<?xf32>
  %0 = nn.pow %x, %one : tensor<?xf32>
  %1 = nn.pow %x, %two : tensor<?xf32>
  %2 = nn.pow %x, %minus : tensor<?xf32>
  %3 = nn.pow %x, %three : tensor<?xf32>
  return %0, %1, %2, %3 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @logic(
// CHECK-SAME: %[[X:[^:]+]]: tensor<3xi1>)
// CHECK-DAG: %[[TRUE:.*]] = nn.constant dense<true>
// CHECK-DAG: %[[FALSE:.*]] = nn.constant dense<false>
// CHECK: return %[[X]], %[[X]], %[[FALSE]], %[[TRUE]], %[[X]], %[[X]]
func.func @logic(%x: tensor<3xi1>) -> (tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>) {
  %true = nn.constant dense<true> : tensor<3xi1>
  %false = nn.constant dense<false> : tensor<3xi1>
  %0 = nn.and %x, %true : tensor<3xi1>
  %1 = nn.or %false, %x : tensor<3xi1>
  %2 = nn.and %x, %false : tensor<3xi1>
  %3 = nn.or %true, %x : tensor<3xi1>
  %4 = nn.or %x, %x : tensor<3xi1>
  %not = nn.not %x : tensor<3xi1>
  %5 = nn.not %not : tensor<3xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>
}

// -----

// CHECK-LABEL: func.func @nothing_reduced(
// CHECK-SAME: %[[X:[^:]+]]: tensor<?x1xf32>)
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]]
func.func @nothing_reduced(%x: tensor<?x1xf32>) -> (tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>) {
  %0 = nn.reduce_max %x dims [] : tensor<?x1xf32> -> tensor<?x1xf32>
  %1 = nn.reduce_min %x dims [] : tensor<?x1xf32> -> tensor<?x1xf32>
  %2 = nn.cumsum %x dim 1 : tensor<?x1xf32>
  return %0, %1, %2 : tensor<?x1xf32>, tensor<?x1xf32>, tensor<?x1xf32>
}

// -----

// CHECK-LABEL: func.func @when_training_equal(
// CHECK-SAME: %[[X:[^:]+]]: tensor<3xf32>)
// CHECK-NEXT: return %[[X]]
func.func @when_training_equal(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = nn.when_training %x else %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// A maximum over the same dimensions is found with its index; one over others
// is another one.
// CHECK-LABEL: func.func @shared_extremum(
// CHECK-SAME: %[[X:[^:]+]]: tensor<?x3xf32>, %[[I:[^:]+]]: tensor<?x3xi32>)
// CHECK-NEXT: %[[V:.*]], %[[FIRST:.*]] = nn.reduce_argmax %[[X]], %[[I]] dims [0]
// CHECK-NEXT: %[[ROWS:.*]] = nn.reduce_max %[[X]] dims [1]
// CHECK-NEXT: return %[[V]], %[[ROWS]], %[[FIRST]]
func.func @shared_extremum(%x: tensor<?x3xf32>, %i: tensor<?x3xi32>)
    -> (tensor<3xf32>, tensor<?xf32>, tensor<3xi32>) {
  %max = nn.reduce_max %x dims [0] : tensor<?x3xf32> -> tensor<3xf32>
  %rows = nn.reduce_max %x dims [1] : tensor<?x3xf32> -> tensor<?xf32>
  %value, %index = nn.reduce_argmax %x, %i dims [0] : tensor<?x3xf32>, tensor<?x3xi32> -> tensor<3xf32>, tensor<3xi32>
  return %max, %rows, %index : tensor<3xf32>, tensor<?xf32>, tensor<3xi32>
}
