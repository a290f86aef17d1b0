//===- TrainOps.td - Ops of the train dialect --------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_TRAIN_TRAINOPS_TD
#define ACCRUE_DIALECT_TRAIN_TRAINOPS_TD

include "accrue/Dialect/NN/NNDialect.td"
include "accrue/Dialect/Train/TrainAttributes.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

/// Two variadic values of equal types.
class Train_SameTypes<string lhs, string rhs>
    : RangedTypesMatchWith<lhs # " and " # rhs # " have equal types", lhs, rhs,
                           "$_self">;

class Train_Op<string mnemonic, list<Trait> traits = []>
    : Op<Train_Dialect, mnemonic, traits>;

/// An op with a value of its own: every one but terminators.
class Train_ValueOp<string mnemonic, list<Trait> traits = []>
    : Train_Op<mnemonic, !listconcat([
        DeclareOpInterfaceMethods<ReferenceOpInterface>], traits)>;

def Train_FloatScalar : 0DTensorOf<[F16, BF16, F32, F64]>;
/// What a step computes once from or for all gradients: f64 where one of them
/// is, else f32. Halves have no range for it.
def Train_WideScalar : 0DTensorOf<[F32, F64]>;
def Train_StepScalar : 0DTensorOf<[I64]>;
def Train_Flag : 0DTensorOf<[I1]>;

def Train_GradientOp : Train_ValueOp<"gradient", [
    Pure, Train_SameTypes<"wrt", "gradients">]> {
  let summary = "gradients of a scalar with respect to values";
  let description = [{
    `train-differentiate` expands the op by reverse-mode differentiation of the
    ops between `wrt` and `loss` in the enclosing block. A value that the loss
    does not depend on has a zero gradient.

    ```mlir
    %dw, %db = train.gradient %loss wrt %w, %b
      : tensor<f32> wrt tensor<4x5xf32>, tensor<4xf32>
    ```
  }];
  let arguments = (ins Train_FloatScalar:$loss, Variadic<NN_FloatTensor>:$wrt);
  let results = (outs Variadic<NN_FloatTensor>:$gradients);
  let assemblyFormat = [{
    $loss `wrt` $wrt attr-dict `:` type($loss) `wrt` type($wrt)
  }];
}

