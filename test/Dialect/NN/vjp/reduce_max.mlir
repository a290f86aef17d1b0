// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// Equal shares of c for the elements that are the extremum
// CHECK-LABEL: func.func @reduce_max(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-NEXT: %[[V0:[^ ]+]] = nn.constant {train.backward} dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:[^ ]+]] = nn.constant {train.backward} dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V2:[^ ]+]] = nn.reduce_max %[[X]] dims [1]
// CHECK-NEXT: %[[V3:[^ ]+]] = nn.broadcast %[[V2]] dims [1] {train.backward}
// CHECK-NEXT: %[[V4:[^ ]+]] = nn.compare eq %[[X]], %[[V3]] {train.backward}
// CHECK-NEXT: %[[V5:[^ ]+]] = nn.broadcast %[[V1]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V6:[^ ]+]] = nn.broadcast %[[V0]] dims [0, 1] {train.backward}
// CHECK-NEXT: %[[V7:[^ ]+]] = nn.select %[[V4]], %[[V5]], %[[V6]] {train.backward}
// CHECK-NEXT: %[[V8:[^ ]+]] = nn.sum %[[V7]] dims [1] {train.backward} : tensor<?x3xf32> -> tensor<?xf32>
// CHECK-NEXT: %[[V9:[^ ]+]] = nn.div %[[C]], %[[V8]] {train.backward}
// CHECK-NEXT: %[[V10:[^ ]+]] = nn.broadcast %[[V9]] dims [1] {train.backward}
// CHECK-NEXT: %[[DX:[^ ]+]] = nn.select %[[V4]], %[[V10]], %[[V6]] {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @reduce_max
// VALUES-NEXT: #0: {{\[\[}}0, 0.75, 0.75], [-0.25, -0.25, -0.25]]
func.func @reduce_max(%x: tensor<?x3xf32> {reference.value = dense<[[1.0, 3.0, 3.0], [-2.0, -2.0, -2.0]]> : tensor<2x3xf32>},
    %c: tensor<?xf32> {reference.value = dense<[1.5, -0.75]> : tensor<2xf32>}) -> tensor<?x3xf32> {
  %y = nn.reduce_max %x dims [1] : tensor<?x3xf32> -> tensor<?xf32>
  %0 = nn.mul %y, %c : tensor<?xf32>
  %loss = nn.sum %0 dims [0] : tensor<?xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}

// Samples may be computed again with other bits: the first one is found by its
// index, which comes with the maximum.
// CHECK-LABEL: func.func @reduce_max_over_batch(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:
// CHECK-DAG: %[[LINE:[^ ]+]] = nn.iota dim 0 : tensor<?xi32>
// CHECK-DAG: %[[INDICES:[^ ]+]] = nn.broadcast %[[LINE]] dims [1] : tensor<?xi32>
// CHECK-NOT: nn.reduce_max
// CHECK: %[[Y:[^ ]+]], %[[FIRST:[^ ]+]] = nn.reduce_argmax %[[X]], %[[INDICES]] dims [0] : tensor<?x3xf32>
// CHECK: %[[YS:[^ ]+]] = nn.broadcast %[[Y]] dims [0] {train.backward}
// CHECK: %[[EQUAL:[^ ]+]] = nn.compare eq %[[X]], %[[YS]] {train.backward}
// CHECK: %[[FIRSTS:[^ ]+]] = nn.broadcast %[[FIRST]] dims [0] {train.backward}
// CHECK: %[[IS_FIRST:[^ ]+]] = nn.compare eq %[[INDICES]], %[[FIRSTS]] {train.backward}
// CHECK: %[[TAKEN:[^ ]+]] = nn.or %[[EQUAL]], %[[IS_FIRST]] {train.backward}
// CHECK: %[[HITS:[^ ]+]] = nn.select %[[TAKEN]]
// CHECK: %[[COUNT:[^ ]+]] = nn.sum %[[HITS]] dims [0] {train.backward} : tensor<?x3xf32> -> tensor<3xf32>
// CHECK: %[[SHARE:[^ ]+]] = nn.div %[[C]], %[[COUNT]] {train.backward}
// CHECK: %[[SHARES:[^ ]+]] = nn.broadcast %[[SHARE]] dims [0] {train.backward}
// CHECK: %[[DX:[^ ]+]] = nn.select %[[TAKEN]], %[[SHARES]], %{{[^ ]+}} {train.backward}
// CHECK-NEXT: return %[[DX]]
// VALUES-LABEL: @reduce_max_over_batch
// VALUES-NEXT: #0: {{\[\[}}0.75, -0.75, 0], [0.75, 0, 2]]
func.func @reduce_max_over_batch(%x: tensor<?x3xf32> {reference.value = dense<[[1.0, 3.0, -1.0], [1.0, -2.0, 4.0]]> : tensor<2x3xf32>},
    %c: tensor<3xf32> {reference.value = dense<[1.5, -0.75, 2.0]> : tensor<3xf32>}) -> tensor<?x3xf32> {
  %y = nn.reduce_max %x dims [0] : tensor<?x3xf32> -> tensor<3xf32>
  %0 = nn.mul %y, %c : tensor<3xf32>
  %loss = nn.sum %0 dims [0] : tensor<3xf32> -> tensor<f32>
  %dx = train.gradient %loss wrt %x : tensor<f32> wrt tensor<?x3xf32>
  return %dx : tensor<?x3xf32>
}
