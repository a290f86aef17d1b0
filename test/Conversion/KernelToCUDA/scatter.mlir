// RUN: accrue-opt --kernels-to-cuda --canonicalize --cse --split-input-file %s -verify-diagnostics | FileCheck %s

// A block per range of rows. Its threads share the columns: what one of them
// clears it adds to, so there is no barrier.

// CHECK-LABEL: cuda.kernel @scatter_add(
// CHECK-SAME:    %[[U:.*]]: memref<8x100xf32>, %[[I:.*]]: memref<8xi32>, %[[F:.*]]: i1, %[[T:.*]]: memref<6x100xf32>
// CHECK-SAME:    block = 128 : i64
// CHECK-SAME:    bytes = 8032 : i64
// CHECK-SAME:    flops = 800 : i64
// CHECK-SAME:    grid = 3 : i64
// CHECK-SAME:    schedule = "scatter, one block for each of 3 ranges of rows"
// CHECK-NOT:     gpu.barrier
// CHECK:         %[[R:.*]] = gpu.block_id x
// CHECK:         %[[START:.*]] = arith.muli %[[R]], %c2
// CHECK:         scf.if %[[F]] {
// CHECK-NEXT:      scf.for %[[V:.*]] = %[[START]] to
// CHECK-DAG:         %[[THREAD:.*]] = gpu.thread_id x
// CHECK-DAG:         %[[THREADS:.*]] = gpu.block_dim x
// CHECK:             scf.for %[[C:.*]] = %[[THREAD]] to %c100 step %[[THREADS]] {
// CHECK-NEXT:          memref.store %{{.*}}, %[[T]][%[[V]], %[[C]]]
// CHECK:         scf.for %[[K:.*]] = %c0 to %c8 step %c1 {
// CHECK-NEXT:      %[[ROW:.*]] = memref.load %[[I]][%[[K]]]
// CHECK:           scf.if
// CHECK-DAG:         %[[THREAD:.*]] = gpu.thread_id x
// CHECK-DAG:         %[[THREADS:.*]] = gpu.block_dim x
// CHECK:             scf.for %[[C:.*]] = %[[THREAD]] to %c100 step %[[THREADS]] {
// CHECK:               memref.store %{{.*}}, %[[T]][%{{.*}}, %[[C]]]
// CHECK-NOT:     gpu.barrier
// CHECK:         cuda.return
kernel.func @scatter_add scatter(%u: memref<8x100xf32>, %i: memref<8xi32>, %first: i1, %t: memref<6x100xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c100 = arith.constant 100 : index
  scf.parallel (%r) = (%c0) to (%c3) step (%c1) {
    %start = arith.muli %r, %c2 : index
    %end = arith.addi %start, %c2 : index
    scf.if %first {
      scf.for %v = %start to %end step %c1 {
        scf.parallel (%c) = (%c0) to (%c100) step (%c1) {
          memref.store %zero, %t[%v, %c] : memref<6x100xf32>
          scf.reduce
        }
      }
    }
    %least = arith.index_cast %start : index to i32
    %bound = arith.index_cast %end : index to i32
    scf.for %k = %c0 to %c8 step %c1 {
      %row = memref.load %i[%k] : memref<8xi32>
      %ge = arith.cmpi sge, %row, %least : i32
      %lt = arith.cmpi slt, %row, %bound : i32
      %here = arith.andi %ge, %lt : i1
      scf.if %here {
        %p = arith.index_cast %row : i32 to index
        scf.parallel (%c) = (%c0) to (%c100) step (%c1) {
          %old = memref.load %t[%p, %c] : memref<6x100xf32>
          %new = memref.load %u[%k, %c] : memref<8x100xf32>
          %sum = arith.addf %old, %new : f32
          memref.store %sum, %t[%p, %c] : memref<6x100xf32>
          scf.reduce
        }
      }
    }
    scf.reduce
  }
  kernel.return
}

// -----

kernel.func @no_branches elementwise(%i: memref<8xi1>, %t: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%r) = (%c0) to (%c8) step (%c1) {
    %b = memref.load %i[%r] : memref<8xi1>
    // expected-error @below {{cannot be mapped to CUDA threads}}
    scf.if %b {
      memref.store %zero, %t[%r] : memref<8xf32>
    }
    scf.reduce
  }
  kernel.return
}
