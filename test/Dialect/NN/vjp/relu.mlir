// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx = c where y > 0, else 0: the derivative at 0 is 0
// CHECK-LABEL: func.func @relu(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.constant {train.backward} dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.relu %[[X]]
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.broadcast %[[V0]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V3:[^ ]+]] = nn.compare gt %[[V1]], %[[V2]] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.select %[[V3]], %[[C]], %[[V2]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @relu
// VALUES-NEXT: #0: {{\[\[}}0, 0, 1.875], [0, 0, 0]]
func.func @relu(%x: tensor<?x3xf32> {reference.value = dense<[[-1.5, 0.0, 2.0], [-1.375, -0.25, -1.0]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-0.375, -1.625, 1.875], [-1.125, 0.625, -0.75]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.relu %x : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
