// RUN: accrue-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{expected one extent per dynamic dimension (1), got 2}}
func.func private @extents_count(tensor<?x4xf32, #nn.extents<"B", "2*B">>)

// -----

// expected-error @+1 {{expected a batch-dependent extent, got "4"}}
func.func private @extents_static(tensor<?x4xf32, #nn.extents<"4">>)

// -----

// expected-error @+1 {{expected no encoding where every extent is B}}
func.func private @extents_canonical(tensor<?x?xf32, #nn.extents<"B", "B">>)

// -----

// expected-error @+1 {{expected an extent such as "B" or "16*B^2/3", got "2B"}}
func.func private @extents_syntax(tensor<?xf32, #nn.extents<"2B">>)

// -----

func.func @convert_shape(%x: tensor<?x3xf32>) {
  // expected-error @+1 {{'nn.convert' op expected a result of shape and encoding of the operand 'tensor<?x3xf32>', got 'tensor<?x4xf64>'}}
  %0 = nn.convert %x : tensor<?x3xf32> to tensor<?x4xf64>
  return
}

// -----

func.func @convert_extent(%x: tensor<?xf32>) {
  // expected-error @+1 {{'nn.convert' op expected a result of shape and encoding}}
  %0 = nn.convert %x : tensor<?xf32> to tensor<?xf64, #nn.extents<"2*B">>
  return
}

// -----

func.func @elementwise_types(%x: tensor<?xf32>, %y: tensor<?xf32, #nn.extents<"2*B">>) {
  // expected-error @+1 {{'nn.add' op failed to verify that all of {lhs, rhs, result} have same type}}
  %0 = "nn.add"(%x, %y) : (tensor<?xf32>, tensor<?xf32, #nn.extents<"2*B">>) -> tensor<?xf32>
  return
}

// -----

func.func @slice_dim(%x: tensor<?x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected 'dim' in [0, 2), got 2 for an operand 'tensor<?x3xf32>'}}
  %0 = nn.slice %x dim 2 from 0 to 1 : tensor<?x3xf32> -> tensor<?x3xf32>
  return
}

// -----

func.func @slice_samples(%x: tensor<?x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected a dimension whose extent does not depend on the batch, got B along dimension 0 of 'tensor<?x3xf32>'}}
  %0 = nn.slice %x dim 0 from 0 to 1 : tensor<?x3xf32> -> tensor<1x3xf32>
  return
}

// -----

func.func @slice_range(%x: tensor<?x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected 0 <= start <= stop <= 3 (the extent of dimension 1), got 1 to 4}}
  %0 = nn.slice %x dim 1 from 1 to 4 : tensor<?x3xf32> -> tensor<?x3xf32>
  return
}

// -----

func.func @slice_type(%x: tensor<?x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'nn.slice' op inferred type(s) 'tensor<?x2xf32>' are incompatible with return type(s) of operation 'tensor<?x3xf32>'}}
  %0 = nn.slice %x dim 1 from 0 to 2 : tensor<?x3xf32> -> tensor<?x3xf32>
  return
}

// -----

func.func @pad_value(%x: tensor<?x3xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected a 'value' that is an element of type 'i32', got 5.000000e-01}}
  %0 = nn.pad %x dim 1 low 1 high 0 value 0.5 : tensor<?x3xi32> -> tensor<?x4xi32>
  return
}

// -----

func.func @pad_bool(%x: tensor<3xi1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected a 'value' that is an element of type 'i1', got -1.000000e+00}}
  %0 = nn.pad %x dim 0 low 1 high 0 value -1.0 : tensor<3xi1> -> tensor<4xi1>
  return
}

// -----

func.func @pad_extent(%x: tensor<3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected fewer than 2^63 elements along dimension 0}}
  %0 = nn.pad %x dim 0 low 9223372036854775807 high 1 : tensor<3xf32> -> tensor<4xf32>
  return
}

// -----

func.func @concat_none() {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected at least one operand}}
  %0 = "nn.concat"() <{dim = 0 : i64}> : () -> tensor<f32>
  return
}

// -----

func.func @concat_shape(%x: tensor<?x3xf32>, %y: tensor<?x3x1xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected operand 1 to be 'tensor<?x3xf32>' but for dimension 1, got 'tensor<?x3x1xf32>'}}
  %0 = nn.concat %x, %y dim 1 : (tensor<?x3xf32>, tensor<?x3x1xf32>) -> tensor<?x6xf32>
  return
}

