// RUN: accrue-opt %s --split-input-file --mlir-disable-threading --test-batch-analysis="rewrites=always" -o /dev/null | FileCheck %s
// RUN: accrue-opt %s --split-input-file --mlir-disable-threading --test-batch-analysis="rewrites=never" -o /dev/null | FileCheck %s --check-prefix=PLAIN

// A divisor that is at least 1 divides the sum: one visit instead of two.
// CHECK-LABEL: divisor: loops 1, accumulators 2
// CHECK:         nn.max
// CHECK:         %[[TERM:.*]] = nn.sum %{{.*}} : contribution
// CHECK:         %[[SUM:.*]] = accumulator partial(sum) %[[TERM]] : once level 1
// CHECK:         nn.mul %[[SUM]], %{{.*}} : once level 1
// PLAIN-LABEL: divisor: loops 2
func.func @divisor(%x: tensor<?x4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                   %keep: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<4xf32> {
  %one = nn.constant dense<1.0> : tensor<f32>
  %count = nn.sum %keep dims [0] : tensor<?xf32> -> tensor<f32>
  %n = nn.max %count, %one : tensor<f32>
  %ns = nn.broadcast %n dims [0, 1] : tensor<f32> to tensor<?x4xf32>
  %terms = nn.div %x, %ns : tensor<?x4xf32>
  %s = nn.sum %terms dims [0] : tensor<?x4xf32> -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

// A divisor that may be 0 stays: 0 / 0 per sample is not 0 / 0 of the batch.
// CHECK-LABEL: unproven: loops 2
func.func @unproven(%x: tensor<?x4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                    %keep: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<4xf32> {
  %count = nn.sum %keep dims [0] : tensor<?xf32> -> tensor<f32>
  %ns = nn.broadcast %count dims [0, 1] : tensor<f32> to tensor<?x4xf32>
  %terms = nn.div %x, %ns : tensor<?x4xf32>
  %s = nn.sum %terms dims [0] : tensor<?x4xf32> -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

// As a cotangent passes: products, masks that leave 0, contractions. A factor
// that cancels is gone.
// CHECK-LABEL: chain: loops 1, accumulators 2
// PLAIN-LABEL: chain: loops 2
func.func @chain(%x: tensor<?x4xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                 %mask: tensor<?x4xi1> {train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                 %w: tensor<4x4xf32> {train.role = #train.role<param>})
    -> tensor<4x4xf32> {
  %one = nn.constant dense<1.0> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %zeros = nn.broadcast %zero dims [0, 1] : tensor<f32> to tensor<?x4xf32>
  %square = nn.square %x : tensor<?x4xf32>
  %norm = nn.mean %square dims [0, 1] : tensor<?x4xf32> -> tensor<f32>
  %c = nn.add %norm, %one : tensor<f32>
  %cs = nn.broadcast %c dims [0, 1] : tensor<f32> to tensor<?x4xf32>
  %scaled = nn.mul %x, %cs : tensor<?x4xf32>
  %kept = nn.select %mask, %scaled, %zeros : tensor<?x4xi1>, tensor<?x4xf32>
  %y = nn.matmul %kept, %w : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
  %xy = nn.mul %x, %y : tensor<?x4xf32>
  %q = nn.div %xy, %cs : tensor<?x4xf32>
  %r = nn.mul %q, %cs : tensor<?x4xf32>
  %terms = nn.add %r, %y : tensor<?x4xf32>
  %g = nn.matmul %x, %terms transpose_lhs : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<4x4xf32>
  return %g : tensor<4x4xf32>
}

// -----

// The square of a ratio is small where the square of its numerator overflows.
// CHECK-LABEL: square_of_ratio: loops 2
func.func @square_of_ratio(%x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> {
  %one = nn.constant dense<1.0> : tensor<f32>
  %e = nn.exp %x : tensor<?xf32>
  %total = nn.sum %e dims [0] : tensor<?xf32> -> tensor<f32>
  %c = nn.add %total, %one : tensor<f32>
  %cs = nn.broadcast %c dims [0] : tensor<f32> to tensor<?xf32>
  %share = nn.div %e, %cs : tensor<?xf32>
  %u = nn.square %share : tensor<?xf32>
  %s = nn.sum %u dims [0] : tensor<?xf32> -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// A mask that leaves something else than 0, terms with other factors, and what
// is not homogeneous keep their factor.
// CHECK-LABEL: other_branch: loops 2
func.func @other_branch(%x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                        %mask: tensor<?xi1> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> {
  %m = nn.mean %x dims [0] : tensor<?xf32> -> tensor<f32>
  %ms = nn.broadcast %m dims [0] : tensor<f32> to tensor<?xf32>
  %scaled = nn.mul %x, %ms : tensor<?xf32>
  %kept = nn.select %mask, %scaled, %x : tensor<?xi1>, tensor<?xf32>
  %s = nn.sum %kept dims [0] : tensor<?xf32> -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// CHECK-LABEL: other_factor: loops 2
func.func @other_factor(%x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                        %y: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> {
  %a = nn.mean %x dims [0] : tensor<?xf32> -> tensor<f32>
  %b = nn.mean %y dims [0] : tensor<?xf32> -> tensor<f32>
  %as = nn.broadcast %a dims [0] : tensor<f32> to tensor<?xf32>
  %bs = nn.broadcast %b dims [0] : tensor<f32> to tensor<?xf32>
  %xb = nn.mul %x, %bs : tensor<?xf32>
  %ya = nn.mul %y, %as : tensor<?xf32>
  %t = nn.add %xb, %ya : tensor<?xf32>
  %u = nn.square %t : tensor<?xf32>
  %s = nn.sum %u dims [0] : tensor<?xf32> -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// CHECK-LABEL: threshold: loops 2
func.func @threshold(%x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> {
  %m = nn.mean %x dims [0] : tensor<?xf32> -> tensor<f32>
  %ms = nn.broadcast %m dims [0] : tensor<f32> to tensor<?xf32>
  %scaled = nn.mul %x, %ms : tensor<?xf32>
  %r = nn.tanh %scaled : tensor<?xf32>
  %s = nn.sum %r dims [0] : tensor<?xf32> -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// Without their factors halves may overflow, and so may what is rounded to
// them.
// CHECK-LABEL: narrow: loops 2
func.func @narrow(%x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> {
  %m = nn.mean %x dims [0] : tensor<?xf32> -> tensor<f32>
  %ms = nn.broadcast %m dims [0] : tensor<f32> to tensor<?xf32>
  %scaled = nn.mul %x, %ms : tensor<?xf32>
  %h = nn.convert %scaled : tensor<?xf32> to tensor<?xf16>
  %r = nn.convert %h : tensor<?xf16> to tensor<?xf32>
  %s = nn.sum %r dims [0] : tensor<?xf32> -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// A sum that is a factor itself: both go behind the one loop.
// CHECK-LABEL: nested: loops 1, accumulators 3
// PLAIN-LABEL: nested: loops 3
func.func @nested(%x: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                  %y: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64},
                  %z: tensor<?xf32> {train.role = #train.role<batch>, train.batch_dim = 0 : i64})
    -> tensor<f32> {
  %a = nn.mean %x dims [0] : tensor<?xf32> -> tensor<f32>
  %as = nn.broadcast %a dims [0] : tensor<f32> to tensor<?xf32>
  %ya = nn.mul %y, %as : tensor<?xf32>
  %b = nn.sum %ya dims [0] : tensor<?xf32> -> tensor<f32>
  %bs = nn.broadcast %b dims [0] : tensor<f32> to tensor<?xf32>
  %zb = nn.mul %z, %bs : tensor<?xf32>
  %c = nn.sum %zb dims [0] : tensor<?xf32> -> tensor<f32>
  return %c : tensor<f32>
}
