// RUN: accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 %s | FileCheck %s
// RUN: accrue-opt %s -nn-decompose | accrue-translate --interpret --interpret-digits=6 --interpret-batch=2 | FileCheck %s

// Values from PyTorch's scaled_dot_product_attention, in f64; that a position
// that sees nothing gives 0 is a convention of the dialect.

// More keys than queries, values of another width.
// CHECK-LABEL: @full
func.func @full(%q: tensor<?x2x2x2xf32> {reference.value = dense<[[[[0.5, -0.875], [1.125, -1.625]], [[-1.5, -1.25], [0.875, -1.625]]], [[[2.0, -0.375], [-1.75, -1.375]], [[1.375, 1.25], [-1.5, -0.125]]]]> : tensor<2x2x2x2xf32>},
    %k: tensor<?x2x3x2xf32> {reference.value = dense<[[[[-1.375, 1.375], [-1.625, -1.125], [-0.25, -1.625]], [[1.125, -1.625], [-0.25, -1.75], [-1.0, 0.25]]], [[[1.25, -0.875], [-1.125, 0.375], [-0.625, -1.25]], [[-0.5, 0.875], [-1.25, -1.5], [-1.625, -0.375]]]]> : tensor<2x2x3x2xf32>},
    %v: tensor<?x2x3x1xf32> {reference.value = dense<[[[[1.875], [1.375], [0.5]], [[1.625], [1.625], [0.875]]], [[[0.375], [-0.125], [-0.625]], [[-0.125], [-1.375], [0.375]]]]> : tensor<2x2x3x1xf32>})
    -> tensor<?x2x2x1xf32> {
  // CHECK-NEXT: #0: {{\[\[\[\[}}0.938766], [0.745802]], {{\[\[}}1.41921], [1.58688]]], {{\[\[\[}}0.2124], [-0.381613]], {{\[\[}}-0.172187], [-0.357054]]]]
  %0 = nn.attention %q, %k, %v scale 5.000000e-01
    : (tensor<?x2x2x2xf32>, tensor<?x2x3x2xf32>, tensor<?x2x3x1xf32>) -> tensor<?x2x2x1xf32>
  return %0 : tensor<?x2x2x1xf32>
}

// Each position sees itself and those before.
// CHECK-LABEL: @causal
func.func @causal(%q: tensor<?x2x3x2xf32> {reference.value = dense<[[[[1.875, 0.625], [1.5, 0.25], [-1.5, -1.125]], [[2.0, 1.25], [-0.75, 0.625], [-0.875, 1.875]]], [[[1.25, -1.75], [-1.5, 0.5], [0.625, 0.75]], [[1.875, 1.625], [-1.5, -1.375], [0.125, 1.75]]]]> : tensor<2x2x3x2xf32>},
    %k: tensor<?x2x3x2xf32> {reference.value = dense<[[[[-1.5, -1.625], [0.375, 1.5], [0.25, 1.0]], [[0.75, -1.875], [1.625, 0.75], [-0.75, -1.125]]], [[[1.875, -1.625], [-0.375, 0.25], [-1.0, -0.125]], [[1.125, 1.125], [1.875, -1.375], [-0.75, 1.5]]]]> : tensor<2x2x3x2xf32>},
    %v: tensor<?x2x3x2xf32> {reference.value = dense<[[[[1.125, 0.125], [-1.0, 1.375], [0.125, 1.25]], [[0.75, 1.0], [-0.25, -0.875], [-1.375, -0.625]]], [[[-0.875, -0.25], [-0.25, -2.0], [1.875, -0.625]], [[0.0, 0.25], [-2.0, -0.875], [1.25, 0.875]]]]> : tensor<2x2x3x2xf32>})
    -> tensor<?x2x3x2xf32> {
  // CHECK-NEXT: #0: {{\[\[\[\[}}1.125, 0.125], [-0.697757, 1.19721], [0.987949, 0.235517]], {{\[\[}}0.75, 1], [0.129378, -0.163666], [-0.512394, -0.653903]]], {{\[\[\[}}-0.875, -0.25], [-0.314843, -1.81844], [0.0792001, -0.993369]], {{\[\[}}0, 0.25], [-1.5213, -0.605732], [0.556186, 0.521845]]]]
  %0 = nn.attention %q, %k, %v causal scale 5.000000e-01
    : (tensor<?x2x3x2xf32>, tensor<?x2x3x2xf32>, tensor<?x2x3x2xf32>) -> tensor<?x2x3x2xf32>
  return %0 : tensor<?x2x3x2xf32>
}

