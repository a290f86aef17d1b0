// RUN: accrue-opt %s -train-differentiate -canonicalize -cse | FileCheck %s
// RUN: accrue-opt %s -train-differentiate | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES
// RUN: accrue-opt %s -train-differentiate -nn-decompose | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 \
// RUN:   | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func @attention(
// CHECK-SAME: %[[Q:[^:]+]]:{{[^%]+}}%[[K:[^:]+]]:{{[^%]+}}%[[V:[^:]+]]:{{[^%]+}}%[[C:[^:]+]]:{{[^%]+}}
// CHECK: %[[QK:[^ ]+]] = nn.matmul %[[Q]], %[[K]] transpose_rhs
// CHECK-NEXT: %[[SCALE:[^ ]+]] = nn.broadcast
// CHECK-NEXT: %[[S:[^ ]+]] = nn.mul %[[QK]], %[[SCALE]]
// CHECK-NEXT: %[[P:[^ ]+]] = nn.softmax %[[S]] dim 3
// CHECK-NEXT: %[[DV:[^ ]+]] = nn.matmul %[[P]], %[[C]] transpose_lhs
// CHECK-NEXT: %[[DP:[^ ]+]] = nn.matmul %[[C]], %[[V]] transpose_rhs
// CHECK-NEXT: %[[DPP:[^ ]+]] = nn.mul %[[DP]], %[[P]]
// CHECK-NEXT: %[[SUM:[^ ]+]] = nn.sum %[[DPP]] dims [3]
// CHECK-NEXT: %[[ALONG:[^ ]+]] = nn.broadcast %[[SUM]] dims [3]
// CHECK-NEXT: %[[REST:[^ ]+]] = nn.sub %[[DP]], %[[ALONG]]
// CHECK-NEXT: %[[DS:[^ ]+]] = nn.mul %[[P]], %[[REST]]
// CHECK-NEXT: %[[SCALED:[^ ]+]] = nn.mul %[[DS]], %[[SCALE]]
// CHECK-NEXT: %[[DQ:[^ ]+]] = nn.matmul %[[SCALED]], %[[K]] {train.backward}
// CHECK-NEXT: %[[DK:[^ ]+]] = nn.matmul %[[SCALED]], %[[Q]] transpose_lhs
// CHECK-NEXT: return %[[DQ]], %[[DK]], %[[DV]]
// VALUES-LABEL: @attention
// VALUES-NEXT: #0: {{\[\[\[\[}}-0.513351, 0.313451], [-0.247945, 0.0629889]], {{\[\[}}-0.0032193, 0.0231847], [0, 0]]], {{\[\[\[}}0.0307187, -0.00535405], [-0.0139103, 0.0839753]], {{\[\[}}0.0179553, 0.100211], [0.0156154, -0.0620726]]]]
// VALUES-NEXT: #1: {{\[\[\[\[}}-0.49654, 0.0684479], [0.233401, -0.058652], [0.263139, -0.00979597]], {{\[\[}}-0.00078572, 0.00157144], [-0.00580573, 0.0116115], [0.00659145, -0.0131829]]], {{\[\[\[}}0.00788508, 0.064622], [0.000167186, 0.00847769], [-0.00805227, -0.0730997]], {{\[\[}}0.00818958, -0.0608855], [0.0357832, -0.0291154], [-0.0439728, 0.0900008]]]]
// VALUES-NEXT: #2: {{\[\[\[\[}}0.990392], [0.210582], [0.174026]], {{\[\[}}-0.131974], [-0.975165], [-0.0178608]]], {{\[\[\[}}0.553481], [-0.0414443], [-0.0120369]], {{\[\[}}0.434762], [0.567247], [0.747991]]]]
func.func @attention(%q: tensor<?x2x2x2xf32> {reference.value = dense<[[[[1.75, 0.125], [0.75, -0.875]], [[1.0, -2.0], [0.875, 1.75]]], [[[0.125, 1.625], [-0.25, -2.0]], [[-0.875, 1.5], [0.875, -0.75]]]]> : tensor<2x2x2x2xf32>},
    %k: tensor<?x2x3x2xf32> {reference.value = dense<[[[[0.625, -0.375], [-1.625, -0.5], [-1.5, 2.0]], [[0.625, 1.125], [-1.375, -1.875], [-1.625, 2.0]]], [[[-0.25, -1.375], [1.375, 1.5], [-1.125, 1.375]], [[-1.0, 0.5], [-0.75, -1.625], [-0.75, 2.0]]]]> : tensor<2x2x3x2xf32>},
    %v: tensor<?x2x3x1xf32> {reference.value = dense<[[[[-1.375], [1.125], [1.25]], [[1.75], [1.75], [1.0]]], [[[-1.875], [-1.375], [-0.5]], [[0.0], [0.75], [0.875]]]]> : tensor<2x2x3x1xf32>},
    %c: tensor<?x2x2x1xf32> {reference.value = dense<[[[[1.0], [0.375]], [[-1.125], [0.0]]], [[[-0.125], [0.625]], [[0.875], [0.875]]]]> : tensor<2x2x2x1xf32>})
    -> (tensor<?x2x2x2xf32>, tensor<?x2x3x2xf32>, tensor<?x2x3x1xf32>) {
  %y = nn.attention %q, %k, %v scale 5.000000e-01
    : (tensor<?x2x2x2xf32>, tensor<?x2x3x2xf32>, tensor<?x2x3x1xf32>) -> tensor<?x2x2x1xf32>
  %0 = nn.mul %y, %c : tensor<?x2x2x1xf32>
  %loss = nn.sum %0 dims [0, 1, 2, 3] : tensor<?x2x2x1xf32> -> tensor<f32>
  %g:3 = train.gradient %loss wrt %q, %k, %v : tensor<f32> wrt tensor<?x2x2x2xf32>, tensor<?x2x3x2xf32>, tensor<?x2x3x1xf32>
  return %g#0, %g#1, %g#2 : tensor<?x2x2x2xf32>, tensor<?x2x3x2xf32>, tensor<?x2x3x1xf32>
}

