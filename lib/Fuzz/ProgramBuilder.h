//===- ProgramBuilder.h - What productions of models share ------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that grows: its arguments, made when something wants them, and a
// pool of float values that productions read and extend. Every random choice is
// a statement of its own, since C++ leaves the order of arguments open.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_FUZZ_PROGRAMBUILDER_H
#define ACCRUE_LIB_FUZZ_PROGRAMBUILDER_H

#include "accrue/Dialect/NN/NNOps.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "runtime/io/Philox.h"

namespace accrue::fuzz {

using Shape = llvm::SmallVector<nn::Extent>;

/// Random numbers that are the same on every machine.
class Random {
public:
  Random(uint64_t seed, uint64_t stream) : seed(seed), stream(stream) {}

  /// In [0, n).
  int64_t below(int64_t n) {
    return io::philoxWords(seed, stream, counter++).first % n;
  }
  /// In [low, high].
  int64_t range(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }
  bool chance(int64_t percent) { return below(100) < percent; }
  template <typename T>
  T choose(std::initializer_list<T> choices) {
    return *(choices.begin() + below(choices.size()));
  }

private:
  uint64_t seed, stream, counter = 0;
};

class ProgramBuilder {
public:
  /// Appends to the empty block of `function`. Only with `isCoupled` do
  /// productions bring samples together.
  ProgramBuilder(mlir::func::FuncOp function, Random random, int64_t batch,
                 bool isCoupled);

  static mlir::RankedTensorType getType(mlir::Value value) {
    return llvm::cast<mlir::RankedTensorType>(value.getType());
  }
  static Shape getShape(mlir::Value value) {
    return nn::getExtents(getType(value));
  }
  static int64_t getRank(mlir::Value value) { return getType(value).getRank(); }
  static bool isBatched(const nn::Extent &extent) { return !extent.isStatic(); }
  static bool isBatched(mlir::Value value);
  /// The dimensions of `value` that depend on the batch, or do not.
  static llvm::SmallVector<int64_t> getBatchedDims(mlir::Value value);
  static llvm::SmallVector<int64_t> getStaticDims(mlir::Value value);
  static llvm::SmallVector<int64_t> getAllDims(mlir::Value value);

  /// A tensor type of f64, or of `element`.
  mlir::RankedTensorType makeType(llvm::ArrayRef<nn::Extent> shape,
                                  mlir::Type element = {});
  /// Whether a tensor of this shape is small enough, and none of its dimensions
  /// enumerates samples squared.
  bool fits(llvm::ArrayRef<nn::Extent> shape) const;
  /// A small extent; now and then the number of samples, as a number.
  nn::Extent drawExtent();
  /// A shape of an input: samples and up to `rank` - 1 other dimensions, the
  /// samples at a random place.
  Shape drawInputShape(int64_t rank);

  /// A parameter, batch input or state of this shape: a new one, or one that
  /// was made before. The shape of an input has one dimension of B samples.
  mlir::Value getParam(llvm::ArrayRef<nn::Extent> shape);
  mlir::Value getInput(llvm::ArrayRef<nn::Extent> shape,
                       mlir::Type element = {});
  /// Always a new one.
  mlir::BlockArgument addState(llvm::ArrayRef<nn::Extent> shape, double init);
  /// Seed and index of the logical batch, of which random numbers are a
  /// function.
  mlir::Value getRandomKey();

  /// A value of the pool: more likely one of the last, and one per sample.
  mlir::Value pick();
  /// One for which `accept` holds, or null.
  mlir::Value pick(llvm::function_ref<bool(mlir::Value)> accept);
  /// Adds to the pool. `magnitude` estimates the size of the elements; what is
  /// large gets bounded first.
  void add(mlir::Value value, double magnitude);
  double getMagnitude(mlir::Value value) const;

  mlir::Value splat(double value, llvm::ArrayRef<nn::Extent> shape);
  mlir::Value scale(mlir::Value value, double factor);
  /// `value` repeated along new dimensions so that it has `shape`, where its
  /// own shape is a part of it in order; null otherwise.
  mlir::Value broadcastTo(mlir::Value value, llvm::ArrayRef<nn::Extent> shape);
  /// `value` repeated along `dims` of `shape`.
  mlir::Value broadcast(mlir::Value value, llvm::ArrayRef<nn::Extent> shape,
                        llvm::ArrayRef<int64_t> dims);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<nn::Extent> shape);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> permutation);
  /// `value` with dimension `dim` as the last one.
  mlir::Value moveToEnd(mlir::Value value, int64_t dim);
  /// `value` with values in [-1, 1], positive values (at least 0.1 or so), or
  /// values in (0, 1).
  mlir::Value bound(mlir::Value value);
  mlir::Value makePositive(mlir::Value value);
  mlir::Value sigmoid(mlir::Value value);
  mlir::Value clampBelow(mlir::Value value, double least);
  /// Another value in the shape of `value`, of the pool or of arguments.
  mlir::Value partner(mlir::Value value);
  /// An i1 value of this shape.
  mlir::Value makeMask(llvm::ArrayRef<nn::Extent> shape);
  mlir::Value toFloat(mlir::Value value);
  /// The index along `dim`, as i32.
  mlir::Value makeIndex(llvm::ArrayRef<nn::Extent> shape, int64_t dim);
  /// Some of `dims`, at least one where there is one; in order.
  llvm::SmallVector<int64_t> drawSubset(llvm::ArrayRef<int64_t> dims);

  mlir::func::FuncOp function;
  mlir::ImplicitLocOpBuilder b;
  Random random;
  const int64_t batch;
  const bool isCoupled;
  /// A result depends on the order of samples.
  bool isOrdered = false;
  /// Random draws so far.
  int64_t sites = 0;
  /// All parameters.
  llvm::SmallVector<mlir::Value> params;

private:
  mlir::BlockArgument addArgument(mlir::RankedTensorType type, train::Role role,
                                  const llvm::Twine &name,
                                  llvm::ArrayRef<mlir::NamedAttribute> more);

  llvm::SmallVector<mlir::Value> values;
  llvm::DenseMap<mlir::Value, double> magnitudes;
  llvm::SmallVector<mlir::Value> inputs;
  mlir::Value randomKey;
  int64_t states = 0;
};

/// A production: how often it is drawn, and what adds to the pool. It may find
/// nothing to work on and add nothing.
struct Production {
  int64_t weight;
  void (*apply)(ProgramBuilder &program);
};

/// By family. Those of `getCouplingProductions` bring samples together.
llvm::ArrayRef<Production> getElementwiseProductions();
llvm::ArrayRef<Production> getShapeProductions();
llvm::ArrayRef<Production> getLayerProductions();
llvm::ArrayRef<Production> getIndexProductions();
llvm::ArrayRef<Production> getCouplingProductions();

/// A function of some sums over samples, of any static shape.
mlir::Value buildStatistic(ProgramBuilder &program);

/// Loss, metrics, outputs and state, and the marks of the results.
void buildResults(ProgramBuilder &program);

} // namespace accrue::fuzz

#endif // ACCRUE_LIB_FUZZ_PROGRAMBUILDER_H
