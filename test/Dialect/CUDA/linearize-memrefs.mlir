// RUN: accrue-opt %s --cuda-linearize-memrefs --canonicalize --cse --split-input-file --verify-diagnostics | FileCheck %s

// Where an access follows the loop, divisions and products cancel.

// CHECK-LABEL: cuda.kernel @cancel(
// CHECK-SAME:    %[[X:.*]]: memref<20xf32>, %[[B:.*]]: memref<5xf32>, %[[S:.*]]: memref<1xf32>
// CHECK-SAME:    index_bits = 32
cuda.kernel @cancel(%x: memref<4x5xf32>, %b: memref<5xf32>, %s: memref<f32>) attributes {block = 32 : i64, grid = 1 : i64} {
  // CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG:  %[[C5:.*]] = arith.constant 5 : index
  // CHECK-DAG:  %[[N:.*]] = gpu.thread_id x
  %n = gpu.thread_id x
  %d:2 = affine.delinearize_index %n into (4, 5) : index, index
  // CHECK-DAG:  %[[J:.*]] = arith.remui %[[N]], %[[C5]]
  // CHECK-DAG:  %[[V:.*]] = memref.load %[[X]][%[[N]]]
  // CHECK-DAG:  %[[W:.*]] = memref.load %[[B]][%[[J]]]
  // CHECK-DAG:  %[[U:.*]] = memref.load %[[S]][%[[C0]]]
  %0 = memref.load %x[%d#0, %d#1] : memref<4x5xf32>
  %1 = memref.load %b[%d#1] : memref<5xf32>
  %2 = memref.load %s[] : memref<f32>
  %3 = arith.addf %0, %1 : f32
  %4 = arith.addf %3, %2 : f32
  // CHECK:      memref.store %{{.*}}, %[[X]][%[[N]]]
  memref.store %4, %x[%d#0, %d#1] : memref<4x5xf32>
  cuda.return
}

// -----

// Others are written out.

// CHECK-LABEL: cuda.kernel @expand(
cuda.kernel @expand(%x: memref<2x3x4xf32>, %y: memref<4x3x2xf32>) attributes {block = 32 : i64, grid = 1 : i64} {
  // CHECK-DAG:  %[[C2:.*]] = arith.constant 2 : index
  // CHECK-DAG:  %[[C3:.*]] = arith.constant 3 : index
  // CHECK-DAG:  %[[C4:.*]] = arith.constant 4 : index
  // CHECK-DAG:  %[[C12:.*]] = arith.constant 12 : index
  // CHECK-DAG:  %[[N:.*]] = gpu.thread_id x
  // CHECK-DAG:  %[[K:.*]] = arith.remui %[[N]], %[[C4]]
  // CHECK-DAG:  %[[Q:.*]] = arith.divui %[[N]], %[[C4]]
  // CHECK-DAG:  %[[J:.*]] = arith.remui %[[Q]], %[[C3]]
  // CHECK-DAG:  %[[I:.*]] = arith.divui %[[N]], %[[C12]]
  %n = gpu.thread_id x
  %d:3 = affine.delinearize_index %n into (2, 3, 4) : index, index, index
  %0 = memref.load %x[%d#0, %d#1, %d#2] : memref<2x3x4xf32>
  // CHECK:      %[[A:.*]] = arith.muli %[[K]], %[[C3]]
  // CHECK-NEXT: %[[B:.*]] = arith.addi %[[A]], %[[J]]
  // CHECK-NEXT: %[[C:.*]] = arith.muli %[[B]], %[[C2]]
  // CHECK-NEXT: %[[D:.*]] = arith.addi %[[C]], %[[I]]
  // CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%[[D]]] : memref<24xf32>
  memref.store %0, %y[%d#2, %d#1, %d#0] : memref<4x3x2xf32>
  cuda.return
}

// -----

// An index that was split by hand cancels, too.

// CHECK-LABEL: cuda.kernel @split(
// CHECK:         %[[N:.*]] = gpu.thread_id x
// CHECK:         memref.store %{{.*}}, %{{.*}}[%[[N]]]
cuda.kernel @split(%x: memref<4x5xf32>, %a: f32) attributes {block = 32 : i64, grid = 1 : i64} {
  %c5 = arith.constant 5 : index
  %n = gpu.thread_id x
  %i = arith.divui %n, %c5 : index
  %j = arith.remui %n, %c5 : index
  memref.store %a, %x[%i, %j] : memref<4x5xf32>
  cuda.return
}

// -----

// Offsets have 64 bits only where a buffer, or the grid beyond it, needs them.

// CHECK-LABEL: cuda.kernel @large(
// CHECK-SAME:    index_bits = 64
cuda.kernel @large(%x: memref<2147483000xf32>) attributes {block = 256 : i64, grid = 65536 : i64} {
  cuda.return
}

// Constants count, and sums may exceed what they lead to.
// CHECK-LABEL: cuda.kernel @constant(
// CHECK-SAME:    index_bits = 64
cuda.kernel @constant(%x: memref<8xindex>) attributes {block = 1 : i64, grid = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c = arith.constant 1073741824 : index
  memref.store %c, %x[%c0] : memref<8xindex>
  cuda.return
}
// CHECK-LABEL: cuda.kernel @below(
// CHECK-SAME:    index_bits = 32
cuda.kernel @below(%x: memref<1073741000xf32>) attributes {block = 1 : i64, grid = 1 : i64} {
  cuda.return
}

// CHECK: cuda.ranges @small
// CHECK-NOT: index_bits
cuda.ranges @small [#kernel.range<"a" at 0 count 2147483647 rule 0>]
// CHECK: cuda.ranges @wide
// CHECK-SAME: index_bits = 64
cuda.ranges @wide [#kernel.range<"a" at 0 count 2147483648 rule 0>]

// -----

// expected-error@+1 {{expected a static shape and the identity layout, got 'memref<?xf32>'}}
cuda.kernel @dynamic(%x: memref<?xf32>) attributes {block = 32 : i64, grid = 1 : i64} {
  cuda.return
}

// -----

// expected-error@+1 {{expected a static shape and the identity layout, got 'memref<4x4xf32, strided<[1, 4]>>'}}
cuda.kernel @strided(%x: memref<4x4xf32, strided<[1, 4]>>) attributes {block = 32 : i64, grid = 1 : i64} {
  cuda.return
}