// Keys and values gather the cotangents of their query heads.
// CHECK-LABEL: func.func @attention_grouped(
// CHECK: nn.matmul %{{.*}} : (tensor<?x2x6x2xf32>, tensor<?x2x3x2xf32>) -> tensor<?x2x6x3xf32>
// CHECK: %[[T:[^ ]+]] = nn.iota dim 2 {train.backward} : tensor<?x4x3x3xi32>
// CHECK: %[[S:[^ ]+]] = nn.iota dim 3 {train.backward} : tensor<?x4x3x3xi32>
// CHECK: nn.compare le %[[S]], %[[T]]
// VALUES-LABEL: @attention_grouped
// VALUES-NEXT: #0: {{\[\[\[\[}}0, 0], [0.0398361, 0.124488], [-0.0661762, -0.0241717]], {{\[\[}}0, 0], [-0.113049, -0.353279], [-0.204766, -0.496586]], {{\[\[}}0, 0], [0.184483, 0.0425731], [0.218058, 0.0785678]], {{\[\[}}0, 0], [0.479417, 0.110635], [-0.102499, -0.0347223]]], {{\[\[\[}}0, 0], [-0.55684, 0.222736], [0.200459, -0.0714337]], {{\[\[}}0, 0], [0.150946, -0.0603784], [-0.539648, 0.180704]], {{\[\[}}0, 0], [0.00789968, -0.150094], [0.120416, 0.253889]], {{\[\[}}0, 0], [0.00683491, -0.129863], [-0.361915, -0.681036]]]]
// VALUES-NEXT: #1: {{\[\[\[\[}}-0.220688, 0.0928033], [0.263454, -0.340283], [-0.0427658, 0.24748]], {{\[\[}}-0.163898, 0.569135], [0.203521, -0.58596], [-0.0396228, 0.0168255]]], {{\[\[\[}}0.121257, -0.26641], [-0.0151415, 0.0832801], [-0.106115, 0.18313]], {{\[\[}}0.544994, -0.503635], [0.00838765, 0.132588], [-0.553382, 0.371047]]]]
// VALUES-NEXT: #2: {{\[\[\[\[}}-2.89708, -0.0774138], [-2.47647, -0.332373], [-0.626447, 0.0347869]], {{\[\[}}-0.186407, 1.89495], [-0.943132, 1.53625], [0.00453903, 0.0688084]]], {{\[\[\[}}-2.14175, 0.791919], [-0.65517, -0.735516], [-0.703079, -0.0564023]], {{\[\[}}4.12855, -0.722073], [0.234675, -0.657833], [-0.363223, -0.495094]]]]
func.func @attention_grouped(%q: tensor<?x4x3x2xf32> {reference.value = dense<[[[[2.0, 2.0], [-0.625, -1.875], [1.0, 1.375]], [[-1.75, -1.875], [-0.25, 1.375], [-1.75, 1.0]], [[-0.375, -1.25], [-0.25, -0.625], [-1.5, 0.125]], [[-1.75, 1.375], [0.125, 1.875], [0.75, -1.625]]], [[[2.0, 1.625], [0.875, -0.375], [0.625, 0.25]], [[1.625, 1.75], [1.75, -0.125], [-0.75, 1.625]], [[0.875, -0.625], [-0.5, -0.25], [-2.0, 0.125]], [[0.625, -0.625], [-0.125, -2.0], [2.0, -1.75]]]]> : tensor<2x4x3x2xf32>},
    %k: tensor<?x2x3x2xf32> {reference.value = dense<[[[[-0.125, -1.125], [0.875, 2.0], [-0.875, -1.875]], [[0.5, 0.125], [-1.125, -0.25], [2.0, 1.75]]], [[[1.875, 0.75], [0.0, 1.5], [-0.75, 1.5]], [[0.25, -1.75], [0.125, 0.625], [2.0, 1.5]]]]> : tensor<2x2x3x2xf32>},
    %v: tensor<?x2x3x2xf32> {reference.value = dense<[[[[-0.375, 0.25], [0.0, -1.875], [-2.0, -1.875]], [[-1.0, 0.125], [1.25, -1.0], [-0.125, -0.5]]], [[[1.375, 1.75], [-1.625, 0.0], [-1.75, 1.25]], [[1.375, -1.375], [1.125, -0.5], [0.75, 0.875]]]]> : tensor<2x2x3x2xf32>},
    %c: tensor<?x4x3x2xf32> {reference.value = dense<[[[[1.0, -0.75], [-1.875, -0.875], [-1.875, -1.75]], [[-1.5, 1.25], [-0.5, 1.0], [-1.25, 0.75]], [[-0.5, 0.375], [0.125, 1.875], [-1.125, -0.375]], [[1.125, -0.125], [-1.5, 1.25], [0.75, 0.5]]], [[[-1.375, 0.625], [-0.875, -1.375], [0.375, 0.375]], [[-0.625, 1.375], [0.875, -0.625], [-1.875, -0.375]], [[1.875, 1.5], [1.875, -0.625], [-1.625, 0.625]], [[1.625, -0.125], [0.5, -1.25], [-0.25, -2.0]]]]> : tensor<2x4x3x2xf32>})
    -> (tensor<?x4x3x2xf32>, tensor<?x2x3x2xf32>, tensor<?x2x3x2xf32>) {
  %y = nn.attention %q, %k, %v causal scale 2.500000e-01
    : (tensor<?x4x3x2xf32>, tensor<?x2x3x2xf32>, tensor<?x2x3x2xf32>) -> tensor<?x4x3x2xf32>
  %0 = nn.mul %y, %c : tensor<?x4x3x2xf32>
  %loss = nn.sum %0 dims [0, 1, 2, 3] : tensor<?x4x3x2xf32> -> tensor<f32>
  %g:3 = train.gradient %loss wrt %q, %k, %v : tensor<f32> wrt tensor<?x4x3x2xf32>, tensor<?x2x3x2xf32>, tensor<?x2x3x2xf32>
  return %g#0, %g#1, %g#2 : tensor<?x4x3x2xf32>, tensor<?x2x3x2xf32>, tensor<?x2x3x2xf32>
}

