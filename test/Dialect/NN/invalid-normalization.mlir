// RUN: accrue-opt %s -split-input-file -verify-diagnostics

func.func @softmax_dim(%x: tensor<?x4xf32>) {
  // expected-error @+1 {{'nn.softmax' op expected 'dim' in [0, 2), got 2}}
  %0 = nn.softmax %x dim 2 : tensor<?x4xf32>
  return
}

// -----

func.func @log_softmax_scalar(%x: tensor<f32>) {
  // expected-error @+1 {{'nn.log_softmax' op expected 'dim' in [0, 0), got 0}}
  %0 = nn.log_softmax %x dim 0 : tensor<f32>
  return
}

// -----

func.func @softmax_element(%x: tensor<?x4xi32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor of floating point values}}
  %0 = nn.softmax %x dim 1 : tensor<?x4xi32>
  return
}

// -----

func.func @logsumexp_range(%x: tensor<?x4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected 'dims' in [0, 2), got 2}}
  %0 = nn.logsumexp %x dims [2] : tensor<?x4xf32> -> tensor<?x4xf32>
  return
}

// -----

func.func @logsumexp_result(%x: tensor<?x4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{inferred type(s) 'tensor<?xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  %0 = nn.logsumexp %x dims [1] : tensor<?x4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @normalize_order(%x: tensor<?x4x3xf32>) {
  // expected-error @+1 {{expected strictly increasing 'dims', got 1 after 2}}
  %0 = nn.normalize %x dims [2, 1] eps 1.0e-5 : tensor<?x4x3xf32>
  return
}

// -----

func.func @normalize_dims(%x: tensor<?x4x3xf32>) {
  // expected-error @+1 {{'nn.normalize' op expected at least one of 'dims'}}
  %0 = nn.normalize %x dims [] eps 1.0e-5 : tensor<?x4x3xf32>
  return
}

// -----

func.func @normalize_eps(%x: tensor<?x4x3xf32>) {
  // expected-error @+1 {{'nn.normalize' op expected 'eps' to be a number of at least 0, got -1.000000e-05}}
  %0 = nn.normalize %x dims [2] eps -1.0e-5 : tensor<?x4x3xf32>
  return
}

// -----

func.func @normalize_grad_range(%x: tensor<?x4xf32>) {
  // expected-error @+1 {{expected 'dims' in [0, 2), got -1}}
  %0 = nn.normalize_grad %x, %x dims [-1] eps 1.0e-5 : tensor<?x4xf32>
  return
}

// -----

func.func @rms_norm_eps(%x: tensor<?x4xf32>) {
  // expected-error @+1 {{'nn.rms_norm' op expected 'eps' to be a number of at least 0, got nan}}
  %0 = nn.rms_norm %x dims [1] eps 0x7FF8000000000000 : tensor<?x4xf32>
  return
}

// -----

func.func @attention_rank(%q: tensor<?x6x8xf32>, %k: tensor<?x2x5x8xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected operands of rank 4, got 'tensor<?x6x8xf32>'}}
  %0 = nn.attention %q, %k, %k scale 0.5 : (tensor<?x6x8xf32>, tensor<?x2x5x8xf32>, tensor<?x2x5x8xf32>) -> tensor<?x6x8xf32>
  return
}

// -----

func.func @attention_element(%q: tensor<?x2x6x8xf32>, %k: tensor<?x2x5x8xf64>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected operands of one element type, got 'tensor<?x2x6x8xf32>' and 'tensor<?x2x5x8xf64>'}}
  %0 = nn.attention %q, %k, %k scale 0.5 : (tensor<?x2x6x8xf32>, tensor<?x2x5x8xf64>, tensor<?x2x5x8xf64>) -> tensor<?x2x6x8xf32>
  return
}

// -----

func.func @attention_value(%q: tensor<?x2x6x8xf32>, %k: tensor<?x2x5x8xf32>, %v: tensor<?x2x6x8xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected 'key' and 'value' to agree in samples, heads and positions, got 'tensor<?x2x5x8xf32>' and 'tensor<?x2x6x8xf32>'}}
  %0 = nn.attention %q, %k, %v scale 0.5 : (tensor<?x2x6x8xf32>, tensor<?x2x5x8xf32>, tensor<?x2x6x8xf32>) -> tensor<?x2x6x8xf32>
  return
}

// -----

func.func @attention_features(%q: tensor<?x2x6x4xf32>, %k: tensor<?x2x5x8xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected 'query' and 'key' to agree in samples and features, got 'tensor<?x2x6x4xf32>' and 'tensor<?x2x5x8xf32>'}}
  %0 = nn.attention %q, %k, %k scale 0.5 : (tensor<?x2x6x4xf32>, tensor<?x2x5x8xf32>, tensor<?x2x5x8xf32>) -> tensor<?x2x6x8xf32>
  return
}

// -----

func.func @attention_heads(%q: tensor<?x3x6x8xf32>, %k: tensor<?x2x5x8xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected the 2 heads of 'key' to divide the 3 heads of 'query'}}
  %0 = nn.attention %q, %k, %k scale 0.5 : (tensor<?x3x6x8xf32>, tensor<?x2x5x8xf32>, tensor<?x2x5x8xf32>) -> tensor<?x3x6x8xf32>
  return
}

// -----

func.func @attention_no_heads(%q: tensor<?x0x6x8xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected the 0 heads of 'key' to divide the 0 heads of 'query'}}
  %0 = nn.attention %q, %q, %q scale 0.5 : (tensor<?x0x6x8xf32>, tensor<?x0x6x8xf32>, tensor<?x0x6x8xf32>) -> tensor<?x0x6x8xf32>
  return
}

// -----

func.func @attention_mask(%q: tensor<?x2x6x8xf32>, %k: tensor<?x2x5x8xf32>, %m: tensor<5x6xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected 'mask' of type 'tensor<6x5xi1>' or 'tensor<?x2x6x5xi1>', got 'tensor<5x6xi1>'}}
  %0 = nn.attention %q, %k, %k mask %m scale 0.5 : (tensor<?x2x6x8xf32>, tensor<?x2x5x8xf32>, tensor<?x2x5x8xf32>, tensor<5x6xi1>) -> tensor<?x2x6x8xf32>
  return
}

// -----

func.func @attention_mask_element(%q: tensor<?x2x6x8xf32>, %m: tensor<6x6xf32>) {
  // expected-error @+1 {{operand #3 must be ranked tensor of i1 values}}
  %0 = nn.attention %q, %q, %q mask %m scale 0.5 : (tensor<?x2x6x8xf32>, tensor<?x2x6x8xf32>, tensor<?x2x6x8xf32>, tensor<6x6xf32>) -> tensor<?x2x6x8xf32>
  return
}

// -----

func.func @attention_causal(%q: tensor<2x2x?x8xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected static numbers of positions with 'causal', got 'tensor<2x2x?x8xf32>' and 'tensor<2x2x?x8xf32>'}}
  %0 = nn.attention %q, %q, %q causal scale 0.5 : (tensor<2x2x?x8xf32>, tensor<2x2x?x8xf32>, tensor<2x2x?x8xf32>) -> tensor<2x2x?x8xf32>
  return
}
