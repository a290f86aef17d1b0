// RUN: accrue-opt %s -split-input-file -verify-diagnostics

func.func @gemm_extents(%a: memref<4x2xf32>, %b: memref<3x2xf32>, %c: memref<4x3xf32>, %s: f32) {
  // expected-error @below {{expected [M, K] x [K, N] -> [M, N], got [4, 2] x [3, 2] -> [4, 3]}}
  kernel.gemm %a, %b alpha %s beta %s outs(%c) : memref<4x2xf32>, memref<3x2xf32>, f32, memref<4x3xf32>
  return
}

// -----

func.func @gemm_batch(%a: memref<5x4x3xf32>, %b: memref<6x3x2xf32>, %c: memref<5x4x2xf32>, %s: f32) {
  // expected-error @below {{expected equal leading extents, got 'memref<6x3x2xf32>' and 'memref<5x4x2xf32>'}}
  kernel.gemm %a, %b alpha %s beta %s outs(%c) : memref<5x4x3xf32>, memref<6x3x2xf32>, f32, memref<5x4x2xf32>
  return
}

// -----

func.func @gemm_gaps(%a: memref<4x4xf32, strided<[8, 1]>>, %c: memref<4x4xf32>, %s: f32) {
  // expected-error @below {{expected matrices without gaps, got 'memref<4x4xf32, strided<[8, 1]>>'}}
  kernel.gemm %a, %c alpha %s beta %s outs(%c) : memref<4x4xf32, strided<[8, 1]>>, memref<4x4xf32>, f32, memref<4x4xf32>
  return
}

// -----

func.func @gemm_scalars(%a: memref<4x4xf32>, %s: f64) {
  // expected-error @below {{expected 'alpha' and 'beta' of type 'f32'}}
  kernel.gemm %a, %a alpha %s beta %s outs(%a) : memref<4x4xf32>, memref<4x4xf32>, f64, memref<4x4xf32>
  return
}

// -----

func.func @scatter_shape(%u: memref<4x2xf32>, %i: memref<3xi32>, %t: memref<5x2xf32>, %f: i1) {
  // expected-error @below {{expected updates of shape [3, 2] (the table with the dimensions of the index at 0), got [4, 2]}}
  kernel.scatter_add %u, %i dim 0 overwrite %f outs(%t) : memref<4x2xf32>, memref<3xi32>, memref<5x2xf32>
  return
}

// -----

func.func @scatter_dim(%u: memref<4x2xf32>, %i: memref<4xi32>, %t: memref<5x2xf32>, %f: i1) {
  // expected-error @below {{expected 'dim' in [0, 2), got 2}}
  kernel.scatter_add %u, %i dim 2 overwrite %f outs(%t) : memref<4x2xf32>, memref<4xi32>, memref<5x2xf32>
  return
}

// -----

func.func @scatter_types(%u: memref<4x2xf64>, %i: memref<4xi32>, %t: memref<5x2xf32>, %f: i1) {
  // expected-error @below {{expected updates and a table of one float type, got 'f64' and 'f32'}}
  kernel.scatter_add %u, %i dim 0 overwrite %f outs(%t) : memref<4x2xf64>, memref<4xi32>, memref<5x2xf32>
  return
}

// -----

func.func @scatter_index(%u: memref<4x2xf32>, %i: memref<4xi1>, %t: memref<5x2xf32>, %f: i1) {
  // expected-error @below {{expected indices of type i32 or i64, got 'i1'}}
  kernel.scatter_add %u, %i dim 0 overwrite %f outs(%t) : memref<4x2xf32>, memref<4xi1>, memref<5x2xf32>
  return
}

// -----

func.func @group_yield(%a: tensor<4xf32>) {
  %0 = kernel.group "g" elementwise outs(%a : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%x: tensor<4xf32>):
    // expected-error @below {{expected values of the types of the destinations}}
    kernel.yield
  }
  return
}

// -----

func.func @group_arguments(%a: tensor<4xf32>) {
  // expected-error @below {{expected body argument 0 of type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %0 = kernel.group "g" elementwise outs(%a : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%x: tensor<5xf32>):
    kernel.yield %x : tensor<5xf32>
  }
  return
}

// -----

func.func @load_extent(%a: memref<4x2xf32>, %i: index) {
  // expected-error @below {{expected #train.mapped<dim = 0> to enumerate 3 samples of 'memref<4x2xf32>'}}
  kernel.load_input "x" 0 at %i size 3 of 12 #train.mapped<dim = 0> outs(%a : memref<4x2xf32>)
  return
}

// -----

func.func @load_samples(%a: memref<4x2xf32>, %i: index) {
  // expected-error @below {{expected at most 2 samples, got 4}}
  kernel.load_input "x" 0 at %i size 4 of 2 #train.mapped<dim = 0> outs(%a : memref<4x2xf32>)
  return
}

