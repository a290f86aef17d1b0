// RUN: accrue-opt %s -pass-pipeline='builtin.module(kernel.func(cpu-approximate-math))' | FileCheck %s

// CHECK-LABEL: kernel.func @f32
// CHECK-NOT: math.{{exp|log|tanh}}
// CHECK: math.fma
// CHECK-NOT: math.{{exp|log|tanh}}
// CHECK: math.sqrt
// CHECK-NOT: math.{{exp|log|tanh}}
// CHECK: kernel.return
kernel.func @f32 elementwise(%x: memref<f32>) {
  %0 = memref.load %x[] : memref<f32>
  %1 = math.exp %0 : f32
  %2 = math.log %1 : f32
  %3 = math.tanh %2 : f32
  %4 = math.sqrt %3 : f32
  memref.store %4, %x[] : memref<f32>
  kernel.return
}

// CHECK-LABEL: kernel.func @f64
// CHECK: math.exp
// CHECK: math.tanh
kernel.func @f64 elementwise(%x: memref<f64>) {
  %0 = memref.load %x[] : memref<f64>
  %1 = math.exp %0 : f64
  %2 = math.tanh %1 : f64
  memref.store %2, %x[] : memref<f64>
  kernel.return
}
