// RUN: accrue-opt --kernels-to-cuda --canonicalize --cse --cuda-merge-kernels %s | FileCheck %s

// One kernel: nothing where the flag is false; scalars of the step once per
// thread, before the loop; the rule of an element from the table.

// CHECK:       cuda.ranges @update_ranges
// CHECK-SAME:    [#kernel.range<"w" at 0 count 10 rule 0>, #kernel.range<"b" at 16 count 4 rule 1>]

// Parameter, gradient and, for w, a slot: 4 * (10 * 5 + 4 * 3) bytes.
// CHECK-LABEL: cuda.kernel @update(
// CHECK-SAME:    %[[P:[^:]*]]: memref<20xf32> {kernel.name = "params"}, %[[G:[^:]*]]: memref<20xf32> {kernel.name = "gradients"}, %[[M:[^:]*]]: memref<20xf32> {kernel.name = "m"}
// CHECK-SAME:    %[[T:[^:]*]]: memref<i64> {kernel.name = "step"}, %[[F:[^:]*]]: memref<f32> {kernel.name = "factor"}, %[[OK:[^:]*]]: memref<i1> {kernel.name = "finite"})
// CHECK-SAME:    block = 256 : i64, bytes = 248 : i64, flops = {{[0-9]+}} : i64, grid = 1 : i64
// CHECK:         %[[IF:.*]] = memref.load %[[OK]][]
// CHECK-NEXT:    scf.if %[[IF]] {
// CHECK:           %[[FACTOR:.*]] = memref.load %[[F]][]
// CHECK:           %[[LR:.*]] = arith.mulf %[[FACTOR]]
// CHECK:           scf.for %[[I:.*]] = %{{.*}} to %c20 step
// CHECK-NEXT:        %[[RULE:.*]] = cuda.range_rule @update_ranges[%[[I]]]
// CHECK:             scf.if
// CHECK-NEXT:          memref.load %[[P]][%[[I]]]
// CHECK-NEXT:          memref.load %[[G]][%[[I]]]
// CHECK-NEXT:          memref.load %[[M]][%[[I]]]
// CHECK:               memref.store %{{.*}}, %[[P]][%[[I]]]
// CHECK-NEXT:          memref.store %{{.*}}, %[[M]][%[[I]]]
// CHECK-NEXT:        }
// CHECK:             scf.if
// CHECK-NEXT:          memref.load %[[P]][%[[I]]]
// CHECK-NEXT:          memref.load %[[G]][%[[I]]]
// CHECK-NEXT:          arith.mulf %[[LR]]
// CHECK-NOT:           %[[M]]
// CHECK:               memref.store %{{.*}}, %[[P]][%[[I]]]

