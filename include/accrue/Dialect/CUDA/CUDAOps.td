//===- CUDAOps.td - Ops of the cuda dialect ----------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_CUDA_CUDAOPS_TD
#define ACCRUE_DIALECT_CUDA_CUDAOPS_TD

include "accrue/Dialect/CUDA/CUDAAttributes.td"
include "accrue/Dialect/CUDA/CUDAGemmOps.td"
include "accrue/Dialect/Kernel/KernelAttributes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class CUDA_Op<string mnemonic, list<Trait> traits = []>
    : Op<CUDA_Dialect, mnemonic, traits>;

def CUDA_Size : ConfinedAttr<I64Attr, [IntPositive]>;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

def CUDA_KernelOp : CUDA_Op<"kernel", [
    FunctionOpInterface, IsolatedFromAbove]> {
  let summary = "a __global__ function with its launch configuration";
  let description = [{
    Runs on `grid` blocks of `block` threads. Arguments are memrefs, none of
    which overlap, and scalars. `index` has `index_bits` bits. `schedule` says
    in words how work is spread, `sources` where it comes from in the model,
    `bytes` how much memory the kernel reads and writes at least, `flops` how
    many floating-point operations it needs: a sum, a product, a quotient, a
    maximum and a function such as `exp` count 1, a multiply-add that is one op
    counts 2; comparisons, selections, conversions and integers do not count,
    nor does what several threads compute alike more than once.

    ```mlir
    cuda.kernel @relu(%x: memref<512xf32> {cuda.name = "x"})
        attributes {block = 256 : i64, grid = 2 : i64} {
      ...
      cuda.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       CUDA_Size:$grid, CUDA_Size:$block,
                       DefaultValuedAttr<I64Attr, "32">:$index_bits,
                       OptionalAttr<StrAttr>:$schedule,
                       OptionalAttr<StrArrayAttr>:$sources,
                       OptionalAttr<I64Attr>:$bytes,
                       OptionalAttr<I64Attr>:$flops,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let builders = [
    // On one thread, with an empty entry block.
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::TypeRange":$arguments,
                   "::mlir::ArrayAttr":$argAttrs)>
  ];
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    /// True when the body stores to memref argument `index`.
    bool isWritten(unsigned index);
    /// True when the body loads from memref argument `index`.
    bool isRead(unsigned index);
  }];
}

def CUDA_ReturnOp : CUDA_Op<"return", [
    Pure, Terminator, ParentOneOf<["KernelOp", "SegmentOp"]>]> {
  let summary = "end of a kernel or a segment";
  let assemblyFormat = "attr-dict";
}

def CUDA_RangesOp : CUDA_Op<"ranges", [Symbol]> {
  let summary = "a table of ranges in constant memory";
  let description = [{
    Sorted by offset, without overlap.

    ```mlir
    cuda.ranges @ranges [#kernel.range<"fc1.weight" at 0 count 8192 rule 0>]
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypedArrayAttrBase<Kernel_RangeAttr, "ranges">:$ranges,
                       DefaultValuedAttr<I64Attr, "32">:$index_bits);
  let assemblyFormat = "$sym_name $ranges attr-dict";
  let hasVerifier = 1;
}

def CUDA_RangeRuleOp : CUDA_Op<"range_rule", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the rule of the range that an element belongs to";
  let description = [{
    -1 for an element outside all ranges.

    ```mlir
    %rule = cuda.range_rule @ranges[%i]
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$table, Index:$index);
  let results = (outs I32:$rule);
  let assemblyFormat = "$table `[` $index `]` attr-dict";
}

//===----------------------------------------------------------------------===//
// Segments and staging
//===----------------------------------------------------------------------===//

def CUDA_SegmentOp : CUDA_Op<"segment", [
    FunctionOpInterface, IsolatedFromAbove,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a part of a step that only computes";
  let description = [{
    Launches and matrix products of step function `step`, without a copy of an
    input between them: what can be captured as a CUDA graph. Its arguments are
    arenas, then where it needs them the `i1` that is true in the first
    micro-batch, and the `index` of the staging part that its inputs are in. In
    the emitted text it is called after the entry point and `label`.

    ```mlir
    cuda.segment @digits_micro_batch(
        %params: memref<38440xi8> {kernel.arena = #kernel.arena<params>},
        %first: i1, %part: index)
        attributes {label = "micro_batch", step = @digits} {
      ...
      cuda.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$step,
                       StrAttr:$label,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let builders = [
    // With an empty entry block.
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::func::FuncOp":$step,
                   "::llvm::StringRef":$label, "::mlir::TypeRange":$arguments)>
  ];
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    /// The number of the argument that is true in the first micro-batch.
    std::optional<unsigned> getFirst();
    /// The number of the argument that is the staging part.
    std::optional<unsigned> getPart();
  }];
}

def CUDA_CallOp : CUDA_Op<"call", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "runs a segment";
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$operands);
  let assemblyFormat = [{
    $callee `(` $operands `)` attr-dict (`:` type($operands)^)?
  }];
}

