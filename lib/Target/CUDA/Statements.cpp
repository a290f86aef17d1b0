//===- Statements.cpp - Statements of CUDA text ---------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structured loops and conditions; a variable for every value with a name.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "accrue/Dialect/Kernel/KernelOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

std::string BodyEmitter::getName(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto function = dyn_cast<FunctionOpInterface>(parent)) {
      auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                        attrs::kName);
      return name ? name.str() : "";
    }
    auto names = parent->getAttrOfType<ArrayAttr>(attrs::kNames);
    return names && argument.getArgNumber() < names.size()
               ? cast<StringAttr>(names[argument.getArgNumber()]).str()
               : "";
  }
  Operation *op = value.getDefiningOp();
  auto names = op->getAttrOfType<ArrayAttr>(attrs::kNames);
  if (!names)
    return "";
  // A loop's induction variable comes first.
  unsigned number =
      cast<OpResult>(value).getResultNumber() + (isa<scf::ForOp>(op) ? 1 : 0);
  return cast<StringAttr>(names[number]).str();
}

LogicalResult BodyEmitter::emitVariable(Operation *op) {
  FailureOr<Expression> value = getDefinition(op);
  if (failed(value))
    return failure();
  FailureOr<StringRef> type =
      getTypeName(op->getResult(0).getType(), op->getLoc());
  if (failed(type))
    return failure();
  writer.line("const " + *type + " " + getName(op->getResult(0)) + " = " +
              value->text + ";");
  return success();
}

bool BodyEmitter::isSumOf(Value value, StringRef target) {
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<arith::AddFOp, arith::AddIOp>(op) &&
         getName(value).empty() && getName(op->getOperand(0)) == target;
}