// The last query sees the last key.
// CHECK-LABEL: @causal_longer
func.func @causal_longer(%q: tensor<?x1x2x2xf32> {reference.value = dense<[[[[0.5, -1.0], [2.0, -1.625]]], [[[1.625, 1.125], [1.125, 1.125]]]]> : tensor<2x1x2x2xf32>},
    %k: tensor<?x1x4x2xf32> {reference.value = dense<[[[[1.125, -1.25], [1.75, 1.125], [-1.625, -0.5], [-1.5, -0.375]]], [[[1.5, -0.75], [-1.125, 0.625], [-1.625, -1.25], [-2.0, -0.875]]]]> : tensor<2x1x4x2xf32>},
    %v: tensor<?x1x4x2xf32> {reference.value = dense<[[[[-1.25, 0.875], [-1.875, -1.5], [-0.375, 1.0], [-0.875, 0.0]]], [[[0.75, 0.875], [1.75, -1.125], [-1.125, 1.875], [1.625, 1.75]]]]> : tensor<2x1x4x2xf32>})
    -> tensor<?x1x2x2xf32> {
  // CHECK-NEXT: #0: {{\[\[\[\[}}-1.20327, 0.402872], [-1.34375, 0.374831]]], {{\[\[\[}}0.86022, 0.53008], [0.957872, 0.449988]]]]
  %0 = nn.attention %q, %k, %v causal scale 5.000000e-01
    : (tensor<?x1x2x2xf32>, tensor<?x1x4x2xf32>, tensor<?x1x4x2xf32>) -> tensor<?x1x2x2xf32>
  return %0 : tensor<?x1x2x2xf32>
}

// The first query sees nothing.
// CHECK-LABEL: @causal_shorter
func.func @causal_shorter(%q: tensor<?x1x3x2xf32> {reference.value = dense<[[[[1.75, 0.375], [-1.375, -0.875], [-1.25, 0.625]]], [[[0.0, 1.75], [-0.75, -1.875], [-0.375, 0.875]]]]> : tensor<2x1x3x2xf32>},
    %k: tensor<?x1x2x2xf32> {reference.value = dense<[[[[-0.875, -1.875], [0.375, -1.375]]], [[[0.0, 0.875], [-0.75, 0.75]]]]> : tensor<2x1x2x2xf32>},
    %v: tensor<?x1x2x2xf32> {reference.value = dense<[[[[-0.25, 2.0], [0.625, -0.25]]], [[[-0.5, -0.125], [1.125, -0.25]]]]> : tensor<2x1x2x2xf32>})
    -> tensor<?x1x3x2xf32> {
  // CHECK-NEXT: #0: {{\[\[\[\[}}0, 0], [-0.25, 2], [0.0550645, 1.21555]]], {{\[\[\[}}0, 0], [-0.5, -0.125], [0.347391, -0.190184]]]]
  %0 = nn.attention %q, %k, %v causal scale 5.000000e-01
    : (tensor<?x1x3x2xf32>, tensor<?x1x2x2xf32>, tensor<?x1x2x2xf32>) -> tensor<?x1x3x2xf32>
  return %0 : tensor<?x1x3x2xf32>
}

