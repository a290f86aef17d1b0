// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// The mean over the new dimensions.
// CHECK-LABEL: func.func @distribute(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.mean %[[C]] dims [0] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @distribute
// VALUES-NEXT: #0: [-0.625, -0.5625, 0.125]
func.func @distribute(%x: tensor<3xf32> {reference.value = dense<[-1.75, 0.875, 1.25]> : tensor<3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-0.25, -1.75, 0.75], [-1.0, 0.625, -0.5]]> : tensor<2x3xf32>}) -> tensor<3xf32> {
  %y = nn.distribute %x dims [0] : tensor<3xf32> to tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<3xf32>
  return %dx : tensor<3xf32>
}
