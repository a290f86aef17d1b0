//===- CUDAGemmOps.td - Matrix products of the cuda dialect *- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_CUDA_CUDAGEMMOPS_TD
#define ACCRUE_DIALECT_CUDA_CUDAGEMMOPS_TD

include "accrue/Dialect/CUDA/CUDADialect.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def CUDA_GemmPlanOp : Op<CUDA_Dialect, "gemm_plan", [Symbol]> {
  let summary = "matrix products that cuBLASLt plans once";
  let description = [{
    C = alpha op(A) op(B) + beta C on column-major matrices, with op(A) m x k,
    op(B) k x n and C m x n. A call computes `batch` of these products, of
    matrices that follow one another. Sums, `alpha` and `beta` are of type
    `compute_type`. The algorithm may use `workspace` bytes. Descriptors and the
    algorithm are made when a model is created: every call of one plan adds in
    the same order. Products that differ in nothing here share a plan. `sources`
    and `flops` are as those of a `cuda.kernel`.

    ```mlir
    cuda.gemm_plan @tn_128x512x64 m 128 n 512 k 64 in f32
        a f32 transpose ld 64 b f32 ld 64 c f32 ld 128 workspace 2097152
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       ConfinedAttr<I64Attr, [IntPositive]>:$m,
                       ConfinedAttr<I64Attr, [IntPositive]>:$n,
                       ConfinedAttr<I64Attr, [IntPositive]>:$k,
                       DefaultValuedAttr<ConfinedAttr<
                           I64Attr, [IntPositive]>, "1">:$batch,
                       TypeAttr:$compute_type,
                       TypeAttr:$a_type, UnitAttr:$transpose_a,
                       ConfinedAttr<I64Attr, [IntPositive]>:$lda,
                       TypeAttr:$b_type, UnitAttr:$transpose_b,
                       ConfinedAttr<I64Attr, [IntPositive]>:$ldb,
                       TypeAttr:$c_type,
                       ConfinedAttr<I64Attr, [IntPositive]>:$ldc,
                       DefaultValuedAttr<ConfinedAttr<
                           I64Attr, [IntNonNegative]>, "0">:$workspace,
                       OptionalAttr<StrArrayAttr>:$sources,
                       OptionalAttr<I64Attr>:$flops);
  let assemblyFormat = [{
    $sym_name `m` $m `n` $n `k` $k (`batch` $batch^)? `in` $compute_type
    `a` $a_type (`transpose` $transpose_a^)? `ld` $lda
    `b` $b_type (`transpose` $transpose_b^)? `ld` $ldb
    `c` $c_type `ld` $ldc (`workspace` $workspace^)? attr-dict
  }];
  let hasVerifier = 1;
}

def CUDA_GemmOp : Op<CUDA_Dialect, "gemm", [
    AllTypesMatch<["alpha", "beta"]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "accrue::matmul, which is cublasLtMatmul";
  let description = [{
    Runs `plan`; the operands in the order of the call. `alpha` and `beta` are
    read on the host. `workspace` is there where the plan has one.

    ```mlir
    cuda.gemm @tn_128x512x64 alpha %one, %w, %x, beta %zero, %h
        workspace %workspace : f32, memref<8192xf32>, memref<32768xf32>,
        memref<65536xf32>, memref<2097152xi8>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$plan, AnyTypeOf<[F32, F64]>:$alpha,
                       AnyMemRef:$a, AnyMemRef:$b,
                       AnyTypeOf<[F32, F64]>:$beta, AnyMemRef:$c,
                       Optional<AnyMemRef>:$workspace);
  let assemblyFormat = [{
    $plan `alpha` $alpha `,` $a `,` $b `,` `beta` $beta `,` $c
    (`workspace` $workspace^)? attr-dict `:`
    type($alpha) `,` type($a) `,` type($b) `,` type($c)
    (`,` type($workspace)^)?
  }];
}

#endif // ACCRUE_DIALECT_CUDA_CUDAGEMMOPS_TD
