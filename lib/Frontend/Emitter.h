//===- Emitter.h - From syntax tree to nn ops -------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates the body of a model. Static values are computed on the spot,
// tensors become ops; functions are inlined, loops unrolled, and scopes prefix
// the names of parameters. After an error an expression evaluates to *nothing*,
// which everything that uses it passes on silently, so that each mistake is
// reported once.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_FRONTEND_EMITTER_H
#define ACCRUE_LIB_FRONTEND_EMITTER_H

#include "TensorBuilder.h"
#include "accrue/Frontend/AST.h"
#include "accrue/Frontend/Frontend.h"
#include "accrue/Frontend/SourceLocations.h"
#include "accrue/Frontend/StaticValue.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace accrue::frontend {

/// The type that a model file calls `name`, or null.
mlir::Type findElementType(llvm::StringRef name, mlir::MLIRContext *context);

/// `batch` and the element types cannot be names of variables.
bool isReservedName(llvm::StringRef name, mlir::MLIRContext *context);

/// What an expression evaluates to: a static value, a tensor, a list with
/// tensors in it, or nothing after an error.
class Term {
public:
  using List = std::vector<Term>;

  Term() = default;
  /*implicit*/ Term(StaticValue value) : value(std::move(value)) {}
  /// A list of static values only is a static value.
  static Term fromList(List elements);
  /*implicit*/ Term(mlir::Value tensor) {
    if (tensor)
      value = tensor;
  }

  bool isNothing() const {
    return std::holds_alternative<std::monostate>(value);
  }
  /// Null unless the value is static.
  const StaticValue *getStatic() const {
    return std::get_if<StaticValue>(&value);
  }
  /// Null unless the value is a tensor.
  mlir::Value getTensor() const {
    const mlir::Value *tensor = std::get_if<mlir::Value>(&value);
    return tensor ? *tensor : mlir::Value();
  }
  /// The elements of a list of either kind; none unless this is one.
  std::optional<List> getElements() const;
  /// `f32[batch, 64]`, `the number 3` or `a list of 2 values`.
  std::string describe() const;

private:
  std::variant<std::monostate, StaticValue, mlir::Value, List> value;
};

/// An evaluated operand, with the expression that messages point to.
struct Operand {
  const Expr *expr;
  Term term;
};

/// The positions start, start + step, ... before stop of a dimension.
struct IndexRange {
  int64_t start = 0;
  int64_t stop = 0;
  int64_t step = 1;
};

/// A variable.
struct Binding {
  Term term;
  llvm::SMRange declared;
};

/// The variables of a model or of one call of a function.
struct Frame {
  /// Null for the model.
  const FunctionDecl *function = nullptr;
  /// The function is one of the standard library: it knows nothing of the file.
  bool inLibrary = false;
  const Frame *caller = nullptr;
  /// Where the function is called, with the calls around that.
  std::optional<mlir::Location> callLoc;
  unsigned depth = 0;
  /// What the names of parameters begin with, without the last dot.
  std::string prefix;
  llvm::MapVector<llvm::StringRef, Binding> variables;
  /// The product of all extents but the first of the latest parameter of rank
  /// 2 or more.
  std::optional<int64_t> fanIn;
  Term result;
};

struct Builtin;

/// A parameter of a call: of a function, an initializer or an optimizer.
struct Formal {
  llvm::StringRef name;
  bool required = true;
};

/// A parameter of the model.
struct ModelParameter {
  std::string name;
  mlir::RankedTensorType type;
  mlir::Location loc;
  mlir::Attribute init;
  /// Null while the parameter is frozen.
  mlir::Attribute rule;
};

/// A state that the model declares.
struct ModelState {
  std::string name;
  mlir::RankedTensorType type;
  mlir::Location loc;
  mlir::Attribute init;
  /// The argument of the function.
  mlir::Value value;
  /// What it is after a step, and where that is said; null without an update.
  mlir::Value update;
  llvm::SMRange updated;
};

class Emitter {
public:
  Emitter(const Program &program, const Program &library,
          const SourceLocations &locations, const FrontendOptions &options);

  /// Builds the function of `model`; null after an error.
  mlir::OwningOpRef<mlir::ModuleOp> emit(const ModelDecl &model);

  //===--------------------------------------------------------------------===//
  // Services for the parts that have classes of their own
  //===--------------------------------------------------------------------===//

  mlir::MLIRContext *getContext() const { return locations.getContext(); }