// -----

func.func @buffer_end(%a: memref<16xi8>) {
  // expected-error @below {{expected a buffer within the 16 bytes of its arena, got one up to byte 24}}
  %0 = kernel.buffer "b" of %a at 8 : memref<16xi8> to memref<4xf32>
  return
}

// -----

func.func @buffer_alignment(%a: memref<16xi8>) {
  // expected-error @below {{expected an offset that is a multiple of 4, got 2}}
  %0 = kernel.buffer "b" of %a at 2 : memref<16xi8> to memref<2xf32>
  return
}

// -----

func.func @unknown_kernel(%a: memref<4xf32>) {
  // expected-error @below {{expected 'k' to be a kernel of this module}}
  kernel.launch @k(%a) : memref<4xf32>
  return
}

// -----

// expected-note @below {{declared here}}
kernel.func @k elementwise(%a: memref<4xf32>) {
  kernel.return
}
func.func @launch_types(%a: memref<5xf32>) {
  // expected-error @below {{expected operands of the types of 'k'}}
  kernel.launch @k(%a) : memref<5xf32>
  return
}

// -----

// expected-error @below {{expected argument 0 to be a scalar or a memref of static shape, got 'memref<?xf32>'}}
kernel.func @dynamic elementwise(%a: memref<?xf32>) {
  kernel.return
}

// -----

// expected-error @below {{expected a schedule, got 'sideways'}}
kernel.func @schedule sideways() {
  kernel.return
}

// -----

func.func @range(%p: memref<4xf32>, %t: memref<i64>, %f: memref<f32>, %ok: memref<i1>) {
  // expected-error @below {{expected ranges within the 4 elements, got #kernel.range<"w" at 2 count 3 rule 0>}}
  kernel.flat_update params(%p : memref<4xf32>) gradients(%p : memref<4xf32>) completed %t factor %f if %ok
      ranges [#kernel.range<"w" at 2 count 3 rule 0>] : memref<i64>, memref<f32>, memref<i1> {
  ^bb0(%a: f32, %b: f32, %c: i64, %d: f32):
    kernel.yield %a : f32
  }
  return
}

// -----

func.func @rule(%p: memref<4xf32>, %t: memref<i64>, %f: memref<f32>, %ok: memref<i1>) {
  // expected-error @below {{expected a rule that yields parameter and slots as 'f32'}}
  kernel.flat_update params(%p : memref<4xf32>) gradients(%p : memref<4xf32>) completed %t factor %f if %ok
      ranges [] : memref<i64>, memref<f32>, memref<i1> {
  ^bb0(%a: f32, %b: f32, %c: i64, %d: f32):
    kernel.yield
  }
  return
}

// -----

// expected-error @below {{expected arena 'params' to have 8 bytes, got 'memref<4xi8>'}}
func.func @plan(%p: memref<4xi8> {kernel.arena = #kernel.arena<params>}) attributes {kernel.plan = #kernel.plan<arenas = [<params bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}

// -----

// expected-error @below {{expected buffer "w" to lie within its arena}}
func.func @plan(%p: memref<4xi8> {kernel.arena = #kernel.arena<params>}) attributes {kernel.plan = #kernel.plan<arenas = [<params bytes 4 used 4>], buffers = [<"w" in params at 0 bytes 8 : tensor<2xf32> live 0 to 1>], inputs = []>} {
  return
}

// -----

// expected-error @below {{expected 511 bytes of arena 'inputs' to be 2 equal parts}}
func.func @parts(%i: memref<511xi8> {kernel.arena = #kernel.arena<inputs>}) attributes {kernel.plan = #kernel.plan<arenas = [<inputs bytes 511 used 8>], buffers = [], inputs = [] staging 2>} {
  return
}

// -----

// expected-error @below {{expected buffer "x" to lie within its arena}}
func.func @second_part(%i: memref<512xi8> {kernel.arena = #kernel.arena<inputs>}) attributes {kernel.plan = #kernel.plan<arenas = [<inputs bytes 512 used 8>], buffers = [<"x" in inputs at 256 bytes 4 : tensor<1xf32> live 0 to 1>], inputs = [] staging 2>} {
  return
}

// -----

func.func @workspace_on_tensors(%a: tensor<4x4xf32>, %s: f32, %w: memref<512xi8>) {
  // expected-error @below {{expected a 'workspace' on buffers only}}
  kernel.gemm %a, %a alpha %s beta %s outs(%a) workspace(%w : memref<512xi8>) : tensor<4x4xf32>, tensor<4x4xf32>, f32, tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @norm_types(%g: memref<4xf64>, %p: memref<1xf64>, %n: memref<f32>) {
  // expected-error @+1 {{failed to verify that all of {partials, norm} have same element type}}
  kernel.norm %g : memref<4xf64> outs(%p, %n : memref<1xf64>, memref<f32>)
  return
}
