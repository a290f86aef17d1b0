// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES
// RUN: accrue-opt %s -train-differentiate -nn-decompose | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func @rms_norm(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK: %[[FACTOR:[^ ]+]] = nn.rsqrt %{{[^ ]+}} {train.backward}
// CHECK-NEXT: %[[R:[^ ]+]] = nn.broadcast %[[FACTOR]] dims [1]
// CHECK-NEXT: %[[Y:[^ ]+]] = nn.mul %[[X]], %[[R]]
// CHECK-NEXT: %[[CY:[^ ]+]] = nn.mul %[[C]], %[[Y]]
// CHECK-NEXT: %[[MEAN:[^ ]+]] = nn.mean %[[CY]] dims [1]
// CHECK-NEXT: %[[ALONG:[^ ]+]] = nn.broadcast %[[MEAN]] dims [1]
// CHECK-NEXT: %[[YA:[^ ]+]] = nn.mul %[[Y]], %[[ALONG]]
// CHECK-NEXT: %[[REST:[^ ]+]] = nn.sub %[[C]], %[[YA]]
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.mul %[[R]], %[[REST]]
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @rms_norm
// VALUES-NEXT: #0: {{\[\[}}1.88236, 0.771637, -0.597944, 0.405874], [0.868857, 1.10689, 0.61891, -0.0119113]]
func.func @rms_norm(%x: tensor<?x4xf32> {reference.value = dense<[[0.375, -1.375, 0.0, 0.875], [-0.75, 0.75, -0.25, 2.0]]> : tensor<2x4xf32>},
    %c: tensor<?x4xf32> {reference.value = dense<[[1.75, 0.0, -0.5, 0.75], [1.5, 0.75, 0.875, -1.375]]> : tensor<2x4xf32>}) -> tensor<?x4xf32> {
  %y = nn.rms_norm %x dims [1] eps 1.000000e-05 : tensor<?x4xf32>
  %0 = nn.mul %y, %c : tensor<?x4xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x4xf32> -> tensor<f32>
  %g = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x4xf32>
  return %g : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @rms_norm_dims(
// CHECK: nn.mean %{{[^ ]+}} dims [1] {train.backward} : tensor<?x6xf32> -> tensor<?xf32>
// VALUES-LABEL: @rms_norm_dims
// VALUES-NEXT: #0: {{\[\[\[}}-0.183975, -1.39838], [-0.343476, 1.89038], [-0.385672, 0.646022]], {{\[\[}}-0.307229, 1.37419], [-1.19468, 0.887013], [0.240955, -0.872091]]]
func.func @rms_norm_dims(%x: tensor<?x3x2xf32> {reference.value = dense<[[[0.625, -0.25], [-0.5, -0.125], [1.125, -0.25]], [[-0.5, 1.875], [0.75, -1.875], [-1.875, 0.125]]]> : tensor<2x3x2xf32>},
    %c: tensor<?x3x2xf32> {reference.value = dense<[[[-0.25, -1.25], [-0.25, 1.75], [-0.5, 0.625]], [[-0.375, 1.75], [-2.0, 1.75], [0.75, -1.375]]]> : tensor<2x3x2xf32>}) -> tensor<?x3x2xf32> {
  %y = nn.rms_norm %x dims [1, 2] eps 5.000000e-01 : tensor<?x3x2xf32>
  %0 = nn.mul %y, %c : tensor<?x3x2xf32>
  %loss = nn.sum %0 dims [0, 1, 2] : tensor<?x3x2xf32> -> tensor<f32>
  %g = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3x2xf32>
  return %g : tensor<?x3x2xf32>
}
