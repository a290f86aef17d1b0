//===- BufferizableOpInterfaceImpl.cpp - Kernel ops on buffers ------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All ops with destinations bufferize alike: operands become buffers, the
// results are the destinations' buffers, bodies stay as they are. They differ
// in which destinations they read.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Kernel/BufferizableOpInterfaceImpl.h"
#include "accrue/Dialect/Kernel/KernelOps.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace accrue;
using namespace accrue::kernel;

/// Whether a destination's old value matters.
static bool readsDestination(GroupOp op, OpOperand &operand) {
  return !op.getBody().getArgument(operand.getOperandNumber()).use_empty();
}
static bool readsDestination(GemmOp op, OpOperand &) {
  return !matchPattern(op.getBeta(), m_AnyZeroFloat());
}
static bool readsDestination(ScatterAddOp op, OpOperand &) {
  return !matchPattern(op.getOverwrite(), m_One());
}
static bool readsDestination(LoadInputOp, OpOperand &) { return false; }
static bool readsDestination(NormOp, OpOperand &) { return false; }
static bool readsDestination(UpdateOp, OpOperand &) { return true; }

namespace {
template <typename OpTy>
struct DestinationModel
    : public DstBufferizableOpInterfaceExternalModel<DestinationModel<OpTy>,
                                                     OpTy> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    auto destination = cast<DestinationStyleOpInterface>(op);
    return !destination.isDpsInit(&operand) ||
           readsDestination(cast<OpTy>(op), operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    SmallVector<Value> operands, destinations;
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (isa<TensorType>(value.getType())) {
        FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
        if (failed(buffer))
          return failure();
        value = *buffer;
      }
      operands.push_back(value);
      if (cast<DestinationStyleOpInterface>(op).isDpsInit(&operand))
        destinations.push_back(value);
    }
    Operation *bufferized = Operation::create(
        op->getLoc(), op->getName(), TypeRange{}, operands,
        op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
        BlockRange{}, op->getNumRegions());
    for (auto [source, target] :
         llvm::zip(op->getRegions(), bufferized->getRegions()))
      target.takeBody(source);
    rewriter.insert(bufferized);
    replaceOpWithBufferizedValues(rewriter, op, destinations);
    return success();
  }
};

struct AllocModel
    : public BufferizableOpInterface::ExternalModel<AllocModel, AllocOp> {
  bool bufferizesToAllocation(Operation *, Value) const { return true; }
  bool resultBufferizesToMemoryWrite(Operation *, OpResult,
                                     const AnalysisState &) const {
    return false;
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &,
                          BufferizationState &) const {
    auto alloc = cast<AllocOp>(op);
    auto type = dyn_cast<RankedTensorType>(alloc.getResult().getType());
    if (!type)
      return success();
    auto bufferized = AllocOp::create(
        rewriter, op->getLoc(),
        MemRefType::get(type.getShape(), type.getElementType()),
        alloc.getNameAttr(), alloc.getArena(), alloc.getInfoAttr());
    bufferized->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    replaceOpWithBufferizedValues(rewriter, op, bufferized.getResult());
    return success();
  }
};
} // namespace

void kernel::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, KernelDialect *) {
    AllocOp::attachInterface<AllocModel>(*context);
    GemmOp::attachInterface<DestinationModel<GemmOp>>(*context);
    GroupOp::attachInterface<DestinationModel<GroupOp>>(*context);
    LoadInputOp::attachInterface<DestinationModel<LoadInputOp>>(*context);
    NormOp::attachInterface<DestinationModel<NormOp>>(*context);
    ScatterAddOp::attachInterface<DestinationModel<ScatterAddOp>>(*context);
    UpdateOp::attachInterface<DestinationModel<UpdateOp>>(*context);
  });
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
}
