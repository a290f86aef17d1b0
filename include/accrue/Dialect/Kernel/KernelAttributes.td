//===- KernelAttributes.td - Attributes of the kernel dialect *- tablegen -*-=//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_KERNEL_KERNELATTRIBUTES_TD
#define ACCRUE_DIALECT_KERNEL_KERNELATTRIBUTES_TD

include "accrue/Dialect/Kernel/KernelDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"

class Kernel_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Kernel_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

class Kernel_Enum<string name, string description, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, description, cases> {
  let cppNamespace = "::accrue::kernel";
  let genSpecializedAttr = 0;
}

def Kernel_Arena : Kernel_Enum<"Arena", "an arena of the step's memory", [
    I32EnumAttrCase<"params", 0>, I32EnumAttrCase<"gradients", 1>,
    I32EnumAttrCase<"slots", 2>, I32EnumAttrCase<"state", 3>,
    I32EnumAttrCase<"inputs", 4>, I32EnumAttrCase<"activations", 5>,
    I32EnumAttrCase<"outputs", 6>, I32EnumAttrCase<"constants", 7>]>;
def Kernel_ArenaAttr : EnumAttr<Kernel_Dialect, Kernel_Arena, "arena"> {
  let description = [{
    | arena | holds | lives |
    |---|---|---|
    | `params` | parameters, trainable ones first | across steps |
    | `gradients` | accumulated gradients, at the offsets of their parameters | one step, readable after it |
    | `slots` | optimizer state; slot k of all parameters is one array with the parameters' offsets | across steps |
    | `state` | the counter of completed steps, other declared state | across steps |
    | `inputs` | one micro-batch of every batch input, once per staging buffer | one iteration |
    | `activations` | what is live between kernels, and workspaces | within a step |
    | `outputs` | loss, norm, finite flag, metrics, outputs | one step, readable after it |
    | `constants` | constant tensors that are no single value | always |
  }];
  let assemblyFormat = "`<` $value `>`";
}

def Kernel_Schedule : Kernel_Enum<"Schedule", "the loop nest of a kernel", [
    I32EnumAttrCase<"elementwise", 0>, I32EnumAttrCase<"rows", 1>,
    I32EnumAttrCase<"columns", 2>, I32EnumAttrCase<"scatter", 3>]>;
def Kernel_ScheduleAttr
    : EnumAttr<Kernel_Dialect, Kernel_Schedule, "schedule"> {
  let assemblyFormat = "`<` $value `>`";
}

//===----------------------------------------------------------------------===//
// The memory plan
//===----------------------------------------------------------------------===//

def Kernel_BufferPlanAttr : Kernel_Attr<"BufferPlan", "buffer"> {
  let summary = "place and life of one buffer";
  let description = [{
    `bytes` bytes at `offset` of `arena`. `live` are the positions, in order of
    execution, of the first and the last op that touch the buffer (the body of
    a loop counts once; a buffer that lives across iterations covers the loop);
    [0, n] for what lives across steps. `attributes` is what the model said.

    ```mlir
    #kernel.buffer<"fc1.weight" in params at 0 bytes 32768
                   : tensor<128x64xf32> live 0 to 31 with {train.init = ...}>
    ```
  }];
  let parameters = (ins StringRefParameter<>:$name,
                        EnumParameter<Kernel_Arena>:$arena,
                        "int64_t":$offset, "int64_t":$bytes,
                        "::mlir::RankedTensorType":$type,
                        "int64_t":$firstUse, "int64_t":$lastUse,
                        OptionalParameter<"::mlir::DictionaryAttr">:$attributes);
  let assemblyFormat = [{
    `<` $name `in` $arena `at` $offset `bytes` $bytes `:` $type
    `live` $firstUse `to` $lastUse (`with` $attributes^)? `>`
  }];
}

def Kernel_ArenaPlanAttr : Kernel_Attr<"ArenaPlan", "arena_plan"> {
  let summary = "size of one arena";
  let description = [{
    `bytes` up to the end of the last buffer. `used` is the sum over buffers
    for arenas without overlap, else the largest live set.
  }];
  let parameters = (ins EnumParameter<Kernel_Arena>:$arena, "int64_t":$bytes,
                        "int64_t":$used);
  let assemblyFormat = "`<` $arena `bytes` $bytes `used` $used `>`";
}

def Kernel_InputPlanAttr : Kernel_Attr<"InputPlan", "input"> {
  let summary = "a batch input of the step";
  let description = [{
    Input number `index` (the `input` of `kernel.load_input`) is the batch
    tensor `name` of `type`, whose dimension `dim` enumerates the samples.
    `bounds` are those of the mark `train.index_bounds`.
  }];
  let parameters = (ins StringRefParameter<>:$name, "int64_t":$index,
                        "::mlir::RankedTensorType":$type, "int64_t":$dim,
                        OptionalParameter<"::mlir::ArrayAttr">:$bounds);
  let assemblyFormat = [{
    `<` $index $name `:` $type `dim` $dim (`bounds` $bounds^)? `>`
  }];
}

def Kernel_PlanAttr : Kernel_Attr<"Plan", "plan"> {
  let summary = "the memory plan of a step";
  let description = [{
    One entry per arena that is an argument of the function, in the order of
    the arguments; then every buffer, by arena and offset; then the batch
    inputs. `kept` bytes of the activations of one micro-batch are kept from
    the forward to the backward pass, which recomputation lowers. The arena
    `inputs` has `staging` parts of equal size, multiples of 256 bytes where
    there are several: micro-batch i is in part i modulo `staging`, at the
    offset that its buffer has in the first one. `MemoryPlan` is the same as a
    C++ struct.
  }];
  let parameters = (ins ArrayRefParameter<"ArenaPlanAttr">:$arenas,
                        OptionalArrayRefParameter<"BufferPlanAttr">:$buffers,
                        OptionalArrayRefParameter<"InputPlanAttr">:$inputs,
                        DefaultValuedParameter<"int64_t", "0">:$kept,
                        DefaultValuedParameter<"int64_t", "1">:$staging);
  let assemblyFormat = [{
    `<` `arenas` `=` `[` $arenas `]`
    `,` `buffers` `=` `[` (`]`) : ($buffers^ `]`)?
    `,` `inputs` `=` `[` (`]`) : ($inputs^ `]`)? (`staging` $staging^)?
    (`,` `kept` `=` $kept^)? `>`
  }];
}

def Kernel_RangeAttr : Kernel_Attr<"Range", "range"> {
  let summary = "elements of the flat arenas that one rule updates";
  let description = [{
    `count` elements from element `offset`, updated by region `rule` of the
    `kernel.flat_update`. `name` is the parameter.
  }];
  let parameters = (ins StringRefParameter<>:$name, "int64_t":$offset,
                        "int64_t":$count, "int64_t":$rule);
  let assemblyFormat = [{
    `<` $name `at` $offset `count` $count `rule` $rule `>`
  }];
}

#endif // ACCRUE_DIALECT_KERNEL_KERNELATTRIBUTES_TD
