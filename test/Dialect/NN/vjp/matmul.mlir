// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// da = c b^T, db = a^T c
// CHECK-LABEL: func.func @matmul(
// CHECK-SAME: %[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DA:[^ ]+]] = nn.matmul %[[C]], %[[B]] transpose_rhs {train.backward}
// CHECK-NEXT: %[[DB:[^ ]+]] = nn.matmul %[[A]], %[[C]] transpose_lhs {train.backward}
// CHECK-NEXT: return %[[DA]], %[[DB]]
// VALUES-LABEL: @matmul
// VALUES-NEXT: #0: {{\[\[}}1.1875, -2.04688, 2.04688, -1.45312], [2.3125, -1.8125, 1.59375, -4.65625]]
// VALUES-NEXT: #1: {{\[\[}}3.65625, -4.20312, -2.07812], [2.1875, -2.48438, -2.54688], [-4.4375, 5.09375, 2.84375], [1.40625, -1.57812, -2.45312]]
func.func @matmul(%a: tensor<?x4xf32> {reference.value = dense<[[-1.375, 0.875, 1.25, 1.625], [-1.5, -1.625, 2.0, -1.5]]> : tensor<2x4xf32>},
    %b: tensor<4x3xf32> {reference.value = dense<[[-1.25, 0.25, -0.25], [1.0, -1.25, 1.625], [-1.125, 1.125, -1.75], [-0.125, -1.875, -0.75]]> : tensor<4x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-0.75, 0.875, -0.125], [-1.75, 2.0, 1.5]]> : tensor<2x3xf32>}) -> (tensor<?x4xf32>, tensor<4x3xf32>) {
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
// VALUES-LABEL: @matmul_rhs
// VALUES-NEXT: #0: {{\[\[}}-0.625, -0.25, -0.109375, -2.25], [1.17188, 0, 0.234375, 2.48438]]
// VALUES-NEXT: #1: {{\[\[}}4.07812, 1.6875, -0.609375, 0.984375], [4.6875, 1.3125, -0.75, 0.5625], [-4.84375, -2.26562, 0.703125, -1.40625]]
func.func @matmul_rhs(%a: tensor<?x4xf32> {reference.value = dense<[[1.625, -1.0, -0.375, -1.125], [-1.5, -1.875, 0.125, -1.5]]> : tensor<2x4xf32>},
    %b: tensor<3x4xf32> {reference.value = dense<[[-1.25, 1.5, -0.125, -1.25], [0.625, -0.875, 0.125, -0.875], [0.125, 0.5, 0.125, -0.375]]> : tensor<3x4xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[1.125, 1.5, -1.25], [-1.5, -1.5, 1.875]]> : tensor<2x3xf32>}) -> (tensor<?x4xf32>, tensor<3x4xf32>) {
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
// VALUES-LABEL: @matmul_lhs
// VALUES-NEXT: #0: {{\[\[}}1.375, -4.10938], [-2.96875, 1.60938], [-1.40625, 0.734375], [-1.1875, 0.203125]]
// VALUES-NEXT: #1: {{\[\[}}0.625, 0.234375, -4.23438], [0.75, 0.140625, -4.40625], [0.25, -0.265625, 0.03125], [-0.25, 1.35938, -5.28125]]
func.func @matmul_lhs(%a: tensor<4x?xf32> {reference.value = dense<[[1.75, -1.125], [1.875, -1.125], [0.125, 0.125], [1.625, -1.875]]> : tensor<4x2xf32>},
    %b: tensor<4x3xf32> {reference.value = dense<[[-0.75, 0.375, -1.75], [-1.0, -0.125, 1.5], [1.0, 1.375, 1.0], [0.875, 1.375, 0.75]]> : tensor<4x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[1.0, -0.75, -1.375], [1.0, -1.375, 1.625]]> : tensor<2x3xf32>}) -> (tensor<4x?xf32>, tensor<4x3xf32>) {
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
// VALUES-LABEL: @matmul_lhs_rhs
// VALUES-NEXT: #0: {{\[\[}}-0.40625, -3.14062], [2.96875, 0.3125], [-2.17188, -1.15625], [-0.234375, -2.89062]]
// VALUES-NEXT: #1: {{\[\[}}0.671875, 0.4375, 2.70312, -2.54688], [-0.453125, -0.765625, -1.39062, 0.6875], [1.67188, 4.71875, 3.39062, 1.60938]]
func.func @matmul_lhs_rhs(%a: tensor<4x?xf32> {reference.value = dense<[[0.375, -0.625], [1.75, -1.375], [0.125, -1.625], [1.875, 0.25]]> : tensor<4x2xf32>},
    %b: tensor<3x4xf32> {reference.value = dense<[[1.25, -0.875, 1.25, 0.75], [0.625, 1.75, -0.25, -0.375], [0.75, 1.375, -0.625, 0.625]]> : tensor<3x4xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-1.125, 0.25, 1.125], [-1.75, 0.875, -2.0]]> : tensor<2x3xf32>}) -> (tensor<4x?xf32>, tensor<3x4xf32>) {
  %y = nn.matmul %a, %b transpose_lhs transpose_rhs : (tensor<4x?xf32>, tensor<3x4xf32>) -> tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %da, %db = train.gradient %loss wrt %a, %b : tensor<f32> wrt tensor<4x?xf32>, tensor<3x4xf32>
  return %da, %db : tensor<4x?xf32>, tensor<3x4xf32>
}
