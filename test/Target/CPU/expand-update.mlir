// RUN: accrue-opt %s -cpu-expand-update | FileCheck %s

// CHECK-LABEL: func.func @small
// CHECK: kernel.launch @small_update(%{{.*}}) : memref<64xf32>, memref<64xf32>, memref<i64>, memref<f32>, memref<i1>
// CHECK-NOT: kernel.flat_update
func.func @small(%arena: memref<1024xi8>) {
  %p = kernel.buffer "p" of %arena at 0 : memref<1024xi8> to memref<64xf32>
  %g = kernel.buffer "g" of %arena at 256 : memref<1024xi8> to memref<64xf32>
  %t = kernel.buffer "t" of %arena at 512 : memref<1024xi8> to memref<i64>
  %f = kernel.buffer "f" of %arena at 576 : memref<1024xi8> to memref<f32>
  %ok = kernel.buffer "ok" of %arena at 640 : memref<1024xi8> to memref<i1>
  kernel.flat_update params(%p : memref<64xf32>) gradients(%g : memref<64xf32>)
      completed %t factor %f if %ok
      ranges [#kernel.range<"w" at 0 count 40 rule 0>, #kernel.range<"b" at 48 count 10 rule 0>]
      : memref<i64>, memref<f32>, memref<i1> {
  ^bb0(%p0: f32, %g0: f32, %t0: i64, %f0: f32):
    %lr = arith.constant 0.1 : f32
    %rate = arith.mulf %lr, %f0 : f32
    %step = arith.mulf %rate, %g0 : f32
    %p1 = arith.subf %p0, %step : f32
    kernel.yield %p1 : f32
  }
  return
}

// One chunk, one rule; what depends on the scalars only is outside the loops.
// CHECK-LABEL: kernel.func @small_update elementwise(
// CHECK-SAME: %[[P:.*]]: memref<64xf32>, %[[G:.*]]: memref<64xf32>, %{{.*}}: memref<i64>, %[[F:.*]]: memref<f32>, %[[OK:.*]]: memref<i1>)
// CHECK: %[[FINITE:.*]] = memref.load %[[OK]][]
// CHECK: scf.if %[[FINITE]] {
// CHECK: %[[FACTOR:.*]] = memref.load %[[F]][]
// CHECK: %[[RATE:.*]] = arith.mulf %{{.*}}, %[[FACTOR]]
// CHECK-DAG: %[[FROMS:.*]] = memref.get_global @small_update_from : memref<2xi64>
// CHECK-DAG: %[[TOS:.*]] = memref.get_global @small_update_to : memref<2xi64>
// CHECK-NOT: scf.parallel
// CHECK: scf.for %[[PIECE:.*]] = %c0 to %c2
// CHECK: memref.load %[[FROMS]][%[[PIECE]]]
// CHECK: memref.load %[[TOS]][%[[PIECE]]]
// CHECK: scf.for %[[I:.*]] =
// CHECK-NEXT: %[[P0:.*]] = memref.load %[[P]][%[[I]]]
// CHECK-NEXT: %[[G0:.*]] = memref.load %[[G]][%[[I]]]
// CHECK-NEXT: %[[STEP:.*]] = arith.mulf %[[RATE]], %[[G0]]
// CHECK-NEXT: %[[P1:.*]] = arith.subf %[[P0]], %[[STEP]]
// CHECK-NEXT: memref.store %[[P1]], %[[P]][%[[I]]]
// CHECK: memref.global "private" constant @small_update_from : memref<2xi64> = dense<[0, 48]>
// CHECK: memref.global "private" constant @small_update_to : memref<2xi64> = dense<[40, 58]>

// Five chunks of 200,064 elements: the first range is cut, the last chunk has
// the rest of it and all of the second range. Rule 1 has no slot.
func.func @large(%arena: memref<12583936xi8>) {
  %p = kernel.buffer "p" of %arena at 0 : memref<12583936xi8> to memref<1048320xf32>
  %g = kernel.buffer "g" of %arena at 4193280 : memref<12583936xi8> to memref<1048320xf32>
  %m = kernel.buffer "m" of %arena at 8386560 : memref<12583936xi8> to memref<1048320xf32>
  %t = kernel.buffer "t" of %arena at 12579840 : memref<12583936xi8> to memref<i64>
  %f = kernel.buffer "f" of %arena at 12579904 : memref<12583936xi8> to memref<f32>
  %ok = kernel.buffer "ok" of %arena at 12579968 : memref<12583936xi8> to memref<i1>
  %n = kernel.buffer "n" of %arena at 12580032 : memref<12583936xi8> to memref<f32>
  kernel.flat_update params(%p : memref<1048320xf32>) gradients(%g : memref<1048320xf32>)
      slots(%m : memref<1048320xf32>)
      completed %t factor %f if %ok clip %n
      ranges [#kernel.range<"w" at 0 count 1000000 rule 0>, #kernel.range<"b" at 1000064 count 10 rule 1>]
      : memref<i64>, memref<f32>, memref<i1>, memref<f32> {
  ^bb0(%p0: f32, %g0: f32, %m0: f32, %t0: i64, %f0: f32, %n0: f32):
    %m1 = arith.addf %m0, %g0 : f32
    %p1 = arith.subf %p0, %m1 : f32
    kernel.yield %p1, %m1 : f32, f32
  }, {
  ^bb0(%p0: f32, %g0: f32, %t0: i64, %f0: f32, %n0: f32):
    %p1 = arith.subf %p0, %g0 : f32
    kernel.yield %p1 : f32
  }
  return
}

// CHECK-LABEL: kernel.func @large_update elementwise(
// CHECK-SAME: %[[P:.*]]: memref<1048320xf32>, %{{.*}}: memref<1048320xf32>, %[[M:.*]]: memref<1048320xf32>,
// CHECK: scf.parallel (%[[C:.*]]) = (%c0) to (%c5)
// CHECK: memref.load %{{.*}}[%[[C]]] : memref<6xi64>
// CHECK: scf.for
// CHECK: %[[RULE:.*]] = arith.index_cast
// CHECK: arith.cmpi eq, %{{.*}}, %c0
// CHECK: scf.if
// CHECK: memref.store %{{.*}}, %[[P]]
// CHECK: memref.store %{{.*}}, %[[M]]
// CHECK: arith.cmpi eq, %{{.*}}, %c1
// CHECK: scf.if
// CHECK: memref.store %{{.*}}, %[[P]]
// CHECK-NOT: memref.store
// CHECK: memref.global "private" constant @large_update_from : memref<6xi64> = dense<[0, 200064, 400128, 600192, 800256, 1000064]>
// CHECK: memref.global "private" constant @large_update_to : memref<6xi64> = dense<[200064, 400128, 600192, 800256, 1000000, 1000074]>
// CHECK: memref.global "private" constant @large_update_rule : memref<6xi64> = dense<[0, 0, 0, 0, 0, 1]>
// CHECK: memref.global "private" constant @large_update_chunk : memref<6xi64> = dense<[0, 1, 2, 3, 4, 6]>
