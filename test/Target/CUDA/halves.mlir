// RUN: accrue-translate --export-cuda %s | FileCheck %s

// f16 and bf16 are CUDA's types, and only what is used is included.

// CHECK: #include <cuda_bf16.h>
// CHECK-NEXT: #include <cuda_fp16.h>

// CHECK-LABEL: halves(
// CHECK-SAME: __half *__restrict__ x,
// CHECK-NEXT: const __nv_bfloat16 *__restrict__ y,
cuda.kernel @halves(%x: memref<8xf16> {cuda.name = "x"}, %y: memref<8xbf16> {cuda.name = "y"}, %z: memref<8xf64> {cuda.name = "z"}, %n: memref<8xi32> {cuda.name = "n"}, %p: i1 {cuda.name = "p"}) attributes {block = 1 : i64, grid = 1 : i64} {
  %i = arith.constant 0 : index
  // CHECK: x[0] = __half(0.099975586f);
  %0 = arith.constant 0.1 : f16
  memref.store %0, %x[%i] : memref<8xf16>
  // CHECK: x[0] = __half(-INFINITY);
  %1 = arith.constant 0xFC00 : f16
  memref.store %1, %x[%i] : memref<8xf16>
  // CHECK: x[0] = __half(NAN);
  %2 = arith.constant 0x7E00 : f16
  memref.store %2, %x[%i] : memref<8xf16>
  // CHECK: x[0] = __half(float(y[0]) + float(x[1]));
  %3 = memref.load %y[%i] : memref<8xbf16>
  %4 = arith.extf %3 : bf16 to f32
  %j = arith.constant 1 : index
  %5 = memref.load %x[%j] : memref<8xf16>
  %6 = arith.extf %5 : f16 to f32
  %7 = arith.addf %4, %6 : f32
  %8 = arith.truncf %7 : f32 to f16
  memref.store %8, %x[%i] : memref<8xf16>
  // CHECK: x[0] = p ? x[1] : __half(1.0f);
  %9 = memref.load %x[%j] : memref<8xf16>
  %10 = arith.constant 1.0 : f16
  %11 = arith.select %p, %9, %10 : f16
  memref.store %11, %x[%i] : memref<8xf16>
  // CHECK: x[0] = __half(n[0]);
  %12 = memref.load %n[%i] : memref<8xi32>
  %13 = arith.sitofp %12 : i32 to f16
  memref.store %13, %x[%i] : memref<8xf16>
  // CHECK: n[0] = int32_t(y[0]);
  %14 = memref.load %y[%i] : memref<8xbf16>
  %15 = arith.fptosi %14 : bf16 to i32
  memref.store %15, %n[%i] : memref<8xi32>
  // CHECK: z[0] = double(y[0]);
  %16 = memref.load %y[%i] : memref<8xbf16>
  %17 = arith.extf %16 : bf16 to f64
  memref.store %17, %z[%i] : memref<8xf64>
  // CHECK: x[0] = __half(z[0]);
  %18 = memref.load %z[%i] : memref<8xf64>
  %19 = arith.truncf %18 : f64 to f16
  memref.store %19, %x[%i] : memref<8xf16>
  // CHECK: x[0] = __half(p);
  %20 = arith.uitofp %p : i1 to f16
  memref.store %20, %x[%i] : memref<8xf16>
  cuda.return
}

// On the host, in C, they are their bits.
// CHECK: narrow_step(narrow *model, const uint16_t *x)
func.func @narrow(%state: memref<8xi8> {kernel.arena = #kernel.arena<state>, cuda.name = "model->state"})
    attributes {cuda.names = ["x"], kernel.plan = #kernel.plan<arenas = [<state bytes 8 used 8>], buffers = [], inputs = [<0 "x" : tensor<8xf16> dim 0>]>} {
  return
}