  /// The location of `range` in the function call that is being inlined.
  mlir::Location getLoc(llvm::SMRange range) const;
  /// The same with the name of a value, for readable IR and kernels.
  mlir::Location getNamedLoc(llvm::StringRef name, llvm::SMRange range) const;
  /// A place that was declared: without the call.
  mlir::Location getDeclLoc(llvm::SMRange range) const {
    return locations.get(range);
  }

  /// Starts an error at `range`. A second one at the same range (in another
  /// iteration, or another call of the function) is dropped.
  mlir::InFlightDiagnostic emitError(llvm::SMRange range,
                                     const llvm::Twine &message = {});
  bool hadError() const { return errors != 0; }

  /// Matches the arguments of `call` to `formals`: one expression for each,
  /// null where an optional one is missing. `declared` is noted in errors.
  mlir::FailureOr<llvm::SmallVector<const Expr *>>
  bindArguments(const CallExpr &call, llvm::ArrayRef<Formal> formals,
                llvm::SMRange declared = {});

  /// Evaluates what must be known while compiling; `what` names it in errors.
  std::optional<StaticValue> evaluateStatic(const Expr *expr,
                                            llvm::StringRef what);
  std::optional<double> evaluateNumber(const Expr *expr, llvm::StringRef what);
  std::optional<int64_t> evaluateInteger(const Expr *expr,
                                         llvm::StringRef what);

  /// The key of random numbers, an argument that the first draw adds.
  mlir::Value getRandomKey(mlir::Location loc);
  /// The number of the next draw, in the order of the file.
  int64_t takeRandomSite() { return nextSite++; }

  //===--------------------------------------------------------------------===//
  // Services for operators and built-in functions
  //===--------------------------------------------------------------------===//

  TensorBuilder &getBuilder() { return builder; }

  /// Reports the error of static arithmetic, or returns its value. Nothing
  /// without an error means that the operation needs tensors.
  bool takeStatic(const StaticResult &result, llvm::SMRange range, Term &term);

  /// The element type that tensors among `operands` agree on; f32 if there is
  /// none. Null after an error. With `numbersFollow` scalars that are computed
  /// from numbers and extents alone agree with all, as `toTensor` makes them.
  mlir::Type unifyElementTypes(llvm::SMRange range,
                               llvm::ArrayRef<Operand> operands,
                               bool numbersFollow = false);
  /// The shape that all `operands` broadcast to.
  std::optional<llvm::SmallVector<nn::Extent>>
  unifyShapes(llvm::SMRange range, llvm::ArrayRef<Operand> operands);
  /// `operand` as a tensor; numbers, and scalars of numbers and extents, take
  /// `elementType`. Null after an error.
  mlir::Value toTensor(const Operand &operand, mlir::Type elementType,
                       mlir::Location loc);
  /// All `operands` as tensors of one type; none after an error.
  std::optional<llvm::SmallVector<mlir::Value>>
  unify(llvm::SMRange range, llvm::ArrayRef<Operand> operands);
  /// The operand as a tensor of floats, or a number as an f32 scalar.
  mlir::Value expectFloat(const Operand &operand, llvm::StringRef what);
  mlir::Value expectTensor(const Operand &operand, llvm::StringRef what);
  /// nn.pow of base and exponent; nothing after an error.
  Term emitPow(llvm::SMRange range, llvm::ArrayRef<Operand> operands);
  /// Notes what the operands are and where their variables were assigned.
  void noteOperands(mlir::InFlightDiagnostic &diag,
                    llvm::ArrayRef<Operand> operands);

private:
  // EmitModel.cpp: declarations and statements.
  void declareFunctions();
  void emitInputs(const ModelDecl &model);
  void finishFunction(const ModelDecl &model);
  void checkOverrides();
  mlir::RankedTensorType resolveType(const TypeExpr &type);
  mlir::Type resolveElementType(const Name &name);
  void emitBlock(StmtList block);
  void emitStatement(const Stmt *statement);
  void emitAssign(const AssignStmt &statement);
  void emitConfig(const ConfigStmt &statement);
  void emitFor(const ForStmt &statement);
  void emitIf(const IfStmt &statement);
  void emitLoss(const LossStmt &statement);
  void emitMetric(const MetricStmt &statement);
  void emitOutput(const OutputStmt &statement);
  void emitParam(const ParamStmt &statement);
  void emitScope(const ScopeStmt &statement);
  /// The full name of what is declared as `name` in the current scope.
  std::string getFullName(const Name &name) const;
  /// Reports a second declaration of a parameter or state; false then.
  bool declare(const Name &name, llvm::StringRef fullName, mlir::Location loc,
               llvm::StringRef what);
  /// The scope `name` inside the current one; none after an error.
  std::optional<std::string> joinScope(const NameTemplate &name);
  void assign(const Name &name, Term term);
  /// The same of a value that the program computes under this name.
  void assignNamed(const Name &name, Term term);
  /// The operand as a scalar tensor of floats; null after an error.
  mlir::Value emitScalar(const Expr *expr, llvm::StringRef what);

