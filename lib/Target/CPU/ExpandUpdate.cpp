//===- ExpandUpdate.cpp - The optimizer step as a kernel ------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model has hundreds of parameters of very different sizes, so chunks are cut
// from the concatenation of all ranges. A chunk is a list of pieces, kept in
// constant tables; the code is one loop per rule, however many ranges there
// are.
//
//===----------------------------------------------------------------------===//

#include "ChunkCost.h"
#include "accrue/Target/CPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"

namespace accrue::cpu {
#define GEN_PASS_DEF_EXPANDUPDATE
#include "accrue/Target/CPU/Passes.h.inc"
} // namespace accrue::cpu

using namespace mlir;
using namespace accrue;
using namespace accrue::cpu;

namespace {
/// Elements [from, to) of the flat arrays, updated by one rule.
struct Piece {
  int64_t from, to, rule;
};

/// All pieces in order, and the number of the first piece of every chunk, with
/// the number of pieces at the end.
struct Chunks {
  SmallVector<Piece> pieces;
  SmallVector<int64_t> starts;
};

class UpdateKernel {
public:
  UpdateKernel(kernel::FlatUpdateOp update, SymbolTable &symbols)
      : update(update), symbols(symbols), b(update.getLoc(), update) {}

  /// Replaces the update by the launch of a new kernel.
  void build();

private:
  Chunks getChunks();
  /// A constant global of i64, and its address in the kernel.
  Value buildTable(StringRef name, ArrayRef<int64_t> values);
  Value loadEntry(Value table, Value index);
  /// What the rules compute from the scalars of the step only.
  void hoistScalars();
  void buildPiece(Value from, Value to, Region &rule);
  void buildChunk(Value first, Value end);

  kernel::FlatUpdateOp update;
  SymbolTable &symbols;
  ImplicitLocOpBuilder b;
  kernel::FuncOp function;
  IRMapping hoisted;
  Value one, fromTable, toTable, ruleTable;

  bool isHoisted(Operation &op) {
    return llvm::any_of(op.getResults(),
                        [&](Value v) { return hoisted.contains(v); });
  }
  Value getArgument(Value operand) {
    for (auto [argument, value] :
         llvm::zip(function.getArguments(), update.getOperands()))
      if (value == operand)
        return argument;
    llvm_unreachable("expected an operand of the update");
  }
  /// The flat arrays that the first arguments of a rule are elements of.
  SmallVector<Value> getArrays(Region &rule) {
    SmallVector<Value> arrays = {getArgument(update.getParams()),
                                 getArgument(update.getGradients())};
    for (Value slot : update.getSlots().take_front(
             rule.front().getTerminator()->getNumOperands() - 1))
      arrays.push_back(getArgument(slot));
    return arrays;
  }
};
} // namespace

Chunks UpdateKernel::getChunks() {
  int64_t cost = 0, elements = 0;
  for (auto range : update.getRanges().getAsRange<kernel::RangeAttr>()) {
    Region &rule = update.getRules()[range.getRule()];
    int64_t perElement = getArrays(rule).size();
    for (Operation &op : rule.front())
      if (!isHoisted(op))
        perElement += getOpCost(&op);
    cost += range.getCount() * perElement;
    elements += range.getCount();
  }
  int64_t size =
      llvm::alignTo(llvm::divideCeil(elements, getChunkCount(cost)), 64);

  Chunks chunks;
  int64_t room = 0;
  for (auto range : update.getRanges().getAsRange<kernel::RangeAttr>()) {
    int64_t from = range.getOffset(), end = from + range.getCount();
    while (from < end) {
      if (room == 0) {
        chunks.starts.push_back(chunks.pieces.size());
        room = size;
      }
      int64_t to = std::min(end, from + room);
      chunks.pieces.push_back({from, to, range.getRule()});
      room -= to - from;
      from = to;
    }
  }
  chunks.starts.push_back(chunks.pieces.size());
  return chunks;
}

Value UpdateKernel::buildTable(StringRef name, ArrayRef<int64_t> values) {
  auto type = MemRefType::get(values.size(), b.getI64Type());
  auto data = DenseElementsAttr::get(
      RankedTensorType::get(type.getShape(), type.getElementType()), values);
  OpBuilder atModule(b.getContext());
  auto table = memref::GlobalOp::create(
      atModule, update.getLoc(), (function.getSymName() + "_" + name).str(),
      /*sym_visibility=*/b.getStringAttr("private"), type, data,
      /*constant=*/true, /*alignment=*/IntegerAttr());
  symbols.insert(table);
  return memref::GetGlobalOp::create(b, type, table.getSymName());
}

Value UpdateKernel::loadEntry(Value table, Value index) {
  Value entry = memref::LoadOp::create(b, table, index);
  return arith::IndexCastOp::create(b, b.getIndexType(), entry);
}

