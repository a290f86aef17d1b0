// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES
// RUN: accrue-opt %s -train-differentiate -nn-decompose | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[Y:[^ ]+]] = nn.softmax %[[X]] dim 1
// CHECK-NEXT: %[[CY:[^ ]+]] = nn.mul %[[C]], %[[Y]] {train.backward}
// CHECK-NEXT: %[[SUM:[^ ]+]] = nn.sum %[[CY]] dims [1] {train.backward}
// CHECK-NEXT: %[[ALONG:[^ ]+]] = nn.broadcast %[[SUM]] dims [1] {train.backward}
// CHECK-NEXT: %[[REST:[^ ]+]] = nn.sub %[[C]], %[[ALONG]] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.mul %[[Y]], %[[REST]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @softmax
// VALUES-NEXT: #0: {{\[\[}}0.21405, -0.151853, -0.0435036, -0.0186941], [0.0448853, -0.2155, 0.00579399, 0.16482]]
func.func @softmax(%x: tensor<?x4xf32> {reference.value = dense<[[2.0, -0.375, -1.75, -1.375], [1.375, 1.25, -1.5, -0.125]]> : tensor<2x4xf32>},
    %c: tensor<?x4xf32> {reference.value = dense<[[1.25, -0.875, -1.125, 0.375], [-0.625, -1.25, -0.5, 0.875]]> : tensor<2x4xf32>}) -> tensor<?x4xf32> {
  %y = nn.softmax %x dim 1 : tensor<?x4xf32>
  %0 = nn.mul %y, %c : tensor<?x4xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x4xf32> -> tensor<f32>
  %g = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x4xf32>
  return %g : tensor<?x4xf32>
}

// VALUES-LABEL: @softmax_middle
// VALUES-NEXT: #0: {{\[\[\[}}-0.395324, -0.183809], [-0.367984, 0.0664987], [0.763308, 0.11731]], {{\[\[}}-0.143121, 0.170972], [0.171093, 0.0721189], [-0.0279725, -0.243091]]]
func.func @softmax_middle(%x: tensor<?x3x2xf32> {reference.value = dense<[[[-1.375, 1.375], [-1.625, -1.125], [-0.25, -1.625]], [[1.125, -1.625], [-0.25, -1.75], [-1.0, 0.25]]]> : tensor<2x3x2xf32>},
    %c: tensor<?x3x2xf32> {reference.value = dense<[[[-1.25, -1.5], [-1.625, -0.375], [1.875, 1.375]], [[0.5, 1.625], [1.625, 0.875], [0.375, -0.125]]]> : tensor<2x3x2xf32>}) -> tensor<?x3x2xf32> {
  %y = nn.softmax %x dim 1 : tensor<?x3x2xf32>
  %0 = nn.mul %y, %c : tensor<?x3x2xf32>
  %loss = nn.sum %0 dims [0, 1, 2] : tensor<?x3x2xf32> -> tensor<f32>
  %g = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3x2xf32>
  return %g : tensor<?x3x2xf32>
}

// Neither a masked element nor a row of them has a NaN.
// VALUES-LABEL: @softmax_masked
// VALUES-NEXT: #0: {{\[\[}}0.143594, {{-?}}0, -0.200719, 0.057125], [{{-?}}0, {{-?}}0, {{-?}}0, {{-?}}0]]
func.func @softmax_masked(%x: tensor<?x4xf32> {reference.value = dense<[[0.5, 0xFF800000, 1.125, -1.625], [0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000]]> : tensor<2x4xf32>},
    %c: tensor<?x4xf32> {reference.value = dense<[[-0.625, -0.125, -1.375, 0.375], [1.875, 0.625, 1.5, 0.25]]> : tensor<2x4xf32>}) -> tensor<?x4xf32> {
  %y = nn.softmax %x dim 1 : tensor<?x4xf32>
  %0 = nn.mul %y, %c : tensor<?x4xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x4xf32> -> tensor<f32>
  %g = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x4xf32>
  return %g : tensor<?x4xf32>
}
