// RUN: accrue-opt %s -split-input-file -verify-diagnostics

func.func @rank(%x: tensor<?x3x4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected images [N, C, H, W], got 'tensor<?x3x4xf32>'}}
  %0 = nn.unfold %x kernel [2, 2] stride [1, 1] dilation [1, 1] padding [0, 0, 0, 0] value 0.0 : tensor<?x3x4xf32> -> tensor<?x3x4xf32>
  return
}

// -----

func.func @size(%x: tensor<4x3x?x4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected images [N, C, H, W] of a size that does not depend on the batch, got 'tensor<4x3x?x4xf32>'}}
  %0 = nn.max_pool2d %x kernel [2, 2] stride [1, 1] padding [0, 0, 0, 0] dilation [1, 1] : tensor<4x3x?x4xf32> -> tensor<4x3x?x4xf32>
  return
}

// -----

func.func @empty(%x: tensor<?x3x4x0xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected images with pixels, got 'tensor<?x3x4x0xf32>'}}
  %0 = nn.max_pool2d %x kernel [1, 1] stride [1, 1] padding [0, 0, 1, 0] dilation [1, 1] : tensor<?x3x4x0xf32> -> tensor<?x3x4x1xf32>
  return
}

// -----

func.func @numbers(%x: tensor<?x3x4x4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected 'padding' of 4 numbers, got [1, 1]}}
  %0 = nn.unfold %x kernel [2, 2] stride [1, 1] dilation [1, 1] padding [1, 1] value 0.0 : tensor<?x3x4x4xf32> -> tensor<?x3x5x5x2x2xf32>
  return
}

// -----

func.func @stride(%x: tensor<?x3x4x4xf32>, %w: tensor<3x3x2x2xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected 'stride' in [1, 2147483647], got [1, 0]}}
  %0 = nn.conv2d %x, %w stride [1, 0] padding [0, 0, 0, 0] dilation [1, 1] groups 1 : (tensor<?x3x4x4xf32>, tensor<3x3x2x2xf32>) -> tensor<?x3x3x3xf32>
  return
}

// -----

func.func @padding(%x: tensor<?x3x4x4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected 'padding' in [0, 2147483647], got [0, 0, -1, 0]}}
  %0 = nn.unfold %x kernel [2, 2] stride [1, 1] dilation [1, 1] padding [0, 0, -1, 0] value 0.0 : tensor<?x3x4x4xf32> -> tensor<?x3x3x2x2x2xf32>
  return
}

// -----

func.func @overflow(%x: tensor<?x3x4x4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected 'kernel' in [1, 2147483647], got [9223372036854775807, 2]}}
  %0 = nn.unfold %x kernel [9223372036854775807, 2] stride [1, 1] dilation [1, 1] padding [0, 0, 0, 0] value 0.0 : tensor<?x3x4x4xf32> -> tensor<?x3x3x2x2x2xf32>
  return
}

// -----

func.func @kernel(%x: tensor<?x3x4x4xf32>, %w: tensor<3x3x2x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected windows of at most 6 columns (4 and padding 2 + 0), got 7}}
  %0 = nn.conv2d %x, %w stride [1, 1] padding [0, 0, 2, 0] dilation [1, 3] groups 1 : (tensor<?x3x4x4xf32>, tensor<3x3x2x3xf32>) -> tensor<?x3x3x1xf32>
  return
}

// -----

func.func @fold(%x: tensor<?x3x3x3x2x2xf32>) {
  // expected-error @+1 {{expected windows of type 'tensor<?x3x3x4x2x2xf32>' for images of type 'tensor<?x3x4x5xf32>', got 'tensor<?x3x3x3x2x2xf32>'}}
  %0 = nn.fold %x kernel [2, 2] stride [1, 1] dilation [1, 1] padding [0, 0, 0, 0] : tensor<?x3x3x3x2x2xf32> -> tensor<?x3x4x5xf32>
  return
}

// -----

func.func @weight_rank(%x: tensor<?x3x4x4xf32>, %w: tensor<3x3x2xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected weights [O, C / groups, rows, columns], got 'tensor<3x3x2xf32>'}}
  %0 = nn.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] dilation [1, 1] groups 1 : (tensor<?x3x4x4xf32>, tensor<3x3x2xf32>) -> tensor<?x3x3x3xf32>
  return
}

// -----

func.func @weight_type(%x: tensor<?x3x4x4xf32>, %w: tensor<3x3x2x2xf64>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected operands of one element type, got 'tensor<?x3x4x4xf32>' and 'tensor<3x3x2x2xf64>'}}
  %0 = nn.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] dilation [1, 1] groups 1 : (tensor<?x3x4x4xf32>, tensor<3x3x2x2xf64>) -> tensor<?x3x3x3xf32>
  return
}

// -----

func.func @groups(%x: tensor<?x3x4x4xf32>, %w: tensor<4x1x2x2xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected input channels that 'groups' 2 divides, got 'tensor<?x3x4x4xf32>'}}
  %0 = nn.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] dilation [1, 1] groups 2 : (tensor<?x3x4x4xf32>, tensor<4x1x2x2xf32>) -> tensor<?x4x3x3xf32>
  return
}

// -----

func.func @groups_of_weights(%x: tensor<?x4x4x4xf32>, %w: tensor<3x2x2x2xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected output channels that 'groups' 2 divides, got 'tensor<3x2x2x2xf32>'}}
  %0 = nn.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] dilation [1, 1] groups 2 : (tensor<?x4x4x4xf32>, tensor<3x2x2x2xf32>) -> tensor<?x3x3x3xf32>
  return
}

// -----

func.func @channels(%x: tensor<?x4x4x4xf32>, %w: tensor<2x4x2x2xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected weights of 2 channels (4 / 2 groups), got 'tensor<2x4x2x2xf32>'}}
  %0 = nn.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] dilation [1, 1] groups 2 : (tensor<?x4x4x4xf32>, tensor<2x4x2x2xf32>) -> tensor<?x2x3x3xf32>
  return
}

// -----

func.func @no_pixel(%x: tensor<?x3x4x4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected windows with a pixel each, got window 5 of the columns in the padding}}
  %0 = nn.max_pool2d %x kernel [2, 2] stride [1, 1] padding [0, 0, 1, 2] dilation [1, 1] : tensor<?x3x4x4xf32> -> tensor<?x3x3x6xf32>
  return
}
