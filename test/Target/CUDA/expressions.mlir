// RUN: accrue-translate --export-cuda %s | FileCheck %s

// Operators and their parentheses, functions, literals.

// CHECK-LABEL: precedence(
cuda.kernel @precedence(%x: memref<8xf32> {cuda.name = "x"}, %a: f32 {cuda.name = "a"}, %b: f32 {cuda.name = "b"}, %c: f32 {cuda.name = "c"}) attributes {block = 1 : i64, grid = 1 : i64} {
  %i = arith.constant 0 : index
  // CHECK: x[0] = a + b * c;
  %0 = arith.mulf %b, %c : f32
  %1 = arith.addf %a, %0 : f32
  memref.store %1, %x[%i] : memref<8xf32>
  // CHECK: x[0] = (a + b) * c;
  %2 = arith.addf %a, %b : f32
  %3 = arith.mulf %2, %c : f32
  memref.store %3, %x[%i] : memref<8xf32>
  // CHECK: x[0] = a + b + c;
  %4 = arith.addf %a, %b : f32
  %5 = arith.addf %4, %c : f32
  memref.store %5, %x[%i] : memref<8xf32>
  // The order of sums is kept.
  // CHECK: x[0] = a + (b + c);
  %6 = arith.addf %b, %c : f32
  %7 = arith.addf %a, %6 : f32
  memref.store %7, %x[%i] : memref<8xf32>
  // CHECK: x[0] = a / (b / c);
  %8 = arith.divf %b, %c : f32
  %9 = arith.divf %a, %8 : f32
  memref.store %9, %x[%i] : memref<8xf32>
  // CHECK: x[0] = -(a - b);
  %10 = arith.subf %a, %b : f32
  %11 = arith.negf %10 : f32
  memref.store %11, %x[%i] : memref<8xf32>
  // CHECK: x[0] = -(-a);
  %12 = arith.negf %a : f32
  %13 = arith.negf %12 : f32
  memref.store %13, %x[%i] : memref<8xf32>
  // CHECK: x[0] = a < b ? a : b < c ? b : c;
  %14 = arith.cmpf olt, %a, %b : f32
  %15 = arith.cmpf olt, %b, %c : f32
  %16 = arith.select %15, %b, %c : f32
  %17 = arith.select %14, %a, %16 : f32
  memref.store %17, %x[%i] : memref<8xf32>
  // CHECK: x[0] = (a < b ? a : b) + c;
  %18 = arith.cmpf olt, %a, %b : f32
  %19 = arith.select %18, %a, %b : f32
  %20 = arith.addf %19, %c : f32
  memref.store %20, %x[%i] : memref<8xf32>
  cuda.return
}

// CHECK-LABEL: booleans(
cuda.kernel @booleans(%x: memref<8xi1> {cuda.name = "x"}, %a: i1 {cuda.name = "a"}, %b: i1 {cuda.name = "b"}, %c: i1 {cuda.name = "c"}, %f: f32 {cuda.name = "f"}, %g: f32 {cuda.name = "g"}) attributes {block = 1 : i64, grid = 1 : i64} {
  %i = arith.constant 0 : index
  // CHECK: x[0] = (a && b) || c;
  %0 = arith.andi %a, %b : i1
  %1 = arith.ori %0, %c : i1
  memref.store %1, %x[%i] : memref<8xi1>
  // CHECK: x[0] = a && (b || c);
  %2 = arith.ori %b, %c : i1
  %3 = arith.andi %a, %2 : i1
  memref.store %3, %x[%i] : memref<8xi1>
  // CHECK: x[0] = a != true;
  %true = arith.constant true
  %4 = arith.xori %a, %true : i1
  memref.store %4, %x[%i] : memref<8xi1>
  // Comparisons that are true with a NaN, and those by order.
  // CHECK: x[0] = !(f <= g);
  %5 = arith.cmpf ugt, %f, %g : f32
  memref.store %5, %x[%i] : memref<8xi1>
  // CHECK: x[0] = f != g;
  %6 = arith.cmpf une, %f, %g : f32
  memref.store %6, %x[%i] : memref<8xi1>
  // CHECK: x[0] = accrue::orderedUnequal(f, g);
  %7 = arith.cmpf one, %f, %g : f32
  memref.store %7, %x[%i] : memref<8xi1>
  // CHECK: x[0] = !accrue::unordered(f, g);
  %8 = arith.cmpf ord, %f, %g : f32
  memref.store %8, %x[%i] : memref<8xi1>
  // CHECK: x[0] = f < g && f == g;
  %9 = arith.cmpf olt, %f, %g : f32
  %10 = arith.cmpf oeq, %f, %g : f32
  %11 = arith.andi %9, %10 : i1
  memref.store %11, %x[%i] : memref<8xi1>
  cuda.return
}

