// RUN: accrue-translate --export-cuda --cuda-name my-model %s | FileCheck %s

cuda.kernel @scale(%x: memref<6xf64> {cuda.name = "x"}) attributes {block = 64 : i64, grid = 3 : i64} {
  cuda.return
}

// CHECK: struct my_model {
// CHECK-NEXT: cudaStream_t stream;
// CHECK-NEXT: cublasHandle_t blas;
// CHECK-NEXT: void *inputs;
// CHECK-NEXT: void *outputs;

// CHECK-LABEL: extern "C" int my_model_step(my_model *model, const double *x) {
func.func @step(%inputs: memref<48xi8> {kernel.arena = #kernel.arena<inputs>, cuda.name = "model->inputs"},
                %outputs: memref<48xi8> {kernel.arena = #kernel.arena<outputs>, cuda.name = "model->outputs"})
    attributes {train.batch = 9 : i64, cuda.names = ["x"], kernel.plan = #kernel.plan<
      arenas = [<inputs bytes 48 used 48>, <outputs bytes 48 used 48>], buffers = [],
      inputs = [<0 "x" : tensor<2x9xf64> dim 1>]>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  // CHECK-NEXT: const double half = 0.5;
  %half = arith.constant {cuda.names = ["half"]} 0.5 : f64
  // CHECK-NEXT: double *const y = accrue::at<double>(model->outputs, 0);
  %y = kernel.buffer "y" of %outputs at 0 {cuda.names = ["y"]} : memref<48xi8> to memref<6xf64>
  // CHECK-NEXT: double *const x_micro = accrue::at<double>(model->inputs, 0);
  %m = kernel.buffer "x" of %inputs at 0 {cuda.names = ["x_micro"]} : memref<48xi8> to memref<6xf64>
  %x = cuda.input 0 : memref<18xf64>
  // CHECK-NEXT: for (int64_t k = 0; k < 3; ++k) {
  scf.for %k = %c0 to %c3 step %c1 {
    // CHECK-NEXT: ACCRUE_CHECK(cudaMemcpy2DAsync(x_micro, 3 * sizeof(double), x + k * 3,
    // CHECK-NEXT:     9 * sizeof(double), 3 * sizeof(double), 2,
    // CHECK-NEXT:     cudaMemcpyDefault, model->stream));
    %offset = arith.muli %k, %c3 : index
    cuda.memcpy_2d %m, %x[%offset] width 3 height 2 pitch 9 : memref<6xf64>, memref<18xf64>
    // CHECK-NEXT: ACCRUE_CHECK(
    // CHECK-NEXT:     accrue::launch(my_model_kernels::scale, 3, 64, model->stream, x_micro));
    cuda.launch @scale(%m) : memref<6xf64>
    // CHECK-NEXT: ACCRUE_CHECK(cublasDgemm(model->blas, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 3,
    // CHECK-NEXT:     &half, x_micro, 3, x_micro, 3, &half, y, 2));
    cuda.gemm m 2 n 2 k 3 alpha %half, %m transpose_a ld 3, %m ld 3, beta %half, %y ld 2 : f64, memref<6xf64>, memref<6xf64>, memref<6xf64>
  } {cuda.names = ["k"]}
  // CHECK-NEXT: }
  // CHECK-NEXT: ACCRUE_CHECK(cudaMemcpyAsync(x_micro, x, 6 * sizeof(double),
  // CHECK-NEXT:     cudaMemcpyDefault, model->stream));
  cuda.memcpy %m, %x[%c0] count 6 : memref<6xf64>, memref<18xf64>
  // CHECK-NEXT: return 0;
  return
}
