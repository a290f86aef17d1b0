//===- BatchOpInterface.td - How the batch passes an op ----*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_INTERFACES_BATCHOPINTERFACE_TD
#define ACCRUE_INTERFACES_BATCHOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def BatchOpInterface : OpInterface<"BatchOpInterface"> {
  let cppNamespace = "::accrue";
  let description = [{
    The batch rule of an op: how the sample dimension of its operands passes
    through it. The analysis `BatchAnalysis` asks these methods and names no op.
    See `BatchState.h` for the vocabulary.
  }];
  let methods = [
    InterfaceMethod<
      [{
        The forward rule. `operands` has one state per operand, each either
        once or mapped, at least one mapped (partials are settled by the driver). Returns in which mode
        every operand has to be fetched, and the state of every result. Fails
        without emitting anything when the op has no exact rule; `reason`
        then says why, lower case, without a full stop.
      }],
      "::mlir::FailureOr<::accrue::BatchRule>", "inferBatchRule",
      (ins "::llvm::ArrayRef<::accrue::BatchState>":$operands,
           "std::string &":$reason)>,
    InterfaceMethod<
      [{
        For an op without a rule because samples that belong together lie
        apart: a number G such that it has one where every batch input starts
        as (outer * G, sample, inner / G), so that micro-batches take the same
        positions of G equal runs of samples. It multiplies the G of which
        `operands` come already. None where no such number helps.
      }],
      "std::optional<int64_t>", "getRequiredRuns",
      (ins "::llvm::ArrayRef<::accrue::BatchState>":$operands),
      /*methodBody=*/"", /*defaultImplementation=*/"return std::nullopt;">,
    InterfaceMethod<
      [{
        The forward rule where statistics over samples may be those of a
        micro-batch (`batch-norm=micro`), `operands` as in `inferBatchRule`;
        none for an op that has no such reading.
      }],
      "std::optional<::accrue::BatchRule>", "inferMicroBatchRule",
      (ins "::llvm::ArrayRef<::accrue::BatchState>":$operands),
      /*methodBody=*/"", /*defaultImplementation=*/"return std::nullopt;">,
    InterfaceMethod<
      [{
        The backward rule: the mode in which every operand has to be fetched
        so that the op, applied to slices, yields the slice `mode` of result
        `resultIndex`. None when a slice of the result is no function of
        slices of the operands; the driver then slices the whole result.
        Never adds a constraint on the micro-batch size.
      }],
      "std::optional<::llvm::SmallVector<::accrue::BatchState>>", "operandModes",
      (ins "unsigned":$resultIndex, "::accrue::MappedMode":$mode),
      /*methodBody=*/"", /*defaultImplementation=*/"return std::nullopt;">,
    InterfaceMethod<
      [{
        True when the results are jointly linear in the operands of
        `operandSet` with all other operands held fixed: f(x + y) = f(x) + f(y)
        for the tuple of these operands.
      }],
      "bool", "isLinearIn", (ins "const ::llvm::SmallBitVector &":$operandSet),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<
      [{
        The d for which the results get the factor c^d when operand `operand`
        gets the factor c, the others held fixed, for all numbers c but 0; none
        where there is no such d. 1 where the results are linear in the operand.
      }],
      "std::optional<int64_t>", "getDegreeIn", (ins "unsigned":$operand),
      /*methodBody=*/"", /*defaultImplementation=*/[{
        ::llvm::SmallBitVector set($_op->getNumOperands());
        set.set(operand);
        if ($_op.isLinearIn(set))
          return 1;
        return std::nullopt;
      }]>,
    InterfaceMethod<
      [{
        True when the op, applied as `rule` says, divides by an extent that
        counts samples. The divisor means the *logical* extent: applied to a
        micro-batch of m of B samples the op divides by m/B of it, and the
        driver multiplies by that weight.
      }],
      "bool", "dividesBySamples", (ins "const ::accrue::BatchRule &":$rule),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<
      [{
        For an op whose results are partial with a reducer other than a sum:
        builds the results for the whole batch from those of the micro-batches.
        `stacked` has one value per result of the op, the contributions of K
        micro-batches along a new first dimension, in order; `weights` is a
        tensor of K shares m/B. Fails where the op has no such merge.
      }],
      "::llvm::FailureOr<::llvm::SmallVector<::mlir::Value>>", "buildMerge",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$stacked,
           "::mlir::Value":$weights),
      /*methodBody=*/"", /*defaultImplementation=*/"return ::llvm::failure();">,
    InterfaceMethod<
      [{
        The constant value of the op's one result for a logical batch of
        `batch` samples; null when the batch does not make it a constant.
      }],
      "::mlir::Attribute", "getConstantForBatch", (ins "int64_t":$batch),
      /*methodBody=*/"", /*defaultImplementation=*/"return {};">
  ];
}

#endif // ACCRUE_INTERFACES_BATCHOPINTERFACE_TD
