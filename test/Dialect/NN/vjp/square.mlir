// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx = 2 c x
// CHECK-LABEL: func.func @square(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.add %[[X]], %[[X]] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.mul %[[C]], %[[V0]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @square
// VALUES-NEXT: #0: {{\[\[}}-5.625, 1.875, -0.0625], [-0.25, 0.5625, -2]]
func.func @square(%x: tensor<?x3xf32> {reference.value = dense<[[1.5, 0.625, 0.25], [-0.5, -0.375, -1.0]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-1.875, 1.5, -0.125], [0.25, -0.75, 1.0]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.square %x : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
