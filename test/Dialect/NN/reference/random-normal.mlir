// RUN: accrue-translate --interpret --interpret-digits=6 --interpret-batch=4 %s | FileCheck %s

// By Box and Muller, from numbers as in random.mlir.
// CHECK-LABEL: @normal
// CHECK-NEXT: #0: {{\[\[}}1.16829, 0.0453024, 0.132016], [0.539067, -0.233135, 0.90742], [-0.0276344, 1.46115, -1.18666], [0.372591, 0.363643, 0.425809]]
// CHECK-NEXT: #1: [1.16829, 0.0453018]
func.func @normal(%key: tensor<2xi64> {reference.value = dense<[5000000007, 3]> : tensor<2xi64>},
                  %sample: tensor<?xi32> {reference.value = dense<[0, 1, 2, 3]> : tensor<4xi32>}) -> (tensor<?x3xf32>, tensor<2xf64>) {
  %0 = nn.normal key %key sample %sample dim 0 site 2 : tensor<2xi64>, tensor<?xi32> -> tensor<?x3xf32>
  %1 = nn.normal key %key site 2 : tensor<2xi64> -> tensor<2xf64>
  return %0, %1 : tensor<?x3xf32>, tensor<2xf64>
}
