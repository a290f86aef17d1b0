// RUN: accrue-opt %s --groups-to-loops -split-input-file -verify-diagnostics | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>

// Producers are computed where they are read; the bias needs two indices.
// CHECK-LABEL: @elementwise
// CHECK: ^bb0(%[[X:.*]]: memref<8x4xf32>, %[[B:.*]]: memref<4xf32>, %[[O:.*]]: memref<8x4xf32>):
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) = (%{{.*}}) to (%c8{{.*}}, %c4{{.*}}) step
// CHECK-NEXT: %[[X0:.*]] = memref.load %[[X]][%[[I]], %[[J]]]
// CHECK-NEXT: %[[B0:.*]] = memref.load %[[B]][%[[J]]]
// CHECK-NEXT: %[[E:.*]] = math.exp %[[B0]]
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[X0]], %[[E]]
// CHECK-NEXT: memref.store %[[S]], %[[O]][%[[I]], %[[J]]]
// CHECK-NEXT: scf.reduce
// CHECK: kernel.yield
func.func @elementwise(%x: memref<8x4xf32>, %b: memref<4xf32>, %o: memref<8x4xf32>) {
  kernel.group "g" elementwise ins(%x, %b : memref<8x4xf32>, memref<4xf32>) outs(%o : memref<8x4xf32>) {
  ^bb0(%0: tensor<8x4xf32>, %1: tensor<4xf32>, %2: tensor<8x4xf32>):
    %e = tensor.empty() : tensor<8x4xf32>
    %3 = linalg.generic {indexing_maps = [#col, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %6 = math.exp %in : f32
      linalg.yield %6 : f32
    } -> tensor<8x4xf32>
    %4 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %3 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in2: f32, %out: f32):
      %6 = arith.addf %in, %in2 : f32
      linalg.yield %6 : f32
    } -> tensor<8x4xf32>
    kernel.yield %4 : tensor<8x4xf32>
  }
  return
}

// Everything at the same place: one flat loop.
// CHECK-LABEL: @flat
// CHECK: memref.collapse_shape %{{.*}} {{\[\[}}0, 1]] : memref<8x4xf32> into memref<32xf32>
// CHECK: scf.parallel (%[[I:.*]]) = (%{{.*}}) to (%c32{{.*}}) step
// CHECK-NEXT: memref.load %{{.*}}[%[[I]]] : memref<32xf32>
func.func @flat(%x: memref<8x4xf32>, %o: memref<8x4xf32>) {
  kernel.group "g" elementwise ins(%x : memref<8x4xf32>) outs(%o : memref<8x4xf32>) {
  ^bb0(%0: tensor<8x4xf32>, %2: tensor<8x4xf32>):
    %e = tensor.empty() : tensor<8x4xf32>
    %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %6 = math.exp %in : f32
      linalg.yield %6 : f32
    } -> tensor<8x4xf32>
    kernel.yield %3 : tensor<8x4xf32>
  }
  return
}

// A row: the sum once, before the loop along the row that uses it; what is the
// same for all rows comes before everything.
// CHECK-LABEL: @rows
// CHECK: ^bb0(%[[X:.*]]: memref<8x4xf32>, %[[S:.*]]: memref<f32>, %[[O:.*]]: memref<8x4xf32>, %[[R:.*]]: memref<8xf32>):
// CHECK: %[[S0:.*]] = memref.load %[[S]][]
// CHECK: scf.parallel (%[[I:.*]]) =
// CHECK-NEXT: %[[SUM:.*]] = scf.parallel (%[[J:.*]]) = {{.*}} init
// CHECK-NEXT:   %[[X0:.*]] = memref.load %[[X]][%[[I]], %[[J]]]
// CHECK-NEXT:   scf.reduce(%[[X0]] : f32)
// CHECK:          arith.addf
// CHECK: memref.store %[[SUM]], %[[R]][%[[I]]]
// CHECK: %[[Q:.*]] = arith.mulf %[[SUM]], %[[S0]]
// CHECK: scf.parallel (%[[J2:.*]]) =
// CHECK-NEXT: %[[X1:.*]] = memref.load %[[X]][%[[I]], %[[J2]]]
// CHECK-NEXT: %[[D:.*]] = arith.divf %[[X1]], %[[Q]]
// CHECK-NEXT: memref.store %[[D]], %[[O]][%[[I]], %[[J2]]]
func.func @rows(%x: memref<8x4xf32>, %s: memref<f32>, %o: memref<8x4xf32>, %r: memref<8xf32>) {
  kernel.group "g" rows ins(%x, %s : memref<8x4xf32>, memref<f32>) outs(%o, %r : memref<8x4xf32>, memref<8xf32>) {
  ^bb0(%0: tensor<8x4xf32>, %1: tensor<f32>, %2: tensor<8x4xf32>, %3: tensor<8xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x4xf32>
    %er = tensor.empty() : tensor<8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%er : tensor<8xf32>) -> tensor<8xf32>
    %4 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<8x4xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.addf %out, %in : f32
      linalg.yield %7 : f32
    } -> tensor<8xf32>
    %5 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%4, %1 : tensor<8xf32>, tensor<f32>) outs(%er : tensor<8xf32>) {
    ^bb0(%in: f32, %in2: f32, %out: f32):
      %7 = arith.mulf %in, %in2 : f32
      linalg.yield %7 : f32
    } -> tensor<8xf32>
    %6 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %5 : tensor<8x4xf32>, tensor<8xf32>) outs(%e : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in2: f32, %out: f32):
      %7 = arith.divf %in, %in2 : f32
      linalg.yield %7 : f32
    } -> tensor<8x4xf32>
    kernel.yield %6, %4 : tensor<8x4xf32>, tensor<8xf32>
  }
  return
}

