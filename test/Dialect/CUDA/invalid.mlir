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
