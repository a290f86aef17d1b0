// RUN: accrue-opt %s --split-reductions | FileCheck %s
// RUN: accrue-opt %s --split-reductions=min-extent=1000 | FileCheck %s --check-prefix=LARGE

// CHECK-LABEL: @columns
// CHECK-SAME: %[[X:.*]]: tensor<512x10xf32>
// CHECK: %[[R:.*]] = nn.reshape %[[X]] {train.backward} : tensor<512x10xf32> to tensor<32x16x10xf32>
// CHECK: %[[P:.*]] = nn.sum %[[R]] dims [1] {train.backward} : tensor<32x16x10xf32> -> tensor<32x10xf32>
// CHECK: nn.sum %[[P]] dims [0] {train.backward} : tensor<32x10xf32> -> tensor<10xf32>
// LARGE-LABEL: @columns
// LARGE: nn.sum %{{.*}} dims [0] {train.backward} : tensor<512x10xf32> -> tensor<10xf32>
func.func @columns(%x: tensor<512x10xf32>) -> tensor<10xf32> {
  %0 = nn.sum %x dims [0] {train.backward} : tensor<512x10xf32> -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// CHECK-LABEL: @mean
// CHECK: nn.reshape %{{.*}} : tensor<64x64xf32> to tensor<64x64xf32>
// CHECK: nn.sum %{{.*}} dims [1] : tensor<64x64xf32> -> tensor<64xf32>
// CHECK: %[[S:.*]] = nn.sum %{{.*}} dims [0] : tensor<64xf32> -> tensor<f32>
// CHECK: %[[C:.*]] = nn.constant dense<2.44140625E-4> : tensor<f32>
// CHECK: nn.mul %[[S]], %[[C]] : tensor<f32>
func.func @mean(%x: tensor<64x64xf32>) -> tensor<f32> {
  %0 = nn.mean %x dims [0, 1] : tensor<64x64xf32> -> tensor<f32>
  return %0 : tensor<f32>
}

// Short sums, sums along rows, and a prime number of rows stay.
// CHECK-LABEL: @stays
// CHECK-NOT: nn.reshape
func.func @stays(%x: tensor<128x600xf32>, %y: tensor<509x4xf32>) -> (tensor<600xf32>, tensor<128xf32>, tensor<4xf32>) {
  %0 = nn.sum %x dims [0] : tensor<128x600xf32> -> tensor<600xf32>
  %1 = nn.sum %x dims [1] : tensor<128x600xf32> -> tensor<128xf32>
  %2 = nn.sum %y dims [0] : tensor<509x4xf32> -> tensor<4xf32>
  return %0, %1, %2 : tensor<600xf32>, tensor<128xf32>, tensor<4xf32>
}
