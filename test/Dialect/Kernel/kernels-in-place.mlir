// RUN: accrue-opt %s --kernels-in-place | FileCheck %s

// The product is read by nothing after the kernel: it is overwritten, and the
// buffer takes the name of what it ends as.
// CHECK-LABEL: func.func @dies(
// CHECK:         %[[B:.*]] = kernel.alloc "relu" activations : tensor<4xf32>
// CHECK-NOT:     kernel.alloc
// CHECK:         %[[F:.*]] = kernel.group "fill" elementwise outs(%[[B]]
// CHECK:         kernel.group "relu" elementwise ins(%{{.*}} : tensor<4xf32>) outs(%[[F]] : tensor<4xf32>)
// CHECK:         ^bb0(%[[P:.*]]: tensor<4xf32>, %[[X:.*]]: tensor<4xf32>):
// CHECK:           nn.add %[[X]], %[[P]]
func.func @dies(%p: tensor<4xf32>) -> tensor<4xf32> {
  %a = kernel.alloc "matmul" activations : tensor<4xf32>
  %f = kernel.group "fill" elementwise outs(%a : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%0: tensor<4xf32>):
    %1 = nn.constant dense<1.0> : tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  %b = kernel.alloc "relu" activations : tensor<4xf32>
  %r = kernel.group "relu" elementwise ins(%f, %p : tensor<4xf32>, tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%0: tensor<4xf32>, %1: tensor<4xf32>, %2: tensor<4xf32>):
    %3 = nn.add %0, %1 : tensor<4xf32>
    %4 = nn.relu %3 : tensor<4xf32>
    kernel.yield %4 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// An argument is not the kernel's to overwrite.
// CHECK-LABEL: func.func @argument(
// CHECK:         ins(%{{.*}} : tensor<4xf32>) outs(
func.func @argument(%p: tensor<4xf32>) -> tensor<4xf32> {
  %b = kernel.alloc "relu" activations : tensor<4xf32>
  %r = kernel.group "relu" elementwise ins(%p : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%0: tensor<4xf32>, %1: tensor<4xf32>):
    %2 = nn.relu %0 : tensor<4xf32>
    kernel.yield %2 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// Read again later: by a kernel, or by the one before under another version.
// CHECK-LABEL: func.func @lives(
// CHECK:         kernel.group "relu" elementwise ins(
// CHECK:         kernel.group "relu" elementwise outs(
func.func @lives() -> (tensor<4xf32>, tensor<4xf32>) {
  %a = kernel.alloc "x" activations : tensor<4xf32>
  %x = kernel.group "fill" elementwise outs(%a : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%0: tensor<4xf32>):
    %1 = nn.constant dense<1.0> : tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  %b = kernel.alloc "y" activations : tensor<4xf32>
  %y = kernel.group "relu" elementwise ins(%x : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%0: tensor<4xf32>, %1: tensor<4xf32>):
    %2 = nn.relu %0 : tensor<4xf32>
    kernel.yield %2 : tensor<4xf32>
  }
  %c = kernel.alloc "z" activations : tensor<4xf32>
  %z = kernel.group "relu" elementwise ins(%x : tensor<4xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%0: tensor<4xf32>, %1: tensor<4xf32>):
    %2 = nn.relu %0 : tensor<4xf32>
    kernel.yield %2 : tensor<4xf32>
  }
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// An element of the transpose is needed at another place.
// CHECK-LABEL: func.func @elsewhere(
// CHECK:         kernel.group "transpose" elementwise ins(
func.func @elsewhere() -> tensor<4x4xf32> {
  %a = kernel.alloc "x" activations : tensor<4x4xf32>
  %x = kernel.group "fill" elementwise outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%0: tensor<4x4xf32>):
    %1 = nn.constant dense<1.0> : tensor<4x4xf32>
    kernel.yield %1 : tensor<4x4xf32>
  }
  %b = kernel.alloc "y" activations : tensor<4x4xf32>
  %y = kernel.group "transpose" elementwise ins(%x : tensor<4x4xf32>) outs(%b : tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%0: tensor<4x4xf32>, %1: tensor<4x4xf32>):
    %2 = nn.transpose %0 [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
    %3 = nn.add %2, %2 : tensor<4x4xf32>
    kernel.yield %3 : tensor<4x4xf32>
  }
  return %y : tensor<4x4xf32>
}
