// RUN: accrue-opt %s --split-input-file --verify-diagnostics

func.func @key(%key: tensor<3xi64>) {
  // expected-error @+1 {{expected a key of type tensor<2xi64>, the seed and the index of the logical batch, got 'tensor<3xi64>'}}
  %0 = nn.uniform key %key site 0 : tensor<3xi64> -> tensor<4xf32>
  return
}

// -----

func.func @samples(%key: tensor<2xi64>) {
  // expected-error @+1 {{expected the indices of the samples of 'tensor<?x4xf32>'}}
  %0 = nn.uniform key %key site 0 : tensor<2xi64> -> tensor<?x4xf32>
  return
}

// -----

func.func @dim(%key: tensor<2xi64>, %i: tensor<?xi32>) {
  // expected-error @+1 {{expected 'dim' to be a dimension of 'tensor<?x4xf32>', got 2}}
  %0 = nn.normal key %key sample %i dim 2 site 0 : tensor<2xi64>, tensor<?xi32> -> tensor<?x4xf32>
  return
}

// -----

func.func @slices(%key: tensor<2xi64>, %i: tensor<?xi32>) {
  // expected-error @+1 {{expected one sample for each of the 4 slices along dimension 1, got 'tensor<?xi32>'}}
  %0 = nn.normal key %key sample %i dim 1 site 0 : tensor<2xi64>, tensor<?xi32> -> tensor<?x4xf32>
  return
}

// -----

func.func @site(%key: tensor<2xi64>) {
  // expected-error @+1 {{expected a site from 0 to 2147483647, got -1}}
  %0 = nn.uniform key %key site -1 : tensor<2xi64> -> tensor<4xf32>
  return
}

// -----

func.func @places(%key: tensor<2xi64>) {
  // expected-error @+1 {{expected at most 4294967296 elements per sample, got 8589934592}}
  %0 = nn.uniform key %key site 0 : tensor<2xi64> -> tensor<65536x131072xf32>
  return
}
