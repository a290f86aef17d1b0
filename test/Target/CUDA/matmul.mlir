// RUN: accrue-translate --export-cuda --cuda-name m %s | FileCheck %s

// The head includes the part of the runtime that products need.
// CHECK: #include "runtime/cuda/Matmul.cuh"

// One row per plan. The comments have the row-major product.
// CHECK: namespace m_matmuls {
// CHECK: enum : int { tn_4x2x3, halves, f64, batch, count };
// CHECK: const accrue::MatmulShape shapes[count] = {
// CHECK-NEXT: // tn_4x2x3: [2, 4] = [2, 3] [4, 3]^T, 48 FLOPs, from m.acr:3, m.acr:5
// CHECK-NEXT: {accrue::kF32, CUBLAS_OP_T, CUBLAS_OP_N, 4, 2, 3, 1, 3, 3, 4, 512},
cuda.gemm_plan @tn_4x2x3 m 4 n 2 k 3 in f32 a f32 transpose ld 3 b f32 ld 3 c f32 ld 4 workspace 512 {flops = 48 : i64, sources = ["m.acr:3", "m.acr:5"]}
// Halves, summed in f32.
// CHECK-NEXT: // halves: [2, 4] = [3, 2]^T [3, 4]
// CHECK-NEXT: {{[{][{]}}CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16BF, CUDA_R_32F},
// CHECK-NEXT: CUBLAS_OP_N,
// CHECK-NEXT: CUBLAS_OP_T,
cuda.gemm_plan @halves m 4 n 2 k 3 in f32 a f16 ld 4 b bf16 transpose ld 2 c f32 ld 4
// CHECK: // f64: [2, 2] = [2, 2] [2, 2]
// CHECK-NEXT: {accrue::kF64, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, 1, 2, 2, 2, 0},
cuda.gemm_plan @f64 m 2 n 2 k 2 in f64 a f64 ld 2 b f64 ld 2 c f64 ld 2
// Several products.
// CHECK-NEXT: // batch: 6 of [3, 5] = [3, 2] [5, 2]^T
// CHECK-NEXT: {accrue::kF32, CUBLAS_OP_T, CUBLAS_OP_N, 5, 3, 2, 6, 2, 2, 5, 0},
cuda.gemm_plan @batch m 5 n 3 k 2 batch 6 in f32 a f32 transpose ld 2 b f32 ld 2 c f32 ld 5
// CHECK-NEXT: };
// CHECK: } // namespace m_matmuls

// The model has all of them, made when it is created.
// CHECK: struct m : accrue::Streams {
// CHECK-NEXT: accrue::Matmuls<m_matmuls::count> matmuls;

// A step only calls.
// CHECK-LABEL: static int m_step_update(m *model) {
cuda.segment @update(%params: memref<1024xi8> {kernel.arena = #kernel.arena<params>, cuda.name = "model->params"})
    attributes {step = @step, label = "update"} {
  %one = arith.constant {cuda.names = ["one"]} 1.0 : f32
  %half = arith.constant {cuda.names = ["half"]} 0.5 : f64
  %a = kernel.buffer "a" of %params at 0 {cuda.names = ["a"]} : memref<1024xi8> to memref<12xf32>
  %b = kernel.buffer "b" of %params at 64 {cuda.names = ["b"]} : memref<1024xi8> to memref<6xf32>
  %c = kernel.buffer "c" of %params at 128 {cuda.names = ["c"]} : memref<1024xi8> to memref<8xf32>
  %d = kernel.buffer "d" of %params at 192 {cuda.names = ["d"]} : memref<1024xi8> to memref<4xf64>
  // CHECK: int8_t *const workspace = accrue::at<int8_t>(model->params, 256);
  %w = kernel.buffer "workspace" of %params at 256 {cuda.names = ["workspace"]} : memref<1024xi8> to memref<512xi8>
  // CHECK-NEXT: ACCRUE_CHECK(accrue::matmul(model->matmuls[m_matmuls::tn_4x2x3], &one, a, b,
  // CHECK-NEXT: &one, c, workspace, model->stream));
  cuda.gemm @tn_4x2x3 alpha %one, %a, %b, beta %one, %c workspace %w : f32, memref<12xf32>, memref<6xf32>, memref<8xf32>, memref<512xi8>
  // CHECK-NEXT: ACCRUE_CHECK(accrue::matmul(model->matmuls[m_matmuls::f64], &half, d, d,
  // CHECK-NEXT: &half, d, nullptr, model->stream));
  cuda.gemm @f64 alpha %half, %d, %d, beta %half, %d : f64, memref<4xf64>, memref<4xf64>, memref<4xf64>
  cuda.return
}

func.func @step(%params: memref<1024xi8> {kernel.arena = #kernel.arena<params>, cuda.name = "model->params"})
    attributes {train.batch = 9 : i64, cuda.names = [], kernel.plan = #kernel.plan<arenas = [<params bytes 1024 used 1024>], buffers = [], inputs = []>} {
  cuda.call @update(%params) : memref<1024xi8>
  return
}

// CHECK: static int allocate(m *model) {
// CHECK: ACCRUE_CHECK(model->matmuls.create(m_matmuls::shapes));