// The second position sees nothing: no NaN.
// CHECK-LABEL: func.func @attention_masked(
// CHECK: nn.broadcast %{{[^ ]+}} dims [0, 1] {train.backward} : tensor<2x3xi1> to tensor<?x1x2x3xi1>
// VALUES-LABEL: @attention_masked
// VALUES-NEXT: #0: {{\[\[\[\[}}-0.123047, 0.123047], [0, 0]]], {{\[\[\[}}0.0157779, 0.000544065], [0, 0]]]]
// VALUES-NEXT: #1: {{\[\[\[\[}}-0.287109, -0.287109], [0, 0], [0.287109, 0.287109]]], {{\[\[\[}}0.00598472, 0.00108813], [0, 0], [-0.00598472, -0.00108813]]]]
// VALUES-NEXT: #2: {{\[\[\[\[}}-0.375, -0.5], [0, 0], [-0.375, -0.5]]], {{\[\[\[}}-0.924688, 0], [0, 0], [-0.0753123, 0]]]]
func.func @attention_masked(%q: tensor<?x1x2x2xf32> {reference.value = dense<[[[[0.875, 0.875], [0.125, -0.5]]], [[[1.375, 0.25], [-0.25, -0.875]]]]> : tensor<2x1x2x2xf32>},
    %k: tensor<?x1x3x2xf32> {reference.value = dense<[[[[2.0, 0.625], [-0.75, 2.0], [1.625, 1.0]]], [[[2.0, -0.125], [1.625, 1.625], [-1.625, -0.25]]]]> : tensor<2x1x3x2xf32>},
    %v: tensor<?x1x3x2xf32> {reference.value = dense<[[[[1.25, 1.125], [1.5, -1.625], [-1.25, 0.375]]], [[[0.75, -1.875], [0.5, 1.875], [0.875, 0.375]]]]> : tensor<2x1x3x2xf32>},
    %c: tensor<?x1x2x2xf32> {reference.value = dense<[[[[-0.75, -1.0], [1.75, -0.25]]], [[[-1.0, 0.0], [1.875, -1.75]]]]> : tensor<2x1x2x2xf32>},
    %m: tensor<2x3xi1> {reference.value = dense<[[true, false, true], [false, false, false]]> : tensor<2x3xi1>})
    -> (tensor<?x1x2x2xf32>, tensor<?x1x3x2xf32>, tensor<?x1x3x2xf32>) {
  %y = nn.attention %q, %k, %v mask %m scale 5.000000e-01
    : (tensor<?x1x2x2xf32>, tensor<?x1x3x2xf32>, tensor<?x1x3x2xf32>, tensor<2x3xi1>) -> tensor<?x1x2x2xf32>
  %0 = nn.mul %y, %c : tensor<?x1x2x2xf32>
  %loss = nn.sum %0 dims [0, 1, 2, 3] : tensor<?x1x2x2xf32> -> tensor<f32>
  %g:3 = train.gradient %loss wrt %q, %k, %v : tensor<f32> wrt tensor<?x1x2x2xf32>, tensor<?x1x3x2xf32>, tensor<?x1x3x2xf32>
  return %g#0, %g#1, %g#2 : tensor<?x1x2x2xf32>, tensor<?x1x3x2xf32>, tensor<?x1x3x2xf32>
}
