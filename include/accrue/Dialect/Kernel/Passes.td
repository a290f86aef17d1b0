//===- Passes.td - Passes of the kernel dialect ------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_KERNEL_PASSES_TD
#define ACCRUE_DIALECT_KERNEL_PASSES_TD

include "mlir/Pass/PassBase.td"

def BufferizeKernels : Pass<"bufferize-kernels", "::mlir::ModuleOp"> {
  let summary = "from tensors to buffers, whole functions at once";
  let description = [{
    One-shot bufferization of all functions, with identity layouts at their
    boundaries: `kernel.alloc` is the only allocation, destinations are written
    in place, loops carry no accumulators any more (they are buffers). Where a
    value that is overwritten is still needed, a copy (a group named `copy`)
    is inserted. Bodies of groups stay on tensors: the body says what is
    computed, the operands say where it is.
  }];
  let dependentDialects = ["::accrue::kernel::KernelDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect"];
}

def GroupsToLoops : Pass<"groups-to-loops", "::mlir::func::FuncOp"> {
  let summary = "bodies of groups as loops on buffers";
  let description = [{
    Generates the loop nest of every bufferized `kernel.group` from its linalg
    body, in the form of its schedule (see the dialect). Elements are evaluated
    on demand: an elementwise producer is computed where it is read, values of
    a row once per row, so nothing inside a kernel is stored. A group that
    touches all its tensors at the same place runs over the flat index.

    Refuses bodies with ops that are not linalg generics or fills, reshapes,
    slices, selects or constants of one value.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def ScatterToLoops : Pass<"scatter-to-loops", "::mlir::func::FuncOp"> {
  let summary = "sums by index as loops on buffers";
  let description = [{
    Every bufferized `kernel.scatter_add` becomes a `kernel.group` with the
    schedule `scatter`. Its iterations are ranges of rows of the table: each
    reads all indices in order and adds the slices that belong to its rows. So
    the order of a sum is that of the indices, without atomic operations, and
    the work is that of the sums and of the table, plus one comparison per
    index and range. The number of ranges depends on the shape only.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def PlanMemory : Pass<"plan-memory", "::mlir::func::FuncOp"> {
  let summary = "give every buffer its place in an arena";
  let description = [{
    Program order is the order of execution. Buffers of the arenas inputs and
    activations share bytes where their lives do not meet; one whose life
    begins in the elementwise kernel where another one's ends may take its
    place. Parameters, gradients and every optimizer slot are laid out with
    equal offsets, trainable parameters first. The function's arguments become
    the arenas, every `kernel.alloc`, old argument and view a `kernel.buffer`;
    results disappear. The plan is the attribute `kernel.plan`.

    With `staging` 2 or more the arena of the inputs has so many parts of equal
    size, so that one micro-batch can be copied while another one is used.

    With `workspace` the matrix products get one that they share, as a buffer
    `workspace` of the activations. It lives from the first to the last product
    (loops as a whole), since every product may overwrite it, and its contents
    are nobody's in between. Its size is 8 m n accumulators (f32, f64 for f64)
    of the largest product, which is what the partial sums of splitting k in 8
    parts need: products of small m n and large k, as weight gradients are, are
    too few tiles for a GPU without that, and more parts gain little. Of 32 MiB
    at most, for products that large fill a GPU unsplit.

    Works on functions that `form-kernels` has made, bufferized. Refuses two
    parameters of one name, and gradients or slots without a parameter.
  }];
  let options = [
    Option<"staging", "staging", "int64_t", /*default=*/"1",
           "Parts of the arena of the inputs">,
    Option<"workspace", "workspace", "bool", /*default=*/"false",
           "Give matrix products a workspace">
  ];
  let dependentDialects = ["::accrue::kernel::KernelDialect"];
}

def FlattenUpdate : Pass<"flatten-update", "::mlir::func::FuncOp"> {
  let summary = "the optimizer on flat arenas";
  let description = [{
    `kernel.update` becomes one `kernel.flat_update` with a table of ranges and
    one region per distinct rule; `kernel.norm` two kernels on the flat
    gradient arena (its padding is zero).

    Refuses parameters of different element types, and norms of anything but
    the whole gradient arena.
  }];
  let dependentDialects = ["::accrue::kernel::KernelDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def OutlineKernels : Pass<"outline-kernels", "::mlir::ModuleOp"> {
  let summary = "groups as functions, equal ones once";
  let description = [{
    Every `kernel.group` becomes a `kernel.launch` of a `kernel.func`. Operands
    that are the same bytes become one argument; groups with equal bodies after
    that share a function. Names come from the ops of the group and are unique
    and deterministic.
  }];
  let dependentDialects = ["::accrue::kernel::KernelDialect"];
}

#endif // ACCRUE_DIALECT_KERNEL_PASSES_TD
