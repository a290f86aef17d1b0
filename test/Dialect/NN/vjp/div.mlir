// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// da = c / b, db = -(c / b) y
// CHECK-LABEL: func.func @div(
// CHECK-SAME: %[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.div %[[A]], %[[B]]
// CHECK-NEXT: %[[DA:[^ ]+]] = nn.div %[[C]], %[[B]] {train.backward}
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.mul %[[DA]], %[[V0]] {train.backward}
// CHECK-NEXT: %[[DB:[^ ]+]] = nn.neg %[[V2]] {train.backward}
// CHECK-NEXT: return %[[DA]], %[[DB]]
// VALUES-LABEL: @div
// VALUES-NEXT: #0: {{\[\[}}1.5, 1.25, -2.4], [0.75, 0.857143, -1.25]]
// VALUES-NEXT: #1: {{\[\[}}-0.375, 2.34375, 4.8], [-0.9375, -0.673469, -2.1875]]
func.func @div(%a: tensor<?x3xf32> {reference.value = dense<[[0.25, -1.875, 1.25], [1.875, 1.375, -1.75]]> : tensor<2x3xf32>},
    %b: tensor<?x3xf32> {reference.value = dense<[[1.0, 1.0, 0.625], [1.5, 1.75, 1.0]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[1.5, 1.25, -1.5], [1.125, 1.5, -1.25]]> : tensor<2x3xf32>}) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %y = nn.div %a, %b : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %da, %db = train.gradient %loss wrt %a, %b : tensor<f32> wrt tensor<?x3xf32>, tensor<?x3xf32>
  return %da, %db : tensor<?x3xf32>, tensor<?x3xf32>
}

// Only what is wanted is built.
// CHECK-LABEL: func.func @div_rhs(
// CHECK-SAME: %[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.div %[[A]], %[[B]]
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.div %[[C]], %[[B]] {train.backward}
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.mul %[[V1]], %[[V0]] {train.backward}
// CHECK-NEXT: %[[DB:[^ ]+]] = nn.neg %[[V2]] {train.backward}
// CHECK-NEXT: return %[[DB]]
// VALUES-LABEL: @div_rhs
// VALUES-NEXT: #0: {{\[\[}}0.112245, 0.306122, -0.234375], [-0.692308, -0.0510204, -0.248889]]
func.func @div_rhs(%a: tensor<?x3xf32> {reference.value = dense<[[0.25, 0.5, 0.375], [-1.625, 0.625, 0.5]]> : tensor<2x3xf32>},
    %b: tensor<?x3xf32> {reference.value = dense<[[1.75, 1.75, 1.0], [1.625, 1.75, 1.875]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-1.375, -1.875, 0.625], [-1.125, 0.25, 1.75]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.div %a, %b : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %db = train.gradient %loss wrt %b : tensor<f32> wrt tensor<?x3xf32>
  return %db : tensor<?x3xf32>
}
