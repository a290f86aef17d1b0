//===- Interface.cpp - The C functions for contents -----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of the tensors that users can see, and the functions that read and
// write them by name.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "Format.h"
#include "accrue/Dialect/CUDA/Identifiers.h"
#include "llvm/ADT/StringExtras.h"
#include <fmt/format.h>

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

/// Names of the entries in `mask`, for a comment.
static std::string listEntries(const Program &program, uint32_t mask) {
  SmallVector<StringRef> names;
  for (auto [i, entry] : llvm::enumerate(program.entries))
    if (mask >> i & 1)
      names.push_back(entry.name);
  return llvm::join(names, ", ");
}

static uint32_t getAllEntries(const Program &program) {
  return ~uint32_t(0) >> (32 - program.entries.size());
}

/// The bounds of `input`, as initializers.
static std::string listBounds(kernel::InputPlanAttr input) {
  SmallVector<std::string> bounds;
  for (auto bound : input.getBounds().getAsRange<train::IndexBoundAttr>())
    bounds.push_back(fmt::format("{{{}, {}, {}, {}}}", bound.getBegin(),
                                 bound.getEnd(), bound.getBound(),
                                 quote(bound.getReader())));
  return llvm::join(bounds, ", ");
}

void accrue::cuda::emitBegin(Writer &writer, const Program &program,
                             const Program::Entry &entry) {
  SmallVector<std::string> pointers;
  if (auto names = entry.function->getAttrOfType<ArrayAttr>(attrs::kNames))
    for (Attribute name : names)
      pointers.push_back(cast<StringAttr>(name).getValue().str());
  writer.line("ACCRUE_CHECK(accrue::begin(model, " +
              Twine(&entry - program.entries.begin()) + ", {" +
              llvm::join(pointers, ", ") + "}));");
  for (auto [input, pointer] :
       llvm::zip_equal(entry.plan.getInputs(), pointers))
    if (input.getBounds())
      writer.line(fmt::format("ACCRUE_CHECK(accrue::checkIndices({}, {}, "
                              "{{{}}}, {}, {{{}}}));",
                              quote(input.getName()), pointer,
                              fmt::join(input.getType().getShape(), ", "),
                              input.getDim(), listBounds(input)));
}

void accrue::cuda::emitTensors(Writer &writer, const Program &program) {
  writer.line();
  writer.open("static const " + program.name + "_tensor tensors[] = {");
  for (const Program::Tensor &tensor : program.tensors) {
    kernel::BufferPlanAttr plan = tensor.plan;
    std::string shape =
        plan.getType().getRank() == 0
            ? "0"
            : llvm::join(llvm::map_range(
                             plan.getType().getShape(),
                             [](int64_t size) { return std::to_string(size); }),
                         ", ");
    std::string type;
    llvm::raw_string_ostream(type) << plan.getType().getElementType();
    writer.line(fmt::format(
        "{{\"{}\", \"{}\", \"{}\", \"{}\", {}, {{{}}}, {}, {}, {:#x}}},",
        stringifyArena(plan.getArena()).str(), plan.getName().str(),
        tensor.slot.str(), type, plan.getType().getRank(), shape,
        plan.getOffset(), plan.getBytes(), tensor.entries));
  }
  writer.close("};");
}

/// The address of a tensor of the table.
static void emitAddress(Writer &writer, const Program &program) {
  writer.line();
  writer.open("static void *address(const " + program.name + " *model, const " +
              program.name + "_tensor *tensor) {");
  for (auto [arena, bytes] : program.arenas)
    if (llvm::any_of(program.tensors, [&](const Program::Tensor &tensor) {
          return tensor.plan.getArena() == arena;
        })) {
      writer.line("if (accrue::isSame(tensor->arena, \"" +
                  stringifyArena(arena) + "\"))");
      writer.line("  return accrue::at<char>(model->" + stringifyArena(arena) +
                  ", tensor->offset);");
    }
  writer.line("return nullptr;");
  writer.close();
}

/// Copies by name.
static void emitCopies(Writer &writer, const std::string &name) {
  struct Accessor {
    StringRef function, parameters, arena, slot;
    bool isSetter;
  };
  static const Accessor accessors[] = {
      {"set_parameter", "", "\"params\"", "\"\"", true},
      {"get_parameter", "", "\"params\"", "\"\"", false},
      {"get_gradient", "", "\"gradients\"", "\"\"", false},
      {"get_output", "", "\"outputs\"", "\"\"", false},
      {"set_state", ", const char *slot", "accrue::stateArena(slot)", "slot",
       true},
      {"get_state", ", const char *slot", "accrue::stateArena(slot)", "slot",
       false}};
  for (const Accessor &accessor : accessors) {
    writer.line();
    writer.open("extern \"C\" int " + name + "_" + accessor.function + "(" +
                name + " *model, const char *name" + accessor.parameters +
                ", " + (accessor.isSetter ? "const " : "") +
                "void *data, size_t bytes) {");
    writer.line(Twine("return accrue::") +
                (accessor.isSetter ? "setTensor" : "getTensor") +
                "(model, tensors, address, " + accessor.arena + ", name, " +
                accessor.slot + ", data, bytes);");
    writer.close();
  }
}

