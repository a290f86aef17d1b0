// RUN: accrue-opt %s --verify-roundtrip | FileCheck %s
// RUN: accrue-opt %s --verify-roundtrip --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// The planned level, by hand: one training step of a small classifier
//   h = relu(x @ w1.T + b1);  logits = h @ w2.T + b2;  loss = mean(cross_entropy)
// with 3 features, 5 hidden units, 2 classes and AdamW with a global-norm clip,
// on a logical batch of 10 samples = 2 x 4 + a tail of 2 (weights 4/10, 2/10).
// Everything a target has to translate occurs here.

// GENERIC: "kernel.func"

//===-- Kernels ------------------------------------------------------------===//

// elementwise: one scf.parallel, independent iterations. %x is read and written
// in place; two memref arguments never overlap.
// CHECK-LABEL: kernel.func @fc1_bias_relu_4 elementwise(
kernel.func @fc1_bias_relu_4 elementwise(%x: memref<4x5xf32> {kernel.name = "h"}, %b: memref<5xf32> {kernel.name = "fc1.bias"}) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c5) step (%c1, %c1) {
    %0 = memref.load %x[%i, %j] : memref<4x5xf32>
    %1 = memref.load %b[%j] : memref<5xf32>
    %2 = arith.addf %0, %1 : f32
    %3 = arith.maximumf %2, %zero : f32
    memref.store %3, %x[%i, %j] : memref<4x5xf32>
    scf.reduce
  }
  kernel.return
}

// elementwise. Neither operand aliases the other.
kernel.func @fc2_bias_4 elementwise(%x: memref<4x2xf32> {kernel.name = "logits"}, %b: memref<2xf32> {kernel.name = "fc2.bias"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4_n = arith.constant 4 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4_n, %c2) step (%c1, %c1) {
    %0 = memref.load %x[%i, %j] : memref<4x2xf32>
    %1 = memref.load %b[%j] : memref<2xf32>
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %x[%i, %j] : memref<4x2xf32>
    scf.reduce
  }
  kernel.return
}

// rows: the outer scf.parallel enumerates rows; the inner ones run along the
// row, one after the other: reductions (scf.reduce with a result) and maps.
// Scalars of the row (%max, %sum, %pick) live in SSA values.
// CHECK-LABEL: kernel.func @cross_entropy_4 rows(
kernel.func @cross_entropy_4 rows(%logits: memref<4x2xf32> {kernel.name = "logits"}, %label: memref<4xi32> {kernel.name = "label"}, %loss: memref<4xf32> {kernel.name = "loss"}) {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4_n = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4_n) step (%c1) {
    %max = scf.parallel (%j) = (%c0) to (%c2) step (%c1) init (%lowest) -> f32 {
      %0 = memref.load %logits[%i, %j] : memref<4x2xf32>
      scf.reduce(%0 : f32) {
      ^bb0(%a: f32, %b: f32):
        %1 = arith.maximumf %a, %b : f32
        scf.reduce.return %1 : f32
      }
    }
    %sum = scf.parallel (%j) = (%c0) to (%c2) step (%c1) init (%zero) -> f32 {
      %0 = memref.load %logits[%i, %j] : memref<4x2xf32>
      %1 = arith.subf %0, %max : f32
      %2 = math.exp %1 : f32
      scf.reduce(%2 : f32) {
      ^bb0(%a: f32, %b: f32):
        %3 = arith.addf %a, %b : f32
        scf.reduce.return %3 : f32
      }
    }
    %l = memref.load %label[%i] : memref<4xi32>
    %k = arith.index_cast %l : i32 to index
    %pick = memref.load %logits[%i, %k] : memref<4x2xf32>
    %log = math.log %sum : f32
    %lse = arith.addf %log, %max : f32
    %r = arith.subf %lse, %pick : f32
    memref.store %r, %loss[%i] : memref<4xf32>
    scf.reduce
  }
  kernel.return
}

// rows with a map along the row. %logits is overwritten by its cotangent: each
// row is read before it is written. %weight, the same for all rows, is loaded
// before the loop.
kernel.func @cross_entropy_grad_4 rows(%logits: memref<4x2xf32> {kernel.name = "logits"}, %label: memref<4xi32> {kernel.name = "label"}) {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  // The weight 4/10 of the micro-batch, divided by its 4 samples.
  %weight = arith.constant 0.1 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4_n = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4_n) step (%c1) {
    %max = scf.parallel (%j) = (%c0) to (%c2) step (%c1) init (%lowest) -> f32 {
      %0 = memref.load %logits[%i, %j] : memref<4x2xf32>
      scf.reduce(%0 : f32) {
      ^bb0(%a: f32, %b: f32):
        %1 = arith.maximumf %a, %b : f32
        scf.reduce.return %1 : f32
      }
    }
    %sum = scf.parallel (%j) = (%c0) to (%c2) step (%c1) init (%zero) -> f32 {
      %0 = memref.load %logits[%i, %j] : memref<4x2xf32>
      %1 = arith.subf %0, %max : f32
      %2 = math.exp %1 : f32
      scf.reduce(%2 : f32) {
      ^bb0(%a: f32, %b: f32):
        %3 = arith.addf %a, %b : f32
        scf.reduce.return %3 : f32
      }
    }
    %l = memref.load %label[%i] : memref<4xi32>
    %k = arith.index_cast %l : i32 to index
    scf.parallel (%j) = (%c0) to (%c2) step (%c1) {
      %0 = memref.load %logits[%i, %j] : memref<4x2xf32>
      %1 = arith.subf %0, %max : f32
      %2 = math.exp %1 : f32
      %3 = arith.divf %2, %sum : f32
      %4 = arith.cmpi eq, %j, %k : index
      %5 = arith.select %4, %one, %zero : f32
      %6 = arith.subf %3, %5 : f32
      %7 = arith.mulf %6, %weight : f32
      memref.store %7, %logits[%i, %j] : memref<4x2xf32>
      scf.reduce
    }
    scf.reduce
  }
  kernel.return
}

