// RUN: accrue-opt %s -split-input-file -verify-diagnostics -kernels-to-llvm

kernel.func @op elementwise(%x: memref<2xf32>) {
  // expected-error @below {{'memref.dealloc' op is not supported by the CPU target}}
  memref.dealloc %x : memref<2xf32>
  // expected-error @below {{'nn.constant' op is not supported by the CPU target}}
  %0 = nn.constant dense<1.0> : tensor<f32>
  kernel.return
}

// -----

kernel.func @type elementwise(%x: memref<f32>) {
  %0 = memref.load %x[] : memref<f32>
  // expected-error @below {{'arith.fptosi' op has type 'i17', which is not supported by the CPU target}}
  %1 = arith.fptosi %0 : f32 to i17
  kernel.return
}

// -----

// expected-error @below {{'func.func' op expected a step function with a 'kernel.plan'}}
func.func @not_a_step() {
  return
}

// -----

func.func @offset(%params: memref<32xi8> {kernel.arena = #kernel.arena<params>})
    attributes {kernel.plan = #kernel.plan<arenas = [<params bytes 32 used 32>], buffers = [], inputs = []>} {
  // expected-error @below {{'kernel.buffer' op expected an offset that is a multiple of 64, got 16}}
  %0 = kernel.buffer "w" of %params at 16 : memref<32xi8> to memref<4xf32>
  return
}

// -----

func.func @mode(%inputs: memref<128xi8> {kernel.arena = #kernel.arena<inputs>})
    attributes {kernel.plan = #kernel.plan<arenas = [<inputs bytes 128 used 128>], buffers = [], inputs = []>} {
  %c0 = arith.constant 0 : index
  %x = kernel.buffer "x" of %inputs at 0 : memref<128xi8> to memref<8x4xf32>
  // expected-error @below {{'kernel.load_input' op expected an input with one index per sample, in equal runs of its first dimension, got #train.mapped<dim = 0, inner = 2>}}
  kernel.load_input "x" 0 at %c0 size 4 of 4 #train.mapped<dim = 0, inner = 2> outs(%x : memref<8x4xf32>)
  return
}
