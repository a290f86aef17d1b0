// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx = c cos(x)
// CHECK-LABEL: func.func @sin(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.cos %[[X]] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.mul %[[C]], %[[V0]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @sin
// VALUES-NEXT: #0: {{\[\[}}1.50214, -0.360139, 0.182922], [-0.482337, 0.630244, 1.09698]]
func.func @sin(%x: tensor<?x3xf32> {reference.value = dense<[[2.5, -2.375, -0.75], [2.875, 2.375, -0.5]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-1.875, 0.5, 0.25], [0.5, -0.875, 1.25]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.sin %x : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