// -----

func.func @concat_samples(%x: tensor<?x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected extents along dimension 0 that depend on the batch alike, got B and 2}}
  %0 = nn.concat %x, %y dim 0 : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
  return
}

// -----

func.func @flip_dims(%x: tensor<?x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected strictly increasing 'dims' in [0, 2), got 0}}
  %0 = nn.flip %x dims [1, 0] : tensor<?x3xf32> -> tensor<?x3xf32>
  return
}

// -----

func.func @gather_dim(%x: tensor<5x3xf32>, %i: tensor<?xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected 'dim' in [0, 2), got 2 for a tensor 'tensor<5x3xf32>'}}
  %0 = nn.gather %x, %i dim 2 : (tensor<5x3xf32>, tensor<?xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @gather_index(%x: tensor<5x3xf32>, %i: tensor<?xf32>) {
  // expected-error @+1 {{'nn.gather' op operand #1 must be}}
  %0 = nn.gather %x, %i dim 0 : (tensor<5x3xf32>, tensor<?xf32>) -> tensor<?x3xf32>
  return
}

// -----

func.func @scatter_updates(%u: tensor<?x3xf32>, %i: tensor<?x2xi32>) {
  // expected-error @+1 {{'nn.scatter_add' op expected 'updates' of type 'tensor<?x2x3xf32>' (the result with the dimensions of 'index' at 0), got 'tensor<?x3xf32>'}}
  %0 = nn.scatter_add %u, %i dim 0 : (tensor<?x3xf32>, tensor<?x2xi32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @take_rank(%x: tensor<?x3xf32>, %i: tensor<?xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected 'index' of rank 2, got 'tensor<?xi32>'}}
  %0 = nn.take_along %x, %i dim 1 : (tensor<?x3xf32>, tensor<?xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @take_index(%x: tensor<?x3xf32>, %i: tensor<4x2xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected 'index' of type 'tensor<?x2xi32>' (any extent along dimension 1), got 'tensor<4x2xi32>'}}
  %0 = nn.take_along %x, %i dim 1 : (tensor<?x3xf32>, tensor<4x2xi32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @scatter_along_updates(%u: tensor<?x3xf32>, %i: tensor<?x2xi32>) {
  // expected-error @+1 {{'nn.scatter_add_along' op expected 'updates' of type 'tensor<?x2xf32>' (the shape of 'index'), got 'tensor<?x3xf32>'}}
  %0 = nn.scatter_add_along %u, %i dim 1 : (tensor<?x3xf32>, tensor<?x2xi32>) -> tensor<?x5xf32>
  return
}

// -----

func.func @top_k_few(%x: tensor<?x3xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected at least 4 elements along the last dimension, got 3}}
  %0 = nn.top_k %x k 4 : tensor<?x3xf32> -> tensor<?x4xi32>
  return
}

// -----

func.func @unary_integer(%x: tensor<?xi32>) {
  // expected-error @+1 {{'nn.exp' op operand #0 must be ranked tensor of floating point values}}
  %0 = nn.exp %x : tensor<?xi32>
  return
}

// -----

func.func @add_bool(%x: tensor<?xi1>) {
  // expected-error @+1 {{'nn.add' op operand #0 must be ranked tensor of numbers}}
  %0 = nn.add %x, %x : tensor<?xi1>
  return
}

// -----

func.func @select_condition(%p: tensor<?x4xi1>, %x: tensor<?x3xf32>) {
  // expected-error @+1 {{'nn.select' op failed to verify that the condition has the shape of the result}}
  %0 = nn.select %p, %x, %x : tensor<?x4xi1>, tensor<?x3xf32>
  return
}

// -----

func.func @matmul_rank(%x: tensor<?x3x4xf32>, %w: tensor<4x2xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected operands of one rank, at least 2, got 'tensor<?x3x4xf32>' and 'tensor<4x2xf32>'}}
  %0 = nn.matmul %x, %w : (tensor<?x3x4xf32>, tensor<4x2xf32>) -> tensor<?x3x2xf32>
  return
}

// -----

