// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func @pad(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.slice %[[C]] dim 1 from 2 to 5 by 2 {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @pad
// VALUES-NEXT: #0: {{\[\[}}3, 5], [9, 11]]
func.func @pad(%x: tensor<?x2xf32> {reference.value = dense<1.0> : tensor<2x2xf32>},
    %c: tensor<?x6xf32> {reference.value = dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0]]> : tensor<2x6xf32>}) -> tensor<?x2xf32> {
  %y = nn.pad %x dim 1 low 2 high 1 interior 1 value 3.0 : tensor<?x2xf32> -> tensor<?x6xf32>
  %0 = nn.mul %y, %c : tensor<?x6xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x6xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x2xf32>
  return %dx : tensor<?x2xf32>
}
