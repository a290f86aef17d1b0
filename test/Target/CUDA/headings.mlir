// RUN: accrue-translate --export-cuda %s | FileCheck %s

// What a kernel is headed by: exact amounts, and readable ones from a million
// on.

// CHECK:      // all: rows, one block for each of 5
// CHECK-NEXT: // 999999 bytes, 1250000 FLOPs (1.2 MFLOP)
// CHECK-NEXT: // from a.acr:1, 7, b.acr:3
// CHECK-NEXT: __global__ void __launch_bounds__(32) all()
cuda.kernel @all() attributes {block = 32 : i64, grid = 5 : i64, schedule = "rows, one block for each of 5", bytes = 999999 : i64, flops = 1250000 : i64, sources = ["a.acr:1", "a.acr:7", "b.acr:3"]} {
  cuda.return
}

// CHECK:      // large
// CHECK-NEXT: // 12884901888 bytes (12.9 GB)
// CHECK-NEXT: __global__
cuda.kernel @large() attributes {block = 32 : i64, grid = 5 : i64, bytes = 12884901888 : i64} {
  cuda.return
}

// Long ones go on in the next line, each in lines of its own.
// CHECK:      // wordy: {{.*}} thousands
// CHECK-NEXT: // of
// CHECK-NEXT: // from file_with_a_long_name.acr:1, other_file_with_a_long_name.acr:2,
// CHECK-NEXT: // another_file_with_a_long_name.acr:3
// CHECK-NEXT: __global__
cuda.kernel @wordy() attributes {block = 32 : i64, grid = 5 : i64, schedule = "rows, columns and everything in between, in blocks of many thousands of", sources = ["file_with_a_long_name.acr:1", "other_file_with_a_long_name.acr:2", "another_file_with_a_long_name.acr:3"]} {
  cuda.return
}

func.func @f(%state: memref<8xi8> {kernel.arena = #kernel.arena<state>, cuda.name = "model->state"})
    attributes {cuda.names = [], kernel.plan = #kernel.plan<arenas = [<state bytes 8 used 8>], buffers = [], inputs = []>} {
  return
}
