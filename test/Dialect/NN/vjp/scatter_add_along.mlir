// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func @scatter_add_along(
// CHECK-SAME: %[[U:[^:]+]]:{{[^%]+}}%[[I:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK: %[[G:.*]] = nn.take_along %[[C]], %[[I]] dim 1 {train.backward}
// CHECK: nn.compare ge %[[I]],
// CHECK: %[[S:.*]] = nn.select %{{.*}}, %[[G]], %[[ZERO:[^ ]*]] {train.backward}
// CHECK: nn.compare lt %[[I]],
// CHECK: %[[DU:.*]] = nn.select %{{.*}}, %[[S]], %[[ZERO]] {train.backward}
// CHECK-NEXT: return %[[DU]]
// VALUES-LABEL: @scatter_add_along
// VALUES-NEXT: #0: {{\[\[}}3, 3, 0], [0, 4, 5]]
func.func @scatter_add_along(%u: tensor<?x3xf32> {reference.value = dense<1.0> : tensor<2x3xf32>},
    %i: tensor<?x3xi64> {reference.value = dense<[[2, 2, 3], [-1, 0, 1]]> : tensor<2x3xi64>},
    %c: tensor<?x3xf32> {reference.value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.scatter_add_along %u, %i dim 1 : (tensor<?x3xf32>, tensor<?x3xi64>) -> tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %du = train.gradient %loss wrt %u : tensor<f32> wrt tensor<?x3xf32>
  return %du : tensor<?x3xf32>
}
