// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx = c (y + 1)
// CHECK-LABEL: func.func @expm1(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.constant {train.backward} dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.expm1 %[[X]]
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.broadcast %[[V0]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V3:[^ ]+]] = nn.add %[[V1]], %[[V2]] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.mul %[[C]], %[[V3]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @expm1
// VALUES-NEXT: #0: {{\[\[}}-7.61763, 1.41644, -2.8773], [2.80237, 0.0521078, -0.379082]]
func.func @expm1(%x: tensor<?x3xf32> {reference.value = dense<[[1.625, 0.125, 1.75], [0.625, -0.875, -0.5]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-1.5, 1.25, -0.5], [1.5, 0.125, -0.625]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.expm1 %x : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
