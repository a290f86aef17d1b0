// RUN: accrue-opt %s --cuda-merge-kernels | FileCheck %s

// CHECK:     cuda.ranges @ranges
// CHECK-NOT: @ranges_2
// CHECK:     cuda.ranges @ranges_3
cuda.ranges @ranges [#kernel.range<"w" at 0 count 8 rule 0>]
cuda.ranges @ranges_2 [#kernel.range<"w" at 0 count 8 rule 0>]
cuda.ranges @ranges_3 [#kernel.range<"w" at 0 count 8 rule 1>]

// The second one is equal once the tables are; names do not matter.
// CHECK:      cuda.kernel @first(
// CHECK-SAME:   kernel.name = "x"
// CHECK-SAME:   sources = ["a.acr:1", "a.acr:2", "b.acr:1"]
// CHECK-NOT:  @second
cuda.kernel @first(%x: memref<8xi32> {kernel.name = "x"}) attributes {block = 8 : i64, grid = 1 : i64, sources = ["a.acr:1", "a.acr:2"]} {
  %i = gpu.thread_id x
  // CHECK: cuda.range_rule @ranges[
  %0 = cuda.range_rule @ranges[%i]
  memref.store %0, %x[%i] : memref<8xi32>
  cuda.return
}
cuda.kernel @second(%y: memref<8xi32> {kernel.name = "y"}) attributes {block = 8 : i64, grid = 1 : i64, sources = ["b.acr:1", "a.acr:1"]} {
  %i = gpu.thread_id x
  %0 = cuda.range_rule @ranges_2[%i]
  memref.store %0, %y[%i] : memref<8xi32>
  cuda.return
}

// Another table, grid, or type makes a kernel of its own.
// CHECK: cuda.kernel @table
// CHECK: cuda.kernel @grid
// CHECK: cuda.kernel @size
cuda.kernel @table(%x: memref<8xi32>) attributes {block = 8 : i64, grid = 1 : i64} {
  %i = gpu.thread_id x
  %0 = cuda.range_rule @ranges_3[%i]
  memref.store %0, %x[%i] : memref<8xi32>
  cuda.return
}
cuda.kernel @grid(%x: memref<8xi32>) attributes {block = 8 : i64, grid = 2 : i64} {
  %i = gpu.thread_id x
  %0 = cuda.range_rule @ranges[%i]
  memref.store %0, %x[%i] : memref<8xi32>
  cuda.return
}
cuda.kernel @size(%x: memref<9xi32>) attributes {block = 8 : i64, grid = 1 : i64} {
  %i = gpu.thread_id x
  %0 = cuda.range_rule @ranges[%i]
  memref.store %0, %x[%i] : memref<9xi32>
  cuda.return
}

// CHECK-LABEL: func.func @step
func.func @step(%x: memref<8xi32>, %y: memref<8xi32>) {
  // CHECK-NEXT: cuda.launch @first(%arg0)
  // CHECK-NEXT: cuda.launch @first(%arg1)
  // CHECK-NEXT: cuda.launch @table(%arg0)
  cuda.launch @first(%x) : memref<8xi32>
  cuda.launch @second(%y) : memref<8xi32>
  cuda.launch @table(%x) : memref<8xi32>
  return
}

// A segment that does the same is that of the first step.
// CHECK:      cuda.segment @segment(
// CHECK-NOT:  cuda.segment
// CHECK-LABEL: func.func @program
// CHECK-NEXT:  cuda.call @segment(%arg0)
// CHECK-LABEL: func.func @program_2
// CHECK-NEXT:  cuda.call @segment(%arg0)
cuda.segment @segment(%state: memref<64xi8> {kernel.arena = #kernel.arena<state>}) attributes {label = "run", step = @program} {
  %x = kernel.buffer "x" of %state at 0 : memref<64xi8> to memref<8xi32>
  cuda.launch @first(%x) : memref<8xi32>
  cuda.return
}
cuda.segment @segment_2(%state: memref<64xi8> {kernel.arena = #kernel.arena<state>}) attributes {label = "run", step = @program_2} {
  %x = kernel.buffer "x" of %state at 0 : memref<64xi8> to memref<8xi32>
  cuda.launch @second(%x) : memref<8xi32>
  cuda.return
}
func.func @program(%state: memref<64xi8> {kernel.arena = #kernel.arena<state>})
    attributes {kernel.plan = #kernel.plan<arenas = [<state bytes 64 used 64>], buffers = [], inputs = []>} {
  cuda.call @segment(%state) : memref<64xi8>
  return
}
func.func @program_2(%state: memref<64xi8> {kernel.arena = #kernel.arena<state>})
    attributes {kernel.plan = #kernel.plan<arenas = [<state bytes 64 used 64>], buffers = [], inputs = []>} {
  cuda.call @segment_2(%state) : memref<64xi8>
  return
}