def Train_WeightOp : Train_ValueOp<"weight", [Pure]> {
  let summary = "weight of a micro-batch in the mean of the batch";
  let description = [{
    `samples / of`: 1/K for equal micro-batches, m_k/B for a ragged one. Folds
    to a constant.

    ```mlir
    %w = train.weight 128 of 512 : tensor<f32>
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$samples,
                       ConfinedAttr<I64Attr, [IntPositive]>:$of);
  let results = (outs Train_FloatScalar:$result);
  let assemblyFormat = "$samples `of` $of attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Train_AccumulateOp : Train_ValueOp<"accumulate", [
    AttrSizedOperandSegments, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "loop over micro-batches that accumulates contributions";
  let description = [{
    Runs its body for `count` micro-batches of `size` samples, starting at
    sample `offset`, of a logical batch of `of` samples. The first block
    argument is the global index of the micro-batch's first sample; the others
    are the slices of the sliced operands in the given modes. Other values are
    captured. The body yields one *contribution* per result, combined by the
    result's reducer. Without `init` the first micro-batch overwrites; with
    `init` (a ragged tail continuing a loop) it is combined with the initial
    value. Sums are in f32 for f16 and bf16 and in the order of the loop.

    ```mlir
    %loss, %dw = train.accumulate count(4) size(128) offset(0) of(512)
        slices(%x : tensor<512x64xf32>) modes [#train.mapped<dim = 0>]
        reduce [#train.reducer<sum>, #train.reducer<sum>]
        -> tensor<f32>, tensor<10x64xf32> {
    ^bb0(%first: index, %xs: tensor<128x64xf32>):
      ...
      train.yield %l, %d : tensor<f32>, tensor<10x64xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<NN_Tensor>:$inputs, Variadic<NN_Tensor>:$inits,
                       ConfinedAttr<I64Attr, [IntPositive]>:$count,
                       ConfinedAttr<I64Attr, [IntPositive]>:$size,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$offset,
                       ConfinedAttr<I64Attr, [IntPositive]>:$of,
                       TypedArrayAttrBase<Train_MappedAttr, "modes">:$modes,
                       TypedArrayAttrBase<Train_ReducerAttr, "reducers">:$reducers);
  let results = (outs Variadic<NN_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `count` `(` $count `)` `size` `(` $size `)` `offset` `(` $offset `)`
    `of` `(` $of `)`
    (`slices` `(` $inputs^ `:` type($inputs) `)`)? `modes` $modes
    (`init` `(` $inits^ `:` type($inits) `)`)?
    `reduce` $reducers
    attr-dict-with-keyword (`->` type($results)^)? $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Train_RecomputeOp : Train_ValueOp<"recompute", [
    AttrSizedOperandSegments, IsolatedFromAbove, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "values computed again for the backward pass";
  let description = [{
    Computes its results from `inputs` (the block arguments), not before every
    value in `after` (the cotangents that need them) is known. The unique `id`
    keeps CSE from undoing it.

    ```mlir
    %h2 = train.recompute 3 after(%dlogits : tensor<128x10xf32>)
        inputs(%x : tensor<128x64xf32>) -> tensor<128x128xf32> {
    ^bb0(%a: tensor<128x64xf32>):
      ...
      train.yield %h : tensor<128x128xf32>
    }
    ```
  }];
  let arguments = (ins I64Attr:$id, Variadic<NN_Tensor>:$after,
                       Variadic<NN_Tensor>:$inputs);
  let results = (outs Variadic<NN_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $id (`after` `(` $after^ `:` type($after) `)`)?
    (`inputs` `(` $inputs^ `:` type($inputs) `)`)?
    attr-dict-with-keyword (`->` type($results)^)? $body
  }];
  let hasRegionVerifier = 1;
}

def Train_YieldOp : Train_Op<"yield", [
    Pure, Terminator, ReturnLike,
    ParentOneOf<["AccumulateOp", "RecomputeOp"]>]> {
  let summary = "terminator of the bodies of this dialect";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, {}); }]>];
}

def Train_ScheduleOp : Train_ValueOp<"schedule", [Pure]> {
  let summary = "the schedule's factor on the learning rate";
  let description = [{
    ```mlir
    %f = train.schedule #train.constant after %completed
       : (tensor<i64>) -> tensor<f32>
    ```
  }];
  let arguments = (ins Train_StepScalar:$completed, Train_Schedule:$schedule);
  let results = (outs Train_WideScalar:$result);
  let assemblyFormat = [{
    $schedule `after` $completed attr-dict `:` functional-type(operands, results)
  }];
}

def Train_AllReduceOp : Train_ValueOp<"all_reduce", [
    Pure, Train_SameTypes<"gradients", "results">]> {
  let summary = "gradients summed over all devices";
  let description = [{
    Where data parallelism has its place: once per step, after the loops over
    micro-batches and before anything reads the gradients of the batch. The
    sum over one device is the gradient itself; `train-fuse-optimizer` then
    removes the op.

    ```mlir
    %sum:2 = train.all_reduce %dw, %db : tensor<4x5xf32>, tensor<4xf32>
    ```
  }];
  let arguments = (ins Variadic<NN_FloatTensor>:$gradients);
  let results = (outs Variadic<NN_FloatTensor>:$results);
  let assemblyFormat = "$gradients attr-dict `:` type($gradients)";
}

def Train_GlobalNormOp : Train_ValueOp<"global_norm", [Pure]> {
  let summary = "Euclidean norm of all elements of all gradients";
  let description = [{
    The squares are summed in the type of the result.

    ```mlir
    %n = train.global_norm %dw, %db
       : tensor<4x5xf64>, tensor<4xf64> -> tensor<f64>
    ```
  }];
  let arguments = (ins Variadic<NN_FloatTensor>:$gradients);
  let results = (outs Train_WideScalar:$result);
  let assemblyFormat = [{
    $gradients attr-dict `:` type($gradients) `->` type($result)
  }];
}

def Train_AllFiniteOp : Train_ValueOp<"all_finite", [Pure]> {
  let summary = "true where no element is infinite or NaN";
  let arguments = (ins Variadic<NN_FloatTensor>:$inputs);
  let results = (outs Train_Flag:$result);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs) `->` type($result)";
}

