//===- Lowerings.h - nn ops as structured ops -------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowerings of the nn ops, one file per family. A family's function returns
// none for an op of another family, and null after an error.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_CONVERSION_NNTOLINALG_LOWERINGS_H
#define ACCRUE_LIB_CONVERSION_NNTOLINALG_LOWERINGS_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include <optional>

namespace accrue {

/// Builds one scalar from one scalar per operand.
using ScalarBody = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// Builds structured ops at one place, with scalar bodies written as lambdas.
struct Lowering {
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::MLIRContext *context;

  Lowering(mlir::OpBuilder &builder, mlir::Location loc)
      : b(builder), loc(loc), context(builder.getContext()) {}

  static mlir::RankedTensorType typeOf(mlir::Value value) {
    return llvm::cast<mlir::RankedTensorType>(value.getType());
  }

  /// The identity on `rank` dimensions without the dimensions `dropped`.
  mlir::AffineMap mapWithout(int64_t rank, llvm::ArrayRef<int64_t> dropped);
  mlir::AffineMap identity(int64_t rank) { return mapWithout(rank, {}); }

  /// A tensor of `type` from elements of `inputs` at `maps`, independently.
  mlir::Value map(mlir::RankedTensorType type, mlir::ValueRange inputs,
                  llvm::ArrayRef<mlir::AffineMap> maps, ScalarBody body);
  /// The same with all inputs read at the place of the result.
  mlir::Value map(mlir::RankedTensorType type, mlir::ValueRange inputs,
                  ScalarBody body);

  /// Reduces `dims` of the space of `inputs[0]`. `body` maps elements of the
  /// inputs and the value so far (last) to the new value.
  mlir::Value reduce(mlir::RankedTensorType type, mlir::ValueRange inputs,
                     llvm::ArrayRef<mlir::AffineMap> maps,
                     llvm::ArrayRef<int64_t> dims, mlir::TypedAttr init,
                     ScalarBody body);

  /// The largest, or smallest, element over `dims`; NaN if any is.
  mlir::Value max(mlir::Value input, mlir::RankedTensorType type,
                  llvm::ArrayRef<int64_t> dims);
  mlir::Value min(mlir::Value input, mlir::RankedTensorType type,
                  llvm::ArrayRef<int64_t> dims);
};

/// The place of an op whose result is called `name`, in emitted code too.
mlir::Location as(llvm::StringRef name, mlir::Location loc);

/// The number of indices of the dimensions `dims` of `type`.
double getExtent(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> dims);

mlir::Value createFloat(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                        double value);
/// `value` as an element of `type`, float or integer.
mlir::Value createNumber(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Type type, double value);
mlir::Value createNaN(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type);

/// What the maximum of no elements of `type` is: minus infinity, or the
/// smallest integer.
mlir::TypedAttr getLowest(mlir::Builder &b, mlir::Type type);

/// Elementwise.cpp: elementwise ops, constants.
std::optional<mlir::Value> lowerElementwise(Lowering &lowering,
                                            mlir::Operation *op);
/// Shapes.cpp: repetitions and movements.
std::optional<mlir::Value> lowerShape(Lowering &lowering, mlir::Operation *op);
/// Indexing.cpp
std::optional<mlir::Value> lowerIndexing(Lowering &lowering,
                                         mlir::Operation *op);
/// Reductions.cpp
std::optional<mlir::Value> lowerReduction(Lowering &lowering,
                                          mlir::Operation *op);
/// Windows.cpp
std::optional<mlir::Value> lowerWindow(Lowering &lowering, mlir::Operation *op);
/// Losses.cpp
std::optional<mlir::Value> lowerLoss(Lowering &lowering, mlir::Operation *op);
/// Random.cpp
std::optional<mlir::Value> lowerRandom(Lowering &lowering, mlir::Operation *op);

/// Builds the value of the only result of `op`, an nn op on tensors of static
/// shape, from linalg and tensor ops. Null after an error.
mlir::Value lowerToLinalg(mlir::OpBuilder &builder, mlir::Operation *op);

} // namespace accrue

#endif // ACCRUE_LIB_CONVERSION_NNTOLINALG_LOWERINGS_H
