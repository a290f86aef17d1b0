//===- OutlineChunks.cpp - Bodies of parallel loops as functions ----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As a kernel of its own, the body of a loop has memref arguments that are
// known not to overlap, which values read from a closure would not be.
//
//===----------------------------------------------------------------------===//

#include "accrue/Target/CPU/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

namespace accrue::cpu {
#define GEN_PASS_DEF_OUTLINECHUNKS
#include "accrue/Target/CPU/Passes.h.inc"
} // namespace accrue::cpu

using namespace mlir;
using namespace accrue;
using namespace accrue::cpu;

/// True for values that a kernel computes from nothing, better copied than
/// passed: constants, and tables (whose address would hide their contents).
static bool isCopied(Value value) {
  Operation *op = value.getDefiningOp();
  return op && (matchPattern(op, m_Constant()) || isa<memref::GetGlobalOp>(op));
}

static void outline(scf::ParallelOp loop, kernel::FuncOp parent,
                    SymbolTable &symbols) {
  Location loc = loop.getLoc();
  IRRewriter rewriter(loop.getContext());
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(loop.getRegion(), used);
  SmallVector<Value> copied = llvm::filter_to_vector(used, isCopied);
  SmallVector<Value> captured = llvm::filter_to_vector(
      used, [](Value value) { return !isCopied(value); });

  SmallVector<Type> types = {rewriter.getIndexType()};
  llvm::append_range(types, ValueRange(captured).getTypes());
  auto function = kernel::FuncOp::create(
      rewriter, loc, (parent.getSymName() + "_chunk").str(),
      rewriter.getFunctionType(types, {}), parent.getSchedule(), ArrayAttr(),
      ArrayAttr());
  symbols.insert(function);
  Block &body = function.getBody().emplaceBlock();
  for (Type type : types)
    body.addArgument(type, loc);

  rewriter.setInsertionPointToStart(&body);
  auto isInLoop = [&](OpOperand &use) {
    return loop->isProperAncestor(use.getOwner());
  };
  for (Value value : copied) {
    Operation *copy = rewriter.clone(*value.getDefiningOp());
    value.replaceUsesWithIf(
        copy->getResult(cast<OpResult>(value).getResultNumber()), isInLoop);
  }
  for (auto [value, argument] :
       llvm::zip(captured, body.getArguments().drop_front()))
    value.replaceUsesWithIf(argument, isInLoop);
  auto ret = kernel::ReturnOp::create(rewriter, loc);
  rewriter.eraseOp(loop.getBody()->getTerminator());
  rewriter.inlineBlockBefore(loop.getBody(), ret, body.getArgument(0));

  // The loop has lost its block to the kernel.
  Block *rest =
      rewriter.createBlock(&loop.getRegion(), {}, rewriter.getIndexType(), loc);
  SmallVector<Value> operands = {rest->getArgument(0)};
  llvm::append_range(operands, captured);
  kernel::LaunchOp::create(rewriter, loc,
                           FlatSymbolRefAttr::get(function.getSymNameAttr()),
                           operands);
  scf::ReduceOp::create(rewriter, loc);
}

namespace {
struct OutlineChunks : cpu::impl::OutlineChunksBase<OutlineChunks> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<std::pair<scf::ParallelOp, kernel::FuncOp>> loops;
    for (auto function : getOperation().getOps<kernel::FuncOp>())
      function.walk(
          [&](scf::ParallelOp loop) { loops.push_back({loop, function}); });
    for (auto [loop, function] : loops)
      outline(loop, function, symbols);
  }
};
} // namespace
