// RUN: accrue-opt %s --split-input-file --train-accumulate="micro-batch=2" | FileCheck %s
// RUN: accrue-opt %s --split-input-file --train-accumulate="micro-batch=2 coupled=store" | FileCheck %s --check-prefix=STORE

// A value per sample that reads a finished sum is computed in a second loop; what
// it shares with the first one is computed again, or stored.
// CHECK-LABEL: func.func @centred(
// CHECK: %[[MEAN:.+]] = train.accumulate count(2) size(2) offset(0) of(4) {{.*}} reduce [#train.reducer<sum>] -> tensor<f32>
// CHECK: nn.matmul
// CHECK: %[[LOSS:.+]] = train.accumulate count(2) size(2) offset(0) of(4) {{.*}} reduce [#train.reducer<sum>] -> tensor<f32>
// CHECK: nn.matmul
// CHECK: nn.broadcast %[[MEAN]]
// CHECK: return %[[LOSS]]
// STORE-LABEL: func.func @centred(
// STORE: %[[FIRST:.+]]:2 = train.accumulate {{.*}} reduce [#train.reducer<sum>, #train.reducer<concat, <dim = 0>>] -> tensor<f32>, tensor<4x1xf32>
// STORE: nn.matmul
// STORE: train.accumulate {{.*}} slices(%[[FIRST]]#1 : tensor<4x1xf32>)
// STORE-NOT: nn.matmul
// STORE: return
func.func @centred(%x: tensor<?x32xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                   %w: tensor<32x1xf32> {train.role = #train.role<param>, train.name = "w"})
    -> tensor<f32> attributes {train.model, train.batch = 4 : i64} {
  %h = nn.matmul %x, %w : (tensor<?x32xf32>, tensor<32x1xf32>) -> tensor<?x1xf32>
  %m = nn.mean %h dims [0, 1] : tensor<?x1xf32> -> tensor<f32>
  %b = nn.broadcast %m dims [0, 1] : tensor<f32> to tensor<?x1xf32>
  %d = nn.sub %h, %b : tensor<?x1xf32>
  %q = nn.square %d : tensor<?x1xf32>
  %v = nn.mean %q dims [0, 1] : tensor<?x1xf32> -> tensor<f32>
  return %v : tensor<f32>
}

// -----

// Moments are merged from one row per micro-batch, with their shares; the tail's
// row is the last one.
// CHECK-LABEL: func.func @moments(
// CHECK: %[[ROWS:.+]]:2 = train.accumulate count(2) size(2) {{.*}} reduce [#train.reducer<stack>, #train.reducer<stack>] -> tensor<3x3xf32>, tensor<3x3xf32>
// CHECK: %[[ALL:.+]]:2 = train.accumulate count(1) size(1) offset(4) {{.*}} init(%[[ROWS]]#0, %[[ROWS]]#1 {{.*}} reduce [#train.reducer<stack at 2>, #train.reducer<stack at 2>]
// CHECK: nn.select {{.*}} tensor<3xf32>
// CHECK: nn.square
func.func @moments(%x: tensor<?x3xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> (tensor<3xf32>, tensor<3xf32>) attributes {train.model, train.batch = 5 : i64} {
  %m, %v = nn.moments %x dims [0] : tensor<?x3xf32> -> tensor<3xf32>, tensor<3xf32>
  return %m, %v : tensor<3xf32>, tensor<3xf32>
}

// -----

// Two runs of samples side by side: a micro-batch takes both halves of a pair.
// CHECK-LABEL: func.func @runs(
// CHECK: train.accumulate count(2) size(2) {{.*}} modes [#train.mapped<dim = 0, outer = 2, group = 2>]
func.func @runs(%x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> attributes {train.model, train.batch = 4 : i64} {
  %r = nn.reshape %x : tensor<?xf32> to tensor<2x?xf32, #nn.extents<"B/2">>
  %m = nn.mean %r dims [0] : tensor<2x?xf32, #nn.extents<"B/2">> -> tensor<?xf32, #nn.extents<"B/2">>
  %q = nn.square %m : tensor<?xf32, #nn.extents<"B/2">>
  %v = nn.mean %q dims [0] : tensor<?xf32, #nn.extents<"B/2">> -> tensor<f32>
  return %v : tensor<f32>
}

// -----

// What no numbering of the samples suits reads the whole value.
// CHECK-LABEL: func.func @gathered(
// CHECK: %[[WHOLE:.+]] = train.accumulate {{.*}} reduce [#train.reducer<concat, <dim = 0>>] -> tensor<4xf32>
// CHECK: nn.cumsum %[[WHOLE]] dim 0
func.func @gathered(%x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<?xf32> attributes {train.model, train.batch = 4 : i64} {
  %e = nn.exp %x : tensor<?xf32>
  %c = nn.cumsum %e dim 0 : tensor<?xf32>
  return %c : tensor<?xf32>
}

// -----

// The parts of a pinned op are pinned; those of others are not.
// CHECK-LABEL: func.func @pinned(
// CHECK: nn.moments {{.*}} {train.recompute}
// CHECK: train.accumulate
// CHECK: nn.sub {{.*}} {train.recompute}
// CHECK: return
// CHECK-LABEL: func.func @unpinned(
// CHECK: nn.moments
// CHECK-NOT: train.recompute
// CHECK: return
func.func @pinned(%x: tensor<?x3xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> attributes {train.model, train.batch = 4 : i64} {
  %n = nn.normalize %x dims [0] eps 1.0e-5 {train.recompute} : tensor<?x3xf32>
  %v = nn.mean %n dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  return %v : tensor<f32>
}
func.func @unpinned(%x: tensor<?x3xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> attributes {train.model, train.batch = 4 : i64} {
  %n = nn.normalize %x dims [0] eps 1.0e-5 : tensor<?x3xf32>
  %v = nn.mean %n dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  return %v : tensor<f32>
}
