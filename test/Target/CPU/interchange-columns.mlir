// RUN: accrue-opt %s -pass-pipeline='builtin.module(kernel.func(cpu-chunk-kernels,cpu-interchange-columns))' | FileCheck %s

// CHECK-LABEL: kernel.func @sum
// CHECK: %[[PARTIAL:.*]] = memref.alloca() : memref<512xf32>
// CHECK: scf.for %[[J0:.*]] =
// CHECK-NEXT: memref.store %{{.*}}, %[[PARTIAL]][%[[J0]]]
// CHECK: scf.for %[[I:.*]] =
// CHECK-NEXT: scf.for %[[J:.*]] =
// CHECK-NEXT: %[[S:.*]] = memref.load %[[PARTIAL]][%[[J]]]
// CHECK-NEXT: %[[X:.*]] = memref.load %{{.*}}[%[[I]], %[[J]]] : memref<16x10xf32>
// CHECK-NEXT: %[[NEXT:.*]] = arith.addf %[[S]], %[[X]]
// CHECK-NEXT: memref.store %[[NEXT]], %[[PARTIAL]][%[[J]]]
// CHECK: scf.for %[[J1:.*]] =
// CHECK: %[[SUM:.*]] = memref.load %[[PARTIAL]][%[[J1]]]
// CHECK: memref.store %[[SUM]], %{{.*}}[%[[J1]]] : memref<10xf32>
kernel.func @sum columns(%x: memref<16x10xf32>, %y: memref<10xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%j) = (%c0) to (%c10) step (%c1) {
    %sum = scf.parallel (%i) = (%c0) to (%c16) step (%c1) init (%zero) -> f32 {
      %0 = memref.load %x[%i, %j] : memref<16x10xf32>
      scf.reduce(%0 : f32) {
      ^bb0(%a: f32, %b: f32):
        %1 = arith.addf %a, %b : f32
        scf.reduce.return %1 : f32
      }
    }
    memref.store %sum, %y[%j] : memref<10xf32>
    scf.reduce
  }
  kernel.return
}

// A second reduction reads the result of the first, over two dimensions, of
// wide rows: in blocks.
// CHECK-LABEL: kernel.func @shifted
// CHECK-DAG: %[[MAX:.*]] = memref.alloca() : memref<512xf32>
// CHECK-DAG: %[[SUM:.*]] = memref.alloca() : memref<512xf32>
// CHECK: scf.for %[[START:.*]] = %{{.*}} to %c1000 step %c512
// CHECK: %[[REST:.*]] = arith.subi %c1000, %[[START]]
// CHECK: %[[LENGTH:.*]] = arith.minsi %c512, %[[REST]]
// CHECK: scf.for %[[H:.*]] = %{{.*}} to %c2 step
// CHECK-NEXT: scf.for %[[I:.*]] = %{{.*}} to %c3 step
// CHECK-NEXT: scf.for %[[J:.*]] = %{{.*}} to %[[LENGTH]]
// CHECK-NEXT: %[[COLUMN:.*]] = arith.addi %[[START]], %[[J]]
// CHECK: memref.load %{{.*}}[%[[H]], %[[I]], %[[COLUMN]]]
// CHECK: scf.for %{{.*}} to %c2 step
// CHECK-NEXT: scf.for %{{.*}} to %c3 step
// CHECK-NEXT: scf.for %[[J2:.*]] = %{{.*}} to %[[LENGTH]]
// CHECK-DAG: %[[M:.*]] = memref.load %[[MAX]][%[[J2]]]
// CHECK-DAG: %[[S:.*]] = memref.load %[[SUM]][%[[J2]]]
// CHECK: arith.subf %{{.*}}, %[[M]]
// CHECK: memref.store %{{.*}}, %[[SUM]][%[[J2]]]
kernel.func @shifted columns(%x: memref<2x3x1000xf32>, %y: memref<1000xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c1000 = arith.constant 1000 : index
  scf.parallel (%j) = (%c0) to (%c1000) step (%c1) {
    %max = scf.parallel (%h, %i) = (%c0, %c0) to (%c2, %c3) step (%c1, %c1) init (%lowest) -> f32 {
      %0 = memref.load %x[%h, %i, %j] : memref<2x3x1000xf32>
      scf.reduce(%0 : f32) {
      ^bb0(%a: f32, %b: f32):
        %1 = arith.maximumf %a, %b : f32
        scf.reduce.return %1 : f32
      }
    }
    %sum = scf.parallel (%h, %i) = (%c0, %c0) to (%c2, %c3) step (%c1, %c1) init (%zero) -> f32 {
      %0 = memref.load %x[%h, %i, %j] : memref<2x3x1000xf32>
      %1 = arith.subf %0, %max : f32
      scf.reduce(%1 : f32) {
      ^bb0(%a: f32, %b: f32):
        %2 = arith.addf %a, %b : f32
        scf.reduce.return %2 : f32
      }
    }
    memref.store %sum, %y[%j] : memref<1000xf32>
    scf.reduce
  }
  kernel.return
}

// What is stored first may be what is reduced: left alone.
// CHECK-LABEL: kernel.func @stores
// CHECK-NOT: memref.alloca
kernel.func @stores columns(%x: memref<16x10xf32>, %y: memref<10xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%j) = (%c0) to (%c10) step (%c1) {
    memref.store %zero, %x[%c0, %j] : memref<16x10xf32>
    %sum = scf.parallel (%i) = (%c0) to (%c16) step (%c1) init (%zero) -> f32 {
      %0 = memref.load %x[%i, %j] : memref<16x10xf32>
      scf.reduce(%0 : f32) {
      ^bb0(%a: f32, %b: f32):
        %1 = arith.addf %a, %b : f32
        scf.reduce.return %1 : f32
      }
    }
    memref.store %sum, %y[%j] : memref<10xf32>
    scf.reduce
  }
  kernel.return
}
