// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx = c / (2 y)
// CHECK-LABEL: func.func @sqrt(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.sqrt %[[X]]
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.add %[[V0]], %[[V0]] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.div %[[C]], %[[V1]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @sqrt
// VALUES-NEXT: #0: {{\[\[}}0.0771517, -0.471621, -0.790569], [0.540062, 0.073721, -0.376889]]
func.func @sqrt(%x: tensor<?x3xf32> {reference.value = dense<[[2.625, 2.125, 0.625], [2.625, 2.875, 2.75]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[0.25, -1.375, -1.25], [1.75, 0.25, -1.25]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.sqrt %x : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
