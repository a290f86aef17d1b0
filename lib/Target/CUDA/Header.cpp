//===- Header.cpp - The .h file -------------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface of a program in C99.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "Format.h"
#include "accrue/Dialect/CUDA/Identifiers.h"
#include "accrue/Target/CUDA/Export.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

/// `{0}` is the model's name.
static constexpr char kOpening[] =
    R"(// A model with its parameters, optimizer state and memory on the current
// device. All functions but {0}_create and {0}_destroy take one that was
// created. Those that return int return 0, or else a positive number, and
// {0}_last_error() says why. A model is used by one thread at a time, with the
// device current on which it was created.
typedef struct {0} {0};

// Allocates all memory there will ever be. Parameters and state are zero:
// {0}_set_parameter gives the parameters their values.
int {0}_create({0} **model);
void {0}_destroy({0} *model);
)";

static constexpr char kClosing[] = R"(
// Results of the function above that was called last; waits for it. What it
// does not have is 0. `finite` says whether loss and gradients were.
int {0}_get_results({0} *model, {0}_results *results);

// Waits for everything that was started.
int {0}_synchronize({0} *model);

// Contents by name, in C order; `bytes` has to be the size of the tensor.
// `slot` is that of the optimizer ("m"), or "" for other state ("step").
// Gradients are those of the last step or gradients, of the whole batch and not
// clipped; outputs those of the function that was called last. All wait for it;
// `data` is on the host or the device.
int {0}_set_parameter({0} *model, const char *name, const void *data, size_t bytes);
int {0}_get_parameter({0} *model, const char *name, void *data, size_t bytes);
int {0}_get_gradient({0} *model, const char *name, void *data, size_t bytes);
int {0}_get_output({0} *model, const char *name, void *data, size_t bytes);
int {0}_set_state({0} *model, const char *name, const char *slot, const void *data, size_t bytes);
int {0}_get_state({0} *model, const char *name, const char *slot, void *data, size_t bytes);

// All of these, in the order of memory: the place of a tensor in its arena, its
// element type ("f32") and shape.
typedef struct {0}_tensor {
  const char *arena; // "params", "gradients", "slots", "state", "outputs"
  const char *name;
  const char *slot;
  const char *type;
  int rank;
  int64_t shape[8];
  size_t offset;
  size_t bytes;
  unsigned entries; // bit i: the i-th of the functions above has it
} {0}_tensor;

// NULL behind the last one.
const {0}_tensor *{0}_get_tensor(size_t index);

// The place of a tensor on the device, or NULL after an error; it stays where it
// is. Kernels that use it are ordered by the model's stream, a cudaStream_t.
void *{0}_get_device_pointer({0} *model, const char *arena, const char *name, const char *slot);
void *{0}_get_stream({0} *model);

// Parameters, optimizer state and counter in a file of the safetensors format,
// which replaces another one as a whole; accrue train --init and --resume and
// accrue eval --load read it. A file that has only parameters, from anywhere,
// leaves the rest as it is. A file that is refused changes nothing.
int {0}_save({0} *model, const char *path);
int {0}_load({0} *model, const char *path);

// What went wrong in the calling thread, with file and line.
const char *{0}_last_error(void);
)";

/// Writes the lines of `text` with the model's name for `{0}`.
static void emitText(Writer &writer, StringRef text, StringRef name) {
  SmallVector<StringRef> lines;
  text.rtrim().split(lines, '\n');
  for (StringRef line : lines) {
    SmallVector<StringRef> parts;
    line.split(parts, "{0}");
    std::string named = llvm::join(parts, name);
    if (line.starts_with("//"))
      writer.verbatim(named);
    else
      writer.line(named);
  }
}

static LogicalResult emitEntry(Writer &writer, const Program &program,
                               const Program::Entry &entry) {
  FailureOr<std::string> declaration = getDeclaration(program, entry);
  if (failed(declaration))
    return failure();
  writer.line();
  std::string text = "Starts " + describeEntry(entry);
  switch (entry.kind) {
  case train::ProgramKind::step:
    text += ". A step that is not finite changes nothing.";
    break;
  case train::ProgramKind::gradients:
    text += ", for an optimizer of your own; nothing else changes.";
    break;
  case train::ProgramKind::evaluation:
    text += " with the parameters as they are.";
    break;
  }
  writer.comment(text);
  writer.comment("Inputs, on the host or the device, have to stay as they are "
                 "until it has ended:");
  auto names = entry.function->getAttrOfType<ArrayAttr>(attrs::kNames);
  for (auto [input, name] : llvm::zip_equal(entry.plan.getInputs(), names)) {
    FailureOr<std::string> type =
        getArrayType(input.getType(), entry.getFunction().getLoc());
    if (failed(type))
      return failure();
    writer.line("//   " + cast<StringAttr>(name).getValue() + ": " + *type);
  }
  writer.line(*declaration + ";");
  return success();
}

static LogicalResult emitResults(Writer &writer, const Program &program) {
  writer.line();
  writer.open("typedef struct " + program.name + "_results {");
  for (const Program::Tensor &result : program.results) {
    Type element = result.plan.getType().getElementType();
    // There is no bool in C that is one byte for sure.
    FailureOr<StringRef> type =
        element.isInteger(1)
            ? FailureOr<StringRef>(StringRef("uint8_t"))
            : getHostTypeName(element,
                              program.entries.front().getFunction().getLoc());
    if (failed(type))
      return failure();
    writer.line(*type + " " + getIdentifier(result.plan.getName()) + ";");
  }
  writer.close("} " + program.name + "_results;");
  return success();
}

LogicalResult accrue::cuda::exportHeader(ModuleOp module,
                                         const ExportOptions &options,
                                         llvm::raw_ostream &os) {
  FailureOr<Program> program = Program::get(module, options.name);
  if (failed(program))
    return failure();
  // Nothing is written unless everything can be.
  std::string text;
  llvm::raw_string_ostream stream(text);
  Writer writer(stream);
  std::string guard = "ACCRUE_MODEL_" + StringRef(program->name).upper() + "_H";
  emitBanner(writer, program->name + ".h", "training on CUDA");
  writer.verbatim("//");
  writer.verbatim("// Generated by accrue " ACCRUE_VERSION ".");
  for (const std::string &note : options.notes)
    writer.comment(note);
  writer.verbatim("//");
  writer.verbatim("//===" + std::string(70, '-') + "===//");
  writer.line();
  writer.line("#ifndef " + guard);
  writer.line("#define " + guard);
  writer.line();
  writer.line("#include <stddef.h>");
  writer.line("#include <stdint.h>");
  writer.line();
  writer.line("#ifdef __cplusplus");
  writer.line("extern \"C\" {");
  writer.line("#endif");
  writer.line();
  emitText(writer, kOpening, program->name);
  for (const Program::Entry &entry : program->entries)
    if (failed(emitEntry(writer, *program, entry)))
      return failure();
  if (failed(emitResults(writer, *program)))
    return failure();
  emitText(writer, kClosing, program->name);
  writer.line();
  writer.line("#ifdef __cplusplus");
  writer.line("}");
  writer.line("#endif");
  writer.line();
  writer.line("#endif // " + guard);
  os << formatText(text, program->name + ".h");
  return success();
}
