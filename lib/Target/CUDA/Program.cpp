//===- Program.cpp - What a CUDA program is made of -----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several entries (steps for the logical batch and for an epoch's smaller last
// one, gradients, evaluations) share one set of arenas: each is as large as the
// largest need, and what lives across steps lies at the same place in all of
// them.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "accrue/Dialect/CUDA/Identifiers.h"
#include "accrue/Dialect/Train/RunState.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

/// Largest rank of a tensor in the table of the emitted program.
static constexpr int64_t kMaxRank = 8;

std::string accrue::cuda::describeType(RankedTensorType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << type.getElementType();
  if (type.getRank() > 0) {
    os << '[';
    llvm::interleaveComma(type.getShape(), os);
    os << ']';
  }
  return text;
}

FailureOr<std::string> accrue::cuda::getArrayType(RankedTensorType type,
                                                  Location loc) {
  FailureOr<StringRef> element = getHostTypeName(type.getElementType(), loc);
  if (failed(element))
    return failure();
  std::string text = element->str();
  for (int64_t size : type.getShape())
    text += "[" + std::to_string(size) + "]";
  return text;
}

static StringRef getSlot(kernel::BufferPlanAttr buffer) {
  if (DictionaryAttr attributes = buffer.getAttributes())
    if (auto slot = attributes.getAs<StringAttr>(train::attrs::kSlot))
      return slot.getValue();
  return "";
}

train::ResultKindAttr
accrue::cuda::getResultKind(const Program::Tensor &tensor) {
  DictionaryAttr attributes = tensor.plan.getAttributes();
  return attributes
             ? attributes.getAs<train::ResultKindAttr>(train::attrs::kResult)
             : nullptr;
}

std::string accrue::cuda::describeEntry(const Program::Entry &entry) {
  StringRef what;
  switch (entry.kind) {
  case train::ProgramKind::step:
    what = "one optimizer step of ";
    break;
  case train::ProgramKind::gradients:
    what = "the gradients of ";
    break;
  case train::ProgramKind::evaluation:
    what = "loss and metrics of ";
    break;
  }
  return (what + Twine(entry.batch) + " samples").str();
}

/// Whether users can see the buffers of `arena` between steps.
static bool isVisible(kernel::Arena arena) {
  switch (arena) {
  case kernel::Arena::params:
  case kernel::Arena::gradients:
  case kernel::Arena::slots:
  case kernel::Arena::state:
  case kernel::Arena::outputs:
    return true;
  default:
    return false;
  }
}

bool accrue::cuda::isPersistent(kernel::Arena arena) {
  return arena == kernel::Arena::params || arena == kernel::Arena::slots ||
         arena == kernel::Arena::state;
}

/// Adds the visible buffers of entry number `number`; but for outputs, those of
/// another entry have to lie at the same place.
static LogicalResult addTensors(Program &program, unsigned number) {
  const Program::Entry &entry = program.entries[number];
  for (kernel::BufferPlanAttr buffer : entry.plan.getBuffers()) {
    if (!isVisible(buffer.getArena()))
      continue;
    StringRef slot = getSlot(buffer);
    auto isSame = [&](const Program::Tensor &tensor) {
      return tensor.plan.getOffset() == buffer.getOffset() &&
             tensor.plan.getType() == buffer.getType();
    };
    auto *known = llvm::find_if(program.tensors, [&](auto &tensor) {
      return tensor.plan.getArena() == buffer.getArena() &&
             tensor.plan.getName() == buffer.getName() && tensor.slot == slot &&
             (buffer.getArena() != kernel::Arena::outputs || isSame(tensor));
    });
    if (known != program.tensors.end()) {
      known->entries |= 1u << number;
      if (isSame(*known))
        continue;
      return entry.getFunction().emitOpError("expected buffer \"")
             << buffer.getName() << "\" of arena '"
             << stringifyArena(buffer.getArena())
             << "' at the same place in all programs";
    }
    if (buffer.getType().getRank() > kMaxRank)
      return entry.getFunction().emitOpError("expected at most ")
             << kMaxRank << " dimensions, got " << buffer.getType();
    if (failed(getTypeName(buffer.getType().getElementType(),
                           entry.getFunction().getLoc())))
      return failure();
    program.tensors.push_back({buffer, slot, 1u << number});
  }
  return success();
}

/// Whether `tensor` is state that runs have, not the model.
static bool isRunState(const Program::Tensor &tensor) {
  return tensor.plan.getArena() == kernel::Arena::state &&
         train::isRunState(tensor.plan.getName());
}