LogicalResult BodyEmitter::emitAssignments(ArrayRef<std::string> targets,
                                           OperandRange values) {
  SmallVector<std::string> texts;
  for (Value value : values) {
    FailureOr<std::string> text = getText(value);
    if (failed(text))
      return failure();
    texts.push_back(*text);
  }
  // All change at once: where a later one reads an earlier one, its old value
  // is kept. With several, every value is a variable or a literal.
  for (size_t i = 1; i < texts.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (texts[i] == targets[j]) {
        FailureOr<StringRef> type =
            getTypeName(values[i].getType(), values[i].getLoc());
        if (failed(type))
          return failure();
        writer.line("const " + *type + " old_" + texts[i] + " = " + texts[i] +
                    ";");
        texts[i] = "old_" + texts[i];
        break;
      }
  for (auto [target, value, text] : llvm::zip_equal(targets, values, texts)) {
    StringRef added = text;
    if (isSumOf(value, target) && added.consume_front(target + " + "))
      writer.line(target + " += " + added + ";");
    else if (target != text)
      writer.line(target + " = " + text + ";");
  }
  return success();
}

LogicalResult BodyEmitter::emitFor(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  std::string iv = getName(loop.getInductionVar());
  FailureOr<StringRef> type =
      getTypeName(loop.getInductionVar().getType(), op->getLoc());
  FailureOr<std::string> from = getText(loop.getLowerBound());
  FailureOr<std::string> to =
      getOperand(loop.getUpperBound(), Precedence::Shift);
  FailureOr<std::string> by = getText(loop.getStep());
  if (iv.empty())
    return op->emitOpError("cannot be emitted without names");
  if (failed(type) || failed(from) || failed(to) || failed(by))
    return failure();
  SmallVector<std::string> carried;
  for (auto [result, init] :
       llvm::zip_equal(loop.getResults(), loop.getInitArgs())) {
    FailureOr<StringRef> carriedType =
        getTypeName(result.getType(), op->getLoc());
    FailureOr<std::string> text = getText(init);
    if (failed(carriedType) || failed(text))
      return failure();
    carried.push_back(getName(result));
    writer.line(*carriedType + " " + carried.back() + " = " + *text + ";");
  }
  std::string advance =
      isOneInteger(loop.getStep()) ? "++" + iv : iv + " += " + *by;
  writer.open("for (" + *type + " " + iv + " = " + *from + "; " + iv + " < " +
              *to + "; " + advance + ") {");
  if (failed(emitBlock(*loop.getBody())) ||
      failed(emitAssignments(carried,
                             loop.getBody()->getTerminator()->getOperands())))
    return failure();
  writer.close();
  return success();
}

LogicalResult BodyEmitter::emitIf(Operation *op) {
  auto ifOp = cast<scf::IfOp>(op);
  SmallVector<std::string> targets;
  for (Value result : ifOp.getResults()) {
    FailureOr<StringRef> type = getTypeName(result.getType(), op->getLoc());
    if (failed(type))
      return failure();
    targets.push_back(getName(result));
    if (targets.back().empty())
      return op->emitOpError("cannot be emitted without names");
    writer.line(*type + " " + targets.back() + ";");
  }
  FailureOr<std::string> condition = getText(ifOp.getCondition());
  if (failed(condition))
    return failure();
  writer.open("if (" + *condition + ") {");
  if (failed(emitBlock(*ifOp.thenBlock())) ||
      failed(emitAssignments(targets, ifOp.thenYield().getOperands())))
    return failure();
  if (!ifOp.elseBlock()) {
    writer.close();
    return success();
  }
  writer.reopen("} else {");
  if (failed(emitBlock(*ifOp.elseBlock())) ||
      failed(emitAssignments(targets, ifOp.elseYield().getOperands())))
    return failure();
  writer.close();
  return success();
}

/// The functor of `runtime/cuda/Reduce.cuh` for a reduction over a block.
static StringRef getReduction(gpu::AllReduceOperation kind, Type type) {
  using Kind = gpu::AllReduceOperation;
  switch (kind) {
  case Kind::ADD:
    return "Sum";
  case Kind::MUL:
    return "Product";
  case Kind::MAXIMUMF:
  case Kind::MAXSI:
    return "Maximum";
  case Kind::MINIMUMF:
  case Kind::MINSI:
    return "Minimum";
  case Kind::AND:
    return type.isInteger(1) ? "All" : "";
  case Kind::OR:
    return type.isInteger(1) ? "Any" : "";
  default:
    return "";
  }
}

LogicalResult BodyEmitter::emitReduce(Operation *op) {
  auto reduce = cast<gpu::AllReduceOp>(op);
  Type type = reduce.getType();
  StringRef reduction =
      reduce.getOp() ? getReduction(*reduce.getOp(), type) : "";
  if (reduction.empty())
    return op->emitOpError("cannot be emitted");
  if (isHalf(type))
    return op->emitOpError("cannot be emitted on ")
           << type << ", expected f32 or f64";
  FailureOr<StringRef> typeName = getTypeName(type, op->getLoc());
  FailureOr<std::string> value = getText(reduce.getValue());
  if (failed(typeName) || failed(value))
    return failure();
  writer.line("const " + *typeName + " " + getName(reduce.getResult()) +
              " = accrue::blockReduce<accrue::" + reduction + ">(" + *value +
              ");");
  return success();
}

LogicalResult BodyEmitter::emitStatement(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForOp) { return emitFor(op); })
      .Case([&](scf::IfOp) { return emitIf(op); })
      .Case<scf::YieldOp, ReturnOp, func::ReturnOp>([&](auto) {
        // Loops and conditions assign what they yield.
        return success();
      })
      .Case([&](memref::StoreOp store) -> LogicalResult {
        if (store.getIndices().size() != 1)
          return op->emitOpError("cannot be emitted");
        FailureOr<Expression> target =
            getElement(store.getMemRef(), store.getIndices()[0]);
        FailureOr<std::string> value = getText(store.getValueToStore());
        if (failed(target) || failed(value))
          return failure();
        writer.line(target->text + " = " + *value + ";");
        return success();
      })
      .Case([&](gpu::BarrierOp) {
        writer.line("__syncthreads();");
        return success();
      })
      .Case([&](gpu::AllReduceOp) { return emitReduce(op); })
      .Case([&](kernel::BufferOp buffer) { return emitBuffer(op); })
      .Case([&](LaunchOp launch) { return emitLaunch(launch); })
      .Case([&](GemmOp gemm) { return emitGemm(gemm); })
      .Case([&](FillOp fill) { return emitFill(fill); })
      .Case([&](MemcpyOp copy) { return emitMemcpy(copy); })
      .Case([&](Memcpy2DOp copy) { return emitMemcpy2D(copy); })
      .Case([&](PartOp part) { return emitPart(part); })
      .Case([&](CallOp call) { return emitCall(call); })
      .Case([&](BeginFillOp fill) {
        return emitStaging("beginFill", fill.getPart());
      })
      .Case([&](EndFillOp fill) {
        return emitStaging("endFill", fill.getPart());
      })
      .Case([&](ReleaseOp release) {
        return emitStaging("release", release.getPart());
      })
      .Default([&](Operation *) -> LogicalResult {
        if (op->getNumRegions() != 0 || op->getNumResults() != 1)
          return op->emitOpError("cannot be emitted");
        // What has no name is part of the expressions that use it.
        return getName(op->getResult(0)).empty() ? success() : emitVariable(op);
      });
}

