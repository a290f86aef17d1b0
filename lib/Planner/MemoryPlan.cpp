//===- MemoryPlan.cpp - The memory of a compiled step ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Planner/MemoryPlan.h"
#include "accrue/Dialect/Kernel/KernelOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace accrue;

StringRef accrue::getArenaTitle(kernel::Arena arena) {
  switch (arena) {
  case kernel::Arena::params:
    return "parameters";
  case kernel::Arena::gradients:
    return "gradients";
  case kernel::Arena::slots:
    return "optimizer state";
  case kernel::Arena::state:
    return "other state";
  case kernel::Arena::inputs:
    return "inputs";
  case kernel::Arena::activations:
    return "activations";
  case kernel::Arena::outputs:
    return "outputs";
  case kernel::Arena::constants:
    return "constants";
  }
  return "";
}

int64_t MemoryPlan::getBytes(kernel::Arena arena) const {
  for (const ArenaUse &use : arenas)
    if (use.arena == arena)
      return use.bytes;
  return 0;
}

int64_t MemoryPlan::getTotalBytes() const {
  int64_t total = 0;
  for (const ArenaUse &use : arenas)
    total += use.bytes;
  return total;
}

void MemoryPlan::print(raw_ostream &os) const {
  os << llvm::formatv("{0,-16} {1,15} {2,15}\n", "arena", "bytes", "live");
  for (const ArenaUse &use : arenas) {
    os << llvm::formatv("{0,-16} {1,15:N} {2,15:N}", getArenaTitle(use.arena),
                        use.bytes, use.used);
    if (use.arena == kernel::Arena::activations && microBatch > 0)
      os << llvm::formatv("  {0:N} per sample, {1:N} of them kept for the "
                          "backward pass",
                          llvm::divideCeil(use.bytes, microBatch),
                          llvm::divideCeil(kept, microBatch));
    os << '\n';
  }
  os << llvm::formatv("{0,-16} {1,15:N}\n", "total", getTotalBytes());
}

void MemoryPlan::printBuffers(raw_ostream &os) const {
  os << llvm::formatv("{0,-16} {1,12} {2,12} {3,11}  {4}\n", "arena", "offset",
                      "bytes", "live", "buffer");
  for (const Buffer &buffer : buffers) {
    std::string life =
        llvm::formatv("{0}-{1}", buffer.firstUse, buffer.lastUse).str();
    os << llvm::formatv("{0,-16} {1,12:N} {2,12:N} {3,11}  {4}: {5}\n",
                        getArenaTitle(buffer.arena), buffer.offset,
                        buffer.bytes, life, buffer.name, buffer.type);
  }
}

std::vector<MemoryPlan> accrue::getMemoryPlans(ModuleOp module) {
  std::vector<MemoryPlan> plans;
  for (auto function : module.getOps<func::FuncOp>()) {
    auto attr = function->getAttrOfType<kernel::PlanAttr>(kernel::attrs::kPlan);
    if (!attr)
      continue;
    MemoryPlan plan;
    plan.function = function.getName().str();
    plan.kept = attr.getKept();
    plan.staging = attr.getStaging();
    for (kernel::ArenaPlanAttr arena : attr.getArenas())
      plan.arenas.push_back(
          {arena.getArena(), arena.getBytes(), arena.getUsed()});
    for (kernel::BufferPlanAttr buffer : attr.getBuffers()) {
      DictionaryAttr marks = buffer.getAttributes();
      if (marks && marks.contains(kernel::attrs::kWorkspace))
        plan.workspace += buffer.getBytes();
      std::string type;
      llvm::raw_string_ostream(type) << buffer.getType();
      plan.buffers.push_back({buffer.getName().str(), buffer.getArena(), type,
                              buffer.getOffset(), buffer.getBytes(),
                              buffer.getFirstUse(), buffer.getLastUse()});
    }
    function.walk([&](kernel::LoadInputOp load) {
      plan.microBatch =
          std::max<int64_t>(plan.microBatch, load.getSizeAttr().getInt());
    });
    plans.push_back(std::move(plan));
  }
  return plans;
}
