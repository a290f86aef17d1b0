// RUN: accrue-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @normalization
func.func @normalization(%x: tensor<?x8x4xf32>, %c: tensor<?x8x4xf32>) {
  // CHECK: nn.softmax %{{.*}} dim 2 : tensor<?x8x4xf32>
  %0 = nn.softmax %x dim 2 : tensor<?x8x4xf32>
  // CHECK: nn.log_softmax %{{.*}} dim 1 : tensor<?x8x4xf32>
  %1 = nn.log_softmax %x dim 1 : tensor<?x8x4xf32>
  // CHECK: nn.logsumexp %{{.*}} dims [1, 2] : tensor<?x8x4xf32> -> tensor<?xf32>
  %2 = nn.logsumexp %x dims [1, 2] : tensor<?x8x4xf32> -> tensor<?xf32>
  // CHECK: nn.normalize %{{.*}} dims [0, 2] eps 1.000000e-05 : tensor<?x8x4xf32>
  %3 = nn.normalize %x dims [0, 2] eps 1.0e-5 : tensor<?x8x4xf32>
  // CHECK: nn.normalize_grad %{{.*}}, %{{.*}} dims [2] eps 1.000000e-05 : tensor<?x8x4xf32>
  %4 = nn.normalize_grad %x, %c dims [2] eps 1.0e-5 : tensor<?x8x4xf32>
  // CHECK: nn.rms_norm %{{.*}} dims [2] eps 1.000000e-05 : tensor<?x8x4xf32>
  %5 = nn.rms_norm %x dims [2] eps 1.0e-5 : tensor<?x8x4xf32>
  // CHECK: nn.moments %{{.*}} dims [0, 2] : tensor<?x8x4xf32> -> tensor<8xf32>, tensor<8xf32>
  %6, %7 = nn.moments %x dims [0, 2] : tensor<?x8x4xf32> -> tensor<8xf32>, tensor<8xf32>
  return
}

// CHECK-LABEL: @attention
func.func @attention(%q: tensor<?x4x6x8xbf16>, %k: tensor<?x2x5x8xbf16>, %v: tensor<?x2x5x3xbf16>, %m: tensor<6x5xi1>, %n: tensor<?x4x6x5xi1>) {
  // CHECK: nn.attention %{{.*}}, %{{.*}}, %{{.*}} scale 5.000000e-01 : (tensor<?x4x6x8xbf16>, tensor<?x2x5x8xbf16>, tensor<?x2x5x3xbf16>) -> tensor<?x4x6x3xbf16>
  %0 = nn.attention %q, %k, %v scale 0.5 : (tensor<?x4x6x8xbf16>, tensor<?x2x5x8xbf16>, tensor<?x2x5x3xbf16>) -> tensor<?x4x6x3xbf16>
  // CHECK: nn.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} causal scale
  %1 = nn.attention %q, %k, %v mask %m causal scale 0.5 : (tensor<?x4x6x8xbf16>, tensor<?x2x5x8xbf16>, tensor<?x2x5x3xbf16>, tensor<6x5xi1>) -> tensor<?x4x6x3xbf16>
  // CHECK: nn.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} scale
  %2 = nn.attention %q, %k, %v mask %n scale 0.5 : (tensor<?x4x6x8xbf16>, tensor<?x2x5x8xbf16>, tensor<?x2x5x3xbf16>, tensor<?x4x6x5xi1>) -> tensor<?x4x6x3xbf16>
  return
}
