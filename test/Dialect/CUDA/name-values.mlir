// RUN: accrue-opt %s --cuda-name-values | FileCheck %s

// Names of arguments come from the planner, made valid and unique.

// CHECK-LABEL: cuda.kernel @arguments(
// CHECK-SAME:    %{{[^ ]*}}: memref<8xf32> {cuda.name = "fc1_bias", kernel.name = "fc1.bias"}
// CHECK-SAME:    %{{[^ ]*}}: memref<8xf32> {cuda.name = "fc1_bias_2", kernel.name = "fc1_bias"}
// CHECK-SAME:    %{{[^ ]*}}: memref<8xf32> {cuda.name = "float_", kernel.name = "float"}
// CHECK-SAME:    %{{[^ ]*}}: memref<8xf32> {cuda.name = "n3d", kernel.name = "3d"}
// CHECK-SAME:    %{{[^ ]*}}: i1 {cuda.name = "first"}
// CHECK-SAME:    %{{[^ ]*}}: memref<8xf32> {cuda.name = "value", kernel.name = "__"}
cuda.kernel @arguments(%a: memref<8xf32> {kernel.name = "fc1.bias"}, %b: memref<8xf32> {kernel.name = "fc1_bias"},
                       %c: memref<8xf32> {kernel.name = "float"}, %d: memref<8xf32> {kernel.name = "3d"}, %e: i1,
                       %f: memref<8xf32> {kernel.name = "__"}) attributes {block = 32 : i64, grid = 1 : i64} {
  cuda.return
}

// Symbols, too.
// CHECK-LABEL: cuda.kernel @int_(
cuda.kernel @int(%a: memref<8xf32>) attributes {block = 32 : i64, grid = 1 : i64} {
  cuda.return
}

// A value that is used once is part of its user; others are variables.

// CHECK-LABEL: cuda.kernel @variables(
cuda.kernel @variables(%x: memref<8xf32> {kernel.name = "x"}, %y: memref<8xf32> {kernel.name = "y"}) attributes {block = 32 : i64, grid = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  // CHECK: memref.load %arg0[%{{.*}}] : memref<8xf32>
  %once = memref.load %x[%c1] : memref<8xf32>
  // CHECK: memref.load %arg0[%{{.*}}] {cuda.names = ["x_value"]}
  %twice = memref.load %x[%c8] : memref<8xf32>
  // CHECK: arith.addf %{{[^ ]*}}, %{{[^ ]*}} : f32
  %0 = arith.addf %once, %twice : f32
  %1 = arith.mulf %0, %twice : f32
  memref.store %1, %y[%c0] : memref<8xf32>
  // A load does not move over a store to the same buffer,
  // CHECK: memref.load %arg1[%{{.*}}] {cuda.names = ["y_value"]}
  // CHECK: memref.load %arg0[%{{.*}}] : memref<8xf32>
  %before = memref.load %y[%c0] : memref<8xf32>
  %other = memref.load %x[%c0] : memref<8xf32>
  memref.store %zero, %y[%c0] : memref<8xf32>
  %2 = arith.addf %before, %other : f32
  memref.store %2, %y[%c0] : memref<8xf32>
  // nor over a barrier, nor into a loop.
  // CHECK: memref.load %arg0[%{{.*}}] {cuda.names = ["x_value_2"]}
  %fenced = memref.load %x[%c0] : memref<8xf32>
  gpu.barrier
  memref.store %fenced, %y[%c0] : memref<8xf32>
  // CHECK: memref.load %arg0[%{{.*}}] {cuda.names = ["x_value_3"]}
  %hoisted = memref.load %x[%c0] : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %hoisted, %y[%i] : memref<8xf32>
  }
  // CHECK: {cuda.names = ["i"]}
  cuda.return
}

// Loops: letters for positions, the reduction for what is carried. A scope that
// has ended gives its names back.

