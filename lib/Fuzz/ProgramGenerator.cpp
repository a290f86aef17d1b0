//===- ProgramGenerator.cpp - Random models -------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model starts from a few arguments in a pool; productions drawn by weight
// read the pool and add to it; the loss and other results are made of what is
// there in the end.
//
//===----------------------------------------------------------------------===//

#include "accrue/Fuzz/ProgramGenerator.h"
#include "ProgramBuilder.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;
using namespace accrue::fuzz;

/// One of `productions`, by weight.
static const Production &choose(ProgramBuilder &program,
                                ArrayRef<Production> productions) {
  int64_t total = 0;
  for (const Production &production : productions)
    total += production.weight;
  int64_t at = program.random.below(total);
  for (const Production &production : productions) {
    at -= production.weight;
    if (at < 0)
      return production;
  }
  llvm_unreachable("weights sum to their total");
}

static void applyProduction(ProgramBuilder &program) {
  int64_t family = program.random.below(100);
  ArrayRef<Production> productions = program.isCoupled && family >= 85
                                         ? getCouplingProductions()
                                     : family < 34 ? getElementwiseProductions()
                                     : family < 58 ? getShapeProductions()
                                     : family < 86 ? getLayerProductions()
                                                   : getIndexProductions();
  choose(program, productions).apply(program);
}

/// Parameters and inputs, and values that depend on both, so that most of the
/// pool does.
static void addFirstValues(ProgramBuilder &program) {
  int64_t inputs = program.random.range(1, 2);
  for (int64_t i = 0; i < inputs; ++i) {
    int64_t rank = program.random.choose({1, 2, 2, 2, 3, 3, 4});
    Shape shape = program.drawInputShape(rank);
    Value input = program.getInput(shape);
    if (i == 0 || program.random.chance(40))
      program.add(input, 2);
    Value joined = program.partner(input);
    bool isProduct = program.random.chance(50);
    Value sum = isProduct ? Value(MulOp::create(program.b, input, joined))
                          : Value(AddOp::create(program.b, input, joined));
    program.add(sum, 2);
    // A layer of an input, as most models begin.
    SmallVector<int64_t> dims = ProgramBuilder::getStaticDims(input);
    if (rank != 2 || program.random.chance(30))
      continue;
    int64_t dim = dims[0];
    Extent to = program.drawExtent();
    Value weight = program.getParam({to, shape[dim]});
    program.add(MatmulOp::create(program.b,
                                 program.makeType({shape[1 - dim], to}), input,
                                 weight, /*transpose_lhs=*/dim == 0,
                                 /*transpose_rhs=*/true),
                2);
  }
  if (program.random.chance(20))
    program.add(program.getParam({program.drawExtent()}), 1);
  if (program.params.empty())
    (void)program.getParam({});
}

OwningOpRef<ModuleOp> fuzz::generateProgram(MLIRContext &context, uint64_t seed,
                                            uint64_t number, unsigned maxOps) {
  Random random(seed, number);
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(builder, loc, "program",
                                       builder.getFunctionType({}, {}));
  function.addEntryBlock();

  int64_t batch = random.range(6, 12);
  bool isCoupled = random.chance(55);
  int64_t most = std::max<int64_t>(maxOps, 3);
  int64_t first = random.range(3, most), second = random.range(3, most);
  // Half of the programs are short: faults are found sooner and read easier.
  int64_t size = random.chance(50) ? std::min(first, second) : first;
  ProgramBuilder program(function, random, batch, isCoupled);
  addFirstValues(program);
  for (int64_t i = 0; i < size; ++i)
    applyProduction(program);
  buildResults(program);

  function->setAttr(train::attrs::kModel, builder.getUnitAttr());
  function->setAttr(train::attrs::kBatch, builder.getI64IntegerAttr(batch));
  function->setAttr(train::attrs::kSchedule,
                    train::ConstantScheduleAttr::get(builder.getContext()));
  function->setAttr(
      kDataSeed, builder.getI64IntegerAttr(static_cast<int64_t>(
                     io::philoxWords(seed, number, ~uint64_t(0)).first >> 32)));
  if (program.isOrdered)
    function->setAttr(kOrdered, builder.getUnitAttr());
  if (isCoupled)
    function->setAttr(kCoupled, builder.getUnitAttr());
  return module;
}
