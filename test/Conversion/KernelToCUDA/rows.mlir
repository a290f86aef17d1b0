// RUN: accrue-opt --kernels-to-cuda --canonicalize --cse --split-input-file %s | FileCheck %s

// A block per row, as many threads as the row is long, in whole warps; what is
// only stored is the leader's.

// CHECK-LABEL: cuda.kernel @sum(
// CHECK-SAME:    %[[X:.*]]: memref<7x100xf32>, %[[Y:.*]]: memref<7xf32>
// CHECK-SAME:    block = 128 : i64
// CHECK-SAME:    bytes = 2828 : i64
// CHECK-SAME:    flops = 707 : i64
// CHECK-SAME:    grid = 7 : i64
// CHECK-SAME:    schedule = "rows, one block for each of 7"
kernel.func @sum rows(%x: memref<7x100xf32>, %y: memref<7xf32>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c100 = arith.constant 100 : index
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK-DAG: %[[END:.*]] = arith.constant 100 : index
  // CHECK-DAG: %[[ROW:.*]] = gpu.block_id x
  // CHECK-DAG: %[[THREAD:.*]] = gpu.thread_id x
  // CHECK-DAG: %[[THREADS:.*]] = gpu.block_dim x
  scf.parallel (%i) = (%c0) to (%c7) step (%c1) {
    // CHECK:      %[[PART:.*]] = scf.for %[[J:.*]] = %[[THREAD]] to %[[END]] step %[[THREADS]]
    // CHECK-SAME:     iter_args(%[[S:.*]] = %[[ZERO]])
    // CHECK-NEXT:   %[[E:.*]] = memref.load %[[X]][%[[ROW]], %[[J]]]
    // CHECK-NEXT:   %[[N:.*]] = arith.addf %[[S]], %[[E]]
    // CHECK-NEXT:   scf.yield %[[N]]
    // CHECK:      %[[SUM:.*]] = gpu.all_reduce add %[[PART]] uniform
    // CHECK:      %[[IS:.*]] = arith.cmpi eq, %[[THREAD]]
    // CHECK-NEXT: scf.if %[[IS]] {
    // CHECK-NEXT:   %[[R:.*]] = arith.mulf %[[SUM]]
    // CHECK-NEXT:   memref.store %[[R]], %[[Y]][%[[ROW]]]
    // CHECK-NEXT: }
    // CHECK-NOT:  gpu.barrier
    // CHECK:      cuda.return
    %s = scf.parallel (%j) = (%c0) to (%c100) step (%c1) init (%zero) -> f32 {
      %0 = memref.load %x[%i, %j] : memref<7x100xf32>
      scf.reduce(%0 : f32) {
      ^bb0(%a: f32, %b: f32):
        %1 = arith.addf %a, %b : f32
        scf.reduce.return %1 : f32
      }
    }
    %r = arith.mulf %s, %two : f32
    memref.store %r, %y[%i] : memref<7xf32>
    scf.reduce
  }
  kernel.return
}

// -----

// A start that is not neutral counts once, not once per thread.

// CHECK-LABEL: cuda.kernel @offset(
// CHECK-DAG:     %[[TEN:.*]] = arith.constant 1.000000e+01 : f32
// CHECK-DAG:     %[[NEUTRAL:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %[[NEUTRAL]])
// CHECK:         %[[ALL:.*]] = gpu.all_reduce add
// CHECK:         arith.addf %[[ALL]], %[[TEN]]
kernel.func @offset rows(%x: memref<100xf32>, %y: memref<f32>) {
  %ten = arith.constant 10.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %s = scf.parallel (%j) = (%c0) to (%c100) step (%c1) init (%ten) -> f32 {
    %0 = memref.load %x[%j] : memref<100xf32>
    scf.reduce(%0 : f32) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %a, %b : f32
      scf.reduce.return %1 : f32
    }
  }
  memref.store %s, %y[] : memref<f32>
  kernel.return
}

// -----

// No barrier where every thread reads again what it wrote itself.

// CHECK-LABEL: cuda.kernel @own(
// CHECK-NOT:     gpu.barrier
// CHECK:         cuda.return
kernel.func @own rows(%x: memref<4x64xf32>, %y: memref<4x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    scf.parallel (%j) = (%c0) to (%c64) step (%c1) {
      %0 = memref.load %x[%i, %j] : memref<4x64xf32>
      memref.store %0, %y[%i, %j] : memref<4x64xf32>
      scf.reduce
    }
    scf.parallel (%j) = (%c0) to (%c64) step (%c1) {
      %0 = memref.load %y[%i, %j] : memref<4x64xf32>
      %1 = arith.addf %0, %0 : f32
      memref.store %1, %y[%i, %j] : memref<4x64xf32>
      scf.reduce
    }
    scf.reduce
  }
  kernel.return
}

// -----

// A barrier where a thread reads what another one wrote.

