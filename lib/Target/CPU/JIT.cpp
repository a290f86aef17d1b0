//===- JIT.cpp - Planned programs as functions to call --------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs find the runtime's functions by address: nothing has to be exported
// by the executable that contains them.
//
//===----------------------------------------------------------------------===//

#include "JIT.h"
#include "accrue/Target/CPU/CodeGen.h"
#include "accrue/Target/CPU/Passes.h"
#include "runtime/cpu/Blas.h"
#include "runtime/cpu/Parallel.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cpu;

JIT::JIT() = default;
JIT::~JIT() = default;

std::unique_ptr<JIT> JIT::create(Location loc) {
  std::unique_ptr<JIT> jit(new JIT());
  jit->machine = createHostMachine(loc);
  if (!jit->machine)
    return nullptr;
  // Programs have no constructors, so no platform has to run them.
  auto session = llvm::orc::LLJITBuilder()
                     .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                     .create();
  if (!session) {
    emitError(loc) << "cannot compile in this process: "
                   << llvm::toString(session.takeError());
    return nullptr;
  }
  jit->session = std::move(*session);
  return jit;
}

accrue_step_fn JIT::compile(ModuleOp planned, StringRef name) {
  auto report = [&](llvm::Error error) -> accrue_step_fn {
    planned.emitError("cannot compile the program: ")
        << llvm::toString(std::move(error));
    return nullptr;
  };
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module =
      translateToLLVMIR(planned, *context, *machine);
  if (!module)
    return nullptr;
  optimize(*module, *machine);

  auto library =
      session->createJITDylib("program" + std::to_string(programs++));
  if (!library)
    return report(library.takeError());
  auto symbol = [](auto *function) {
    return llvm::orc::ExecutorSymbolDef(
        llvm::orc::ExecutorAddr::fromPtr(function),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable);
  };
  llvm::orc::SymbolMap runtime = {
      {session->mangleAndIntern("accrue_parallel_for"),
       symbol(&accrue_parallel_for)},
      {session->mangleAndIntern("accrue_sgemm"), symbol(&accrue_sgemm)},
      {session->mangleAndIntern("accrue_dgemm"), symbol(&accrue_dgemm)},
      {session->mangleAndIntern("accrue_sgemm_batch"),
       symbol(&accrue_sgemm_batch)},
      {session->mangleAndIntern("accrue_dgemm_batch"),
       symbol(&accrue_dgemm_batch)}};
  if (llvm::Error error =
          library->define(llvm::orc::absoluteSymbols(std::move(runtime))))
    return report(std::move(error));
  if (llvm::Error error = session->addIRModule(
          *library,
          llvm::orc::ThreadSafeModule(std::move(module), std::move(context))))
    return report(std::move(error));
  auto address = session->lookup(*library, getStepSymbol(name));
  if (!address)
    return report(address.takeError());
  return address->toPtr<accrue_step_fn>();
}
