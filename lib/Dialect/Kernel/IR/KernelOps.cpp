//===- KernelOps.cpp - Ops of the kernel dialect --------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Kernel/KernelOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::kernel;

#define GET_OP_CLASSES
#include "accrue/Dialect/Kernel/KernelOps.cpp.inc"

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

/// Reads of memref inputs, reads and writes of memref destinations.
static void getDestinationEffects(DestinationStyleOpInterface op,
                                  Effects &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (op.isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

void GroupOp::getEffects(Effects &effects) {
  getDestinationEffects(*this, effects);
}
void GemmOp::getEffects(Effects &effects) {
  getDestinationEffects(*this, effects);
  for (OpOperand &workspace : getWorkspaceMutable())
    effects.emplace_back(MemoryEffects::Write::get(), &workspace);
}
void ScatterAddOp::getEffects(Effects &effects) {
  getDestinationEffects(*this, effects);
}
void LoadInputOp::getEffects(Effects &effects) {
  // The transfer itself is an effect: it is never dropped or merged.
  effects.emplace_back(MemoryEffects::Read::get());
  getDestinationEffects(*this, effects);
}
void NormOp::getEffects(Effects &effects) {
  getDestinationEffects(*this, effects);
}
void UpdateOp::getEffects(Effects &effects) {
  getDestinationEffects(*this, effects);
}

//===----------------------------------------------------------------------===//
// Kernels level
//===----------------------------------------------------------------------===//

LogicalResult GroupOp::verifyRegions() {
  Block &block = getBody().front();
  if (block.getNumArguments() != getNumOperands())
    return emitOpError("expected ")
           << getNumOperands() << " body arguments, got "
           << block.getNumArguments();
  for (auto [i, operand] : llvm::enumerate(getOperands())) {
    Type expected = operand.getType();
    Type actual = block.getArgument(i).getType();
    // Bufferization leaves the body on tensors.
    if (auto memref = dyn_cast<MemRefType>(expected))
      if (isa<RankedTensorType>(actual))
        expected =
            RankedTensorType::get(memref.getShape(), memref.getElementType());
    if (actual != expected)
      return emitOpError("expected body argument ")
             << i << " of type " << expected << ", got " << actual;
  }
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield)
    return emitOpError("expected a body that ends with 'kernel.yield'");
  bool loops = llvm::all_of(getOutArguments(), [](BlockArgument arg) {
    return isa<MemRefType>(arg.getType());
  });
  if (loops)
    return yield.getNumOperands() == 0
               ? success()
               : LogicalResult(yield.emitOpError(
                     "expected no values from a body on memrefs"));
  if (!llvm::equal(
          yield.getOperandTypes(), getOutArguments(),
          [](Type type, BlockArgument arg) { return type == arg.getType(); }))
    return yield.emitOpError("expected values of the types of the "
                             "destinations");
  return success();
}

/// Extents of the matrices `type`, after transposition where asked.
static std::pair<int64_t, int64_t> getExtents(ShapedType type,
                                              bool transposed) {
  ArrayRef<int64_t> matrix = type.getShape().take_back(2);
  if (transposed)
    return {matrix[1], matrix[0]};
  return {matrix[0], matrix[1]};
}

static ShapedType getShapedType(Value value) {
  return cast<ShapedType>(value.getType());
}

int64_t GemmOp::getBatch() {
  return ShapedType::getNumElements(
      getShapedType(getC()).getShape().drop_back(2));
}
int64_t GemmOp::getM() {
  return getExtents(getShapedType(getC()), false).first;
}
int64_t GemmOp::getN() {
  return getExtents(getShapedType(getC()), false).second;
}
int64_t GemmOp::getK() {
  return getExtents(getShapedType(getA()), getTransposeA()).second;
}

LogicalResult GemmOp::verify() {
  ShapedType a = getShapedType(getA()), b = getShapedType(getB()),
             c = getShapedType(getC());
  for (ShapedType type : {a, b, c}) {
    if (type.getRank() < 2 || !type.hasStaticShape())
      return emitOpError("expected matrices of static shape, got ") << type;
    if (type.getShape().drop_back(2) != c.getShape().drop_back(2))
      return emitOpError("expected equal leading extents, got ")
             << type << " and " << c;
    if (auto memref = dyn_cast<MemRefType>(type);
        memref && !memref.getLayout().isIdentity())
      return emitOpError("expected matrices without gaps, got ") << type;
    if (type.getElementType() != c.getElementType())
      return emitOpError("expected equal element types, got ")
             << type.getElementType() << " and " << c.getElementType();
  }
  if (getAlpha().getType() != c.getElementType() ||
      getBeta().getType() != c.getElementType())
    return emitOpError("expected 'alpha' and 'beta' of type ")
           << c.getElementType();
  auto [m, k] = getExtents(a, getTransposeA());
  auto [k2, n] = getExtents(b, getTransposeB());
  if (k != k2 || m != getM() || n != getN())
    return emitOpError("expected [M, K] x [K, N] -> [M, N], got [")
           << m << ", " << k << "] x [" << k2 << ", " << n << "] -> [" << getM()
           << ", " << getN() << "]";
  if (getWorkspace() && isa<TensorType>(c))
    return emitOpError("expected a 'workspace' on buffers only");
  return success();
}

LogicalResult ScatterAddOp::verify() {
  auto updates = cast<ShapedType>(getUpdates().getType());
  auto index = cast<ShapedType>(getIndex().getType());
  auto table = cast<ShapedType>(getTable().getType());
  for (ShapedType type : {updates, index, table})
    if (!type.hasStaticShape())
      return emitOpError("expected static shapes, got ") << type;
  int64_t dim = getDimAttr().getInt();
  if (dim >= table.getRank())
    return emitOpError("expected 'dim' in [0, ")
           << table.getRank() << "), got " << dim;
  if (!isa<FloatType>(table.getElementType()) ||
      updates.getElementType() != table.getElementType())
    return emitOpError("expected updates and a table of one float type, got ")
           << updates.getElementType() << " and " << table.getElementType();
  if (!index.getElementType().isInteger(32) &&
      !index.getElementType().isInteger(64))
    return emitOpError("expected indices of type i32 or i64, got ")
           << index.getElementType();
  SmallVector<int64_t> expected(table.getShape().take_front(dim));
  llvm::append_range(expected, index.getShape());
  llvm::append_range(expected, table.getShape().drop_front(dim + 1));
  if (updates.getShape() != ArrayRef<int64_t>(expected))
    return emitOpError("expected updates of shape [")
           << expected << "] (the table with the dimensions of the index at "
           << dim << "), got [" << updates.getShape() << "]";
  return success();
}

LogicalResult LoadInputOp::verify() {
  auto type = cast<ShapedType>(getDestination().getType());
  MappedMode mode = train::getMappedMode(getMode());
  if (mode.dim < 0 || mode.dim >= type.getRank() ||
      type.getDimSize(mode.dim) != mode.getExtent(getSize()))
    return emitOpError("expected ") << getMode() << " to enumerate "
                                    << getSize() << " samples of " << type;
  if (getSize() > getOf())
    return emitOpError("expected at most ")
           << getOf() << " samples, got " << getSize();
  return success();
}

MutableOperandRange UpdateOp::getDpsInitsMutable() {
  unsigned count = getParams().size() + getSlots().size();
  return MutableOperandRange(*this, getNumOperands() - count, count);
}

LogicalResult UpdateOp::verify() {
  if (getGradients().size() != getParams().size() ||
      getRules().size() != getParams().size())
    return emitOpError("expected one gradient and one rule per parameter (")
           << getParams().size() << "), got " << getGradients().size()
           << " and " << getRules().size();
  size_t slots = 0;
  for (Attribute attr : getRules()) {
    auto rule = dyn_cast<train::OptimizerRule>(attr);
    if (!rule)
      return emitOpError("expected 'rules' to be optimizer rules, got ")
             << attr;
    slots += rule.getSlotNames().size();
  }
  if (slots != getSlots().size())
    return emitOpError("expected ")
           << slots << " slots, got " << getSlots().size();
  if (static_cast<bool>(getNorm()) != getMaxNorm().has_value())
    return emitOpError("expected 'norm' and 'max_norm' together");
  return success();
}

//===----------------------------------------------------------------------===//
// Planned level
//===----------------------------------------------------------------------===//

LogicalResult BufferOp::verify() {
  auto type = cast<MemRefType>(getResult().getType());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return emitOpError("expected a static shape and the identity layout, got ")
           << type;
  int64_t end = getOffsetAttr().getInt() + getByteSize(type);
  int64_t size = cast<MemRefType>(getArena().getType()).getDimSize(0);
  if (end > size)
    return emitOpError("expected a buffer within the ")
           << size << " bytes of its arena, got one up to byte " << end;
  int64_t alignment = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  if (getOffsetAttr().getInt() % alignment != 0)
    return emitOpError("expected an offset that is a multiple of ")
           << alignment << ", got " << getOffset();
  return success();
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  // The schedule stands between name and arguments, so this is not the
  // generic function syntax.
  StringAttr name;
  if (parser.parseSymbolName(name, getSymNameAttrName(result.name),
                             result.attributes))
    return failure();
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<Schedule> schedule = symbolizeSchedule(keyword);
  if (!schedule)
    return parser.emitError(loc, "expected a schedule, got '")
           << keyword << "'";
  result.getOrAddProperties<Properties>().schedule = *schedule;

  SmallVector<OpAsmParser::Argument> arguments;
  bool isVariadic = false;
  SmallVector<Type> resultTypes;
  SmallVector<DictionaryAttr> resultAttrs;
  if (function_interface_impl::parseFunctionSignatureWithArguments(
          parser, /*allowVariadic=*/false, arguments, isVariadic, resultTypes,
          resultAttrs))
    return failure();
  SmallVector<Type> types;
  for (OpAsmParser::Argument &argument : arguments)
    types.push_back(argument.type);
  result.addAttribute(
      getFunctionTypeAttrName(result.name),
      TypeAttr::get(parser.getBuilder().getFunctionType(types, resultTypes)));
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  call_interface_impl::addArgAndResultAttrs(
      parser.getBuilder(), result, arguments, resultAttrs,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
  return parser.parseRegion(*result.addRegion(), arguments,
                            /*enableNameShadowing=*/false);
}

void FuncOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << ' ' << stringifySchedule(getSchedule());
  call_interface_impl::printFunctionSignature(
      printer, getArgumentTypes(), getArgAttrsAttr(), /*isVariadic=*/false,
      getResultTypes(), getResAttrsAttr(), &getBody(),
      /*printEmptyResult=*/false);
  function_interface_impl::printFunctionAttributes(
      printer, *this,
      {getFunctionTypeAttrName(), getArgAttrsAttrName(), getResAttrsAttrName(),
       "schedule"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult FuncOp::verify() {
  if (!getResultTypes().empty())
    return emitOpError("expected no results, got ") << getResultTypes().size();
  for (auto [i, type] : llvm::enumerate(getArgumentTypes())) {
    if (type.isIntOrIndexOrFloat())
      continue;
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref || !memref.hasStaticShape() || !memref.getLayout().isIdentity())
      return emitOpError("expected argument ")
             << i << " to be a scalar or a memref of static shape, got "
             << type;
  }
  return success();
}

bool FuncOp::isRead(unsigned index) {
  return llvm::any_of(getArgument(index).getUsers(), [](Operation *user) {
    return !isa<memref::StoreOp>(user);
  });
}

bool FuncOp::isWritten(unsigned index) {
  return llvm::any_of(getArgument(index).getUsers(), [](Operation *user) {
    return !isa<memref::LoadOp>(user);
  });
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto callee =
      symbolTable.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError("expected '")
           << getCallee() << "' to be a kernel of this module";
  if (TypeRange(getOperandTypes()) != TypeRange(callee.getArgumentTypes())) {
    InFlightDiagnostic diag = emitOpError("expected operands of the types of '")
                              << getCallee() << "'";
    diag.attachNote(callee.getLoc()) << "declared here";
    return diag;
  }
  return success();
}

void LaunchOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

void FlatUpdateOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult FlatUpdateOp::verify() {
  auto params = cast<MemRefType>(getParams().getType());
  if (params.getRank() != 1 || !isa<FloatType>(params.getElementType()))
    return emitOpError("expected flat arrays of floats, got ") << params;
  for (Value array :
       llvm::concat<Value>(ValueRange(getGradients()), getSlots())) {
    auto type = cast<MemRefType>(array.getType());
    if (type != params)
      return emitOpError("expected arrays of type ")
             << params << ", got " << type;
  }
  for (Attribute attr : getRanges()) {
    auto range = cast<RangeAttr>(attr);
    if (range.getOffset() < 0 ||
        range.getOffset() + range.getCount() > params.getDimSize(0))
      return emitOpError("expected ranges within the ")
             << params.getDimSize(0) << " elements, got " << range;
    if (range.getRule() < 0 ||
        range.getRule() >= static_cast<int64_t>(getRules().size()))
      return emitOpError("expected one of ")
             << getRules().size() << " rules, got " << range;
  }
  return success();
}

LogicalResult FlatUpdateOp::verifyRegions() {
  Type element = cast<MemRefType>(getParams().getType()).getElementType();
  size_t scalars = getNorm() ? 3 : 2;
  for (Region &region : getRules()) {
    Block &block = region.front();
    size_t arguments = block.getNumArguments();
    if (arguments < 2 + scalars || arguments > 2 + getSlots().size() + scalars)
      return emitOpError("expected a rule with parameter, gradient, up to ")
             << getSlots().size() << " slots and " << scalars
             << " scalars, got " << arguments << " arguments";
    auto yield = dyn_cast<YieldOp>(block.getTerminator());
    if (!yield || yield.getNumOperands() != arguments - scalars - 1 ||
        llvm::any_of(yield.getOperandTypes(),
                     [&](Type type) { return type != element; }))
      return emitOpError("expected a rule that yields parameter and slots as ")
             << element;
  }
  return success();
}