// rows with a single row: no outer loop. %first is a scalar passed by value: in
// the first iteration the contribution overwrites the accumulator %acc, later
// it is added.
kernel.func @loss_mean_4 rows(%first: i1, %loss: memref<4xf32> {kernel.name = "loss"}, %acc: memref<f32> {kernel.name = "loss"}) {
  %zero = arith.constant 0.0 : f32
  %weight = arith.constant 0.1 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4_n = arith.constant 4 : index
  %sum = scf.parallel (%j) = (%c0) to (%c4_n) step (%c1) init (%zero) -> f32 {
    %0 = memref.load %loss[%j] : memref<4xf32>
    scf.reduce(%0 : f32) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %a, %b : f32
      scf.reduce.return %1 : f32
    }
  }
  %mean = arith.mulf %sum, %weight : f32
  %old = memref.load %acc[] : memref<f32>
  %added = arith.addf %old, %mean : f32
  %new = arith.select %first, %mean, %added : f32
  memref.store %new, %acc[] : memref<f32>
  kernel.return
}

// columns: the outer scf.parallel enumerates elements of the result, the last
// dimension is contiguous in memory; reductions inside are strided. Large
// reductions come as two such kernels: [rows, columns] -> [chunks, columns] ->
// [columns], with a number of chunks that does not depend on the machine.
// CHECK-LABEL: kernel.func @fc2_bias_grad_4 columns(
kernel.func @fc2_bias_grad_4 columns(%first: i1, %g: memref<4x2xf32> {kernel.name = "logits"}, %acc: memref<2xf32> {kernel.name = "fc2.bias"}) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4_n = arith.constant 4 : index
  scf.parallel (%j) = (%c0) to (%c2) step (%c1) {
    %sum = scf.parallel (%i) = (%c0) to (%c4_n) step (%c1) init (%zero) -> f32 {
      %0 = memref.load %g[%i, %j] : memref<4x2xf32>
      scf.reduce(%0 : f32) {
      ^bb0(%a: f32, %b: f32):
        %1 = arith.addf %a, %b : f32
        scf.reduce.return %1 : f32
      }
    }
    %old = memref.load %acc[%j] : memref<2xf32>
    %added = arith.addf %old, %sum : f32
    %new = arith.select %first, %sum, %added : f32
    memref.store %new, %acc[%j] : memref<2xf32>
    scf.reduce
  }
  kernel.return
}

kernel.func @fc1_bias_grad_4 columns(%first: i1, %g: memref<4x5xf32> {kernel.name = "dh"}, %acc: memref<5xf32> {kernel.name = "fc1.bias"}) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c4_n = arith.constant 4 : index
  scf.parallel (%j) = (%c0) to (%c5) step (%c1) {
    %sum = scf.parallel (%i) = (%c0) to (%c4_n) step (%c1) init (%zero) -> f32 {
      %0 = memref.load %g[%i, %j] : memref<4x5xf32>
      scf.reduce(%0 : f32) {
      ^bb0(%a: f32, %b: f32):
        %1 = arith.addf %a, %b : f32
        scf.reduce.return %1 : f32
      }
    }
    %old = memref.load %acc[%j] : memref<5xf32>
    %added = arith.addf %old, %sum : f32
    %new = arith.select %first, %sum, %added : f32
    memref.store %new, %acc[%j] : memref<5xf32>
    scf.reduce
  }
  kernel.return
}

kernel.func @relu_grad_4 elementwise(%h: memref<4x5xf32> {kernel.name = "h"}, %dh: memref<4x5xf32> {kernel.name = "dh"}) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c4_n = arith.constant 4 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4_n, %c5) step (%c1, %c1) {
    %0 = memref.load %h[%i, %j] : memref<4x5xf32>
    %1 = memref.load %dh[%i, %j] : memref<4x5xf32>
    %2 = arith.cmpf ogt, %0, %zero : f32
    %3 = arith.select %2, %1, %zero : f32
    memref.store %3, %dh[%i, %j] : memref<4x5xf32>
    scf.reduce
  }
  kernel.return
}

// The same kernels for the tail of 2 samples.

kernel.func @fc1_bias_relu_2 elementwise(%x: memref<2x5xf32> {kernel.name = "h"}, %b: memref<5xf32> {kernel.name = "fc1.bias"}) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c5) step (%c1, %c1) {
    %0 = memref.load %x[%i, %j] : memref<2x5xf32>
    %1 = memref.load %b[%j] : memref<5xf32>
    %2 = arith.addf %0, %1 : f32
    %3 = arith.maximumf %2, %zero : f32
    memref.store %3, %x[%i, %j] : memref<2x5xf32>
    scf.reduce
  }
  kernel.return
}

