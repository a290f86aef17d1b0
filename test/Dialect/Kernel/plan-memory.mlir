// RUN: accrue-opt %s --plan-memory -split-input-file -verify-diagnostics | FileCheck %s

#rule = #train.sgd<lr = 0.1, momentum = 0.9, nesterov = false, weight_decay = 0.0>

// Trainable parameters first ("c" is frozen), gradients and slots at the same
// offsets. %a dies in the elementwise kernel that makes %b, which takes its
// place; %c lives in the loop and meets %b; %late meets neither.
// CHECK-LABEL: func.func @layout(
// CHECK-SAME: memref<132xi8> {kernel.arena = #kernel.arena<params>}
// CHECK-SAME: memref<68xi8> {kernel.arena = #kernel.arena<gradients>}
// CHECK-SAME: memref<68xi8> {kernel.arena = #kernel.arena<slots>}
// CHECK-SAME: memref<128xi8> {kernel.arena = #kernel.arena<activations>}
// CHECK-SAME: memref<4xi8> {kernel.arena = #kernel.arena<outputs>}
// CHECK-SAME: kernel.plan = #kernel.plan<arenas = [<params bytes 132 used 12>, <gradients bytes 68 used 8>, <slots bytes 68 used 8>, <activations bytes 128 used 128>, <outputs bytes 4 used 4>]
// CHECK-SAME: <"a" in params at 0 bytes 4 : tensor<1xf32>
// CHECK-SAME: <"b" in params at 64 bytes 4
// CHECK-SAME: <"frozen" in params at 128 bytes 4
// CHECK-SAME: <"a" in gradients at 0
// CHECK-SAME: <"b" in gradients at 64
// CHECK-SAME: <"a" in slots at 0 bytes 4 : tensor<1xf32> live 0 to [[N:[0-9]+]] with {
// CHECK-SAME: <"b" in slots at 64
// CHECK-SAME: <"A" in activations at 0 bytes 64 : tensor<16xf32> live 1 to 2>
// CHECK-SAME: <"B" in activations at 0 bytes 64 : tensor<16xf32> live 2 to 4>
// CHECK-SAME: <"late" in activations at 0 bytes 64 : tensor<16xf32> live 5 to 5>
// CHECK-SAME: <"C" in activations at 64 bytes 64 : tensor<16xf32> live 3 to 4>
// CHECK-SAME: <"loss" in outputs at 0 bytes 4 : tensor<f32> live 5 to [[N]]>
// CHECK-SAME: inputs = [<0 "x" : tensor<8xf32> dim 0>], kept = 64>
// CHECK-NOT: train.step
// CHECK: %[[GA:.*]] = kernel.buffer "a" of %{{.*}} at 0
// CHECK: kernel.buffer "B" of %{{.*}} at 0 : memref<128xi8> to memref<4x4xf32>
// CHECK: return
// CHECK-NOT: kernel.alloc
func.func @layout(
    %frozen: memref<1xf32> {train.role = #train.role<param>, train.name = "frozen"},
    %pa: memref<1xf32> {train.role = #train.role<param>, train.name = "a", train.rule = #rule},
    %pb: memref<1xf32> {train.role = #train.role<param>, train.name = "b", train.rule = #rule},
    %sa: memref<1xf32> {train.role = #train.role<state>, train.name = "a", train.slot = "momentum"},
    %sb: memref<1xf32> {train.role = #train.role<state>, train.name = "b", train.slot = "momentum"})
    -> memref<f32> attributes {train.step, kernel.inputs = [#kernel.input<0 "x" : tensor<8xf32> dim 0>]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %ga = kernel.alloc "a" gradients : memref<1xf32>
  %gb = kernel.alloc "b" gradients : memref<1xf32>
  %loss = kernel.alloc "loss" outputs : memref<f32>
  %a = kernel.alloc "A" activations : memref<16xf32>
  %b = kernel.alloc "B" activations : memref<16xf32>
  %late = kernel.alloc "late" activations : memref<16xf32>
  kernel.group "make" elementwise outs(%a : memref<16xf32>) {
  ^bb0(%0: memref<16xf32>):
    kernel.yield
  }
  kernel.group "in_place" elementwise ins(%a : memref<16xf32>) outs(%b : memref<16xf32>) {
  ^bb0(%0: memref<16xf32>, %1: memref<16xf32>):
    %c0_0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c16_0 = arith.constant 16 : index
    scf.parallel (%i) = (%c0_0) to (%c16_0) step (%c1_0) {
      %2 = memref.load %0[%i] : memref<16xf32>
      memref.store %2, %1[%i] : memref<16xf32>
      scf.reduce
    }
    kernel.yield
  }
  scf.for %k = %c0 to %c16 step %c1 {
    %c = kernel.alloc "C" activations : memref<16xf32>
    kernel.group "c" elementwise outs(%c : memref<16xf32>) {
    ^bb0(%0: memref<16xf32>):
      kernel.yield
    }
    %v = memref.expand_shape %b [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
    kernel.group "use" elementwise ins(%c, %v : memref<16xf32>, memref<4x4xf32>) outs(%ga, %gb : memref<1xf32>, memref<1xf32>) attributes {kernel.backward} {
    ^bb0(%0: memref<16xf32>, %1: memref<4x4xf32>, %2: memref<1xf32>, %3: memref<1xf32>):
      kernel.yield
    }
  }
  kernel.group "end" elementwise ins(%pa, %pb, %frozen, %sa, %sb : memref<1xf32>, memref<1xf32>, memref<1xf32>, memref<1xf32>, memref<1xf32>) outs(%late, %loss : memref<16xf32>, memref<f32>) {
  ^bb0(%0: memref<1xf32>, %1: memref<1xf32>, %2: memref<1xf32>, %3: memref<1xf32>, %4: memref<1xf32>, %5: memref<16xf32>, %6: memref<f32>):
    kernel.yield
  }
  return %loss : memref<f32>
}

// -----

// expected-error @below {{expected "w" in 'gradients' to belong to a parameter of its size}}
func.func @orphan() attributes {kernel.inputs = []} {
  %g = kernel.alloc "w" gradients : memref<4xf32>
  kernel.group "g" elementwise outs(%g : memref<4xf32>) {
  ^bb0(%0: memref<4xf32>):
    kernel.yield
  }
  return
}

// -----

// expected-error @below {{expected parameters of different names, got "w" twice}}
func.func @twice(%a: memref<1xf32> {train.role = #train.role<param>, train.name = "w"},
                 %b: memref<1xf32> {train.role = #train.role<param>, train.name = "w"}) attributes {kernel.inputs = []} {
  return
}

// -----

// expected-error @below {{expected arguments that are buffers of static shape, got 'tensor<1xf32>'}}
func.func @tensor(%a: tensor<1xf32>) attributes {kernel.inputs = []} {
  return
}
