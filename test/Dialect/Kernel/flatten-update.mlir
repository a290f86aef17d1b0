// RUN: accrue-opt %s --flatten-update -split-input-file -verify-diagnostics | FileCheck %s

#decay = #train.sgd<lr = 0.5, momentum = 0.9, nesterov = false, weight_decay = 0.1>
#plain = #train.sgd<lr = 0.5, momentum = 0.9, nesterov = false, weight_decay = 0.0>

// One table for three parameters and two rules. The clip factor and the step
// come first, then what is done per element. The norm is two kernels with a
// fixed number of chunks over the flat gradients.
// CHECK-LABEL: func.func @step
// CHECK-SAME: (%[[P:.*]]: memref<136xi8> {{.*}}, %[[G:.*]]: memref<136xi8> {{.*}}, %[[S:.*]]: memref<136xi8>
// CHECK: %[[FG:.*]] = kernel.buffer "gradients" of %[[G]] at 0 : memref<136xi8> to memref<34xf32>
// CHECK: kernel.group "norm_partials" rows ins(%[[FG]] : memref<34xf32>) outs(%[[PART:.*]] : memref<2xf32>)
// CHECK: scf.parallel (%[[R:.*]]) =
// CHECK: %[[LO:.*]] = arith.muli %[[R]], %c17
// CHECK: %[[HI:.*]] = arith.minui
// CHECK: scf.parallel (%{{.*}}) = (%[[LO]]) to (%[[HI]])
// CHECK: kernel.group "norm" rows ins(%[[PART]]
// CHECK: math.sqrt
// CHECK: %[[FP:.*]] = kernel.buffer "parameters" of %[[P]] at 0 : memref<136xi8> to memref<34xf32>
// CHECK: %[[FS:.*]] = kernel.buffer "momentum" of %[[S]] at 0 : memref<136xi8> to memref<34xf32>
// CHECK: kernel.flat_update params(%[[FP]] : memref<34xf32>) gradients(%{{.*}} : memref<34xf32>) slots(%[[FS]] : memref<34xf32>)
// CHECK-SAME: clip %{{.*}} ranges [#kernel.range<"a" at 0 count 4 rule 0>, #kernel.range<"b" at 16 count 1 rule 1>, #kernel.range<"c" at 32 count 2 rule 0>]
// CHECK: ^bb0(%[[P0:.*]]: f32, %[[G0:.*]]: f32, %[[M0:.*]]: f32, %[[T:.*]]: i64, %[[F:.*]]: f32, %[[N:.*]]: f32):
// CHECK:   %[[MAX:.*]] = arith.maximumf %[[N]], %[[LIMIT:.*]] : f32
// CHECK:   %[[CLIP:.*]] = arith.divf %[[LIMIT]], %[[MAX]]
// CHECK:   arith.mulf %[[G0]], %[[CLIP]]
// CHECK:   kernel.yield
// CHECK: }, {
// CHECK-NOT: kernel.update
func.func @step(%p: memref<136xi8> {kernel.arena = #kernel.arena<params>}, %g: memref<136xi8> {kernel.arena = #kernel.arena<gradients>},
                %s: memref<136xi8> {kernel.arena = #kernel.arena<slots>}, %w: memref<256xi8> {kernel.arena = #kernel.arena<activations>})
    attributes {kernel.plan = #kernel.plan<arenas = [<params bytes 136 used 28>, <gradients bytes 136 used 28>, <slots bytes 136 used 28>, <activations bytes 256 used 256>], buffers = [], inputs = []>} {
  %pa = kernel.buffer "a" of %p at 0 : memref<136xi8> to memref<4xf32>
  %pb = kernel.buffer "b" of %p at 64 : memref<136xi8> to memref<f32>
  %pc = kernel.buffer "c" of %p at 128 : memref<136xi8> to memref<2xf32>
  %ga = kernel.buffer "a" of %g at 0 : memref<136xi8> to memref<4xf32>
  %gb = kernel.buffer "b" of %g at 64 : memref<136xi8> to memref<f32>
  %gc = kernel.buffer "c" of %g at 128 : memref<136xi8> to memref<2xf32>
  %sa = kernel.buffer "a" of %s at 0 : memref<136xi8> to memref<4xf32>
  %sb = kernel.buffer "b" of %s at 64 : memref<136xi8> to memref<f32>
  %sc = kernel.buffer "c" of %s at 128 : memref<136xi8> to memref<2xf32>
  %partials = kernel.buffer "norm_partials" of %w at 0 : memref<256xi8> to memref<2xf32>
  %norm = kernel.buffer "norm" of %w at 64 : memref<256xi8> to memref<f32>
  %t = kernel.buffer "step" of %w at 128 : memref<256xi8> to memref<i64>
  %f = kernel.buffer "factor" of %w at 192 : memref<256xi8> to memref<f32>
  %ok = kernel.buffer "finite" of %w at 252 : memref<256xi8> to memref<i1>
  kernel.norm %ga, %gb, %gc : memref<4xf32>, memref<f32>, memref<2xf32> outs(%partials, %norm : memref<2xf32>, memref<f32>)
  kernel.update gradients(%ga, %gb, %gc : memref<4xf32>, memref<f32>, memref<2xf32>) completed %t factor %f if %ok clip %norm max 1.0
      [#decay, #plain, #decay] outs(%pa, %pb, %pc : memref<4xf32>, memref<f32>, memref<2xf32>)
      slots(%sa, %sb, %sc : memref<4xf32>, memref<f32>, memref<2xf32>) : memref<i64>, memref<f32>, memref<i1>, memref<f32>
  return
}

// -----

// Norm and factor of an f64 step are f64, and so is all that follows from them.
#plain = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>
// CHECK-LABEL: func.func @double(
// CHECK-NOT: f32
func.func @double(%p: memref<16xi8> {kernel.arena = #kernel.arena<params>}, %g: memref<16xi8> {kernel.arena = #kernel.arena<gradients>},
                  %w: memref<256xi8> {kernel.arena = #kernel.arena<activations>})
    attributes {kernel.plan = #kernel.plan<arenas = [<params bytes 16 used 16>, <gradients bytes 16 used 16>, <activations bytes 256 used 256>], buffers = [], inputs = []>} {
  %pa = kernel.buffer "a" of %p at 0 : memref<16xi8> to memref<2xf64>
  %ga = kernel.buffer "a" of %g at 0 : memref<16xi8> to memref<2xf64>
  %partials = kernel.buffer "norm_partials" of %w at 0 : memref<256xi8> to memref<2xf64>
  %norm = kernel.buffer "norm" of %w at 64 : memref<256xi8> to memref<f64>
  %t = kernel.buffer "step" of %w at 128 : memref<256xi8> to memref<i64>
  %f = kernel.buffer "factor" of %w at 192 : memref<256xi8> to memref<f64>
  %ok = kernel.buffer "finite" of %w at 252 : memref<256xi8> to memref<i1>
  // CHECK: math.sqrt %{{.*}} : f64
  kernel.norm %ga : memref<2xf64> outs(%partials, %norm : memref<2xf64>, memref<f64>)
  // CHECK: ^bb0(%[[P:.*]]: f64, %[[G:.*]]: f64, %{{.*}}: i64, %[[F:.*]]: f64, %[[N:.*]]: f64):
  // CHECK: arith.mulf %{{.*}}, %[[F]] : f64
  // CHECK: %[[LIMIT:.*]] = arith.constant 1.000000e-01 : f64
  // CHECK: %[[MAX:.*]] = arith.maximumf %[[N]], %[[LIMIT]] : f64
  // CHECK: %[[CLIP:.*]] = arith.divf %[[LIMIT]], %[[MAX]] : f64
  // CHECK: arith.mulf %[[G]], %[[CLIP]] : f64
  kernel.update gradients(%ga : memref<2xf64>) completed %t factor %f if %ok clip %norm max 0.1
      [#plain] outs(%pa : memref<2xf64>) : memref<i64>, memref<f64>, memref<i1>, memref<f64>
  return
}

// -----

func.func @part(%g: memref<132xi8> {kernel.arena = #kernel.arena<gradients>}, %w: memref<256xi8> {kernel.arena = #kernel.arena<activations>})
    attributes {kernel.plan = #kernel.plan<arenas = [<gradients bytes 132 used 8>, <activations bytes 256 used 256>], buffers = [], inputs = []>} {
  %ga = kernel.buffer "a" of %g at 0 : memref<132xi8> to memref<1xf32>
  %partials = kernel.buffer "norm_partials" of %w at 0 : memref<256xi8> to memref<2xf32>
  %norm = kernel.buffer "norm" of %w at 64 : memref<256xi8> to memref<f32>
  // expected-error @below {{expected the norm of all gradients (8 bytes), got 4 bytes}}
  kernel.norm %ga : memref<1xf32> outs(%partials, %norm : memref<2xf32>, memref<f32>)
  return
}

// -----

#plain = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>

func.func @mixed(%p: memref<136xi8>, %g: memref<136xi8>, %t: memref<i64>, %f: memref<f32>, %ok: memref<i1>) {
  %pa = kernel.buffer "a" of %p at 0 : memref<136xi8> to memref<1xf32>
  %pb = kernel.buffer "b" of %p at 64 : memref<136xi8> to memref<1xf64>
  %ga = kernel.buffer "a" of %g at 0 : memref<136xi8> to memref<1xf32>
  %gb = kernel.buffer "b" of %g at 64 : memref<136xi8> to memref<1xf64>
  // expected-error @below {{expected parameters of one element type, got 'f32' and 'f64'}}
  kernel.update gradients(%ga, %gb : memref<1xf32>, memref<1xf64>) completed %t factor %f if %ok
      [#plain, #plain] outs(%pa, %pb : memref<1xf32>, memref<1xf64>) : memref<i64>, memref<f32>, memref<i1>
  return
}

// -----

#plain = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>

func.func @apart(%p: memref<136xi8>, %g: memref<136xi8>, %t: memref<i64>, %f: memref<f32>, %ok: memref<i1>) {
  %pa = kernel.buffer "a" of %p at 0 : memref<136xi8> to memref<1xf32>
  %ga = kernel.buffer "a" of %g at 64 : memref<136xi8> to memref<1xf32>
  // expected-error @below {{expected parameters and gradients at equal offsets of their arenas; run 'plan-memory' first}}
  kernel.update gradients(%ga : memref<1xf32>) completed %t factor %f if %ok
      [#plain] outs(%pa : memref<1xf32>) : memref<i64>, memref<f32>, memref<i1>
  return
}
