// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func @take_along(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[I:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.scatter_add_along %[[C]], %[[I]] dim 1 {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @take_along
// VALUES-NEXT: #0: {{\[\[}}0, 0, 3], [3, 4, 0]]
func.func @take_along(%x: tensor<?x3xf32> {reference.value = dense<1.0> : tensor<2x3xf32>},
    %i: tensor<?x2xi32> {reference.value = dense<[[2, 2], [0, 1]]> : tensor<2x2xi32>},
    %c: tensor<?x2xf32> {reference.value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>}) -> tensor<?x3xf32> {
  %y = nn.take_along %x, %i dim 1 : (tensor<?x3xf32>, tensor<?x2xi32>) -> tensor<?x2xf32>
  %0 = nn.mul %y, %c : tensor<?x2xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x2xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
