//===- ValueWords.cpp - Words for values ----------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueWords.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

StringRef accrue::cuda::getHint(Operation *op) {
  if (isa<memref::LoadOp, kernel::BufferOp>(op) ||
      (isa<IndexType>(op->getResult(0).getType()) && !isa<CastOpInterface>(op)))
    return {};
  auto getName = [](Operation *op) {
    auto named = dyn_cast<NameLoc>(op->getLoc());
    return named ? named.getName().getValue() : StringRef();
  };
  StringRef name = getName(op);
  bool isPart = llvm::any_of(
      op->getUsers(), [&](Operation *user) { return getName(user) == name; });
  return isPart ? StringRef() : name;
}

StringRef accrue::cuda::getReductionWord(Operation *op) {
  if (!op)
    return "total";
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return "sum"; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return "product"; })
      .Case<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp,
            arith::MaxUIOp>([](auto) { return "largest"; })
      .Case<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp,
            arith::MinUIOp>([](auto) { return "smallest"; })
      .Case<arith::AndIOp>([](auto) { return "all"; })
      .Case<arith::OrIOp>([](auto) { return "any"; })
      .Default([](auto) { return "total"; });
}

static StringRef getKindWord(gpu::AllReduceOperation kind) {
  using Kind = gpu::AllReduceOperation;
  switch (kind) {
  case Kind::ADD:
    return "sum";
  case Kind::MUL:
    return "product";
  case Kind::MAXIMUMF:
  case Kind::MAXNUMF:
  case Kind::MAXSI:
  case Kind::MAXUI:
    return "largest";
  case Kind::MINIMUMF:
  case Kind::MINNUMF:
  case Kind::MINSI:
  case Kind::MINUI:
    return "smallest";
  case Kind::AND:
    return "all";
  case Kind::OR:
    return "any";
  default:
    return "total";
  }
}

/// The plan of a step function or of the one that a segment is part of.
static kernel::PlanAttr getPlan(FunctionOpInterface function) {
  Operation *step = function;
  if (auto segment = dyn_cast<SegmentOp>(step))
    step = SymbolTable::lookupNearestSymbolFrom(segment, segment.getStepAttr());
  return step ? step->getAttrOfType<kernel::PlanAttr>(kernel::attrs::kPlan)
              : kernel::PlanAttr();
}

std::string accrue::cuda::getBufferName(kernel::BufferOp buffer,
                                        bool isLaunched) {
  std::string name = buffer.getName().str();
  auto function = buffer->getParentOfType<FunctionOpInterface>();
  Value whole = buffer.getArena();
  if (auto part = whole.getDefiningOp<PartOp>())
    whole = part.getArena();
  auto arena = dyn_cast<BlockArgument>(whole);
  if (!function || !arena)
    return name;
  auto plan = getPlan(function);
  auto mark = function.getArgAttrOfType<kernel::ArenaAttr>(
      arena.getArgNumber(), kernel::attrs::kArena);
  if (!plan || !mark)
    return name;
  for (kernel::BufferPlanAttr planned : plan.getBuffers()) {
    if (planned.getArena() != mark.getValue() ||
        planned.getName() != buffer.getName() ||
        planned.getOffset() != buffer.getOffsetAttr().getInt())
      continue;
    if (planned.getArena() == kernel::Arena::gradients)
      return "d_" + name;
    if (planned.getArena() == kernel::Arena::inputs && !isLaunched)
      return name + "_micro";
    if (DictionaryAttr attributes = planned.getAttributes())
      if (auto slot = attributes.getAs<StringAttr>(train::attrs::kSlot))
        return (name + "." + slot.getValue()).str();
  }
  return name;
}

std::string accrue::cuda::getCommonName(KernelOp kernel, unsigned i,
                                        ArrayRef<LaunchOp> launches) {
  std::string common;
  for (LaunchOp launch : launches) {
    auto buffer = launch.getOperands()[i].getDefiningOp<kernel::BufferOp>();
    if (!buffer)
      return "";
    std::string name = getBufferName(buffer, /*isLaunched=*/true);
    if (launch == launches.front())
      common = name;
    if (name == common)
      continue;
    // A mark in front, as that of a gradient, stays where all have it.
    auto getLeaf = [](StringRef name) {
      StringRef mark = name.starts_with("d_") ? "d_" : "";
      StringRef leaf = name.drop_front(mark.size());
      return (mark + leaf.substr(leaf.rfind('.') + 1)).str();
    };
    common = getLeaf(common);
    if (getLeaf(name) != common)
      return kernel.isWritten(i) ? "output" : "input";
  }
  return common;
}

std::string accrue::cuda::getWord(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case([](kernel::BufferOp buffer) { return getBufferName(buffer); })
      .Case([](PartOp) { return "inputs"; })
      .Case([](gpu::AllReduceOp reduce) {
        return getKindWord(*reduce.getOp()).str();
      })
      .Case([](arith::ConstantOp constant) {
        auto value = dyn_cast<FloatAttr>(constant.getValue());
        if (value && value.getValue().isZero())
          return "zero";
        if (value && value.getValue().isExactlyValue(1.0))
          return "one";
        return "factor";
      })
      .Case([](gpu::BlockIdOp) { return "row"; })
      .Case([](RangeRuleOp) { return "rule"; })
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return "sum"; })
      .Case<arith::SubFOp, arith::SubIOp>([](auto) { return "difference"; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return "product"; })
      .Case<arith::DivFOp>([](auto) { return "quotient"; })
      .Case<arith::NegFOp>([](auto) { return "negative"; })
      .Case<arith::MaximumFOp>([](auto) { return "larger"; })
      .Case<arith::MinimumFOp>([](auto) { return "smaller"; })
      .Case<arith::SelectOp>([](auto) { return "selected"; })
      .Case<arith::CmpFOp, arith::CmpIOp>([](auto) { return "condition"; })
      .Case<math::ExpOp>([](auto) { return "exponential"; })
      .Case<math::LogOp>([](auto) { return "logarithm"; })
      .Case<math::SqrtOp>([](auto) { return "root"; })
      .Default([](Operation *op) {
        return (op->getName().stripDialect() + "_value").str();
      });
}
