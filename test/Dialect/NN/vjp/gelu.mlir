// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// dx = c (P(x) + x p(x)), with the normal distribution P and its density p;
// reads x only
// CHECK-LABEL: func.func @gelu(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.constant {train.backward} dense<0.398942292> : tensor<f32>
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.constant {train.backward} dense<-5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.constant {train.backward} dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[V3:[^ ]+]] = nn.constant {train.backward} dense<0.707106769> : tensor<f32>
// CHECK-NEXT: %[[V4:[^ ]+]] = nn.constant {train.backward} dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V5:[^ ]+]] = nn.broadcast %[[V3]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V6:[^ ]+]] = nn.mul %[[X]], %[[V5]] {train.backward}
// CHECK-NEXT: %[[V7:[^ ]+]] = nn.erf %[[V6]] {train.backward}
// CHECK-NEXT: %[[V8:[^ ]+]] = nn.broadcast %[[V4]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V9:[^ ]+]] = nn.add %[[V7]], %[[V8]] {train.backward}
// CHECK-NEXT: %[[V10:[^ ]+]] = nn.broadcast %[[V2]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V11:[^ ]+]] = nn.mul %[[V9]], %[[V10]] {train.backward}
// CHECK-NEXT: %[[V12:[^ ]+]] = nn.square %[[X]] {train.backward}
// CHECK-NEXT: %[[V13:[^ ]+]] = nn.broadcast %[[V1]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V14:[^ ]+]] = nn.mul %[[V12]], %[[V13]] {train.backward}
// CHECK-NEXT: %[[V15:[^ ]+]] = nn.exp %[[V14]] {train.backward}
// CHECK-NEXT: %[[V16:[^ ]+]] = nn.broadcast %[[V0]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V17:[^ ]+]] = nn.mul %[[V15]], %[[V16]] {train.backward}
// CHECK-NEXT: %[[V18:[^ ]+]] = nn.mul %[[X]], %[[V17]] {train.backward}
// CHECK-NEXT: %[[V19:[^ ]+]] = nn.add %[[V11]], %[[V18]] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.mul %[[C]], %[[V19]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @gelu
// VALUES-NEXT: #0: {{\[\[}}0.0540334, 1.51812, -0.107192], [-0.140934, 0.898827, 1.35414]]
func.func @gelu(%x: tensor<?x3xf32> {reference.value = dense<[[-1.125, 0.5, -0.375], [1.5, 0.125, 1.0]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[-0.5, 1.75, -0.5], [-0.125, 1.5, 1.25]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.gelu %x : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}

// dx = c (1 + h + x (1 - h^2) u') / 2 with h = tanh(u(x)); reads x only
// CHECK-LABEL: func.func @gelu_tanh(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.constant {train.backward} dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.constant {train.backward} dense<0.107032225> : tensor<f32>
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.constant {train.backward} dense<0.797884583> : tensor<f32>
// CHECK-NEXT: %[[V3:[^ ]+]] = nn.constant {train.backward} dense<0.0356774069> : tensor<f32>
// CHECK-NEXT: %[[V4:[^ ]+]] = nn.constant {train.backward} dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V5:[^ ]+]] = nn.square %[[X]] {train.backward}
// CHECK-NEXT: %[[V6:[^ ]+]] = nn.broadcast %[[V3]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V7:[^ ]+]] = nn.mul %[[V5]], %[[V6]] {train.backward}
// CHECK-NEXT: %[[V8:[^ ]+]] = nn.broadcast %[[V2]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V9:[^ ]+]] = nn.add %[[V7]], %[[V8]] {train.backward}
// CHECK-NEXT: %[[V10:[^ ]+]] = nn.mul %[[X]], %[[V9]] {train.backward}
// CHECK-NEXT: %[[V11:[^ ]+]] = nn.tanh %[[V10]] {train.backward}
// CHECK-NEXT: %[[V12:[^ ]+]] = nn.broadcast %[[V4]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V13:[^ ]+]] = nn.add %[[V12]], %[[V11]] {train.backward}
// CHECK-NEXT: %[[V14:[^ ]+]] = nn.square %[[V11]] {train.backward}
// CHECK-NEXT: %[[V15:[^ ]+]] = nn.sub %[[V12]], %[[V14]] {train.backward}
// CHECK-NEXT: %[[V16:[^ ]+]] = nn.broadcast %[[V1]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V17:[^ ]+]] = nn.mul %[[V5]], %[[V16]] {train.backward}
// CHECK-NEXT: %[[V18:[^ ]+]] = nn.add %[[V17]], %[[V8]] {train.backward}
// CHECK-NEXT: %[[V19:[^ ]+]] = nn.mul %[[V15]], %[[V18]] {train.backward}
// CHECK-NEXT: %[[V20:[^ ]+]] = nn.mul %[[X]], %[[V19]] {train.backward}
// CHECK-NEXT: %[[V21:[^ ]+]] = nn.add %[[V13]], %[[V20]] {train.backward}
// CHECK-NEXT: %[[V22:[^ ]+]] = nn.broadcast %[[V0]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V23:[^ ]+]] = nn.mul %[[V21]], %[[V22]] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.mul %[[C]], %[[V23]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @gelu_tanh
// VALUES-NEXT: #0: {{\[\[}}1.08014, 0.0482226, 0.114547], [-0.299608, -1.21687, -0.106911]]
func.func @gelu_tanh(%x: tensor<?x3xf32> {reference.value = dense<[[0.375, -1.375, -0.625], [0.125, 0.25, -0.625]]> : tensor<2x3xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[1.375, -0.375, 1.875], [-0.5, -1.75, -1.75]]> : tensor<2x3xf32>}) -> tensor<?x3xf32> {
  %y = nn.gelu %x tanh : tensor<?x3xf32>
  %0 = nn.mul %y, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
