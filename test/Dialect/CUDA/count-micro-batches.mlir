// RUN: accrue-opt %s --cuda-count-micro-batches --canonicalize | FileCheck %s

// CHECK-LABEL: cuda.kernel @mask_0(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>, %[[FIRST:.*]]: i1, %[[N:.*]]: memref<1xi64> {kernel.name = "micro_batch"})
// CHECK-SAME:    index_bits = 64
// CHECK:         %[[NUMBER:.*]] = memref.load %[[N]][%c0]
// CHECK:         %[[I:.*]] = arith.index_cast %[[NUMBER]] : i64 to index
// CHECK:         %[[SAMPLE:.*]] = arith.muli %[[I]], %c64
// CHECK:         arith.index_cast %[[SAMPLE]] : index to i64

// One without the number stays, also for the tail.
// CHECK-LABEL: cuda.kernel @mask(
// CHECK-SAME:    %{{[^ ]*}}: index, %{{[^ ]*}}: i1)
cuda.kernel @mask(%x: memref<4xf32>, %sample: index, %first: i1) attributes {block = 1 : i64, grid = 1 : i64} {
  %c0 = arith.constant 0 : index
  %0 = arith.index_cast %sample : index to i64
  %1 = arith.sitofp %0 : i64 to f32
  %zero = arith.constant 0.0 : f32
  %2 = arith.select %first, %zero, %1 : f32
  memref.store %2, %x[%c0] : memref<4xf32>
  cuda.return
}
cuda.kernel @other(%x: memref<4xf32>, %first: i1) attributes {block = 1 : i64, grid = 1 : i64} {
  cuda.return
}

// CHECK-LABEL: cuda.kernel @reset_micro_batch(
// CHECK-SAME:    %[[N:.*]]: memref<1xi64> {kernel.name = "micro_batch"})
// CHECK:         memref.store %c0_i64, %[[N]][%c0]
// CHECK-LABEL: cuda.kernel @next_micro_batch(
// CHECK:         %[[OLD:.*]] = memref.load
// CHECK-NEXT:    %[[NEW:.*]] = arith.addi %[[OLD]], %c1_i64
// CHECK-NEXT:    memref.store %[[NEW]]

// CHECK-LABEL: func.func @step(
// CHECK-SAME:    %[[A:.*]]: memref<72xi8> {kernel.arena = #kernel.arena<activations>}
// CHECK-SAME:    <activations bytes 72 used 28>
// CHECK-SAME:    <"micro_batch" in activations at 64 bytes 8 : tensor<i64> live 0 to 3>
// CHECK:         %[[N:.*]] = kernel.buffer "micro_batch" of %[[A]] at 64 : memref<72xi8> to memref<1xi64>
// CHECK:         cuda.launch @reset_micro_batch(%[[N]])
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      %[[FIRST:.*]] = arith.cmpi
// CHECK-NEXT:      cuda.launch @mask_0(%{{.*}}, %[[FIRST]], %[[N]])
// CHECK-NEXT:      cuda.launch @other(%{{.*}}, %[[FIRST]])
// CHECK-NEXT:      cuda.launch @next_micro_batch(%[[N]])
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.for
// CHECK-NOT:       micro_batch
// CHECK:         cuda.launch @mask(%{{.*}}, %c256, %false)
func.func @step(%activations: memref<20xi8> {kernel.arena = #kernel.arena<activations>})
    attributes {kernel.plan = #kernel.plan<arenas = [<activations bytes 20 used 20>],
      buffers = [<"x" in activations at 0 bytes 16 : tensor<4xf32> live 0 to 3>], inputs = []>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %no = arith.constant false
  %x = kernel.buffer "x" of %activations at 0 : memref<20xi8> to memref<4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %first = arith.cmpi eq, %i, %c0 : index
    %sample = arith.muli %i, %c64 : index
    cuda.launch @mask(%x, %sample, %first) : memref<4xf32>, index, i1
    cuda.launch @other(%x, %first) : memref<4xf32>, i1
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %first = arith.cmpi eq, %i, %c0 : index
    cuda.launch @other(%x, %first) : memref<4xf32>, i1
  }
  cuda.launch @mask(%x, %c256, %no) : memref<4xf32>, index, i1
  return
}
