//===- NNDialect.cpp - The nn dialect -------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNDialect.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

#include "accrue/Dialect/NN/NNDialect.cpp.inc"

#include "accrue/Dialect/NN/NNEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "accrue/Dialect/NN/NNAttributes.cpp.inc"

namespace {
/// All ops are pure and without regions: inline everywhere.
struct NNInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void NNDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "accrue/Dialect/NN/NNOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "accrue/Dialect/NN/NNAttributes.cpp.inc"
      >();
  addInterfaces<NNInlinerInterface>();
}

Operation *NNDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                          Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}

Attribute ExtentsAttr::parse(AsmParser &parser, Type) {
  SmallVector<Extent> extents;
  auto parseExtent = [&]() -> ParseResult {
    std::string text;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseString(&text))
      return failure();
    std::optional<Extent> extent = Extent::parse(text);
    if (!extent)
      return parser.emitError(loc, "expected an extent such as \"B\" or "
                                   "\"16*B^2/3\", got \"")
             << text << "\"";
    extents.push_back(*extent);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseExtent))
    return {};
  return ExtentsAttr::get(parser.getContext(), extents);
}

void ExtentsAttr::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(getExtents(), printer, [&](const Extent &extent) {
    printer << '"' << extent.str() << '"';
  });
  printer << ">";
}

LogicalResult ExtentsAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type,
    function_ref<InFlightDiagnostic()> emitError) const {
  int64_t dynamic = llvm::count_if(shape, ShapedType::isDynamic);
  if (dynamic != static_cast<int64_t>(getExtents().size()))
    return emitError() << "expected one extent per dynamic dimension ("
                       << dynamic << "), got " << getExtents().size();
  for (const Extent &extent : getExtents())
    if (extent.getPower() < 1)
      return emitError() << "expected a batch-dependent extent, got \""
                         << extent.str() << "\"";
  if (llvm::all_of(getExtents(), [](const Extent &e) { return e.isBatch(); }))
    return emitError() << "expected no encoding where every extent is B";
  return success();
}
