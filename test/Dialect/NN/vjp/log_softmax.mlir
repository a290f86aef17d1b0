// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES
// RUN: accrue-opt %s -train-differentiate -nn-decompose | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func @log_softmax(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[Y:[^ ]+]] = nn.log_softmax %[[X]] dim 1
// CHECK-NEXT: %[[SUM:[^ ]+]] = nn.sum %[[C]] dims [1] {train.backward}
// CHECK-NEXT: %[[TOTAL:[^ ]+]] = nn.broadcast %[[SUM]] dims [1] {train.backward}
// CHECK-NEXT: %[[P:[^ ]+]] = nn.exp %[[Y]] {train.backward}
// CHECK-NEXT: %[[SHARE:[^ ]+]] = nn.mul %[[P]], %[[TOTAL]] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.sub %[[C]], %[[SHARE]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @log_softmax
// VALUES-NEXT: #0: {{\[\[}}-1.48047, -1.34659, 0.771621, 2.05544], [-1.43636, -1.3733, 0.431161, 2.3785]]
func.func @log_softmax(%x: tensor<?x4xf32> {reference.value = dense<[[-1.5, -1.125, 2.0, 1.25], [-0.75, 0.625, -0.875, 1.875]]> : tensor<2x4xf32>},
    %c: tensor<?x4xf32> {reference.value = dense<[[-1.5, -1.375, 0.125, 1.75], [-1.5, -1.625, 0.375, 1.5]]> : tensor<2x4xf32>}) -> tensor<?x4xf32> {
  %y = nn.log_softmax %x dim 1 : tensor<?x4xf32>
  %0 = nn.mul %y, %c : tensor<?x4xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x4xf32> -> tensor<f32>
  %g = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x4xf32>
  return %g : tensor<?x4xf32>
}

// Far from the maximum the softmax is 0.
// VALUES-LABEL: @log_softmax_large
// VALUES-NEXT: #0: {{\[\[}}0.125, 1, 0.75, -1.875], [1.625, 0.75, -1.25, -1.125]]
func.func @log_softmax_large(%x: tensor<?x4xf32> {reference.value = dense<[[1250.0, -1750.0, -1500.0, 500.0], [625.0, 750.0, 1875.0, 1625.0]]> : tensor<2x4xf32>},
    %c: tensor<?x4xf32> {reference.value = dense<[[0.25, 1.0, 0.75, -1.875], [1.625, 0.75, -0.75, -1.125]]> : tensor<2x4xf32>}) -> tensor<?x4xf32> {
  %y = nn.log_softmax %x dim 1 : tensor<?x4xf32>
  %0 = nn.mul %y, %c : tensor<?x4xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x4xf32> -> tensor<f32>
  %g = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x4xf32>
  return %g : tensor<?x4xf32>
}
