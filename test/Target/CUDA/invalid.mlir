// RUN: accrue-translate --export-cuda -split-input-file -verify-diagnostics %s

// Types.

// expected-error@+1 {{cannot emit type 'i16'}}
cuda.kernel @i16(%x: memref<8xi16> {cuda.name = "x"}) attributes {block = 1 : i64, grid = 1 : i64} {
  cuda.return
}
func.func @f(%state: memref<8xi8> {kernel.arena = #kernel.arena<state>, cuda.name = "s"}) attributes {cuda.names = [], kernel.plan = #kernel.plan<arenas = [<state bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}

// -----

cuda.kernel @constant(%x: memref<8xf32> {cuda.name = "x"}) attributes {block = 1 : i64, grid = 1 : i64} {
  %i = arith.constant 0 : index
  %0 = arith.constant 1.0 : f80
  // expected-error@+1 {{cannot emit type 'f80'}}
  %1 = arith.truncf %0 : f80 to f32
  memref.store %1, %x[%i] : memref<8xf32>
  cuda.return
}
func.func @f(%state: memref<8xi8> {kernel.arena = #kernel.arena<state>, cuda.name = "s"}) attributes {cuda.names = [], kernel.plan = #kernel.plan<arenas = [<state bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}

// -----

// expected-error@+1 {{cannot emit type 'memref<2x4xf32>'}}
cuda.kernel @rank(%x: memref<2x4xf32> {cuda.name = "x"}) attributes {block = 1 : i64, grid = 1 : i64} {
  cuda.return
}
func.func @f(%state: memref<8xi8> {kernel.arena = #kernel.arena<state>, cuda.name = "s"}) attributes {cuda.names = [], kernel.plan = #kernel.plan<arenas = [<state bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}

// -----

// Ops.

cuda.kernel @alloc(%x: memref<8xf32> {cuda.name = "x"}) attributes {block = 1 : i64, grid = 1 : i64} {
  // expected-error@+1 {{'memref.alloc' op cannot be emitted}}
  %a = memref.alloc() {cuda.names = ["a"]} : memref<8xf32>
  cuda.return
}
func.func @f(%state: memref<8xi8> {kernel.arena = #kernel.arena<state>, cuda.name = "s"}) attributes {cuda.names = [], kernel.plan = #kernel.plan<arenas = [<state bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}

// -----

cuda.kernel @parallel(%x: memref<8xf32> {cuda.name = "x"}) attributes {block = 1 : i64, grid = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{'scf.parallel' op cannot be emitted}}
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    scf.reduce
  }
  cuda.return
}
func.func @f(%state: memref<8xi8> {kernel.arena = #kernel.arena<state>, cuda.name = "s"}) attributes {cuda.names = [], kernel.plan = #kernel.plan<arenas = [<state bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}

// -----

cuda.kernel @math(%x: memref<8xf32> {cuda.name = "x"}) attributes {block = 1 : i64, grid = 1 : i64} {
  %i = arith.constant 0 : index
  %0 = memref.load %x[%i] : memref<8xf32>
  // expected-error@+1 {{'math.acosh' op cannot be emitted}}
  %1 = math.acosh %0 : f32
  memref.store %1, %x[%i] : memref<8xf32>
  cuda.return
}
func.func @f(%state: memref<8xi8> {kernel.arena = #kernel.arena<state>, cuda.name = "s"}) attributes {cuda.names = [], kernel.plan = #kernel.plan<arenas = [<state bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}

// -----

cuda.kernel @unsigned(%x: memref<8xi32> {cuda.name = "x"}, %a: i32 {cuda.name = "a"}) attributes {block = 1 : i64, grid = 1 : i64} {
  %i = arith.constant 0 : index
  // expected-error@+1 {{'arith.divui' op cannot be emitted}}
  %0 = arith.divui %a, %a : i32
  memref.store %0, %x[%i] : memref<8xi32>
  cuda.return
}
func.func @f(%state: memref<8xi8> {kernel.arena = #kernel.arena<state>, cuda.name = "s"}) attributes {cuda.names = [], kernel.plan = #kernel.plan<arenas = [<state bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}

// -----

cuda.kernel @dimension(%x: memref<8xf32> {cuda.name = "x"}) attributes {block = 1 : i64, grid = 1 : i64} {
  %zero = arith.constant 0.0 : f32
  // expected-error@+1 {{'gpu.thread_id' op cannot be emitted along other dimensions than x}}
  %i = gpu.thread_id y
  memref.store %zero, %x[%i] : memref<8xf32>
  cuda.return
}
func.func @f(%state: memref<8xi8> {kernel.arena = #kernel.arena<state>, cuda.name = "s"}) attributes {cuda.names = [], kernel.plan = #kernel.plan<arenas = [<state bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}

// -----

cuda.kernel @reduction(%x: memref<8xi32> {cuda.name = "x"}, %a: i32 {cuda.name = "a"}) attributes {block = 32 : i64, grid = 1 : i64} {
  %i = arith.constant 0 : index
  // expected-error@+1 {{'gpu.all_reduce' op cannot be emitted}}
  %0 = gpu.all_reduce xor %a uniform {} {cuda.names = ["all"]} : (i32) -> i32
  memref.store %0, %x[%i] : memref<8xi32>
  cuda.return
}
func.func @f(%state: memref<8xi8> {kernel.arena = #kernel.arena<state>, cuda.name = "s"}) attributes {cuda.names = [], kernel.plan = #kernel.plan<arenas = [<state bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}

// -----

// Values without names.

// expected-error@+1 {{'cuda.kernel' op cannot be emitted without names}}
cuda.kernel @unnamed(%x: memref<8xf32>) attributes {block = 1 : i64, grid = 1 : i64} {
  cuda.return
}
func.func @f(%state: memref<8xi8> {kernel.arena = #kernel.arena<state>, cuda.name = "s"}) attributes {cuda.names = [], kernel.plan = #kernel.plan<arenas = [<state bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}

// -----

cuda.kernel @loop(%x: memref<8xf32> {cuda.name = "x"}) attributes {block = 1 : i64, grid = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{'scf.for' op cannot be emitted without names}}
  scf.for %i = %c0 to %c1 step %c1 {
  }
  cuda.return
}
func.func @f(%state: memref<8xi8> {kernel.arena = #kernel.arena<state>, cuda.name = "s"}) attributes {cuda.names = [], kernel.plan = #kernel.plan<arenas = [<state bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}

// -----

// Modules.

// expected-error@+1 {{expected a function with a plan}}
module {
}

// -----

// expected-error@+1 {{'func.func' op cannot be emitted without a plan}}
func.func @f() {
  return
}

// -----

func.func @f(%state: memref<8xi8> {kernel.arena = #kernel.arena<state>, cuda.name = "s"}) attributes {cuda.names = [], kernel.plan = #kernel.plan<arenas = [<state bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}
// expected-error@+1 {{'kernel.func' op cannot be emitted}}
kernel.func @k elementwise(%x: memref<8xf32>) {
  kernel.return
}

// -----

func.func @a(%params: memref<8xi8> {kernel.arena = #kernel.arena<params>, cuda.name = "p"}) attributes {cuda.names = [], kernel.plan = #kernel.plan<arenas = [<params bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}
// expected-error@+1 {{'func.func' op expected arena 'params' of 8 bytes, as in the other programs, got 16}}
func.func @b(%params: memref<16xi8> {kernel.arena = #kernel.arena<params>, cuda.name = "p"}) attributes {cuda.names = [], kernel.plan = #kernel.plan<arenas = [<params bytes 16 used 16>], buffers = [], inputs = []>} {
  return
}

// -----

// expected-error@+1 {{'func.func' op cannot be emitted with constant tensors}}
func.func @constants(%c: memref<8xi8> {kernel.arena = #kernel.arena<constants>, cuda.name = "c"}) attributes {cuda.names = [], kernel.plan = #kernel.plan<arenas = [<constants bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}

// -----

func.func @a(%state: memref<8xi8> {kernel.arena = #kernel.arena<state>, cuda.name = "s"}) attributes {cuda.names = [], train.batch = 4 : i64, kernel.plan = #kernel.plan<arenas = [<state bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}
func.func @b(%state: memref<8xi8> {kernel.arena = #kernel.arena<state>, cuda.name = "s"}) attributes {cuda.names = [], train.batch = 4 : i64, kernel.plan = #kernel.plan<arenas = [<state bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}
// expected-error@+1 {{'func.func' op expected one program 'a_step_4'}}
func.func @c(%state: memref<8xi8> {kernel.arena = #kernel.arena<state>, cuda.name = "s"}) attributes {cuda.names = [], train.batch = 4 : i64, kernel.plan = #kernel.plan<arenas = [<state bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}

// -----

// Evaluations have the results of steps.

// expected-error@+1 {{'func.func' op expected result "loss" of one type in all programs, got 'tensor<f32>' and 'tensor<f64>'}}
func.func @a(%outputs: memref<8xi8> {kernel.arena = #kernel.arena<outputs>, cuda.name = "o"}) attributes {cuda.names = [], train.program = #train.program<step>, kernel.plan = #kernel.plan<arenas = [<outputs bytes 8 used 4>], buffers = [<"loss" in outputs at 0 bytes 4 : tensor<f32> live 0 to 1 with {train.name = "loss", train.result = #train.result<loss>}>], inputs = []>} {
  return
}
func.func @b(%outputs: memref<8xi8> {kernel.arena = #kernel.arena<outputs>, cuda.name = "o"}) attributes {cuda.names = [], train.program = #train.program<evaluation>, kernel.plan = #kernel.plan<arenas = [<outputs bytes 8 used 8>], buffers = [<"loss" in outputs at 0 bytes 8 : tensor<f64> live 0 to 1 with {train.name = "loss", train.result = #train.result<loss>}>], inputs = []>} {
  return
}