// CHECK-LABEL: functions(
cuda.kernel @functions(%x: memref<8xf32> {cuda.name = "x"}, %y: memref<8xf64> {cuda.name = "y"}, %a: f32 {cuda.name = "a"}, %b: f64 {cuda.name = "b"}) attributes {block = 1 : i64, grid = 1 : i64} {
  %i = arith.constant 0 : index
  // CHECK: x[0] = expf(logf(a));
  %0 = math.log %a : f32
  %1 = math.exp %0 : f32
  memref.store %1, %x[%i] : memref<8xf32>
  // CHECK: y[0] = exp(log(b));
  %2 = math.log %b : f64
  %3 = math.exp %2 : f64
  memref.store %3, %y[%i] : memref<8xf64>
  // CHECK: x[0] = accrue::maximum(a, accrue::minimum(a, a));
  %4 = arith.minimumf %a, %a : f32
  %5 = arith.maximumf %a, %4 : f32
  memref.store %5, %x[%i] : memref<8xf32>
  // CHECK: x[0] = fmaxf(a, a);
  %6 = arith.maxnumf %a, %a : f32
  memref.store %6, %x[%i] : memref<8xf32>
  // CHECK: x[0] = tanhf(sqrtf(fabsf(a)));
  %7 = math.absf %a : f32
  %8 = math.sqrt %7 : f32
  %9 = math.tanh %8 : f32
  memref.store %9, %x[%i] : memref<8xf32>
  // CHECK: x[0] = float(b);
  %10 = arith.truncf %b : f64 to f32
  memref.store %10, %x[%i] : memref<8xf32>
  // CHECK: y[0] = double(a);
  %11 = arith.extf %a : f32 to f64
  memref.store %11, %y[%i] : memref<8xf64>
  cuda.return
}

// CHECK-LABEL: literals(
cuda.kernel @literals(%x: memref<8xf32> {cuda.name = "x"}, %y: memref<8xf64> {cuda.name = "y"}, %n: memref<8xi32> {cuda.name = "n"}, %m: memref<8xi64> {cuda.name = "m"}) attributes {block = 1 : i64, grid = 1 : i64} {
  %i = arith.constant 0 : index
  // CHECK: x[0] = 0.1f;
  %0 = arith.constant 0.1 : f32
  memref.store %0, %x[%i] : memref<8xf32>
  // CHECK: x[0] = 1.0f;
  %1 = arith.constant 1.0 : f32
  memref.store %1, %x[%i] : memref<8xf32>
  // CHECK: x[0] = -0.0f;
  %2 = arith.constant -0.0 : f32
  memref.store %2, %x[%i] : memref<8xf32>
  // CHECK: x[0] = 1e-08f;
  %3 = arith.constant 1.0e-8 : f32
  memref.store %3, %x[%i] : memref<8xf32>
  // CHECK: x[0] = 3.4028235e+38f;
  %4 = arith.constant 0x7F7FFFFF : f32
  memref.store %4, %x[%i] : memref<8xf32>
  // CHECK: x[0] = INFINITY;
  %5 = arith.constant 0x7F800000 : f32
  memref.store %5, %x[%i] : memref<8xf32>
  // CHECK: x[0] = -INFINITY;
  %6 = arith.constant 0xFF800000 : f32
  memref.store %6, %x[%i] : memref<8xf32>
  // CHECK: x[0] = NAN;
  %7 = arith.constant 0x7FC00000 : f32
  memref.store %7, %x[%i] : memref<8xf32>
  // CHECK: y[0] = 0.1;
  %8 = arith.constant 0.1 : f64
  memref.store %8, %y[%i] : memref<8xf64>
  // CHECK: y[0] = 0.10000000149011612;
  %9 = arith.constant 0.10000000149011612 : f64
  memref.store %9, %y[%i] : memref<8xf64>
  // CHECK: n[0] = INT32_MIN;
  %10 = arith.constant -2147483648 : i32
  memref.store %10, %n[%i] : memref<8xi32>
  // CHECK: m[0] = INT64_MIN;
  %11 = arith.constant -9223372036854775808 : i64
  memref.store %11, %m[%i] : memref<8xi64>
  // CHECK: n[0] = -7;
  %12 = arith.constant -7 : i32
  memref.store %12, %n[%i] : memref<8xi32>
  cuda.return
}

