// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=3 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// All of c for the element whose index it is, however many are equal.
// CHECK-LABEL: func.func @reduce_argmax(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK: %[[I:.+]] = nn.iota dim 0
// CHECK: %{{.+}}, %[[FIRST:.+]] = nn.reduce_argmax %[[X]], %[[I]] dims [0]
// CHECK-DAG: %[[FIRSTS:.+]] = nn.broadcast %[[FIRST]] dims [0] {train.backward}
// CHECK-DAG: %[[IS:.+]] = nn.compare eq %[[I]], %[[FIRSTS]] {train.backward}
// CHECK-DAG: %[[CS:.+]] = nn.broadcast %{{.+}} dims [0] {train.backward}
// CHECK: %[[DX:.+]] = nn.select %[[IS]], %[[CS]], %{{.+}} {train.backward}
// CHECK: return %[[DX]]
// VALUES-LABEL: @reduce_argmax
// VALUES-NEXT: #0: {{\[\[}}0, 0], [1.5, 0], [0, -0.5]]
func.func @reduce_argmax(%x: tensor<?x2xf64> {reference.value = dense<[[1.0, -2.0], [3.0, 0.5], [3.0, 0.75]]> : tensor<3x2xf64>},
    %c: tensor<2xf64> {reference.value = dense<[1.5, -0.5]> : tensor<2xf64>}) -> tensor<?x2xf64> {
  %i = nn.iota dim 0 : tensor<?x2xi32>
  %v, %n = nn.reduce_argmax %x, %i dims [0] : tensor<?x2xf64>, tensor<?x2xi32> -> tensor<2xf64>, tensor<2xi32>
  %0 = nn.mul %v, %c : tensor<2xf64>
  %loss = nn.sum %0 dims [0] : tensor<2xf64> -> tensor<f64>
  %g = train.gradient %loss wrt %x : tensor<f64> wrt tensor<?x2xf64>
  return %g : tensor<?x2xf64>
}
