//===- StepCalls.cpp - What a step runs -----------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls are merged by name: that of a kernel is its symbol, that of a product
// says everything that its time depends on.
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/StepCalls.h"
#include "accrue/Support/Location.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlir;
using namespace accrue;

std::string accrue::getMatmulName(bool transposeA, bool transposeB, int64_t m,
                                  int64_t n, int64_t k, int64_t batch,
                                  bool isAccumulating) {
  return llvm::formatv("matmul_{0}{1}_{2}x{3}x{4}{5}{6}",
                       transposeA ? "t" : "n", transposeB ? "t" : "n", m, n, k,
                       batch == 1 ? "" : "_batch" + std::to_string(batch),
                       isAccumulating ? "_add" : "");
}

static std::string getName(kernel::GemmOp gemm) {
  return getMatmulName(gemm.getTransposeA(), gemm.getTransposeB(), gemm.getM(),
                       gemm.getN(), gemm.getK(), gemm.getBatch(),
                       !matchPattern(gemm.getBeta(), m_AnyZeroFloat()));
}

/// How often `op` runs in its function.
static FailureOr<int64_t> countRuns(Operation *op) {
  int64_t runs = 1;
  for (Operation *parent = op->getParentOp(); !isa<func::FuncOp>(parent);
       parent = parent->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(parent);
    std::optional<APInt> count;
    if (loop)
      count = loop.getStaticTripCount();
    if (!count)
      return parent->emitOpError(
          "expected a loop with a constant number of iterations");
    runs *= count->getSExtValue();
  }
  return runs;
}

namespace {

/// The entries of a step so far.
class CallList {
public:
  explicit CallList(func::FuncOp step) : step(step) {}

  LogicalResult add(Operation *op);
  SmallVector<StepCall> take();

private:
  void add(Operation *op, const std::string &key, StringRef kind, Location loc,
           KernelCost cost, int64_t runs);

  func::FuncOp step;
  llvm::MapVector<std::string, StepCall, std::map<std::string, unsigned>> calls;
  std::map<std::string, SmallVector<Location>> locations;
};

} // namespace

void CallList::add(Operation *op, const std::string &key, StringRef kind,
                   Location loc, KernelCost cost, int64_t runs) {
  StepCall &call = calls[key];
  if (!call.op) {
    call.op = op;
    call.name = key;
    call.kind = kind;
    call.cost = cost;
  }
  call.callsPerStep += runs;
  locations[key].push_back(loc);
}

LogicalResult CallList::add(Operation *op) {
  if (!isa<kernel::LaunchOp, kernel::GemmOp, kernel::FlatUpdateOp>(op))
    return success();
  FailureOr<int64_t> runs = countRuns(op);
  if (failed(runs))
    return failure();
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](kernel::LaunchOp launch) {
        auto callee = SymbolTable::lookupNearestSymbolFrom<kernel::FuncOp>(
            launch, launch.getCalleeAttr());
        add(op, launch.getCallee().str(), "kernel", callee.getLoc(),
            getKernelCost(callee), *runs);
      })
      .Case([&](kernel::GemmOp gemm) {
        add(op, getName(gemm), "matmul", op->getLoc(), getKernelCost(gemm),
            *runs);
      })
      .Case([&](kernel::FlatUpdateOp update) {
        // No two of them are alike.
        std::string name = "update";
        for (unsigned i = 2; calls.contains(name) ||
                             SymbolTable::lookupNearestSymbolFrom(
                                 step, StringAttr::get(op->getContext(), name));
             ++i)
          name = "update_" + std::to_string(i);
        add(op, name, "kernel", op->getLoc(), getKernelCost(update), *runs);
      });
  return success();
}

SmallVector<StepCall> CallList::take() {
  SmallVector<StepCall> list;
  for (auto &[key, call] : calls) {
    call.sources = listLines(locations[key]);
    list.push_back(std::move(call));
  }
  return list;
}

FailureOr<SmallVector<StepCall>> accrue::listStepCalls(func::FuncOp step) {
  CallList list(step);
  WalkResult result = step.walk([&](Operation *op) {
    return failed(list.add(op)) ? WalkResult::interrupt()
                                : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return list.take();
}