// CHECK-LABEL: cuda.kernel @loops(
cuda.kernel @loops(%x: memref<64xf32> {kernel.name = "x"}) attributes {block = 32 : i64, grid = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %s = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %zero) -> f32 {
    %m = scf.for %j = %c0 to %c8 step %c1 iter_args(%b = %zero) -> f32 {
      %0 = memref.load %x[%j] : memref<64xf32>
      %1 = arith.maximumf %b, %0 : f32
      scf.yield %1 : f32
    }
    // CHECK: {cuda.names = ["j", "largest"]}
    %2 = arith.addf %a, %m : f32
    scf.yield %2 : f32
  }
  // CHECK: {cuda.names = ["i", "thread_sum"]}
  // CHECK: {cuda.names = ["sum"]}
  %r = gpu.all_reduce add %s uniform {} : (f32) -> f32
  scf.for %i = %t to %c8 step %c1 {
    // CHECK: memref.load %arg0[%{{.*}}] {cuda.names = ["x_i"]}
    %0 = memref.load %x[%i] : memref<64xf32>
    %1 = arith.mulf %0, %0 : f32
    %2 = arith.mulf %1, %r : f32
    memref.store %2, %x[%i] : memref<64xf32>
  }
  // CHECK: {cuda.names = ["i"]}
  cuda.return
}

// An expression has at most six ops.

// CHECK-LABEL: cuda.kernel @lengthy(
// CHECK-COUNT-1: cuda.names = ["sum"]
// CHECK-NOT:     cuda.names
cuda.kernel @lengthy(%x: memref<8xf32> {kernel.name = "x"}, %a: f32 {kernel.name = "a"}) attributes {block = 32 : i64, grid = 1 : i64} {
  %c0 = arith.constant 0 : index
  %0 = arith.addf %a, %a : f32
  %1 = arith.addf %0, %a : f32
  %2 = arith.addf %1, %a : f32
  %3 = arith.addf %2, %a : f32
  %4 = arith.addf %3, %a : f32
  %5 = arith.addf %4, %a : f32
  %6 = arith.addf %5, %a : f32
  memref.store %6, %x[%c0] : memref<8xf32>
  cuda.return
}

// Steps: inputs are parameters, arenas the model's, what is passed by address a
// variable; gradients and slots are told from their parameters.

