//===- Mapping.h - Building CUDA kernels ------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the mappings of the schedules share: a builder that copies the scalar
// ops of a kernel and turns its parallel loops into loops of one thread.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_CONVERSION_KERNELTOCUDA_MAPPING_H
#define ACCRUE_CONVERSION_KERNELTOCUDA_MAPPING_H

#include "accrue/Dialect/CUDA/CUDAOps.h"
#include "accrue/Dialect/Kernel/KernelOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace accrue::cuda {

/// Threads of a block where nothing else decides.
inline constexpr int64_t kBlockSize = 256;
/// Threads of a block that is the only one.
inline constexpr int64_t kSingleBlockSize = 1024;

/// Blocks of a grid beyond which threads take several elements.
inline constexpr int64_t kMaxBlocks = 65536;

/// The number of iterations of `loop` along each dimension, where constant.
std::optional<llvm::SmallVector<int64_t>>
getExtents(mlir::scf::ParallelOp loop);

/// Copies the body of a kernel, loop by loop.
class BodyBuilder {
public:
  BodyBuilder(mlir::OpBuilder &builder, mlir::Location loc) : b(loc, builder) {}

  mlir::Value index(int64_t value);
  /// Indices of the thread and of the grid, along x.
  mlir::Value thread();
  mlir::Value block();
  mlir::Value blockDim();
  mlir::Value gridDim();

  /// Values of the induction variables of `loop` in iteration `flat` of its
  /// iterations in row-major order. `loop` has constant bounds.
  void mapIterations(mlir::scf::ParallelOp loop, mlir::Value flat);

  /// Copies the ops of `block` up to its terminator; parallel loops among them
  /// become sequential ones.
  llvm::LogicalResult copyBody(mlir::Block &block);

  /// Copies one op; a parallel loop becomes a sequential one.
  llvm::LogicalResult copy(mlir::Operation &op);

  /// Every iteration of `loop` whose number is `start` modulo `stride`, one
  /// after the other (all of them where `start` is null). Reductions begin with
  /// `inits`; the results are the values reduced.
  llvm::FailureOr<llvm::SmallVector<mlir::Value>>
  runLoop(mlir::scf::ParallelOp loop, mlir::Value start, mlir::Value stride,
          mlir::ValueRange inits);

  /// Value `value` of the reduction number `i` of `reduce`, added to `total`.
  mlir::Value combine(mlir::scf::ReduceOp reduce, unsigned i, mlir::Value total,
                      mlir::Value value);

  mlir::ImplicitLocOpBuilder b;
  mlir::IRMapping map;

private:
  /// The body of `loop` for one iteration, then its reductions.
  llvm::FailureOr<llvm::SmallVector<mlir::Value>>
  copyIteration(mlir::scf::ParallelOp loop, mlir::ValueRange totals);
};

/// "file:line" of the places in the model that are part of `locs`, in the order
/// of the files.
mlir::ArrayAttr getSources(llvm::ArrayRef<mlir::Location> locs);

/// Map the body of `func` into `kernel`, whose entry block has the arguments;
/// set the launch configuration.
llvm::LogicalResult mapThreads(kernel::FuncOp func, KernelOp kernel);
llvm::LogicalResult mapRows(kernel::FuncOp func, KernelOp kernel);
llvm::LogicalResult mapScatter(kernel::FuncOp func, KernelOp kernel);

/// Turns a flat update into a launch of a kernel of its own.
llvm::LogicalResult mapUpdate(kernel::FlatUpdateOp update,
                              mlir::SymbolTable &symbols);

/// Turns a matrix product into a call of its plan, which goes before the step.
void mapGemm(kernel::GemmOp gemm, mlir::SymbolTable &symbols);

/// Turns the other ops of a step function into calls.
llvm::LogicalResult mapStep(mlir::func::FuncOp step,
                            mlir::SymbolTable &symbols);

} // namespace accrue::cuda

#endif // ACCRUE_CONVERSION_KERNELTOCUDA_MAPPING_H
