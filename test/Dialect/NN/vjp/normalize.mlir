// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES
// RUN: accrue-opt %s -train-differentiate -nn-decompose | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func @normalize(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.normalize_grad %[[X]], %[[C]] dims [1] eps 1.000000e-05 {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @normalize
// VALUES-NEXT: #0: {{\[\[}}-0.854848, -0.282155, -0.0269603, 1.16396], [-0.794983, -0.158827, -0.777117, 1.73093]]
func.func @normalize(%x: tensor<?x4xf32> {reference.value = dense<[[-0.25, -2.0, 1.875, -0.625], [0.0, 0.25, -2.0, -0.875]]> : tensor<2x4xf32>},
    %c: tensor<?x4xf32> {reference.value = dense<[[-2.0, -0.875, -1.25, 0.875], [-1.875, -1.5, -0.375, 1.0]]> : tensor<2x4xf32>}) -> tensor<?x4xf32> {
  %y = nn.normalize %x dims [1] eps 1.000000e-05 : tensor<?x4xf32>
  %0 = nn.mul %y, %c : tensor<?x4xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x4xf32> -> tensor<f32>
  %g = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x4xf32>
  return %g : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @normalize_group(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.normalize_grad %[[X]], %[[C]] dims [1, 2] eps 1.000000e-05 {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @normalize_group
// VALUES-NEXT: #0: {{\[\[\[}}-1.12427, -0.328859], [0.367483, 0.874274], [0.752307, -0.540936]], {{\[\[}}-2.38573, 0.854936], [0.589058, 0.721997], [0.721997, -0.502261]]]
func.func @normalize_group(%x: tensor<?x3x2xf32> {reference.value = dense<[[[1.25, 0.875], [0.5, -1.0], [2.0, -1.625]], [[1.625, 1.125], [1.125, 1.125], [1.125, -1.25]]]> : tensor<2x3x2xf32>},
    %c: tensor<?x3x2xf32> {reference.value = dense<[[[-0.875, 0.0], [0.75, 0.875], [1.75, -1.125]], [[-1.125, 1.875], [1.625, 1.75], [1.75, 0.375]]]> : tensor<2x3x2xf32>}) -> tensor<?x3x2xf32> {
  %y = nn.normalize %x dims [1, 2] eps 1.000000e-05 : tensor<?x3x2xf32>
  %0 = nn.mul %y, %c : tensor<?x3x2xf32>
  %loss = nn.sum %0 dims [0, 1, 2] : tensor<?x3x2xf32> -> tensor<f32>
  %g = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3x2xf32>
  return %g : tensor<?x3x2xf32>
}

// CHECK-LABEL: func.func @normalize_batch(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.normalize_grad %[[X]], %[[C]] dims [0, 2] eps 1.000000e-01 {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @normalize_batch
// VALUES-NEXT: #0: {{\[\[\[}}-0.403039, 0.268055], [-0.485528, 0.590312], [1.19296, 1.45454]], {{\[\[}}0.277444, -0.14246], [0.0390325, -0.143816], [-0.00620431, -2.6413]]]
func.func @normalize_batch(%x: tensor<?x3x2xf32> {reference.value = dense<[[[1.75, 1.125], [-1.625, -0.5], [-1.5, -0.375]], [[1.5, -0.75], [-1.125, 0.625], [-1.625, -1.25]]]> : tensor<2x3x2xf32>},
    %c: tensor<?x3x2xf32> {reference.value = dense<[[[-1.375, -0.875], [-1.25, 0.625], [0.0, 1.75]], [[-0.75, -1.875], [-0.375, 0.875], [-0.875, -1.875]]]> : tensor<2x3x2xf32>}) -> tensor<?x3x2xf32> {
  %y = nn.normalize %x dims [0, 2] eps 1.000000e-01 : tensor<?x3x2xf32>
  %0 = nn.mul %y, %c : tensor<?x3x2xf32>
  %loss = nn.sum %0 dims [0, 1, 2] : tensor<?x3x2xf32> -> tensor<f32>
  %g = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3x2xf32>
  return %g : tensor<?x3x2xf32>
}
