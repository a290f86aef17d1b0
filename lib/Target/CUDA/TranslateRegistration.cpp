//===- TranslateRegistration.cpp - accrue-translate --planned-to-cuda -----===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CUDA target as translations, for tests and for people who look at the
// text.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/CUDA/CUDADialect.h"
#include "accrue/Dialect/Kernel/KernelDialect.h"
#include "accrue/Target/CUDA/Export.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

static void registerDialects(DialectRegistry &registry) {
  registry.insert<CUDADialect, kernel::KernelDialect, train::TrainDialect,
                  arith::ArithDialect, func::FuncDialect, gpu::GPUDialect,
                  math::MathDialect, memref::MemRefDialect, scf::SCFDialect>();
}

void accrue::cuda::registerCUDATranslations() {
  static llvm::cl::opt<std::string> name(
      "cuda-name", llvm::cl::value_desc("name"),
      llvm::cl::desc("What emitted C functions are called after"));
  static llvm::cl::opt<bool> selfContained(
      "cuda-self-contained",
      llvm::cl::desc("Write the runtime's text into the source"));
  static llvm::cl::opt<GraphMode> graphs(
      "cuda-graphs", llvm::cl::desc("What of a step runs as CUDA graphs"),
      llvm::cl::init(GraphMode::automatic),
      llvm::cl::values(
          clEnumValN(GraphMode::automatic, "auto", "by the number of calls"),
          clEnumValN(GraphMode::none, "none", "nothing"),
          clEnumValN(GraphMode::segments, "segments", "every segment"),
          clEnumValN(GraphMode::merged, "merged", "the step as a whole")));
  using Export =
      LogicalResult (*)(ModuleOp, const ExportOptions &, llvm::raw_ostream &);
  auto translate = [](Export print, bool isPlanned) {
    return [=](Operation *op, llvm::raw_ostream &os) -> LogicalResult {
      auto module = dyn_cast<ModuleOp>(op);
      if (!module)
        return op->emitOpError("expected a module");
      PassManager pm(module.getContext());
      buildToCUDAPipeline(pm, graphs);
      if (isPlanned && failed(pm.run(module)))
        return failure();
      ExportOptions options;
      options.name = name;
      options.selfContained = selfContained;
      return print(module, options, os);
    };
  };
  TranslateFromMLIRRegistration source(
      "planned-to-cuda", "planned program to CUDA C++",
      translate(exportSource, /*isPlanned=*/true), registerDialects);
  TranslateFromMLIRRegistration header(
      "planned-to-cuda-header", "planned program to the header of its CUDA C++",
      translate(exportHeader, /*isPlanned=*/true), registerDialects);
  TranslateFromMLIRRegistration exitLevel(
      "export-cuda", "program at the exit level (dialect cuda) to CUDA C++",
      translate(exportSource, /*isPlanned=*/false), registerDialects);
}