/// What a user's own kernels need.
static void emitPointers(Writer &writer, const std::string &name) {
  writer.line();
  writer.open("extern \"C\" const " + name + "_tensor *" + name +
              "_get_tensor(size_t index) {");
  writer.line(
      "return index < sizeof tensors / sizeof *tensors ? &tensors[index] "
      ": nullptr;");
  writer.close();
  writer.line();
  writer.open("extern \"C\" void *" + name + "_get_device_pointer(" + name +
              " *model, const char *arena, const char *name, const char "
              "*slot) {");
  writer.line("const " + name + "_tensor *tensor = nullptr;");
  writer.line(
      "if (accrue::find(model, tensors, arena, name, slot, &tensor) != 0)");
  writer.line("  return nullptr;");
  writer.line("return address(model, tensor);");
  writer.close();
  writer.line();
  writer.open("extern \"C\" void *" + name + "_get_stream(" + name +
              " *model) {");
  writer.line("return accrue::expect(model, \"a model\") ? nullptr : "
              "model->stream;");
  writer.close();
}

/// Whether a result of `tensor` is a float of the host.
static bool isHostFloat(const Program::Tensor &tensor) {
  Type element = tensor.plan.getType().getElementType();
  return element.isF32() || element.isF64();
}

/// Entries without a flag of their own are finite where loss and norm are.
static void emitFinite(Writer &writer, const Program &program) {
  SmallVector<std::string> conditions;
  const Program::Tensor *flag = nullptr;
  for (const Program::Tensor &result : program.results) {
    train::ResultKindAttr kind = getResultKind(result);
    if (!kind)
      continue;
    if (kind.getValue() == train::ResultKind::finite)
      flag = &result;
    if ((kind.getValue() == train::ResultKind::loss ||
         kind.getValue() == train::ResultKind::norm) &&
        isHostFloat(result))
      conditions.push_back("std::isfinite(results->" +
                           getIdentifier(result.plan.getName()) + ")");
  }
  if (!flag || flag->entries == getAllEntries(program))
    return;
  uint32_t rest = getAllEntries(program) & ~flag->entries;
  writer.comment(listEntries(program, rest));
  writer.line(fmt::format("if (model->ran & {:#x}u)", rest));
  writer.line("  results->" + getIdentifier(flag->plan.getName()) + " = " +
              (conditions.empty() ? "1" : llvm::join(conditions, " && ")) +
              ";");
}

static void emitResults(Writer &writer, const Program &program) {
  const std::string &name = program.name;
  writer.line();
  writer.open("extern \"C\" int " + name + "_get_results(" + name +
              " *model, " + name + "_results *results) {");
  writer.line("ACCRUE_CHECK(accrue::expectRun(model, results));");
  writer.line("*results = {};");
  for (const Program::Tensor &result : program.results)
    for (const Program::Tensor &tensor : program.tensors) {
      if (tensor.plan.getName() != result.plan.getName() ||
          tensor.plan.getArena() != result.plan.getArena() ||
          !tensor.slot.empty())
        continue;
      bool isState = tensor.plan.getArena() == kernel::Arena::state;
      bool isAlways = isState || tensor.entries == getAllEntries(program);
      if (!isAlways) {
        writer.comment(listEntries(program, tensor.entries));
        writer.line(fmt::format("if (model->ran & {:#x}u)", tensor.entries));
      }
      writer.line((isAlways ? "" : "  ") +
                  ("ACCRUE_CHECK(accrue::copyAsync(&results->" +
                   getIdentifier(result.plan.getName()) + ", model->" +
                   stringifyArena(result.plan.getArena()) + ", " +
                   Twine(tensor.plan.getOffset()) + ", model->stream));"));
    }
  writer.line("ACCRUE_CHECK(cudaStreamSynchronize(model->stream));");
  emitFinite(writer, program);
  writer.line("return 0;");
  writer.close();
}

void accrue::cuda::emitAccessors(Writer &writer, const Program &program) {
  const std::string &name = program.name;
  emitAddress(writer, program);
  emitCopies(writer, name);
  emitPointers(writer, name);
  emitResults(writer, program);
  writer.line();
  writer.open("extern \"C\" int " + name + "_save(" + name +
              " *model, const char *path) {");
  writer.line("return accrue::save(model, tensors, address, path, "
              "{\"" ACCRUE_VERSION "\", \"" +
              name + "\", " + Twine(program.entries.front().batch) + "});");
  writer.close();
  writer.line();
  writer.open("extern \"C\" int " + name + "_load(" + name +
              " *model, const char *path) {");
  writer.line("return accrue::load(model, tensors, address, path);");
  writer.close();
  writer.line();
  writer.open("extern \"C\" int " + name + "_synchronize(" + name +
              " *model) {");
  writer.line("ACCRUE_CHECK(accrue::expect(model, \"a model\"));");
  writer.line("ACCRUE_CHECK(cudaStreamSynchronize(model->stream));");
  writer.line("return 0;");
  writer.close();
  writer.line();
  writer.line("extern \"C\" const char *" + name +
              "_last_error(void) { return accrue::lastError(); }");
}
