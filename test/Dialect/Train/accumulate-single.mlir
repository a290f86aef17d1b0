// RUN: accrue-opt %s --train-accumulate --canonicalize --cse | FileCheck %s

// A loss that couples samples is no obstacle for a single micro-batch: its body
// sees the whole batch.

// CHECK-LABEL: func.func @centred(
// CHECK:       train.accumulate count(1) size(4)
// CHECK:       ^bb0(%{{.*}}: index, %[[X:.*]]: tensor<4xf32>):
// CHECK:         %[[M:.*]] = nn.mean %[[X]] dims [0] : tensor<4xf32> -> tensor<f32>
// CHECK:         %[[B:.*]] = nn.broadcast %[[M]] dims [0] : tensor<f32> to tensor<4xf32>
// CHECK:         %[[D:.*]] = nn.sub %[[X]], %[[B]]
// CHECK:         %[[Q:.*]] = nn.square %[[D]]
// CHECK:         %[[V:.*]] = nn.mean %[[Q]]
// CHECK:         train.yield {{.*}}%[[V]]
func.func @centred(%x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> attributes {train.model, train.batch = 4 : i64} {
  %m = nn.mean %x dims [0] : tensor<?xf32> -> tensor<f32>
  %b = nn.broadcast %m dims [0] : tensor<f32> to tensor<?xf32>
  %d = nn.sub %x, %b : tensor<?xf32>
  %q = nn.square %d : tensor<?xf32>
  %v = nn.mean %q dims [0] : tensor<?xf32> -> tensor<f32>
  return %v : tensor<f32>
}

// So are ops that mix samples or read all of them.

// CHECK-LABEL: func.func @mixes(
// CHECK:         %[[A:.*]] = train.accumulate count(1) {{.*}} reduce [#train.reducer<sum>]
// CHECK-DAG:     nn.argmax %[[A]] dim 0 : tensor<4x6xf32> -> tensor<6xi32>
// CHECK-DAG:     nn.reshape %[[A]] : tensor<4x6xf32> to tensor<2x4x3xf32>
func.func @mixes(%x: tensor<?x6xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> (tensor<2xf32>, tensor<6xi32>) attributes {train.model, train.batch = 4 : i64} {
  %e = nn.exp %x : tensor<?x6xf32>
  %r = nn.reshape %e : tensor<?x6xf32> to tensor<2x?x3xf32>
  %v = nn.mean %r dims [1, 2] : tensor<2x?x3xf32> -> tensor<2xf32>
  %a = nn.argmax %e dim 0 : tensor<?x6xf32> -> tensor<6xi32>
  return %v, %a : tensor<2xf32>, tensor<6xi32>
}