// CHECK-LABEL: integers(
cuda.kernel @integers(%x: memref<8xi64> {cuda.name = "x"}, %f: memref<8xf32> {cuda.name = "f"}, %a: i64 {cuda.name = "a"}, %b: i64 {cuda.name = "b"}, %p: i1 {cuda.name = "p"}) attributes {block = 1 : i64, grid = 1 : i64} {
  %i = arith.constant 0 : index
  %one = arith.constant 1 : i64
  // CHECK: x[0] = a + 1;
  %0 = arith.addi %a, %one : i64
  memref.store %0, %x[%i] : memref<8xi64>
  // CHECK: x[0] = accrue::maximum<int64_t>(a, 1);
  %1 = arith.maxsi %a, %one : i64
  memref.store %1, %x[%i] : memref<8xi64>
  // CHECK: x[0] = (a & b) | 1;
  %2 = arith.andi %a, %b : i64
  %3 = arith.ori %2, %one : i64
  memref.store %3, %x[%i] : memref<8xi64>
  // CHECK: f[0] = float(uint64_t(a) < uint64_t(b));
  %below = arith.cmpi ult, %a, %b : i64
  %number = arith.uitofp %below : i1 to f32
  memref.store %number, %f[%i] : memref<8xf32>
  // CHECK: f[0] = float(a);
  %4 = arith.sitofp %a : i64 to f32
  memref.store %4, %f[%i] : memref<8xf32>
  // CHECK: f[0] = float(p);
  %5 = arith.uitofp %p : i1 to f32
  memref.store %5, %f[%i] : memref<8xf32>
  // CHECK: x[0] = int64_t(p);
  %6 = arith.extui %p : i1 to i64
  memref.store %6, %x[%i] : memref<8xi64>
  cuda.return
}

// Indices of more than 31 bits.
// CHECK-LABEL: wide(
cuda.kernel @wide(%x: memref<3000000000xf32> {cuda.name = "x"}) attributes {block = 256 : i64, grid = 65536 : i64, index_bits = 64 : i64} {
  %end = arith.constant 3000000000 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %b = gpu.block_id x
  %n = gpu.block_dim x
  %g = gpu.grid_dim x
  %0 = arith.muli %b, %n : index
  %first = arith.addi %0, %t : index
  %stride = arith.muli %g, %n : index
  // CHECK:      for (int64_t i =
  // CHECK-NEXT:     int64_t(blockIdx.x) * int64_t(blockDim.x) + int64_t(threadIdx.x);
  // CHECK-NEXT:   i < 3000000000; i += int64_t(gridDim.x) * int64_t(blockDim.x)) {
  scf.for %i = %first to %end step %stride {
    memref.store %zero, %x[%i] : memref<3000000000xf32>
  } {cuda.names = ["i"]}
  cuda.return
}

func.func @expressions(%state: memref<8xi8> {kernel.arena = #kernel.arena<state>, cuda.name = "model->state"})
    attributes {cuda.names = [], kernel.plan = #kernel.plan<arenas = [<state bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}
