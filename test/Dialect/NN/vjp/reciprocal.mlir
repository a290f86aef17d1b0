// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx = -c y^2
// CHECK-LABEL: func.func @reciprocal(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.reciprocal %[[X]]
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.square %[[V0]] {train.backward}
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.mul %[[C]], %[[V1]] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.neg %[[V2]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @reciprocal
// VALUES-NEXT: #0: {{\[\[}}0.0694444, -0.0946746, -0.462222], [1.48148, 0.387543, -5.33333]]
func.func @reciprocal(%x: tensor<?x3xf32> {reference.value = dense<[[3.0, 1.625, 1.875], [-1.125, -2.125, -0.375]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-0.625, 0.25, 1.625], [-1.875, -1.75, 0.75]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.reciprocal %x : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
