// RUN: accrue-opt %s --cuda-outline-segments --split-input-file | FileCheck %s

cuda.gemm_plan @nn_2x2x1 m 2 n 2 k 1 in f32 a f32 ld 2 b f32 ld 2 c f32 ld 2
cuda.kernel @schedule(%y: memref<4xf32>) attributes {block = 1 : i64, grid = 1 : i64} {
  cuda.return
}
cuda.kernel @body(%x: memref<4xf32>, %g: memref<4xf32>, %first: i1) attributes {block = 32 : i64, grid = 1 : i64} {
  cuda.return
}
cuda.kernel @update(%w: memref<4xf32>, %g: memref<4xf32>) attributes {block = 32 : i64, grid = 1 : i64} {
  %c0 = arith.constant 0 : index
  %0 = memref.load %g[%c0] : memref<4xf32>
  memref.store %0, %w[%c0] : memref<4xf32>
  cuda.return
}

// A loop over micro-batches with a tail: what comes before, the body, the tail,
// and what does not read inputs any more.

// CHECK-LABEL: cuda.segment @ragged_begin(%arg0: memref<64xi8> {kernel.arena = #kernel.arena<activations>})
// CHECK-SAME:    label = "begin", step = @ragged
// CHECK-NEXT:    %[[Y:.*]] = kernel.buffer "y" of %arg0 at 0
// CHECK-NEXT:    cuda.launch @schedule(%[[Y]])
// CHECK-NEXT:    cuda.return

// CHECK-LABEL: cuda.segment @ragged_micro_batch(
// CHECK-SAME:    %[[G:[^ ]*]]: memref<64xi8> {kernel.arena = #kernel.arena<gradients>}
// CHECK-SAME:    %[[IN:[^ ]*]]: memref<512xi8> {kernel.arena = #kernel.arena<inputs>}
// CHECK-SAME:    %[[FIRST:[^ ]*]]: i1, %[[PART:[^ ]*]]: index)
// CHECK:         %[[INPUTS:.*]] = cuda.part %[[IN]][%[[PART]]] stride 256 : memref<512xi8> to memref<256xi8>
// CHECK:         %[[X:.*]] = kernel.buffer "x" of %[[INPUTS]] at 0 : memref<256xi8> to memref<4xf32>
// CHECK:         %[[DW:.*]] = kernel.buffer "w" of %[[G]] at 0
// CHECK:         %[[BETA:.*]] = arith.select %[[FIRST]], %{{.*}}, %{{.*}} : f32
// CHECK-NEXT:    cuda.launch @body(%[[X]], %[[DW]], %[[FIRST]])
// CHECK-NEXT:    cuda.gemm @nn_2x2x1 alpha %{{.*}}, %[[X]], %[[X]], beta %[[BETA]], %[[DW]]
// CHECK-NEXT:    cuda.return

// CHECK-LABEL: cuda.segment @ragged_tail(
// CHECK-NOT:     i1
// CHECK-SAME:    %[[PART:[^ ]*]]: index)
// CHECK:         cuda.launch @body
// CHECK-NEXT:    cuda.return

// CHECK-LABEL: cuda.segment @ragged_update(
// CHECK-NOT:     index
// CHECK:         cuda.launch @update
// CHECK-NEXT:    cuda.return

