//===- KernelFormer.h - Conversion of one function to kernels ---*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// State and steps of `form-kernels`. The function is rebuilt from its old
// body, block by block: `mapping` takes values of the old body to tensors that
// are stored, values that never leave a kernel have no image.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_CONVERSION_FORMKERNELS_KERNELFORMER_H
#define ACCRUE_LIB_CONVERSION_FORMKERNELS_KERNELFORMER_H

#include "accrue/Analysis/FusionGroups.h"
#include "accrue/Dialect/Kernel/KernelOps.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "accrue/Dialect/Train/TrainOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include <string>

namespace accrue {

/// Name, arena and description of the buffer of a value.
struct Place {
  std::string name;
  kernel::Arena arena = kernel::Arena::activations;
  mlir::DictionaryAttr info;
};

/// What a contribution of a micro-batch is combined into.
struct Accumulator {
  /// The old value, a tensor; its buffer receives the new one.
  mlir::Value tensor;
  train::Reducer reducer = train::Reducer::sum;
  /// An i1 that is true in the iteration that overwrites; null where that is
  /// known: see `overwrites`.
  mlir::Value first;
  bool overwrites = false;
  /// Of a concatenation: where the samples of the contribution start, along
  /// `dim`, which is in row-major order (outer, samples).
  mlir::Value offset;
  int64_t dim = 0, outer = 1;
  /// Where the buffer is.
  Place place;
};

class KernelFormer {
public:
  explicit KernelFormer(mlir::func::FuncOp function)
      : function(function), builder(function.getContext()) {}

  llvm::LogicalResult run();

private:
  // FormKernels.cpp: the function.
  void computePlaces();
  void setPlace(mlir::Value value, const Place &place);
  /// What the group of `value` may overwrite with it; null where nothing.
  mlir::Value findOverwritten(mlir::Value value,
                              const FusionGroups &groups) const;
  llvm::LogicalResult lowerReturn(mlir::func::ReturnOp op);
  /// Makes the results that free ops compute from arguments; called before
  /// arguments are overwritten.
  llvm::LogicalResult buildFreeResults(mlir::func::ReturnOp op);
  mlir::Value createResult(mlir::func::ReturnOp op, unsigned index,
                           mlir::Value value);
  /// Makes `gradientImages`; called by whatever reads all gradients first.
  llvm::LogicalResult buildGradients(mlir::Location loc);
  Place getPlace(mlir::Value value) const;
  std::string getScope(mlir::Operation *op) const;

  // Groups.cpp: blocks, groups, products.

  /// Lowers the ops of `block`; `values` receives the images of the
  /// terminator's operands. Where `accumulators` has an entry per operand,
  /// these are the accumulators after combination.
  llvm::LogicalResult lowerBlock(mlir::Block &block,
                                 llvm::ArrayRef<Accumulator> accumulators,
                                 llvm::SmallVectorImpl<mlir::Value> &values);
  llvm::LogicalResult lowerGroup(const FusionGroup &group);
  llvm::LogicalResult verifyGroup(const FusionGroup &group);
  bool overwritesArgument(const FusionGroup &group) const;
  void orderOverwriting(llvm::SmallVectorImpl<const FusionGroup *> &groups);
  llvm::LogicalResult lowerContraction(mlir::Operation *op);
  llvm::LogicalResult lowerProduct(nn::MatmulOp matmul);

  // Sums.cpp: sums by index, sums of sums.
  llvm::LogicalResult lowerScatter(nn::ScatterAddOp scatter);

  /// Where `value`, which is combined into `accumulator`, is a sum of products
  /// and of sums by index, each of these terms is added to the accumulator by
  /// its own kernel.
  void addTerms(mlir::Value value, const Accumulator &accumulator,
                const FusionGroups &groups);
  /// After the lowering of `op`: what is added next to the same accumulator
  /// continues from here.
  void finishTerm(mlir::Operation *op);

  /// The image of `value`; makes free ops real where something that is no
  /// group reads them. Null after an error.
  mlir::Value getValue(mlir::Value value);
  /// Forgets the images of free ops that were made since.
  void dropImages();
  mlir::Value createAlloc(mlir::Location loc, mlir::Type type,
                          const Place &place);
  /// The destination for `value`: its accumulator, the argument that it
  /// updates, or a new buffer.
  mlir::Value createDestination(mlir::Value value);
  /// An elementwise group that copies `value` into `destination`.
  mlir::Value createCopy(mlir::Location loc, mlir::Value value,
                         mlir::Value destination);
  /// A group whose body `build` writes: it maps the block's arguments to the
  /// values of the destinations.
  kernel::GroupOp
  createGroup(mlir::Location loc, llvm::StringRef name,
              kernel::Schedule schedule, mlir::ValueRange inputs,
              mlir::ValueRange outs,
              llvm::function_ref<llvm::SmallVector<mlir::Value>(
                  mlir::OpBuilder &, mlir::Block::BlockArgListType,
                  mlir::Block::BlockArgListType)>
                  build);
  /// `contribution` combined into the old value `old`, in the body of a group.
  mlir::Value combine(mlir::OpBuilder &bodyBuilder, mlir::Location loc,
                      const Accumulator &accumulator, mlir::Value first,
                      mlir::Value old, mlir::Value contribution);
  /// A kernel that combines `value`, which is stored, into `accumulator`.
  mlir::Value createCombination(mlir::Location loc, mlir::Value value,
                                const Accumulator &accumulator);
  mlir::Value createConcatenation(mlir::Location loc, mlir::Value value,
                                  const Accumulator &accumulator);
  /// Marks `op` when it belongs to a recomputation.
  void mark(mlir::Operation *op);

