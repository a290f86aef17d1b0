// RUN: accrue-opt %s --split-input-file --mlir-disable-threading --test-step-calls --verify-diagnostics -o /dev/null | FileCheck %s

kernel.func @relu elementwise(%x: memref<12xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %zero = arith.constant 0.000000e+00 : f32
  scf.parallel (%i) = (%c0) to (%c12) step (%c1) {
    %0 = memref.load %x[%i] : memref<12xf32>
    %1 = arith.maximumf %0, %zero : f32
    memref.store %1, %x[%i] : memref<12xf32>
    scf.reduce
  }
  kernel.return
} loc("model.acr":7:3)

// Two launches of one kernel are one entry, and so are products of one form;
// the one that adds is another.
//
// CHECK:      kernel relu: 5 calls of 96 bytes, 12 flops, from model.acr:7
// CHECK-NEXT: module {
// CHECK-NEXT:   kernel.func @relu
// CHECK:        func.func @step(%[[ARENA:.*]]: memref<192xi8>
// CHECK-NEXT:     %[[BUFFER:.*]] = kernel.buffer "x" of %[[ARENA]] at 0
// CHECK-NEXT:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT:     %[[C3:.*]] = arith.constant 3 : index
// CHECK-NEXT:     scf.for %{{.*}} = %[[C0]] to %[[C3]] step %[[C1]] {
// CHECK-NEXT:       kernel.launch @relu(%[[BUFFER]])
// CHECK-NEXT:     }
// CHECK-NEXT:     return
//
// CHECK:      matmul matmul_nt_3x4x2: 8 calls of 104 bytes, 48 flops, from model.acr:5, model.acr:6
// CHECK-NOT:    kernel.func
//
// The counter is that of the second iteration.
// CHECK:      matmul matmul_tn_4x2x3_add: 4 calls of 136 bytes, 48 flops, from model.acr:5
// CHECK-NOT:    kernel.launch
// CHECK:        %[[NEXT:.*]] = arith.addi %[[FROM:[^,]*]], %{{.*}} : index
// CHECK-NEXT:   %[[FIRST:.*]] = arith.cmpi eq, %[[NEXT]], %[[FROM]] : index
// CHECK:        %[[BETA:.*]] = arith.select %[[FIRST]]
// CHECK:        scf.for
// CHECK-NEXT:     kernel.gemm %{{.*}} transpose_a, %{{.*}} beta %[[BETA]]
func.func @step(%activations: memref<192xi8> {kernel.arena = #kernel.arena<activations>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.000000e+00 : f32
  %one = arith.constant 1.000000e+00 : f32
  %x = kernel.buffer "x" of %activations at 0 : memref<192xi8> to memref<12xf32>
  %c = kernel.buffer "c" of %activations at 0 : memref<192xi8> to memref<3x4xf32>
  %a = kernel.buffer "a" of %activations at 64 : memref<192xi8> to memref<3x2xf32>
  %b = kernel.buffer "b" of %activations at 128 : memref<192xi8> to memref<4x2xf32>
  kernel.launch @relu(%x) : memref<12xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    kernel.gemm %a, %b transpose_b alpha %one beta %zero outs(%c) : memref<3x2xf32>, memref<4x2xf32>, f32, memref<3x4xf32> loc("model.acr":5:3)
    kernel.launch @relu(%x) : memref<12xf32>
    kernel.gemm %a, %b transpose_b alpha %one beta %zero outs(%c) : memref<3x2xf32>, memref<4x2xf32>, f32, memref<3x4xf32> loc("model.acr":6:3)
    %first = arith.cmpi eq, %i, %c0 : index
    %beta = arith.select %first, %zero, %one : f32
    kernel.gemm %c transpose_a, %a alpha %one beta %beta outs(%b) : memref<3x4xf32>, memref<3x2xf32>, f32, memref<4x2xf32> loc("model.acr":5:3)
  }
  return
}

// -----

kernel.func @nothing elementwise() {
  kernel.return
}

func.func @unknown_count(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{expected a loop with a constant number of iterations}}
  scf.for %i = %c0 to %n step %c1 {
    kernel.launch @nothing()
  }
  return
}
