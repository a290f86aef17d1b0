//===- TrainDialect.td - The train dialect -----------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_TRAIN_TRAINDIALECT_TD
#define ACCRUE_DIALECT_TRAIN_TRAINDIALECT_TD

include "mlir/IR/OpBase.td"

def Train_Dialect : Dialect {
  let name = "train";
  let cppNamespace = "::accrue::train";
  let summary = "training steps: gradients, accumulation, updates";
  let description = [{
    What turns a model into a training step. A *model* is a `func.func` with
    the attribute `train.model`; a *step* one with `train.step`. Both mark
    their arguments and results with discardable attributes:

    | on | attribute | meaning |
    |---|---|---|
    | argument | `train.role = #train.role<param\|state\|batch\|scalar>` | required on every argument |
    | argument | `train.name = "fc1.weight"` | name of the parameter, input or of the parameter that a slot belongs to |
    | argument | `train.slot = "m"` | of a state: the optimizer's slot of parameter `train.name` |
    | argument | `train.batch_dim = 0 : i64` | of a batch input: the dimension that enumerates samples |
    | argument | `train.index_bounds = [#train.index_bound<...>]` | of an integer batch input: the valid values, see `train-bound-indices` |
    | param | `train.init` | initializer |
    | param | `train.rule` | optimizer rule; without it the parameter is frozen |
    | result | `train.updates = 0 : i64` | the new value of that argument (param or state) |
    | result | `train.result = #train.result<loss\|metric\|norm\|finite\|gradient\|output\|rate>` | what else the result is, with `train.name` |
    | model | `train.batch = 512 : i64`, `train.schedule`, `train.clip_norm = 1.0 : f64`, `train.loss_scale = 128.0 : f64` | the `train` block of the model file |
    | step, program | `train.program = #train.program<step\|gradients\|evaluation>` | what it is run for: an update of the parameters, only their gradients, or, built from the model itself, only loss and metrics |
    | any op | `train.backward` | built by differentiation |
    | any op | `train.recompute` | pinned: recompute in the backward pass |
  }];
  let dependentDialects = ["::accrue::nn::NNDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

#endif // ACCRUE_DIALECT_TRAIN_TRAINDIALECT_TD