  // Loops.cpp: micro-batches.
  llvm::LogicalResult lowerAccumulate(train::AccumulateOp op);
  llvm::LogicalResult lowerRecompute(train::RecomputeOp op);
  mlir::Value createSlice(mlir::Location loc, mlir::Value source,
                          MappedMode mode, mlir::Value offset, int64_t size,
                          int64_t of, mlir::RankedTensorType type);
  mlir::Value createLoad(mlir::Location loc, mlir::BlockArgument argument,
                         MappedMode mode, mlir::Value offset, int64_t size,
                         int64_t of, mlir::RankedTensorType type);

  // Optimizer.cpp: what follows the loops.
  llvm::LogicalResult lowerOther(mlir::Operation *op);
  llvm::LogicalResult lowerNorm(train::GlobalNormOp op);
  llvm::LogicalResult lowerAllFinite(train::AllFiniteOp op);
  llvm::LogicalResult lowerSchedule(train::ScheduleOp op);
  llvm::LogicalResult lowerUpdate(train::FusedUpdateOp op);

  // ScaledUpdate.cpp: updates with a scale per parameter.

  /// The update of parameter `index` by two kernels of its own. `scalars` are
  /// the images of completed, factor, finite and, where it is given, norm. The
  /// new parameter and slots are mapped.
  llvm::LogicalResult lowerScaledUpdate(train::FusedUpdateOp op, unsigned index,
                                        unsigned firstSlot,
                                        mlir::ValueRange scalars);

  mlir::func::FuncOp function;
  mlir::OpBuilder builder;
  mlir::IRMapping mapping;
  /// Index of every batch argument among the inputs.
  llvm::DenseMap<mlir::Value, unsigned> inputIndex;
  llvm::DenseMap<mlir::Value, Place> places;
  /// The gradients of the update, or those that are results: value, and place
  /// of its own in the arena.
  llvm::SmallVector<std::pair<mlir::Value, Place>> gradients;
  /// The gradients in these places; empty until they are built.
  llvm::SmallVector<mlir::Value> gradientImages;
  /// Values that replace an argument of the function.
  llvm::DenseMap<mlir::Value, mlir::BlockArgument> updates;
  /// Values that are computed in the place of another one.
  llvm::DenseMap<mlir::Value, mlir::Value> overwritten;
  /// Results that were made early, by their index.
  llvm::DenseMap<unsigned, mlir::Value> returned;
  /// Accumulators of the current block, by the value that is combined.
  llvm::DenseMap<mlir::Value, Accumulator> accumulatorOf;
  /// Additions that are done by the kernels of their terms, by op, and these
  /// terms: the sum that the accumulator gets.
  llvm::DenseMap<mlir::Operation *, mlir::Value> sumOf, termOf;
  /// Images of constants and views made in the current block.
  llvm::SmallVector<mlir::Value> scoped;
  /// Images of other free ops, such as repetitions and windows, and views of
  /// them, made for the current op. They may be many times as large as their
  /// source, so the next op that reads one makes it again.
  llvm::SmallSetVector<mlir::Value, 4> transient;
  /// The id of the recomputation that is being lowered.
  mlir::IntegerAttr recompute;
};

/// What the kernel of `group` computes: the ops of the group and the free ops
/// that they read, but those that `isMade` says are stored. `leaves` receives
/// what is read from memory.
llvm::SetVector<mlir::Operation *>
getComputed(const FusionGroup &group,
            llvm::function_ref<bool(mlir::Value)> isMade,
            llvm::SetVector<mlir::Value> &leaves);

/// Whether all ops of `computed` that depend on `value` read it at the place
/// of what they compute: then it can be overwritten element by element.
/// `readers` receives these ops.
bool isReadInPlace(mlir::Value value,
                   const llvm::SetVector<mlir::Operation *> &computed,
                   llvm::SmallPtrSetImpl<mlir::Operation *> &readers);

/// The value whose bytes `value` shows: behind views.
mlir::Value getViewSource(mlir::Value value);

/// `value` seen as `type`: the same elements in row-major order.
mlir::Value createReshape(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value value, mlir::RankedTensorType type);

} // namespace accrue

#endif // ACCRUE_LIB_CONVERSION_FORMKERNELS_KERNELFORMER_H
