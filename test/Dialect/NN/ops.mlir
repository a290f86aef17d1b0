// RUN: accrue-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @elementwise
func.func @elementwise(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %c: tensor<?x4xi1>) {
  // CHECK: nn.constant dense<1.000000e+00> : tensor<f32>
  %0 = nn.constant dense<1.0> : tensor<f32>
  // CHECK: nn.extent <"B"> : tensor<f32>
  %1 = nn.extent <"B"> : tensor<f32>
  // CHECK: nn.convert %{{.*}} : tensor<?x4xi1> to tensor<?x4xf32>
  %2 = nn.convert %c : tensor<?x4xi1> to tensor<?x4xf32>
  // CHECK: nn.neg %{{.*}} : tensor<?x4xf32>
  %3 = nn.neg %a : tensor<?x4xf32>
  // CHECK: nn.add %{{.*}}, %{{.*}} : tensor<?x4xf32>
  %4 = nn.add %a, %b : tensor<?x4xf32>
  // CHECK: nn.compare lt %{{.*}}, %{{.*}} : tensor<?x4xf32>
  %5 = nn.compare lt %a, %b : tensor<?x4xf32>
  // CHECK: nn.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x4xi1>, tensor<?x4xf32>
  %6 = nn.select %5, %a, %b : tensor<?x4xi1>, tensor<?x4xf32>
  return
}