// Query heads 0 and 1 read key head 0.
// CHECK-LABEL: @grouped
func.func @grouped(%q: tensor<?x4x3x2xf32> {reference.value = dense<[[[[-0.5, 1.875], [0.75, -1.875], [-1.875, 0.125]], [[1.75, 0.0], [-0.5, 0.75], [1.5, 0.75]], [[0.875, -1.375], [-0.25, -1.25], [-0.25, 1.75]], [[-0.5, 0.625], [-0.375, 1.75], [-2.0, 1.75]]], [[[0.75, -1.375], [-1.125, 1.0], [-0.5, 1.75]], [[-0.625, 1.375], [0.625, -1.375], [1.125, 1.625]], [[1.125, -1.375], [-0.75, -0.75], [-1.0, -1.875]], [[-0.875, 1.625], [-0.875, 1.75], [0.75, -0.875]]]]> : tensor<2x4x3x2xf32>},
    %k: tensor<?x2x3x2xf32> {reference.value = dense<[[[[-1.0, -1.875], [-2.0, -1.25], [-1.0, 1.375]], [[-0.5, -0.375], [-1.875, 0.0], [-0.375, 0.25]]], [[[2.0, -0.125], [0.5, 0.0], [1.25, -1.0]], [[-1.625, 0.75], [1.625, 1.25], [2.0, -1.0]]]]> : tensor<2x2x3x2xf32>},
    %v: tensor<?x2x3x2xf32> {reference.value = dense<[[[[-0.875, 2.0], [-1.875, 1.5], [-0.625, -2.0]], [[-0.875, -0.625], [-0.875, 1.75], [-1.125, -1.625]]], [[[0.5, 1.75], [-1.25, -1.625], [-0.125, -0.5]], [[0.125, -1.75], [-1.25, 2.0], [1.5, -1.875]]]]> : tensor<2x2x3x2xf32>})
    -> tensor<?x4x3x2xf32> {
  // CHECK-NEXT: #0: {{\[\[\[\[}}-0.875, 2], [-1.25714, 1.80893], [-1.23706, 0.596955]], {{\[\[}}-0.875, 2], [-1.43525, 1.71987], [-0.961633, -0.143812]], {{\[\[}}-0.875, -0.625], [-0.875, 0.543947], [-0.965869, -0.138606]], {{\[\[}}-0.875, -0.625], [-0.875, 0.735217], [-0.942431, 0.320911]]], {{\[\[\[}}0.5, 1.75], [-0.569918, -0.313414], [-0.392379, -0.229834]], {{\[\[}}0.5, 1.75], [-0.254434, 0.29502], [-0.191987, 0.152822]], {{\[\[}}0.125, -1.75], [-0.33029, -0.508301], [0.468415, -1.22032]], {{\[\[}}0.125, -1.75], [-0.396645, -0.327331], [0.433842, -0.699716]]]]
  %0 = nn.attention %q, %k, %v causal scale 2.500000e-01
    : (tensor<?x4x3x2xf32>, tensor<?x2x3x2xf32>, tensor<?x2x3x2xf32>) -> tensor<?x4x3x2xf32>
  return %0 : tensor<?x4x3x2xf32>
}

