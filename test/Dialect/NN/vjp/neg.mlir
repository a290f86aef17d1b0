// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx = -c
// CHECK-LABEL: func.func @neg(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.neg %[[C]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @neg
// VALUES-NEXT: #0: {{\[\[}}2, -1.25, -1.25], [0.125, 0.75, 0.875]]
func.func @neg(%x: tensor<?x3xf32> {reference.value = dense<[[0.5, 1.625, 1.125], [-1.125, -0.75, 1.5]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-2.0, 1.25, 1.25], [-0.125, -0.75, -0.875]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.neg %x : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
