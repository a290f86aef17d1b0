// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func @flip(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.flip %[[C]] dims [1] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @flip
// VALUES-NEXT: #0: {{\[\[}}3, 2, 1], [6, 5, 4]]
func.func @flip(%x: tensor<?x3xf32> {reference.value = dense<1.0> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.flip %x dims [1] : tensor<?x3xf32> -> tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
