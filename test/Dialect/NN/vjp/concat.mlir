// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// Each operand gets its part; only what is wanted is built.
// CHECK-LABEL: func.func @concat(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[Y:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[DY:[^ ]+]] = nn.slice %[[C]] dim 1 from 1 to 3 {train.backward}
// CHECK-NEXT: return %[[DY]]
// VALUES-LABEL: @concat
// VALUES-NEXT: #0: {{\[\[}}2, 3], [5, 6]]
func.func @concat(%x: tensor<?x1xf32> {reference.value = dense<1.0> : tensor<2x1xf32>},
    %y: tensor<?x2xf32> {reference.value = dense<1.0> : tensor<2x2xf32>},
    %c: tensor<?x3xf32> {reference.value = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>}) -> tensor<?x2xf32> {
  %z = nn.concat %x, %y dim 1 : (tensor<?x1xf32>, tensor<?x2xf32>) -> tensor<?x3xf32>
  %0 = nn.mul %z, %c : tensor<?x3xf32>
  %loss = nn.sum %0 dims [0, 1] : tensor<?x3xf32> -> tensor<f32>
  %dy = train.gradient %loss wrt %y : tensor<f32> wrt tensor<?x2xf32>
  return %dy : tensor<?x2xf32>
}

// Samples cannot be sliced: slices count multiples of the batch.
// CHECK-LABEL: func.func @samples(
// CHECK-SAME: %[[X:[^:]+]]:{{[^%]+}}%[[Y:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK-NEXT: %[[U:.*]] = nn.reshape %[[C]] {train.backward} : tensor<?xf32, #nn.extents<"3*B">> to tensor<3x?xf32>
// CHECK-NEXT: %[[S:.*]] = nn.slice %[[U]] dim 0 from 1 to 3 {train.backward} : tensor<3x?xf32> -> tensor<2x?xf32>
// CHECK-NEXT: %[[DY:.*]] = nn.reshape %[[S]] {train.backward} : tensor<2x?xf32> to tensor<?xf32, #nn.extents<"2*B">>
// CHECK-NEXT: return %[[DY]]
// VALUES-LABEL: @samples
// VALUES-NEXT: #0: [3, 4, 5, 6]
func.func @samples(%x: tensor<?xf32> {reference.value = dense<1.0> : tensor<2xf32>},
    %y: tensor<?xf32, #nn.extents<"2*B">> {reference.value = dense<1.0> : tensor<4xf32>},
    %c: tensor<?xf32, #nn.extents<"3*B">> {reference.value = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>}) -> tensor<?xf32, #nn.extents<"2*B">> {
  %z = nn.concat %x, %y dim 0 : (tensor<?xf32>, tensor<?xf32, #nn.extents<"2*B">>) -> tensor<?xf32, #nn.extents<"3*B">>
  %0 = nn.mul %z, %c : tensor<?xf32, #nn.extents<"3*B">>
  %loss = nn.sum %0 dims [0] : tensor<?xf32, #nn.extents<"3*B">> -> tensor<f32>
  %dy = train.gradient %loss wrt %y : tensor<f32> wrt tensor<?xf32, #nn.extents<"2*B">>
  return %dy : tensor<?xf32, #nn.extents<"2*B">>
}
