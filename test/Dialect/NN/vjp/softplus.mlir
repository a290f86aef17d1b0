// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx = c sigmoid(x)
// CHECK-LABEL: func.func @softplus(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.sigmoid %[[X]] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.mul %[[C]], %[[V0]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @softplus
// VALUES-NEXT: #0: {{\[\[}}-0.280719, -0.166862, 0.0789145], [-0.00526097, 0.0210439, -0.353173]]
func.func @softplus(%x: tensor<?x3xf32> {reference.value = dense<[[-0.75, -2.25, -3.125], [-3.125, -3.125, -1.375]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-0.875, -1.75, 1.875], [-0.125, 0.5, -1.75]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.softplus %x : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
