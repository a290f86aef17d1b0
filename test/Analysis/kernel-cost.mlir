// RUN: accrue-opt %s --mlir-disable-threading --test-kernel-cost -o /dev/null | FileCheck %s

// Reads 4 x 8 and 8 elements, writes 4 x 8; a sum and a maximum each.
// CHECK: elementwise: 288 bytes, 64 flops
kernel.func @elementwise elementwise(%x: memref<4x8xf32>, %b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.000000e+00 : f32
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c8) step (%c1, %c1) {
    %0 = memref.load %x[%i, %j] : memref<4x8xf32>
    %1 = memref.load %b[%j] : memref<8xf32>
    %2 = arith.addf %0, %1 : f32
    %3 = arith.maximumf %2, %zero : f32
    memref.store %3, %x[%i, %j] : memref<4x8xf32>
    scf.reduce
  }
  kernel.return
}

// A row is read twice from the cache. Per element a sum, then two operations;
// per row a function. Selections and comparisons do not count.
// CHECK: rows: 320 bytes, 104 flops
kernel.func @rows rows(%x: memref<4x8xf64>, %y: memref<4xf64>, %ok: memref<4x8xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.000000e+00 : f64
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %0 = scf.parallel (%j) = (%c0) to (%c8) step (%c1) init (%zero) -> f64 {
      %2 = memref.load %x[%i, %j] : memref<4x8xf64>
      scf.reduce(%2 : f64) {
      ^bb0(%a: f64, %b: f64):
        %3 = arith.addf %a, %b : f64
        scf.reduce.return %3 : f64
      }
    }
    %1 = math.sqrt %0 : f64
    %4 = arith.addf %1, %1 : f64
    memref.store %4, %y[%i] : memref<4xf64>
    scf.parallel (%j) = (%c0) to (%c8) step (%c1) {
      %2 = memref.load %x[%i, %j] : memref<4x8xf64>
      %3 = math.fma %2, %2, %2 : f64
      %5 = arith.cmpf ogt, %3, %zero : f64
      memref.store %5, %ok[%i, %j] : memref<4x8xi1>
      scf.reduce
    }
    scf.reduce
  }
  kernel.return
}

// 4 of 1000 rows of the table are read.
// CHECK: lookup: 272 bytes, 0 flops
kernel.func @lookup elementwise(%table: memref<1000x8xf32>, %index: memref<4xi32>, %y: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c8) step (%c1, %c1) {
    %0 = memref.load %index[%i] : memref<4xi32>
    %1 = arith.index_cast %0 : i32 to index
    %2 = memref.load %table[%1, %j] : memref<1000x8xf32>
    memref.store %2, %y[%i, %j] : memref<4x8xf32>
    scf.reduce
  }
  kernel.return
}

// The pieces of a flat array: bounds that are not constant.
// CHECK: pieces: 408 bytes, 200 flops
kernel.func @pieces rows(%x: memref<100xf32>, %y: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c50 = arith.constant 50 : index
  %zero = arith.constant 0.000000e+00 : f32
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    %0 = arith.muli %i, %c50 : index
    %1 = arith.addi %0, %c50 : index
    %2 = scf.parallel (%j) = (%0) to (%1) step (%c1) init (%zero) -> f32 {
      %3 = memref.load %x[%j] : memref<100xf32>
      %4 = arith.mulf %3, %3 : f32
      scf.reduce(%4 : f32) {
      ^bb0(%a: f32, %b: f32):
        %5 = arith.addf %a, %b : f32
        scf.reduce.return %5 : f32
      }
    }
    memref.store %2, %y[%i] : memref<2xf32>
    scf.reduce
  }
  kernel.return
}

func.func @step(%params: memref<128xi8>, %gradients: memref<128xi8>, %m: memref<128xi8>, %a: memref<3x5xf32>, %b: memref<4x5xf32>, %c: memref<3x4xf32>, %t: memref<i64>, %factor: memref<f32>, %finite: memref<i1>, %beta: f32) {
  %one = arith.constant 1.000000e+00 : f32
  %zero = arith.constant 0.000000e+00 : f32
  // CHECK: kernel.gemm: 188 bytes, 120 flops
  kernel.gemm %a, %b transpose_b alpha %one beta %zero outs(%c) : memref<3x5xf32>, memref<4x5xf32>, f32, memref<3x4xf32>
  // CHECK: kernel.gemm: 236 bytes, 120 flops
  kernel.gemm %a, %b transpose_b alpha %one beta %beta outs(%c) : memref<3x5xf32>, memref<4x5xf32>, f32, memref<3x4xf32>
  %0 = kernel.buffer "parameters" of %params at 0 : memref<128xi8> to memref<32xf32>
  %1 = kernel.buffer "gradients" of %gradients at 0 : memref<128xi8> to memref<32xf32>
  %2 = kernel.buffer "m" of %m at 0 : memref<128xi8> to memref<32xf32>
  // Three of the 20 elements' operations, none of those on scalars; two for
  // the other 10, which have no slot.
  // CHECK: kernel.flat_update: 520 bytes, 80 flops
  kernel.flat_update params(%0 : memref<32xf32>) gradients(%1 : memref<32xf32>) slots(%2 : memref<32xf32>)
      completed %t factor %factor if %finite
      ranges [#kernel.range<"w" at 0 count 20 rule 0>, #kernel.range<"b" at 20 count 10 rule 1>]
      : memref<i64>, memref<f32>, memref<i1> {
  ^bb0(%p: f32, %g: f32, %s: f32, %step: i64, %f: f32):
    %rate = arith.mulf %f, %f : f32
    %3 = arith.addf %s, %g : f32
    %4 = arith.mulf %3, %rate : f32
    %5 = arith.subf %p, %4 : f32
    kernel.yield %5, %3 : f32, f32
  }, {
  ^bb0(%p: f32, %g: f32, %step: i64, %f: f32):
    %3 = arith.mulf %g, %f : f32
    %4 = arith.subf %p, %3 : f32
    kernel.yield %4 : f32
  }
  return
}
