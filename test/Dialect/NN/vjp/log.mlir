// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx = c / x
// CHECK-LABEL: func.func @log(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.div %[[C]], %[[X]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @log
// VALUES-NEXT: #0: {{\[\[}}0.333333, -0.615385, -1.33333], [-0.454545, 0.375, -0.769231]]
func.func @log(%x: tensor<?x3xf32> {reference.value = dense<[[0.375, 1.625, 1.5], [2.75, 2.0, 1.625]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[0.125, -1.0, -2.0], [-1.25, 0.75, -1.25]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.log %x : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
