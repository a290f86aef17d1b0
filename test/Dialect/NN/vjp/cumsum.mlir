// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx is the sum of c from the other end.
// CHECK-LABEL: func.func @cumsum(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.cumsum %[[C]] dim 1 reverse {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @cumsum
// VALUES-NEXT: #0: {{\[\[}}3.625, 3, 1.875], [-1.875, -0.375, -0.5]]
func.func @cumsum(%x: tensor<?x3xf32> {reference.value = dense<[[0.25, 1.75, 0.5], [1.25, -0.375, 0.125]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[0.625, 1.125, 1.875], [-1.5, 0.125, -0.5]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.cumsum %x dim 1 : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}

// CHECK-LABEL: func.func @cumsum_reverse(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.cumsum %[[C]] dim 1 {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @cumsum_reverse
// VALUES-NEXT: #0: {{\[\[}}0.625, 1.75, 3.625], [-1.5, -1.375, -1.875]]
func.func @cumsum_reverse(%x: tensor<?x3xf32> {reference.value = dense<[[0.25, 1.75, 0.5], [1.25, -0.375, 0.125]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[0.625, 1.125, 1.875], [-1.5, 0.125, -0.5]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.cumsum %x dim 1 reverse : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
