// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=3 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// The index is an integer: it has no cotangent.
// CHECK-LABEL: func.func @gather(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[I:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.scatter_add %[[C]], %[[I]] dim 0 {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @gather
// VALUES-NEXT: #0: {{\[\[}}3, 4], [0, 0], [6, 8]]
func.func @gather(%x: tensor<3x2xf32> {reference.value = dense<1.0> : tensor<3x2xf32>},
    %i: tensor<?xi32> {reference.value = dense<[2, 0, 2]> : tensor<3xi32>},
    %c: tensor<?x2xf32> {reference.value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>}) -> tensor<3x2xf32> {
  %y = nn.gather %x, %i dim 0 : (tensor<3x2xf32>, tensor<?xi32>) -> tensor<?x2xf32>
  %0 = nn.mul %y, %c : tensor<?x2xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x2xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<3x2xf32>
  return %dx : tensor<3x2xf32>
}
