// RUN: accrue-opt %s --split-scans | FileCheck %s
// RUN: accrue-opt %s --split-scans=min-extent=1000 | FileCheck %s --check-prefix=LARGE
// RUN: accrue-translate %s --interpret | FileCheck %s --check-prefix=VALUES
// RUN: accrue-opt %s --split-scans=min-extent=8 | accrue-translate --interpret | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: @line
// CHECK-SAME: %[[X:[^:]+]]: tensor<320xf32>
// CHECK: %[[B:.*]] = nn.reshape %[[X]] {train.backward} : tensor<320xf32> to tensor<10x32xf32>
// CHECK: %[[W:.*]] = nn.cumsum %[[B]] dim 1 {train.backward} : tensor<10x32xf32>
// CHECK: %[[T:.*]] = nn.sum %[[B]] dims [1] {train.backward} : tensor<10x32xf32> -> tensor<10xf32>
// CHECK: %[[S:.*]] = nn.cumsum %[[T]] dim 0 {train.backward} : tensor<10xf32>
// CHECK: %[[K:.*]] = nn.slice %[[S]] dim 0 from 0 to 9 {train.backward}
// CHECK: %[[P:.*]] = nn.pad %[[K]] dim 0 low 1 high 0 {train.backward}
// CHECK: %[[O:.*]] = nn.broadcast %[[P]] dims [1] {train.backward} : tensor<10xf32> to tensor<10x32xf32>
// CHECK: %[[R:.*]] = nn.add %[[W]], %[[O]] {train.backward} : tensor<10x32xf32>
// CHECK: nn.reshape %[[R]] {train.backward} : tensor<10x32xf32> to tensor<320xf32>
// LARGE-LABEL: @line
// LARGE-NEXT: nn.cumsum
// LARGE-NEXT: return
func.func @line(%x: tensor<320xf32> {reference.value = dense<1.0> : tensor<320xf32>}) -> tensor<320xf32> {
  %0 = nn.cumsum %x dim 0 {train.backward} : tensor<320xf32>
  return %0 : tensor<320xf32>
}

// A line of blocks is split in turn: 4096 = 128 x 32 = 4 x 32 x 32.
// CHECK-LABEL: @stages
// CHECK: nn.cumsum %{{.*}} dim 2 reverse : tensor<2x128x32x3xf32>
// CHECK: nn.cumsum %{{.*}} dim 2 reverse : tensor<2x4x32x3xf32>
// CHECK: nn.cumsum %{{.*}} dim 1 reverse : tensor<2x4x3xf32>
// CHECK: nn.slice %{{.*}} dim 1 from 1 to 4 : tensor<2x4x3xf32> -> tensor<2x3x3xf32>
// CHECK: nn.pad %{{.*}} dim 1 low 0 high 1 : tensor<2x3x3xf32> -> tensor<2x4x3xf32>
// CHECK: return %{{.*}} : tensor<2x4096x3xf32>
func.func @stages(%x: tensor<2x4096x3xf32> {reference.value = dense<1.0> : tensor<2x4096x3xf32>}) -> tensor<2x4096x3xf32> {
  %0 = nn.cumsum %x dim 1 reverse : tensor<2x4096x3xf32>
  return %0 : tensor<2x4096x3xf32>
}

// Short lines and a prime number of elements stay.
// CHECK-LABEL: @stays
// CHECK-NOT: nn.reshape
// CHECK: return
func.func @stays(%x: tensor<63xf32> {reference.value = dense<1.0> : tensor<63xf32>}, %y: tensor<509xf32> {reference.value = dense<1.0> : tensor<509xf32>}) -> (tensor<63xf32>, tensor<509xf32>) {
  %0 = nn.cumsum %x dim 0 : tensor<63xf32>
  %1 = nn.cumsum %y dim 0 : tensor<509xf32>
  return %0, %1 : tensor<63xf32>, tensor<509xf32>
}

// Stages of halves are f32.
// CHECK-LABEL: @halves
// CHECK: nn.convert %{{.*}} : tensor<64xf16> to tensor<64xf32>
// CHECK: nn.convert %{{.*}} : tensor<64xf32> to tensor<64xf16>
func.func @halves(%x: tensor<64xf16> {reference.value = dense<1.0> : tensor<64xf16>}) -> tensor<64xf16> {
  %0 = nn.cumsum %x dim 0 : tensor<64xf16>
  return %0 : tensor<64xf16>
}

// Both ways, with the same values.
// CHECK-LABEL: @values
// VALUES-LABEL: @values
// VALUES-NEXT: #0: {{\[\[}}1, 3, 6, 10, 15, 21, 28, 36], [10, 30, 60, 100, 150, 210, 280, 360]]
// VALUES-NEXT: #1: {{\[\[}}36, 35, 33, 30, 26, 21, 15, 8], [360, 350, 330, 300, 260, 210, 150, 80]]
func.func @values() -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %x = nn.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0]]> : tensor<2x8xf32>
  %0 = nn.cumsum %x dim 1 : tensor<2x8xf32>
  %1 = nn.cumsum %x dim 1 reverse : tensor<2x8xf32>
  return %0, %1 : tensor<2x8xf32>, tensor<2x8xf32>
}