// CHECK-LABEL: @shapes
func.func @shapes(%a: tensor<?x16x64xf32>, %b: tensor<64xf32>) {
  // CHECK: nn.reshape %{{.*}} : tensor<?x16x64xf32> to tensor<?x64xf32, #nn.extents<"16*B">>
  %0 = nn.reshape %a : tensor<?x16x64xf32> to tensor<?x64xf32, #nn.extents<"16*B">>
  // CHECK: nn.broadcast %{{.*}} dims [0] : tensor<64xf32> to tensor<?x64xf32, #nn.extents<"16*B">>
  %1 = nn.broadcast %b dims [0] : tensor<64xf32> to tensor<?x64xf32, #nn.extents<"16*B">>
  // CHECK: nn.transpose %{{.*}} [1, 0] : tensor<?x64xf32, #nn.extents<"16*B">> -> tensor<64x?xf32, #nn.extents<"16*B">>
  %2 = nn.transpose %0 [1, 0] : tensor<?x64xf32, #nn.extents<"16*B">> -> tensor<64x?xf32, #nn.extents<"16*B">>
  // CHECK: nn.matmul %{{.*}}, %{{.*}} transpose_rhs : {{.*}} -> tensor<?x?xf32, #nn.extents<"16*B", "16*B">>
  %3 = nn.matmul %0, %1 transpose_rhs : (tensor<?x64xf32, #nn.extents<"16*B">>, tensor<?x64xf32, #nn.extents<"16*B">>) -> tensor<?x?xf32, #nn.extents<"16*B", "16*B">>
  %4 = nn.reshape %0 : tensor<?x64xf32, #nn.extents<"16*B">> to tensor<?x16x64xf32>
  // CHECK: nn.matmul %{{.*}}, %{{.*}} transpose_lhs : (tensor<?x16x64xf32>, tensor<?x16x64xf32>) -> tensor<?x64x64xf32>
  %5 = nn.matmul %4, %4 transpose_lhs : (tensor<?x16x64xf32>, tensor<?x16x64xf32>) -> tensor<?x64x64xf32>
  return
}

// CHECK-LABEL: @movement
func.func @movement(%a: tensor<?x16xf32>, %i: tensor<?x16xi1>) {
  // CHECK: nn.slice %{{.*}} dim 1 from 0 to 15 : tensor<?x16xf32> -> tensor<?x15xf32>
  %0 = nn.slice %a dim 1 from 0 to 15 : tensor<?x16xf32> -> tensor<?x15xf32>
  // CHECK: nn.slice %{{.*}} dim 1 from 1 to 16 by 3 : tensor<?x16xi1> -> tensor<?x5xi1>
  %1 = nn.slice %i dim 1 from 1 to 16 by 3 : tensor<?x16xi1> -> tensor<?x5xi1>
  // CHECK: nn.pad %{{.*}} dim 1 low 0 high 2 : tensor<?x16xf32> -> tensor<?x18xf32>
  %2 = nn.pad %a dim 1 low 0 high 2 : tensor<?x16xf32> -> tensor<?x18xf32>
  // CHECK: nn.pad %{{.*}} dim 1 low 1 high 0 interior 1 value -1.000000e+00 : tensor<?x16xf32> -> tensor<?x32xf32>
  %3 = nn.pad %a dim 1 low 1 high 0 interior 1 value -1.0 : tensor<?x16xf32> -> tensor<?x32xf32>
  // CHECK: nn.concat %{{.*}}, %{{.*}} dim 1 : (tensor<?x16xf32>, tensor<?x15xf32>) -> tensor<?x31xf32>
  %4 = nn.concat %a, %0 dim 1 : (tensor<?x16xf32>, tensor<?x15xf32>) -> tensor<?x31xf32>
  // CHECK: nn.concat %{{.*}}, %{{.*}} dim 0 : {{.*}} -> tensor<?x16xf32, #nn.extents<"2*B">>
  %5 = nn.concat %a, %a dim 0 : (tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x16xf32, #nn.extents<"2*B">>
  // CHECK: nn.flip %{{.*}} dims [0, 1] : tensor<?x16xf32> -> tensor<?x16xf32>
  %6 = nn.flip %a dims [0, 1] : tensor<?x16xf32> -> tensor<?x16xf32>
  return
}

// CHECK-LABEL: @indexing
func.func @indexing(%table: tensor<100x8xf32>, %i: tensor<?x16xi32>, %ct: tensor<?x16x8xf32>, %x: tensor<?x10xf32>, %j: tensor<?x3xi64>) {
  // CHECK: nn.gather %{{.*}}, %{{.*}} dim 0 : (tensor<100x8xf32>, tensor<?x16xi32>) -> tensor<?x16x8xf32>
  %0 = nn.gather %table, %i dim 0 : (tensor<100x8xf32>, tensor<?x16xi32>) -> tensor<?x16x8xf32>
  // CHECK: nn.scatter_add %{{.*}}, %{{.*}} dim 0 : (tensor<?x16x8xf32>, tensor<?x16xi32>) -> tensor<100x8xf32>
  %1 = nn.scatter_add %ct, %i dim 0 : (tensor<?x16x8xf32>, tensor<?x16xi32>) -> tensor<100x8xf32>
  // CHECK: nn.take_along %{{.*}}, %{{.*}} dim 1 : (tensor<?x10xf32>, tensor<?x3xi64>) -> tensor<?x3xf32>
  %2 = nn.take_along %x, %j dim 1 : (tensor<?x10xf32>, tensor<?x3xi64>) -> tensor<?x3xf32>
  // CHECK: nn.scatter_add_along %{{.*}}, %{{.*}} dim 1 : (tensor<?x3xf32>, tensor<?x3xi64>) -> tensor<?x10xf32>
  %3 = nn.scatter_add_along %2, %j dim 1 : (tensor<?x3xf32>, tensor<?x3xi64>) -> tensor<?x10xf32>
  // CHECK: nn.top_k %{{.*}} k 3 : tensor<?x10xf32> -> tensor<?x3xi32>
  %4 = nn.top_k %x k 3 : tensor<?x10xf32> -> tensor<?x3xi32>
  return
}

// CHECK-LABEL: @reductions
func.func @reductions(%a: tensor<?x10xf32>, %l: tensor<?xi32>, %g: tensor<f32>) {
  // CHECK: nn.sum %{{.*}} dims [0] : tensor<?x10xf32> -> tensor<10xf32>
  %0 = nn.sum %a dims [0] : tensor<?x10xf32> -> tensor<10xf32>
  // CHECK: nn.mean %{{.*}} dims [0, 1] : tensor<?x10xf32> -> tensor<f32>
  %1 = nn.mean %a dims [0, 1] : tensor<?x10xf32> -> tensor<f32>
  // CHECK: nn.argmax %{{.*}} dim 1 : tensor<?x10xf32> -> tensor<?xi32>
  %2 = nn.argmax %a dim 1 : tensor<?x10xf32> -> tensor<?xi32>
  // CHECK: nn.cross_entropy %{{.*}}, %{{.*}} : (tensor<?x10xf32>, tensor<?xi32>) -> tensor<?xf32>
  %3 = nn.cross_entropy %a, %l : (tensor<?x10xf32>, tensor<?xi32>) -> tensor<?xf32>
  // CHECK: nn.distribute %{{.*}} dims [0] : tensor<f32> to tensor<?xf32>
  %4 = nn.distribute %g dims [0] : tensor<f32> to tensor<?xf32>
  // CHECK: nn.cross_entropy_grad %{{.*}}, %{{.*}}, %{{.*}} : tensor<?x10xf32>, tensor<?xi32>, tensor<?xf32>
  %5 = nn.cross_entropy_grad %a, %l, %4 : tensor<?x10xf32>, tensor<?xi32>, tensor<?xf32>
  return
}

// CHECK-LABEL: @functions
func.func @functions(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %c: tensor<?x4xi1>) {
  // CHECK: nn.erf %{{.*}} : tensor<?x4xf32>
  %0 = nn.erf %a : tensor<?x4xf32>
  // CHECK: nn.gelu %{{[^ ]*}} : tensor<?x4xf32>
  %1 = nn.gelu %a : tensor<?x4xf32>
  // CHECK: nn.gelu %{{.*}} tanh : tensor<?x4xf32>
  %2 = nn.gelu %a tanh : tensor<?x4xf32>
  // CHECK: nn.clamp %{{.*}} from -1.000000e+00 to 6.000000e+00 : tensor<?x4xf32>
  %3 = nn.clamp %a from -1.0 to 6.0 : tensor<?x4xf32>
  // CHECK: nn.stop_gradient %{{.*}} : tensor<?x4xf32>
  %4 = nn.stop_gradient %a : tensor<?x4xf32>
  // CHECK: nn.min %{{.*}}, %{{.*}} : tensor<?x4xf32>
  %5 = nn.min %a, %b : tensor<?x4xf32>
  // CHECK: nn.pow %{{.*}}, %{{.*}} : tensor<?x4xf32>
  %6 = nn.pow %a, %b : tensor<?x4xf32>
  // CHECK: nn.and %{{.*}}, %{{.*}} : tensor<?x4xi1>
  %7 = nn.and %c, %c : tensor<?x4xi1>
  // CHECK: nn.not %{{.*}} : tensor<?x4xi1>
  %8 = nn.not %c : tensor<?x4xi1>
  // CHECK: nn.iota dim 1 : tensor<?x4xi32>
  %9 = nn.iota dim 1 : tensor<?x4xi32>
  // CHECK: nn.reduce_max %{{.*}} dims [1] : tensor<?x4xf32> -> tensor<?xf32>
  %10 = nn.reduce_max %a dims [1] : tensor<?x4xf32> -> tensor<?xf32>
  // CHECK: nn.reduce_min %{{.*}} dims [0, 1] : tensor<?x4xf32> -> tensor<f32>
  %11 = nn.reduce_min %a dims [0, 1] : tensor<?x4xf32> -> tensor<f32>
  // CHECK: nn.cumsum %{{.*}} dim 0 : tensor<?x4xf32>
  %12 = nn.cumsum %a dim 0 : tensor<?x4xf32>
  // CHECK: nn.cumsum %{{.*}} dim 1 reverse : tensor<?x4xf32>
  %13 = nn.cumsum %a dim 1 reverse : tensor<?x4xf32>
  // CHECK: nn.reduce_max %{{.*}} dims [0] : tensor<?x4xi32> -> tensor<4xi32>
  %14 = nn.reduce_max %9 dims [0] : tensor<?x4xi32> -> tensor<4xi32>
  // CHECK: nn.reduce_argmax %{{.*}}, %{{.*}} dims [0] : tensor<?x4xf32>, tensor<?x4xi32> -> tensor<4xf32>, tensor<4xi32>
  %15, %16 = nn.reduce_argmax %a, %9 dims [0] : tensor<?x4xf32>, tensor<?x4xi32> -> tensor<4xf32>, tensor<4xi32>
  return
}

// CHECK-LABEL: @windows
func.func @windows(%x: tensor<?x4x5x6xf32>, %w: tensor<6x2x3x3xf32>) {
  // CHECK: nn.unfold %{{.*}} kernel [3, 2] stride [2, 1] dilation [1, 2] padding [1, 1, 0, 0] value 0xFFF0000000000000 : tensor<?x4x5x6xf32> -> tensor<?x4x3x4x3x2xf32>
  %0 = nn.unfold %x kernel [3, 2] stride [2, 1] dilation [1, 2] padding [1, 1, 0, 0] value 0xFFF0000000000000 : tensor<?x4x5x6xf32> -> tensor<?x4x3x4x3x2xf32>
  // CHECK: nn.unfold %{{.*}} channels_last : tensor<?x4x5x6xf32> -> tensor<?x3x4x4x3x2xf32>
  %1 = nn.unfold %x kernel [3, 2] stride [2, 1] dilation [1, 2] padding [1, 1, 0, 0] value 0.0 channels_last : tensor<?x4x5x6xf32> -> tensor<?x3x4x4x3x2xf32>
  // CHECK: nn.fold %{{.*}} kernel [3, 2] stride [2, 1] dilation [1, 2] padding [1, 1, 0, 0] channels_last : tensor<?x3x4x4x3x2xf32> -> tensor<?x4x5x6xf32>
  %2 = nn.fold %1 kernel [3, 2] stride [2, 1] dilation [1, 2] padding [1, 1, 0, 0] channels_last : tensor<?x3x4x4x3x2xf32> -> tensor<?x4x5x6xf32>
  // CHECK: nn.conv2d %{{.*}}, %{{.*}} stride [2, 1] padding [1, 1, 0, 0] dilation [1, 2] groups 2 : (tensor<?x4x5x6xf32>, tensor<6x2x3x3xf32>) -> tensor<?x6x3x2xf32>
  %3 = nn.conv2d %x, %w stride [2, 1] padding [1, 1, 0, 0] dilation [1, 2] groups 2 : (tensor<?x4x5x6xf32>, tensor<6x2x3x3xf32>) -> tensor<?x6x3x2xf32>
  // CHECK: nn.max_pool2d %{{.*}} kernel [3, 2] stride [2, 1] padding [1, 1, 0, 0] dilation [1, 2] : tensor<?x4x5x6xf32> -> tensor<?x4x3x4xf32>
  %4 = nn.max_pool2d %x kernel [3, 2] stride [2, 1] padding [1, 1, 0, 0] dilation [1, 2] : tensor<?x4x5x6xf32> -> tensor<?x4x3x4xf32>
  return
}
