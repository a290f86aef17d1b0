// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// da = c b a^(b - 1), 0 where b = 0; db = c y log(a), 0 where a = 0 and b >= 0
// CHECK-LABEL: func.func @pow(
// CHECK-SAME: %[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.constant {train.backward} dense<-1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.constant {train.backward} dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.pow %[[A]], %[[B]]
// CHECK-NEXT: %[[V3:[^ ]+]] = nn.broadcast %[[V1]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V4:[^ ]+]] = nn.broadcast %[[V0]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V5:[^ ]+]] = nn.add %[[B]], %[[V4]] {train.backward}
// CHECK-NEXT: %[[V6:[^ ]+]] = nn.pow %[[A]], %[[V5]] {train.backward}
// CHECK-NEXT: %[[V7:[^ ]+]] = nn.mul %[[B]], %[[V6]] {train.backward}
// CHECK-NEXT: %[[V8:[^ ]+]] = nn.mul %[[C]], %[[V7]] {train.backward}
// CHECK-NEXT: %[[V9:[^ ]+]] = nn.compare eq %[[B]], %[[V3]] {train.backward}
// CHECK-NEXT: %[[DA:[^ ]+]] = nn.select %[[V9]], %[[V3]], %[[V8]] {train.backward}
// CHECK-NEXT: %[[V11:[^ ]+]] = nn.log %[[A]] {train.backward}
// CHECK-NEXT: %[[V12:[^ ]+]] = nn.mul %[[V2]], %[[V11]] {train.backward}
// CHECK-NEXT: %[[V13:[^ ]+]] = nn.mul %[[C]], %[[V12]] {train.backward}
// CHECK-NEXT: %[[V14:[^ ]+]] = nn.compare eq %[[A]], %[[V3]] {train.backward}
// CHECK-NEXT: %[[V15:[^ ]+]] = nn.compare ge %[[B]], %[[V3]] {train.backward}
// CHECK-NEXT: %[[V16:[^ ]+]] = nn.and %[[V14]], %[[V15]] {train.backward}
// CHECK-NEXT: %[[DB:[^ ]+]] = nn.select %[[V16]], %[[V3]], %[[V13]] {train.backward}
// CHECK-NEXT: return %[[DA]], %[[DB]]
// VALUES-LABEL: @pow
// VALUES-NEXT: #0: {{\[\[}}1, 0.125, 0], [0, -0.51031, 0]]
// VALUES-NEXT: #1: {{\[\[}}-0.173287, -0.173287, 0], [0, -0.620739, 0.549306]]
func.func @pow(%a: tensor<?x3xf32> {reference.value = dense<[[0.5, 2.0, 0.0], [0.0, 1.5, 3.0]]> : tensor<2x3xf32>},
    %b: tensor<?x3xf32> {reference.value = dense<[[2.0, -1.0, 2.0], [0.0, 0.5, 0.0]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[1.0, -0.5, 2.0], [0.75, -1.25, 0.5]]> : tensor<2x3xf32>}) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %y = nn.pow %a, %b : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %da, %db = train.gradient %loss wrt %a, %b : tensor<f32> wrt tensor<?x3xf32>, tensor<?x3xf32>
  return %da, %db : tensor<?x3xf32>, tensor<?x3xf32>
}

// Only what is wanted is built.
// CHECK-LABEL: func.func @pow_lhs(
// CHECK-SAME: %[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.constant {train.backward} dense<-1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.constant {train.backward} dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.broadcast %[[V1]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V3:[^ ]+]] = nn.broadcast %[[V0]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V4:[^ ]+]] = nn.add %[[B]], %[[V3]] {train.backward}
// CHECK-NEXT: %[[V5:[^ ]+]] = nn.pow %[[A]], %[[V4]] {train.backward}
// CHECK-NEXT: %[[V6:[^ ]+]] = nn.mul %[[B]], %[[V5]] {train.backward}
// CHECK-NEXT: %[[V7:[^ ]+]] = nn.mul %[[C]], %[[V6]] {train.backward}
// CHECK-NEXT: %[[V8:[^ ]+]] = nn.compare eq %[[B]], %[[V2]] {train.backward}
// CHECK-NEXT: %[[DA:[^ ]+]] = nn.select %[[V8]], %[[V2]], %[[V7]] {train.backward}
// CHECK-NEXT: return %[[DA]]
// VALUES-LABEL: @pow_lhs
// VALUES-NEXT: #0: {{\[\[}}1, 0.125, 0], [0, -0.51031, 0]]
func.func @pow_lhs(%a: tensor<?x3xf32> {reference.value = dense<[[0.5, 2.0, 0.0], [0.0, 1.5, 3.0]]> : tensor<2x3xf32>},
    %b: tensor<?x3xf32> {reference.value = dense<[[2.0, -1.0, 2.0], [0.0, 0.5, 0.0]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[1.0, -0.5, 2.0], [0.75, -1.25, 0.5]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.pow %a, %b : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %da = train.gradient %loss wrt %a : tensor<f32> wrt tensor<?x3xf32>
  return %da : tensor<?x3xf32>
}

// CHECK-LABEL: func.func @pow_rhs(
// CHECK-SAME: %[[A:[^:]+]]:{{[^%]+}}%[[B:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.constant {train.backward} dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.pow %[[A]], %[[B]]
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.broadcast %[[V0]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V3:[^ ]+]] = nn.log %[[A]] {train.backward}
// CHECK-NEXT: %[[V4:[^ ]+]] = nn.mul %[[V1]], %[[V3]] {train.backward}
// CHECK-NEXT: %[[V5:[^ ]+]] = nn.mul %[[C]], %[[V4]] {train.backward}
// CHECK-NEXT: %[[V6:[^ ]+]] = nn.compare eq %[[A]], %[[V2]] {train.backward}
// CHECK-NEXT: %[[V7:[^ ]+]] = nn.compare ge %[[B]], %[[V2]] {train.backward}
// CHECK-NEXT: %[[V8:[^ ]+]] = nn.and %[[V6]], %[[V7]] {train.backward}
// CHECK-NEXT: %[[DB:[^ ]+]] = nn.select %[[V8]], %[[V2]], %[[V5]] {train.backward}
// CHECK-NEXT: return %[[DB]]
// VALUES-LABEL: @pow_rhs
// VALUES-NEXT: #0: {{\[\[}}-0.173287, -0.173287, 0], [0, -0.620739, 0.549306]]
func.func @pow_rhs(%a: tensor<?x3xf32> {reference.value = dense<[[0.5, 2.0, 0.0], [0.0, 1.5, 3.0]]> : tensor<2x3xf32>},
    %b: tensor<?x3xf32> {reference.value = dense<[[2.0, -1.0, 2.0], [0.0, 0.5, 0.0]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[1.0, -0.5, 2.0], [0.75, -1.25, 0.5]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.pow %a, %b : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %db = train.gradient %loss wrt %b : tensor<f32> wrt tensor<?x3xf32>
  return %db : tensor<?x3xf32>
}
