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
#include "accrue/Dialect/CUDA/Identifiers.h"
#include "llvm/ADT/StringExtras.h"
#include <fmt/format.h>

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

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
    writer.line(
        fmt::format("{{\"{}\", \"{}\", \"{}\", \"{}\", {}, {{{}}}, {}, {}}},",
                    stringifyArena(plan.getArena()).str(), plan.getName().str(),
                    tensor.slot.str(), type, plan.getType().getRank(), shape,
                    plan.getOffset(), plan.getBytes()));
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

void accrue::cuda::emitAccessors(Writer &writer, const Program &program) {
  const std::string &name = program.name;
  emitAddress(writer, program);
  struct Accessor {
    StringRef function, parameters, arena, slot;
    bool isSetter;
  };
  static const Accessor accessors[] = {
      {"set_parameter", "", "\"params\"", "\"\"", true},
      {"get_parameter", "", "\"params\"", "\"\"", false},
      {"get_gradient", "", "\"gradients\"", "\"\"", false},
      {"get_output", "", "\"outputs\"", "\"\"", false},
      {"set_state", ", const char *slot", "accrue::stateArena(slot)",
       "accrue::orEmpty(slot)", true},
      {"get_state", ", const char *slot", "accrue::stateArena(slot)",
       "accrue::orEmpty(slot)", false}};
  for (const Accessor &accessor : accessors) {
    writer.line();
    writer.open("extern \"C\" int " + name + "_" + accessor.function + "(" +
                name + " *model, const char *name" + accessor.parameters +
                ", " + (accessor.isSetter ? "const " : "") +
                "void *data, size_t bytes) {");
    writer.line("const " + name + "_tensor *tensor = nullptr;");
    writer.line("ACCRUE_CHECK(accrue::find(tensors, " + accessor.arena +
                ", name, " + accessor.slot + ", bytes, &tensor));");
    if (accessor.isSetter)
      writer.line("return accrue::copy(address(model, tensor), data, bytes, "
                  "model->stream);");
    else
      writer.line("return accrue::copy(data, address(model, tensor), bytes, "
                  "model->stream);");
    writer.close();
  }
  writer.line();
  writer.open("extern \"C\" const " + name + "_tensor *" + name +
              "_get_tensor(size_t index) {");
  writer.line(
      "return index < sizeof tensors / sizeof *tensors ? &tensors[index] "
      ": nullptr;");
  writer.close();
  writer.line();
  writer.open("extern \"C\" int " + name + "_get_results(" + name +
              " *model, " + name + "_results *results) {");
  for (const Program::Tensor &result : program.results)
    writer.line("ACCRUE_CHECK(accrue::copyAsync(&results->" +
                getIdentifier(result.plan.getName()) + ", model->" +
                stringifyArena(result.plan.getArena()) + ", " +
                Twine(result.plan.getOffset()) + ", model->stream));");
  writer.line("ACCRUE_CHECK(cudaStreamSynchronize(model->stream));");
  writer.line("return 0;");
  writer.close();
  writer.line();
  writer.open("extern \"C\" int " + name + "_synchronize(" + name +
              " *model) {");
  writer.line("ACCRUE_CHECK(cudaStreamSynchronize(model->stream));");
  writer.line("return 0;");
  writer.close();
  writer.line();
  writer.line("extern \"C\" const char *" + name +
              "_last_error(void) { return accrue::lastError(); }");
}