// CHECK-LABEL: func.func @step(
// CHECK-SAME:    cuda.name = "model->params"
// CHECK-SAME:    attributes {cuda.names = ["x"]
func.func @step(%params: memref<64xi8> {kernel.arena = #kernel.arena<params>},
                %gradients: memref<64xi8> {kernel.arena = #kernel.arena<gradients>},
                %slots: memref<64xi8> {kernel.arena = #kernel.arena<slots>},
                %inputs: memref<64xi8> {kernel.arena = #kernel.arena<inputs>})
    attributes {kernel.plan = #kernel.plan<
      arenas = [<params bytes 64 used 64>, <gradients bytes 64 used 64>, <slots bytes 64 used 64>, <inputs bytes 64 used 64>],
      buffers = [<"w" in params at 0 bytes 64 : tensor<4x4xf32> live 0 to 1>, <"w" in gradients at 0 bytes 64 : tensor<4x4xf32> live 0 to 1>,
                 <"w" in slots at 0 bytes 64 : tensor<4x4xf32> live 0 to 1 with {train.slot = "m"}>,
                 <"x" in inputs at 0 bytes 64 : tensor<4x4xf32> live 0 to 1>],
      inputs = [<0 "x" : tensor<4x4xf32> dim 0>]>} {
  // CHECK: arith.constant {cuda.names = ["one"]} 1.0
  %one = arith.constant 1.0 : f32
  // CHECK: {cuda.names = ["w"]}
  %w = kernel.buffer "w" of %params at 0 : memref<64xi8> to memref<16xf32>
  // CHECK: {cuda.names = ["d_w"]}
  %g = kernel.buffer "w" of %gradients at 0 : memref<64xi8> to memref<16xf32>
  // CHECK: {cuda.names = ["w_m"]}
  %m = kernel.buffer "w" of %slots at 0 : memref<64xi8> to memref<16xf32>
  // CHECK: {cuda.names = ["x_micro"]}
  %x = kernel.buffer "x" of %inputs at 0 : memref<64xi8> to memref<16xf32>
  cuda.gemm @nn_4x4x4 alpha %one, %w, %x, beta %one, %g : f32, memref<16xf32>, memref<16xf32>, memref<16xf32>
  cuda.gemm @nn_4x4x4 alpha %one, %m, %x, beta %one, %g : f32, memref<16xf32>, memref<16xf32>, memref<16xf32>
  return
}

// Locations have names for values: of several ops with one name, the last has
// it. What is stored is called after its buffer.
// CHECK-LABEL: cuda.kernel @hints(
cuda.kernel @hints(%m: memref<8xf32> {kernel.name = "m"}, %y: memref<8xf32> {kernel.name = "y"}, %z: memref<8xf32> {kernel.name = "z"})
    attributes {block = 1 : i64, grid = 1 : i64} {
  %c0 = arith.constant 0 : index
  %m0 = memref.load %m[%c0] : memref<8xf32> loc("load")
  // CHECK: arith.addf {{.*}} {cuda.names = ["new_m"]}
  %new = arith.addf %m0, %m0 : f32
  memref.store %new, %m[%c0] : memref<8xf32>
  // CHECK: arith.mulf {{.*}} {cuda.names = ["y_value"]}
  %y0 = arith.mulf %new, %new : f32
  memref.store %y0, %y[%c0] : memref<8xf32>
  // CHECK: arith.divf %{{[^ ]*}}, %{{[^ ]*}} : f32
  %part = arith.divf %y0, %new : f32 loc("m_hat")
  // CHECK: arith.subf {{.*}} {cuda.names = ["m_hat"]}
  %hat = arith.subf %part, %new : f32 loc("m_hat")
  // CHECK: arith.negf %{{[^ ]*}} : f32
  %neg = arith.negf %hat : f32
  // A name that would be for the store's right side only.
  // CHECK: math.sqrt %{{[^ ]*}} : f32
  %root = math.sqrt %neg : f32 loc("root")
  memref.store %root, %z[%c0] : memref<8xf32>
  cuda.return
}

cuda.gemm_plan @nn_4x4x4 m 4 n 4 k 4 in f32 a f32 ld 4 b f32 ld 4 c f32 ld 4

// Buffers have the names of the plan, whatever their locations say.
// CHECK-LABEL: func.func @buffers(
func.func @buffers(%state: memref<64xi8> {kernel.arena = #kernel.arena<state>})
    attributes {kernel.plan = #kernel.plan<arenas = [<state bytes 64 used 64>], buffers = [], inputs = []>} {
  // CHECK: {cuda.names = ["count"]}
  %c = kernel.buffer "count" of %state at 0 : memref<64xi8> to memref<16xf32> loc("h")
  cuda.launch @reads(%c) : memref<16xf32>
  return
}
cuda.kernel @reads(%x: memref<16xf32>) attributes {block = 1 : i64, grid = 1 : i64} {
  cuda.return
}

// Arguments of kernels are called after what they are launched with: by the
// name itself, by what several names end with, or by what the kernel does.
// CHECK-LABEL: cuda.kernel @shared(
// CHECK-SAME:    {cuda.name = "x"}
// CHECK-SAME:    {cuda.name = "d_weight"}
// CHECK-SAME:    {cuda.name = "input"}
// CHECK-SAME:    {cuda.name = "output"}
cuda.kernel @shared(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>, %d: memref<4xf32>) attributes {block = 1 : i64, grid = 1 : i64} {
  %c0 = arith.constant 0 : index
  %0 = memref.load %c[%c0] : memref<4xf32>
  memref.store %0, %d[%c0] : memref<4xf32>
  cuda.return
}
// CHECK-LABEL: func.func @layers(
func.func @layers(%gradients: memref<64xi8> {kernel.arena = #kernel.arena<gradients>},
                  %inputs: memref<64xi8> {kernel.arena = #kernel.arena<inputs>})
    attributes {kernel.plan = #kernel.plan<
      arenas = [<gradients bytes 64 used 64>, <inputs bytes 64 used 64>],
      buffers = [<"fc1.weight" in gradients at 0 bytes 16 : tensor<4xf32> live 0 to 1>,
                 <"fc2.weight" in gradients at 16 bytes 16 : tensor<4xf32> live 0 to 1>,
                 <"x" in inputs at 0 bytes 16 : tensor<4xf32> live 0 to 1>],
      inputs = [<0 "x" : tensor<4xf32> dim 0>]>} {
  %x = kernel.buffer "x" of %inputs at 0 : memref<64xi8> to memref<4xf32>
  %w1 = kernel.buffer "fc1.weight" of %gradients at 0 : memref<64xi8> to memref<4xf32>
  %w2 = kernel.buffer "fc2.weight" of %gradients at 16 : memref<64xi8> to memref<4xf32>
  %a = kernel.buffer "a" of %inputs at 16 : memref<64xi8> to memref<4xf32>
  %b = kernel.buffer "b" of %inputs at 32 : memref<64xi8> to memref<4xf32>
  cuda.launch @shared(%x, %w1, %a, %a) : memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>
  cuda.launch @shared(%x, %w2, %b, %b) : memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>
  return
}