void UpdateKernel::hoistScalars() {
  SmallVector<Value> scalars;
  for (Value scalar :
       {update.getCompleted(), update.getFactor(), update.getNorm()})
    if (scalar)
      scalars.push_back(memref::LoadOp::create(b, getArgument(scalar)));
  for (Region &rule : update.getRules()) {
    Block &block = rule.front();
    auto arguments = block.getArguments().take_back(scalars.size());
    hoisted.map(arguments, scalars);
    for (Operation &op : block.without_terminator())
      if (llvm::all_of(op.getOperands(),
                       [&](Value v) { return hoisted.contains(v); }))
        b.clone(op, hoisted);
  }
}

void UpdateKernel::buildPiece(Value from, Value to, Region &rule) {
  OpBuilder::InsertionGuard guard(b);
  Block &block = rule.front();
  auto loop = scf::ForOp::create(b, from, to, one);
  b.setInsertionPointToStart(loop.getBody());
  Value i = loop.getInductionVar();
  IRMapping mapping = hoisted;
  SmallVector<Value> arrays = getArrays(rule);
  for (auto [array, argument] : llvm::zip(arrays, block.getArguments()))
    mapping.map(argument, memref::LoadOp::create(b, array, i).getResult());
  for (Operation &op : block.without_terminator())
    if (!isHoisted(op))
      b.clone(op, mapping);
  // The gradient is not written.
  arrays.erase(arrays.begin() + 1);
  for (auto [array, value] :
       llvm::zip(arrays, block.getTerminator()->getOperands()))
    memref::StoreOp::create(b, mapping.lookupOrDefault(value), array, i);
}

void UpdateKernel::buildChunk(Value first, Value end) {
  OpBuilder::InsertionGuard guard(b);
  auto pieces = scf::ForOp::create(b, first, end, one);
  b.setInsertionPointToStart(pieces.getBody());
  Value piece = pieces.getInductionVar();
  Value from = loadEntry(fromTable, piece);
  Value to = loadEntry(toTable, piece);
  auto rules = update.getRules();
  if (rules.size() == 1)
    return buildPiece(from, to, rules.front());
  Value rule = loadEntry(ruleTable, piece);
  for (auto [number, region] : llvm::enumerate(rules)) {
    Value isRule =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rule,
                              arith::ConstantIndexOp::create(b, number));
    auto branch = scf::IfOp::create(b, isRule, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard inBranch(b);
    b.setInsertionPointToStart(branch.thenBlock());
    buildPiece(from, to, region);
  }
}

void UpdateKernel::build() {
  // The kernel takes the operands of the update in their order.
  auto step = update->getParentOfType<FunctionOpInterface>();
  OpBuilder atModule(b.getContext());
  function = kernel::FuncOp::create(
      atModule, update.getLoc(), (step.getName() + "_update").str(),
      b.getFunctionType(update.getOperandTypes(), {}),
      kernel::Schedule::elementwise, ArrayAttr(), ArrayAttr());
  symbols.insert(function);
  kernel::LaunchOp::create(b, FlatSymbolRefAttr::get(function.getSymNameAttr()),
                           update.getOperands());

  Block &body = function.getBody().emplaceBlock();
  for (Type type : update.getOperandTypes())
    body.addArgument(type, update.getLoc());
  b.setInsertionPointToStart(&body);
  Value finite = memref::LoadOp::create(b, getArgument(update.getFinite()));
  auto ifFinite = scf::IfOp::create(b, finite, /*withElseRegion=*/false);
  kernel::ReturnOp::create(b);

  b.setInsertionPointToStart(ifFinite.thenBlock());
  hoistScalars();
  Chunks chunks = getChunks();
  auto column = [&](int64_t Piece::*member) {
    return llvm::map_to_vector(chunks.pieces,
                               [&](const Piece &p) { return p.*member; });
  };
  one = arith::ConstantIndexOp::create(b, 1);
  fromTable = buildTable("from", column(&Piece::from));
  toTable = buildTable("to", column(&Piece::to));
  if (update.getRules().size() > 1)
    ruleTable = buildTable("rule", column(&Piece::rule));
  Value zero = arith::ConstantIndexOp::create(b, 0);
  int64_t count = chunks.starts.size() - 1;
  if (count == 1) {
    buildChunk(zero, arith::ConstantIndexOp::create(b, chunks.pieces.size()));
  } else if (count > 1) {
    Value starts = buildTable("chunk", chunks.starts);
    Value end = arith::ConstantIndexOp::create(b, count);
    auto loop = scf::ParallelOp::create(b, ValueRange(zero), ValueRange(end),
                                        ValueRange(one), ValueRange());
    b.setInsertionPointToStart(loop.getBody());
    Value c = loop.getInductionVars().front();
    Value first = loadEntry(starts, c);
    Value next = arith::AddIOp::create(b, c, one);
    buildChunk(first, loadEntry(starts, next));
  }
  update.erase();
}

namespace {
struct ExpandUpdate : cpu::impl::ExpandUpdateBase<ExpandUpdate> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<kernel::FlatUpdateOp> updates;
    getOperation().walk(
        [&](kernel::FlatUpdateOp update) { updates.push_back(update); });
    for (kernel::FlatUpdateOp update : updates)
      UpdateKernel(update, symbols).build();
  }
};
} // namespace
