//===- CUDAAttributes.td - Attributes of the cuda dialect --*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_CUDA_CUDAATTRIBUTES_TD
#define ACCRUE_DIALECT_CUDA_CUDAATTRIBUTES_TD

include "accrue/Dialect/CUDA/CUDADialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def CUDA_GraphMode : I32EnumAttr<"GraphMode", "what a step captures", [
    I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"segments", 1>,
    I32EnumAttrCase<"merged", 2>, I32EnumAttrCase<"automatic", 3, "auto">]> {
  let cppNamespace = "::accrue::cuda";
  let genSpecializedAttr = 0;
}
def CUDA_GraphModeAttr : EnumAttr<CUDA_Dialect, CUDA_GraphMode, "graphs"> {
  let description = [{
    On a step function, as `cuda.graphs`:

    | mode | at run time |
    |---|---|
    | `none` | every call is a call |
    | `segments` | every segment is a CUDA graph, one for each combination of its arguments |
    | `merged` | the step with its copies is one CUDA graph |

    `auto` is for `cuda-choose-graphs` to decide.
  }];
  let assemblyFormat = "`<` $value `>`";
}

def CUDA_BenchmarkAttr : AttrDef<CUDA_Dialect, "Benchmark"> {
  let mnemonic = "benchmark";
  let summary = "what a segment measures";
  let description = [{
    On a segment of `cuda-isolate-calls`, as `cuda.benchmark`: the `kind` of
    the call ("kernel" or "matmul") and its `name`, the lines of the model that
    it comes from, how often one step makes it, the bytes and floating-point
    operations of one call, and the segment that fills what it reads.

    ```mlir
    #cuda.benchmark<"kernel" "relu" from ["digits.acr:9"] calls 4 bytes 131584
                    flops 32768 fill @digits_fill_1>
    ```
  }];
  let parameters = (ins StringRefParameter<>:$kind, StringRefParameter<>:$name,
                        "::mlir::ArrayAttr":$sources, "int64_t":$calls,
                        "int64_t":$bytes, "int64_t":$flops,
                        "::mlir::FlatSymbolRefAttr":$fill);
  let assemblyFormat = [{
    `<` $kind $name `from` $sources `calls` $calls `bytes` $bytes `flops` $flops
    `fill` $fill `>`
  }];
}

#endif // ACCRUE_DIALECT_CUDA_CUDAATTRIBUTES_TD
