//===- Passes.td - Passes of the train dialect -------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_TRAIN_PASSES_TD
#define ACCRUE_DIALECT_TRAIN_PASSES_TD

include "mlir/Pass/PassBase.td"

def BuildStep : Pass<"train-build-step", "::mlir::ModuleOp"> {
  let summary = "turn models into training steps";
  let description = [{
    Turns every function with `train.model` into a *step* (`train.step`): one
    optimizer step of the whole logical batch, still with `train.gradient` for
    the derivative. Arguments are added behind the model's: the optimizer slots
    of every trainable parameter (one that has a `train.rule`), then the
    counter of completed steps. Results are the new parameters, slots and
    counter, each tied to its argument by `train.updates`, then the loss, the
    global norm of the gradients before clipping, whether the step was finite,
    and the model's metrics and outputs. State that the model declares, an
    argument whose new value is a result of the model (`train.updates`), is
    updated too. A step that is not finite (loss or norm) changes nothing, but
    for the index of the logical batch in the key of random numbers (the
    argument with the role `scalar`), which every step advances.

    Where the model has a `train.loss_scale`, the loss is multiplied by it before
    it is differentiated, and the gradients by its inverse before their norm.

    ```mlir
    func.func @f(%w: tensor<4xf32> {train.role = #train.role<param>, train.name = "w", train.rule = #train.sgd<...>}, ...)
        -> (tensor<f32> {train.result = #train.result<loss>}) attributes {train.model} {
      ...
      return %loss : tensor<f32>
    }
    ```
    becomes
    ```mlir
    func.func @f(%w: tensor<4xf32> {...}, ..., %t: tensor<i64> {train.role = #train.role<state>, train.name = "step"})
        -> (tensor<4xf32> {train.updates = 0 : i64}, tensor<i64> {train.updates = 2 : i64}, tensor<f32> {...}, ...)
        attributes {train.step} {
      ...
      %dw0 = train.gradient %loss wrt %w : tensor<f32> wrt tensor<4xf32>
      %dw = train.all_reduce %dw0 : tensor<4xf32>
      %norm = train.global_norm %dw : tensor<4xf32> -> tensor<f32>
      %ok = train.all_finite %loss, %norm : tensor<f32>, tensor<f32> -> tensor<i1>
      %factor = train.schedule #train.constant after %t : (tensor<i64>) -> tensor<f32>
      %w1 = train.update #train.sgd<...> on %w, %dw completed %t factor %factor if %ok : ...
      ...
    }
    ```

    Refuses models without a trainable parameter, without exactly one scalar
    loss, with results of unknown kind, or with a loss scale that the type of
    the loss does not hold.
  }];
  let options = [
    Option<"gradientsOnly", "gradients-only", "bool", "false",
           "stop at the gradients: results are the loss, one gradient per "
           "trainable parameter, their norm, metrics and outputs">,
    Option<"stateUpdates", "state-updates", "bool", "false",
           "with 'gradients-only', keep the new values of declared state">
  ];
  let dependentDialects = ["::accrue::nn::NNDialect",
                           "::accrue::train::TrainDialect"];
}

def DropOutputs : Pass<"train-drop-outputs", "::mlir::func::FuncOp"> {
  let summary = "drop the results of a model that are computed on demand";
  let description = [{
    Removes the results with `train.on_demand` (an `output` of the model
    language) from a function with `train.model`. Training steps and
    evaluations do not compute them: they may be as large as the batch times
    the vocabulary.
  }];
}