func.func @matmul_vector(%x: tensor<?xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected operands of one rank, at least 2, got 'tensor<?xf32>' and 'tensor<?xf32>'}}
  %0 = nn.matmul %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<f32>
  return
}

// -----

func.func @matmul_leading(%x: tensor<?x2x3x4xf32>, %w: tensor<?x3x4x2xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected equal extents of dimension 1, got 2 in 'tensor<?x2x3x4xf32>' and 3 in 'tensor<?x3x4x2xf32>'}}
  %0 = nn.matmul %x, %w : (tensor<?x2x3x4xf32>, tensor<?x3x4x2xf32>) -> tensor<?x2x3x2xf32>
  return
}

// -----

func.func @matmul_element(%x: tensor<?x4xf32>, %w: tensor<4x2xf64>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected operands of one element type, got 'tensor<?x4xf32>' and 'tensor<4x2xf64>'}}
  %0 = nn.matmul %x, %w : (tensor<?x4xf32>, tensor<4x2xf64>) -> tensor<?x2xf32>
  return
}

// -----

func.func @matmul_sum(%x: tensor<?x4xf32>, %w: tensor<4x2xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected equal extents of the summed dimension, got 4 in 'tensor<?x4xf32>' and 2 in 'tensor<4x2xf32>'}}
  %0 = nn.matmul %x, %w transpose_rhs : (tensor<?x4xf32>, tensor<4x2xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @matmul_extent(%x: tensor<?x4xf32>, %y: tensor<?x4xf32, #nn.extents<"2*B">>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected equal extents of the summed dimension, got B in 'tensor<?x4xf32>' and 2*B in}}
  %0 = nn.matmul %x, %y transpose_lhs : (tensor<?x4xf32>, tensor<?x4xf32, #nn.extents<"2*B">>) -> tensor<4x4xf32>
  return
}

// -----

func.func @matmul_result(%x: tensor<?x4xf32>, %w: tensor<4x2xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{inferred type(s) 'tensor<?x2xf32>' are incompatible with return type(s) of operation 'tensor<?x3xf32>'}}
  %0 = nn.matmul %x, %w : (tensor<?x4xf32>, tensor<4x2xf32>) -> tensor<?x3xf32>
  return
}

// -----

func.func @sum_range(%x: tensor<?x4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected 'dims' in [0, 2), got 2}}
  %0 = nn.sum %x dims [2] : tensor<?x4xf32> -> tensor<?x4xf32>
  return
}

// -----

func.func @mean_order(%x: tensor<?x4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected strictly increasing 'dims', got 0 after 1}}
  %0 = nn.mean %x dims [1, 0] : tensor<?x4xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_argmax_indices(%x: tensor<?x4xf32>, %i: tensor<?x3xi32>) {
  // expected-error @+2 {{'nn.reduce_argmax' op failed to infer returned types}}
  // expected-error @+1 {{expected 'indices' of the shape of 'tensor<?x4xf32>', got 'tensor<?x3xi32>'}}
  %0, %1 = nn.reduce_argmax %x, %i dims [0] : tensor<?x4xf32>, tensor<?x3xi32> -> tensor<4xf32>, tensor<4xi32>
  return
}

// -----

func.func @argmax_range(%x: tensor<?x4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected 'dims' in [0, 2), got -1}}
  %0 = nn.argmax %x dim -1 : tensor<?x4xf32> -> tensor<?xi32>
  return
}

// -----

func.func @broadcast_dims(%x: tensor<4xf32>) {
  // expected-error @+1 {{'nn.broadcast' op expected strictly increasing 'dims' of the result, got [2]}}
  %0 = nn.broadcast %x dims [2] : tensor<4xf32> to tensor<?x4xf32>
  return
}

// -----

func.func @broadcast_operand(%x: tensor<4xf32>) {
  // expected-error @+1 {{'nn.broadcast' op expected an operand of type 'tensor<?xf32>' (the result without 'dims'), got 'tensor<4xf32>'}}
  %0 = nn.broadcast %x dims [1] : tensor<4xf32> to tensor<?x4xf32>
  return
}

// -----

func.func @distribute_operand(%x: tensor<f64>) {
  // expected-error @+1 {{'nn.distribute' op expected an operand of type 'tensor<f32>' (the result without 'dims'), got 'tensor<f64>'}}
  %0 = nn.distribute %x dims [0] : tensor<f64> to tensor<?xf32>
  return
}

