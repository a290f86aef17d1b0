//===- Emitter.h - CUDA text ------------------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The printer of the exit level: expressions (Expressions.cpp), statements
// (Statements.cpp), the calls of steps (Calls.cpp), lines (Writer.cpp) and the
// sections of a program (Source.cpp, Interface.cpp, Header.cpp). It spells what
// the passes have decided and refuses everything else.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_TARGET_CUDA_EMITTER_H
#define ACCRUE_LIB_TARGET_CUDA_EMITTER_H

#include "accrue/Dialect/CUDA/CUDAOps.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace accrue::cuda {

/// How tightly operators bind, loosest first.
enum class Precedence {
  Conditional,
  Or,
  And,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Relational,
  Shift,
  Additive,
  Multiplicative,
  Unary,
  Primary
};

/// The text of an expression and its outermost operator.
struct Expression {
  std::string text;
  Precedence precedence = Precedence::Primary;
};

/// The C++ name of `type`, or an error at `loc`. `index` has `indexBits` bits.
llvm::FailureOr<llvm::StringRef>
getTypeName(mlir::Type type, mlir::Location loc, int64_t indexBits = 64);

/// Whether `type` is f16 or bf16, which only CUDA's own headers know.
inline bool isHalf(mlir::Type type) { return type.isF16() || type.isBF16(); }

/// The name of `type` for C on the host, where f16 and bf16 are their bits.
llvm::FailureOr<llvm::StringRef> getHostTypeName(mlir::Type type,
                                                 mlir::Location loc);

/// The name of `type` in comments, as `f32[5, 3]`.
std::string describeType(mlir::RankedTensorType type);

/// A float that reads back as exactly `value`, of type float or double.
std::string getFloatLiteral(const llvm::APFloat &value, bool isDouble);

/// Lines of text; `formatText` lays them out.
class Writer {
public:
  explicit Writer(llvm::raw_ostream &os) : os(os) {}

  void line(const llvm::Twine &text = "");
  /// One line without indentation.
  void verbatim(llvm::StringRef text) { os << text << '\n'; }
  /// Lines of a `//` comment.
  void comment(const llvm::Twine &text);
  void open(const llvm::Twine &text) {
    line(text);
    ++depth;
  }
  /// Ends a block and begins the next one.
  void reopen(const llvm::Twine &text) {
    close(text);
    ++depth;
  }
  void close(const llvm::Twine &text = "}") {
    --depth;
    line(text);
  }

private:
  llvm::raw_ostream &os;
  unsigned depth = 0;
};

/// What a program is made of: the planned functions of a module and what they
/// share.
class Program {
public:
  struct Entry {
    /// A copy: ops are handles.
    mlir::func::FuncOp getFunction() const { return function; }

    mlir::func::FuncOp function;
    kernel::PlanAttr plan;
    /// What the function is run for; a step unless it says otherwise.
    train::ProgramKind kind = train::ProgramKind::step;
    /// `mlp_step`, `mlp_step_413`, `mlp_gradients`, `mlp_evaluate`.
    std::string name;
    /// What is captured.
    GraphMode graphs = GraphMode::none;
    int64_t batch = 0;
  };
  /// A buffer that users can see, by its place. Outputs of different entries
  /// may lie at different places, and share bytes.
  struct Tensor {
    kernel::BufferPlanAttr plan;
    llvm::StringRef slot;
    /// The entries that have it; bit i is that of entry i.
    uint32_t entries = 0;
  };

  /// Collects the planned functions of `module`; an error where there is none,
  /// or where they do not share their state.
  static llvm::FailureOr<Program> get(mlir::ModuleOp module,
                                      llvm::StringRef name);

  /// Parts of the arena of the inputs.
  int64_t getStaging() const { return entries.front().plan.getStaging(); }

  /// Whether an input holds indices that are checked.
  bool hasIndexBounds() const;

  /// The model's name as an identifier.
  std::string name;
  llvm::SmallVector<Entry> entries;
  /// Bytes of every arena that an entry uses: the most that one needs.
  llvm::SmallVector<std::pair<kernel::Arena, int64_t>> arenas;
  /// Parameters, gradients, slots, state, results.
  llvm::SmallVector<Tensor> tensors;
  /// Scalars among the results: loss, norm, finite flag, learning rate,
  /// metrics; and the counter of steps. One by name.
  llvm::SmallVector<Tensor> results;
  /// Plans of matrix products.
  llvm::SmallVector<GemmPlanOp> matmuls;
};

/// Prints the bodies of kernels and steps.
class BodyEmitter {
public:
  BodyEmitter(Writer &writer, llvm::StringRef kernelNamespace)
      : writer(writer), kernelNamespace(kernelNamespace) {}

