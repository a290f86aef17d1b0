// RUN: accrue-opt %s --outline-kernels | FileCheck %s

// Two groups that differ in buffers share a kernel; one that works in place
// (%c is the same bytes as %a) is another kernel with one argument; a name that
// is taken gets a number.
// CHECK:      kernel.func @scale elementwise(%{{.*}}: memref<4xf32> {kernel.name = "a"}, %{{.*}}: memref<4xf32> {kernel.name = "b"}) {
// CHECK:        scf.parallel
// CHECK:      kernel.func @scale_2 elementwise(%[[X:.*]]: memref<4xf32> {kernel.name = "c"}) {
// CHECK:        %[[V:.*]] = memref.load %[[X]]
// CHECK:        memref.store %{{.*}}, %[[X]]
// CHECK:      kernel.func @a_b rows(%{{.*}}: f32, %{{.*}}: memref<4xf32> {kernel.name = "a"}) {
// CHECK-LABEL: func.func @step
// CHECK-SAME: (%[[ARENA:.*]]: memref<128xi8>)
// CHECK-DAG:  %[[A:.*]] = kernel.buffer "a"
// CHECK-DAG:  %[[B:.*]] = kernel.buffer "b"
// CHECK-DAG:  %[[C:.*]] = kernel.buffer "c"
// CHECK:      kernel.launch @scale(%[[A]], %[[B]]) : memref<4xf32>, memref<4xf32>
// CHECK-NEXT: kernel.launch @scale(%[[B]], %[[A]]) {kernel.recompute = 1 : i64}
// CHECK-NEXT: kernel.launch @scale_2(%[[C]]) : memref<4xf32>
// CHECK-NEXT: kernel.launch @a_b(%{{.*}}, %[[A]]) : f32, memref<4xf32>
func.func @step(%arena: memref<128xi8>) {
  %s = arith.constant 2.0 : f32
  %a = kernel.buffer "a" of %arena at 0 : memref<128xi8> to memref<4xf32>
  %b = kernel.buffer "b" of %arena at 64 : memref<128xi8> to memref<4xf32>
  %c = kernel.buffer "c" of %arena at 0 : memref<128xi8> to memref<4xf32>
  kernel.group "scale" elementwise ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      %0 = memref.load %x[%i] : memref<4xf32>
      %1 = arith.addf %0, %0 : f32
      memref.store %1, %y[%i] : memref<4xf32>
      scf.reduce
    }
    kernel.yield
  }
  kernel.group "other" elementwise ins(%b : memref<4xf32>) outs(%a : memref<4xf32>) attributes {kernel.recompute = 1 : i64} {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      %0 = memref.load %x[%i] : memref<4xf32>
      %1 = arith.addf %0, %0 : f32
      memref.store %1, %y[%i] : memref<4xf32>
      scf.reduce
    }
    kernel.yield
  }
  kernel.group "scale" elementwise ins(%a : memref<4xf32>) outs(%c : memref<4xf32>) {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      %0 = memref.load %x[%i] : memref<4xf32>
      %1 = arith.addf %0, %0 : f32
      memref.store %1, %y[%i] : memref<4xf32>
      scf.reduce
    }
    kernel.yield
  }
  kernel.group "a.b" rows ins(%s : f32) outs(%a : memref<4xf32>) {
  ^bb0(%x: f32, %y: memref<4xf32>):
    %c0 = arith.constant 0 : index
    memref.store %x, %y[%c0] : memref<4xf32>
    kernel.yield
  }
  return
}
