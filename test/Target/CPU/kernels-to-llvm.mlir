// RUN: accrue-opt %s -kernels-to-llvm | FileCheck %s

// Buffers of a kernel: aligned, of known size, without overlap.
// The names of kernels are those of no function of C.
// CHECK-LABEL: llvm.func internal @kernel.bias(
// CHECK-SAME: %[[X:.*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.dereferenceable = 80 : i64, llvm.noalias}, %[[B:.*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.dereferenceable = 20 : i64, llvm.noalias}, %{{.*}}: f32) attributes {no_inline}
// CHECK: %[[FIVE:.*]] = llvm.mlir.constant(5 : i64)
// CHECK: %[[ROW:.*]] = llvm.mul %[[I:.*]], %[[FIVE]] overflow<nsw, nuw>
// CHECK: %[[OFFSET:.*]] = llvm.add %[[ROW]], %[[J:.*]] overflow<nsw, nuw>
// CHECK: %[[PLACE:.*]] = llvm.getelementptr inbounds %[[X]][%[[OFFSET]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: llvm.load %[[PLACE]] : !llvm.ptr -> f32
// CHECK: llvm.getelementptr inbounds %[[B]][%[[J]]]
// NaN is propagated.
// CHECK: llvm.intr.maximum
// CHECK: llvm.fadd %{{.*}}, %{{.*}} {fastmathFlags = #llvm.fastmath<reassoc>}
// CHECK: llvm.return
kernel.func @bias elementwise(%x: memref<4x5xf32>, %b: memref<5xf32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c5 step %c1 {
      %0 = memref.load %x[%i, %j] : memref<4x5xf32>
      %1 = memref.load %b[%j] : memref<5xf32>
      %2 = arith.maximumf %0, %1 : f32
      %3 = arith.addf %2, %s fastmath<reassoc> : f32
      memref.store %3, %x[%i, %j] : memref<4x5xf32>
    }
  }
  kernel.return
}

// i1 takes a byte.
// CHECK-LABEL: llvm.func internal @kernel.invert(
// CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK: %[[BIT:.*]] = llvm.trunc %[[BYTE]] : i8 to i1
// CHECK: %[[NOT:.*]] = llvm.xor %[[BIT]]
// CHECK: %[[NEW:.*]] = llvm.zext %[[NOT]] : i1 to i8
// CHECK: llvm.store %[[NEW]], %{{.*}} : i8, !llvm.ptr
kernel.func @invert elementwise(%x: memref<i1>) {
  %true = arith.constant true
  %0 = memref.load %x[] : memref<i1>
  %1 = arith.xori %0, %true : i1
  memref.store %1, %x[] : memref<i1>
  kernel.return
}

// CHECK-LABEL: llvm.func internal @kernel.flat(
// CHECK-SAME: %[[X:[^:]*]]: !llvm.ptr
// CHECK: %[[OWN:.*]] = llvm.alloca %{{.*}} x f32 {alignment = 64 : i64}
// CHECK: llvm.store %{{.*}}, %[[OWN]] : f32
// CHECK: llvm.getelementptr inbounds %[[X]][%{{.*}}]
// CHECK: llvm.mlir.addressof @table
kernel.func @flat elementwise(%x: memref<2x2xf32>) {
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %own = memref.alloca() : memref<f32>
  %flat = memref.collapse_shape %x [[0, 1]] : memref<2x2xf32> into memref<4xf32>
  %f = memref.load %flat[%c3] : memref<4xf32>
  memref.store %f, %own[] : memref<f32>
  memref.store %f, %flat[%c1] : memref<4xf32>
  %table = memref.get_global @table : memref<2xi64>
  kernel.return
}
// CHECK: llvm.mlir.global internal constant @table(dense<[1, 2]> : tensor<2xi64>) {{.*}}: !llvm.array<2 x i64>
memref.global "private" constant @table : memref<2xi64> = dense<[1, 2]>

// What the chunks need goes through a structure on the stack.
// CHECK-LABEL: llvm.func internal @kernel.fill_chunk_entry(
// CHECK-SAME: %[[CTX:.*]]: !llvm.ptr, %[[C:.*]]: i64)
// CHECK-NEXT: %[[P0:.*]] = llvm.getelementptr inbounds %[[CTX]][0, 0] {{.*}} !llvm.struct<(ptr, f32)>
// CHECK-NEXT: %[[X:.*]] = llvm.load %[[P0]] : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[P1:.*]] = llvm.getelementptr inbounds %[[CTX]][0, 1]
// CHECK-NEXT: %[[V:.*]] = llvm.load %[[P1]] : !llvm.ptr -> f32
// CHECK-NEXT: llvm.call @kernel.fill_chunk(%[[C]], %[[X]], %[[V]])
// CHECK-LABEL: llvm.func internal @kernel.fill(
// CHECK: %[[CLOSURE:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(ptr, f32)>
// CHECK: llvm.store
// CHECK: llvm.store
// CHECK: %[[FN:.*]] = llvm.mlir.addressof @kernel.fill_chunk_entry
// CHECK: llvm.call @accrue_parallel_for(%[[FN]], %[[CLOSURE]], %{{.*}}) : (!llvm.ptr, !llvm.ptr, i64) -> ()
kernel.func @fill elementwise(%x: memref<16xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%c) = (%c0) to (%c2) step (%c1) {
    kernel.launch @fill_chunk(%c, %x, %v) : index, memref<16xf32>, f32
    scf.reduce
  }
  kernel.return
}
kernel.func @fill_chunk elementwise(%c: index, %x: memref<16xf32>, %v: f32) {
  memref.store %v, %x[%c] : memref<16xf32>
  kernel.return
}

