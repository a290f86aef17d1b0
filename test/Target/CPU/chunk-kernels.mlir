// RUN: accrue-opt %s -pass-pipeline='builtin.module(kernel.func(cpu-chunk-kernels))' | FileCheck %s

// Too little work for a parallel region: sequential loops. The bias is the
// same for all rows, so the two dimensions stay.
// CHECK-LABEL: kernel.func @small
// CHECK-NOT: scf.parallel
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c8
// CHECK-NEXT: scf.for %[[J:.*]] = %{{.*}} to %c4
// CHECK-NEXT: memref.load %{{.*}}[%[[I]], %[[J]]]
// CHECK-NEXT: memref.load %{{.*}}[%[[J]]]
kernel.func @small elementwise(%x: memref<8x4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c4) step (%c1, %c1) {
    %0 = memref.load %x[%i, %j] : memref<8x4xf32>
    %1 = memref.load %b[%j] : memref<4xf32>
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %x[%i, %j] : memref<8x4xf32>
    scf.reduce
  }
  kernel.return
}

// Memory in the order of the iterations: one dimension, in pieces that start
// at a multiple of 16 elements.
// CHECK-LABEL: kernel.func @linear
// CHECK-DAG: %[[X:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0, 1]] : memref<16000x300xf32> into memref<4800000xf32>
// CHECK: scf.parallel (%[[C:.*]]) = (%{{.*}}) to (%c13) step
// CHECK: %[[FROM:.*]] = arith.muli %[[C]], %c369232{{(_[0-9]+)?}}
// CHECK: %[[END:.*]] = arith.addi %[[FROM]], %c369232{{(_[0-9]+)?}}
// CHECK: %[[TO:.*]] = arith.minsi %[[END]], %c4800000{{(_[0-9]+)?}}
// CHECK: scf.for %[[J:.*]] = %[[FROM]] to %[[TO]]
// CHECK-NEXT: memref.load %{{.*}}[%[[J]]] : memref<4800000xf32>
kernel.func @linear elementwise(%x: memref<16000x300xf32>, %s: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c300 = arith.constant 300 : index
  %c16000 = arith.constant 16000 : index
  %0 = memref.load %s[] : memref<f32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%c16000, %c300) step (%c1, %c1) {
    %1 = memref.load %x[%i, %j] : memref<16000x300xf32>
    %2 = arith.mulf %1, %0 : f32
    memref.store %2, %x[%i, %j] : memref<16000x300xf32>
    scf.reduce
  }
  kernel.return
}

// Whole rows: the loop along a row has constant bounds.
// CHECK-LABEL: kernel.func @bias
// CHECK: scf.parallel (%[[C:.*]]) = (%{{.*}}) to (%c18{{(_[0-9]+)?}}) step
// CHECK: %[[FROM:.*]] = arith.muli %[[C]], %c889{{(_[0-9]+)?}}
// CHECK: %[[END:.*]] = arith.addi %[[FROM]], %c889{{(_[0-9]+)?}}
// CHECK: %[[TO:.*]] = arith.minsi %[[END]], %c16000{{(_[0-9]+)?}}
// CHECK: scf.for %[[R:.*]] = %[[FROM]] to %[[TO]]
// CHECK: %[[I:.*]] = arith.remui %[[R]], %c40{{(_[0-9]+)?}}
// CHECK: %[[H:.*]] = arith.divui %[[R]], %c40{{(_[0-9]+)?}}
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %c300{{(_[0-9]+)?}}
// CHECK-NEXT: memref.load %{{.*}}[%[[H]], %[[I]], %[[J]]]
kernel.func @bias elementwise(%x: memref<400x40x300xf32>, %b: memref<300xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %c400 = arith.constant 400 : index
  %c300 = arith.constant 300 : index
  scf.parallel (%h, %i, %j) = (%c0, %c0, %c0) to (%c400, %c40, %c300) step (%c1, %c1, %c1) {
    %0 = memref.load %x[%h, %i, %j] : memref<400x40x300xf32>
    %1 = memref.load %b[%j] : memref<300xf32>
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %x[%h, %i, %j] : memref<400x40x300xf32>
    scf.reduce
  }
  kernel.return
}

// Loops inside are sequential; only additions that combine are reassociated.
// CHECK-LABEL: kernel.func @rows
// CHECK: scf.parallel (%[[C:.*]]) = (%{{.*}}) to (%c13) step
// CHECK: arith.muli %[[C]], %c1231
// CHECK: scf.for
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (f32) {
// CHECK: %[[SHIFTED:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: %[[NEXT:.*]] = arith.addf %[[S]], %[[SHIFTED]] fastmath<reassoc> : f32
// CHECK: scf.yield %[[NEXT]]
// CHECK: memref.store %[[SUM]]
kernel.func @rows rows(%x: memref<16000x300xf32>, %y: memref<16000xf32>) {
  %zero = arith.constant 0.0 : f32
  %shift = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c300 = arith.constant 300 : index
  %c16000 = arith.constant 16000 : index
  scf.parallel (%i) = (%c0) to (%c16000) step (%c1) {
    %sum = scf.parallel (%j) = (%c0) to (%c300) step (%c1) init (%zero) -> f32 {
      %0 = memref.load %x[%i, %j] : memref<16000x300xf32>
      %1 = arith.addf %0, %shift : f32
      scf.reduce(%1 : f32) {
      ^bb0(%a: f32, %b: f32):
        %2 = arith.addf %a, %b : f32
        scf.reduce.return %2 : f32
      }
    }
    memref.store %sum, %y[%i] : memref<16000xf32>
    scf.reduce
  }
  kernel.return
}

// Without outer loop; two values reduced over two dimensions at once.
// CHECK-LABEL: kernel.func @both
// CHECK-NOT: scf.parallel
// CHECK: %[[R:.*]]:2 = scf.for %[[I:.*]] = {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (f32, f32) {
// CHECK-NEXT: %[[Q:.*]]:2 = scf.for %[[J:.*]] = {{.*}} iter_args(%[[C:.*]] = %[[A]], %[[D:.*]] = %[[B]]) -> (f32, f32) {
// CHECK: %[[E:.*]] = memref.load %{{.*}}[%[[I]], %[[J]]]
// CHECK: %[[MAX:.*]] = arith.maximumf %[[C]], %[[E]]
// CHECK: %[[SUM:.*]] = arith.addf %[[D]], %[[E]]
// CHECK: scf.yield %[[MAX]], %[[SUM]]
// CHECK: scf.yield %[[Q]]#0, %[[Q]]#1
// CHECK: memref.store %[[R]]#1
kernel.func @both rows(%x: memref<8x4xf32>, %y: memref<f32>, %z: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %max, %sum = scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c4) step (%c1, %c1) init (%zero, %zero) -> (f32, f32) {
    %0 = memref.load %x[%i, %j] : memref<8x4xf32>
    scf.reduce(%0, %0 : f32, f32) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.maximumf %a, %b : f32
      scf.reduce.return %1 : f32
    }, {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %a, %b : f32
      scf.reduce.return %1 : f32
    }
  }
  memref.store %max, %y[] : memref<f32>
  memref.store %sum, %z[] : memref<f32>
  kernel.return
}
