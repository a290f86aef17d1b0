// RUN: accrue-opt --kernels-to-cuda --canonicalize --cse --split-input-file %s | FileCheck %s

// CHECK-LABEL: cuda.kernel @elementwise(
// CHECK-SAME:    block = 256 : i64
// CHECK-SAME:    grid = 4 : i64
// CHECK-SAME:    schedule = "elementwise, 1000 elements"
kernel.func @elementwise elementwise(%x: memref<10x100xf32>, %b: memref<100xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  // CHECK-DAG:  %[[T:.*]] = gpu.thread_id x
  // CHECK-DAG:  %[[B:.*]] = gpu.block_id x
  // CHECK-DAG:  %[[D:.*]] = gpu.block_dim x
  // CHECK-DAG:  %[[G:.*]] = gpu.grid_dim x
  // CHECK-DAG:  %[[M:.*]] = arith.muli %[[B]], %[[D]]
  // CHECK-DAG:  %[[FIRST:.*]] = arith.addi %[[M]], %[[T]]
  // CHECK-DAG:  %[[STRIDE:.*]] = arith.muli %[[G]], %[[D]]
  // CHECK:      scf.for %[[N:.*]] = %[[FIRST]] to %c1000 step %[[STRIDE]] {
  // CHECK-NEXT:   %[[I:.*]]:2 = affine.delinearize_index %[[N]] into (10, 100)
  // CHECK-NEXT:   memref.load %{{.*}}[%[[I]]#0, %[[I]]#1]
  // CHECK-NEXT:   memref.load %{{.*}}[%[[I]]#1]
  scf.parallel (%i, %j) = (%c0, %c0) to (%c10, %c100) step (%c1, %c1) {
    %0 = memref.load %x[%i, %j] : memref<10x100xf32>
    %1 = memref.load %b[%j] : memref<100xf32>
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %x[%i, %j] : memref<10x100xf32>
    scf.reduce
  }
  kernel.return
}

// -----

// Bounds that do not begin at 0, and steps.

// CHECK-LABEL: cuda.kernel @bounds(
// CHECK-SAME:    schedule = "elementwise, 3 elements"
// CHECK:         scf.for %[[N:.*]] = {{.*}} to %c3 step
// CHECK-NEXT:      %[[M:.*]] = arith.muli %[[N]], %c4
// CHECK-NEXT:      %[[I:.*]] = arith.addi %[[M]], %c2
// CHECK-NEXT:      memref.store %{{.*}}, %{{.*}}[%[[I]]]
kernel.func @bounds elementwise(%x: memref<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c14 = arith.constant 14 : index
  scf.parallel (%i) = (%c2) to (%c14) step (%c4) {
    memref.store %zero, %x[%i] : memref<16xf32>
    scf.reduce
  }
  kernel.return
}

// -----

// A grid has at most 65536 blocks; then threads take several elements.

// CHECK-LABEL: cuda.kernel @large(
// CHECK-SAME:    grid = 65536 : i64
kernel.func @large elementwise(%x: memref<100000000xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100000000 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %zero, %x[%i] : memref<100000000xf32>
    scf.reduce
  }
  kernel.return
}

// -----

// Columns: sums are sequential, over memory that is strided.

// CHECK-LABEL: cuda.kernel @columns(
// CHECK:         scf.for %[[J:.*]] =
// CHECK-NEXT:      %[[S:.*]] = scf.for %[[I:.*]] = %c0 to %c10 step %c1 iter_args
// CHECK-NEXT:        memref.load %{{.*}}[%[[I]], %[[J]]]
// CHECK:           memref.store %[[S]], %{{.*}}[%[[J]]]
kernel.func @columns columns(%x: memref<10x100xf32>, %y: memref<100xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  scf.parallel (%j) = (%c0) to (%c100) step (%c1) {
    %s = scf.parallel (%i) = (%c0) to (%c10) step (%c1) init (%zero) -> f32 {
      %0 = memref.load %x[%i, %j] : memref<10x100xf32>
      scf.reduce(%0 : f32) {
      ^bb0(%a: f32, %b: f32):
        %1 = arith.addf %a, %b : f32
        scf.reduce.return %1 : f32
      }
    }
    memref.store %s, %y[%j] : memref<100xf32>
    scf.reduce
  }
  kernel.return
}

// -----

// Scalars: one thread.

// CHECK-LABEL: cuda.kernel @scalar(
// CHECK-SAME:    block = 1 : i64
// CHECK-SAME:    grid = 1 : i64
// CHECK-SAME:    schedule = "one thread"
kernel.func @scalar elementwise(%x: memref<f32>) {
  %0 = memref.load %x[] : memref<f32>
  %1 = arith.addf %0, %0 : f32
  memref.store %1, %x[] : memref<f32>
  kernel.return
}