  // EmitInitializers.cpp
  mlir::Attribute emitInitializer(const Expr *initializer,
                                  mlir::RankedTensorType type);

  // EmitState.cpp: what lives across steps besides parameters.
  void emitState(const StateStmt &statement);
  void emitUpdate(const UpdateStmt &statement);
  ModelState *findState(mlir::Value value);

  // EmitOperands.cpp
  /// Whether `value` is an f32 scalar computed from numbers and extents alone.
  bool isOfNumbers(mlir::Value value);
  /// The same scalar in another type, from the numbers as they were written.
  mlir::Value retype(mlir::Value value, mlir::Type elementType,
                     mlir::IRMapping &done);

  // EmitExpr.cpp: expressions.
  Term emitExpr(const Expr *expr);
  Term emitName(const NameExpr &expr);
  Term emitUnary(const UnaryExpr &expr);
  Term emitNot(const UnaryExpr &expr, const Operand &operand);
  Term emitBinary(const BinaryExpr &expr);
  Term emitPower(const BinaryExpr &expr, const Operand &base,
                 const Operand &exponent);
  Term emitMatmul(const BinaryExpr &expr);
  Term emitMember(const MemberExpr &expr, const Operand &base);
  Term emitList(const ListExpr &expr);
  /// Evaluates `expr`; of `x.T` and `x.mT` only `x`, setting `transposed`.
  Operand emitMatmulOperand(const Expr *expr, bool &transposed);

  // EmitIndex.cpp: what stands in brackets after a value.
  Term emitIndex(const IndexExpr &expr);
  Term emitListIndex(const IndexExpr &expr, const Term::List &list);
  Term emitTensorIndex(const IndexExpr &expr, const Operand &base);
  /// The positions of a range along `size` places; none after an error.
  std::optional<IndexRange> evaluateRange(const Subscript &subscript,
                                          int64_t size);
  std::optional<int64_t> evaluatePosition(const Subscript &subscript,
                                          int64_t size);

  // EmitCall.cpp: calls.
  Term emitCall(const CallExpr &call);
  Term emitFunction(const CallExpr &call, const FunctionDecl &function);
  Term emitBuiltin(const CallExpr &call, const Builtin &builtin);
  /// The function that `name` means in the current frame: of the file, then of
  /// the standard library. Null if there is none.
  const FunctionDecl *findFunction(llvm::StringRef name) const;

  const Program &program;
  /// The standard library.
  const Program &library;
  const SourceLocations &locations;
  const FrontendOptions &options;
  TensorBuilder builder;

  mlir::func::FuncOp function;
  llvm::StringMap<const FunctionDecl *> functions;
  /// The same of the standard library.
  llvm::StringMap<const FunctionDecl *> libraryFunctions;
  Frame globals;
  Frame *frame = nullptr;

  /// By name, in the order of declaration.
  llvm::MapVector<llvm::StringRef, llvm::SMRange> configs;
  llvm::SmallVector<ModelParameter> parameters;
  llvm::SmallVector<ModelState> states;
  /// Behind the states; null without a draw.
  mlir::Value randomKey;
  int64_t nextSite = 0;
  /// What constants were made of, and what `isOfNumbers` has found.
  llvm::DenseMap<mlir::Value, double> numbers;
  llvm::DenseMap<mlir::Value, bool> ofNumbers;
  /// Of parameters and states.
  llvm::StringMap<mlir::Location> declarations;
  llvm::MapVector<llvm::StringRef, Binding> metrics, outputs;
  mlir::Value loss;

  /// Ranges that an error was reported at.
  llvm::DenseSet<std::pair<const char *, const char *>> reported;
  unsigned errors = 0;
  /// Levels of expressions that are being evaluated.
  unsigned exprDepth = 0;
  /// Statements that were evaluated, to stop a program that unrolls forever.
  unsigned evaluated = 0;
  bool tooLarge = false;
};

} // namespace accrue::frontend

#endif // ACCRUE_LIB_FRONTEND_EMITTER_H
