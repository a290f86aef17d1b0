// RUN: accrue-opt %s --cuda-choose-graphs | FileCheck %s
// RUN: accrue-opt %s --cuda-choose-graphs=mode=none | FileCheck %s --check-prefix=NONE
// RUN: accrue-opt %s --cuda-choose-graphs=mode=segments | FileCheck %s --check-prefix=SEGMENTS

cuda.kernel @k(%x: memref<4xf32>) attributes {block = 1 : i64, grid = 1 : i64} {
  cuda.return
}
cuda.segment @body(%outputs: memref<64xi8> {kernel.arena = #kernel.arena<outputs>}) attributes {label = "micro_batch", step = @small} {
  %x = kernel.buffer "x" of %outputs at 0 : memref<64xi8> to memref<4xf32>
  cuda.launch @k(%x) : memref<4xf32>
  cuda.launch @k(%x) : memref<4xf32>
  cuda.return
}

// CHECK-LABEL: func.func @small(
// CHECK-SAME:    cuda.graphs = #cuda.graphs<merged>
// NONE-LABEL: func.func @small(
// NONE-SAME:    cuda.graphs = #cuda.graphs<none>
// SEGMENTS-LABEL: func.func @small(
// SEGMENTS-SAME:    cuda.graphs = #cuda.graphs<segments>
func.func @small(%outputs: memref<64xi8> {kernel.arena = #kernel.arena<outputs>})
    attributes {kernel.plan = #kernel.plan<arenas = [<outputs bytes 64 used 64>], buffers = [], inputs = []>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1999 = arith.constant 1999 : index
  scf.for %i = %c0 to %c1999 step %c1 {
    cuda.call @body(%outputs) : memref<64xi8>
  }
  return
}

// One iteration more: 4000 nodes.
// CHECK-LABEL: func.func @large(
// CHECK-SAME:    cuda.graphs = #cuda.graphs<segments>
func.func @large(%outputs: memref<64xi8> {kernel.arena = #kernel.arena<outputs>})
    attributes {kernel.plan = #kernel.plan<arenas = [<outputs bytes 64 used 64>], buffers = [], inputs = []>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2000 = arith.constant 2000 : index
  scf.for %i = %c0 to %c2000 step %c1 {
    cuda.call @body(%outputs) : memref<64xi8>
  }
  return
}

// CHECK-LABEL: func.func @empty(
// CHECK-SAME:    cuda.graphs = #cuda.graphs<none>
func.func @empty(%outputs: memref<64xi8> {kernel.arena = #kernel.arena<outputs>})
    attributes {kernel.plan = #kernel.plan<arenas = [<outputs bytes 64 used 64>], buffers = [], inputs = []>} {
  return
}

// Not a step.
// CHECK-LABEL: func.func @other() {
func.func @other() {
  return
}
