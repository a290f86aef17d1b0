// RUN: accrue-translate --interpret --interpret-digits=7 --interpret-batch=3 %s | FileCheck %s

// The second row would overflow without subtracting the maximum.
// CHECK-LABEL: @cross_entropy
func.func @cross_entropy(
    %logits: tensor<?x3xf32> {reference.value = dense<[[1.0, 2.0, 0.5], [1000.0, 999.0, 998.0], [-1.0, -1.0, -1.0]]> : tensor<3x3xf32>},
    %label: tensor<?xi32> {reference.value = dense<[1, 0, 2]> : tensor<3xi32>},
    %ct: tensor<?xf32> {reference.value = dense<[1.0, 2.0, -0.5]> : tensor<3xf32>})
    -> (tensor<?xf32>, tensor<?x3xf32>) {
  // CHECK-NEXT: #0: [0.4643688, 0.407606, 1.098612]
  %0 = nn.cross_entropy %logits, %label : (tensor<?x3xf32>, tensor<?xi32>) -> tensor<?xf32>
  // CHECK-NEXT: #1: {{\[\[}}0.2312239, -0.3714683, 0.1402444], [-0.6695181, 0.4894569, 0.1800611], [-0.1666667, -0.1666667, 0.3333333]]
  %1 = nn.cross_entropy_grad %logits, %label, %ct : tensor<?x3xf32>, tensor<?xi32>, tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?x3xf32>
}
