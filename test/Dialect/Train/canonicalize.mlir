// RUN: accrue-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @weight(
// CHECK-NEXT: %[[W:.*]] = nn.constant dense<2.500000e-01> : tensor<f32>
// CHECK-NEXT: %[[V:.*]] = nn.constant dense<4.000000e-02> : tensor<f64>
// CHECK-NEXT: return %[[W]], %[[V]]
func.func @weight() -> (tensor<f32>, tensor<f64>) {
  %w = train.weight 128 of 512 : tensor<f32>
  %v = train.weight 40 of 1000 : tensor<f64>
  return %w, %v : tensor<f32>, tensor<f64>
}

// Two recomputations of the same values are two.
// CHECK-LABEL: func.func @recompute(
// CHECK-COUNT-2: train.recompute
func.func @recompute(%x: tensor<4xf32>, %c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = train.recompute 0 after(%c : tensor<4xf32>) inputs(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %2 = nn.exp %a : tensor<4xf32>
    train.yield %2 : tensor<4xf32>
  }
  %1 = train.recompute 1 after(%c : tensor<4xf32>) inputs(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %2 = nn.exp %a : tensor<4xf32>
    train.yield %2 : tensor<4xf32>
  }
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