// CHECK-LABEL: llvm.func @f_step(
// CHECK-SAME: %[[ARENAS:.*]]: !llvm.ptr, %[[LOAD:.*]]: !llvm.ptr, %[[CTX:.*]]: !llvm.ptr) -> i32
// CHECK: llvm.getelementptr %[[ARENAS]][0]
// CHECK: %[[PARAMS:.*]] = llvm.load
// CHECK: llvm.getelementptr %[[ARENAS]][1]
// CHECK: %[[INPUTS:.*]] = llvm.load
// CHECK: %[[W:.*]] = llvm.getelementptr inbounds %[[PARAMS]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: %[[C64:.*]] = llvm.mlir.constant(64 : i64)
// CHECK: llvm.getelementptr inbounds %[[PARAMS]][%[[C64]]]
// The step ends where an input fails, from within the loop.
// CHECK: %[[FAILED:.*]] = llvm.call %[[LOAD]](%[[CTX]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : !llvm.ptr, (!llvm.ptr, i64, i64, i64, !llvm.ptr) -> i32
// CHECK: %[[BAD:.*]] = llvm.icmp "ne" %[[FAILED]]
// CHECK: llvm.cond_br %[[BAD]], ^[[LEAVE:.*]], ^[[NEXT:.*]]
// CHECK: ^[[LEAVE]]:
// CHECK-NEXT: llvm.return %[[FAILED]] : i32
// CHECK: ^[[NEXT]]:
// CHECK: llvm.call @accrue_sgemm(%{{.*}}) : (i1 {llvm.zeroext}, i1 {llvm.zeroext}, i64, i64, i64, f32, !llvm.ptr, i64, !llvm.ptr, i64, f32, !llvm.ptr, i64) -> ()
// CHECK: %[[BATCH:.*]] = llvm.mlir.constant(2 : i64)
// CHECK: llvm.call @accrue_sgemm_batch(%{{.*}}, %{{.*}}, %[[BATCH]], %{{.*}}) : (i1 {llvm.zeroext}, i1 {llvm.zeroext}, i64, i64, i64, i64, f32, !llvm.ptr, i64, !llvm.ptr, i64, f32, !llvm.ptr, i64) -> ()
// CHECK: llvm.call @kernel.invert(
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: llvm.return %[[ZERO]] : i32
func.func @f(%params: memref<192xi8> {kernel.arena = #kernel.arena<params>},
                %inputs: memref<48xi8> {kernel.arena = #kernel.arena<inputs>})
    attributes {kernel.plan = #kernel.plan<
      arenas = [<params bytes 192 used 192>, <inputs bytes 48 used 48>], buffers = [],
      inputs = [<0 "x" : tensor<8x3xf32> dim 0>]>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %w = kernel.buffer "w" of %params at 0 : memref<192xi8> to memref<1x3xf32>
  %y = kernel.buffer "y" of %params at 64 : memref<192xi8> to memref<4x1xf32>
  %flag = kernel.buffer "flag" of %params at 128 : memref<192xi8> to memref<i1>
  %x = kernel.buffer "x" of %inputs at 0 : memref<48xi8> to memref<4x3xf32>
  scf.for %k = %c0 to %c2 step %c1 {
    %first = arith.muli %k, %c4 : index
    kernel.load_input "x" 0 at %first size 4 of 8 #train.mapped<dim = 0> outs(%x : memref<4x3xf32>)
    kernel.gemm %x, %w transpose_b alpha %one beta %one outs(%y) : memref<4x3xf32>, memref<1x3xf32>, f32, memref<4x1xf32>
  }
  %as = kernel.buffer "as" of %params at 0 : memref<192xi8> to memref<2x1x2xf32>
  %bs = kernel.buffer "bs" of %params at 0 : memref<192xi8> to memref<2x2x1xf32>
  %cs = kernel.buffer "cs" of %params at 64 : memref<192xi8> to memref<2x1x1xf32>
  kernel.gemm %as, %bs alpha %one beta %one outs(%cs) : memref<2x1x2xf32>, memref<2x2x1xf32>, f32, memref<2x1x1xf32>
  kernel.launch @invert(%flag) : memref<i1>
  return
}

// Where LLVM has no intrinsic, the mathematical library is called.
// CHECK-LABEL: llvm.func internal @kernel.library
// CHECK: llvm.call @erf(%{{.*}}) : (f64) -> f64
// CHECK: llvm.call @log1p(%{{.*}}) : (f64) -> f64
// CHECK: llvm.call @expm1(%{{.*}}) : (f64) -> f64
// CHECK: llvm.call @log1pf(%{{.*}}) : (f32) -> f32
kernel.func @library elementwise(%x: memref<f64>, %y: memref<f32>) {
  %0 = memref.load %x[] : memref<f64>
  %1 = math.erf %0 : f64
  %2 = math.log1p %1 : f64
  %3 = math.expm1 %2 : f64
  memref.store %3, %x[] : memref<f64>
  %4 = memref.load %y[] : memref<f32>
  %5 = math.log1p %4 : f32
  memref.store %5, %y[] : memref<f32>
  kernel.return
}
