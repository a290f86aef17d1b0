// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s

// da = c / b, db = -(c / b) y
// CHECK-LABEL: func.func @div(
// CHECK-SAME: %[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.div %[[A]], %[[B]]
// CHECK-NEXT: %[[DA:[^ ]+]] = nn.div %[[C]], %[[B]] {train.backward}
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.mul %[[DA]], %[[V0]] {train.backward}
// CHECK-NEXT: %[[DB:[^ ]+]] = nn.neg %[[V2]] {train.backward}
// CHECK-NEXT: return %[[DA]], %[[DB]]
func.func @div(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>, %c: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
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
func.func @div_rhs(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>, %c: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y = nn.div %a, %b : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %db = train.gradient %loss wrt %b : tensor<f32> wrt tensor<?x3xf32>
  return %db : tensor<?x3xf32>
}