// -----

func.func @reshape_count(%x: tensor<?x4xf32>) {
  // expected-error @+1 {{'nn.reshape' op expected as many elements after as before, got 5*B after 4*B}}
  %0 = nn.reshape %x : tensor<?x4xf32> to tensor<?x5xf32>
  return
}

// -----

func.func @reshape_batch(%x: tensor<?x4xf32>) {
  // expected-error @+1 {{'nn.reshape' op expected as many elements after as before, got 16 after 4*B}}
  %0 = nn.reshape %x : tensor<?x4xf32> to tensor<4x4xf32>
  return
}

// -----

func.func @reshape_type(%x: tensor<?x4xf32>) {
  // expected-error @+1 {{'nn.reshape' op expected a result of element type 'f32', got 'f64'}}
  %0 = nn.reshape %x : tensor<?x4xf32> to tensor<?x4xf64>
  return
}

// -----

func.func @transpose(%x: tensor<?x4xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected a permutation of 2 dimensions, got [0, 0]}}
  %0 = nn.transpose %x [0, 0] : tensor<?x4xf32> -> tensor<?x4xf32>
  return
}

// -----

func.func @cross_entropy_label(%x: tensor<?x4xf32>, %l: tensor<4xi32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected 'label' of type 'tensor<?xi32>' (one per row of 'logits'), got 'tensor<4xi32>'}}
  %0 = nn.cross_entropy %x, %l : (tensor<?x4xf32>, tensor<4xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @cross_entropy_rank(%x: tensor<f32>, %l: tensor<i32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{expected 'logits' of rank 1 or more, got 'tensor<f32>'}}
  %0 = nn.cross_entropy %x, %l : (tensor<f32>, tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @cross_entropy_grad(%x: tensor<?x4xf32>, %l: tensor<?xi32>, %c: tensor<f32>) {
  // expected-error @+1 {{'nn.cross_entropy_grad' op expected 'cotangent' of type 'tensor<?xf32>', got 'tensor<f32>'}}
  %0 = nn.cross_entropy_grad %x, %l, %c : tensor<?x4xf32>, tensor<?xi32>, tensor<f32>
  return
}

// -----

func.func @constant_type() {
  // expected-error @+1 {{'nn.constant' op}}
  %0 = "nn.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<3xf32>
  return
}

// -----

func.func @clamp_order(%x: tensor<4xf32>) {
  // expected-error @+1 {{'nn.clamp' op expected a 'min' that is at most 'max', got 1.000000e+00 : f64 and 0.000000e+00 : f64}}
  %0 = nn.clamp %x from 1.0 to 0.0 : tensor<4xf32>
  return
}

// -----

func.func @iota_dim() {
  // expected-error @+1 {{'nn.iota' op expected 'dim' in [0, 1), got 1}}
  %0 = nn.iota dim 1 : tensor<4xi32>
  return
}

// -----

func.func @cumsum_dim(%x: tensor<4xf32>) {
  // expected-error @+1 {{'nn.cumsum' op expected 'dim' in [0, 1), got 1}}
  %0 = nn.cumsum %x dim 1 : tensor<4xf32>
  return
}

// -----

func.func @reduce_max_dims(%x: tensor<4x3xf32>) {
  // expected-error @+2 {{'nn.reduce_max' op failed to infer returned types}}
  // expected-error @+1 {{expected 'dims' in [0, 2), got 2}}
  %0 = nn.reduce_max %x dims [2] : tensor<4x3xf32> -> tensor<4xf32>
  return
}

// -----

func.func @reduce_min_type(%x: tensor<4x3xf32>) {
  // expected-error @+2 {{'nn.reduce_min' op failed to infer returned types}}
  // expected-error @+1 {{'nn.reduce_min' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  %0 = nn.reduce_min %x dims [1] : tensor<4x3xf32> -> tensor<3xf32>
  return
}

// -----

func.func @and_of_numbers(%x: tensor<4xi32>) {
  // expected-error @+1 {{'nn.and' op operand #0 must be ranked tensor of i1 values of 1-bit signless integer values, but got 'tensor<4xi32>'}}
  %0 = nn.and %x, %x : tensor<4xi32>
  return
}
