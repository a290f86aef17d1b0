// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// The smaller one receives c; where both are equal, each receives c / 2.
// CHECK-LABEL: func.func @min(
// CHECK-SAME: %[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.constant {train.backward} dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.constant {train.backward} dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.broadcast %[[V1]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V3:[^ ]+]] = nn.broadcast %[[V0]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V4:[^ ]+]] = nn.mul %[[C]], %[[V3]] {train.backward}
// CHECK-NEXT: %[[V5:[^ ]+]] = nn.compare eq %[[A]], %[[B]] {train.backward}
// CHECK-NEXT: %[[V6:[^ ]+]] = nn.compare lt %[[A]], %[[B]] {train.backward}
// CHECK-NEXT: %[[V7:[^ ]+]] = nn.select %[[V6]], %[[C]], %[[V2]] {train.backward}
// CHECK-NEXT: %[[DA:[^ ]+]] = nn.select %[[V5]], %[[V4]], %[[V7]] {train.backward}
// CHECK-NEXT: %[[V9:[^ ]+]] = nn.select %[[V6]], %[[V2]], %[[C]] {train.backward}
// CHECK-NEXT: %[[DB:[^ ]+]] = nn.select %[[V5]], %[[V4]], %[[V9]] {train.backward}
// CHECK-NEXT: return %[[DA]], %[[DB]]
// VALUES-LABEL: @min
// VALUES-NEXT: #0: {{\[\[}}0, -0.5, -0.625], [0, -1.625, 0.5]]
// VALUES-NEXT: #1: {{\[\[}}-1.125, -0.5, 0], [-0.125, 0, 0.5]]
func.func @min(%a: tensor<?x3xf32> {reference.value = dense<[[-0.5, -1.0, -0.125], [0.625, -1.625, 0.5]]> : tensor<2x3xf32>},
    %b: tensor<?x3xf32> {reference.value = dense<[[-1.5, -1.0, 1.375], [-0.5, -0.5, 0.5]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-1.125, -1.0, -0.625], [-0.125, -1.625, 1.0]]> : tensor<2x3xf32>}) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %y = nn.min %a, %b : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %da, %db = train.gradient %loss wrt %a, %b : tensor<f32> wrt tensor<?x3xf32>, tensor<?x3xf32>
  return %da, %db : tensor<?x3xf32>, tensor<?x3xf32>
}

// Only what is wanted is built.
// CHECK-LABEL: func.func @min_rhs(
// CHECK-SAME: %[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.constant {train.backward} dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.constant {train.backward} dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.broadcast %[[V1]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V3:[^ ]+]] = nn.broadcast %[[V0]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V4:[^ ]+]] = nn.mul %[[C]], %[[V3]] {train.backward}
// CHECK-NEXT: %[[V5:[^ ]+]] = nn.compare eq %[[A]], %[[B]] {train.backward}
// CHECK-NEXT: %[[V6:[^ ]+]] = nn.compare lt %[[A]], %[[B]] {train.backward}
// CHECK-NEXT: %[[V7:[^ ]+]] = nn.select %[[V6]], %[[V2]], %[[C]] {train.backward}
// CHECK-NEXT: %[[DB:[^ ]+]] = nn.select %[[V5]], %[[V4]], %[[V7]] {train.backward}
// CHECK-NEXT: return %[[DB]]
// VALUES-LABEL: @min_rhs
// VALUES-NEXT: #0: {{\[\[}}-1.125, -0.5, 0], [-0.125, 0, 0.5]]
func.func @min_rhs(%a: tensor<?x3xf32> {reference.value = dense<[[-0.5, -1.0, -0.125], [0.625, -1.625, 0.5]]> : tensor<2x3xf32>},
    %b: tensor<?x3xf32> {reference.value = dense<[[-1.5, -1.0, 1.375], [-0.5, -0.5, 0.5]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-1.125, -1.0, -0.625], [-0.125, -1.625, 1.0]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.min %a, %b : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %db = train.gradient %loss wrt %b : tensor<f32> wrt tensor<?x3xf32>
  return %db : tensor<?x3xf32>
}
