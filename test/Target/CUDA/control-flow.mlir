// RUN: accrue-translate --export-cuda %s | FileCheck %s

// CHECK-LABEL: loops(
cuda.kernel @loops(%x: memref<8xf32> {cuda.name = "x"}) attributes {block = 32 : i64, grid = 1 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  // CHECK:      float sum = 0.0f;
  // CHECK-NEXT: for (int i = 0; i < 8; ++i) {
  // CHECK-NEXT:   sum += x[i];
  // CHECK-NEXT: }
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %zero) -> f32 {
    %0 = memref.load %x[%i] : memref<8xf32>
    %1 = arith.addf %s, %0 : f32
    scf.yield %1 : f32
  } {cuda.names = ["i", "sum"]}
  // The order of a sum of three is kept.
  // CHECK:      float three = 0.0f;
  // CHECK-NEXT: for (int i = 0; i < 8; i += 2) {
  // CHECK-NEXT:   three = three + x[i] + 1.0f;
  // CHECK-NEXT: }
  %three = scf.for %i = %c0 to %c8 step %c2 iter_args(%s = %zero) -> f32 {
    %0 = memref.load %x[%i] : memref<8xf32>
    %1 = arith.addf %s, %0 : f32
    %2 = arith.addf %1, %one : f32
    scf.yield %2 : f32
  } {cuda.names = ["i", "three"]}
  // Carried values change at once: here they trade places.
  // CHECK:      float a = 0.0f;
  // CHECK-NEXT: float b = 1.0f;
  // CHECK-NEXT: for (int i = 0; i < 8; ++i) {
  // CHECK-NEXT:   const float old_a = a;
  // CHECK-NEXT:   a = b;
  // CHECK-NEXT:   b = old_a;
  // CHECK-NEXT: }
  %ab:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%p = %zero, %q = %one) -> (f32, f32) {
    scf.yield %q, %p : f32, f32
  } {cuda.names = ["i", "a", "b"]}
  // CHECK-NEXT: x[0] = sum;
  // CHECK-NEXT: x[0] = three;
  // CHECK-NEXT: x[0] = a;
  // CHECK-NEXT: x[0] = b;
  memref.store %sum, %x[%c0] : memref<8xf32>
  memref.store %three, %x[%c0] : memref<8xf32>
  memref.store %ab#0, %x[%c0] : memref<8xf32>
  memref.store %ab#1, %x[%c0] : memref<8xf32>
  cuda.return
}

// CHECK-LABEL: conditions(
cuda.kernel @conditions(%x: memref<8xf32> {cuda.name = "x"}, %c: i1 {cuda.name = "c"}) attributes {block = 32 : i64, grid = 1 : i64} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  // CHECK:      if (threadIdx.x == 0) {
  // CHECK-NEXT:   x[0] = 1.0f;
  // CHECK-NEXT: }
  %t = gpu.thread_id x
  %isFirst = arith.cmpi eq, %t, %c0 : index
  scf.if %isFirst {
    memref.store %one, %x[%c0] : memref<8xf32>
  }
  // CHECK-NEXT: __syncthreads();
  gpu.barrier
  // CHECK-NEXT: float chosen;
  // CHECK-NEXT: if (c) {
  // CHECK-NEXT:   chosen = x[0];
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   chosen = 0.0f;
  // CHECK-NEXT: }
  %chosen = scf.if %c -> f32 {
    %0 = memref.load %x[%c0] : memref<8xf32>
    scf.yield %0 : f32
  } else {
    scf.yield %zero : f32
  } {cuda.names = ["chosen"]}
  // CHECK-NEXT: const float total = accrue::blockReduce<accrue::Sum>(chosen);
  %total = gpu.all_reduce add %chosen uniform {} {cuda.names = ["total"]} : (f32) -> f32
  // CHECK-NEXT: const float largest = accrue::blockReduce<accrue::Maximum>(total);
  %largest = gpu.all_reduce maximumf %total uniform {} {cuda.names = ["largest"]} : (f32) -> f32
  // CHECK-NEXT: const bool any = accrue::blockReduce<accrue::Any>(c);
  %any = gpu.all_reduce or %c uniform {} {cuda.names = ["any"]} : (i1) -> i1
  // CHECK-NEXT: x[0] = any ? largest : total;
  %picked = arith.select %any, %largest, %total : f32
  memref.store %picked, %x[%c0] : memref<8xf32>
  cuda.return
}

func.func @f(%state: memref<8xi8> {kernel.arena = #kernel.arena<state>, cuda.name = "model->state"})
    attributes {cuda.names = [], kernel.plan = #kernel.plan<arenas = [<state bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}
