// RUN: accrue-translate --interpret --interpret-digits=8 %s | FileCheck %s

// Norm 5, clipped to 1; a norm below the limit leaves gradients alone.
// CHECK-LABEL: @clip
func.func @clip() -> (tensor<f32>, tensor<2xf32>, tensor<1x2xf32>, tensor<2xf32>) {
  %a = nn.constant dense<[3.0, 0.0]> : tensor<2xf32>
  %b = nn.constant dense<[[4.0, 0.0]]> : tensor<1x2xf32>
  // CHECK-NEXT: #0: 5
  %norm = train.global_norm %a, %b : tensor<2xf32>, tensor<1x2xf32> -> tensor<f32>
  // CHECK-NEXT: #1: [0.6, 0]
  // CHECK-NEXT: #2: {{\[\[}}0.8, 0]]
  %0, %1 = train.clip %a, %b by %norm max 1.0 : tensor<2xf32>, tensor<1x2xf32> by tensor<f32>
  // CHECK-NEXT: #3: [3, 0]
  %2 = train.clip %a by %norm max 5.0 : tensor<2xf32> by tensor<f32>
  return %norm, %0, %1, %2 : tensor<f32>, tensor<2xf32>, tensor<1x2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @finite
func.func @finite() -> (tensor<i1>, tensor<i1>, tensor<i1>) {
  %a = nn.constant dense<[3.0, 0.0]> : tensor<2xf32>
  %b = nn.constant dense<[3.0, 0x7F800000]> : tensor<2xf32>
  %c = nn.constant dense<0x7FC00000> : tensor<f32>
  // CHECK-NEXT: #0: 1
  %0 = train.all_finite %a : tensor<2xf32> -> tensor<i1>
  // CHECK-NEXT: #1: 0
  %1 = train.all_finite %a, %b : tensor<2xf32>, tensor<2xf32> -> tensor<i1>
  // CHECK-NEXT: #2: 0
  %2 = train.all_finite %c, %a : tensor<f32>, tensor<2xf32> -> tensor<i1>
  return %0, %1, %2 : tensor<i1>, tensor<i1>, tensor<i1>
}

// CHECK-LABEL: @one_device
func.func @one_device() -> (tensor<2xf32>, tensor<f32>) {
  %a = nn.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %b = nn.constant dense<-1.0> : tensor<f32>
  // CHECK-NEXT: #0: [3, 0.5]
  // CHECK-NEXT: #1: -1
  %0:2 = train.all_reduce %a, %b : tensor<2xf32>, tensor<f32>
  return %0#0, %0#1 : tensor<2xf32>, tensor<f32>
}

// CHECK-LABEL: @schedule
func.func @schedule() -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %t0 = nn.constant dense<0> : tensor<i64>
  %t3 = nn.constant dense<3> : tensor<i64>
  %t9 = nn.constant dense<9> : tensor<i64>
  %t20 = nn.constant dense<20> : tensor<i64>
  // CHECK-NEXT: #0: 0.25
  %0 = train.schedule #train.warmup_cosine<warmup = 4, steps = 14, floor = 1.0e-01> after %t0 : (tensor<i64>) -> tensor<f32>
  // CHECK-NEXT: #1: 1
  %1 = train.schedule #train.warmup_cosine<warmup = 4, steps = 14, floor = 1.0e-01> after %t3 : (tensor<i64>) -> tensor<f32>
  // CHECK-NEXT: #2: 0.55
  %2 = train.schedule #train.warmup_cosine<warmup = 4, steps = 14, floor = 1.0e-01> after %t9 : (tensor<i64>) -> tensor<f32>
  // CHECK-NEXT: #3: 0.1
  %3 = train.schedule #train.warmup_cosine<warmup = 4, steps = 14, floor = 1.0e-01> after %t20 : (tensor<i64>) -> tensor<f32>
  return %0, %1, %2, %3 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}

// Values by numpy, from the formulas of PyTorch.
// CHECK-LABEL: @adamw
func.func @adamw() -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) {
  %p = nn.constant dense<[1.0, -2.0, 0.5]> : tensor<3xf64>
  %g = nn.constant dense<[0.1, -0.2, 0.0]> : tensor<3xf64>
  %zero = nn.constant dense<0.0> : tensor<3xf64>
  %t0 = nn.constant dense<0> : tensor<i64>
  %t1 = nn.constant dense<1> : tensor<i64>
  %f = nn.constant dense<0.5> : tensor<f32>
  %ok = nn.constant dense<true> : tensor<i1>
  %p1, %m1, %v1 = train.update #train.adamw<lr = 1.0e-2, beta1 = 9.0e-1, beta2 = 9.9e-1, eps = 1.0e-8, weight_decay = 1.0e-1>
    on %p, %g slots(%zero, %zero : tensor<3xf64>, tensor<3xf64>) completed %t0 factor %f if %ok : tensor<3xf64>, tensor<3xf64>, tensor<i64>, tensor<f32>, tensor<i1>
  // CHECK-NEXT: #0: [0.98900275, -1.988003, 0.49950013]
  // CHECK-NEXT: #1: [0.019, -0.038, 0]
  // CHECK-NEXT: #2: [0.000199, 0.000796, 0]
  %p2, %m2, %v2 = train.update #train.adamw<lr = 1.0e-2, beta1 = 9.0e-1, beta2 = 9.9e-1, eps = 1.0e-8, weight_decay = 1.0e-1>
    on %p1, %g slots(%m1, %v1 : tensor<3xf64>, tensor<3xf64>) completed %t1 factor %f if %ok : tensor<3xf64>, tensor<3xf64>, tensor<i64>, tensor<f32>, tensor<i1>
  return %p2, %m2, %v2 : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
}

