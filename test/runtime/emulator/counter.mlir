// A kernel that takes the position of a sample gets it right in every
// micro-batch, however the step is started.

// RUN: rm -rf %t && mkdir %t
// RUN: accrue-translate --planned-to-cuda-header --cuda-name fill %s > %t/fill.h
// RUN: accrue-translate --planned-to-cuda --cuda-name fill --cuda-graphs=none %s > %t/none.cu
// RUN: accrue-translate --planned-to-cuda --cuda-name fill --cuda-graphs=segments %s > %t/segments.cu
// RUN: accrue-translate --planned-to-cuda --cuda-name fill --cuda-graphs=merged %s > %t/merged.cu
// RUN: FileCheck %s < %t/segments.cu
// RUN: %emulate -I%t %t/none.cu %S/Inputs/fill.c -o %t/none && %t/none | FileCheck %s --check-prefix=OUT
// RUN: %emulate -I%t %t/segments.cu %S/Inputs/fill.c -o %t/segments && %t/segments | FileCheck %s --check-prefix=OUT
// RUN: %emulate -I%t %t/merged.cu %S/Inputs/fill.c -o %t/merged && env ACCRUE_EMULATOR_SEED=1 %t/merged | FileCheck %s --check-prefix=OUT

// CHECK-LABEL: // fill_0:
// CHECK:       const int64_t *__restrict__ micro_batch) {
// CHECK-LABEL: static int fill_step_micro_batch(fill *model) {
// CHECK:         fill_kernels::next_micro_batch
// CHECK:         ACCRUE_CHECK(model->step_micro_batch_graph.run(

// OUT:      0 4 8 12 16 20 24 28 32 36 40 44 48 52
// OUT-NEXT: 0 4 8 12 16 20 24 28 32 36 40 44 48 52

kernel.func @fill elementwise(%y: memref<14xf32> {kernel.name = "y"}, %sample: index {kernel.name = "sample"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %position = arith.addi %sample, %i : index
    %scaled = arith.muli %position, %c4 : index
    %0 = arith.index_cast %scaled : index to i64
    %1 = arith.sitofp %0 : i64 to f32
    memref.store %1, %y[%position] : memref<14xf32>
    scf.reduce
  }
  kernel.return
}

func.func @step(%outputs: memref<56xi8> {kernel.arena = #kernel.arena<outputs>})
    attributes {train.batch = 14 : i64, kernel.plan = #kernel.plan<arenas = [<outputs bytes 56 used 56>],
      buffers = [<"y" in outputs at 0 bytes 56 : tensor<14xf32> live 0 to 2>], inputs = []>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  %y = kernel.buffer "y" of %outputs at 0 : memref<56xi8> to memref<14xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %sample = arith.muli %i, %c4 : index
    kernel.launch @fill(%y, %sample) : memref<14xf32>, index
  }
  // The samples from 10 on: the last two for the first time.
  kernel.launch @fill(%y, %c10) : memref<14xf32>, index
  return
}