// Columns in chunks: the reshape is index arithmetic. The accumulator is read
// and written at the same place.
// CHECK-LABEL: @columns
// CHECK: ^bb0(%[[X:.*]]: memref<8x4xf32>, %[[FIRST:.*]]: i1, %[[O:.*]]: memref<2x4xf32>):
// CHECK: scf.parallel (%[[P:.*]], %[[C:.*]]) =
// CHECK-NEXT: %[[BASE:.*]] = arith.muli %[[P]], %c4
// CHECK-NEXT: %[[SUM:.*]] = scf.parallel (%[[K:.*]]) = {{.*}} init
// CHECK-NEXT:   %[[R:.*]] = arith.addi %[[BASE]], %[[K]]
// CHECK-NEXT:   memref.load %[[X]][%[[R]], %[[C]]]
// CHECK: %[[OLD:.*]] = memref.load %[[O]][%[[P]], %[[C]]]
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]], %[[SUM]]
// CHECK: %[[SEL:.*]] = arith.select %[[FIRST]], %[[SUM]], %[[NEW]]
// CHECK: memref.store %[[SEL]], %[[O]][%[[P]], %[[C]]]
#in3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#out3 = affine_map<(d0, d1, d2) -> (d0, d2)>
func.func @columns(%x: memref<8x4xf32>, %first: i1, %o: memref<2x4xf32>) {
  kernel.group "g" columns ins(%x, %first : memref<8x4xf32>, i1) outs(%o : memref<2x4xf32>) {
  ^bb0(%0: tensor<8x4xf32>, %1: i1, %2: tensor<2x4xf32>):
    %zero = arith.constant 0.0 : f32
    %r = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 4, 4] : tensor<8x4xf32> into tensor<2x4x4xf32>
    %e = tensor.empty() : tensor<2x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
    %3 = linalg.generic {indexing_maps = [#in3, #out3], iterator_types = ["parallel", "reduction", "parallel"]} ins(%r : tensor<2x4x4xf32>) outs(%f : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.addf %out, %in : f32
      linalg.yield %7 : f32
    } -> tensor<2x4xf32>
    %4 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%2, %3 : tensor<2x4xf32>, tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) {
    ^bb0(%in: f32, %in2: f32, %out: f32):
      %6 = arith.addf %in, %in2 : f32
      linalg.yield %6 : f32
    } -> tensor<2x4xf32>
    %5 = arith.select %1, %3, %4 : tensor<2x4xf32>
    kernel.yield %5 : tensor<2x4xf32>
  }
  return
}

// Elements at other places: an index, an extracted element, a slice, scalars.
// CHECK-LABEL: @places
// CHECK: ^bb0(%[[X:.*]]: memref<8xf32>, %[[START:.*]]: index, %[[O:.*]]: memref<4xf32>):
// CHECK: scf.parallel (%[[I:.*]]) =
// CHECK-DAG: %[[AT:.*]] = arith.addi %[[I]], %[[START]]
// CHECK-DAG: %[[A:.*]] = memref.load %[[X]][%[[AT]]]
// CHECK-DAG: %[[B:.*]] = memref.load %[[X]][%[[I]]]
// CHECK: arith.mulf %[[A]], %[[B]]
func.func @places(%x: memref<8xf32>, %start: index, %o: memref<4xf32>) {
  kernel.group "g" elementwise ins(%x, %start : memref<8xf32>, index) outs(%o : memref<4xf32>) {
  ^bb0(%0: tensor<8xf32>, %1: index, %2: tensor<4xf32>):
    %s = tensor.extract_slice %0[%1] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %e = tensor.empty() : tensor<4xf32>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%s : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %i = linalg.index 0 : index
      %6 = tensor.extract %0[%i] : tensor<8xf32>
      %7 = arith.mulf %in, %6 : f32
      linalg.yield %7 : f32
    } -> tensor<4xf32>
    kernel.yield %3 : tensor<4xf32>
  }
  return
}

// -----

func.func @unknown(%o: memref<4xf32>) {
  kernel.group "g" elementwise outs(%o : memref<4xf32>) {
  ^bb0(%0: tensor<4xf32>):
    // expected-error @below {{expected an op with a known element, got 'math.exp'}}
    %1 = math.exp %0 : tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return
}

// -----

func.func @tensors(%o: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected buffers; run 'bufferize-kernels' first}}
  %r = kernel.group "g" elementwise outs(%o : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%0: tensor<4xf32>):
    kernel.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @combiner(%x: memref<4xf32>, %o: memref<f32>) {
  kernel.group "g" rows ins(%x : memref<4xf32>) outs(%o : memref<f32>) {
  ^bb0(%0: tensor<4xf32>, %1: tensor<f32>):
    // expected-error @below {{expected a reduction that combines the value so far with one element}}
    %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%0 : tensor<4xf32>) outs(%1 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %out, %out : f32
      %4 = arith.addf %3, %in : f32
      linalg.yield %4 : f32
    } -> tensor<f32>
    kernel.yield %2 : tensor<f32>
  }
  return
}
