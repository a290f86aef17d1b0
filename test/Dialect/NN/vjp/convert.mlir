// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// The cotangent is converted back.
// CHECK-LABEL: func.func @convert(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.convert %[[C]] {train.backward} : tensor<?x3xf32> to tensor<?x3xf16>
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @convert
// VALUES-NEXT: #0: {{\[\[}}1.375, 1.625, -0.5], [-1.5, 1, 2]]
func.func @convert(%x: tensor<?x3xf16> {reference.value = dense<[[1.375, 0.125, -0.5], [0.25, 0.875, -0.5]]> : tensor<2x3xf16>},
    %c: tensor<?x3xf32> {reference.value = dense<[[1.375, 1.625, -0.5], [-1.5, 1.0, 2.0]]> : tensor<2x3xf32>}) -> tensor<?x3xf16> {
  %y = nn.convert %x : tensor<?x3xf16> to tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf16>
  return %dx : tensor<?x3xf16>
}
