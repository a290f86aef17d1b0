// RUN: accrue-translate --interpret --split-input-file --verify-diagnostics %s

func.func @label() -> tensor<3xf32> {
  %logits = nn.constant dense<0.0> : tensor<3x4xf32>
  %label = nn.constant dense<[0, 3, 4]> : tensor<3xi32>
  // expected-error@+1 {{'nn.cross_entropy' op expected labels in [0, 4), got 4 at element 2}}
  %0 = nn.cross_entropy %logits, %label : (tensor<3x4xf32>, tensor<3xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @label_of_gradient() -> tensor<1x4xf32> {
  %logits = nn.constant dense<0.0> : tensor<1x4xf32>
  %label = nn.constant dense<[-1]> : tensor<1xi32>
  %ct = nn.constant dense<1.0> : tensor<1xf32>
  // expected-error@+1 {{'nn.cross_entropy_grad' op expected labels in [0, 4), got -1 at element 0}}
  %0 = nn.cross_entropy_grad %logits, %label, %ct : tensor<1x4xf32>, tensor<1xi32>, tensor<1xf32>
  return %0 : tensor<1x4xf32>
}

// -----

func.func @division() -> tensor<2xi32> {
  %a = nn.constant dense<[1, 2]> : tensor<2xi32>
  %b = nn.constant dense<[1, 0]> : tensor<2xi32>
  // expected-error@+1 {{'nn.div' op expected divisors other than 0, got 0 at element 1}}
  %0 = nn.div %a, %b : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

func.func @conversion() -> tensor<2xi32> {
  %a = nn.constant dense<[1.0, 3.0e9]> : tensor<2xf32>
  // expected-error@+1 {{'nn.convert' op expected values in the range of 'i32', got 3.000000e+09 at element 1}}
  %0 = nn.convert %a : tensor<2xf32> to tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// expected-error@+1 {{expected the batch to be given: argument 0 has type 'tensor<?xf32>'}}
func.func @batch(%x: tensor<?xf32> {reference.value = dense<1.0> : tensor<3xf32>}) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// expected-error@+1 {{expected argument 0 of type 'tensor<4xf32>', got 'tensor<3xf32>'}}
func.func @shape(%x: tensor<?xf32> {reference.value = dense<1.0> : tensor<3xf32>}) -> tensor<?xf32> attributes {train.batch = 4 : i64} {
  return %x : tensor<?xf32>
}

// -----

// expected-error@+1 {{expected argument 0 to have a value in 'reference.value'}}
func.func @value(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

// -----

func.func @gradient() -> tensor<f32> {
  %x = nn.constant dense<1.0> : tensor<f32>
  // expected-error@+1 {{'train.gradient' op has no value before 'train-differentiate' expands it}}
  %0 = train.gradient %x wrt %x : tensor<f32> wrt tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @no_batch() -> tensor<?xf32> {
  %x = nn.constant dense<1.0> : tensor<f32>
  // expected-error@+1 {{'nn.broadcast' op expected the batch to be given for 'tensor<?xf32>'}}
  %0 = nn.broadcast %x dims [0] : tensor<f32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @no_batch_as_number() -> tensor<f32> {
  // expected-error@+1 {{'nn.extent' op expected the batch to be given}}
  %0 = nn.extent <"B"> : tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @fractional() -> tensor<?xf32, #nn.extents<"B/4">> attributes {train.batch = 6 : i64} {
  %x = nn.constant dense<1.0> : tensor<f32>
  // expected-error@+1 {{'nn.broadcast' op has no integer shape 'tensor<?xf32, #nn.extents<"B/4">>' for a batch of 6}}
  %0 = nn.broadcast %x dims [0] : tensor<f32> to tensor<?xf32, #nn.extents<"B/4">>
  return %0 : tensor<?xf32, #nn.extents<"B/4">>
}