// CHECK-LABEL: cuda.kernel @shifted(
// CHECK:         scf.for
// CHECK:         memref.store
// CHECK:         gpu.barrier
// CHECK:         scf.for
// CHECK-NOT:     gpu.barrier
// CHECK:         cuda.return
kernel.func @shifted rows(%x: memref<4x64xf32>, %y: memref<4x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    scf.parallel (%j) = (%c0) to (%c64) step (%c1) {
      %0 = memref.load %x[%i, %j] : memref<4x64xf32>
      memref.store %0, %y[%i, %j] : memref<4x64xf32>
      scf.reduce
    }
    scf.parallel (%j) = (%c0) to (%c64) step (%c1) {
      %k = arith.subi %c63, %j : index
      %0 = memref.load %y[%i, %k] : memref<4x64xf32>
      memref.store %0, %x[%i, %j] : memref<4x64xf32>
      scf.reduce
    }
    scf.reduce
  }
  kernel.return
}

// -----

// A barrier where all threads read an element that one of them overwrites, and
// where the leader's store is read by all.

// CHECK-LABEL: cuda.kernel @picked(
// CHECK:         %[[P:.*]] = memref.load
// CHECK:         gpu.barrier
// CHECK:         scf.for
// CHECK:           memref.store
// CHECK:         }
// CHECK:         scf.if
// CHECK:           memref.store
// CHECK:         }
// CHECK-NEXT:    gpu.barrier
// CHECK:         memref.load
// CHECK:         scf.for
// CHECK:         cuda.return
kernel.func @picked rows(%x: memref<4x64xf32>, %y: memref<4xf32>, %z: memref<4x64xf32>) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %p = memref.load %x[%i, %c1] : memref<4x64xf32>
    scf.parallel (%j) = (%c0) to (%c64) step (%c1) {
      memref.store %p, %x[%i, %j] : memref<4x64xf32>
      scf.reduce
    }
    memref.store %one, %y[%i] : memref<4xf32>
    %q = memref.load %y[%i] : memref<4xf32>
    scf.parallel (%j) = (%c0) to (%c64) step (%c1) {
      memref.store %q, %z[%i, %j] : memref<4x64xf32>
      scf.reduce
    }
    scf.reduce
  }
  kernel.return
}

// -----

// Rows of several dimensions and loops of several dimensions are run flat.

// CHECK-LABEL: cuda.kernel @many(
// CHECK-SAME:    block = 32 : i64
// CHECK-SAME:    grid = 6 : i64
// CHECK:         %[[R:.*]]:2 = affine.delinearize_index %{{.*}} into (2, 3)
// CHECK:         scf.for %[[K:[^ ]*]] =
// CHECK-NEXT:      %[[I:.*]]:2 = affine.delinearize_index %[[K]] into (4, 5)
// CHECK-NEXT:      memref.load %{{.*}}[%[[R]]#0, %[[R]]#1, %[[I]]#0, %[[I]]#1]
kernel.func @many rows(%x: memref<2x3x4x5xf32>, %y: memref<2x3xf32>) {
  %lowest = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  scf.parallel (%a, %b) = (%c0, %c0) to (%c2, %c3) step (%c1, %c1) {
    %s = scf.parallel (%c, %d) = (%c0, %c0) to (%c4, %c5) step (%c1, %c1) init (%lowest) -> f32 {
      %0 = memref.load %x[%a, %b, %c, %d] : memref<2x3x4x5xf32>
      scf.reduce(%0 : f32) {
      ^bb0(%p: f32, %q: f32):
        %1 = arith.maximumf %p, %q : f32
        scf.reduce.return %1 : f32
      }
    }
    memref.store %s, %y[%a, %b] : memref<2x3xf32>
    scf.reduce
  }
  kernel.return
}

// -----

// Rows without a loop along them: one thread each.

// CHECK-LABEL: cuda.kernel @short(
// CHECK-SAME:    block = 256 : i64
// CHECK-SAME:    schedule = "rows, 1000 elements"
kernel.func @short rows(%x: memref<1000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  scf.parallel (%i) = (%c0) to (%c1000) step (%c1) {
    %0 = memref.load %x[%i] : memref<1000xf32>
    %1 = arith.addf %0, %0 : f32
    memref.store %1, %x[%i] : memref<1000xf32>
    scf.reduce
  }
  kernel.return
}

// -----

// A single long row takes a large block.

// CHECK-LABEL: cuda.kernel @long(
// CHECK-SAME:    block = 1024 : i64
// CHECK-SAME:    grid = 1 : i64
kernel.func @long rows(%x: memref<5000xf32>, %y: memref<i32>) {
  %n = arith.constant 2147483647 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5000 = arith.constant 5000 : index
  // CHECK: gpu.all_reduce minsi
  %s = scf.parallel (%j) = (%c0) to (%c5000) step (%c1) init (%n) -> i32 {
    %0 = memref.load %x[%j] : memref<5000xf32>
    %1 = arith.fptosi %0 : f32 to i32
    scf.reduce(%1 : i32) {
    ^bb0(%a: i32, %b: i32):
      %2 = arith.minsi %a, %b : i32
      scf.reduce.return %2 : i32
    }
  }
  memref.store %s, %y[] : memref<i32>
  kernel.return
}
