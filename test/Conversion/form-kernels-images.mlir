// RUN: accrue-opt --form-kernels %s | FileCheck %s

// A product reads windows from memory: their image is made for it, and again for
// the next product. It is many times as large as the images, and is needed at
// most once at a time. It belongs to the pass of the product.
// CHECK-LABEL: func.func @windows
// CHECK:      %[[D0:.*]] = kernel.alloc "unfold"
// CHECK-NEXT: %[[U0:.*]] = kernel.group "unfold" elementwise ins(%[[X:.*]] : tensor<2x1x4x4xf32>) outs(%[[D0]] : {{.*}}) -> tensor<2x3x3x1x2x2xf32> {
// CHECK:      %[[M0:.*]] = tensor.collapse_shape %[[U0]]
// CHECK:      kernel.gemm %{{.*}}, %{{.*}} transpose_b
// CHECK:      %[[D1:.*]] = kernel.alloc "unfold"
// CHECK-NEXT: %[[U1:.*]] = kernel.group "unfold" elementwise ins(%[[X]] : tensor<2x1x4x4xf32>) outs(%[[D1]] : {{.*}}) attributes {kernel.backward} -> tensor<2x3x3x1x2x2xf32> {
// CHECK:      kernel.gemm %{{.*}} transpose_a, %{{.*}}
// CHECK-NOT:  kernel.group
func.func @windows(%x: tensor<2x1x4x4xf32> {train.role = #train.role<param>, train.name = "x"},
                   %w: tensor<3x4xf32> {train.role = #train.role<param>, train.name = "w"})
    -> (tensor<3x4xf32> {train.name = "d"}) attributes {train.model} {
  %u = nn.unfold %x kernel [2, 2] stride [1, 1] dilation [1, 1] padding [0, 0, 0, 0] value 0.0 channels_last : tensor<2x1x4x4xf32> -> tensor<2x3x3x1x2x2xf32>
  %m = nn.reshape %u : tensor<2x3x3x1x2x2xf32> to tensor<18x4xf32>
  %y = nn.matmul %m, %w transpose_rhs : (tensor<18x4xf32>, tensor<3x4xf32>) -> tensor<18x3xf32>
  %d = nn.matmul %y, %m transpose_lhs {train.backward} : (tensor<18x3xf32>, tensor<18x4xf32>) -> tensor<3x4xf32>
  return %d : tensor<3x4xf32>
}
