//===- KernelOps.td - Ops of the kernel dialect ------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_KERNEL_KERNELOPS_TD
#define ACCRUE_DIALECT_KERNEL_KERNELOPS_TD

include "accrue/Dialect/Kernel/KernelAttributes.td"
include "accrue/Dialect/Train/TrainAttributes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Kernel_Op<string mnemonic, list<Trait> traits = []>
    : Op<Kernel_Dialect, mnemonic, traits>;

/// An op that writes into operands: on tensors it returns their new values, on
/// memrefs it has no results.
class Kernel_DestinationOp<string mnemonic, list<Trait> traits = []>
    : Kernel_Op<mnemonic, !listconcat([
        DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>], traits)>;

def Kernel_Shaped : AnyTypeOf<[AnyRankedTensor, AnyMemRef],
                              "ranked tensor or memref">;
def Kernel_Float : AnyTypeOf<[F32, F64]>;
def Kernel_Bytes : MemRefRankOf<[I8], [1]>;

//===----------------------------------------------------------------------===//
// Kernels level
//===----------------------------------------------------------------------===//

def Kernel_AllocOp : Kernel_Op<"alloc"> {
  let summary = "a buffer of an arena";
  let description = [{
    Its contents are undefined. `plan-memory` gives it a place; there is no
    deallocation. `info` is what the plan will say of the buffer.

    ```mlir
    %0 = kernel.alloc "h" activations : tensor<128x128xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, EnumProp<Kernel_Arena>:$arena,
                       OptionalAttr<DictionaryAttr>:$info);
  let results = (outs Res<Kernel_Shaped, "", [MemAlloc]>:$result);
  let assemblyFormat = [{
    $name $arena (`info` $info^)? attr-dict `:` type($result)
  }];
}

def Kernel_GroupOp : Kernel_DestinationOp<"group", [
    AttrSizedOperandSegments, IsolatedFromAbove, SingleBlock]> {
  let summary = "one future kernel";
  let description = [{
    The body has one argument per input, then one per destination. On tensors
    it is pure (`nn` or `linalg` ops) and yields the new values of the
    destinations; a destination that the body reads is an accumulator. After
    bufferization the operands are memrefs and `groups-to-loops` turns the body
    into loops on them.

    ```mlir
    %h = kernel.group "relu" elementwise ins(%x, %b : tensor<8x4xf32>, tensor<4xf32>)
        outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32> {
    ^bb0(%0: tensor<8x4xf32>, %1: tensor<4xf32>, %2: tensor<8x4xf32>):
      ...
      kernel.yield %5 : tensor<8x4xf32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, EnumProp<Kernel_Schedule>:$schedule,
                       Variadic<AnyType>:$inputs,
                       Variadic<Kernel_Shaped>:$outs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name $schedule (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outs `:` type($outs) `)` attr-dict-with-keyword
    (`->` type($results)^)? $body
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
    ::mlir::Block::BlockArgListType getInputArguments() {
      return getBody().getArguments().take_front(getInputs().size());
    }
    ::mlir::Block::BlockArgListType getOutArguments() {
      return getBody().getArguments().drop_front(getInputs().size());
    }
  }];
  let hasRegionVerifier = 1;
}

def Kernel_YieldOp : Kernel_Op<"yield", [
    Pure, Terminator, ParentOneOf<["GroupOp", "FlatUpdateOp"]>]> {
  let summary = "terminator of bodies of this dialect";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def Kernel_GemmOp : Kernel_DestinationOp<"gemm", [
    AllTypesMatch<["alpha", "beta"]>]> {
  let summary = "matrix products C = alpha op(A) op(B) + beta C";
  let description = [{
    Row-major operands; op transposes where asked: A is [M, K] ([K, M] with
    `transpose_a`), B [K, N] ([N, K] with `transpose_b`), C [M, N]. Where they
    have further, leading dimensions, equal in all three, there is one product
    for each index of these. `alpha` and `beta` are SSA scalars of C's element
    type. With `beta` 0, C is written without being read. `workspace` is memory
    that the product may overwrite; `plan-memory` provides it where the target
    asks for it.

    ```mlir
    %c1 = kernel.gemm %a, %b transpose_b alpha %one beta %zero outs(%c)
       : tensor<128x64xf32>, tensor<10x64xf32>, f32, tensor<128x10xf32>
       -> tensor<128x10xf32>
    ```
  }];
  let arguments = (ins Kernel_Shaped:$a, Kernel_Shaped:$b,
                       Kernel_Float:$alpha, Kernel_Float:$beta,
                       Kernel_Shaped:$c, UnitAttr:$transpose_a,
                       UnitAttr:$transpose_b,
                       Optional<Kernel_Bytes>:$workspace);
  let results = (outs Variadic<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $a (`transpose_a` $transpose_a^)? `,` $b (`transpose_b` $transpose_b^)?
    `alpha` $alpha `beta` $beta `outs` `(` $c `)`
    (`workspace` `(` $workspace^ `:` type($workspace) `)`)? attr-dict
    `:` type($a) `,` type($b) `,` type($alpha) `,` type($c)
    (`->` type($result)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getCMutable(); }
    /// The number of products.
    int64_t getBatch();
    /// Extents of op(A) [M, K] and op(B) [K, N].
    int64_t getM();
    int64_t getN();
    int64_t getK();
  }];
  let hasVerifier = 1;
}

def Kernel_ScatterAddOp : Kernel_DestinationOp<"scatter_add"> {
  let summary = "adds slices to those of a table that the index names";
  let description = [{
    table[a..., v, b...] += updates[a..., i..., b...] for all i with
    index[i...] = v, in ascending order of i; v is dimension `dim` of the table.
    Indices out of range are left out. With `overwrite` the table, whose
    contents do not matter then, is zero before.

    ```mlir
    %g = kernel.scatter_add %updates, %index dim 0 overwrite %first outs(%table)
       : tensor<8x16x64xf32>, tensor<8x16xi32>, tensor<1000x64xf32>
       -> tensor<1000x64xf32>
    ```
  }];
  let arguments = (ins Kernel_Shaped:$updates, Kernel_Shaped:$index,
                       I1:$overwrite, Kernel_Shaped:$table,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$dim);
  let results = (outs Variadic<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $updates `,` $index `dim` $dim `overwrite` $overwrite
    `outs` `(` $table `)` attr-dict
    `:` type($updates) `,` type($index) `,` type($table) (`->` type($result)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getTableMutable();
    }
  }];
  let hasVerifier = 1;
}

def Kernel_LoadInputOp : Kernel_DestinationOp<"load_input"> {
  let summary = "fetches a micro-batch of an input into its staging buffer";
  let description = [{
    Copies `size` samples of batch input number `input`, from sample `offset` of
    the logical batch of `of` samples on, into the destination. `mode` says
    which dimension of the input enumerates samples and how. With the usual mode
    (`outer`, `inner` and `group` 1, `dim` 0) this is one contiguous piece.

    ```mlir
    kernel.load_input "pixels" 0 at %first size 128 of 512 #train.mapped<dim = 0>
        outs(%b : memref<128x64xf32>)
    ```
  }];
  let arguments = (ins StrAttr:$name,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$input,
                       Index:$offset,
                       ConfinedAttr<I64Attr, [IntPositive]>:$size,
                       ConfinedAttr<I64Attr, [IntPositive]>:$of,
                       Train_MappedAttr:$mode,
                       Kernel_Shaped:$destination);
  let results = (outs Variadic<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    $name $input `at` $offset `size` $size `of` $of $mode
    `outs` `(` $destination `:` type($destination) `)` attr-dict
    (`->` type($result)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getDestinationMutable();
    }
  }];
  let hasVerifier = 1;
}

