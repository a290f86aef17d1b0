// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=5 \
// RUN:   | FileCheck %s --check-prefix=VALUES
// RUN: accrue-opt %s -train-differentiate -nn-decompose | accrue-translate --interpret --interpret-digits=6 --interpret-batch=5 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// Of the mean c / n, of the variance 2 (x - mean) c / n. Values from PyTorch.
// CHECK-LABEL: func.func @moments(
// CHECK-SAME: %[[X:[^:]+]]:
// CHECK: %[[MEAN:.+]], %{{.+}} = nn.moments %[[X]] dims [0]
// CHECK-DAG: %[[SHARES:.+]] = nn.distribute %{{.+}} dims [0] {train.backward}
// CHECK-DAG: %[[MEANS:.+]] = nn.broadcast %[[MEAN]] dims [0] {train.backward}
// CHECK-DAG: %[[CENTRED:.+]] = nn.sub %[[X]], %[[MEANS]] {train.backward}
// CHECK: %[[TERM:.+]] = nn.mul %[[CENTRED]], %{{.+}} {train.backward}
// CHECK: %[[DX:.+]] = nn.add %[[SHARES]], %[[TERM]] {train.backward}
// CHECK: return %[[DX]]
// VALUES-LABEL: @moments
// VALUES-NEXT: #0: {{\[\[}}0.2, -2.34], [0.4, -0.34], [0.3, -0.34], [0, 2.46], [0.1, 0.06]]
func.func @moments(%x: tensor<?x2xf64> {reference.value = dense<[[1.0, -2.0], [3.0, 0.5], [2.0, 0.5], [-1.0, 4.0], [0.0, 1.0]]> : tensor<5x2xf64>},
    %c: tensor<2xf64> {reference.value = dense<[1.0, -0.5]> : tensor<2xf64>},
    %d: tensor<2xf64> {reference.value = dense<[0.25, 2.0]> : tensor<2xf64>}) -> tensor<?x2xf64> {
  %m, %v = nn.moments %x dims [0] : tensor<?x2xf64> -> tensor<2xf64>, tensor<2xf64>
  %0 = nn.mul %m, %c : tensor<2xf64>
  %1 = nn.mul %v, %d : tensor<2xf64>
  %2 = nn.add %0, %1 : tensor<2xf64>
  %loss = nn.sum %2 dims [0] : tensor<2xf64> -> tensor<f64>
  %g = train.gradient %loss wrt %x : tensor<f64> wrt tensor<?x2xf64>
  return %g : tensor<?x2xf64>
}

// VALUES-LABEL: @variance_only
// VALUES-NEXT: #0: {{\[\[}}0, -2.24], [0.2, -0.24], [0.1, -0.24], [-0.2, 2.56], [-0.1, 0.16]]
func.func @variance_only(%x: tensor<?x2xf64> {reference.value = dense<[[1.0, -2.0], [3.0, 0.5], [2.0, 0.5], [-1.0, 4.0], [0.0, 1.0]]> : tensor<5x2xf64>},
    %d: tensor<2xf64> {reference.value = dense<[0.25, 2.0]> : tensor<2xf64>}) -> tensor<?x2xf64> {
  %m, %v = nn.moments %x dims [0] : tensor<?x2xf64> -> tensor<2xf64>, tensor<2xf64>
  %0 = nn.mul %v, %d : tensor<2xf64>
  %loss = nn.sum %0 dims [0] : tensor<2xf64> -> tensor<f64>
  %g = train.gradient %loss wrt %x : tensor<f64> wrt tensor<?x2xf64>
  return %g : tensor<?x2xf64>
}

// VALUES-LABEL: @mean_only
// VALUES-NEXT: #0: {{\[\[}}0.2, -0.1], [0.2, -0.1], [0.2, -0.1], [0.2, -0.1], [0.2, -0.1]]
func.func @mean_only(%x: tensor<?x2xf64> {reference.value = dense<[[1.0, -2.0], [3.0, 0.5], [2.0, 0.5], [-1.0, 4.0], [0.0, 1.0]]> : tensor<5x2xf64>},
    %c: tensor<2xf64> {reference.value = dense<[1.0, -0.5]> : tensor<2xf64>}) -> tensor<?x2xf64> {
  %m, %v = nn.moments %x dims [0] : tensor<?x2xf64> -> tensor<2xf64>, tensor<2xf64>
  %0 = nn.mul %m, %c : tensor<2xf64>
  %loss = nn.sum %0 dims [0] : tensor<2xf64> -> tensor<f64>
  %g = train.gradient %loss wrt %x : tensor<f64> wrt tensor<?x2xf64>
  return %g : tensor<?x2xf64>
}
