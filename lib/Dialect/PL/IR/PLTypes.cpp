// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of the `pl` dialect.
#include "pypto/Dialect/PL/IR/PL.h"
#include "pypto/Dialect/PL/IR/TypeRules.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

#define GET_TYPEDEF_CLASSES
#include "pypto/Dialect/PL/IR/PLTypes.cpp.inc"

void PLDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "pypto/Dialect/PL/IR/PLTypes.cpp.inc"
      >();
}

//===- pl::TensorType -----------------------------------------------------------===//

pl::TensorType pl::TensorType::get(MLIRContext *context, ArrayRef<ExtentAttr> extents,
                                   Type elementType, ArrayRef<ExtentAttr> valid,
                                   ArrayRef<ExtentAttr> strides, Layout layout, Pad pad) {
  return Base::get(context, extents, elementType, normalizeValid(extents, valid), strides, layout,
                   pad);
}

pl::TensorType pl::TensorType::getChecked(function_ref<InFlightDiagnostic()> emitError,
                                          MLIRContext *context, ArrayRef<ExtentAttr> extents,
                                          Type elementType, ArrayRef<ExtentAttr> valid,
                                          ArrayRef<ExtentAttr> strides, Layout layout, Pad pad) {
  return Base::getChecked(emitError, context, extents, elementType, normalizeValid(extents, valid),
                          strides, layout, pad);
}

SmallVector<int64_t> pl::TensorType::getShape() const { return getStaticShape(getExtents()); }

Type pl::TensorType::cloneWith(ArrayRef<ExtentAttr> extents, ArrayRef<ExtentAttr> valid,
                               Type elementType) const {
  return get(getContext(), extents, elementType, valid);
}

LogicalResult pl::TensorType::verifyClone(function_ref<InFlightDiagnostic()> emitError,
                                          ArrayRef<ExtentAttr> extents, ArrayRef<ExtentAttr> valid,
                                          Type elementType) const {
  return verify(emitError, extents, elementType, valid, {}, Layout::ND, Pad::Null);
}

bool pl::TensorType::isPlacementCompatible(Type other) const {
  return getLayout() == cast<pl::TensorType>(other).getLayout();
}

LogicalResult pl::TensorType::verify(function_ref<InFlightDiagnostic()> emitError,
                                     ArrayRef<ExtentAttr> extents, Type elementType,
                                     ArrayRef<ExtentAttr> valid, ArrayRef<ExtentAttr> strides,
                                     Layout, Pad) {
  if (!strides.empty() && strides.size() != extents.size())
    return emitError() << "C2: expects one stride per dimension (" << extents.size()
                       << "), but got " << strides.size();
  return verifyShape(emitError, extents, elementType, valid);
}

Type pl::TensorType::parse(AsmParser &parser) {
  llvm::SMLoc start = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  FailureOr<SmallVector<ExtentAttr>> extents = parseExtentList(parser);
  Type elementType;
  if (failed(extents) || parser.parseComma() || parser.parseType(elementType))
    return {};
  SmallVector<ExtentAttr> valid, strides;
  Layout layout = Layout::ND;
  Pad pad = Pad::Null;
  auto parseEnum = [&](auto symbolize, auto &value, StringRef what) -> ParseResult {
    StringRef keyword;
    llvm::SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&keyword))
      return failure();
    auto symbol = symbolize(keyword);
    if (!symbol)
      return parser.emitError(loc, "expects a ") << what << ", but got '" << keyword << "'";
    value = *symbol;
    return success();
  };
  auto parseList = [&](SmallVector<ExtentAttr> &list) -> ParseResult {
    FailureOr<SmallVector<ExtentAttr>> parsed = parseExtentList(parser);
    if (succeeded(parsed))
      list = std::move(*parsed);
    return failure(failed(parsed));
  };
  while (succeeded(parser.parseOptionalComma())) {
    StringRef key;
    llvm::SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return {};
    ParseResult parsed = success();
    if (key == "valid")
      parsed = parseList(valid);
    else if (key == "strides")
      parsed = parseList(strides);
    else if (key == "layout")
      parsed = parseEnum([](StringRef s) { return symbolizeLayout(s); }, layout, "layout");
    else if (key == "pad")
      parsed = parseEnum([](StringRef s) { return symbolizePad(s); }, pad, "padding");
    else
      return parser.emitError(loc, "expects 'valid', 'strides', 'layout' or 'pad', but got '")
                 << key << "'",
             Type();
    if (failed(parsed))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return pl::TensorType::getChecked(
      [&] { return parser.emitError(start); }, parser.getContext(), ArrayRef<ExtentAttr>(*extents),
      elementType, ArrayRef<ExtentAttr>(valid), ArrayRef<ExtentAttr>(strides), layout, pad);
}

