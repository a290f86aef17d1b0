//===- CodeGen.cpp - Native code of planned programs ----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Target/CPU/CodeGen.h"
#include "accrue/Target/CPU/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace accrue;

std::unique_ptr<llvm::TargetMachine> cpu::createHostMachine(Location loc) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder) {
    emitError(loc) << "cannot generate code for this processor: "
                   << llvm::toString(builder.takeError());
    return nullptr;
  }
  builder->setRelocationModel(llvm::Reloc::PIC_);
  auto machine = builder->createTargetMachine();
  if (!machine) {
    emitError(loc) << "cannot generate code for this processor: "
                   << llvm::toString(machine.takeError());
    return nullptr;
  }
  return std::move(*machine);
}

std::unique_ptr<llvm::Module>
cpu::translateToLLVMIR(ModuleOp planned, llvm::LLVMContext &context,
                       llvm::TargetMachine &machine) {
  registerBuiltinDialectTranslation(*planned.getContext());
  registerLLVMDialectTranslation(*planned.getContext());
  OwningOpRef<ModuleOp> module = planned.clone();
  PassManager pm(planned.getContext());
  buildCPUPipeline(pm);
  if (failed(pm.run(*module)))
    return nullptr;
  std::unique_ptr<llvm::Module> result = translateModuleToLLVMIR(
      *module, context, planned.getName().value_or("accrue"));
  if (!result) {
    planned.emitError("cannot translate the program to LLVM IR");
    return nullptr;
  }
  result->setTargetTriple(machine.getTargetTriple());
  result->setDataLayout(machine.createDataLayout());
  return result;
}

void cpu::optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PipelineTuningOptions options;
  options.LoopVectorization = true;
  options.LoopInterleaving = true;
  options.LoopUnrolling = true;
  llvm::PassBuilder builder(&machine, options);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

LogicalResult cpu::emitLLVM(ModuleOp planned, llvm::raw_ostream &os) {
  std::unique_ptr<llvm::TargetMachine> machine =
      createHostMachine(planned.getLoc());
  if (!machine)
    return failure();
  llvm::LLVMContext context;
  auto module = translateToLLVMIR(planned, context, *machine);
  if (!module)
    return failure();
  optimize(*module, *machine);
  module->print(os, /*AAW=*/nullptr);
  return success();
}

LogicalResult cpu::emitObject(ModuleOp planned, llvm::raw_pwrite_stream &os) {
  std::unique_ptr<llvm::TargetMachine> machine =
      createHostMachine(planned.getLoc());
  if (!machine)
    return failure();
  llvm::LLVMContext context;
  auto module = translateToLLVMIR(planned, context, *machine);
  if (!module)
    return failure();
  optimize(*module, *machine);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, os, /*DwoOut=*/nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return planned.emitError("cannot write an object file for this processor");
  passes.run(*module);
  return success();
}