// CHECK-LABEL: @sgd
func.func @sgd() -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) {
  %p = nn.constant dense<[1.0, -2.0, 0.5]> : tensor<3xf64>
  %g = nn.constant dense<[0.1, -0.2, 0.0]> : tensor<3xf64>
  %b = nn.constant dense<[0.5, 0.0, 0.0]> : tensor<3xf64>
  %t = nn.constant dense<0> : tensor<i64>
  %f = nn.constant dense<0.5> : tensor<f32>
  %ok = nn.constant dense<true> : tensor<i1>
  %skip = nn.constant dense<false> : tensor<i1>
  // CHECK-NEXT: #0: [0.972, -1.989, 0.49975]
  // CHECK-NEXT: #1: [0.56, -0.22, 0.005]
  %p1, %b1 = train.update #train.sgd<lr = 1.0e-1, momentum = 9.0e-1, nesterov = false, weight_decay = 1.0e-2>
    on %p, %g slots(%b : tensor<3xf64>) completed %t factor %f if %ok : tensor<3xf64>, tensor<3xf64>, tensor<i64>, tensor<f32>, tensor<i1>
  // CHECK-NEXT: #2: [0.9693, -1.9791, 0.499525]
  %p2, %b2 = train.update #train.sgd<lr = 1.0e-1, momentum = 9.0e-1, nesterov = true, weight_decay = 1.0e-2>
    on %p, %g slots(%b : tensor<3xf64>) completed %t factor %f if %ok : tensor<3xf64>, tensor<3xf64>, tensor<i64>, tensor<f32>, tensor<i1>
  // A step that is not finite changes nothing.
  // CHECK-NEXT: #3: [1, -2, 0.5]
  // CHECK-NEXT: #4: [0.5, 0, 0]
  %p3, %b3 = train.update #train.sgd<lr = 1.0e-1, momentum = 9.0e-1, nesterov = false, weight_decay = 1.0e-2>
    on %p, %g slots(%b : tensor<3xf64>) completed %t factor %f if %skip : tensor<3xf64>, tensor<3xf64>, tensor<i64>, tensor<f32>, tensor<i1>
  return %p1, %b1, %p2, %p3, %b3 : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
}

// Two parameters with other rules, gradients of norm 5 clipped to 1.
// CHECK-LABEL: @fused
func.func @fused() -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %p = nn.constant dense<[1.0, -2.0]> : tensor<2xf64>
  %a = nn.constant dense<[3.0, 0.0]> : tensor<2xf64>
  %b = nn.constant dense<[0.0, 4.0]> : tensor<2xf64>
  %slot = nn.constant dense<[1.0, 0.0]> : tensor<2xf64>
  %t = nn.constant dense<0> : tensor<i64>
  %f = nn.constant dense<1.0> : tensor<f32>
  %ok = nn.constant dense<true> : tensor<i1>
  %norm = train.global_norm %a, %b : tensor<2xf64>, tensor<2xf64> -> tensor<f32>
  // p - 0.1 * 0.6; p - 0.1 * (0.5 * 1 + 0), p - 0.1 * 0.8.
  // CHECK-NEXT: #0: [0.94, -2]
  // CHECK-NEXT: #1: [0.95, -2.08]
  // CHECK-NEXT: #2: [0.5, 0.8]
  %0, %1, %2 = train.fused_update params(%p, %p : tensor<2xf64>, tensor<2xf64>) gradients(%a, %b : tensor<2xf64>, tensor<2xf64>)
    slots(%slot : tensor<2xf64>) completed %t factor %f if %ok clip %norm max 1.0
    [#train.sgd<lr = 1.0e-1, momentum = 0.0, nesterov = false, weight_decay = 0.0>, #train.sgd<lr = 1.0e-1, momentum = 5.0e-1, nesterov = false, weight_decay = 0.0>]
    : tensor<i64>, tensor<f32>, tensor<i1>, tensor<f32> -> tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
  return %0, %1, %2 : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}

// Gradient descent by 0.5: the parameters are 1.5 and -1. The averages, 2 and -2
// before, are (2 + 1.5) / 2 and (-2 - 1) / 2; what is stored is their distance
// from the parameters. A step that is not finite leaves everything.
// CHECK-LABEL: @ema
#ema = #train.ema<rule = #train.sgd<lr = 0.5, momentum = 0.0, nesterov = false, weight_decay = 0.0>, decay = 0.5>
func.func @ema() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %p = nn.constant dense<[2.0, -2.0]> : tensor<2xf32>
  %g = nn.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %d = nn.constant dense<0.0> : tensor<2xf32>
  %t = nn.constant dense<0> : tensor<i64>
  %f = nn.constant dense<1.0> : tensor<f32>
  %yes = nn.constant dense<true> : tensor<i1>
  %no = nn.constant dense<false> : tensor<i1>
  // CHECK-NEXT: #0: [1.5, -1]
  // CHECK-NEXT: #1: [0.25, -0.5]
  %0:2 = train.update #ema on %p, %g slots(%d : tensor<2xf32>) completed %t factor %f if %yes
    : tensor<2xf32>, tensor<2xf32>, tensor<i64>, tensor<f32>, tensor<i1>
  // CHECK-NEXT: #2: [1.5, -1]
  // CHECK-NEXT: #3: [0.25, -0.5]
  %1:2 = train.update #ema on %0#0, %g slots(%0#1 : tensor<2xf32>) completed %t factor %f if %no
    : tensor<2xf32>, tensor<2xf32>, tensor<i64>, tensor<f32>, tensor<i1>
  return %0#0, %0#1, %1#0, %1#1 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