LogicalResult BodyEmitter::emitBlock(Block &block) {
  for (Operation &op : block)
    if (failed(emitStatement(&op)))
      return failure();
  return success();
}

/// "1 byte", "3000 bytes", "3000000 bytes (3.0 MB)".
static std::string describeAmount(int64_t amount, StringRef name,
                                  StringRef unit) {
  std::string text =
      (Twine(amount) + " " + name + (amount == 1 ? "" : "s")).str();
  double scaled = amount;
  StringRef prefix;
  for (StringRef next : {"k", "M", "G", "T"})
    if (scaled >= 1000) {
      scaled /= 1000;
      prefix = next;
    }
  if (amount >= 1000000)
    text += llvm::formatv(" ({0:F1} {1}{2})", scaled, prefix, unit).str();
  return text;
}

/// "a.acr:1, 7, b.acr:3" for a.acr:1, a.acr:7 and b.acr:3.
static std::string describeSources(ArrayAttr sources) {
  std::string text;
  StringRef lastFile;
  for (StringRef source : sources.getAsValueRange<StringAttr>()) {
    auto [file, line] = source.rsplit(':');
    text += text.empty() ? "" : ", ";
    text += file == lastFile ? line.str() : source.str();
    lastFile = file;
  }
  return text;
}

/// What a kernel does, how much of it, and where in the model it comes from.
static void emitHeading(Writer &writer, KernelOp kernel) {
  std::string heading = kernel.getSymName().str();
  if (std::optional<StringRef> schedule = kernel.getSchedule())
    heading += ": " + schedule->str();
  writer.comment(heading);
  SmallVector<std::string> amounts;
  if (std::optional<uint64_t> bytes = kernel.getBytes())
    amounts.push_back(describeAmount(*bytes, "byte", "B"));
  if (std::optional<uint64_t> flops = kernel.getFlops())
    amounts.push_back(describeAmount(*flops, "FLOP", "FLOP"));
  if (!amounts.empty())
    writer.comment(llvm::join(amounts, ", "));
  ArrayAttr sources = kernel.getSourcesAttr();
  if (sources && !sources.empty())
    writer.comment("from " + describeSources(sources));
}

LogicalResult BodyEmitter::emitKernel(KernelOp kernel) {
  indexBits = kernel.getIndexBits();
  writer.line();
  emitHeading(writer, kernel);
  std::string arguments;
  for (auto [i, argument] : llvm::enumerate(kernel.getArguments())) {
    std::string name = getName(argument);
    if (name.empty())
      return kernel.emitOpError("cannot be emitted without names");
    auto memref = dyn_cast<MemRefType>(argument.getType());
    if (memref && memref.getRank() != 1)
      return kernel.emitOpError("cannot emit type ") << memref;
    FailureOr<StringRef> type = getTypeName(
        memref ? memref.getElementType() : argument.getType(), kernel.getLoc());
    if (failed(type))
      return failure();
    arguments += i ? ", " : "";
    arguments += memref && !kernel.isWritten(i) ? "const " : "";
    arguments += type->str() + (memref ? " *__restrict__ " : " ") + name;
  }
  writer.line("__global__ void __launch_bounds__(" + Twine(kernel.getBlock()) +
              ")");
  writer.open(kernel.getSymName() + "(" + arguments + ") {");
  if (failed(emitBlock(kernel.getBody().front())))
    return failure();
  writer.close();
  return success();
}

LogicalResult BodyEmitter::emitTable(RangesOp table) {
  // Constant memory has 64 KiB; a larger table lies in global memory.
  size_t bytes =
      table.getRanges().size() * (table.getIndexBits() == 64 ? 24 : 12);
  writer.line();
  writer.comment("The elements that the optimizer updates: begin, end, rule.");
  writer.open((bytes > 60000 ? "__device__ const" : "__constant__") +
              Twine(" accrue::Range<") +
              (table.getIndexBits() == 64 ? "int64_t" : "int") + "> " +
              table.getSymName() + "[" + Twine(table.getRanges().size()) +
              "] = {");
  for (Attribute attr : table.getRanges()) {
    auto range = cast<kernel::RangeAttr>(attr);
    writer.line("{" + Twine(range.getOffset()) + ", " +
                Twine(range.getOffset() + range.getCount()) + ", " +
                Twine(range.getRule()) + "}, // " + range.getName());
  }
  writer.close("};");
  return success();
}
