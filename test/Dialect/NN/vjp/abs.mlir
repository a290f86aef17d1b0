// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx = c sign(x), 0 at 0
// CHECK-LABEL: func.func @abs(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.sign %[[X]] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.mul %[[C]], %[[V0]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @abs
// VALUES-NEXT: #0: {{\[\[}}0.125, 0, -1.25], [-1.125, 1.75, 0]]
func.func @abs(%x: tensor<?x3xf32> {reference.value = dense<[[-1.5, 0.0, 2.0], [-0.25, 0.75, -0.0]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-0.125, 0.375, -1.25], [1.125, 1.75, -0.875]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.abs %x : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
