// RUN: accrue-opt %s -cpu-outline-chunks | FileCheck %s

// Constants and tables are copied; buffers and scalars become arguments.
// CHECK-LABEL: kernel.func @scale elementwise(
// CHECK-SAME: %[[X:.*]]: memref<16xf32>, %[[S:.*]]: memref<f32>)
// CHECK: %[[FACTOR:.*]] = memref.load %[[S]][]
// CHECK: scf.parallel (%[[C:.*]]) = (%c0) to (%c2) step (%c1) {
// CHECK-NEXT: kernel.launch @scale_chunk(%[[C]], %[[X]], %[[FACTOR]]) : index, memref<16xf32>, f32
// CHECK-NEXT: scf.reduce
// CHECK-NEXT: }
kernel.func @scale elementwise(%x: memref<16xf32>, %s: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %table = memref.get_global @table : memref<2xi64>
  %factor = memref.load %s[] : memref<f32>
  scf.parallel (%c) = (%c0) to (%c2) step (%c1) {
    %0 = memref.load %table[%c] : memref<2xi64>
    %from = arith.index_cast %0 : i64 to index
    %to = arith.addi %from, %c8 : index
    scf.for %i = %from to %to step %c1 {
      %1 = memref.load %x[%i] : memref<16xf32>
      %2 = arith.mulf %1, %factor : f32
      memref.store %2, %x[%i] : memref<16xf32>
    }
    scf.reduce
  }
  kernel.return
}

memref.global "private" constant @table : memref<2xi64> = dense<[0, 8]>

// CHECK-LABEL: kernel.func @scale_chunk elementwise(
// CHECK-SAME: %[[C:.*]]: index, %[[X:.*]]: memref<16xf32>, %[[F:.*]]: f32)
// CHECK-DAG: %[[TABLE:.*]] = memref.get_global @table
// CHECK-DAG: arith.constant 8 : index
// CHECK: memref.load %[[TABLE]][%[[C]]]
// CHECK: scf.for
// CHECK: arith.mulf %{{.*}}, %[[F]]
// CHECK: memref.store %{{.*}}, %[[X]]
// CHECK: kernel.return
