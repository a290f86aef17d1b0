// RUN: accrue-opt %s --scatter-to-loops --canonicalize -split-input-file -verify-diagnostics | FileCheck %s

// Ranges of two rows, the last of one: cleared where the table is overwritten,
// then all indices in order.
// CHECK-LABEL: @rows(
// CHECK-SAME:    %[[U:.*]]: memref<4x2x3xf32>, %[[I:.*]]: memref<4x2xi32>, %[[T:.*]]: memref<1001x3xf32>, %[[F:.*]]: i1)
// CHECK:       kernel.group "scatter_add" scatter ins(%[[U]], %[[I]], %[[F]] : {{.*}}) outs(%[[T]] : memref<1001x3xf32>) attributes {kernel.backward}
// CHECK-NEXT:  ^bb0(%[[U:.*]]: memref<4x2x3xf32>, %[[I:.*]]: memref<4x2xi32>, %[[F:.*]]: i1, %[[T:.*]]: memref<1001x3xf32>):
// CHECK:         scf.parallel (%[[R:.*]]) = (%c0) to (%c501) step (%c1) {
// CHECK:           %[[START:.*]] = arith.muli %[[R]], %c2
// CHECK:           %[[NEXT:.*]] = arith.addi %[[START]], %c2
// CHECK:           %[[END:.*]] = arith.minsi %[[NEXT]], %c1001
// CHECK:           scf.if %[[F]] {
// CHECK-NEXT:        scf.for %[[V:.*]] = %[[START]] to %[[END]] step %c1 {
// CHECK-NEXT:          scf.parallel (%[[C:.*]]) = (%c0) to (%c3) step (%c1) {
// CHECK-NEXT:            memref.store %{{.*}}, %[[T]][%[[V]], %[[C]]]
// CHECK:           %[[LEAST:.*]] = arith.index_cast %[[START]] : index to i32
// CHECK:           %[[BOUND:.*]] = arith.index_cast %[[END]] : index to i32
// CHECK:           scf.for %[[A:.*]] = %c0 to %c4 step %c1 {
// CHECK-NEXT:        scf.for %[[B:.*]] = %c0 to %c2 step %c1 {
// CHECK-NEXT:          %[[ROW:.*]] = memref.load %[[I]][%[[A]], %[[B]]]
// CHECK-NEXT:          %[[GE:.*]] = arith.cmpi sge, %[[ROW]], %[[LEAST]] : i32
// CHECK-NEXT:          %[[LT:.*]] = arith.cmpi slt, %[[ROW]], %[[BOUND]] : i32
// CHECK-NEXT:          %[[HERE:.*]] = arith.andi
// CHECK-NEXT:          scf.if %[[HERE]] {
// CHECK-NEXT:            %[[P:.*]] = arith.index_cast %[[ROW]] : i32 to index
// CHECK-NEXT:            scf.parallel (%[[C:.*]]) = (%c0) to (%c3) step (%c1) {
// CHECK-DAG:               %[[OLD:.*]] = memref.load %[[T]][%[[P]], %[[C]]]
// CHECK-DAG:               %[[NEW:.*]] = memref.load %[[U]][%[[A]], %[[B]], %[[C]]]
// CHECK:                   %[[SUM:.*]] = arith.addf %[[OLD]], %[[NEW]]
// CHECK-NEXT:              memref.store %[[SUM]], %[[T]][%[[P]], %[[C]]]
func.func @rows(%u: memref<4x2x3xf32>, %i: memref<4x2xi32>, %t: memref<1001x3xf32>, %first: i1) {
  kernel.scatter_add %u, %i dim 0 overwrite %first outs(%t) {kernel.backward} : memref<4x2x3xf32>, memref<4x2xi32>, memref<1001x3xf32>
  return
}

// -----

// One index, one column, and a table that continues.
// CHECK-LABEL: @continues(
// CHECK:         kernel.group "scatter_add" scatter ins(%{{.*}}, %{{.*}} : memref<2xf64>, memref<i64>) outs(%{{.*}} : memref<2x5xf64>)
// CHECK:         scf.parallel (%[[A:.*]], %[[R:.*]]) = (%c0, %c0) to (%c2, %c5) step (%c1, %c1) {
// CHECK-NOT:       scf.for
// CHECK:           %[[ROW:.*]] = memref.load %{{.*}}[] : memref<i64>
// CHECK:           scf.if
// CHECK:             memref.store %{{.*}}, %{{.*}}[%[[A]], %{{.*}}] : memref<2x5xf64>
func.func @continues(%u: memref<2xf64>, %i: memref<i64>, %t: memref<2x5xf64>) {
  %no = arith.constant false
  kernel.scatter_add %u, %i dim 1 overwrite %no outs(%t) : memref<2xf64>, memref<i64>, memref<2x5xf64>
  return
}

// -----

func.func @tensors(%u: tensor<2x3xf32>, %i: tensor<2xi32>, %t: tensor<4x3xf32>, %first: i1) -> tensor<4x3xf32> {
  // expected-error @below {{expected buffers; run 'bufferize-kernels' first}}
  %0 = kernel.scatter_add %u, %i dim 0 overwrite %first outs(%t) : tensor<2x3xf32>, tensor<2xi32>, tensor<4x3xf32> -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