def Differentiate : Pass<"train-differentiate", "::mlir::func::FuncOp"> {
  let summary = "expand train.gradient by reverse-mode differentiation";
  let description = [{
    Walks the ops from the loss backwards and asks every active one, through
    `DifferentiableOpInterface`, for its vector-Jacobian product. A value is
    active when it is a float, depends on a value differentiated by and the
    loss depends on it. Cotangents are summed in the order of the walk, so the
    result is deterministic; zero cotangents are never built. Ops that are
    built have the location of the forward op they belong to and the mark
    `train.backward`. Forward values that backward ops read are plain uses.

    ```mlir
    %y = nn.matmul %x, %w transpose_rhs : ...
    %loss = nn.mean %y dims [0, 1] : tensor<?x4xf32> -> tensor<f32>
    %dw = train.gradient %loss wrt %w : tensor<f32> wrt tensor<4x8xf32>
    ```
    becomes
    ```mlir
    %y = nn.matmul %x, %w transpose_rhs : ...
    %loss = nn.mean %y dims [0, 1] : tensor<?x4xf32> -> tensor<f32>
    %one = nn.constant {train.backward} dense<1.000000e+00> : tensor<f32>
    %dy = nn.distribute %one dims [0, 1] {train.backward} : tensor<f32> to tensor<?x4xf32>
    %dw = nn.matmul %dy, %x transpose_lhs {train.backward} : ...
    ```

    A value that the loss does not depend on has a zero gradient, and a warning
    says so. Refuses an active op without a derivative, and a loss or a value
    differentiated by from outside the block.
  }];
  let dependentDialects = ["::accrue::nn::NNDialect"];
}

def FuseOptimizer : Pass<"train-fuse-optimizer", "::mlir::func::FuncOp"> {
  let summary = "one train.fused_update for clipping and all updates";
  let description = [{
    Merges all `train.update`s of a block, and the `train.clip` that scales
    their gradients, into one `train.fused_update` in the place of the last
    one. Schedule, norm and finite check stay ops of their own. A
    `train.all_reduce` is removed: there is one device.

    ```mlir
    %g:2 = train.clip %dw, %db by %norm max 1.0 : ...
    %w1 = train.update #train.sgd<...> on %w, %g#0 completed %t factor %f if %ok : ...
    %b1 = train.update #train.sgd<...> on %b, %g#1 completed %t factor %f if %ok : ...
    ```
    becomes
    ```mlir
    %p:2 = train.fused_update params(%w, %b : ...) gradients(%dw, %db : ...) slots()
        completed %t factor %f if %ok clip %norm max 1.0 [#train.sgd<...>, #train.sgd<...>] : ...
    ```

    Refuses updates that differ in counter, factor, finite flag or clipping,
    clipped gradients with other users, and new values that are read before the
    last update.
  }];
}

def FreezeStatistics : Pass<"train-freeze-statistics", "::mlir::func::FuncOp"> {
  let summary = "train with running statistics";
  let description = [{
    In a model (`train.model`), an `nn.when_training` whose value in training is
    made of statistics over samples, as batch norm is, takes its value in evaluation in
    training too. State in the scopes of the state that this value reads keeps its value.
    Before `nn-select-mode`.

    ```mlir
    %y = nn.normalize %x dims [0] eps 1.0e-5 : tensor<?x3xf32>
    %r = nn.when_training %y else %running : tensor<?x3xf32>
    // %r is %running
    ```
  }];
}

