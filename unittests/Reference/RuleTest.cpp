//===- RuleTest.cpp - Derivative and batch rules, numerically -------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One small model per differentiable op, in f64: its gradients against finite
// differences, and its full batch against micro-batches with and without
// recomputation. A rule that is wrong for any operand fails here.
//
//===----------------------------------------------------------------------===//

#include "ReferenceTest.h"
#include "accrue/Reference/Verify.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::reference;

namespace {
/// `body` computes %r, of type `type` and rank `rank`, from %a and %b, which
/// are tensor<?x4x3xf64> and depend on parameters %w and %v (4x3) and a batch.
struct RuleCase {
  const char *name;
  const char *type;
  int rank;
  const char *body;
  /// The loss is linear in %r: where a nonlinear one would couple samples.
  bool linear = false;
};

std::ostream &operator<<(std::ostream &os, const RuleCase &rule) {
  return os << rule.name;
}

class RuleTest : public ReferenceTest,
                 public ::testing::WithParamInterface<RuleCase> {};

constexpr char kFull[] = "tensor<?x4x3xf64>";

const RuleCase kRules[] = {
    {"add", kFull, 3, "%r = nn.add %a, %b : tensor<?x4x3xf64>"},
    {"add_twice", kFull, 3, "%r = nn.add %a, %a : tensor<?x4x3xf64>"},
    {"sub", kFull, 3, "%r = nn.sub %a, %b : tensor<?x4x3xf64>"},
    {"mul", kFull, 3, "%r = nn.mul %a, %b : tensor<?x4x3xf64>"},
    {"div", kFull, 3, R"(
      %e = nn.exp %b : tensor<?x4x3xf64>
      %r = nn.div %a, %e : tensor<?x4x3xf64>)"},
    {"max", kFull, 3, "%r = nn.max %a, %b : tensor<?x4x3xf64>"},
    {"neg", kFull, 3, "%r = nn.neg %a : tensor<?x4x3xf64>"},
    {"exp", kFull, 3, "%r = nn.exp %a : tensor<?x4x3xf64>"},
    {"log", kFull, 3, R"(
      %s = nn.sigmoid %a : tensor<?x4x3xf64>
      %r = nn.log %s : tensor<?x4x3xf64>)"},
    {"tanh", kFull, 3, "%r = nn.tanh %a : tensor<?x4x3xf64>"},
    {"sigmoid", kFull, 3, "%r = nn.sigmoid %a : tensor<?x4x3xf64>"},
    {"relu", kFull, 3, "%r = nn.relu %a : tensor<?x4x3xf64>"},
    {"sqrt", kFull, 3, R"(
      %e = nn.exp %a : tensor<?x4x3xf64>
      %r = nn.sqrt %e : tensor<?x4x3xf64>)"},
    {"square", kFull, 3, "%r = nn.square %a : tensor<?x4x3xf64>"},
    {"select", kFull, 3, R"(
      %c = nn.compare lt %x, %y : tensor<?x4x3xf64>
      %r = nn.select %c, %a, %b : tensor<?x4x3xi1>, tensor<?x4x3xf64>)"},
    {"convert", kFull, 3, R"(
      %n = nn.convert %x : tensor<?x4x3xf64> to tensor<?x4x3xi32>
      %m = nn.convert %n : tensor<?x4x3xi32> to tensor<?x4x3xf64>
      %r = nn.mul %a, %m : tensor<?x4x3xf64>)"},
    {"abs", kFull, 3, "%r = nn.abs %a : tensor<?x4x3xf64>"},
    {"erf", kFull, 3, "%r = nn.erf %a : tensor<?x4x3xf64>"},
    {"log1p", kFull, 3, R"(
      %s = nn.sigmoid %a : tensor<?x4x3xf64>
      %r = nn.log1p %s : tensor<?x4x3xf64>)"},
    {"expm1", kFull, 3, "%r = nn.expm1 %a : tensor<?x4x3xf64>"},
    {"rsqrt", kFull, 3, R"(
      %e = nn.exp %a : tensor<?x4x3xf64>
      %r = nn.rsqrt %e : tensor<?x4x3xf64>)"},
    {"reciprocal", kFull, 3, R"(
      %e = nn.exp %a : tensor<?x4x3xf64>
      %n = nn.neg %e : tensor<?x4x3xf64>
      %r = nn.reciprocal %n : tensor<?x4x3xf64>)"},
    {"sin", kFull, 3, "%r = nn.sin %a : tensor<?x4x3xf64>"},
    {"cos", kFull, 3, "%r = nn.cos %a : tensor<?x4x3xf64>"},
    {"silu", kFull, 3, "%r = nn.silu %a : tensor<?x4x3xf64>"},
    {"softplus", kFull, 3, "%r = nn.softplus %a : tensor<?x4x3xf64>"},
    {"gelu", kFull, 3, "%r = nn.gelu %a : tensor<?x4x3xf64>"},
    {"gelu_tanh", kFull, 3, "%r = nn.gelu %a tanh : tensor<?x4x3xf64>"},
    {"clamp", kFull, 3,
     "%r = nn.clamp %a from -0.3 to 0.4 : tensor<?x4x3xf64>"},
    {"sign", kFull, 3, R"(
      %s = nn.sign %a : tensor<?x4x3xf64>
      %r = nn.mul %s, %b : tensor<?x4x3xf64>)"},
    {"floor", kFull, 3, R"(
      %s = nn.floor %a : tensor<?x4x3xf64>
      %r = nn.mul %s, %b : tensor<?x4x3xf64>)"},
    {"min", kFull, 3, "%r = nn.min %a, %b : tensor<?x4x3xf64>"},
    {"pow", kFull, 3, R"(
      %e = nn.exp %a : tensor<?x4x3xf64>
      %r = nn.pow %e, %b : tensor<?x4x3xf64>)"},
    {"pow_of_negative", kFull, 3, R"(
      %e = nn.exp %a : tensor<?x4x3xf64>
      %n = nn.neg %e : tensor<?x4x3xf64>
      %c = nn.constant dense<3.0> : tensor<f64>
      %three = nn.broadcast %c dims [0, 1, 2] : tensor<f64> to tensor<?x4x3xf64>
      %r = nn.pow %n, %three : tensor<?x4x3xf64>)"},
    {"logic", kFull, 3, R"(
      %c = nn.compare lt %x, %y : tensor<?x4x3xf64>
      %z = nn.constant dense<0.0> : tensor<f64>
      %zero = nn.broadcast %z dims [0, 1, 2] : tensor<f64> to tensor<?x4x3xf64>
      %d = nn.compare gt %x, %zero : tensor<?x4x3xf64>
      %n = nn.not %c : tensor<?x4x3xi1>
      %e = nn.and %d, %n : tensor<?x4x3xi1>
      %g = nn.or %e, %c : tensor<?x4x3xi1>
      %r = nn.select %g, %a, %b : tensor<?x4x3xi1>, tensor<?x4x3xf64>)"},
    {"iota", kFull, 3, R"(
      %i = nn.iota dim 1 : tensor<?x4x3xf64>
      %r = nn.mul %a, %i : tensor<?x4x3xf64>)"},
    {"iota_over_samples", kFull, 3, R"(
      %i = nn.iota dim 0 : tensor<?x4x3xf64>
      %q = nn.mul %a, %i : tensor<?x4x3xf64>
      %r = nn.sin %q : tensor<?x4x3xf64>)"},
    {"when_training", kFull, 3, R"(
      %r = nn.when_training %a else %b : tensor<?x4x3xf64>)"},
    {"reduce_max", "tensor<?x3xf64>", 2, R"(
      %r = nn.reduce_max %a dims [1] : tensor<?x4x3xf64> -> tensor<?x3xf64>)"},
    {"reduce_max_of_products", "tensor<?xf64>", 1, R"(
      %q = nn.mul %a, %b : tensor<?x4x3xf64>
      %r = nn.reduce_max %q dims [1, 2] : tensor<?x4x3xf64> -> tensor<?xf64>)"},
    {"reduce_max_over_nothing", kFull, 3, R"(
      %r = nn.reduce_max %a dims [] : tensor<?x4x3xf64> -> tensor<?x4x3xf64>)"},
    {"reduce_min", "tensor<?x3xf64>", 2, R"(
      %r = nn.reduce_min %a dims [1] : tensor<?x4x3xf64> -> tensor<?x3xf64>)"},
    {"reduce_min_of_products", "tensor<?xf64>", 1, R"(
      %q = nn.mul %a, %b : tensor<?x4x3xf64>
      %r = nn.reduce_min %q dims [1, 2] : tensor<?x4x3xf64> -> tensor<?xf64>)"},
    {"reduce_min_over_nothing", kFull, 3, R"(
      %r = nn.reduce_min %a dims [] : tensor<?x4x3xf64> -> tensor<?x4x3xf64>)"},
    {"moments", "tensor<?x3xf64>", 2, R"(
      %m, %s = nn.moments %a dims [1] : tensor<?x4x3xf64> -> tensor<?x3xf64>, tensor<?x3xf64>
      %r = nn.mul %m, %s : tensor<?x3xf64>)"},
    {"moments_over_samples", "tensor<4xf64>", 1, R"(
      %m, %s = nn.moments %a dims [0, 2] : tensor<?x4x3xf64> -> tensor<4xf64>, tensor<4xf64>
      %r = nn.mul %m, %s : tensor<4xf64>)"},
    {"reduce_argmax", "tensor<?x3xf64>", 2, R"(
      %i = nn.iota dim 1 : tensor<?x4x3xi32>
      %r, %n = nn.reduce_argmax %a, %i dims [1] : tensor<?x4x3xf64>, tensor<?x4x3xi32> -> tensor<?x3xf64>, tensor<?x3xi32>)"},
    {"reduce_argmax_over_samples", "tensor<4x3xf64>", 2, R"(
      %i = nn.iota dim 0 : tensor<?x4x3xi32>
      %r, %n = nn.reduce_argmax %a, %i dims [0] : tensor<?x4x3xf64>, tensor<?x4x3xi32> -> tensor<4x3xf64>, tensor<4x3xi32>)"},
    {"reduce_max_over_samples", "tensor<4x3xf64>", 2, R"(
      %r = nn.reduce_max %a dims [0] : tensor<?x4x3xf64> -> tensor<4x3xf64>)"},
    {"reduce_min_over_samples", "tensor<f64>", 0, R"(
      %r = nn.reduce_min %a dims [0, 1, 2] : tensor<?x4x3xf64> -> tensor<f64>)"},
    {"logsumexp_over_samples", "tensor<3xf64>", 1, R"(
      %r = nn.logsumexp %a dims [0, 1] : tensor<?x4x3xf64> -> tensor<3xf64>)"},
    {"softmax_over_samples", kFull, 3,
     "%r = nn.softmax %a dim 0 : tensor<?x4x3xf64>"},
    {"log_softmax_over_samples", kFull, 3,
     "%r = nn.log_softmax %a dim 0 : tensor<?x4x3xf64>"},
    {"normalize_over_samples", kFull, 3,
     "%r = nn.normalize %a dims [0, 2] eps 1.0e-5 : tensor<?x4x3xf64>"},
    {"rms_norm_over_samples", kFull, 3,
     "%r = nn.rms_norm %a dims [0] eps 1.0e-5 : tensor<?x4x3xf64>"},
    {"flip_over_samples", kFull, 3, R"(
      %f = nn.flip %a dims [0] : tensor<?x4x3xf64> -> tensor<?x4x3xf64>
      %r = nn.mul %f, %b : tensor<?x4x3xf64>)"},
    {"cross_entropy_over_samples", "tensor<12xf64>", 1, R"(
      %flat = nn.reshape %a : tensor<?x4x3xf64> to tensor<?x12xf64>
      %logits = nn.transpose %flat [1, 0] : tensor<?x12xf64> -> tensor<12x?xf64>
      %l = nn.constant dense<[0, 1, 2, 3, 0, 3, 2, 1, 0, 1, 2, 1]> : tensor<12xi32>
      %r = nn.cross_entropy %logits, %l : (tensor<12x?xf64>, tensor<12xi32>) -> tensor<12xf64>)"},
    {"similarity", "tensor<?x?xf64>", 2, R"(
      %z = nn.reshape %a : tensor<?x4x3xf64> to tensor<?x12xf64>
      %q = nn.reshape %b : tensor<?x4x3xf64> to tensor<?x12xf64>
      %s = nn.matmul %z, %q transpose_rhs : (tensor<?x12xf64>, tensor<?x12xf64>) -> tensor<?x?xf64>
      %r = nn.softmax %s dim 0 : tensor<?x?xf64>)"},
    {"similarity_to_others", "tensor<?xf64>", 1, R"(
      %z = nn.reshape %a : tensor<?x4x3xf64> to tensor<?x12xf64>
      %s = nn.matmul %z, %z transpose_rhs : (tensor<?x12xf64>, tensor<?x12xf64>) -> tensor<?x?xf64>
      %i = nn.iota dim 0 : tensor<?x?xi32>
      %j = nn.iota dim 1 : tensor<?x?xi32>
      %own = nn.compare eq %i, %j : tensor<?x?xi32>
      %none = nn.constant dense<-1.0e3> : tensor<f64>
      %nones = nn.broadcast %none dims [0, 1] : tensor<f64> to tensor<?x?xf64>
      %o = nn.select %own, %nones, %s : tensor<?x?xi1>, tensor<?x?xf64>
      %r = nn.logsumexp %o dims [1] : tensor<?x?xf64> -> tensor<?xf64>)"},
    {"gather_samples", "tensor<3x4x3xf64>", 3, R"(
      %i = nn.constant dense<[2, 0, 2]> : tensor<3xi32>
      %r = nn.gather %a, %i dim 0 : (tensor<?x4x3xf64>, tensor<3xi32>) -> tensor<3x4x3xf64>)"},
    {"gather_samples_by_sample", kFull, 3, R"(
      %i = nn.iota dim 0 : tensor<?xi32>
      %f = nn.flip %i dims [0] : tensor<?xi32> -> tensor<?xi32>
      %g = nn.gather %a, %f dim 0 : (tensor<?x4x3xf64>, tensor<?xi32>) -> tensor<?x4x3xf64>
      %r = nn.mul %g, %b : tensor<?x4x3xf64>)"},
    {"take_along_samples", "tensor<2x4x3xf64>", 3, R"(
      %i = nn.constant dense<[[[0, 1, 2], [2, 2, 2], [1, 0, 1], [0, 0, 1]], [[1, 1, 1], [0, 1, 0], [2, 1, 0], [2, 2, 0]]]> : tensor<2x4x3xi32>
      %r = nn.take_along %a, %i dim 0 : (tensor<?x4x3xf64>, tensor<2x4x3xi32>) -> tensor<2x4x3xf64>)"},
    {"top_k_of_samples", "tensor<12x2xf64>", 2, R"(
      %z = nn.reshape %a : tensor<?x4x3xf64> to tensor<?x12xf64>
      %t = nn.transpose %z [1, 0] : tensor<?x12xf64> -> tensor<12x?xf64>
      %i = nn.top_k %t k 2 : tensor<12x?xf64> -> tensor<12x2xi32>
      %r = nn.take_along %t, %i dim 1 : (tensor<12x?xf64>, tensor<12x2xi32>) -> tensor<12x2xf64>)"},
    {"scatter_to_samples", kFull, 3, R"(
      %i = nn.constant dense<[1, 0, 1, 2]> : tensor<4xi32>
      %g = nn.sum %a dims [0] : tensor<?x4x3xf64> -> tensor<4x3xf64>
      %u = nn.broadcast %g dims [1] : tensor<4x3xf64> to tensor<4x4x3xf64>
      %s = nn.scatter_add %u, %i dim 0 : (tensor<4x4x3xf64>, tensor<4xi32>) -> tensor<?x4x3xf64>
      %r = nn.mul %s, %b : tensor<?x4x3xf64>)"},
    {"attention_over_samples", "tensor<1x1x?x3xf64, #nn.extents<\"4*B\">>", 4,
     R"(
      %q = nn.reshape %a : tensor<?x4x3xf64> to tensor<1x1x?x3xf64, #nn.extents<"4*B">>
      %k = nn.reshape %b : tensor<?x4x3xf64> to tensor<1x1x?x3xf64, #nn.extents<"4*B">>
      %r = nn.attention %q, %k, %q scale 0.5 : (tensor<1x1x?x3xf64, #nn.extents<"4*B">>, tensor<1x1x?x3xf64, #nn.extents<"4*B">>, tensor<1x1x?x3xf64, #nn.extents<"4*B">>) -> tensor<1x1x?x3xf64, #nn.extents<"4*B">>)"},
    {"flatten_and_normalize", "tensor<?x3xf64, #nn.extents<\"4*B\">>", 2, R"(
      %z = nn.reshape %a : tensor<?x4x3xf64> to tensor<?x3xf64, #nn.extents<"4*B">>
      %r = nn.normalize %z dims [0] eps 1.0e-5 : tensor<?x3xf64, #nn.extents<"4*B">>)"},
    {"time_major_normalize", "tensor<4x?x3xf64>", 3, R"(
      %z = nn.transpose %a [1, 0, 2] : tensor<?x4x3xf64> -> tensor<4x?x3xf64>
      %r = nn.normalize %z dims [0, 1] eps 1.0e-5 : tensor<4x?x3xf64>)"},
    {"cumsum", kFull, 3, R"(
      %r = nn.cumsum %a dim 1 : tensor<?x4x3xf64>)"},
    {"cumsum_reverse", kFull, 3, R"(
      %r = nn.cumsum %a dim 2 reverse : tensor<?x4x3xf64>)"},
    {"cumsum_over_samples", kFull, 3, R"(
      %r = nn.cumsum %a dim 0 : tensor<?x4x3xf64>)",
     /*linear=*/true},
    {"transpose", "tensor<3x?x4xf64>", 3,
     "%r = nn.transpose %a [2, 0, 1] : tensor<?x4x3xf64> -> "
     "tensor<3x?x4xf64>"},
    {"reshape", "tensor<?x12xf64>", 2,
     "%r = nn.reshape %a : tensor<?x4x3xf64> to tensor<?x12xf64>"},
    {"reshape_into_rows", "tensor<?x3xf64, #nn.extents<\"4*B\">>", 2,
     "%r = nn.reshape %a : tensor<?x4x3xf64> to "
     "tensor<?x3xf64, #nn.extents<\"4*B\">>"},
    {"broadcast", "tensor<?x2x4x3xf64>", 4,
     "%r = nn.broadcast %a dims [1] : tensor<?x4x3xf64> to "
     "tensor<?x2x4x3xf64>"},
    {"distribute", "tensor<?x2x4x3xf64>", 4,
     "%r = nn.distribute %a dims [1] : tensor<?x4x3xf64> to "
     "tensor<?x2x4x3xf64>"},
    {"distribute_over_batch", kFull, 3, R"(
      %d = nn.distribute %w dims [0] : tensor<4x3xf64> to tensor<?x4x3xf64>
      %n = nn.extent <"B"> : tensor<f64>
      %nb = nn.broadcast %n dims [0, 1, 2] : tensor<f64> to tensor<?x4x3xf64>
      %q = nn.mul %d, %nb : tensor<?x4x3xf64>
      %r = nn.add %q, %b : tensor<?x4x3xf64>)"},
    {"sum", "tensor<?x3xf64>", 2,
     "%r = nn.sum %a dims [1] : tensor<?x4x3xf64> -> tensor<?x3xf64>"},
    {"sum_over_batch", "tensor<3xf64>", 1, R"(
      %s = nn.sigmoid %a : tensor<?x4x3xf64>
      %t = nn.mul %s, %b : tensor<?x4x3xf64>
      %r = nn.sum %t dims [0, 1] : tensor<?x4x3xf64> -> tensor<3xf64>)",
     /*linear=*/true},
    {"mean_over_batch", "tensor<4xf64>", 1, R"(
      %s = nn.sigmoid %a : tensor<?x4x3xf64>
      %t = nn.mul %s, %b : tensor<?x4x3xf64>
      %r = nn.mean %t dims [0, 2] : tensor<?x4x3xf64> -> tensor<4xf64>)",
     /*linear=*/true},
    {"mean", "tensor<?xf64>", 1,
     "%r = nn.mean %a dims [1, 2] : tensor<?x4x3xf64> -> tensor<?xf64>"},
    {"softmax", kFull, 3, "%r = nn.softmax %a dim 2 : tensor<?x4x3xf64>"},
    {"softmax_middle", kFull, 3,
     "%r = nn.softmax %a dim 1 : tensor<?x4x3xf64>"},
    {"log_softmax", kFull, 3,
     "%r = nn.log_softmax %a dim 2 : tensor<?x4x3xf64>"},
    {"logsumexp", "tensor<?x4xf64>", 2,
     "%r = nn.logsumexp %a dims [2] : tensor<?x4x3xf64> -> tensor<?x4xf64>"},
    {"logsumexp_dims", "tensor<?xf64>", 1,
     "%r = nn.logsumexp %a dims [1, 2] : tensor<?x4x3xf64> -> tensor<?xf64>"},
    {"normalize", kFull, 3,
     "%r = nn.normalize %a dims [2] eps 1.0e-2 : tensor<?x4x3xf64>"},
    {"normalize_dims", kFull, 3,
     "%r = nn.normalize %a dims [1, 2] eps 1.0e-2 : tensor<?x4x3xf64>"},
    {"normalize_middle", kFull, 3,
     "%r = nn.normalize %a dims [1] eps 1.0e-2 : tensor<?x4x3xf64>"},
    {"rms_norm", kFull, 3,
     "%r = nn.rms_norm %a dims [2] eps 1.0e-2 : tensor<?x4x3xf64>"},
    {"rms_norm_dims", kFull, 3,
     "%r = nn.rms_norm %a dims [1, 2] eps 1.0e-2 : tensor<?x4x3xf64>"},
    {"attention", "tensor<?x2x2x3xf64>", 4, R"(
      %q = nn.reshape %a : tensor<?x4x3xf64> to tensor<?x2x2x3xf64>
      %k = nn.reshape %b : tensor<?x4x3xf64> to tensor<?x2x2x3xf64>
      %r = nn.attention %q, %k, %q causal scale 0.7
         : (tensor<?x2x2x3xf64>, tensor<?x2x2x3xf64>, tensor<?x2x2x3xf64>)
         -> tensor<?x2x2x3xf64>)"},
    {"attention_grouped", "tensor<?x4x1x3xf64>", 4, R"(
      %q = nn.reshape %a : tensor<?x4x3xf64> to tensor<?x4x1x3xf64>
      %k = nn.reshape %b : tensor<?x4x3xf64> to tensor<?x2x2x3xf64>
      %r = nn.attention %q, %k, %k scale 0.7
         : (tensor<?x4x1x3xf64>, tensor<?x2x2x3xf64>, tensor<?x2x2x3xf64>)
         -> tensor<?x4x1x3xf64>)"},
    {"attention_masked", "tensor<?x3x2x2xf64>", 4, R"(
      %q = nn.reshape %a : tensor<?x4x3xf64> to tensor<?x3x2x2xf64>
      %k = nn.reshape %b : tensor<?x4x3xf64> to tensor<?x3x2x2xf64>
      %c = nn.compare lt %x, %y : tensor<?x4x3xf64>
      %m = nn.reshape %c : tensor<?x4x3xi1> to tensor<?x3x2x2xi1>
      %r = nn.attention %q, %k, %q mask %m scale 0.7
         : (tensor<?x3x2x2xf64>, tensor<?x3x2x2xf64>, tensor<?x3x2x2xf64>,
            tensor<?x3x2x2xi1>) -> tensor<?x3x2x2xf64>)"},
    {"matmul", "tensor<?x4xf64>", 2, R"(
      %m = nn.mean %a dims [1] : tensor<?x4x3xf64> -> tensor<?x3xf64>
      %t = nn.transpose %v [1, 0] : tensor<4x3xf64> -> tensor<3x4xf64>
      %r = nn.matmul %m, %t : (tensor<?x3xf64>, tensor<3x4xf64>) -> tensor<?x4xf64>)"},
    {"matmul_transpose_rhs", "tensor<?x4xf64>", 2, R"(
      %m = nn.mean %a dims [1] : tensor<?x4x3xf64> -> tensor<?x3xf64>
      %r = nn.matmul %m, %v transpose_rhs : (tensor<?x3xf64>, tensor<4x3xf64>) -> tensor<?x4xf64>)"},
    {"matmul_transpose_lhs", "tensor<?x4xf64>", 2, R"(
      %m = nn.mean %a dims [1] : tensor<?x4x3xf64> -> tensor<?x3xf64>
      %mt = nn.transpose %m [1, 0] : tensor<?x3xf64> -> tensor<3x?xf64>
      %t = nn.transpose %v [1, 0] : tensor<4x3xf64> -> tensor<3x4xf64>
      %r = nn.matmul %mt, %t transpose_lhs : (tensor<3x?xf64>, tensor<3x4xf64>) -> tensor<?x4xf64>)"},
    {"matmul_transpose_both", "tensor<4x?xf64>", 2, R"(
      %m = nn.mean %a dims [1] : tensor<?x4x3xf64> -> tensor<?x3xf64>
      %t = nn.transpose %v [1, 0] : tensor<4x3xf64> -> tensor<3x4xf64>
      %r = nn.matmul %t, %m transpose_lhs transpose_rhs : (tensor<3x4xf64>, tensor<?x3xf64>) -> tensor<4x?xf64>)"},
    {"matmul_batch", "tensor<?x4x4xf64>", 3, R"(
      %t = nn.transpose %b [0, 2, 1] : tensor<?x4x3xf64> -> tensor<?x3x4xf64>
      %r = nn.matmul %a, %t : (tensor<?x4x3xf64>, tensor<?x3x4xf64>) -> tensor<?x4x4xf64>)"},
    {"matmul_batch_transpose_rhs", "tensor<?x4x4xf64>", 3,
     "%r = nn.matmul %a, %b transpose_rhs : (tensor<?x4x3xf64>, "
     "tensor<?x4x3xf64>) -> tensor<?x4x4xf64>"},
    {"matmul_batch_transpose_lhs", "tensor<?x3x3xf64>", 3,
     "%r = nn.matmul %a, %b transpose_lhs : (tensor<?x4x3xf64>, "
     "tensor<?x4x3xf64>) -> tensor<?x3x3xf64>"},
    {"matmul_batch_transpose_both", "tensor<?x3x3xf64>", 3, R"(
      %t = nn.transpose %b [0, 2, 1] : tensor<?x4x3xf64> -> tensor<?x3x4xf64>
      %r = nn.matmul %a, %t transpose_lhs transpose_rhs : (tensor<?x4x3xf64>, tensor<?x3x4xf64>) -> tensor<?x3x3xf64>)"},
    {"matmul_batch_of_rows", "tensor<4x?x1xf64>", 3, R"(
      %t = nn.transpose %a [1, 0, 2] : tensor<?x4x3xf64> -> tensor<4x?x3xf64>
      %c = nn.reshape %v : tensor<4x3xf64> to tensor<4x3x1xf64>
      %r = nn.matmul %t, %c : (tensor<4x?x3xf64>, tensor<4x3x1xf64>) -> tensor<4x?x1xf64>)"},
    {"matmul_batch_of_one_matrix", "tensor<?x4x4xf64>", 3, R"(
      %c = nn.broadcast %v dims [0] : tensor<4x3xf64> to tensor<?x4x3xf64>
      %r = nn.matmul %a, %c transpose_rhs : (tensor<?x4x3xf64>, tensor<?x4x3xf64>) -> tensor<?x4x4xf64>)"},
    {"slice", "tensor<?x4x2xf64>", 3,
     "%r = nn.slice %a dim 2 from 0 to 3 by 2 : tensor<?x4x3xf64> -> "
     "tensor<?x4x2xf64>"},
    {"pad", "tensor<?x8x3xf64>", 3,
     "%r = nn.pad %a dim 1 low 1 high 0 interior 1 value 0.5 : "
     "tensor<?x4x3xf64> -> tensor<?x8x3xf64>"},
    {"concat", "tensor<?x8x3xf64>", 3,
     "%r = nn.concat %a, %b dim 1 : (tensor<?x4x3xf64>, tensor<?x4x3xf64>) -> "
     "tensor<?x8x3xf64>"},
    {"concat_twice", "tensor<?x4x6xf64>", 3,
     "%r = nn.concat %a, %a dim 2 : (tensor<?x4x3xf64>, tensor<?x4x3xf64>) -> "
     "tensor<?x4x6xf64>"},
    {"concat_samples", "tensor<?x4x3xf64, #nn.extents<\"2*B\">>", 3,
     "%r = nn.concat %a, %b dim 0 : (tensor<?x4x3xf64>, tensor<?x4x3xf64>) -> "
     "tensor<?x4x3xf64, #nn.extents<\"2*B\">>"},
    {"flip", kFull, 3,
     "%r = nn.flip %a dims [1, 2] : tensor<?x4x3xf64> -> tensor<?x4x3xf64>"},
    {"gather", "tensor<?x4x3xf64>", 3, R"(
      %t = nn.mul %w, %v : tensor<4x3xf64>
      %r = nn.gather %t, %label dim 0 : (tensor<4x3xf64>, tensor<?x4xi32>) -> tensor<?x4x3xf64>)"},
    {"gather_columns", "tensor<?x4x2xf64>", 3, R"(
      %i = nn.constant dense<[2, 2]> : tensor<2xi64>
      %r = nn.gather %a, %i dim 2 : (tensor<?x4x3xf64>, tensor<2xi64>) -> tensor<?x4x2xf64>)"},
    {"scatter_add", "tensor<3x3xf64>", 2, R"(
      %s = nn.sigmoid %a : tensor<?x4x3xf64>
      %t = nn.mul %s, %b : tensor<?x4x3xf64>
      %r = nn.scatter_add %t, %label dim 0 : (tensor<?x4x3xf64>, tensor<?x4xi32>) -> tensor<3x3xf64>)",
     /*linear=*/true},
    {"scatter_add_columns", "tensor<?x4x5xf64>", 3, R"(
      %i = nn.constant dense<[4, 9, 4]> : tensor<3xi32>
      %r = nn.scatter_add %a, %i dim 2 : (tensor<?x4x3xf64>, tensor<3xi32>) -> tensor<?x4x5xf64>)"},
    {"take_along", "tensor<?x4xf64>", 2, R"(
      %m = nn.mean %a dims [1] : tensor<?x4x3xf64> -> tensor<?x3xf64>
      %r = nn.take_along %m, %label dim 1 : (tensor<?x3xf64>, tensor<?x4xi32>) -> tensor<?x4xf64>)"},
    {"scatter_add_along", "tensor<?x2xf64>", 2, R"(
      %m = nn.mean %a dims [2] : tensor<?x4x3xf64> -> tensor<?x4xf64>
      %r = nn.scatter_add_along %m, %label dim 1 : (tensor<?x4xf64>, tensor<?x4xi32>) -> tensor<?x2xf64>)"},
    {"scatter_add_along_batch", "tensor<3x4xf64>", 2, R"(
      %s = nn.sigmoid %a : tensor<?x4x3xf64>
      %t = nn.mul %s, %b : tensor<?x4x3xf64>
      %m = nn.mean %t dims [2] : tensor<?x4x3xf64> -> tensor<?x4xf64>
      %r = nn.scatter_add_along %m, %label dim 0 : (tensor<?x4xf64>, tensor<?x4xi32>) -> tensor<3x4xf64>)",
     /*linear=*/true},
    {"unfold", "tensor<?x1x3x1x2x2xf64>", 6, R"(
      %i = nn.reshape %a : tensor<?x4x3xf64> to tensor<?x1x4x3xf64>
      %r = nn.unfold %i kernel [2, 2] stride [2, 1] dilation [1, 2] padding [1, 1, 0, 0] value 0.5 : tensor<?x1x4x3xf64> -> tensor<?x1x3x1x2x2xf64>)"},
    {"unfold_channels_last", "tensor<?x2x3x2x1x2xf64>", 6, R"(
      %i = nn.reshape %a : tensor<?x4x3xf64> to tensor<?x2x2x3xf64>
      %r = nn.unfold %i kernel [1, 2] stride [1, 1] dilation [1, 1] padding [0, 0, 1, 0] value 0.0 channels_last : tensor<?x2x2x3xf64> -> tensor<?x2x3x2x1x2xf64>)"},
    {"fold", "tensor<?x1x3x3xf64>", 4, R"(
      %u = nn.reshape %a : tensor<?x4x3xf64> to tensor<?x1x2x3x2x1xf64>
      %r = nn.fold %u kernel [2, 1] stride [1, 1] dilation [1, 1] padding [0, 0, 0, 0] : tensor<?x1x2x3x2x1xf64> -> tensor<?x1x3x3xf64>)"},
    {"fold_channels_last", "tensor<?x2x3x2xf64>", 4, R"(
      %u = nn.reshape %a : tensor<?x4x3xf64> to tensor<?x1x3x2x2x1xf64>
      %r = nn.fold %u kernel [2, 1] stride [2, 1] dilation [2, 1] padding [0, 0, 1, 0] channels_last : tensor<?x1x3x2x2x1xf64> -> tensor<?x2x3x2xf64>)"},
    {"conv2d", "tensor<?x3x2x2xf64>", 4, R"(
      %i = nn.reshape %a : tensor<?x4x3xf64> to tensor<?x2x2x3xf64>
      %c = nn.reshape %v : tensor<4x3xf64> to tensor<3x2x1x2xf64>
      %r = nn.conv2d %i, %c stride [1, 1] padding [0, 0, 0, 0] dilation [1, 1] groups 1 : (tensor<?x2x2x3xf64>, tensor<3x2x1x2xf64>) -> tensor<?x3x2x2xf64>)"},
    {"conv2d_stride_padding", "tensor<?x3x2x4xf64>", 4, R"(
      %i = nn.reshape %a : tensor<?x4x3xf64> to tensor<?x1x4x3xf64>
      %c = nn.reshape %v : tensor<4x3xf64> to tensor<3x1x2x2xf64>
      %r = nn.conv2d %i, %c stride [2, 1] padding [1, 0, 0, 2] dilation [1, 1] groups 1 : (tensor<?x1x4x3xf64>, tensor<3x1x2x2xf64>) -> tensor<?x3x2x4xf64>)"},
    {"conv2d_dilation", "tensor<?x2x2x3xf64>", 4, R"(
      %i = nn.reshape %a : tensor<?x4x3xf64> to tensor<?x1x4x3xf64>
      %c = nn.reshape %v : tensor<4x3xf64> to tensor<2x1x2x3xf64>
      %r = nn.conv2d %i, %c stride [1, 1] padding [0, 0, 1, 1] dilation [2, 1] groups 1 : (tensor<?x1x4x3xf64>, tensor<2x1x2x3xf64>) -> tensor<?x2x2x3xf64>)"},
    {"conv2d_groups", "tensor<?x2x1x3xf64>", 4, R"(
      %i = nn.reshape %a : tensor<?x4x3xf64> to tensor<?x4x1x3xf64>
      %c = nn.reshape %v : tensor<4x3xf64> to tensor<2x2x1x3xf64>
      %r = nn.conv2d %i, %c stride [1, 1] padding [0, 0, 1, 1] dilation [1, 1] groups 2 : (tensor<?x4x1x3xf64>, tensor<2x2x1x3xf64>) -> tensor<?x2x1x3xf64>)"},
    {"conv2d_pointwise", "tensor<?x3x1x3xf64>", 4, R"(
      %i = nn.reshape %a : tensor<?x4x3xf64> to tensor<?x4x1x3xf64>
      %c = nn.reshape %v : tensor<4x3xf64> to tensor<3x4x1x1xf64>
      %r = nn.conv2d %i, %c stride [1, 1] padding [0, 0, 0, 0] dilation [1, 1] groups 1 : (tensor<?x4x1x3xf64>, tensor<3x4x1x1xf64>) -> tensor<?x3x1x3xf64>)"},
    {"max_pool2d", "tensor<?x1x4x3xf64>", 4, R"(
      %i = nn.reshape %a : tensor<?x4x3xf64> to tensor<?x1x4x3xf64>
      %r = nn.max_pool2d %i kernel [2, 2] stride [1, 1] padding [1, 0, 0, 1] dilation [1, 1] : tensor<?x1x4x3xf64> -> tensor<?x1x4x3xf64>)"},
    {"cross_entropy", "tensor<?x4xf64>", 2,
     "%r = nn.cross_entropy %a, %label : (tensor<?x4x3xf64>, "
     "tensor<?x4xi32>) -> tensor<?x4xf64>"},
};
} // namespace

