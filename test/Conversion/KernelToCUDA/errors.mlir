// RUN: accrue-opt --kernels-to-cuda --split-input-file --verify-diagnostics %s

kernel.func @bounds elementwise(%x: memref<8xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{expected constant bounds}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %zero, %x[%i] : memref<8xf32>
    scf.reduce
  }
  kernel.return
}

// -----

kernel.func @two elementwise(%x: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %zero, %x[%i] : memref<8xf32>
    scf.reduce
  }
  // expected-error@+1 {{expected one outer loop in a kernel of independent elements}}
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %zero, %x[%i] : memref<8xf32>
    scf.reduce
  }
  kernel.return
}

// -----

kernel.func @result columns(%x: memref<8xf32>, %y: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-error@+1 {{expected an outer loop without results}}
  %s = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%zero) -> f32 {
    %0 = memref.load %x[%i] : memref<8xf32>
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

kernel.func @combine rows(%x: memref<8xf32>, %y: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %s = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%zero) -> f32 {
    %0 = memref.load %x[%i] : memref<8xf32>
    // expected-error@+1 {{expected a reduction by one arithmetic operation}}
    scf.reduce(%0 : f32) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.subf %a, %b : f32
      scf.reduce.return %1 : f32
    }
  }
  memref.store %s, %y[] : memref<f32>
  kernel.return
}

// -----

kernel.func @condition elementwise(%x: memref<f32>, %c: i1) {
  %zero = arith.constant 0.0 : f32
  // expected-error@+1 {{'scf.if' op cannot be mapped to CUDA threads}}
  scf.if %c {
    memref.store %zero, %x[] : memref<f32>
  }
  kernel.return
}

// -----

func.func @input(%inputs: memref<48xi8> {kernel.arena = #kernel.arena<inputs>})
    attributes {kernel.plan = #kernel.plan<arenas = [<inputs bytes 48 used 48>], buffers = [], inputs = []>} {
  %c0 = arith.constant 0 : index
  %x = kernel.buffer "x" of %inputs at 0 : memref<48xi8> to memref<4x3xf32>
  // expected-error@+1 {{expected input 0 in the plan of the step}}
  kernel.load_input "x" 0 at %c0 size 4 of 10 #train.mapped<dim = 0> outs(%x : memref<4x3xf32>)
  return
}