/// Lists the scalars that `get_results` yields.
static LogicalResult addResults(Program &program) {
  for (const Program::Tensor &tensor : program.tensors) {
    bool isScalar = tensor.plan.getType().getRank() == 0;
    if (!isScalar || (!getResultKind(tensor) && !isRunState(tensor)))
      continue;
    auto *known = llvm::find_if(program.results, [&](auto &result) {
      return result.plan.getName() == tensor.plan.getName();
    });
    if (known == program.results.end()) {
      program.results.push_back(tensor);
      continue;
    }
    known->entries |= tensor.entries;
    if (known->plan.getType() != tensor.plan.getType())
      return program.entries.front().getFunction().emitOpError(
                 "expected result \"")
             << tensor.plan.getName() << "\" of one type in all programs, got "
             << known->plan.getType() << " and " << tensor.plan.getType();
  }
  return success();
}

/// `mlp_step` for the first of its kind, others with their batch.
static LogicalResult nameEntries(Program &program) {
  llvm::StringSet<> names;
  for (Program::Entry &entry : program.entries) {
    entry.name = program.name;
    switch (entry.kind) {
    case train::ProgramKind::step:
      entry.name += "_step";
      break;
    case train::ProgramKind::gradients:
      entry.name += "_gradients";
      break;
    case train::ProgramKind::evaluation:
      entry.name += "_evaluate";
      break;
    }
    if (names.insert(entry.name).second)
      continue;
    entry.name += "_" + std::to_string(entry.batch);
    if (!names.insert(entry.name).second)
      return entry.getFunction().emitOpError("expected one program '")
             << entry.name << "'";
  }
  return success();
}

/// Adds the needs of `entry` to the arenas.
static LogicalResult addArenas(Program &program, const Program::Entry &entry) {
  for (kernel::ArenaPlanAttr arena : entry.plan.getArenas()) {
    // A plan says where constants lie, but not what they are; nn-to-linalg
    // makes none: it refuses constants of more than one value.
    if (arena.getArena() == kernel::Arena::constants && arena.getBytes() > 0)
      return entry.getFunction().emitOpError(
          "cannot be emitted with constant tensors");
    auto *known = llvm::find_if(program.arenas, [&](auto &pair) {
      return pair.first == arena.getArena();
    });
    if (known == program.arenas.end()) {
      program.arenas.emplace_back(arena.getArena(), arena.getBytes());
      continue;
    }
    // Of state, an evaluation lacks the counter of steps, which lies behind
    // the rest.
    if (isPersistent(arena.getArena()) &&
        arena.getArena() != kernel::Arena::state &&
        known->second != arena.getBytes())
      return entry.getFunction().emitOpError("expected arena '")
             << stringifyArena(arena.getArena()) << "' of " << known->second
             << " bytes, as in the other programs, got " << arena.getBytes();
    known->second = std::max(known->second, arena.getBytes());
  }
  return success();
}

bool Program::hasIndexBounds() const {
  return llvm::any_of(entries, [](const Entry &entry) {
    return llvm::any_of(entry.plan.getInputs(),
                        [](kernel::InputPlanAttr input) {
                          return input.getBounds() != nullptr;
                        });
  });
}

FailureOr<Program> Program::get(ModuleOp module, StringRef name) {
  Program program;
  for (auto function : module.getOps<func::FuncOp>()) {
    auto plan = function->getAttrOfType<kernel::PlanAttr>(kernel::attrs::kPlan);
    if (!plan)
      return function.emitOpError("cannot be emitted without a plan");
    Entry entry;
    entry.function = function;
    entry.plan = plan;
    if (auto batch = function->getAttrOfType<IntegerAttr>(train::attrs::kBatch))
      entry.batch = batch.getInt();
    if (auto graphs = function->getAttrOfType<GraphModeAttr>(attrs::kGraphs))
      entry.graphs = graphs.getValue();
    if (auto kind = function->getAttrOfType<train::ProgramKindAttr>(
            train::attrs::kProgram))
      entry.kind = kind.getValue();
    program.entries.push_back(entry);
  }
  llvm::append_range(program.matmuls, module.getOps<GemmPlanOp>());
  if (program.entries.empty()) {
    module.emitError("expected a function with a plan");
    return failure();
  }
  program.name = getIdentifier(
      name.empty() ? program.entries.front().function.getName() : name);
  if (program.entries.size() > 32) {
    module.emitError("expected at most 32 programs, got ")
        << program.entries.size();
    return failure();
  }
  if (failed(nameEntries(program)))
    return failure();
  for (auto [i, entry] : llvm::enumerate(program.entries))
    if (failed(addArenas(program, entry)) || failed(addTensors(program, i)))
      return failure();
  if (failed(addResults(program)))
    return failure();
  return program;
}
