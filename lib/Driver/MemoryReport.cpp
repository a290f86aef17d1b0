//===- MemoryReport.cpp - Where the bytes go ------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Driver/MemoryReport.h"

#include "runtime/io/Progress.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace accrue;
using llvm::formatv;

void accrue::extendArenas(MemoryPlan &plan, const MemoryPlan &other) {
  for (const MemoryPlan::ArenaUse &more : other.arenas) {
    auto mine = llvm::find_if(plan.arenas, [&](const auto &arena) {
      return arena.arena == more.arena;
    });
    if (mine == plan.arenas.end()) {
      plan.arenas.push_back(more);
      continue;
    }
    mine->bytes = std::max(mine->bytes, more.bytes);
    mine->used = std::max(mine->used, more.used);
  }
  plan.staging = std::max(plan.staging, other.staging);
  plan.workspace = std::max(plan.workspace, other.workspace);
}

/// `4P` for an arena of 4 bytes per trained parameter, else empty.
static std::string describePerParameter(const MemoryPlan::ArenaUse &arena,
                                        int64_t trained) {
  bool scales = arena.arena == kernel::Arena::params ||
                arena.arena == kernel::Arena::gradients ||
                arena.arena == kernel::Arena::slots;
  if (!scales || trained == 0 || arena.used == 0 || arena.used % trained != 0)
    return "";
  return formatv("{0}P", arena.used / trained);
}

void accrue::printMemoryTable(const train::Signature &signature,
                              ArrayRef<MemoryColumn> columns, raw_ostream &os) {
  int64_t trained = 0;
  for (const train::Signature::Parameter &parameter : signature.parameters)
    if (parameter.rule)
      trained += parameter.type.getNumElements();

  MemoryPlan all;
  for (const MemoryColumn &column : columns)
    extendArenas(all, column.plan);
  os << "memory  bytes                 ";
  for (const MemoryColumn &column : columns)
    os << formatv("{0,18}", column.title);
  os << '\n';
  auto printRow = [&](StringRef name, StringRef note, auto getBytes) {
    os << formatv("        {0,-20}{1,-2}", name, note);
    for (const MemoryColumn &column : columns)
      os << formatv("{0,18}", io::groupDigits(getBytes(column)));
  };
  for (const MemoryPlan::ArenaUse &arena : all.arenas) {
    if (arena.bytes == 0)
      continue;
    printRow(getArenaTitle(arena.arena), describePerParameter(arena, trained),
             [&](const MemoryColumn &column) {
               return column.plan.getBytes(arena.arena);
             });
    if (columns.size() == 2 && arena.arena == kernel::Arena::activations) {
      int64_t bytes = columns[0].plan.getBytes(arena.arena) -
                      columns[1].plan.getBytes(arena.arena);
      int64_t samples = columns[0].plan.microBatch - columns[1].plan.microBatch;
      if (samples > 0 && bytes > 0)
        os << formatv("     {0} per sample of a micro-batch",
                      io::groupDigits((bytes + samples / 2) / samples));
    }
    os << '\n';
    if (arena.arena == kernel::Arena::inputs && all.staging > 1) {
      printRow("  staging buffer", formatv("x{0}", all.staging).str(),
               [&](const MemoryColumn &column) {
                 return column.plan.getBytes(arena.arena) / all.staging;
               });
      os << '\n';
    }
    if (arena.arena == kernel::Arena::activations) {
      printRow("  kept for backward", "",
               [](const MemoryColumn &column) { return column.plan.kept; });
      os << '\n';
      if (all.workspace > 0) {
        printRow("  workspace", "", [](const MemoryColumn &column) {
          return column.plan.workspace;
        });
        os << '\n';
      }
    }
  }
  printRow("total", "", [](const MemoryColumn &column) {
    return column.plan.getTotalBytes();
  });
  os << '\n';
}

std::string accrue::describeArenas(const MemoryPlan &plan) {
  SmallVector<std::string> parts;
  for (const MemoryPlan::ArenaUse &arena : plan.arenas) {
    if (arena.bytes == 0)
      continue;
    parts.push_back(getArenaTitle(arena.arena).str() + " " +
                    io::groupDigits(arena.bytes));
    if (arena.arena == kernel::Arena::activations && plan.workspace > 0)
      parts.back() += " (workspace " + io::groupDigits(plan.workspace) + ")";
  }
  return llvm::join(parts, " + ");
}
