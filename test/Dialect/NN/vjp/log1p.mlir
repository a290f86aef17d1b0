// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx = c / (1 + x)
// CHECK-LABEL: func.func @log1p(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.constant {train.backward} dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.broadcast %[[V0]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.add %[[X]], %[[V1]] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.div %[[C]], %[[V2]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @log1p
// VALUES-NEXT: #0: {{\[\[}}-0.428571, -0.142857, 0.15], [-1.4, -0.785714, -0.933333]]
func.func @log1p(%x: tensor<?x3xf32> {reference.value = dense<[[0.75, 0.75, 1.5], [0.25, 0.75, 0.875]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-0.75, -0.25, 0.375], [-1.75, -1.375, -1.75]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.log1p %x : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