// CHECK-LABEL: func.func @ragged(
// CHECK-SAME:    %[[W:[^ ]*]]: memref<64xi8> {kernel.arena = #kernel.arena<params>}, %[[G:[^ ]*]]: memref<64xi8> {kernel.arena = #kernel.arena<gradients>},
// CHECK-SAME:    %[[IN:[^ ]*]]: memref<512xi8>
// CHECK-NOT:     kernel.buffer
// CHECK:         %[[FROM:.*]] = cuda.input 0
// CHECK-NEXT:    cuda.call @ragged_begin(%{{.*}})
// CHECK-NEXT:    scf.for %[[I:.*]] = %[[C0:.*]] to %{{.*}} step
// CHECK-NEXT:      %[[FIRST:.*]] = arith.cmpi eq, %[[I]], %[[C0]]
// CHECK-NEXT:      %[[OFFSET:.*]] = arith.muli %[[I]]
// CHECK-NEXT:      %[[C2:.*]] = arith.constant 2 : index
// CHECK-NEXT:      %[[PART:.*]] = arith.remui %[[I]], %[[C2]]
// CHECK-NEXT:      %[[INPUTS:.*]] = cuda.part %[[IN]][%[[PART]]] stride 256
// CHECK-NEXT:      %[[X:.*]] = kernel.buffer "x" of %[[INPUTS]] at 0
// CHECK-NEXT:      cuda.begin_fill %[[PART]]
// CHECK-NEXT:      cuda.memcpy %[[X]], %[[FROM]][%[[OFFSET]]] count 4
// CHECK-NEXT:      cuda.end_fill %[[PART]]
// CHECK-NEXT:      cuda.call @ragged_micro_batch(%[[G]], %[[IN]], %[[FIRST]], %[[PART]])
// CHECK-NEXT:      cuda.release %[[PART]]
// CHECK-NEXT:    }
// The loop has filled three parts: the tail is in the second one.
// CHECK-NEXT:    %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT:    cuda.part %[[IN]][%[[C1]]]
// CHECK:         cuda.call @ragged_tail(%[[G]], %[[IN]], %[[C1]])
// CHECK-NEXT:    cuda.release %[[C1]]
// CHECK-NEXT:    cuda.call @ragged_update(%[[W]], %[[G]])
// CHECK-NEXT:    return
func.func @ragged(%params: memref<64xi8> {kernel.arena = #kernel.arena<params>}, %gradients: memref<64xi8> {kernel.arena = #kernel.arena<gradients>},
                  %inputs: memref<512xi8> {kernel.arena = #kernel.arena<inputs>}, %activations: memref<64xi8> {kernel.arena = #kernel.arena<activations>})
    attributes {kernel.plan = #kernel.plan<arenas = [<params bytes 64 used 64>, <gradients bytes 64 used 64>, <inputs bytes 512 used 512>, <activations bytes 64 used 64>],
      buffers = [], inputs = [<0 "x" : tensor<14xf32> dim 0>] staging 2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  %no = arith.constant false
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %w = kernel.buffer "w" of %params at 0 : memref<64xi8> to memref<4xf32>
  %dw = kernel.buffer "w" of %gradients at 0 : memref<64xi8> to memref<4xf32>
  %x = kernel.buffer "x" of %inputs at 0 : memref<512xi8> to memref<4xf32>
  %y = kernel.buffer "y" of %activations at 0 : memref<64xi8> to memref<4xf32>
  %from = cuda.input 0 : memref<14xf32>
  cuda.launch @schedule(%y) : memref<4xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %first = arith.cmpi eq, %i, %c0 : index
    %offset = arith.muli %i, %c4 : index
    cuda.memcpy %x, %from[%offset] count 4 : memref<4xf32>, memref<14xf32>
    %beta = arith.select %first, %zero, %one : f32
    cuda.launch @body(%x, %dw, %first) : memref<4xf32>, memref<4xf32>, i1
    cuda.gemm @nn_2x2x1 alpha %one, %x, %x, beta %beta, %dw : f32, memref<4xf32>, memref<4xf32>, memref<4xf32>
  }
  cuda.memcpy %x, %from[%c12] count 2 : memref<4xf32>, memref<14xf32>
  cuda.launch @body(%x, %dw, %no) : memref<4xf32>, memref<4xf32>, i1
  cuda.launch @update(%w, %dw) : memref<4xf32>, memref<4xf32>
  return
}

// -----

cuda.kernel @count(%x: memref<4xf32>, %n: memref<4xf32>) attributes {block = 32 : i64, grid = 1 : i64} {
  cuda.return
}
cuda.kernel @use(%x: memref<4xf32>, %z: memref<4xf32>, %n: memref<4xf32>) attributes {block = 32 : i64, grid = 1 : i64} {
  cuda.return
}
cuda.kernel @finish(%n: memref<4xf32>) attributes {block = 32 : i64, grid = 1 : i64} {
  cuda.return
}

// Phases: the parts go on taking turns. A copy in the middle of a body joins
// those before it. A loop without inputs fills nothing.

// CHECK-LABEL: cuda.segment @phases_micro_batch(
// CHECK-LABEL: cuda.segment @phases_end(
// CHECK-LABEL: cuda.segment @phases_micro_batch_2(
// CHECK:         cuda.launch @count
// CHECK:         cuda.launch @use
// CHECK-LABEL: cuda.segment @phases_micro_batch_3(
// CHECK-SAME:    %{{[^ ]*}}: memref<64xi8> {kernel.arena = #kernel.arena<outputs>})
// CHECK-LABEL: cuda.segment @phases_end_2(
// CHECK-LABEL: func.func @phases(
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to
// CHECK:           %[[PART:.*]] = arith.remui %[[I]],
// CHECK:           cuda.begin_fill %[[PART]]
// CHECK:           cuda.call @phases_micro_batch(
// CHECK:         }
// CHECK-NEXT:    cuda.call @phases_end(
// CHECK-NEXT:    scf.for %[[J:.*]] = %{{.*}} to
// CHECK:           %[[ODD:.*]] = arith.addi %[[J]],
// CHECK:           %[[PART:.*]] = arith.remui %[[ODD]],
// CHECK:           cuda.begin_fill %[[PART]]
// CHECK-NEXT:      cuda.memcpy
// CHECK-NEXT:      cuda.memcpy
// CHECK-NEXT:      cuda.end_fill
// CHECK-NEXT:      cuda.call @phases_micro_batch_2(
// CHECK:         scf.for
// CHECK-NEXT:      cuda.call @phases_micro_batch_3(
// CHECK-NEXT:    }
// CHECK-NEXT:    cuda.call @phases_end_2(
func.func @phases(%inputs: memref<512xi8> {kernel.arena = #kernel.arena<inputs>}, %outputs: memref<64xi8> {kernel.arena = #kernel.arena<outputs>})
    attributes {kernel.plan = #kernel.plan<arenas = [<inputs bytes 512 used 512>, <outputs bytes 64 used 64>],
      buffers = [], inputs = [<0 "x" : tensor<12xf32> dim 0>] staging 2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %x = kernel.buffer "x" of %inputs at 0 : memref<512xi8> to memref<4xf32>
  %z = kernel.buffer "z" of %inputs at 64 : memref<512xi8> to memref<4xf32>
  %n = kernel.buffer "n" of %outputs at 0 : memref<64xi8> to memref<4xf32>
  %from = cuda.input 0 : memref<12xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    cuda.memcpy %x, %from[%i] count 4 : memref<4xf32>, memref<12xf32>
    cuda.launch @count(%x, %n) : memref<4xf32>, memref<4xf32>
  }
  cuda.launch @finish(%n) : memref<4xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    cuda.memcpy %x, %from[%i] count 4 : memref<4xf32>, memref<12xf32>
    cuda.launch @count(%x, %n) : memref<4xf32>, memref<4xf32>
    cuda.memcpy %z, %from[%i] count 4 : memref<4xf32>, memref<12xf32>
    cuda.launch @use(%x, %z, %n) : memref<4xf32>, memref<4xf32>, memref<4xf32>
  }
  scf.for %i = %c0 to %c3 step %c1 {
    cuda.launch @finish(%n) : memref<4xf32>
  }
  cuda.launch @finish(%n) : memref<4xf32>
  return
}

// -----

cuda.kernel @use(%x: memref<4xf32>, %n: memref<4xf32>) attributes {block = 32 : i64, grid = 1 : i64} {
  cuda.return
}

// Straight-line phases over the same place: two fills. With one part there is
// nothing to choose.

// CHECK-LABEL: cuda.segment @straight_micro_batch(%{{[^ ]*}}: memref<256xi8> {{{.*}}inputs>}, %{{[^ ]*}}: memref<64xi8> {{{.*}}outputs>})
// CHECK-LABEL: cuda.segment @straight_micro_batch_2(
// CHECK-LABEL: func.func @straight(
// CHECK-NOT:     cuda.part
// CHECK:         cuda.begin_fill %[[C0:.*]]
// CHECK:         cuda.call @straight_micro_batch(
// CHECK-NEXT:    cuda.release
// CHECK:         cuda.begin_fill
// CHECK:         cuda.call @straight_micro_batch_2(
// CHECK-NEXT:    cuda.release
// CHECK-NEXT:    return
func.func @straight(%inputs: memref<256xi8> {kernel.arena = #kernel.arena<inputs>}, %outputs: memref<64xi8> {kernel.arena = #kernel.arena<outputs>})
    attributes {kernel.plan = #kernel.plan<arenas = [<inputs bytes 256 used 256>, <outputs bytes 64 used 64>],
      buffers = [], inputs = [<0 "x" : tensor<4xf32> dim 0>]>} {
  %c0 = arith.constant 0 : index
  %x = kernel.buffer "x" of %inputs at 0 : memref<256xi8> to memref<4xf32>
  %n = kernel.buffer "n" of %outputs at 0 : memref<64xi8> to memref<4xf32>
  %from = cuda.input 0 : memref<4xf32>
  cuda.memcpy %x, %from[%c0] count 4 : memref<4xf32>, memref<4xf32>
  cuda.launch @use(%x, %n) : memref<4xf32>, memref<4xf32>
  cuda.memcpy %x, %from[%c0] count 4 : memref<4xf32>, memref<4xf32>
  cuda.launch @use(%x, %n) : memref<4xf32>, memref<4xf32>
  return
}

// -----

cuda.kernel @use(%x: memref<4xf32>) attributes {block = 32 : i64, grid = 1 : i64} {
  cuda.return
}

// Programs share the parts: as far apart as the largest one needs.

// CHECK-LABEL: func.func @small(
// CHECK:         cuda.part %{{.*}} stride 512
func.func @small(%inputs: memref<512xi8> {kernel.arena = #kernel.arena<inputs>})
    attributes {kernel.plan = #kernel.plan<arenas = [<inputs bytes 512 used 512>], buffers = [], inputs = [<0 "x" : tensor<4xf32> dim 0>] staging 2>} {
  %c0 = arith.constant 0 : index
  %x = kernel.buffer "x" of %inputs at 0 : memref<512xi8> to memref<4xf32>
  %from = cuda.input 0 : memref<4xf32>
  cuda.memcpy %x, %from[%c0] count 4 : memref<4xf32>, memref<4xf32>
  cuda.launch @use(%x) : memref<4xf32>
  return
}
// CHECK-LABEL: func.func @large(
// CHECK:         cuda.part %{{.*}} stride 512
func.func @large(%inputs: memref<1024xi8> {kernel.arena = #kernel.arena<inputs>})
    attributes {kernel.plan = #kernel.plan<arenas = [<inputs bytes 1024 used 1024>], buffers = [], inputs = [<0 "x" : tensor<4xf32> dim 0>] staging 2>} {
  %c0 = arith.constant 0 : index
  %x = kernel.buffer "x" of %inputs at 256 : memref<1024xi8> to memref<4xf32>
  %from = cuda.input 0 : memref<4xf32>
  cuda.memcpy %x, %from[%c0] count 4 : memref<4xf32>, memref<4xf32>
  cuda.launch @use(%x) : memref<4xf32>
  return
}

// -----

// An input of an earlier stage that a later one reads is copied again, into the
// part of that stage.

cuda.kernel @use(%x: memref<4xf32>, %y: memref<4xf32>) attributes {block = 1 : i64, grid = 1 : i64} {
  cuda.return
}
// CHECK-LABEL: func.func @again(
// CHECK:         cuda.begin_fill
// CHECK-NEXT:    cuda.memcpy %{{.*}}, %[[FROM_X:.*]][
// CHECK-NEXT:    cuda.memcpy %{{.*}}, %[[FROM_Y:.*]][
// CHECK-NEXT:    cuda.end_fill
// CHECK:         cuda.call
// CHECK:         %[[X:.*]] = kernel.buffer "x"
// CHECK:         %[[Y:.*]] = kernel.buffer "y"
// CHECK-NEXT:    cuda.begin_fill
// CHECK-NEXT:    cuda.memcpy %[[X]], %[[FROM_X]][
// CHECK-NEXT:    cuda.memcpy %[[Y]], %[[FROM_Y]][
// CHECK-NEXT:    cuda.end_fill
// CHECK-NEXT:    cuda.call
// CHECK-NOT:     cuda.memcpy
func.func @again(%inputs: memref<512xi8> {kernel.arena = #kernel.arena<inputs>})
    attributes {kernel.plan = #kernel.plan<arenas = [<inputs bytes 512 used 512>], buffers = [], inputs = [<0 "x" : tensor<4xf32> dim 0>, <1 "y" : tensor<4xf32> dim 0>]>} {
  %c0 = arith.constant 0 : index
  %x = kernel.buffer "x" of %inputs at 0 : memref<512xi8> to memref<4xf32>
  %y = kernel.buffer "y" of %inputs at 64 : memref<512xi8> to memref<4xf32>
  %from_x = cuda.input 0 : memref<4xf32>
  %from_y = cuda.input 1 : memref<4xf32>
  cuda.memcpy %x, %from_x[%c0] count 4 : memref<4xf32>, memref<4xf32>
  cuda.memcpy %y, %from_y[%c0] count 4 : memref<4xf32>, memref<4xf32>
  cuda.launch @use(%x, %y) : memref<4xf32>, memref<4xf32>
  cuda.memcpy %x, %from_x[%c0] count 4 : memref<4xf32>, memref<4xf32>
  cuda.launch @use(%x, %y) : memref<4xf32>, memref<4xf32>
  return
}