def Kernel_NormOp : Kernel_DestinationOp<"norm", [
    AllElementTypesMatch<["partials", "norm"]>]> {
  let summary = "Euclidean norm of all elements of all gradients";
  let description = [{
    Sums the squares of the flat gradient arena in as many contiguous chunks
    as `partials` has elements, then the chunks in order: the result does not
    depend on the number of threads. `partials` has the type of `norm`.
    `flatten-update` turns it into kernels.
  }];
  let arguments = (ins Variadic<Kernel_Shaped>:$gradients,
                       Kernel_Shaped:$partials, Kernel_Shaped:$norm);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $gradients `:` type($gradients) `outs` `(` $partials `,` $norm `:`
    type($partials) `,` type($norm) `)` attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return ::mlir::MutableOperandRange(*this, getGradients().size(), 2);
    }
  }];
}

def Kernel_UpdateOp : Kernel_DestinationOp<"update", [
    AttrSizedOperandSegments]> {
  let summary = "optimizer step on lists of tensors, in place";
  let description = [{
    `train.fused_update` with parameters and slots as destinations. All scalars
    are rank-0. `flatten-update` turns it into one `kernel.flat_update`.
  }];
  let arguments = (ins Variadic<Kernel_Shaped>:$gradients,
                       Kernel_Shaped:$completed, Kernel_Shaped:$factor,
                       Kernel_Shaped:$finite, Optional<Kernel_Shaped>:$norm,
                       Variadic<Kernel_Shaped>:$params,
                       Variadic<Kernel_Shaped>:$slots,
                       OptionalAttr<F64Attr>:$max_norm, ArrayAttr:$rules);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `gradients` `(` $gradients `:` type($gradients) `)`
    `completed` $completed `factor` $factor `if` $finite
    (`clip` $norm^ `max` $max_norm)? $rules
    `outs` `(` $params `:` type($params) `)`
    (`slots` `(` $slots^ `:` type($slots) `)`)? attr-dict
    `:` type($completed) `,` type($factor) `,` type($finite)
    (`,` type($norm)^)? (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable();
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Planned level
//===----------------------------------------------------------------------===//

def Kernel_BufferOp : Kernel_Op<"buffer", [Pure]> {
  let summary = "a named buffer at a constant offset of an arena";
  let description = [{
    Row-major, without gaps. The same bytes may be seen under several types.

    ```mlir
    %w = kernel.buffer "fc1.weight" of %params at 0
       : memref<38440xi8> to memref<128x64xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, Kernel_Bytes:$arena,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$offset);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = [{
    $name `of` $arena `at` $offset attr-dict `:` type($arena) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Kernel_FuncOp : Kernel_Op<"func", [
    AutomaticAllocationScope, FunctionOpInterface, IsolatedFromAbove]> {
  let summary = "a kernel";
  let description = [{
    Arguments are memrefs of static shape and scalars; no two memrefs overlap
    (a buffer that is read and written in place is one argument). Form of the
    body: see the dialect.

    ```mlir
    kernel.func @relu elementwise(%x: memref<8xf32>, %y: memref<8xf32>) {
      ...
      kernel.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       EnumProp<Kernel_Schedule>:$schedule,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
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
    /// True when the body loads from (stores to) memref argument `index`.
    bool isRead(unsigned index);
    bool isWritten(unsigned index);
  }];
}

def Kernel_ReturnOp : Kernel_Op<"return", [
    Pure, Terminator, HasParent<"FuncOp">]> {
  let summary = "end of a kernel";
  let assemblyFormat = "attr-dict";
}

def Kernel_LaunchOp : Kernel_Op<"launch", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "runs a kernel";
  let description = [{
    ```mlir
    kernel.launch @relu(%h, %b) : memref<128x128xf32>, memref<128xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$operands);
  let assemblyFormat = [{
    $callee `(` $operands `)` attr-dict (`:` type($operands)^)?
  }];
}

def Kernel_FlatUpdateOp : Kernel_Op<"flat_update", [
    AttrSizedOperandSegments, IsolatedFromAbove,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the optimizer step of all parameters, in one launch";
  let description = [{
    `params`, `gradients` and every one of `slots` are flat arrays of one
    element type with equal offsets. Where `*finite` is false, nothing
    happens. Else, for every range and every element i of it, the range's rule
    computes the new parameter and slots. Elements outside all ranges stay.

    A rule is a region of scalar ops with the arguments parameter, gradient,
    one per slot that the rule has (the first ones of `slots`), then the scalars
    `completed` (i64: steps done before), `factor` and, where `clip` is given,
    `norm` (of the types of the operands; the rule applies the clip factor). It
    yields the new parameter and slots. What depends on the scalars only is the
    same for all elements and can be hoisted.

    ```mlir
    kernel.flat_update params(%p) gradients(%g) slots(%m, %v)
        completed %t factor %f if %ok clip %norm
        ranges [#kernel.range<"fc1.weight" at 0 count 8192 rule 0>]
        : memref<9610xf32>, memref<i64>, memref<f32>, memref<i1> {
    ^bb0(%p0: f32, %g0: f32, %m0: f32, %v0: f32, %t0: i64, %f0: f32, %n0: f32):
      ...
      kernel.yield %p1, %m1, %v1 : f32, f32, f32
    }
    ```
  }];
  let arguments = (ins AnyMemRef:$params, AnyMemRef:$gradients,
                       Variadic<AnyMemRef>:$slots, AnyMemRef:$completed,
                       AnyMemRef:$factor, AnyMemRef:$finite,
                       Optional<AnyMemRef>:$norm,
                       TypedArrayAttrBase<Kernel_RangeAttr, "ranges">:$ranges);
  let regions = (region VariadicRegion<SizedRegion<1>>:$rules);
  let assemblyFormat = [{
    `params` `(` $params `:` type($params) `)`
    `gradients` `(` $gradients `:` type($gradients) `)`
    (`slots` `(` $slots^ `:` type($slots) `)`)?
    `completed` $completed `factor` $factor `if` $finite (`clip` $norm^)?
    `ranges` $ranges attr-dict-with-keyword
    `:` type($completed) `,` type($factor) `,` type($finite)
    (`,` type($norm)^)? $rules
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

#endif // ACCRUE_DIALECT_KERNEL_KERNELOPS_TD
