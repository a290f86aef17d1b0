// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// Equal shares along the reduced dimensions; the batch is never a number.
// CHECK-LABEL: func.func @mean(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.distribute %[[C]] dims [0] {train.backward} : tensor<3xf32> to tensor<?x3xf32>
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @mean
// VALUES-NEXT: #0: {{\[\[}}-0.9375, -0.25, 0.75], [-0.9375, -0.25, 0.75]]
func.func @mean(%x: tensor<?x3xf32> {reference.value = dense<[[1.25, -0.5, 1.375], [1.125, -0.25, 0.875]]> : tensor<2x3xf32>},
    %c: tensor<3xf32> {reference.value = dense<[-1.875, -0.5, 1.5]> : tensor<3xf32>}) -> tensor<?x3xf32> {
  %y = nn.mean %x dims [0] : tensor<?x3xf32> -> tensor<3xf32>
  %0 = nn.mul %y, %c : tensor<3xf32>
  %loss = nn.sum %0 dims [0] : tensor<3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}

// CHECK-LABEL: func.func @mean_inner(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.distribute %[[C]] dims [2] {train.backward} : tensor<?x3xf32> to tensor<?x3x4xf32>
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @mean_inner
// VALUES-NEXT: #0: {{\[\[\[}}-0.1875, -0.1875, -0.1875, -0.1875], [0.03125, 0.03125, 0.03125, 0.03125], [-0.3125, -0.3125, -0.3125, -0.3125]], {{\[\[}}-0.09375, -0.09375, -0.09375, -0.09375], [0.3125, 0.3125, 0.3125, 0.3125], [0.3125, 0.3125, 0.3125, 0.3125]]]
func.func @mean_inner(%x: tensor<?x3x4xf32> {reference.value = dense<[[[0.375, 0.25, 0.625, 0.75], [0.375, -0.375, -1.25, -0.875], [-0.875, -0.25, 2.0, -0.625]], [[-0.25, -0.5, 0.375, 1.75], [1.5, -0.5, -0.875, 1.5], [0.125, 0.75, -1.75, 1.5]]]> : tensor<2x3x4xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-0.75, 0.125, -1.25], [-0.375, 1.25, 1.25]]> : tensor<2x3xf32>}) -> tensor<?x3x4xf32> {
  %y = nn.mean %x dims [2] : tensor<?x3x4xf32> -> tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3x4xf32>
  return %dx : tensor<?x3x4xf32>
}