  llvm::LogicalResult emitKernel(KernelOp kernel);
  llvm::LogicalResult emitTable(RangesOp table);
  /// The functions of the segments of `entry`, then its own.
  llvm::LogicalResult emitStep(const Program &program,
                               const Program::Entry &entry);
  /// The function of a segment of `entry`.
  llvm::LogicalResult emitSegment(const Program &program,
                                  const Program::Entry &entry,
                                  SegmentOp segment);

private:
  // Expressions.cpp
  llvm::FailureOr<Expression> getExpression(mlir::Value value);
  llvm::FailureOr<Expression> getDefinition(mlir::Operation *op);
  /// The text of `value` as an operand that has to bind at least like `least`.
  llvm::FailureOr<std::string> getOperand(mlir::Value value, Precedence least);
  llvm::FailureOr<std::string> getText(mlir::Value value) {
    return getOperand(value, Precedence::Conditional);
  }
  llvm::FailureOr<Expression> getBinary(mlir::Operation *op,
                                        llvm::StringRef symbol,
                                        Precedence precedence, Precedence left,
                                        Precedence right);
  llvm::FailureOr<Expression> getCall(mlir::Operation *op,
                                      const llvm::Twine &callee);
  llvm::FailureOr<Expression> getMathCall(mlir::Operation *op,
                                          llvm::StringRef callee);
  llvm::FailureOr<Expression> getCast(mlir::Operation *op);
  llvm::FailureOr<Expression> getCompare(mlir::Operation *op);
  llvm::FailureOr<Expression> getConstant(mlir::Operation *op);
  llvm::FailureOr<Expression> getLaunchIndex(mlir::Operation *op,
                                             llvm::StringRef name);
  llvm::FailureOr<Expression> getElement(mlir::Value buffer, mlir::Value index);

  // Statements.cpp
  llvm::LogicalResult emitBlock(mlir::Block &block);
  llvm::LogicalResult emitStatement(mlir::Operation *op);
  llvm::LogicalResult emitVariable(mlir::Operation *op);
  llvm::LogicalResult emitFor(mlir::Operation *op);
  llvm::LogicalResult emitIf(mlir::Operation *op);
  llvm::LogicalResult emitReduce(mlir::Operation *op);
  /// Assigns `values` to the variables `targets`, all at once.
  llvm::LogicalResult emitAssignments(llvm::ArrayRef<std::string> targets,
                                      mlir::OperandRange values);
  /// Whether `value` is written out as variable `target` plus one operand.
  bool isSumOf(mlir::Value value, llvm::StringRef target);

  // Calls.cpp
  llvm::LogicalResult emitBuffer(mlir::Operation *op);
  llvm::LogicalResult emitPart(PartOp op);
  llvm::LogicalResult emitLaunch(LaunchOp launch);
  llvm::LogicalResult emitFill(FillOp fill);
  llvm::LogicalResult emitMemcpy(MemcpyOp copy);
  llvm::LogicalResult emitMemcpy2D(Memcpy2DOp copy);
  // Matmul.cpp
  llvm::LogicalResult emitGemm(GemmOp gemm);
  // Steps.cpp
  llvm::LogicalResult emitSegment(SegmentOp segment);
  llvm::LogicalResult emitEntry();
  llvm::LogicalResult emitCall(CallOp call);
  /// A call of member `function` of the streams.
  llvm::LogicalResult emitStaging(llvm::StringRef function, mlir::Value part);

  /// `ACCRUE_CHECK(callee(arguments));`
  void emitCheckedCall(llvm::StringRef callee,
                       llvm::ArrayRef<std::string> arguments);

  /// The identifier of `value` that the passes chose, or an empty string.
  std::string getName(mlir::Value value);
  llvm::FailureOr<llvm::StringRef> getTypeName(mlir::Type type,
                                               mlir::Location loc) {
    return cuda::getTypeName(type, loc, indexBits);
  }

  Writer &writer;
  llvm::StringRef kernelNamespace;
  std::string matmulNamespace;
  /// What the step belongs to that is printed.
  const Program *program = nullptr;
  const Program::Entry *entry = nullptr;
  /// Bits of `index` in the function that is printed.
  int64_t indexBits = 64;
};

/// What the result `tensor` is; null for state.
train::ResultKindAttr getResultKind(const Program::Tensor &tensor);

/// "one optimizer step of 512 samples".
std::string describeEntry(const Program::Entry &entry);

/// The first line of a file.
void emitBanner(Writer &writer, llvm::StringRef file, llvm::StringRef subject);

/// `int mlp_step(mlp *model, const float *x)`, or an error.
llvm::FailureOr<std::string> getDeclaration(const Program &program,
                                            const Program::Entry &entry);

/// "float[10][3]": the elements of `type` in C.
llvm::FailureOr<std::string> getArrayType(mlir::RankedTensorType type,
                                          mlir::Location loc);

/// Whether what lies in `arena` lives from one step to the next.
bool isPersistent(kernel::Arena arena);

// Matmul.cpp

/// The namespace of the plans of matrix products.
std::string getMatmulNamespace(llvm::StringRef program);

/// The table of the matrix products.
llvm::LogicalResult emitMatmuls(Writer &writer, const Program &program);

// Steps.cpp

/// The struct of a model.
void emitModel(Writer &writer, const Program &program);

/// Creation and destruction of a model.
void emitLifetime(Writer &writer, const Program &program);

// Benchmark.cpp

/// A `main` that measures the first step, whose largest micro-batch has
/// `microBatch` samples, and its isolated calls.
llvm::LogicalResult emitBenchmark(Writer &writer, BodyEmitter &body,
                                  const Program &program, mlir::ModuleOp module,
                                  int64_t microBatch);

// Interface.cpp

/// The first call of an entry: checks what it is given, and notes that it runs.
void emitBegin(Writer &writer, const Program &program,
               const Program::Entry &entry);

/// The table of the tensors that users can see.
void emitTensors(Writer &writer, const Program &program);

/// `mlp_set_parameter` and the like: name lookups with the table.
void emitAccessors(Writer &writer, const Program &program);

} // namespace accrue::cuda

#endif // ACCRUE_LIB_TARGET_CUDA_EMITTER_H
