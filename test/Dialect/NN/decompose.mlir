// RUN: accrue-opt %s -nn-decompose | FileCheck %s
// RUN: accrue-opt %s -nn-decompose -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=LOC

// A composite of another one; nothing but simple ops is left. Positions are
// compared in the full shape, where they cost no memory.
// CHECK-LABEL: func.func @attention(
// CHECK-SAME: %[[Q:[^:]+]]: tensor<2x2x3x4xf32>, %[[K:[^:]+]]: tensor<2x1x5x4xf32>
// CHECK: %[[GROUPED:.+]] = nn.reshape %[[Q]] : tensor<2x2x3x4xf32> to tensor<2x1x6x4xf32>
// CHECK: %[[QK:.+]] = nn.matmul %[[GROUPED]], %[[K]] transpose_rhs
// CHECK: %[[PRODUCTS:.+]] = nn.reshape %[[QK]] : tensor<2x1x6x5xf32> to tensor<2x2x3x5xf32>
// CHECK: %[[SCORES:.+]] = nn.mul %[[PRODUCTS]], %{{.+}}
// CHECK: %[[T:.+]] = nn.iota dim 2 : tensor<2x2x3x5xi32>
// CHECK: %[[S:.+]] = nn.iota dim 3 : tensor<2x2x3x5xi32>
// CHECK: %[[AHEAD:.+]] = nn.constant dense<2> : tensor<i32>
// CHECK: %[[LAST:.+]] = nn.add %[[T]], %{{.+}} : tensor<2x2x3x5xi32>
// CHECK: %[[SEEN:.+]] = nn.compare le %[[S]], %[[LAST]]
// CHECK: %[[MASKED:.+]] = nn.select %[[SEEN]], %[[SCORES]], %{{.+}}
// CHECK: nn.reduce_max %[[MASKED]] dims [3]
// CHECK: nn.exp
// CHECK: %[[P:.+]] = nn.div
// CHECK-NEXT: %[[ROWS:.+]] = nn.reshape %[[P]]
// CHECK-NEXT: nn.matmul %[[ROWS]]
// CHECK-NOT: nn.softmax
// CHECK-NOT: nn.attention
func.func @attention(%q: tensor<2x2x3x4xf32>, %k: tensor<2x1x5x4xf32>) -> tensor<2x2x3x4xf32> {
  %0 = nn.attention %q, %k, %k causal scale 0.5 : (tensor<2x2x3x4xf32>, tensor<2x1x5x4xf32>, tensor<2x1x5x4xf32>) -> tensor<2x2x3x4xf32>
  return %0 : tensor<2x2x3x4xf32>
}

// Marks and locations pass on.
// CHECK-LABEL: func.func @marks(
// CHECK-COUNT-3: {train.backward, train.recompute}
// CHECK: nn.rsqrt %{{.+}} {train.backward, train.recompute}
// CHECK: %[[Y:.+]] = nn.mul %{{.+}} {train.backward, train.recompute}
// CHECK: return %[[Y]]
// LOC-LABEL: func.func @marks(
// LOC: nn.square {{.*}} loc("norm"("model.acr":3:7))
// LOC: nn.mul {{.*}} loc("norm"("model.acr":3:7))
func.func @marks(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = nn.rms_norm %x dims [1] eps 1.0e-5 {train.backward, train.recompute} : tensor<?x4xf32> loc("norm"("model.acr":3:7))
  return %0 : tensor<?x4xf32>
}

// Statistics over the last dimensions are rows; those over others are not.
// CHECK-LABEL: func.func @dims(
// CHECK: nn.mean %{{.+}} dims [1] : tensor<?x12xf32> -> tensor<?xf32>
// CHECK: nn.reshape %{{.+}} : tensor<?x12xf32> to tensor<?x4x3xf32>
// CHECK: nn.mean %{{.+}} dims [0, 2] : tensor<?x4x3xf32> -> tensor<4xf32>
// CHECK: nn.mean %{{.+}} dims [1] : tensor<4x?xf32, #nn.extents<"3*B">> -> tensor<4xf32>
func.func @dims(%x: tensor<?x4x3xf32>, %y: tensor<4x?x3xf32>) -> (tensor<?x4x3xf32>, tensor<?x4x3xf32>, tensor<4x?x3xf32>) {
  %0 = nn.normalize %x dims [1, 2] eps 1.0e-5 : tensor<?x4x3xf32>
  %1 = nn.normalize %x dims [0, 2] eps 1.0e-5 : tensor<?x4x3xf32>
  %2 = nn.normalize %y dims [1, 2] eps 1.0e-5 : tensor<4x?x3xf32>
  return %0, %1, %2 : tensor<?x4x3xf32>, tensor<?x4x3xf32>, tensor<4x?x3xf32>
}

// In the loops over micro-batches, too.
// CHECK-LABEL: func.func @nested(
// CHECK: train.accumulate
// CHECK: nn.reduce_max
// CHECK-NOT: nn.logsumexp
func.func @nested(%x: tensor<8x4xf32>) -> tensor<f32> {
  %0 = train.accumulate count(2) size(4) offset(0) of(8)
      slices(%x : tensor<8x4xf32>) modes [#train.mapped<dim = 0>]
      reduce [#train.reducer<sum>] -> tensor<f32> {
  ^bb0(%k: index, %a: tensor<4x4xf32>):
    %1 = nn.logsumexp %a dims [1] : tensor<4x4xf32> -> tensor<4xf32>
    %2 = nn.sum %1 dims [0] : tensor<4xf32> -> tensor<f32>
    train.yield %2 : tensor<f32>
  }
  return %0 : tensor<f32>
}