TEST_P(RuleTest, GradientsAndMicroBatches) {
  const RuleCase &rule = GetParam();
  std::string text = R"(
    func.func @f(
        %w: tensor<4x3xf64> {train.role = #train.role<param>, train.name = "w", train.rule = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>},
        %v: tensor<4x3xf64> {train.role = #train.role<param>, train.name = "v", train.rule = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>},
        %x: tensor<?x4x3xf64> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64},
        %y: tensor<?x4x3xf64> {train.role = #train.role<batch>, train.name = "y", train.batch_dim = 0 : i64},
        %label: tensor<?x4xi32> {train.role = #train.role<batch>, train.name = "label", train.batch_dim = 0 : i64})
        -> (tensor<f64> {train.result = #train.result<loss>, train.name = "loss"})
        attributes {train.model, train.batch = 12 : i64} {
      %ws = nn.broadcast %w dims [0] : tensor<4x3xf64> to tensor<?x4x3xf64>
      %vs = nn.broadcast %v dims [0] : tensor<4x3xf64> to tensor<?x4x3xf64>
      %a = nn.add %x, %ws : tensor<?x4x3xf64>
      %b = nn.mul %y, %vs : tensor<?x4x3xf64>
)";
  text += rule.body;
  text += std::string("\n%curved = ") +
          (rule.linear ? "nn.neg" : "nn.sigmoid") + " %r : " + rule.type +
          "\n%l1 = nn.mean %curved dims [";
  for (int dim = 0; dim < rule.rank; ++dim)
    text += (dim > 0 ? ", " : "") + std::to_string(dim);
  text += "] : " + std::string(rule.type) + " -> tensor<f64>";
  // A second term keeps every parameter active.
  text += R"(
      %p = nn.mul %a, %b : tensor<?x4x3xf64>
      %l2 = nn.mean %p dims [0, 1, 2] : tensor<?x4x3xf64> -> tensor<f64>
      %loss = nn.add %l1, %l2 : tensor<f64>
      return %loss : tensor<f64>
    })";
  func::FuncOp model = parse(text);
  ASSERT_TRUE(model) << (messages.empty() ? "" : messages.front());
  auto report = verify(model);
  ASSERT_TRUE(succeeded(report)) << (messages.empty() ? "" : messages.front());
  std::string table;
  llvm::raw_string_ostream os(table);
  report->print(os);
  EXPECT_TRUE(report->passed()) << table;
  EXPECT_EQ(report->gradients.size(), 2u);
  EXPECT_EQ(report->variants.size(), 8u);
}

INSTANTIATE_TEST_SUITE_P(Ops, RuleTest, ::testing::ValuesIn(kRules),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });
