// RUN: accrue-opt %s --cuda-share-arenas | FileCheck %s

// What lives within a run gets the largest size; state has to be the same
// anyway, and is not touched.

// CHECK-LABEL: func.func @small(
// CHECK-SAME:    memref<8xi8> {kernel.arena = #kernel.arena<state>}
// CHECK-SAME:    memref<64xi8> {kernel.arena = #kernel.arena<activations>}
// CHECK-SAME:    <activations bytes 64 used 12>
func.func @small(%s: memref<8xi8> {kernel.arena = #kernel.arena<state>},
                 %a: memref<16xi8> {kernel.arena = #kernel.arena<activations>})
    attributes {kernel.plan = #kernel.plan<arenas = [<state bytes 8 used 8>, <activations bytes 16 used 12>], buffers = [], inputs = []>} {
  %0 = kernel.buffer "x" of %a at 0 : memref<16xi8> to memref<4xf32>
  return
}
// CHECK-LABEL: func.func @large(
// CHECK-SAME:    memref<64xi8> {kernel.arena = #kernel.arena<activations>}
func.func @large(%a: memref<64xi8> {kernel.arena = #kernel.arena<activations>})
    attributes {kernel.plan = #kernel.plan<arenas = [<activations bytes 64 used 64>], buffers = [], inputs = []>} {
  return
}
