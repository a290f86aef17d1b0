// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// What is sliced away gets zeros: before, after and between.
// CHECK-LABEL: func.func @slice(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.pad %[[C]] dim 1 low 1 high 2 interior 2 {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @slice
// VALUES-NEXT: #0: {{\[\[}}0, 1, 0, 0, 2, 0, 0], [0, 3, 0, 0, 4, 0, 0]]
func.func @slice(%x: tensor<?x7xf32> {reference.value = dense<1.0> : tensor<2x7xf32>},
    %c: tensor<?x2xf32> {reference.value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>}) -> tensor<?x7xf32> {
  %y = nn.slice %x dim 1 from 1 to 6 by 3 : tensor<?x7xf32> -> tensor<?x2xf32>
  %0 = nn.mul %y, %c : tensor<?x2xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x2xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x7xf32>
  return %dx : tensor<?x7xf32>
}
