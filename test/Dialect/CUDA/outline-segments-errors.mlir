// RUN: accrue-opt %s --cuda-outline-segments --split-input-file --verify-diagnostics

cuda.kernel @use(%x: memref<4xf32>, %y: memref<4xf32>) attributes {block = 1 : i64, grid = 1 : i64} {
  cuda.return
}
func.func @late(%inputs: memref<256xi8> {kernel.arena = #kernel.arena<inputs>})
    attributes {kernel.plan = #kernel.plan<arenas = [<inputs bytes 256 used 256>], buffers = [], inputs = [<0 "x" : tensor<4xf32> dim 0>]>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = kernel.buffer "x" of %inputs at 0 : memref<256xi8> to memref<4xf32>
  %from = cuda.input 0 : memref<4xf32>
  scf.for %i = %c0 to %c1 step %c1 {
    // expected-note@+1 {{used here}}
    cuda.memcpy %x, %from[%c0] count 4 : memref<4xf32>, memref<4xf32>
    cuda.launch @use(%x, %x) : memref<4xf32>, memref<4xf32>
    // expected-error@+1 {{'cuda.memcpy' op expected its destination to be unused before it in the same micro-batch}}
    cuda.memcpy %x, %from[%c0] count 4 : memref<4xf32>, memref<4xf32>
  }
  return
}

// -----

cuda.kernel @use(%x: memref<4xf32>, %y: memref<4xf32>) attributes {block = 1 : i64, grid = 1 : i64} {
  cuda.return
}
func.func @together(%inputs: memref<256xi8> {kernel.arena = #kernel.arena<inputs>})
    attributes {kernel.plan = #kernel.plan<arenas = [<inputs bytes 256 used 256>], buffers = [], inputs = [<0 "x" : tensor<4xf32> dim 0>]>} {
  %c0 = arith.constant 0 : index
  %x = kernel.buffer "x" of %inputs at 0 : memref<256xi8> to memref<4xf32>
  %y = kernel.buffer "y" of %inputs at 64 : memref<256xi8> to memref<4xf32>
  %from = cuda.input 0 : memref<4xf32>
  cuda.memcpy %x, %from[%c0] count 4 : memref<4xf32>, memref<4xf32>
  cuda.launch @use(%x, %x) : memref<4xf32>, memref<4xf32>
  cuda.memcpy %x, %from[%c0] count 4 : memref<4xf32>, memref<4xf32>
  // expected-error@+1 {{'cuda.launch' op expected input "y" to be copied with the others that are used here}}
  cuda.launch @use(%x, %y) : memref<4xf32>, memref<4xf32>
  return
}

// -----

func.func @elsewhere(%outputs: memref<256xi8> {kernel.arena = #kernel.arena<outputs>})
    attributes {kernel.plan = #kernel.plan<arenas = [<outputs bytes 256 used 256>], buffers = [], inputs = [<0 "x" : tensor<4xf32> dim 0>]>} {
  %c0 = arith.constant 0 : index
  %x = kernel.buffer "x" of %outputs at 0 : memref<256xi8> to memref<4xf32>
  %from = cuda.input 0 : memref<4xf32>
  // expected-error@+1 {{'cuda.memcpy' op expected a destination in the arena 'inputs'}}
  cuda.memcpy %x, %from[%c0] count 4 : memref<4xf32>, memref<4xf32>
  return
}

// -----

cuda.kernel @offset(%x: memref<4xf32>, %i: index) attributes {block = 1 : i64, grid = 1 : i64} {
  cuda.return
}
func.func @number(%outputs: memref<256xi8> {kernel.arena = #kernel.arena<outputs>})
    attributes {kernel.plan = #kernel.plan<arenas = [<outputs bytes 256 used 256>], buffers = [], inputs = []>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %x = kernel.buffer "x" of %outputs at 0 : memref<256xi8> to memref<4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error@+1 {{'cuda.launch' op expected operands that do not depend on the number of the micro-batch}}
    cuda.launch @offset(%x, %i) : memref<4xf32>, index
  }
  return
}

// -----

func.func @allocation(%outputs: memref<256xi8> {kernel.arena = #kernel.arena<outputs>})
    attributes {kernel.plan = #kernel.plan<arenas = [<outputs bytes 256 used 256>], buffers = [], inputs = []>} {
  // expected-error@+1 {{'memref.alloc' op cannot be part of a step at the exit level}}
  %x = memref.alloc() : memref<4xf32>
  return
}

// -----

func.func @one(%inputs: memref<256xi8> {kernel.arena = #kernel.arena<inputs>}) attributes {kernel.plan = #kernel.plan<arenas = [<inputs bytes 256 used 256>], buffers = [], inputs = []>} {
  return
}
// expected-error@+1 {{'func.func' op expected 1 parts of the arena 'inputs', as in the other programs, got 2}}
func.func @two(%inputs: memref<512xi8> {kernel.arena = #kernel.arena<inputs>}) attributes {kernel.plan = #kernel.plan<arenas = [<inputs bytes 512 used 512>], buffers = [], inputs = [] staging 2>} {
  return
}
