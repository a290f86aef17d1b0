// RUN: accrue-translate --interpret --interpret-batch=2 %s | FileCheck %s

// NumPy: x[:, 1:5:2], x[3:3], b[1:]
// CHECK-LABEL: @slice
func.func @slice() -> (tensor<?x2xf32>, tensor<0xi32>, tensor<2xi1>) {
  %r = nn.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %x = nn.broadcast %r dims [0] : tensor<5xf32> to tensor<?x5xf32>
  %i = nn.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %b = nn.constant dense<[true, false, true]> : tensor<3xi1>
  // CHECK-NEXT: #0: {{\[\[}}2, 4], [2, 4]] : tensor<2x2xf32>
  %0 = nn.slice %x dim 1 from 1 to 5 by 2 : tensor<?x5xf32> -> tensor<?x2xf32>
  // CHECK-NEXT: #1: [] : tensor<0xi32>
  %1 = nn.slice %i dim 0 from 3 to 3 : tensor<4xi32> -> tensor<0xi32>
  // CHECK-NEXT: #2: [0, 1] : tensor<2xi1>
  %2 = nn.slice %b dim 0 from 1 to 3 : tensor<3xi1> -> tensor<2xi1>
  return %0, %1, %2 : tensor<?x2xf32>, tensor<0xi32>, tensor<2xi1>
}

// jax.lax.pad(x, value, [(low, high, interior)])
// CHECK-LABEL: @pad
func.func @pad() -> (tensor<6xf32>, tensor<3x2xi32>, tensor<2xf32>) {
  %x = nn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %i = nn.constant dense<[[1, 2]]> : tensor<1x2xi32>
  %none = nn.slice %x dim 0 from 0 to 0 : tensor<2xf32> -> tensor<0xf32>
  // CHECK-NEXT: #0: [0.5, 1, 0.5, 0.5, 2, 0.5]
  %0 = nn.pad %x dim 0 low 1 high 1 interior 2 value 0.5 : tensor<2xf32> -> tensor<6xf32>
  // CHECK-NEXT: #1: {{\[\[}}-3, -3], [-3, -3], [1, 2]]
  %1 = nn.pad %i dim 0 low 2 high 0 value -3.0 : tensor<1x2xi32> -> tensor<3x2xi32>
  // CHECK-NEXT: #2: [0, 0]
  %2 = nn.pad %none dim 0 low 1 high 1 interior 5 : tensor<0xf32> -> tensor<2xf32>
  return %0, %1, %2 : tensor<6xf32>, tensor<3x2xi32>, tensor<2xf32>
}

// CHECK-LABEL: @concat
func.func @concat() -> (tensor<2x3xf32>, tensor<3x2xf32>, tensor<?xf32, #nn.extents<"2*B">>) {
  %a = nn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = nn.constant dense<[[5.0], [6.0]]> : tensor<2x1xf32>
  %c = nn.constant dense<[[5.0, 6.0]]> : tensor<1x2xf32>
  %d = nn.constant dense<7.0> : tensor<f32>
  %e = nn.constant dense<8.0> : tensor<f32>
  %ds = nn.broadcast %d dims [0] : tensor<f32> to tensor<?xf32>
  %es = nn.broadcast %e dims [0] : tensor<f32> to tensor<?xf32>
  // CHECK-NEXT: #0: {{\[\[}}1, 2, 5], [3, 4, 6]]
  %0 = nn.concat %a, %b dim 1 : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: #1: {{\[\[}}1, 2], [3, 4], [5, 6]]
  %1 = nn.concat %a, %c dim 0 : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  // CHECK-NEXT: #2: [7, 7, 8, 8]
  %2 = nn.concat %ds, %es dim 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32, #nn.extents<"2*B">>
  return %0, %1, %2 : tensor<2x3xf32>, tensor<3x2xf32>, tensor<?xf32, #nn.extents<"2*B">>
}

// CHECK-LABEL: @flip
func.func @flip() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %x = nn.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  // CHECK-NEXT: #0: {{\[\[}}3, 2, 1], [6, 5, 4]]
  %0 = nn.flip %x dims [1] : tensor<2x3xf32> -> tensor<2x3xf32>
  // CHECK-NEXT: #1: {{\[\[}}6, 5, 4], [3, 2, 1]]
  %1 = nn.flip %x dims [0, 1] : tensor<2x3xf32> -> tensor<2x3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}