def CUDA_PartOp : CUDA_Op<"part", [Pure]> {
  let summary = "one of the equal parts of the arena of the inputs";
  let description = [{
    The bytes from `part` times `stride` on.

    ```mlir
    %in = cuda.part %inputs[%part] stride 8192
        : memref<16384xi8> to memref<8192xi8>
    ```
  }];
  let arguments = (ins AnyMemRef:$arena, Index:$part, CUDA_Size:$stride);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = [{
    $arena `[` $part `]` `stride` $stride attr-dict `:` type($arena) `to`
    type($result)
  }];
}

class CUDA_StagingOp<string mnemonic> : CUDA_Op<mnemonic> {
  let arguments = (ins Index:$part);
  let assemblyFormat = "$part attr-dict";
}

def CUDA_BeginFillOp : CUDA_StagingOp<"begin_fill"> {
  let summary = "Streams::beginFill: copies wait until a part has been read";
}

def CUDA_EndFillOp : CUDA_StagingOp<"end_fill"> {
  let summary = "Streams::endFill: what follows waits for the copies to a part";
}

def CUDA_ReleaseOp : CUDA_StagingOp<"release"> {
  let summary = "Streams::release: what was started so far has read a part";
}

//===----------------------------------------------------------------------===//
// Calls of a step
//===----------------------------------------------------------------------===//

def CUDA_InputOp : CUDA_Op<"input", [Pure]> {
  let summary = "the logical batch of an input, on the host or the device";
  let description = [{
    Input number `index` of the step's plan, as the caller passed it.

    ```mlir
    %x = cuda.input 0 : memref<32768xf32>
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$index);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$index attr-dict `:` type($result)";
}

def CUDA_MemcpyOp : CUDA_Op<"memcpy", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "cudaMemcpyAsync to the device, on the stream of the copies";
  let description = [{
    Copies `count` elements, from element `offset` of the source on.

    ```mlir
    cuda.memcpy %staging, %input[%offset] count 8192
        : memref<8192xf32>, memref<32768xf32>
    ```
  }];
  let arguments = (ins AnyMemRef:$destination, AnyMemRef:$source,
                       Index:$offset, CUDA_Size:$count);
  let assemblyFormat = [{
    $destination `,` $source `[` $offset `]` `count` $count attr-dict `:`
    type($destination) `,` type($source)
  }];
}

def CUDA_Memcpy2DOp : CUDA_Op<"memcpy_2d", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "cudaMemcpy2DAsync to the device, on the stream of the copies";
  let description = [{
    Copies `height` rows of `width` elements that lie `pitch` elements apart in
    the source, the first one from element `offset` on, and one behind the
    other in the destination.

    ```mlir
    cuda.memcpy_2d %staging, %input[%offset] width 8 height 3 pitch 32
        : memref<24xf32>, memref<96xf32>
    ```
  }];
  let arguments = (ins AnyMemRef:$destination, AnyMemRef:$source,
                       Index:$offset, CUDA_Size:$width, CUDA_Size:$height,
                       CUDA_Size:$pitch);
  let assemblyFormat = [{
    $destination `,` $source `[` $offset `]` `width` $width `height` $height
    `pitch` $pitch attr-dict `:` type($destination) `,` type($source)
  }];
}

def CUDA_LaunchOp : CUDA_Op<"launch", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "kernel<<<grid, block, 0, stream>>>(operands)";
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$operands);
  let assemblyFormat = [{
    $callee `(` $operands `)` attr-dict (`:` type($operands)^)?
  }];
}

def CUDA_FillOp : CUDA_Op<"fill"> {
  let summary = "accrue::fill: data that any kernel can work with";
  let description = [{
    Reals from [0.5, 1), integers 0, true. For benchmarks.

    ```mlir
    cuda.fill %x : memref<512xf32>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemWrite]>:$buffer);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer)";
}

#endif // ACCRUE_DIALECT_CUDA_CUDAOPS_TD