void pl::TensorType::print(AsmPrinter &printer) const {
  printer << '<';
  printExtentList(printer, getExtents());
  printer << ", " << getElementType();
  if (!getValid().empty()) {
    printer << ", valid = ";
    printExtentList(printer, getValid());
  }
  if (!getStrides().empty()) {
    printer << ", strides = ";
    printExtentList(printer, getStrides());
  }
  if (getLayout() != Layout::ND)
    printer << ", layout = " << stringifyLayout(getLayout());
  if (getPad() != Pad::Null)
    printer << ", pad = " << stringifyPad(getPad());
  printer << '>';
}

//===- Shared shape rules ---------------------------------------------------===//

ArrayRef<ExtentAttr> pl::normalizeValid(ArrayRef<ExtentAttr> extents, ArrayRef<ExtentAttr> valid) {
  bool hasUnknown = llvm::any_of(valid, [](ExtentAttr extent) { return extent.isDynamic(); });
  return valid == extents && !hasUnknown ? ArrayRef<ExtentAttr>() : valid;
}

LogicalResult pl::verifyShape(function_ref<InFlightDiagnostic()> emitError,
                              ArrayRef<ExtentAttr> extents, Type elementType,
                              ArrayRef<ExtentAttr> valid) {
  if (!isElementType(elementType))
    return emitError() << "C1: expects an integer, index or float element type, but got "
                       << elementType;
  if (!valid.empty() && valid.size() != extents.size())
    return emitError() << "C2: expects one valid extent per dimension (" << extents.size()
                       << "), but got " << valid.size();
  for (ExtentAttr extent : llvm::concat<const ExtentAttr>(extents, valid))
    if (extent.isConstant() && extent.getConstant() < 0)
      return emitError() << "C3: expects extents that are not negative, but got "
                         << extent.getConstant();
  for (auto [extent, part] : llvm::zip(extents, valid))
    if (extent.isConstant() && part.isConstant() && part.getConstant() > extent.getConstant())
      return emitError() << "C3: expects a valid extent of at most " << extent.getConstant()
                         << ", but got " << part.getConstant();
  return success();
}

//===- VarType, ArrayType ---------------------------------------------------===//

LogicalResult VarType::verify(function_ref<InFlightDiagnostic()> emitError, Type valueType) {
  if (isa<VarType>(valueType) || isa<FunctionType>(valueType))
    return emitError() << "C1: expects a cell of a value, but got " << valueType;
  return success();
}

Type ArrayType::parse(AsmParser &parser) {
  SmallVector<int64_t> sizes;
  Type elementType;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(sizes, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseGreater())
    return {};
  if (sizes.size() != 1)
    return parser.emitError(loc, "expects one size, but got ") << sizes.size(), Type();
  return parser.getChecked<ArrayType>(parser.getContext(), sizes.front(), elementType);
}

void ArrayType::print(AsmPrinter &printer) const {
  printer << '<' << getSize() << 'x' << getElementType() << '>';
}

LogicalResult ArrayType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t size,
                                Type elementType) {
  if (size <= 0)
    return emitError() << "C1: expects a positive number of elements, but got " << size;
  bool isTask = elementType.getDialect().getNamespace() == "orchestration";
  if (!isTask && !elementType.isSignlessInteger() && !elementType.isIndex())
    return emitError() << "C2: expects integer, index or task elements, but got " << elementType;
  return success();
}
