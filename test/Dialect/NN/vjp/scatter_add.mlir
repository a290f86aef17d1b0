// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// What was left out has no influence: the gather would be NaN there.
// CHECK-LABEL: func.func @scatter_add(
// CHECK-SAME: %[[U:[^:]+]]:{{[^%]+}}%[[I:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK: %[[G:.*]] = nn.gather %[[C]], %[[I]] dim 0 {train.backward}
// CHECK: nn.compare ge %[[I]],
// CHECK: %[[S:.*]] = nn.select %{{.*}}, %[[G]], %[[ZERO:[^ ]*]] {train.backward}
// CHECK: nn.compare lt %[[I]],
// CHECK: %[[DU:.*]] = nn.select %{{.*}}, %[[S]], %[[ZERO]] {train.backward}
// CHECK-NEXT: return %[[DU]]
// VALUES-LABEL: @scatter_add
// VALUES-NEXT: #0: {{\[\[}}5, 6], [0, 0], [1, 2], [0, 0]]
func.func @scatter_add(%u: tensor<4x2xf32> {reference.value = dense<1.0> : tensor<4x2xf32>},
    %i: tensor<4xi32> {reference.value = dense<[2, 3, 0, -1]> : tensor<4xi32>},
    %c: tensor<3x2xf32> {reference.value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>}) -> tensor<4x2xf32> {
  %y = nn.scatter_add %u, %i dim 0 : (tensor<4x2xf32>, tensor<4xi32>) -> tensor<3x2xf32>
  %0 = nn.mul %y, %c : tensor<3x2xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<3x2xf32> -> tensor<f32>
  %du = train.gradient %loss wrt %u : tensor<f32> wrt tensor<4x2xf32>
  return %du : tensor<4x2xf32>
}
