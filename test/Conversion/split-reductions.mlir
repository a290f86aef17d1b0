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

// Along the rows of every channel of every sample first.
// CHECK-LABEL: @channels
// CHECK-SAME: %[[X:.*]]: tensor<512x10x4x8xf32>
// CHECK: %[[ROWS:.*]] = nn.sum %[[X]] dims [2, 3] {train.backward} : tensor<512x10x4x8xf32> -> tensor<512x10xf32>
// CHECK: %[[R:.*]] = nn.reshape %[[ROWS]] {train.backward} : tensor<512x10xf32> to tensor<32x16x10xf32>
// CHECK: %[[P:.*]] = nn.sum %[[R]] dims [1] {train.backward} : tensor<32x16x10xf32> -> tensor<32x10xf32>
// CHECK: nn.sum %[[P]] dims [0] {train.backward} : tensor<32x10xf32> -> tensor<10xf32>
// LARGE-LABEL: @channels
// LARGE: nn.sum %{{.*}} dims [2, 3]
// LARGE: nn.sum %{{.*}} dims [0] {train.backward} : tensor<512x10xf32> -> tensor<10xf32>
func.func @channels(%x: tensor<512x10x4x8xf32>) -> tensor<10xf32> {
  %0 = nn.sum %x dims [0, 2, 3] {train.backward} : tensor<512x10x4x8xf32> -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// CHECK-LABEL: @channel_means
// CHECK: %[[ROWS:.*]] = nn.sum %{{.*}} dims [2, 3] : tensor<8x10x4x8xf32> -> tensor<8x10xf32>
// CHECK: %[[S:.*]] = nn.sum %[[ROWS]] dims [0] : tensor<8x10xf32> -> tensor<10xf32>
// CHECK: nn.constant dense<3.906250e-03> : tensor<f32>
// CHECK: nn.mul %[[S]]
func.func @channel_means(%x: tensor<8x10x4x8xf32>) -> tensor<10xf32> {
  %0 = nn.mean %x dims [0, 2, 3] : tensor<8x10x4x8xf32> -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// Short rows are no rows, and a middle dimension has columns enough.
// CHECK-LABEL: @channels_stay
// CHECK: nn.sum %{{.*}} dims [0, 2] : tensor<8x10x3xf32> -> tensor<10xf32>
// CHECK: nn.sum %{{.*}} dims [1] : tensor<8x512x4xf32> -> tensor<8x4xf32>
func.func @channels_stay(%x: tensor<8x10x3xf32>, %y: tensor<8x512x4xf32>) -> (tensor<10xf32>, tensor<8x4xf32>) {
  %0 = nn.sum %x dims [0, 2] : tensor<8x10x3xf32> -> tensor<10xf32>
  %1 = nn.sum %y dims [1] : tensor<8x512x4xf32> -> tensor<8x4xf32>
  return %0, %1 : tensor<10xf32>, tensor<8x4xf32>
}

// Chunks of samples where the rows are short.
// CHECK-LABEL: @short_rows
// CHECK: nn.reshape %{{.*}} : tensor<512x10x3xf32> to tensor<32x16x10x3xf32>
// CHECK: nn.sum %{{.*}} dims [1, 3] : tensor<32x16x10x3xf32> -> tensor<32x10xf32>
// CHECK: nn.sum %{{.*}} dims [0] : tensor<32x10xf32> -> tensor<10xf32>
func.func @short_rows(%x: tensor<512x10x3xf32>) -> tensor<10xf32> {
  %0 = nn.sum %x dims [0, 2] : tensor<512x10x3xf32> -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// Stages of halves are f32: a sum of 512 rows overflows nothing on its way.
// CHECK-LABEL: @halves
// CHECK: nn.convert %{{.*}} : tensor<512x10xf16> to tensor<512x10xf32>
// CHECK: nn.sum %{{.*}} dims [0] : tensor<32x10xf32> -> tensor<10xf32>
// CHECK: nn.convert %{{.*}} : tensor<10xf32> to tensor<10xf16>
func.func @halves(%x: tensor<512x10xf16>) -> tensor<10xf16> {
  %0 = nn.sum %x dims [0] : tensor<512x10xf16> -> tensor<10xf16>
  return %0 : tensor<10xf16>
}
