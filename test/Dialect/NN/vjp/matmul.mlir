// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s

// da = c b^T, db = a^T c
// CHECK-LABEL: func.func @matmul(
// CHECK-SAME: %[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DA:[^ ]+]] = nn.matmul %[[C]], %[[B]] transpose_rhs {train.backward}
// CHECK-NEXT: %[[DB:[^ ]+]] = nn.matmul %[[A]], %[[C]] transpose_lhs {train.backward}
// CHECK-NEXT: return %[[DA]], %[[DB]]
func.func @matmul(%a: tensor<?x4xf32>, %b: tensor<4x3xf32>, %c: tensor<?x3xf32>) -> (tensor<?x4xf32>, tensor<4x3xf32>) {
  %y = nn.matmul %a, %b : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %da, %db = train.gradient %loss wrt %a, %b : tensor<f32> wrt tensor<?x4xf32>, tensor<4x3xf32>
  return %da, %db : tensor<?x4xf32>, tensor<4x3xf32>
}

// da = c b, db = c^T a
// CHECK-LABEL: func.func @matmul_rhs(
// CHECK-SAME: %[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DA:[^ ]+]] = nn.matmul %[[C]], %[[B]] {train.backward}
// CHECK-NEXT: %[[DB:[^ ]+]] = nn.matmul %[[C]], %[[A]] transpose_lhs {train.backward}
// CHECK-NEXT: return %[[DA]], %[[DB]]
func.func @matmul_rhs(%a: tensor<?x4xf32>, %b: tensor<3x4xf32>, %c: tensor<?x3xf32>) -> (tensor<?x4xf32>, tensor<3x4xf32>) {
  %y = nn.matmul %a, %b transpose_rhs : (tensor<?x4xf32>, tensor<3x4xf32>) -> tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %da, %db = train.gradient %loss wrt %a, %b : tensor<f32> wrt tensor<?x4xf32>, tensor<3x4xf32>
  return %da, %db : tensor<?x4xf32>, tensor<3x4xf32>
}

// da = b c^T, db = a c
// CHECK-LABEL: func.func @matmul_lhs(
// CHECK-SAME: %[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DA:[^ ]+]] = nn.matmul %[[B]], %[[C]] transpose_rhs {train.backward}
// CHECK-NEXT: %[[DB:[^ ]+]] = nn.matmul %[[A]], %[[C]] {train.backward}
// CHECK-NEXT: return %[[DA]], %[[DB]]
func.func @matmul_lhs(%a: tensor<4x?xf32>, %b: tensor<4x3xf32>, %c: tensor<?x3xf32>) -> (tensor<4x?xf32>, tensor<4x3xf32>) {
  %y = nn.matmul %a, %b transpose_lhs : (tensor<4x?xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %da, %db = train.gradient %loss wrt %a, %b : tensor<f32> wrt tensor<4x?xf32>, tensor<4x3xf32>
  return %da, %db : tensor<4x?xf32>, tensor<4x3xf32>
}

// da = b^T c^T, db = c^T a^T
// CHECK-LABEL: func.func @matmul_lhs_rhs(
// CHECK-SAME: %[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DA:[^ ]+]] = nn.matmul %[[B]], %[[C]] transpose_lhs transpose_rhs {train.backward}
// CHECK-NEXT: %[[DB:[^ ]+]] = nn.matmul %[[C]], %[[A]] transpose_lhs transpose_rhs {train.backward}
// CHECK-NEXT: return %[[DA]], %[[DB]]
func.func @matmul_lhs_rhs(%a: tensor<4x?xf32>, %b: tensor<3x4xf32>, %c: tensor<?x3xf32>) -> (tensor<4x?xf32>, tensor<3x4xf32>) {
  %y = nn.matmul %a, %b transpose_lhs transpose_rhs : (tensor<4x?xf32>, tensor<3x4xf32>) -> tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %da, %db = train.gradient %loss wrt %a, %b : tensor<f32> wrt tensor<4x?xf32>, tensor<3x4xf32>
  return %da, %db : tensor<4x?xf32>, tensor<3x4xf32>
}