kernel.func @fc2_bias_2 elementwise(%x: memref<2x2xf32> {kernel.name = "logits"}, %b: memref<2xf32> {kernel.name = "fc2.bias"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c2_n = arith.constant 2 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c2_n, %c2) step (%c1, %c1) {
    %0 = memref.load %x[%i, %j] : memref<2x2xf32>
    %1 = memref.load %b[%j] : memref<2xf32>
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %x[%i, %j] : memref<2x2xf32>
    scf.reduce
  }
  kernel.return
}

kernel.func @cross_entropy_2 rows(%logits: memref<2x2xf32> {kernel.name = "logits"}, %label: memref<2xi32> {kernel.name = "label"}, %loss: memref<2xf32> {kernel.name = "loss"}) {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c2_n = arith.constant 2 : index
  scf.parallel (%i) = (%c0) to (%c2_n) step (%c1) {
    %max = scf.parallel (%j) = (%c0) to (%c2) step (%c1) init (%lowest) -> f32 {
      %0 = memref.load %logits[%i, %j] : memref<2x2xf32>
      scf.reduce(%0 : f32) {
      ^bb0(%a: f32, %b: f32):
        %1 = arith.maximumf %a, %b : f32
        scf.reduce.return %1 : f32
      }
    }
    %sum = scf.parallel (%j) = (%c0) to (%c2) step (%c1) init (%zero) -> f32 {
      %0 = memref.load %logits[%i, %j] : memref<2x2xf32>
      %1 = arith.subf %0, %max : f32
      %2 = math.exp %1 : f32
      scf.reduce(%2 : f32) {
      ^bb0(%a: f32, %b: f32):
        %3 = arith.addf %a, %b : f32
        scf.reduce.return %3 : f32
      }
    }
    %l = memref.load %label[%i] : memref<2xi32>
    %k = arith.index_cast %l : i32 to index
    %pick = memref.load %logits[%i, %k] : memref<2x2xf32>
    %log = math.log %sum : f32
    %lse = arith.addf %log, %max : f32
    %r = arith.subf %lse, %pick : f32
    memref.store %r, %loss[%i] : memref<2xf32>
    scf.reduce
  }
  kernel.return
}

kernel.func @cross_entropy_grad_2 rows(%logits: memref<2x2xf32> {kernel.name = "logits"}, %label: memref<2xi32> {kernel.name = "label"}) {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  // The weight 2/10 of the micro-batch, divided by its 2 samples.
  %weight = arith.constant 0.1 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c2_n = arith.constant 2 : index
  scf.parallel (%i) = (%c0) to (%c2_n) step (%c1) {
    %max = scf.parallel (%j) = (%c0) to (%c2) step (%c1) init (%lowest) -> f32 {
      %0 = memref.load %logits[%i, %j] : memref<2x2xf32>
      scf.reduce(%0 : f32) {
      ^bb0(%a: f32, %b: f32):
        %1 = arith.maximumf %a, %b : f32
        scf.reduce.return %1 : f32
      }
    }
    %sum = scf.parallel (%j) = (%c0) to (%c2) step (%c1) init (%zero) -> f32 {
      %0 = memref.load %logits[%i, %j] : memref<2x2xf32>
      %1 = arith.subf %0, %max : f32
      %2 = math.exp %1 : f32
      scf.reduce(%2 : f32) {
      ^bb0(%a: f32, %b: f32):
        %3 = arith.addf %a, %b : f32
        scf.reduce.return %3 : f32
      }
    }
    %l = memref.load %label[%i] : memref<2xi32>
    %k = arith.index_cast %l : i32 to index
    scf.parallel (%j) = (%c0) to (%c2) step (%c1) {
      %0 = memref.load %logits[%i, %j] : memref<2x2xf32>
      %1 = arith.subf %0, %max : f32
      %2 = math.exp %1 : f32
      %3 = arith.divf %2, %sum : f32
      %4 = arith.cmpi eq, %j, %k : index
      %5 = arith.select %4, %one, %zero : f32
      %6 = arith.subf %3, %5 : f32
      %7 = arith.mulf %6, %weight : f32
      memref.store %7, %logits[%i, %j] : memref<2x2xf32>
      scf.reduce
    }
    scf.reduce
  }
  kernel.return
}

kernel.func @loss_mean_2 rows(%first: i1, %loss: memref<2xf32> {kernel.name = "loss"}, %acc: memref<f32> {kernel.name = "loss"}) {
  %zero = arith.constant 0.0 : f32
  %weight = arith.constant 0.1 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2_n = arith.constant 2 : index
  %sum = scf.parallel (%j) = (%c0) to (%c2_n) step (%c1) init (%zero) -> f32 {
    %0 = memref.load %loss[%j] : memref<2xf32>
    scf.reduce(%0 : f32) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %a, %b : f32
      scf.reduce.return %1 : f32
    }
  }
  %mean = arith.mulf %sum, %weight : f32
  %old = memref.load %acc[] : memref<f32>
  %added = arith.addf %old, %mean : f32
  %new = arith.select %first, %mean, %added : f32
  memref.store %new, %acc[] : memref<f32>
  kernel.return
}

