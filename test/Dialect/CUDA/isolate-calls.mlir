// RUN: accrue-opt %S/../Kernel/planned-mlp.mlir --kernels-to-cuda --canonicalize --cse --cuda-linearize-memrefs --canonicalize --cse --cuda-outline-segments --cuda-isolate-calls | FileCheck %s

// Every call gets a segment that fills what it touches, and one that makes it.
// One in the loop of two full micro-batches is made twice per step.

// CHECK:      cuda.segment @[[FILL:[a-z0-9_]+]]({{.*}}) attributes {label = "fill_2", step = @mlp} {
// CHECK-NEXT:   %[[H:.*]] = kernel.buffer "h"
// CHECK-NEXT:   %[[W:.*]] = kernel.buffer "fc2.weight"
// CHECK-NEXT:   %[[Y:.*]] = kernel.buffer "logits"
// CHECK-NEXT:   cuda.fill %[[W]] : memref<10xf32>
// CHECK-NEXT:   cuda.fill %[[H]] : memref<20xf32>
// CHECK-NEXT:   cuda.fill %[[Y]] : memref<8xf32>
// CHECK-NEXT:   cuda.return
// CHECK-NEXT: }
// CHECK-NEXT: cuda.segment {{.*}} attributes {cuda.benchmark = #cuda.benchmark<"matmul" "matmul_nt_4x2x5" from ["planned-mlp.mlir:{{[0-9]+}}"{{.*}}] calls 2 bytes 152 flops 80 fill @[[FILL]]>, label = "call_2", step = @mlp} {
// CHECK:        cuda.gemm
// CHECK-NOT:    cuda.gemm
// CHECK-NOT:    cuda.launch
// CHECK:        cuda.return