// One mask for all samples and heads.
// CHECK-LABEL: @mask
func.func @mask(%q: tensor<?x2x2x2xf32> {reference.value = dense<[[[[-1.5, 1.5], [0.5, 2.0]], [[2.0, -0.5], [0.125, 1.5]]], [[[2.0, 1.75], [2.0, -0.125]], [[0.0, -0.5], [1.5, -1.0]]]]> : tensor<2x2x2x2xf32>},
    %k: tensor<?x1x3x2xf32> {reference.value = dense<[[[[1.25, -1.125], [1.125, 1.5], [0.5, -1.5]]], [[[-0.125, 1.375], [-1.5, -0.375], [0.375, -1.125]]]]> : tensor<2x1x3x2xf32>},
    %v: tensor<?x1x3x2xf32> {reference.value = dense<[[[[-0.875, 0.875], [-0.875, 0.0], [-1.0, 1.625]]], [[[-0.25, -1.25], [1.125, 1.875], [-0.75, -0.25]]]]> : tensor<2x1x3x2xf32>},
    %m: tensor<2x3xi1> {reference.value = dense<[[true, false, true], [false, false, false]]> : tensor<2x3xi1>})
    -> tensor<?x2x2x2xf32> {
  // CHECK-NEXT: #0: {{\[\[\[\[}}-0.946232, 1.30239], [0, 0]], {{\[\[}}-0.917698, 1.13119], [0, 0]]], {{\[\[\[}}-0.328052, -1.0939], [0, 0]], {{\[\[}}-0.575677, -0.598645], [0, 0]]]]
  %0 = nn.attention %q, %k, %v mask %m scale 5.000000e-01
    : (tensor<?x2x2x2xf32>, tensor<?x1x3x2xf32>, tensor<?x1x3x2xf32>, tensor<2x3xi1>) -> tensor<?x2x2x2xf32>
  return %0 : tensor<?x2x2x2xf32>
}

// A mask per sample and head, and causal.
// CHECK-LABEL: @masks
func.func @masks(%q: tensor<?x2x3x2xf32> {reference.value = dense<[[[[-1.5, 0.125], [-1.875, -1.375], [0.0, -1.375]], [[-0.25, -1.5], [0.0, -1.125], [1.625, -2.0]]], [[[0.625, 1.25], [0.125, -1.0], [-1.75, -0.125]], [[-1.125, -0.75], [0.0, -1.625], [-0.625, -0.5]]]]> : tensor<2x2x3x2xf32>},
    %k: tensor<?x2x3x2xf32> {reference.value = dense<[[[[0.375, 0.375], [-0.375, 0.25], [1.5, 2.0]], [[-0.625, 0.125], [0.75, -1.875], [0.0, -1.75]]], [[[-2.0, -1.875], [2.0, -0.5], [2.0, 1.75]], [[-0.125, 1.5], [-1.25, 1.375], [1.875, 1.125]]]]> : tensor<2x2x3x2xf32>},
    %v: tensor<?x2x3x2xf32> {reference.value = dense<[[[[2.0, 0.375], [-0.375, -0.25], [0.625, -0.5]], [[-1.0, 1.125], [0.75, -1.625], [-1.0, -2.0]]], [[[-1.5, 0.0], [1.375, -0.75], [-1.625, -1.375]], [[1.0, 2.0], [0.25, -0.125], [0.25, -1.75]]]]> : tensor<2x2x3x2xf32>},
    %m: tensor<?x2x3x3xi1> {reference.value = dense<[[[[true, true, true], [true, true, true], [false, true, true]], [[true, true, true], [false, true, true], [false, false, false]]], [[[true, true, true], [false, true, true], [true, false, false]], [[true, true, false], [true, false, true], [true, false, true]]]]> : tensor<2x2x3x3xi1>})
    -> tensor<?x2x3x2xf32> {
  // CHECK-NEXT: #0: {{\[\[\[\[}}2, 0.375], [0.366879, -0.0547687], [-0.14408, -0.30773]], {{\[\[}}-1, 1.125], [0.75, -1.625], [0, 0]]], {{\[\[\[}}-1.5, 0], [1.375, -0.75], [-1.5, 0]], {{\[\[}}1, 2], [1, 2], [0.722331, 0.611655]]]]
  %0 = nn.attention %q, %k, %v mask %m causal scale 5.000000e-01
    : (tensor<?x2x3x2xf32>, tensor<?x2x3x2xf32>, tensor<?x2x3x2xf32>, tensor<?x2x3x3xi1>) -> tensor<?x2x3x2xf32>
  return %0 : tensor<?x2x3x2xf32>
}