// Another step with the same update launches the same kernel.
// CHECK-NOT:   cuda.kernel
// CHECK-LABEL: func.func @step(
// CHECK:         cuda.launch @update(
// CHECK-LABEL: func.func @step_2(
// CHECK:         cuda.launch @update(
func.func @step(%params: memref<80xi8> {kernel.arena = #kernel.arena<params>}, %gradients: memref<80xi8> {kernel.arena = #kernel.arena<gradients>},
                %slots: memref<80xi8> {kernel.arena = #kernel.arena<slots>}, %state: memref<8xi8> {kernel.arena = #kernel.arena<state>},
                %outputs: memref<80xi8> {kernel.arena = #kernel.arena<outputs>})
    attributes {kernel.plan = #kernel.plan<arenas = [<params bytes 80 used 80>, <gradients bytes 80 used 80>, <slots bytes 80 used 80>, <state bytes 8 used 8>, <outputs bytes 80 used 80>], buffers = [], inputs = []>} {
  %p = kernel.buffer "params" of %params at 0 : memref<80xi8> to memref<20xf32>
  %g = kernel.buffer "gradients" of %gradients at 0 : memref<80xi8> to memref<20xf32>
  %m = kernel.buffer "m" of %slots at 0 : memref<80xi8> to memref<20xf32>
  %t = kernel.buffer "step" of %state at 0 : memref<8xi8> to memref<i64>
  %f = kernel.buffer "factor" of %outputs at 0 : memref<80xi8> to memref<f32>
  %ok = kernel.buffer "finite" of %outputs at 64 : memref<80xi8> to memref<i1>
  kernel.flat_update params(%p : memref<20xf32>) gradients(%g : memref<20xf32>) slots(%m : memref<20xf32>)
      completed %t factor %f if %ok
      ranges [#kernel.range<"b" at 16 count 4 rule 1>, #kernel.range<"w" at 0 count 10 rule 0>]
      : memref<i64>, memref<f32>, memref<i1> {
  ^bb0(%p0: f32, %g0: f32, %m0: f32, %t0: i64, %f0: f32):
    %lr = arith.constant 0.1 : f32
    %half = arith.constant 0.5 : f32
    %0 = arith.mulf %f0, %lr : f32
    %1 = arith.mulf %m0, %half : f32
    %2 = arith.addf %1, %g0 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.subf %p0, %3 : f32
    kernel.yield %4, %2 : f32, f32
  }, {
  ^bb0(%p0: f32, %g0: f32, %t0: i64, %f0: f32):
    %lr = arith.constant 0.1 : f32
    %0 = arith.mulf %f0, %lr : f32
    %1 = arith.mulf %0, %g0 : f32
    %2 = arith.subf %p0, %1 : f32
    kernel.yield %2 : f32
  }
  return
}

func.func @step_2(%params: memref<80xi8> {kernel.arena = #kernel.arena<params>}, %gradients: memref<80xi8> {kernel.arena = #kernel.arena<gradients>},
                  %slots: memref<80xi8> {kernel.arena = #kernel.arena<slots>}, %state: memref<8xi8> {kernel.arena = #kernel.arena<state>},
                  %outputs: memref<80xi8> {kernel.arena = #kernel.arena<outputs>})
    attributes {kernel.plan = #kernel.plan<arenas = [<params bytes 80 used 80>, <gradients bytes 80 used 80>, <slots bytes 80 used 80>, <state bytes 8 used 8>, <outputs bytes 80 used 80>], buffers = [], inputs = []>} {
  %p = kernel.buffer "params" of %params at 0 : memref<80xi8> to memref<20xf32>
  %g = kernel.buffer "gradients" of %gradients at 0 : memref<80xi8> to memref<20xf32>
  %m = kernel.buffer "m" of %slots at 0 : memref<80xi8> to memref<20xf32>
  %t = kernel.buffer "step" of %state at 0 : memref<8xi8> to memref<i64>
  %f = kernel.buffer "factor" of %outputs at 0 : memref<80xi8> to memref<f32>
  %ok = kernel.buffer "finite" of %outputs at 64 : memref<80xi8> to memref<i1>
  kernel.flat_update params(%p : memref<20xf32>) gradients(%g : memref<20xf32>) slots(%m : memref<20xf32>)
      completed %t factor %f if %ok
      ranges [#kernel.range<"w" at 0 count 10 rule 0>, #kernel.range<"b" at 16 count 4 rule 1>]
      : memref<i64>, memref<f32>, memref<i1> {
  ^bb0(%p0: f32, %g0: f32, %m0: f32, %t0: i64, %f0: f32):
    %lr = arith.constant 0.1 : f32
    %half = arith.constant 0.5 : f32
    %0 = arith.mulf %f0, %lr : f32
    %1 = arith.mulf %m0, %half : f32
    %2 = arith.addf %1, %g0 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.subf %p0, %3 : f32
    kernel.yield %4, %2 : f32, f32
  }, {
  ^bb0(%p0: f32, %g0: f32, %t0: i64, %f0: f32):
    %lr = arith.constant 0.1 : f32
    %0 = arith.mulf %f0, %lr : f32
    %1 = arith.mulf %0, %g0 : f32
    %2 = arith.subf %p0, %1 : f32
    kernel.yield %2 : f32
  }
  return
}
