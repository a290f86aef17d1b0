//===- ElementEvaluator.h - Elements of tensors on demand -------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generates the scalar code for single elements of the tensors that a body of
// linalg ops defines: asked for an element, it asks the defining op for the
// elements of its operands. Nothing is stored in between. Code is placed in
// the outermost loop whose indices it needs, and made once per iteration of
// that loop, so a reduction along a row is computed once per row.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_DIALECT_KERNEL_TRANSFORMS_ELEMENTEVALUATOR_H
#define ACCRUE_LIB_DIALECT_KERNEL_TRANSFORMS_ELEMENTEVALUATOR_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace mlir::linalg {
class GenericOp;
} // namespace mlir::linalg

namespace accrue::kernel {

class ElementEvaluator {
public:
  /// Tensors are defined in `source`, whose arguments are the tensors behind
  /// the buffers that are the arguments of `target`; code goes to `target`,
  /// which has a terminator. With `flat`, every tensor has one index, whatever
  /// its rank.
  ElementEvaluator(mlir::Block &source, mlir::Block &target, bool flat);

  /// Opens a parallel loop nest over `shape` in the current one; what follows
  /// goes into it.
  void enterParallel(mlir::Location loc, llvm::ArrayRef<int64_t> shape);
  void leaveParallel();

  /// Indices of all open loops, outermost first.
  llvm::ArrayRef<mlir::Value> getIndices() const { return indices; }

  /// The element of `tensor` at `at`; null after an error.
  mlir::Value evaluate(mlir::Value tensor, llvm::ArrayRef<mlir::Value> at);

  /// `at` plus `offsets`, constants or scalars of the source.
  llvm::SmallVector<mlir::Value>
  shift(mlir::Location loc, llvm::ArrayRef<mlir::Value> at,
        llvm::ArrayRef<mlir::OpFoldResult> offsets);

  /// Stores `scalar` in the innermost open loop.
  void store(mlir::Location loc, mlir::Value scalar, mlir::Value buffer,
             llvm::ArrayRef<mlir::Value> at);

private:
  /// A loop that is being filled.
  struct Scope {
    /// Code goes before this op.
    mlir::Operation *end;
    size_t outerIndices = 0;
    std::map<std::pair<void *, std::vector<void *>>, mlir::Value> elements;
  };

  mlir::Value compute(mlir::Value tensor, llvm::ArrayRef<mlir::Value> at);
  mlir::Value computeGeneric(mlir::linalg::GenericOp op,
                             llvm::ArrayRef<mlir::Value> at);
  mlir::Value computeReduction(mlir::linalg::GenericOp op,
                               llvm::MutableArrayRef<mlir::Value> iterators,
                               llvm::ArrayRef<mlir::Value> at);
  /// Values of the body's arguments for these iterators.
  llvm::LogicalResult mapOperands(mlir::linalg::GenericOp op,
                                  llvm::ArrayRef<mlir::Value> iterators,
                                  mlir::IRMapping &mapping);
  /// The image of a scalar `value` of a body; clones what computes it.
  mlir::Value getScalar(mlir::Value value,
                        llvm::ArrayRef<mlir::Value> iterators,
                        mlir::IRMapping &mapping);

  /// How many loops `value` depends on.
  unsigned getLevel(mlir::Value value) const { return levels.lookup(value); }
  unsigned getLevel(mlir::ValueRange values) const;
  /// A builder that places code in the loop of `level`.
  mlir::OpBuilder getBuilder(unsigned level);
  mlir::Value setLevel(mlir::Value value, unsigned level);
  mlir::Value createIndex(int64_t value);

  mlir::Value createMultiple(mlir::Location loc, mlir::Value index,
                             int64_t factor);
  mlir::Value createSum(mlir::Location loc, mlir::Value a, mlir::Value b);
  mlir::Value createQuotient(mlir::Location loc, mlir::Value index,
                             int64_t divisor);
  mlir::Value createRemainder(mlir::Location loc, mlir::Value index,
                              int64_t divisor);

  mlir::Block &source;
  mlir::Block &target;
  bool flat;
  std::vector<Scope> scopes;
  llvm::SmallVector<mlir::Value> indices;
  llvm::DenseMap<mlir::Value, unsigned> levels;
  llvm::DenseMap<int64_t, mlir::Value> constants;
};

} // namespace accrue::kernel

#endif // ACCRUE_LIB_DIALECT_KERNEL_TRANSFORMS_ELEMENTEVALUATOR_H
