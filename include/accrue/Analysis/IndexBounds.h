//===- IndexBounds.h - Valid values of integer inputs ----------*- C++ -*--===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What values the elements of an integer batch input may have: labels below the
// number of classes, tokens below the size of the vocabulary. The ops that read
// indices say so (ReferenceOpInterface::getIndexBound); the analysis finds out
// which elements of the input reach them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_ANALYSIS_INDEXBOUNDS_H
#define ACCRUE_ANALYSIS_INDEXBOUNDS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallVector.h"

namespace accrue {

/// Elements [begin, end) of every sample, counted in C order without the batch
/// dimension, have to be in [0, bound), as `reader` reads them.
struct IndexBound {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t bound = 0;
  mlir::Operation *reader = nullptr;
};

/// The bounds of the elements of `input`, a batch input of the model or step
/// `function` whose dimension `batchDim` enumerates samples, ordered and
/// without overlap. An element that several ops read has the smallest of their
/// bounds; one that only takes part in a computation (a comparison, a
/// selection) has none.
llvm::SmallVector<IndexBound> getIndexBounds(mlir::func::FuncOp function,
                                             mlir::BlockArgument input,
                                             int64_t batchDim);

/// "cross_entropy at digits.acr:12:8".
std::string describeReader(const IndexBound &bound);

} // namespace accrue

#endif // ACCRUE_ANALYSIS_INDEXBOUNDS_H
