//===- Export.h - Programs as CUDA C++ --------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CUDA target: from the planned level to a `.cu` file with kernels and
// cuBLASLt calls and a `.h` file that a C program includes.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TARGET_CUDA_EXPORT_H
#define ACCRUE_TARGET_CUDA_EXPORT_H

#include "accrue/Dialect/CUDA/CUDADialect.h"
#include "accrue/Dialect/Kernel/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include "runtime/training/Types.h"

#include <string>
#include <vector>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace accrue::cuda {

struct ExportOptions {
  /// What the C functions are called after; empty takes the name of the first
  /// step function.
  std::string name;
  /// The file that the source includes; empty: the name, with `.h`.
  std::string headerName;
  /// How the program came about, one line each: goes to the head of the file.
  std::vector<std::string> notes;
  /// Write the text of `runtime/cuda` into the source instead of including it.
  bool selfContained = false;
  /// What of a step runs as CUDA graphs rather than as plain launches.
  GraphMode graphs = GraphMode::automatic;
  /// Add a `main` that measures the step; see docs/bench.md.
  bool benchmark = false;
  /// Samples of the largest micro-batch, for the output of a benchmark.
  int64_t microBatch = 0;
};

/// What the target asks of the memory plan: two staging buffers, of which one
/// is filled while the other one is used, and a workspace for cuBLASLt.
kernel::PlanMemoryOptions getPlanOptions();

/// What the main that trains says of its model.
struct DriverOptions {
  /// Without the learning rate.
  RunModel model;
  /// The learning rate as a C++ expression of `completed`.
  std::string learningRate;
  /// See EmittedModel.
  std::string size, split;
};

/// The passes from the planned level to the exit level; with `benchmark`, with
/// segments to measure.
void buildToCUDAPipeline(mlir::OpPassManager &pm,
                         GraphMode graphs = GraphMode::automatic,
                         bool benchmark = false);

/// The source (`.cu`) and the header (`.h`) of the step functions of `module`,
/// at the exit level. Fails, with an error at its place, where something cannot
/// be emitted.
llvm::LogicalResult exportSource(mlir::ModuleOp module,
                                 const ExportOptions &options,
                                 llvm::raw_ostream &os);
llvm::LogicalResult exportHeader(mlir::ModuleOp module,
                                 const ExportOptions &options,
                                 llvm::raw_ostream &os);

/// The main that trains a program from files (`_main.cpp`).
llvm::LogicalResult exportDriver(mlir::ModuleOp module,
                                 const ExportOptions &options,
                                 const DriverOptions &driver,
                                 llvm::raw_ostream &os);

/// Compiles a copy of `planned`, which has one function per step. They share
/// parameters, slots, state and memory: the first becomes `NAME_step`, others
/// have the number of their samples in the name. Writes `path` (`model.cu`)
/// and, beside it, the header (`model.h`) and, with `driver`, the main that
/// trains (`model_main.cpp`), all or none; where `path` is "-", the last one
/// that is not the header to standard output. Errors without a place in a
/// program are reported at `planned`.
llvm::LogicalResult emitCUDA(mlir::ModuleOp planned,
                             const ExportOptions &options, llvm::StringRef path,
                             const DriverOptions *driver = nullptr);

/// Registers `--planned-to-cuda`, `--planned-to-cuda-header` and
/// `--export-cuda` with accrue-translate.
void registerCUDATranslations();

} // namespace accrue::cuda

#endif // ACCRUE_TARGET_CUDA_EXPORT_H