def Train_ClipOp : Train_ValueOp<"clip", [
    Pure, Train_SameTypes<"gradients", "results">]> {
  let summary = "gradients scaled down to a maximal global norm";
  let description = [{
    Multiplies every gradient by max_norm / max(norm, max_norm): exactly 1
    where the norm does not exceed `max_norm`. The factor has the norm's type.
  }];
  let arguments = (ins Variadic<NN_FloatTensor>:$gradients,
                       Train_WideScalar:$norm, F64Attr:$max_norm);
  let results = (outs Variadic<NN_FloatTensor>:$results);
  let assemblyFormat = [{
    $gradients `by` $norm `max` $max_norm attr-dict
    `:` type($gradients) `by` type($norm)
  }];
}

def Train_UpdateOp : Train_ValueOp<"update", [
    Pure, AllTypesMatch<["param", "newParam"]>,
    Train_SameTypes<"slots", "newSlots">]> {
  let summary = "optimizer step of one parameter";
  let description = [{
    Applies `rule` to every element. `completed` counts the steps done before,
    `factor` is the schedule's. Where `finite` is false, all results are the
    old values.

    ```mlir
    %p1, %m1, %v1 = train.update #train.adamw<...> on %p, %g
        slots(%m, %v : tensor<4xf32>, tensor<4xf32>)
        completed %t factor %f if %ok : tensor<4xf32>, tensor<4xf32>, ...
    ```
  }];
  let arguments = (ins NN_FloatTensor:$param, NN_FloatTensor:$gradient,
                       Variadic<NN_FloatTensor>:$slots,
                       Train_StepScalar:$completed, Train_WideScalar:$factor,
                       Train_Flag:$finite, Train_OptimizerRule:$rule);
  let results = (outs NN_FloatTensor:$newParam,
                      Variadic<NN_FloatTensor>:$newSlots);
  let assemblyFormat = [{
    $rule `on` $param `,` $gradient (`slots` `(` $slots^ `:` type($slots) `)`)?
    `completed` $completed `factor` $factor `if` $finite attr-dict
    `:` type($param) `,` type($gradient) `,` type($completed) `,`
    type($factor) `,` type($finite)
  }];
  let hasVerifier = 1;
}

def Train_FusedUpdateOp : Train_ValueOp<"fused_update", [
    Pure, AttrSizedOperandSegments]> {
  let summary = "optimizer step of all parameters";
  let description = [{
    All `train.update`s of a step in one op: parameter i has `rules[i]` and its
    slots follow those of parameter i - 1 in `slots`. Every gradient is first
    multiplied by max_norm / max(norm, max_norm) where `norm` is given. The
    results are the new parameters, then the new slots.
  }];
  let arguments = (ins Variadic<NN_FloatTensor>:$params,
                       Variadic<NN_FloatTensor>:$gradients,
                       Variadic<NN_FloatTensor>:$slots,
                       Train_StepScalar:$completed, Train_WideScalar:$factor,
                       Train_Flag:$finite, Optional<Train_WideScalar>:$norm,
                       OptionalAttr<F64Attr>:$max_norm,
                       ArrayAttr:$rules);
  let results = (outs Variadic<NN_FloatTensor>:$results);
  let extraClassDeclaration = [{
    ::mlir::ResultRange getNewParams() {
      return getResults().take_front(getParams().size());
    }
    ::mlir::ResultRange getNewSlots() {
      return getResults().drop_front(getParams().size());
    }
  }];
  let assemblyFormat = [{
    `params` `(` $params `:` type($params) `)`
    `gradients` `(` $gradients `:` type($gradients) `)`
    `slots` `(` ($slots^ `:` type($slots))? `)`
    `completed` $completed `factor` $factor `if` $finite
    (`clip` $norm^ `max` $max_norm)? $rules attr-dict
    `:` type($completed) `,` type($factor) `,` type($finite)
    (`,` type($norm)^)? `->` type($results)
  }];
  let hasVerifier = 1;
}

#endif // ACCRUE_DIALECT_TRAIN_TRAINOPS_TD
