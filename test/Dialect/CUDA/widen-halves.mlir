// RUN: accrue-opt --split-input-file --pass-pipeline='builtin.module(cuda.kernel(cuda-widen-halves))' %s | FileCheck %s

// Every op rounds.
// CHECK-LABEL: cuda.kernel @chain(
// CHECK-SAME: %[[A:[^:]+]]: f16, %[[B:[^:]+]]: f16
cuda.kernel @chain(%x: memref<8xf16>, %a: f16, %b: f16) attributes {block = 1 : i64, grid = 1 : i64} {
  %i = arith.constant 0 : index
  // CHECK-DAG: %[[A0:.*]] = arith.extf %[[A]] : f16 to f32
  // CHECK-DAG: %[[B0:.*]] = arith.extf %[[B]] : f16 to f32
  // CHECK: %[[WIDE:.*]] = arith.mulf %[[A0]], %[[B0]] : f32
  // CHECK: %[[PRODUCT:.*]] = arith.truncf %[[WIDE]] : f32 to f16
  %0 = arith.mulf %a, %b : f16
  // CHECK: %[[AGAIN:.*]] = arith.extf %[[PRODUCT]] : f16 to f32
  // CHECK: arith.addf %[[AGAIN]], %{{.*}} : f32
  %1 = arith.addf %0, %a : f16
  memref.store %1, %x[%i] : memref<8xf16>
  cuda.return
}

// -----

// CHECK-LABEL: cuda.kernel @bfloat(
cuda.kernel @bfloat(%x: memref<8xbf16>, %a: bf16, %b: bf16, %n: i64, %p: memref<8xi1>) attributes {block = 32 : i64, grid = 1 : i64} {
  %i = arith.constant 0 : index
  // CHECK: math.exp %{{.*}} : f32
  // CHECK-NEXT: arith.truncf
  %0 = math.exp %a : bf16
  memref.store %0, %x[%i] : memref<8xbf16>
  // CHECK: arith.cmpf olt, %{{.*}}, %{{.*}} : f32
  %1 = arith.cmpf olt, %a, %b : bf16
  memref.store %1, %p[%i] : memref<8xi1>
  // Selections and conversions stay: a detour of the last one over f32 would
  // round twice.
  // CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : bf16
  %2 = arith.select %1, %a, %b : bf16
  memref.store %2, %x[%i] : memref<8xbf16>
  // CHECK: arith.sitofp %{{.*}} : i64 to bf16
  %3 = arith.sitofp %n : i64 to bf16
  memref.store %3, %x[%i] : memref<8xbf16>
  // CHECK: gpu.all_reduce maximumf %{{.*}} uniform {
  // CHECK-NEXT: } : (f32) -> f32
  // CHECK-NEXT: arith.truncf
  %4 = gpu.all_reduce maximumf %a uniform {} : (bf16) -> bf16
  memref.store %4, %x[%i] : memref<8xbf16>
  cuda.return
}

// -----

// Left for the printer to refuse: f32 would give other bits.
// CHECK-LABEL: cuda.kernel @kept(
// CHECK-NOT: extf
cuda.kernel @kept(%x: memref<8xf16>, %a: f16, %b: f16) attributes {block = 32 : i64, grid = 1 : i64} {
  %i = arith.constant 0 : index
  %0 = math.fma %a, %b, %a : f16
  memref.store %0, %x[%i] : memref<8xf16>
  %1 = gpu.all_reduce add %a uniform {} : (f16) -> f16
  memref.store %1, %x[%i] : memref<8xf16>
  cuda.return
}
