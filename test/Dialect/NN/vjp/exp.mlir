// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx = c y
// CHECK-LABEL: func.func @exp(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.exp %[[X]]
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.mul %[[C]], %[[V0]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @exp
// VALUES-NEXT: #0: {{\[\[}}0.18394, 1.5576, -1.27479], [-1.76553, 3.69453, -5.77541]]
func.func @exp(%x: tensor<?x3xf32> {reference.value = dense<[[-1.0, -0.25, 0.125], [0.25, 2.0, 1.125]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[0.5, 2.0, -1.125], [-1.375, 0.5, -1.875]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.exp %x : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
