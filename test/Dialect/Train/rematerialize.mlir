// RUN: accrue-opt %s -train-rematerialize=policy=full --remarks-filter=train-rematerialize 2>%t.remarks | FileCheck %s --check-prefixes=CHECK,FULL
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: accrue-opt %s -train-rematerialize | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: accrue-opt %s -train-rematerialize=policy=full -canonicalize -cse | FileCheck %s --check-prefix=CSE

// The numbers stay the same to the last bit.
// RUN: accrue-translate --interpret %s > %t.stored
// RUN: accrue-opt %s -train-rematerialize=policy=full -canonicalize -cse | accrue-translate --interpret > %t.full
// RUN: diff %t.stored %t.full
// RUN: accrue-opt %s -train-rematerialize | accrue-translate --interpret > %t.none
// RUN: diff %t.stored %t.none

// Two segments: %h3 crosses the border and is stored, %h4 belongs to the last
// segment, with which the backward pass starts. The first segment is computed
// again from the input when its cotangent is known.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[W0:[^:]+]]:{{[^%]+}}%[[W1:[^:]+]]:{{[^%]+}}%[[W2:[^:]+]]:{{[^%]+}}%[[W3:[^:]+]]:
// CHECK: ^bb0(%{{.*}}: index, %[[X:[^:]+]]:
// CHECK: %[[H1:.*]] = nn.relu
// CHECK: %[[H2:.*]] = nn.relu
// CHECK: %[[H3:.*]] = nn.relu
// CHECK: %[[H4:.*]] = nn.relu
// CHECK: nn.compare gt %[[H4]]
// CHECK: %[[E4:.*]] = nn.select
// CHECK: nn.matmul %[[E4]], %[[H3]] transpose_lhs
// CHECK: nn.compare gt %[[H3]]
// CHECK: %[[E3:.*]] = nn.select
// NONE-NOT: train.recompute
// NONE: nn.matmul %[[E3]], %[[H2]] transpose_lhs
// FULL: %[[R:.*]]:2 = train.recompute 0 after(%[[E3]] : tensor<4x4xf32>)
// FULL-SAME: inputs(%[[X]], %[[W0]], %[[W1]] : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>, tensor<4x4xf32> {
// FULL-NEXT: ^bb0(%[[A:[^:]+]]: tensor<4x4xf32>, %[[B:[^:]+]]: tensor<4x4xf32>, %[[C:[^:]+]]: tensor<4x4xf32>):
// FULL-NEXT: %[[Z1:.*]] = nn.matmul %[[A]], %[[B]] transpose_rhs
// FULL-NEXT: %[[A1:.*]] = nn.relu %[[Z1]]
// FULL-NEXT: %[[Z2:.*]] = nn.matmul %[[A1]], %[[C]] transpose_rhs
// FULL-NEXT: %[[A2:.*]] = nn.relu %[[Z2]]
// FULL-NEXT: train.yield %[[A1]], %[[A2]]
// FULL-NEXT: }
// FULL-NEXT: nn.matmul %[[E3]], %[[R]]#1 transpose_lhs
// FULL: nn.compare gt %[[R]]#1
// FULL: nn.compare gt %[[R]]#0
// CSE-LABEL: func.func @chain(
// CSE: train.recompute 0
func.func @chain(%w0: tensor<4x4xf32> {reference.value = dense<[[0.875, -0.5, 1.375, -0.125], [1.25, 1.375, 1.0, 0.5], [-1.5, 0.25, 1.5, -0.625], [1.0, -1.375, -0.875, -1.125]]> : tensor<4x4xf32>},
    %w1: tensor<4x4xf32> {reference.value = dense<[[-0.125, 0.375, -0.625, 0.125], [0.625, -1.125, 0.75, -0.625], [-1.5, 1.375, -0.75, 0.125], [-0.5, -0.875, 1.5, 0.125]]> : tensor<4x4xf32>},
    %w2: tensor<4x4xf32> {reference.value = dense<[[-0.875, 1.5, -1.25, -1.0], [0.875, 0.875, 0.25, -1.0], [-1.0, -1.5, -1.5, -0.75], [1.5, -0.75, -0.875, -0.875]]> : tensor<4x4xf32>},
    %w3: tensor<4x4xf32> {reference.value = dense<[[-0.375, -0.25, -0.75, 0.625], [1.125, 1.0, -0.75, -0.875], [1.25, -0.75, 0.125, -0.375], [-1.5, -0.125, 0.125, -0.875]]> : tensor<4x4xf32>},
    %x: tensor<8x4xf32> {reference.value = dense<[[-1.0, -0.5, -1.25, -0.25], [-0.375, 0.875, 0.75, -1.5], [0.875, 1.125, 1.25, -0.25], [-1.25, -0.375, -0.125, -0.375], [0.375, 1.25, -0.25, -0.875], [0.375, 0.375, 1.25, -0.875], [-1.375, -0.5, -1.5, 1.375], [-0.125, 0.125, -1.5, 0.625]]> : tensor<8x4xf32>}) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = nn.constant dense<0.0> : tensor<f32>
  %one = nn.constant dense<1.0> : tensor<f32>
  %r:4 = train.accumulate count(2) size(4) offset(0) of(8)
      slices(%x : tensor<8x4xf32>) modes [#train.mapped<dim = 0>]
      reduce [#train.reducer<sum>, #train.reducer<sum>, #train.reducer<sum>, #train.reducer<sum>] -> tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32> {
  ^bb0(%first: index, %h0: tensor<4x4xf32>):
    %z1 = nn.matmul %h0, %w0 transpose_rhs : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    // REMARK: [[@LINE+1]]:{{[0-9]+}}: remark: [Passed] recomputed | Category:train-rematerialize | Bytes=64, Flops=1.440000e+02, Remark="inside a segment"
    %h1 = nn.relu %z1 : tensor<4x4xf32>
    %z2 = nn.matmul %h1, %w1 transpose_rhs : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    // REMARK: [[@LINE+1]]:{{[0-9]+}}: remark: [Passed] recomputed | Category:train-rematerialize | Bytes=64, Flops=1.440000e+02, Remark="inside a segment"
    %h2 = nn.relu %z2 : tensor<4x4xf32>
    %z3 = nn.matmul %h2, %w2 transpose_rhs : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %h3 = nn.relu %z3 : tensor<4x4xf32>
    %z4 = nn.matmul %h3, %w3 transpose_rhs : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %h4 = nn.relu %z4 : tensor<4x4xf32>
    %d4 = nn.broadcast %one dims [0, 1] {train.backward} : tensor<f32> to tensor<4x4xf32>
    %s = nn.broadcast %zero dims [0, 1] {train.backward} : tensor<f32> to tensor<4x4xf32>
    %m4 = nn.compare gt %h4, %s {train.backward} : tensor<4x4xf32>
    %e4 = nn.select %m4, %d4, %s {train.backward} : tensor<4x4xi1>, tensor<4x4xf32>
    %g4 = nn.matmul %e4, %h3 transpose_lhs {train.backward} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %d3 = nn.matmul %e4, %w3 {train.backward} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %m3 = nn.compare gt %h3, %s {train.backward} : tensor<4x4xf32>
    %e3 = nn.select %m3, %d3, %s {train.backward} : tensor<4x4xi1>, tensor<4x4xf32>
    %g3 = nn.matmul %e3, %h2 transpose_lhs {train.backward} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %d2 = nn.matmul %e3, %w2 {train.backward} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %m2 = nn.compare gt %h2, %s {train.backward} : tensor<4x4xf32>
    %e2 = nn.select %m2, %d2, %s {train.backward} : tensor<4x4xi1>, tensor<4x4xf32>
    %g2 = nn.matmul %e2, %h1 transpose_lhs {train.backward} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %d1 = nn.matmul %e2, %w1 {train.backward} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %m1 = nn.compare gt %h1, %s {train.backward} : tensor<4x4xf32>
    %e1 = nn.select %m1, %d1, %s {train.backward} : tensor<4x4xi1>, tensor<4x4xf32>
    %g1 = nn.matmul %e1, %h0 transpose_lhs {train.backward} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    train.yield %g1, %g2, %g3, %g4 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
  }
  return %r#0, %r#1, %r#2, %r#3 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// A skip connection: %h1 is read by later layers and in both parts of the
// backward pass, and is stored; %z2 and %h3 are computed again from it.
// CHECK-LABEL: func.func @skip(
// CHECK: %[[H1:.*]] = nn.tanh
// CHECK: %[[Z2:.*]] = nn.matmul %[[H1]]
// CHECK: %[[H3:.*]] = nn.add %{{.*}}, %[[H1]]
// FULL: %[[R:.*]]:2 = train.recompute {{[0-9]+}} after(%{{[^ ]+}} : {{.*}}) inputs(%[[H1]], %{{[^ ]+}} :
// FULL: nn.matmul %{{.*}}, %[[R]]#1 transpose_lhs
// FULL: nn.add %[[R]]#0, %[[R]]#0
// CHECK: nn.matmul %{{.*}}, %[[H1]] transpose_lhs
// CHECK: nn.square %[[H1]]
// CSE-LABEL: func.func @skip(
// CSE: train.recompute
func.func @skip(%w0: tensor<4x4xf32> {reference.value = dense<[[0.125, -0.125, 0.125, 0.75], [-1.5, 0.25, -1.375, 1.25], [-0.875, 0.875, -0.75, -1.125], [1.5, -0.625, 0.25, -0.125]]> : tensor<4x4xf32>},
    %w1: tensor<4x4xf32> {reference.value = dense<[[0.5, -0.125, 0.5, -0.5], [1.5, 0.25, -1.125, 0.75], [1.375, 1.5, -0.125, -0.375], [-1.375, 0.125, -1.25, -0.75]]> : tensor<4x4xf32>},
    %w2: tensor<4x4xf32> {reference.value = dense<[[-0.25, 0.5, 0.875, -0.125], [-1.0, -0.25, -0.5, 1.25], [0.625, -1.25, -0.375, 1.125], [-0.25, -0.375, -0.875, -1.25]]> : tensor<4x4xf32>},
    %x: tensor<8x4xf32> {reference.value = dense<[[1.0, -1.0, 1.375, 1.25], [-0.375, 0.375, -0.875, 1.375], [-1.375, -1.25, 0.875, 0.625], [0.125, -1.375, -0.625, 1.375], [0.875, -0.125, -0.5, 0.25], [1.0, 0.125, -1.0, -1.375], [1.0, -1.375, 0.375, -0.25], [-0.75, -1.0, 1.375, 0.75]]> : tensor<8x4xf32>}) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = nn.constant dense<0.0> : tensor<f32>
  %one = nn.constant dense<1.0> : tensor<f32>
  %r:3 = train.accumulate count(2) size(4) offset(0) of(8)
      slices(%x : tensor<8x4xf32>) modes [#train.mapped<dim = 0>]
      reduce [#train.reducer<sum>, #train.reducer<sum>, #train.reducer<sum>] -> tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32> {
  ^bb0(%first: index, %h0: tensor<4x4xf32>):
    %z1 = nn.matmul %h0, %w0 transpose_rhs : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %h1 = nn.tanh %z1 : tensor<4x4xf32>
    %z2 = nn.matmul %h1, %w1 transpose_rhs : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %h2 = nn.square %z2 : tensor<4x4xf32>
    %h3 = nn.add %h2, %h1 : tensor<4x4xf32>
    %z3 = nn.matmul %h3, %w2 transpose_rhs : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %h4 = nn.square %z3 : tensor<4x4xf32>
    %y = nn.mul %h4, %h1 : tensor<4x4xf32>
    %q = nn.square %y : tensor<4x4xf32>
    %d = nn.add %y, %y {train.backward} : tensor<4x4xf32>
    %dh4 = nn.mul %d, %h1 {train.backward} : tensor<4x4xf32>
    %dh1a = nn.mul %d, %h4 {train.backward} : tensor<4x4xf32>
    %t3 = nn.add %z3, %z3 {train.backward} : tensor<4x4xf32>
    %dz3 = nn.mul %dh4, %t3 {train.backward} : tensor<4x4xf32>
    %g2 = nn.matmul %dz3, %h3 transpose_lhs {train.backward} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %dh3 = nn.matmul %dz3, %w2 {train.backward} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %dh1b = nn.add %dh1a, %dh3 {train.backward} : tensor<4x4xf32>
    %t2 = nn.add %z2, %z2 {train.backward} : tensor<4x4xf32>
    %dz2 = nn.mul %dh3, %t2 {train.backward} : tensor<4x4xf32>
    %g1 = nn.matmul %dz2, %h1 transpose_lhs {train.backward} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %dh1c = nn.matmul %dz2, %w1 {train.backward} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %dh1 = nn.add %dh1b, %dh1c {train.backward} : tensor<4x4xf32>
    %o = nn.broadcast %one dims [0, 1] {train.backward} : tensor<f32> to tensor<4x4xf32>
    %sq = nn.square %h1 {train.backward} : tensor<4x4xf32>
    %slope = nn.sub %o, %sq {train.backward} : tensor<4x4xf32>
    %dz1 = nn.mul %dh1, %slope {train.backward} : tensor<4x4xf32>
    %g0 = nn.matmul %dz1, %h0 transpose_lhs {train.backward} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    train.yield %g0, %g1, %g2 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// Pins hold under every policy: %h1, %h2 and %h3 are never read by the backward
// pass. Neighbouring pins are one region; %h2 and %h3 need %h1 once more.
// CHECK-LABEL: func.func @pins(
// CHECK: %[[Z1:.*]] = nn.matmul
// CHECK: %[[H1:.*]] = nn.tanh %[[Z1]] {train.recompute}
// CHECK: %[[Z2:.*]] = nn.matmul
// CHECK: %[[H2:.*]] = nn.tanh %[[Z2]] {train.recompute}
// CHECK: %[[H3:.*]] = nn.add %[[H2]], %[[H1]] {train.recompute}
// CHECK: %[[R:.*]]:2 = train.recompute {{[0-9]+}} after(%[[H3]] : {{.*}}) inputs(%[[Z2]], %[[Z1]] :
// CHECK-NEXT: ^bb0(%[[A:[^:]+]]: {{.*}}, %[[B:[^:]+]]: {{.*}}):
// CHECK-NEXT: %[[T1:.*]] = nn.tanh %[[B]] :
// CHECK-NEXT: %[[T2:.*]] = nn.tanh %[[A]] :
// CHECK-NEXT: %[[SUM:.*]] = nn.add %[[T2]], %[[T1]] :
// CHECK-NEXT: train.yield %[[T2]], %[[SUM]]
// CHECK-NEXT: }
// CHECK: %[[D:.*]] = nn.add %[[R]]#1, %[[R]]#1
// CHECK: %[[M:.*]] = nn.mul %[[D]], %[[R]]#0
// CHECK: %[[AGAIN:.*]] = train.recompute {{[0-9]+}} after(%[[M]] : {{.*}}) inputs(%[[Z1]] :
// CHECK: nn.matmul %[[M]], %[[AGAIN]] transpose_lhs
// CHECK: nn.mul %[[M]], %[[Z1]]
// REMARK: remark: [Passed] recomputed {{.*}} Remark="pinned in the model"
func.func @pins(%w0: tensor<4x4xf32> {reference.value = dense<[[-1.0, 1.0, 0.125, -1.125], [-0.875, 0.125, -0.125, -1.0], [-1.375, 0.125, -0.375, -1.0], [0.25, 0.875, -0.875, 0.5]]> : tensor<4x4xf32>},
    %w1: tensor<4x4xf32> {reference.value = dense<[[0.25, 0.375, 1.25, 1.375], [-0.25, 0.375, -0.5, -0.375], [0.375, 0.125, -1.0, -1.125], [0.125, 0.625, -0.875, 1.0]]> : tensor<4x4xf32>},
    %x: tensor<8x4xf32> {reference.value = dense<[[0.375, -0.25, -0.875, -1.25], [0.375, -0.5, 0.5, 0.625], [0.5, -0.125, -1.25, 1.5], [-0.125, 1.25, 0.75, 1.125], [-1.375, 1.5, -0.375, -0.125], [0.625, 1.25, 1.125, -0.5], [0.375, -0.5, 1.5, 1.25], [1.25, -0.375, -0.25, 1.0]]> : tensor<8x4xf32>}) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %r:2 = train.accumulate count(2) size(4) offset(0) of(8)
      slices(%x : tensor<8x4xf32>) modes [#train.mapped<dim = 0>]
      reduce [#train.reducer<sum>, #train.reducer<sum>] -> tensor<4x4xf32>, tensor<4x4xf32> {
  ^bb0(%first: index, %h0: tensor<4x4xf32>):
    %z1 = nn.matmul %h0, %w0 transpose_rhs : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %h1 = nn.tanh %z1 {train.recompute} : tensor<4x4xf32>
    %z2 = nn.matmul %h1, %w1 transpose_rhs : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %h2 = nn.tanh %z2 {train.recompute} : tensor<4x4xf32>
    %h3 = nn.add %h2, %h1 {train.recompute} : tensor<4x4xf32>
    %d = nn.add %h3, %h3 {train.backward} : tensor<4x4xf32>
    %g1a = nn.mul %d, %h2 {train.backward} : tensor<4x4xf32>
    %g1 = nn.matmul %g1a, %h1 transpose_lhs {train.backward} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %g0a = nn.mul %g1a, %z1 {train.backward} : tensor<4x4xf32>
    %g0 = nn.matmul %g0a, %h0 transpose_lhs {train.backward} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    train.yield %g0, %g1 : tensor<4x4xf32>, tensor<4x4xf32>
  }
  return %r#0, %r#1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// Views and broadcasts are never worth storing: the reshaped value is a result
// of the region along with its source, the broadcast constant stays where it is.
// CHECK-LABEL: func.func @views(
// CHECK: %[[ONES:.*]] = nn.broadcast
// CHECK: %[[U:.*]] = nn.reshape {{.*}} to tensor<4x4xf32>
// CHECK: nn.mul %{{.*}}, %[[ONES]] {train.backward}
// CHECK: nn.matmul %{{.*}}, %[[U]] transpose_lhs
// NONE-NOT: train.recompute
// FULL: %[[R:.*]]:2 = train.recompute
// FULL: %[[E:.*]] = nn.exp
// FULL-NEXT: %[[V:.*]] = nn.reshape %[[E]]
// FULL-NEXT: train.yield %[[E]], %[[V]]
// FULL: nn.mul %{{.*}}, %[[R]]#1 {train.backward} : tensor<8x2xf32>
// FULL: nn.mul %{{.*}}, %[[R]]#0 {train.backward} : tensor<4x4xf32>
func.func @views(%w0: tensor<4x4xf32> {reference.value = dense<[[-0.875, 0.75, -1.5, 0.375], [0.625, 1.5, -0.5, -0.25], [1.125, -0.5, 0.25, -0.375], [0.5, 1.0, 1.125, -0.125]]> : tensor<4x4xf32>},
    %w1: tensor<4x4xf32> {reference.value = dense<[[-0.125, -0.5, 1.0, -0.125], [1.375, 0.125, -0.125, -0.875], [1.25, 0.25, -0.125, -0.25], [0.5, -1.0, 0.5, -0.875]]> : tensor<4x4xf32>},
    %x: tensor<8x4xf32> {reference.value = dense<[[-0.75, -0.125, 0.375, -0.375], [1.25, -1.25, 1.375, 1.125], [1.375, 0.125, -0.875, 0.875], [1.5, 0.75, 0.5, 1.125], [0.125, -0.375, 0.875, 0.625], [1.5, 1.0, -0.5, 1.375], [-1.5, -0.75, -0.875, 0.75], [0.25, 0.875, 1.0, -0.875]]> : tensor<8x4xf32>}) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %one = nn.constant dense<1.0> : tensor<f32>
  %r:2 = train.accumulate count(2) size(4) offset(0) of(8)
      slices(%x : tensor<8x4xf32>) modes [#train.mapped<dim = 0>]
      reduce [#train.reducer<sum>, #train.reducer<sum>] -> tensor<4x4xf32>, tensor<4x4xf32> {
  ^bb0(%first: index, %h0: tensor<4x4xf32>):
    %c = nn.broadcast %one dims [0, 1] : tensor<f32> to tensor<4x4xf32>
    %z1 = nn.matmul %h0, %w0 transpose_rhs : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %h1 = nn.exp %z1 : tensor<4x4xf32>
    %v = nn.reshape %h1 : tensor<4x4xf32> to tensor<8x2xf32>
    %k = nn.square %v : tensor<8x2xf32>
    %u = nn.reshape %k : tensor<8x2xf32> to tensor<4x4xf32>
    %z2 = nn.matmul %u, %w1 transpose_rhs : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %d = nn.mul %z2, %c {train.backward} : tensor<4x4xf32>
    %g1 = nn.matmul %d, %u transpose_lhs {train.backward} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %du = nn.matmul %d, %w1 {train.backward} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %dk = nn.reshape %du {train.backward} : tensor<4x4xf32> to tensor<8x2xf32>
    %dv = nn.mul %dk, %v {train.backward} : tensor<8x2xf32>
    %dh = nn.reshape %dv {train.backward} : tensor<8x2xf32> to tensor<4x4xf32>
    %dz = nn.mul %dh, %h1 {train.backward} : tensor<4x4xf32>
    %g0 = nn.matmul %dz, %h0 transpose_lhs {train.backward} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    train.yield %g0, %g1 : tensor<4x4xf32>, tensor<4x4xf32>
  }
  return %r#0, %r#1 : tensor<4x4xf32>, tensor<4x4xf32>
}
