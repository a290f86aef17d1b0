// RUN: accrue-translate --interpret --interpret-digits=9 --interpret-batch=4 %s | FileCheck %s
// RUN: accrue-translate --interpret --interpret-digits=9 --interpret-batch=4 --interpret-precision=declared %s | FileCheck %s

// Values by the definition of Philox 4x32-10 in Python, checked with the test
// vectors of its authors: seed 5000000007 (more than 32 bits), batch 3, site 2.

// Samples 0 to 3 in another order: a number belongs to its sample.
// CHECK-LABEL: @uniform
// CHECK-NEXT: #0: {{\[\[}}0.734216094, 0.563002586, 0.554678917], [0.495688379, 0.767858446, 0.130475581], [0.426284552, 0.468606532, 0.0977935195], [0.404028535, 0.865331173, 0.52025187]] : tensor<4x3xf32>
func.func @uniform(%key: tensor<2xi64> {reference.value = dense<[5000000007, 3]> : tensor<2xi64>},
                   %sample: tensor<?xi32> {reference.value = dense<[1, 0, 3, 2]> : tensor<4xi32>}) -> tensor<?x3xf32> {
  %0 = nn.uniform key %key sample %sample dim 0 site 2 : tensor<2xi64>, tensor<?xi32> -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// The place of an element is counted without the dimension of the samples.
// CHECK-LABEL: @samples_last
// CHECK-NEXT: #0: {{\[\[}}0.734216094, 0.495688379, 0.426284552, 0.404028535], [0.563002586, 0.767858446, 0.468606532, 0.865331173], [0.554678917, 0.130475581, 0.0977935195, 0.52025187]]
func.func @samples_last(%key: tensor<2xi64> {reference.value = dense<[5000000007, 3]> : tensor<2xi64>},
                        %sample: tensor<?xi32> {reference.value = dense<[1, 0, 3, 2]> : tensor<4xi32>}) -> tensor<3x?xf32> {
  %0 = nn.uniform key %key sample %sample dim 1 site 2 : tensor<2xi64>, tensor<?xi32> -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}

// f64 has more of the same digits, half types fewer: none is 1.
// CHECK-LABEL: @types
// CHECK-NEXT: #0: [0.495688416, 0.767858448]
// CHECK-NEXT: #1: [0.495605469, 0.767578125, 0.130371094]
// CHECK-NEXT: #2: [0.4921875, 0.765625, 0.12890625]
func.func @types(%key: tensor<2xi64> {reference.value = dense<[5000000007, 3]> : tensor<2xi64>})
    -> (tensor<2xf64>, tensor<3xf16>, tensor<3xbf16>) {
  %0 = nn.uniform key %key site 2 : tensor<2xi64> -> tensor<2xf64>
  %1 = nn.uniform key %key site 2 : tensor<2xi64> -> tensor<3xf16>
  %2 = nn.uniform key %key site 2 : tensor<2xi64> -> tensor<3xbf16>
  return %0, %1, %2 : tensor<2xf64>, tensor<3xf16>, tensor<3xbf16>
}
