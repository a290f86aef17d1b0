// RUN: accrue-opt %s --nn-to-linalg -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[$COL:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[$SWAP:.*]] = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: @elementwise
// CHECK: linalg.generic {indexing_maps = [#[[$COL]], #[[$ID]]]
// CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$ID]], #[[$ID]]], iterator_types = ["parallel", "parallel"]}
// CHECK:   arith.addf
// CHECK: linalg.generic
// CHECK:   arith.maximumf
// CHECK: linalg.generic {indexing_maps = [#[[$SWAP]], #[[$ID]]]
// CHECK-NOT: nn.
func.func @elementwise(%x: tensor<8x4xf32>, %b: tensor<4xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = kernel.group "g" elementwise ins(%x, %b : tensor<8x4xf32>, tensor<4xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%0: tensor<8x4xf32>, %1: tensor<4xf32>, %2: tensor<4x8xf32>):
    %3 = nn.broadcast %1 dims [0] : tensor<4xf32> to tensor<8x4xf32>
    %4 = nn.add %0, %3 : tensor<8x4xf32>
    %5 = nn.relu %4 : tensor<8x4xf32>
    %6 = nn.transpose %5 [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
    kernel.yield %6 : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}

// A mean divides once, after the sum.
// CHECK-LABEL: @mean
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK:   arith.addf
// CHECK: linalg.generic
// CHECK:   %[[N:.*]] = arith.constant 4.000000e+00 : f32
// CHECK:   arith.divf %{{.*}}, %[[N]]
func.func @mean(%x: tensor<8x4xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %r = kernel.group "g" rows ins(%x : tensor<8x4xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%0: tensor<8x4xf32>, %1: tensor<8xf32>):
    %2 = nn.mean %0 dims [1] : tensor<8x4xf32> -> tensor<8xf32>
    kernel.yield %2 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// Maximum and sum of exponentials are shared by the loss and its derivative.
// CHECK-LABEL: @cross_entropy
// CHECK-COUNT-2: "reduction"
// CHECK-NOT: "reduction"
// CHECK: tensor.extract
// CHECK: linalg.index 1
// CHECK: kernel.yield
func.func @cross_entropy(%x: tensor<8x4xf32>, %t: tensor<8xi32>, %ct: tensor<8xf32>, %a: tensor<8xf32>, %b: tensor<8x4xf32>) -> tensor<8xf32> {
  %r:2 = kernel.group "g" rows ins(%x, %t, %ct : tensor<8x4xf32>, tensor<8xi32>, tensor<8xf32>) outs(%a, %b : tensor<8xf32>, tensor<8x4xf32>) -> tensor<8xf32>, tensor<8x4xf32> {
  ^bb0(%0: tensor<8x4xf32>, %1: tensor<8xi32>, %2: tensor<8xf32>, %3: tensor<8xf32>, %4: tensor<8x4xf32>):
    %5 = nn.cross_entropy %0, %1 : (tensor<8x4xf32>, tensor<8xi32>) -> tensor<8xf32>
    %6 = nn.cross_entropy_grad %0, %1, %2 : tensor<8x4xf32>, tensor<8xi32>, tensor<8xf32>
    kernel.yield %5, %6 : tensor<8xf32>, tensor<8x4xf32>
  }
  return %r#0 : tensor<8xf32>
}

// -----

func.func @table(%o: tensor<2xf32>) -> tensor<2xf32> {
  %r = kernel.group "g" elementwise outs(%o : tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%0: tensor<2xf32>):
    // expected-error @below {{expected a constant with one value, got dense<[1.000000e+00, 2.000000e+00]>}}
    %1 = nn.constant dense<[1.0, 2.0]> : tensor<2xf32>
    kernel.yield %1 : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}
