// RUN: accrue-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{'cuda.kernel' op expected at most 1024 threads a block, got 2048}}
cuda.kernel @block(%x: memref<512xf32>) attributes {block = 2048 : i64, grid = 2 : i64} {
  cuda.return
}

// -----

// expected-error@+1 {{'cuda.kernel' op expected at most 2147483647 blocks, got 2147483648}}
cuda.kernel @grid(%x: memref<512xf32>) attributes {block = 32 : i64, grid = 2147483648 : i64} {
  cuda.return
}

// -----

// expected-error@+1 {{'cuda.kernel' op expected 'index_bits' to be 32 or 64, got 16}}
cuda.kernel @bits(%x: memref<512xf32>) attributes {block = 32 : i64, grid = 1 : i64, index_bits = 16 : i64} {
  cuda.return
}

// -----

// expected-error@+1 {{'cuda.kernel' op expected argument 0 to be a scalar or a memref, got 'tensor<4xf32>'}}
cuda.kernel @tensor(%x: tensor<4xf32>) attributes {block = 32 : i64, grid = 1 : i64} {
  cuda.return
}

// -----

// expected-error@+1 {{'cuda.ranges' op expected ranges in ascending order, got #kernel.range<"b" at 2 count 4 rule 0>}}
cuda.ranges @ranges [#kernel.range<"a" at 0 count 4 rule 0>, #kernel.range<"b" at 2 count 4 rule 0>]

// -----

cuda.kernel @table(%x: memref<512xf32>) attributes {block = 32 : i64, grid = 1 : i64} {
  %i = gpu.thread_id x
  // expected-error@+1 {{'cuda.range_rule' op expected 'table' to be a table of ranges of this module}}
  %rule = cuda.range_rule @table[%i]
  cuda.return
}

// -----

func.func @callee(%x: memref<512xf32>) {
  // expected-error@+1 {{'cuda.launch' op expected 'callee' to be a kernel of this module}}
  cuda.launch @callee(%x) : memref<512xf32>
  return
}

// -----

// expected-note@+1 {{declared here}}
cuda.kernel @kernel(%x: memref<512xf32>) attributes {block = 32 : i64, grid = 1 : i64} {
  cuda.return
}
func.func @f(%x: memref<8xf32>) {
  // expected-error@+1 {{'cuda.launch' op expected operands of the types of 'kernel'}}
  cuda.launch @kernel(%x) : memref<8xf32>
  return
}

// -----

func.func @names(%x: memref<8xf32>) {
  // expected-error@+1 {{expected 'cuda.names' to have 1 names, got 2}}
  %0 = cuda.input 0 {cuda.names = ["a", "b"]} : memref<8xf32>
  return
}

// -----

func.func @strings(%x: memref<8xf32>) {
  // expected-error@+1 {{expected 'cuda.names' to be a list of strings}}
  %0 = cuda.input 0 {cuda.names = [1]} : memref<8xf32>
  return
}

// -----

func.func @unknown(%x: memref<8xf32>) {
  // expected-error@+1 {{unknown attribute 'cuda.name'}}
  %0 = cuda.input 0 {cuda.name = "a"} : memref<8xf32>
  return
}

// -----

// expected-error@+1 {{unknown argument attribute 'cuda.names'}}
cuda.kernel @argument(%x: memref<512xf32> {cuda.names = "x"}) attributes {block = 32 : i64, grid = 1 : i64} {
  cuda.return
}

// -----

// expected-error @below {{expected sums of type f32 or f64, got 'f16'}}
cuda.gemm_plan @sums m 2 n 2 k 2 in f16 a f16 ld 2 b f16 ld 2 c f16 ld 2

// -----

// expected-error @below {{expected types of floats, got 'i32'}}
cuda.gemm_plan @types m 2 n 2 k 2 in f32 a i32 ld 2 b f32 ld 2 c f32 ld 2

// -----

// expected-error @below {{expected columns of 'a' at least 4 elements apart, got 3}}
cuda.gemm_plan @ld m 2 n 2 k 4 in f32 a f32 transpose ld 3 b f32 ld 4 c f32 ld 2

// -----

func.func @no_plan(%a: memref<4xf32>, %s: f32) {
  // expected-error @below {{expected 'missing' to be the plan of a product of this module}}
  cuda.gemm @missing alpha %s, %a, %a, beta %s, %a : f32, memref<4xf32>, memref<4xf32>, memref<4xf32>
  return
}

// -----

// expected-note @below {{planned here}}
cuda.gemm_plan @f64 m 2 n 2 k 2 in f64 a f32 ld 2 b f32 ld 2 c f32 ld 2
func.func @scalars(%a: memref<4xf32>, %s: f32) {
  // expected-error @below {{expected 'alpha' and 'beta' of the type of the sums}}
  cuda.gemm @f64 alpha %s, %a, %a, beta %s, %a : f32, memref<4xf32>, memref<4xf32>, memref<4xf32>
  return
}

// -----

// expected-note @below {{planned here}}
cuda.gemm_plan @halves m 2 n 2 k 2 in f32 a f16 ld 2 b f32 ld 2 c f32 ld 2
func.func @matrices(%a: memref<4xf32>, %s: f32) {
  // expected-error @below {{expected matrices of the types of the plan}}
  cuda.gemm @halves alpha %s, %a, %a, beta %s, %a : f32, memref<4xf32>, memref<4xf32>, memref<4xf32>
  return
}

// -----

// expected-note @below {{planned here}}
cuda.gemm_plan @large m 2 n 2 k 2 in f32 a f32 ld 2 b f32 ld 2 c f32 ld 2 workspace 512
func.func @workspace(%a: memref<4xf32>, %s: f32, %w: memref<256xi8>) {
  // expected-error @below {{expected a workspace of 512 bytes}}
  cuda.gemm @large alpha %s, %a, %a, beta %s, %a workspace %w : f32, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<256xi8>
  return
}

// -----

func.func @plain() {
  return
}
// expected-error@+1 {{'cuda.segment' op expected 'plain' to be a step function of this module}}
cuda.segment @segment() attributes {label = "begin", step = @plain} {
  cuda.return
}

// -----

func.func @step(%inputs: memref<64xi8> {kernel.arena = #kernel.arena<inputs>})
    attributes {kernel.plan = #kernel.plan<arenas = [<inputs bytes 64 used 64>], buffers = [], inputs = []>} {
  return
}
// expected-error@+1 {{'cuda.segment' op expected arenas, then at most an 'i1' and an 'index', got argument 1 of type 'i1'}}
cuda.segment @segment(%part: index, %first: i1) attributes {label = "begin", step = @step} {
  cuda.return
}

// -----

func.func @step(%inputs: memref<64xi8> {kernel.arena = #kernel.arena<inputs>})
    attributes {kernel.plan = #kernel.plan<arenas = [<inputs bytes 64 used 64>], buffers = [], inputs = []>} {
  // expected-error@+1 {{'cuda.call' op expected 'step' to be a segment of this module}}
  cuda.call @step()
  return
}

// -----

func.func @step(%inputs: memref<64xi8> {kernel.arena = #kernel.arena<inputs>})
    attributes {kernel.plan = #kernel.plan<arenas = [<inputs bytes 64 used 64>], buffers = [], inputs = []>} {
  // expected-error@+1 {{'cuda.call' op expected operands of the types of 'segment'}}
  cuda.call @segment()
  return
}
// expected-note@+1 {{declared here}}
cuda.segment @segment(%first: i1) attributes {label = "begin", step = @step} {
  cuda.return
}

// -----

// expected-error@+1 {{expected 'cuda.graphs' to be a decided '#cuda.graphs'}}
func.func @undecided() attributes {cuda.graphs = #cuda.graphs<auto>} {
  return
}
