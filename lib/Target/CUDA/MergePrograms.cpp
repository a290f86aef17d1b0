//===- MergePrograms.cpp - Several programs in one module -----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The symbols of a program that is added are first moved out of the way, so
// that a kernel can then be found under the name that an equal one has already.
//
//===----------------------------------------------------------------------===//

#include "MergePrograms.h"
#include "accrue/Dialect/CUDA/CUDADialect.h"
#include "accrue/Dialect/Kernel/KernelOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

/// The kernel of `module` that does what `kernel` does under the same names, or
/// null.
static kernel::FuncOp findEqual(ModuleOp module, kernel::FuncOp kernel) {
  for (auto other : module.getOps<kernel::FuncOp>())
    if (other.getFunctionType() == kernel.getFunctionType() &&
        other.getSchedule() == kernel.getSchedule() &&
        other.getArgAttrsAttr() == kernel.getArgAttrsAttr() &&
        OperationEquivalence::isRegionEquivalentTo(
            &other.getBody(), &kernel.getBody(),
            OperationEquivalence::IgnoreLocations))
      return other;
  return {};
}

/// Moves the ops of `added` to the end of `module`.
static void addProgram(ModuleOp module, ModuleOp added) {
  SymbolTable known(module);
  SymbolTable symbols(added);
  llvm::StringMap<std::string> names;
  for (Operation &op : added.getOps()) {
    StringAttr name = SymbolTable::getSymbolName(&op);
    // No name of the source language has a space.
    std::string temporary = "added " + name.str();
    names[temporary] = name.str();
    (void)symbols.rename(&op, temporary);
  }
  for (Operation &op : llvm::make_early_inc_range(added.getOps())) {
    StringAttr temporary = SymbolTable::getSymbolName(&op);
    auto kernel = dyn_cast<kernel::FuncOp>(op);
    if (kernel::FuncOp equal = kernel ? findEqual(module, kernel) : nullptr) {
      (void)SymbolTable::replaceAllSymbolUses(temporary, equal.getSymNameAttr(),
                                              added);
      kernel.erase();
      continue;
    }
    std::string base = names[temporary.getValue()], name = base;
    for (unsigned number = 2; known.lookup(name); ++number)
      name = base + "_" + std::to_string(number);
    auto nameAttr = StringAttr::get(op.getContext(), name);
    (void)SymbolTable::replaceAllSymbolUses(temporary, nameAttr, added);
    SymbolTable::setSymbolName(&op, nameAttr);
    op.remove();
    known.insert(&op, module.getBody()->end());
  }
}

OwningOpRef<ModuleOp>
accrue::cuda::mergePrograms(ArrayRef<StepProgram> programs) {
  OwningOpRef<ModuleOp> merged;
  for (const StepProgram &program : programs) {
    OwningOpRef<ModuleOp> module = StepProgram(program).module.clone();
    for (auto function : module->getOps<func::FuncOp>())
      if (program.kind == ProgramKind::Evaluation)
        function->setAttr(attrs::kEvaluation,
                          UnitAttr::get(module->getContext()));
    if (!merged)
      merged = std::move(module);
    else
      addProgram(*merged, *module);
  }
  return merged;
}
