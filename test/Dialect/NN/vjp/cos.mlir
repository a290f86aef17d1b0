// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx = -c sin(x)
// CHECK-LABEL: func.func @cos(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.sin %[[X]] {train.backward}
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.neg %[[V0]] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.mul %[[C]], %[[V1]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @cos
// VALUES-NEXT: #0: {{\[\[}}-1.43113, -0.173421, -0.598472], [0.681639, 0.715564, 0.623434]]
func.func @cos(%x: tensor<?x3xf32> {reference.value = dense<[[1.875, 2.375, -2.5], [-0.75, 1.875, -1.5]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[1.5, 0.25, -1.0], [1.0, -0.75, 0.625]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.cos %x : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
