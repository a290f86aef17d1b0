// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// The label is an integer: it has no cotangent.
// CHECK-LABEL: func.func @cross_entropy(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[LABEL:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.cross_entropy_grad %[[X]], %[[LABEL]], %[[C]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @cross_entropy
// VALUES-NEXT: #0: {{\[\[}}0.032359, 0.446702, -0.479061], [1.42504, -0.0962564, -1.32878]]
func.func @cross_entropy(%x: tensor<?x3xf32> {reference.value = dense<[[-1.375, 1.25, 0.75], [-1.125, -0.875, 1.75]]> : tensor<2x3xf32>},
    %label: tensor<?xi32> {reference.value = dense<[2, 0]> : tensor<2xi32>},
    %c: tensor<?xf32> {reference.value = dense<[0.75, -1.5]> : tensor<2xf32>}) -> tensor<?x3xf32> {
  %y = nn.cross_entropy %x, %label : (tensor<?x3xf32>, tensor<?xi32>) -> tensor<?xf32>
  %0 = nn.mul %y, %c : tensor<?xf32>
  %loss = nn.sum %0 dims [0] : tensor<?xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