def Accumulate : Pass<"train-accumulate", "::mlir::func::FuncOp"> {
  let summary = "split a step into micro-batches, with proof";
  let description = [{
    Fixes the batch B and rewrites a model (`train.model`) or step
    (`train.step`) so that it visits the samples in micro-batches: what depends
    on single samples moves into the body of `train.accumulate`, what is a sum
    over samples becomes a result of it, everything else is computed once. See
    `BatchAnalysis` for the proof. Other functions are left alone.

    A mean over samples is the local mean times the weight m/B of the
    micro-batch (m its size), which folds to a constant and is put on the
    smaller side of linear ops, so that it multiplies the loss seed:

    ```mlir
    %l = nn.mean %rows dims [0] : tensor<?xf32> -> tensor<f32>
    // becomes
    %l = train.accumulate count(4) size(128) offset(0) of(512) ... {
      %c = nn.mean %rows dims [0] : tensor<128xf32> -> tensor<f32>
      %w = train.weight 128 of 512 : tensor<f32>
      %s = nn.mul %c, %w : tensor<f32>
      train.yield %s : tensor<f32>
    }
    ```

    With `micro-batch = M` a last micro-batch of B mod M samples becomes a
    second `train.accumulate` that continues the sums; with `accumulate = K`
    the sizes differ by at most one. At most one of the two may be given;
    without them there is one micro-batch.

    A model becomes a program that evaluates: the new values of its state are
    dropped.

    Requires one block and roles on all arguments.
    Guarantees static types: no extent depends on a symbolic batch any more.
    A value per sample that reads a value of all samples (batch norm, a loss that
    contrasts samples) belongs to a later loop over the batch. `coupled` says
    whether that loop computes again what it shares with earlier ones, or reads it
    from where they stored it; it is refused where both are too expensive (`auto`)
    or on request (`error`). An op that mixes samples and has no form that is
    split reads whole operands, between the loops; one of more than `gather-limit`
    bytes is refused.

    Refuses a `train.gradient`, and, at the op, what no loop over samples can
    compute equally: an op without a batch rule.
    `batch-norm=micro` lets ops with an `inferMicroBatchRule` take statistics of
    each micro-batch instead: not the step of the full batch any more.
  }];
  let options = [
    Option<"batch", "batch", "int64_t", "0",
           "Logical batch B; 0 takes the function's train.batch">,
    Option<"microBatch", "micro-batch", "int64_t", "0",
           "Samples per micro-batch; the last one may be smaller">,
    Option<"accumulate", "accumulate", "int64_t", "0",
           "Number of micro-batches; their sizes differ by at most one">,
    Option<"batchNorm", "batch-norm", "::accrue::train::BatchNorm",
           "::accrue::train::BatchNorm::Exact",
           "What statistics over samples are taken over",
           [{::llvm::cl::values(
             clEnumValN(::accrue::train::BatchNorm::Exact, "exact",
                        "the batch, in several loops"),
             clEnumValN(::accrue::train::BatchNorm::Micro, "micro",
                        "each micro-batch: a different step"),
             clEnumValN(::accrue::train::BatchNorm::Frozen, "frozen",
                        "none are left: see train-freeze-statistics"))}]>,
    Option<"coupled", "coupled", "::accrue::Coupled",
           "::accrue::Coupled::Recompute",
           "What later loops over the batch read of earlier ones",
           [{::llvm::cl::values(
             clEnumValN(::accrue::Coupled::Auto, "auto",
                        "the cheaper of both, up to 1.10 x the work"),
             clEnumValN(::accrue::Coupled::Store, "store",
                        "results of many operations, stored"),
             clEnumValN(::accrue::Coupled::Recompute, "recompute",
                        "finished sums, and what is gathered anyway"),
             clEnumValN(::accrue::Coupled::Error, "error",
                        "refused: one loop only"))}]>,
    Option<"gatherLimit", "gather-limit", "int64_t", "::accrue::kGatherLimit",
           "Refuse a value of more bytes that an op reads of all samples">,
    Option<"rewrites", "rewrites", "::accrue::Rewrites",
           "::accrue::Rewrites::Auto",
           "Whether a step of several loops has factors hoisted and similarities "
           "sliced along their other sample dimension: for tests",
           [{::llvm::cl::values(
             clEnumValN(::accrue::Rewrites::Auto, "auto",
                        "where it is cheaper"),
             clEnumValN(::accrue::Rewrites::Never, "never", "never"),
             clEnumValN(::accrue::Rewrites::Always, "always",
                        "where it is possible"))}]>,
    Option<"plantFault", "plant-fault", "std::string", "",
           "Analyse with a wrong rule, by name (see AnalysisFault): for tests">,
    Option<"fold", "fold", "bool", "true",
           "Keep linear functions of partial sums partial">,
    Option<"sink", "sink", "bool", "true",
           "Apply linear functions after the loop where that is no larger">,
    Option<"omitWeights", "omit-weights", "bool", "false",
           "Leave out the weights m/B. The step is then wrong: for contrast">
  ];
  let dependentDialects = ["::accrue::train::TrainDialect",
                           "::accrue::nn::NNDialect"];
}

