// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// Only the other factor has a derivative: dx = c stop(x)
// CHECK-LABEL: func.func @stop_gradient(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.stop_gradient %[[X]]
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.mul %[[C]], %[[V0]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @stop_gradient
// VALUES-NEXT: #0: {{\[\[}}-1.625, -0.6875, -1.54688], [-0.421875, 1.3125, 1.17188]]
func.func @stop_gradient(%x: tensor<?x3xf32> {reference.value = dense<[[-1.625, 0.5, -1.125], [1.125, -1.75, 1.875]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[1.0, -1.375, 1.375], [-0.375, -0.75, 0.625]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %s = nn.stop_gradient %x : tensor<?x3xf32>
  %y = nn.mul %x, %s : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
