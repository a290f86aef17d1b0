// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// The derivative is 0 everywhere.
// CHECK-LABEL: func.func @sign(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.constant {train.backward} dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.broadcast %[[V0]] dims [0, 1] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @sign
// VALUES-NEXT: #0: {{\[\[}}0, 0, 0], [0, 0, 0]]
func.func @sign(%x: tensor<?x3xf32> {reference.value = dense<[[-1.375, -1.5, -1.875], [1.125, 0.25, -1.625]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-0.25, 0.875, 0.125], [-0.625, -1.25, -0.375]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.sign %x : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