kernel.func @fc2_bias_grad_2 columns(%first: i1, %g: memref<2x2xf32> {kernel.name = "logits"}, %acc: memref<2xf32> {kernel.name = "fc2.bias"}) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c2_n = arith.constant 2 : index
  scf.parallel (%j) = (%c0) to (%c2) step (%c1) {
    %sum = scf.parallel (%i) = (%c0) to (%c2_n) step (%c1) init (%zero) -> f32 {
      %0 = memref.load %g[%i, %j] : memref<2x2xf32>
      scf.reduce(%0 : f32) {
      ^bb0(%a: f32, %b: f32):
        %1 = arith.addf %a, %b : f32
        scf.reduce.return %1 : f32
      }
    }
    %old = memref.load %acc[%j] : memref<2xf32>
    %added = arith.addf %old, %sum : f32
    %new = arith.select %first, %sum, %added : f32
    memref.store %new, %acc[%j] : memref<2xf32>
    scf.reduce
  }
  kernel.return
}

kernel.func @fc1_bias_grad_2 columns(%first: i1, %g: memref<2x5xf32> {kernel.name = "dh"}, %acc: memref<5xf32> {kernel.name = "fc1.bias"}) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c2_n = arith.constant 2 : index
  scf.parallel (%j) = (%c0) to (%c5) step (%c1) {
    %sum = scf.parallel (%i) = (%c0) to (%c2_n) step (%c1) init (%zero) -> f32 {
      %0 = memref.load %g[%i, %j] : memref<2x5xf32>
      scf.reduce(%0 : f32) {
      ^bb0(%a: f32, %b: f32):
        %1 = arith.addf %a, %b : f32
        scf.reduce.return %1 : f32
      }
    }
    %old = memref.load %acc[%j] : memref<5xf32>
    %added = arith.addf %old, %sum : f32
    %new = arith.select %first, %sum, %added : f32
    memref.store %new, %acc[%j] : memref<5xf32>
    scf.reduce
  }
  kernel.return
}

kernel.func @relu_grad_2 elementwise(%h: memref<2x5xf32> {kernel.name = "h"}, %dh: memref<2x5xf32> {kernel.name = "dh"}) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c2_n = arith.constant 2 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c2_n, %c5) step (%c1, %c1) {
    %0 = memref.load %h[%i, %j] : memref<2x5xf32>
    %1 = memref.load %dh[%i, %j] : memref<2x5xf32>
    %2 = arith.cmpf ogt, %0, %zero : f32
    %3 = arith.select %2, %1, %zero : f32
    memref.store %3, %dh[%i, %j] : memref<2x5xf32>
    scf.reduce
  }
  kernel.return
}

// The squared norm of the gradients: rows of a flat array; %hi is not constant.
kernel.func @norm_partials rows(%g: memref<50xf32> {kernel.name = "gradients"}, %partials: memref<2xf32> {kernel.name = "partials"}) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c50 = arith.constant 50 : index
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    %lo = arith.muli %i, %c32 : index
    %end = arith.addi %lo, %c32 : index
    %hi = arith.minui %end, %c50 : index
    %sum = scf.parallel (%j) = (%lo) to (%hi) step (%c1) init (%zero) -> f32 {
      %0 = memref.load %g[%j] : memref<50xf32>
      %1 = arith.mulf %0, %0 : f32
      scf.reduce(%1 : f32) {
      ^bb0(%a: f32, %b: f32):
        %2 = arith.addf %a, %b : f32
        scf.reduce.return %2 : f32
      }
    }
    memref.store %sum, %partials[%i] : memref<2xf32>
    scf.reduce
  }
  kernel.return
}

kernel.func @norm rows(%partials: memref<2xf32> {kernel.name = "partials"}, %norm: memref<f32> {kernel.name = "norm"}) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %sum = scf.parallel (%j) = (%c0) to (%c2) step (%c1) init (%zero) -> f32 {
    %0 = memref.load %partials[%j] : memref<2xf32>
    scf.reduce(%0 : f32) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %a, %b : f32
      scf.reduce.return %1 : f32
    }
  }
  %root = math.sqrt %sum : f32
  memref.store %root, %norm[] : memref<f32>
  kernel.return
}

// elementwise on scalars: no loop. i1 buffers take one byte per element, 0 or 1.
// CHECK-LABEL: kernel.func @all_finite elementwise(
kernel.func @all_finite elementwise(%norm: memref<f32> {kernel.name = "norm"}, %finite: memref<i1> {kernel.name = "finite"}) {
  %zero = arith.constant 0.0 : f32
  %0 = memref.load %norm[] : memref<f32>
  %1 = arith.subf %0, %0 : f32
  %2 = arith.cmpf oeq, %1, %zero : f32
  memref.store %2, %finite[] : memref<i1>
  kernel.return
}

kernel.func @schedule elementwise(%completed: memref<i64> {kernel.name = "step"}, %factor: memref<f32> {kernel.name = "factor"}) {
  %warmup = arith.constant 20.0 : f32
  %one = arith.constant 1.0 : f32
  %0 = memref.load %completed[] : memref<i64>
  %1 = arith.sitofp %0 : i64 to f32
  %2 = arith.addf %1, %one : f32
  %3 = arith.divf %2, %warmup : f32
  %4 = arith.minimumf %3, %one : f32
  memref.store %4, %factor[] : memref<f32>
  kernel.return
}