def Rematerialize : Pass<"train-rematerialize", "::mlir::func::FuncOp"> {
  let summary = "recompute forward values in the backward pass";
  let description = [{
    In the body of every `train.accumulate`, decides for each forward value
    that the backward pass reads whether it is stored or computed again. Ops
    with the mark `train.recompute` are pinned: their results are always
    computed again. `policy=none` stores everything else. `policy=full` cuts
    the forward pass into segments (about sqrt(n) on a chain of n equal layers;
    in general where what is stored plus the largest segment is smallest),
    stores what crosses a border and computes everything else again. Views and
    broadcasts count as free.

    The values of one segment are computed by one `train.recompute` in front of
    their first use, which waits for the cotangents that they meet there:

    ```mlir
    %h = nn.relu %z : tensor<16x32xf32>
    ...
    %dh = nn.matmul %dlogits, %w2 {train.backward} : ...
    %mask = nn.compare gt %h, %zero {train.backward} : tensor<16x32xf32>
    ```
    becomes
    ```mlir
    %h = nn.relu %z : tensor<16x32xf32>
    ...
    %dh = nn.matmul %dlogits, %w2 {train.backward} : ...
    %h1 = train.recompute 0 after(%dh : tensor<16x32xf32>)
        inputs(%x, %w1 : ...) -> tensor<16x32xf32> {
    ^bb0(%a: tensor<16x64xf32>, %b: tensor<32x64xf32>):
      %z1 = nn.matmul %a, %b transpose_rhs : ...
      %r = nn.relu %z1 : tensor<16x32xf32>
      train.yield %r : tensor<16x32xf32>
    }
    %mask = nn.compare gt %h1, %zero {train.backward} : tensor<16x32xf32>
    ```

    A remark per value (category `train-rematerialize`) says what it saves and
    costs. Requires static shapes and the marks of `train-differentiate`. Leaves
    bodies alone that contain a `train.recompute` already. Refuses a pin on an
    op that cannot be computed again.
  }];
  let options = [
    Option<"policy", "policy", "::accrue::train::RematPolicy",
           "::accrue::train::RematPolicy::None", "what is computed again",
           [{::llvm::cl::values(
             clEnumValN(::accrue::train::RematPolicy::None, "none",
                        "only what the model pins"),
             clEnumValN(::accrue::train::RematPolicy::Full, "full",
                        "everything but what crosses a segment border"))}]>
  ];
  let dependentDialects = ["::accrue::train::TrainDialect"];
}

def BoundIndices : Pass<"train-bound-indices", "::mlir::func::FuncOp"> {
  let summary = "say what values the integer inputs may have";
  let description = [{
    Marks the integer batch inputs of models and steps with the valid values of
    their elements (`train.index_bounds`), by the analysis `IndexBounds`: labels
    and tokens are checked against them where a program reads its inputs, before
    anything is computed.

    ```mlir
    %label: tensor<?xi32> {train.role = #train.role<batch>, ...,
        train.index_bounds =
            [#train.index_bound<0 to 1 below 10 for "cross_entropy at digits.acr:12:8">]}
    ```
  }];
}

def Verify : Pass<"train-verify", "::mlir::func::FuncOp"> {
  let summary = "check what a level of IR guarantees";
  let description = [{
    Changes nothing. In models and steps (`train.model`, `train.step`):

    * `level=step`: no `train.gradient`; every result is marked; one is the
      loss; an argument has at most one new value, of its own type.
    * `level=accumulated`: also no type that depends on a symbolic batch and no
      loop over samples inside another.
  }];
  let options = [
    Option<"level", "level", "::accrue::train::VerifyLevel",
           "::accrue::train::VerifyLevel::Step", "the level to check",
           [{::llvm::cl::values(
             clEnumValN(::accrue::train::VerifyLevel::Step, "step",
                        "a differentiated step"),
             clEnumValN(::accrue::train::VerifyLevel::Accumulated,
                        "accumulated", "a loop over micro-batches"))}]>
  ];
}

#endif // ACCRUE_DIALECT_TRAIN_PASSES_TD
