// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES
// RUN: accrue-opt %s -train-differentiate -nn-decompose | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func @logsumexp(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK: %[[Y:[^ ]+]] = nn.logsumexp %[[X]] dims [1]
// CHECK: %[[EMPTY:[^ ]+]] = nn.compare eq %[[Y]]
// CHECK: %[[SHIFT:[^ ]+]] = nn.select %[[EMPTY]], %{{[^ ]+}}, %[[Y]]
// CHECK-NEXT: %[[SHIFTS:[^ ]+]] = nn.broadcast %[[SHIFT]] dims [1]
// CHECK-NEXT: %[[D:[^ ]+]] = nn.sub %[[X]], %[[SHIFTS]]
// CHECK-NEXT: %[[P:[^ ]+]] = nn.exp %[[D]]
// CHECK-NEXT: %[[CS:[^ ]+]] = nn.broadcast %[[C]] dims [1]
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.mul %[[CS]], %[[P]]
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @logsumexp
// VALUES-NEXT: #0: {{\[\[}}-0.187616, -0.00566552, -0.0197746, -0.0369438], [-0.0434358, -0.104197, -0.363684, -0.363684]]
func.func @logsumexp(%x: tensor<?x4xf32> {reference.value = dense<[[1.875, -1.625, -0.375, 0.25], [-1.0, -0.125, 1.125, 1.125]]> : tensor<2x4xf32>},
    %c: tensor<?xf32> {reference.value = dense<[-0.25, -0.875]> : tensor<2xf32>}) -> tensor<?x4xf32> {
  %y = nn.logsumexp %x dims [1] : tensor<?x4xf32> -> tensor<?xf32>
  %0 = nn.mul %y, %c : tensor<?xf32>
  %loss = nn.sum %0 dims [0] : tensor<?xf32> -> tensor<f32>
  %g = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x4xf32>
  return %g : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @logsumexp_dims(
// CHECK: nn.reshape %{{[^ ]+}} {train.backward} : tensor<?x3x2xf32> to tensor<?x6xf32>
// VALUES-LABEL: @logsumexp_dims
// VALUES-NEXT: #0: {{\[\[\[}}-0.562454, -0.0218087], [-0.040744, -0.386569], [-0.265685, -0.0977399]], {{\[\[}}-0.0166833, -0.179362], [-0.0513882, -0.158287], [-0.0960057, -0.123274]]]
func.func @logsumexp_dims(%x: tensor<?x3x2xf32> {reference.value = dense<[[[1.875, -1.375], [-0.75, 1.5], [1.125, 0.125]], [[-1.0, 1.375], [0.125, 1.25], [0.75, 1.0]]]> : tensor<2x3x2xf32>},
    %c: tensor<?xf32> {reference.value = dense<[-1.375, -0.625]> : tensor<2xf32>}) -> tensor<?x3x2xf32> {
  %y = nn.logsumexp %x dims [1, 2] : tensor<?x3x2xf32> -> tensor<?xf32>
  %0 = nn.mul %y, %c : tensor<?xf32>
  %loss = nn.sum %0 dims [0] : tensor<?xf32> -> tensor<f32>
  %g = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3x2xf32>
  return %g : tensor<?x3x2xf32>
}

// A row of -inf only has the derivative 0.
// VALUES-LABEL: @logsumexp_masked
// VALUES-NEXT: #0: {{\[\[}}-0.292869, {{-?}}0, -0.547152, -0.0349783], [{{-?}}0, {{-?}}0, {{-?}}0, {{-?}}0]]
func.func @logsumexp_masked(%x: tensor<?x4xf32> {reference.value = dense<[[0.5, 0xFF800000, 1.125, -1.625], [0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000]]> : tensor<2x4xf32>},
    %c: tensor<?xf32> {reference.value = dense<[-0.875, -0.25]> : tensor<2xf32>}) -> tensor<?x4xf32> {
  %y = nn.logsumexp %x dims [1] : tensor<?x4xf32> -> tensor<?xf32>
  %0 = nn.mul %y, %c : tensor<?xf32>
  %loss = nn.sum %0 dims [0] : tensor<?xf32> -> tensor<f32>
  %g = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x4xf32>
  return %g : tensor<?x4xf32>
}