kernel.func @advance elementwise(%finite: memref<i1> {kernel.name = "finite"}, %step: memref<i64> {kernel.name = "step"}) {
  %one = arith.constant 1 : i64
  %0 = memref.load %finite[] : memref<i1>
  %1 = memref.load %step[] : memref<i64>
  %2 = arith.addi %1, %one : i64
  %3 = arith.select %0, %2, %1 : i64
  memref.store %3, %step[] : memref<i64>
  kernel.return
}

//===-- The step -----------------------------------------------------------===//

// One argument per arena. A target allocates each with the plan's bytes, zeroed,
// aligned to 64, and calls the function once per logical batch. Nothing else is
// ever allocated. Buffers of the activations arena share bytes where their lives
// do not meet. Parameters, gradients and every moment have equal offsets.
// CHECK-LABEL: func.func @mlp(
// CHECK-SAME: memref<200xi8> {kernel.arena = #kernel.arena<params>}
func.func @mlp(
    %params: memref<200xi8> {kernel.arena = #kernel.arena<params>},
    %gradients: memref<200xi8> {kernel.arena = #kernel.arena<gradients>},
    %slots: memref<456xi8> {kernel.arena = #kernel.arena<slots>},
    %state: memref<8xi8> {kernel.arena = #kernel.arena<state>},
    %inputs: memref<80xi8> {kernel.arena = #kernel.arena<inputs>},
    %activations: memref<336xi8> {kernel.arena = #kernel.arena<activations>},
    %outputs: memref<129xi8> {kernel.arena = #kernel.arena<outputs>})
    attributes {train.batch = 10 : i64,
      // Every buffer: name, place, the tensor that it stores, first and last use, and
      // what the model says of it. Then the batch inputs, numbered.
      // CHECK: kernel.plan = #kernel.plan<
      // CHECK-SAME: <params bytes 200 used 168>
      // CHECK-SAME: <"fc1.weight" in params at 0 bytes 60 : tensor<5x3xf32> live 0 to 46 with {train.init = #train.uniform<5.000000e-01>
      // CHECK-SAME: <0 "x" : tensor<10x3xf32> dim 0>
      kernel.plan = #kernel.plan<
        arenas = [<params bytes 200 used 168>, <gradients bytes 200 used 168>, <slots bytes 456 used 336>,
                  <state bytes 8 used 8>, <inputs bytes 80 used 64>, <activations bytes 336 used 312>, <outputs bytes 129 used 9>],
        buffers = [
          <"fc1.weight" in params at 0 bytes 60 : tensor<5x3xf32> live 0 to 46 with {train.init = #train.uniform<0.5>, train.role = #train.role<param>}>,
          <"fc1.bias" in params at 64 bytes 20 : tensor<5xf32> live 0 to 46 with {train.init = #train.uniform<0.5>, train.role = #train.role<param>}>,
          <"fc2.weight" in params at 128 bytes 40 : tensor<2x5xf32> live 0 to 46 with {train.init = #train.uniform<0.5>, train.role = #train.role<param>}>,
          <"fc2.bias" in params at 192 bytes 8 : tensor<2xf32> live 0 to 46 with {train.init = #train.uniform<0.5>, train.role = #train.role<param>}>,
          <"fc1.weight" in gradients at 0 bytes 60 : tensor<5x3xf32> live 0 to 46>,
          <"fc1.bias" in gradients at 64 bytes 20 : tensor<5xf32> live 0 to 46>,
          <"fc2.weight" in gradients at 128 bytes 40 : tensor<2x5xf32> live 0 to 46>,
          <"fc2.bias" in gradients at 192 bytes 8 : tensor<2xf32> live 0 to 46>,
          <"fc1.weight" in slots at 0 bytes 60 : tensor<5x3xf32> live 0 to 46 with {train.role = #train.role<state>, train.slot = "m"}>,
          <"fc1.bias" in slots at 64 bytes 20 : tensor<5xf32> live 0 to 46 with {train.role = #train.role<state>, train.slot = "m"}>,
          <"fc2.weight" in slots at 128 bytes 40 : tensor<2x5xf32> live 0 to 46 with {train.role = #train.role<state>, train.slot = "m"}>,
          <"fc2.bias" in slots at 192 bytes 8 : tensor<2xf32> live 0 to 46 with {train.role = #train.role<state>, train.slot = "m"}>,
          <"fc1.weight" in slots at 256 bytes 60 : tensor<5x3xf32> live 0 to 46 with {train.role = #train.role<state>, train.slot = "v"}>,
          <"fc1.bias" in slots at 320 bytes 20 : tensor<5xf32> live 0 to 46 with {train.role = #train.role<state>, train.slot = "v"}>,
          <"fc2.weight" in slots at 384 bytes 40 : tensor<2x5xf32> live 0 to 46 with {train.role = #train.role<state>, train.slot = "v"}>,
          <"fc2.bias" in slots at 448 bytes 8 : tensor<2xf32> live 0 to 46 with {train.role = #train.role<state>, train.slot = "v"}>,
          <"step" in state at 0 bytes 8 : tensor<i64> live 0 to 46 with {train.role = #train.role<state>}>,
          <"x" in inputs at 0 bytes 48 : tensor<4x3xf32> live 1 to 20>,
          <"label" in inputs at 64 bytes 16 : tensor<4xi32> live 2 to 20>,
          <"loss" in outputs at 0 bytes 4 : tensor<f32> live 0 to 46 with {train.result = #train.result<loss>}>,
          <"grad_norm" in outputs at 64 bytes 4 : tensor<f32> live 40 to 46 with {train.result = #train.result<norm>}>,
          <"finite" in outputs at 128 bytes 1 : tensor<i1> live 41 to 46 with {train.result = #train.result<finite>}>],
        inputs = [<0 "x" : tensor<10x3xf32> dim 0>, <1 "label" : tensor<10xi32> dim 0>]>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %false = arith.constant false
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  // CHECK: kernel.buffer "fc1.weight" of %{{.*}} at 0 : memref<200xi8> to memref<5x3xf32>
  %w1 = kernel.buffer "fc1.weight" of %params at 0 : memref<200xi8> to memref<5x3xf32>
  %b1 = kernel.buffer "fc1.bias" of %params at 64 : memref<200xi8> to memref<5xf32>
  %w2 = kernel.buffer "fc2.weight" of %params at 128 : memref<200xi8> to memref<2x5xf32>
  %b2 = kernel.buffer "fc2.bias" of %params at 192 : memref<200xi8> to memref<2xf32>
  %gw1 = kernel.buffer "fc1.weight" of %gradients at 0 : memref<200xi8> to memref<5x3xf32>
  %gb1 = kernel.buffer "fc1.bias" of %gradients at 64 : memref<200xi8> to memref<5xf32>
  %gw2 = kernel.buffer "fc2.weight" of %gradients at 128 : memref<200xi8> to memref<2x5xf32>
  %gb2 = kernel.buffer "fc2.bias" of %gradients at 192 : memref<200xi8> to memref<2xf32>
  %step = kernel.buffer "step" of %state at 0 : memref<8xi8> to memref<i64>
  %loss = kernel.buffer "loss" of %outputs at 0 : memref<129xi8> to memref<f32>
  %norm = kernel.buffer "grad_norm" of %outputs at 64 : memref<129xi8> to memref<f32>
  %finite = kernel.buffer "finite" of %outputs at 128 : memref<129xi8> to memref<i1>

  // The equal micro-batches. A loop has no iter_args: accumulators are buffers,
  // overwritten in the first iteration (beta = 0) and added to later (beta = 1).
  // CHECK: scf.for
  scf.for %k = %c0 to %c2 step %c1 {
    %first = arith.cmpi eq, %k, %c0 : index
    %beta = arith.select %first, %zero, %one : f32
    %offset = arith.muli %k, %c4 : index
    // Buffers of the micro-batch.
    %x4 = kernel.buffer "x" of %inputs at 0 : memref<80xi8> to memref<4x3xf32>
    %label4 = kernel.buffer "label" of %inputs at 64 : memref<80xi8> to memref<4xi32>
    %h4 = kernel.buffer "h" of %activations at 0 : memref<336xi8> to memref<4x5xf32>
    %logits4 = kernel.buffer "logits" of %activations at 128 : memref<336xi8> to memref<4x2xf32>
    %rows4 = kernel.buffer "loss" of %activations at 192 : memref<336xi8> to memref<4xf32>
    %dh4 = kernel.buffer "dh" of %activations at 256 : memref<336xi8> to memref<4x5xf32>
    // Samples [offset, offset + 4) of the inputs: a callback on the CPU, a copy on CUDA.
    // CHECK: kernel.load_input "x" 0 at %{{.*}} size 4 of 10 <dim = 0> outs(%{{.*}} : memref<4x3xf32>)
    kernel.load_input "x" 0 at %offset size 4 of 10 #train.mapped<dim = 0> outs(%x4 : memref<4x3xf32>)
    kernel.load_input "label" 1 at %offset size 4 of 10 #train.mapped<dim = 0> outs(%label4 : memref<4xi32>)
    kernel.gemm %x4, %w1 transpose_b alpha %one beta %zero outs(%h4) : memref<4x3xf32>, memref<5x3xf32>, f32, memref<4x5xf32>
    kernel.launch @fc1_bias_relu_4(%h4, %b1) : memref<4x5xf32>, memref<5xf32>
    kernel.gemm %h4, %w2 transpose_b alpha %one beta %zero outs(%logits4) : memref<4x5xf32>, memref<2x5xf32>, f32, memref<4x2xf32>
    kernel.launch @fc2_bias_4(%logits4, %b2) : memref<4x2xf32>, memref<2xf32>
    kernel.launch @cross_entropy_4(%logits4, %label4, %rows4) : memref<4x2xf32>, memref<4xi32>, memref<4xf32>
    kernel.launch @loss_mean_4(%first, %rows4, %loss) : i1, memref<4xf32>, memref<f32>
    kernel.launch @cross_entropy_grad_4(%logits4, %label4) : memref<4x2xf32>, memref<4xi32>
    // CHECK: kernel.gemm %{{.*}} transpose_a, %{{.*}} alpha %{{.*}} beta %{{.*}} outs(%{{.*}}) : memref<4x2xf32>, memref<4x5xf32>, f32, memref<2x5xf32>
    kernel.gemm %logits4 transpose_a, %h4 alpha %one beta %beta outs(%gw2) : memref<4x2xf32>, memref<4x5xf32>, f32, memref<2x5xf32>
    kernel.launch @fc2_bias_grad_4(%first, %logits4, %gb2) : i1, memref<4x2xf32>, memref<2xf32>
    kernel.gemm %logits4, %w2 alpha %one beta %zero outs(%dh4) : memref<4x2xf32>, memref<2x5xf32>, f32, memref<4x5xf32>
    kernel.launch @relu_grad_4(%h4, %dh4) : memref<4x5xf32>, memref<4x5xf32>
    kernel.gemm %dh4 transpose_a, %x4 alpha %one beta %beta outs(%gw1) : memref<4x5xf32>, memref<4x3xf32>, f32, memref<5x3xf32>
    kernel.launch @fc1_bias_grad_4(%first, %dh4, %gb1) : i1, memref<4x5xf32>, memref<5xf32>
  }

  // The tail of 2 samples from sample 8 on: straight-line code that adds to the
  // same accumulators.
  // Buffers of the micro-batch.
  %x2 = kernel.buffer "x" of %inputs at 0 : memref<80xi8> to memref<2x3xf32>
  %label2 = kernel.buffer "label" of %inputs at 64 : memref<80xi8> to memref<2xi32>
  %h2 = kernel.buffer "h" of %activations at 0 : memref<336xi8> to memref<2x5xf32>
  %logits2 = kernel.buffer "logits" of %activations at 64 : memref<336xi8> to memref<2x2xf32>
  %rows2 = kernel.buffer "loss" of %activations at 128 : memref<336xi8> to memref<2xf32>
  %dh2 = kernel.buffer "dh" of %activations at 192 : memref<336xi8> to memref<2x5xf32>
  // Samples [offset, offset + 2) of the inputs: a callback on the CPU, a copy on CUDA.
  kernel.load_input "x" 0 at %c8 size 2 of 10 #train.mapped<dim = 0> outs(%x2 : memref<2x3xf32>)
  kernel.load_input "label" 1 at %c8 size 2 of 10 #train.mapped<dim = 0> outs(%label2 : memref<2xi32>)
  kernel.gemm %x2, %w1 transpose_b alpha %one beta %zero outs(%h2) : memref<2x3xf32>, memref<5x3xf32>, f32, memref<2x5xf32>
  kernel.launch @fc1_bias_relu_2(%h2, %b1) : memref<2x5xf32>, memref<5xf32>
  kernel.gemm %h2, %w2 transpose_b alpha %one beta %zero outs(%logits2) : memref<2x5xf32>, memref<2x5xf32>, f32, memref<2x2xf32>
  kernel.launch @fc2_bias_2(%logits2, %b2) : memref<2x2xf32>, memref<2xf32>
  kernel.launch @cross_entropy_2(%logits2, %label2, %rows2) : memref<2x2xf32>, memref<2xi32>, memref<2xf32>
  kernel.launch @loss_mean_2(%false, %rows2, %loss) : i1, memref<2xf32>, memref<f32>
  kernel.launch @cross_entropy_grad_2(%logits2, %label2) : memref<2x2xf32>, memref<2xi32>
  kernel.gemm %logits2 transpose_a, %h2 alpha %one beta %one outs(%gw2) : memref<2x2xf32>, memref<2x5xf32>, f32, memref<2x5xf32>
  kernel.launch @fc2_bias_grad_2(%false, %logits2, %gb2) : i1, memref<2x2xf32>, memref<2xf32>
  kernel.gemm %logits2, %w2 alpha %one beta %zero outs(%dh2) : memref<2x2xf32>, memref<2x5xf32>, f32, memref<2x5xf32>
  kernel.launch @relu_grad_2(%h2, %dh2) : memref<2x5xf32>, memref<2x5xf32>
  kernel.gemm %dh2 transpose_a, %x2 alpha %one beta %one outs(%gw1) : memref<2x5xf32>, memref<2x3xf32>, f32, memref<5x3xf32>
  kernel.launch @fc1_bias_grad_2(%false, %dh2, %gb1) : i1, memref<2x5xf32>, memref<5xf32>

  // After the loop: the norm of the flat gradients, the schedule's factor from
  // the counter of completed steps, one update of everything, and the counter.
  %flat_g = kernel.buffer "gradients" of %gradients at 0 : memref<200xi8> to memref<50xf32>
  %partials = kernel.buffer "partials" of %activations at 0 : memref<336xi8> to memref<2xf32>
  %factor = kernel.buffer "factor" of %activations at 64 : memref<336xi8> to memref<f32>
  kernel.launch @norm_partials(%flat_g, %partials) : memref<50xf32>, memref<2xf32>
  kernel.launch @norm(%partials, %norm) : memref<2xf32>, memref<f32>
  kernel.launch @all_finite(%norm, %finite) : memref<f32>, memref<i1>
  kernel.launch @schedule(%step, %factor) : memref<i64>, memref<f32>
  %flat_p = kernel.buffer "params" of %params at 0 : memref<200xi8> to memref<50xf32>
  %flat_m = kernel.buffer "m" of %slots at 0 : memref<456xi8> to memref<50xf32>
  %flat_v = kernel.buffer "v" of %slots at 256 : memref<456xi8> to memref<50xf32>
  // Two rules: weights decay, biases do not. Elements between the ranges are padding.
  // CHECK: kernel.flat_update params(%{{.*}} : memref<50xf32>)
  // CHECK-SAME: ranges [#kernel.range<"fc1.weight" at 0 count 15 rule 0>
  kernel.flat_update params(%flat_p : memref<50xf32>) gradients(%flat_g : memref<50xf32>)
      slots(%flat_m, %flat_v : memref<50xf32>, memref<50xf32>)
      completed %step factor %factor if %finite clip %norm
      ranges [#kernel.range<"fc1.weight" at 0 count 15 rule 0>, #kernel.range<"fc1.bias" at 16 count 5 rule 1>,
              #kernel.range<"fc2.weight" at 32 count 10 rule 0>, #kernel.range<"fc2.bias" at 48 count 2 rule 1>]
      : memref<i64>, memref<f32>, memref<i1>, memref<f32> {
  ^bb0(%p: f32, %g0: f32, %m: f32, %v: f32, %t0: i64, %f: f32, %n: f32):
    // Scalars of the step: learning rate, bias corrections, clip factor.
    %lr = arith.constant 1.0e-3 : f32
    %lrf = arith.mulf %lr, %f : f32
    %i1 = arith.constant 1 : i64
    %t1 = arith.addi %t0, %i1 : i64
    %t = arith.sitofp %t1 : i64 to f32
    %lb1 = arith.constant -0.105360515 : f32
    %lb2 = arith.constant -0.0010005003 : f32
    %e1 = arith.mulf %t, %lb1 : f32
    %e2 = arith.mulf %t, %lb2 : f32
    %q1 = math.exp %e1 : f32
    %q2 = math.exp %e2 : f32
    %u = arith.constant 1.0 : f32
    %k1 = arith.subf %u, %q1 : f32
    %k2 = arith.subf %u, %q2 : f32
    %max = arith.maximumf %n, %u : f32
    %clip = arith.divf %u, %max : f32
    // One element.
    %g = arith.mulf %g0, %clip : f32
    %wd = arith.constant 0.01 : f32
    %d0 = arith.mulf %lrf, %wd : f32
    %d1 = arith.mulf %d0, %p : f32
    %p0 = arith.subf %p, %d1 : f32
    %beta1 = arith.constant 0.9 : f32
    %beta1c = arith.constant 0.1 : f32
    %beta2 = arith.constant 0.999 : f32
    %beta2c = arith.constant 0.001 : f32
    %ma = arith.mulf %beta1, %m : f32
    %mb = arith.mulf %beta1c, %g : f32
    %m1 = arith.addf %ma, %mb : f32
    %gg = arith.mulf %g, %g : f32
    %va = arith.mulf %beta2, %v : f32
    %vb = arith.mulf %beta2c, %gg : f32
    %v1 = arith.addf %va, %vb : f32
    %mh = arith.divf %m1, %k1 : f32
    %vh = arith.divf %v1, %k2 : f32
    %sd = math.sqrt %vh : f32
    %eps = arith.constant 1.0e-8 : f32
    %den = arith.addf %sd, %eps : f32
    %dir = arith.divf %mh, %den : f32
    %upd = arith.mulf %lrf, %dir : f32
    %p1 = arith.subf %p0, %upd : f32
    kernel.yield %p1, %m1, %v1 : f32, f32, f32
  }, {
  ^bb0(%p: f32, %g0: f32, %m: f32, %v: f32, %t0: i64, %f: f32, %n: f32):
    // Scalars of the step: learning rate, bias corrections, clip factor.
    %lr = arith.constant 1.0e-3 : f32
    %lrf = arith.mulf %lr, %f : f32
    %i1 = arith.constant 1 : i64
    %t1 = arith.addi %t0, %i1 : i64
    %t = arith.sitofp %t1 : i64 to f32
    %lb1 = arith.constant -0.105360515 : f32
    %lb2 = arith.constant -0.0010005003 : f32
    %e1 = arith.mulf %t, %lb1 : f32
    %e2 = arith.mulf %t, %lb2 : f32
    %q1 = math.exp %e1 : f32
    %q2 = math.exp %e2 : f32
    %u = arith.constant 1.0 : f32
    %k1 = arith.subf %u, %q1 : f32
    %k2 = arith.subf %u, %q2 : f32
    %max = arith.maximumf %n, %u : f32
    %clip = arith.divf %u, %max : f32
    // One element.
    %g = arith.mulf %g0, %clip : f32
    %beta1 = arith.constant 0.9 : f32
    %beta1c = arith.constant 0.1 : f32
    %beta2 = arith.constant 0.999 : f32
    %beta2c = arith.constant 0.001 : f32
    %ma = arith.mulf %beta1, %m : f32
    %mb = arith.mulf %beta1c, %g : f32
    %m1 = arith.addf %ma, %mb : f32
    %gg = arith.mulf %g, %g : f32
    %va = arith.mulf %beta2, %v : f32
    %vb = arith.mulf %beta2c, %gg : f32
    %v1 = arith.addf %va, %vb : f32
    %mh = arith.divf %m1, %k1 : f32
    %vh = arith.divf %v1, %k2 : f32
    %sd = math.sqrt %vh : f32
    %eps = arith.constant 1.0e-8 : f32
    %den = arith.addf %sd, %eps : f32
    %dir = arith.divf %mh, %den : f32
    %upd = arith.mulf %lrf, %dir : f32
    %p1 = arith.subf %p, %upd : f32
    kernel.yield %p1, %m1, %v1 : f32, f32, f32
  }
  kernel.launch @advance(%finite, %step) : memref<i1>, memref<i64>
  return
}
