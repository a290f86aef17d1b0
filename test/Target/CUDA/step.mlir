// RUN: accrue-translate --export-cuda --cuda-name my-model %s | FileCheck %s

cuda.gemm_plan @f64_tn_2x2x3 m 2 n 2 k 3 in f64 a f64 transpose ld 3 b f64 ld 3 c f64 ld 2

cuda.kernel @scale(%x: memref<6xf64> {cuda.name = "x"}) attributes {block = 64 : i64, grid = 3 : i64} {
  cuda.return
}

// CHECK: struct my_model : accrue::Streams {
// CHECK-NEXT: accrue::Matmuls<my_model_matmuls::count> matmuls;
// CHECK-NEXT: void *inputs;
// CHECK-NEXT: void *outputs;

// CHECK-LABEL: static int my_model_step_micro_batch(my_model *model, bool first,
// CHECK-NEXT: int64_t part) {
cuda.segment @step_micro_batch(%inputs: memref<96xi8> {kernel.arena = #kernel.arena<inputs>, cuda.name = "model->inputs"},
                               %outputs: memref<48xi8> {kernel.arena = #kernel.arena<outputs>, cuda.name = "model->outputs"},
                               %first: i1 {cuda.name = "first"}, %part: index {cuda.name = "part"})
    attributes {step = @step, label = "micro_batch"} {
  // CHECK-NEXT: const double half = 0.5;
  %half = arith.constant {cuda.names = ["half"]} 0.5 : f64
  // CHECK-NEXT: double *const y = accrue::at<double>(model->outputs, 0);
  %y = kernel.buffer "y" of %outputs at 0 {cuda.names = ["y"]} : memref<48xi8> to memref<6xf64>
  // CHECK-NEXT: char *const in = accrue::at<char>(model->inputs, part * 48);
  %in = cuda.part %inputs[%part] stride 48 {cuda.names = ["in"]} : memref<96xi8> to memref<48xi8>
  // CHECK-NEXT: double *const x_micro = accrue::at<double>(in, 0);
  %m = kernel.buffer "x" of %in at 0 {cuda.names = ["x_micro"]} : memref<48xi8> to memref<6xf64>
  // CHECK-NEXT: const double beta = first ? 0.0 : half;
  %zero = arith.constant 0.0 : f64
  %beta = arith.select %first, %zero, %half {cuda.names = ["beta"]} : f64
  // CHECK-NEXT: ACCRUE_CHECK(
  // CHECK-NEXT:     accrue::launch(my_model_kernels::scale, 3, 64, model->stream, x_micro));
  cuda.launch @scale(%m) : memref<6xf64>
  // CHECK-NEXT: ACCRUE_CHECK(accrue::matmul(model->matmuls[my_model_matmuls::f64_tn_2x2x3],
  // CHECK-NEXT:     &half, x_micro, x_micro, &beta, y, nullptr,
  // CHECK-NEXT:     model->stream));
  cuda.gemm @f64_tn_2x2x3 alpha %half, %m, %m, beta %beta, %y : f64, memref<6xf64>, memref<6xf64>, memref<6xf64>
  // CHECK-NEXT: return 0;
  // CHECK-NEXT: }
  cuda.return
}

// CHECK-LABEL: extern "C" int my_model_step(my_model *model, const double *x) {
// CHECK-NEXT: ACCRUE_CHECK(accrue::begin(model, 0, {x}));
func.func @step(%inputs: memref<96xi8> {kernel.arena = #kernel.arena<inputs>, cuda.name = "model->inputs"},
                %outputs: memref<48xi8> {kernel.arena = #kernel.arena<outputs>, cuda.name = "model->outputs"})
    attributes {train.batch = 9 : i64, cuda.names = ["x"], kernel.plan = #kernel.plan<
      arenas = [<inputs bytes 96 used 96>, <outputs bytes 48 used 48>], buffers = [],
      inputs = [<0 "x" : tensor<2x9xf64> dim 1>]>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %x = cuda.input 0 : memref<18xf64>
  // CHECK-NEXT: for (int64_t k = 0; k < 3; ++k) {
  scf.for %k = %c0 to %c3 step %c1 {
    // CHECK-NEXT: const int64_t part = (k + 1) % 2;
    %next = arith.addi %k, %c1 : index
    %part = arith.remui %next, %c2 {cuda.names = ["part"]} : index
    // CHECK-NEXT: char *const in = accrue::at<char>(model->inputs, part * 48);
    %in = cuda.part %inputs[%part] stride 48 {cuda.names = ["in"]} : memref<96xi8> to memref<48xi8>
    // CHECK-NEXT: double *const x_micro = accrue::at<double>(in, 0);
    %m = kernel.buffer "x" of %in at 0 {cuda.names = ["x_micro"]} : memref<48xi8> to memref<6xf64>
    // CHECK-NEXT: ACCRUE_CHECK(model->beginFill(part));
    cuda.begin_fill %part
    // CHECK-NEXT: ACCRUE_CHECK(cudaMemcpy2DAsync(x_micro, 3 * sizeof(double), x + k * 3,
    // CHECK-NEXT:     9 * sizeof(double), 3 * sizeof(double), 2,
    // CHECK-NEXT:     cudaMemcpyDefault, model->copies));
    %offset = arith.muli %k, %c3 : index
    cuda.memcpy_2d %m, %x[%offset] width 3 height 2 pitch 9 : memref<6xf64>, memref<18xf64>
    // CHECK-NEXT: ACCRUE_CHECK(model->endFill(part));
    cuda.end_fill %part
    // CHECK-NEXT: ACCRUE_CHECK(my_model_step_micro_batch(model, k == 0, part));
    %first = arith.cmpi eq, %k, %c0 : index
    cuda.call @step_micro_batch(%inputs, %outputs, %first, %part) : memref<96xi8>, memref<48xi8>, i1, index
    // CHECK-NEXT: ACCRUE_CHECK(model->release(part));
    cuda.release %part
  } {cuda.names = ["k"]}
  // CHECK-NEXT: }
  // CHECK-NEXT: char *const in_2 = accrue::at<char>(model->inputs, 1 * 48);
  %in = cuda.part %inputs[%c1] stride 48 {cuda.names = ["in_2"]} : memref<96xi8> to memref<48xi8>
  // CHECK-NEXT: double *const x_tail = accrue::at<double>(in_2, 0);
  %m = kernel.buffer "x" of %in at 0 {cuda.names = ["x_tail"]} : memref<48xi8> to memref<6xf64>
  // CHECK-NEXT: ACCRUE_CHECK(cudaMemcpyAsync(x_tail, x, 6 * sizeof(double), cudaMemcpyDefault,
  // CHECK-NEXT:     model->copies));
  cuda.memcpy %m, %x[%c0] count 6 : memref<6xf64>, memref<18xf64>
  // CHECK-NEXT: return 0;
  return
}
