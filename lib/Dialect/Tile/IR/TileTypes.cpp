// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of the `tile` dialect.
#include "pypto/Dialect/PL/IR/TypeRules.h"
#include "pypto/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::tile;

#define GET_TYPEDEF_CLASSES
#include "pypto/Dialect/Tile/IR/TileTypes.cpp.inc"

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "pypto/Dialect/Tile/IR/TileTypes.cpp.inc"
      >();
}

TileType TileType::get(MLIRContext *context, ArrayRef<ExtentAttr> extents, Type elementType,
                       MemorySpace space, ArrayRef<ExtentAttr> valid) {
  return Base::get(context, extents, elementType, space, normalizeValid(extents, valid));
}

TileType TileType::getChecked(function_ref<InFlightDiagnostic()> emitError, MLIRContext *context,
                              ArrayRef<ExtentAttr> extents, Type elementType, MemorySpace space,
                              ArrayRef<ExtentAttr> valid) {
  return Base::getChecked(emitError, context, extents, elementType, space,
                          normalizeValid(extents, valid));
}

SmallVector<int64_t> TileType::getShape() const { return getStaticShape(getExtents()); }

TileType TileType::withSpace(MemorySpace space) const {
  return get(getContext(), getExtents(), getElementType(), space, getValid());
}

Type TileType::cloneWith(ArrayRef<ExtentAttr> extents, ArrayRef<ExtentAttr> valid,
                         Type elementType) const {
  return get(getContext(), extents, elementType, getSpace(), valid);
}

LogicalResult TileType::verifyClone(function_ref<InFlightDiagnostic()> emitError,
                                    ArrayRef<ExtentAttr> extents, ArrayRef<ExtentAttr> valid,
                                    Type elementType) const {
  return verify(emitError, extents, elementType, getSpace(), valid);
}

bool TileType::isPlacementCompatible(Type other) const {
  MemorySpace otherSpace = cast<TileType>(other).getSpace();
  return getSpace() == otherSpace || getSpace() == MemorySpace::Any ||
         otherSpace == MemorySpace::Any;
}

LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<ExtentAttr> extents, Type elementType, MemorySpace,
                               ArrayRef<ExtentAttr> valid) {
  for (ExtentAttr extent : extents) {
    if (extent.isDynamic())
      return emitError() << "C3: expects physical extents of a tile that are known, but got '?' "
                            "(dynamic sizes stand "
                            "in 'valid')";
    if (extent.isConstant() && extent.getConstant() <= 0)
      return emitError() << "C3: expects positive extents, but got " << extent.getConstant();
  }
  return verifyShape(emitError, extents, elementType, valid);
}

Type TileType::parse(AsmParser &parser) {
  llvm::SMLoc start = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  FailureOr<SmallVector<ExtentAttr>> extents = parseExtentList(parser);
  Type elementType;
  if (failed(extents) || parser.parseComma() || parser.parseType(elementType))
    return {};
  SmallVector<ExtentAttr> valid;
  MemorySpace space = MemorySpace::Any;
  while (succeeded(parser.parseOptionalComma())) {
    StringRef key;
    llvm::SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&key))
      return {};
    if (key == "valid") {
      FailureOr<SmallVector<ExtentAttr>> list = failure();
      if (parser.parseEqual() || failed(list = parseExtentList(parser)))
        return {};
      valid = std::move(*list);
      continue;
    }
    std::optional<MemorySpace> parsed = symbolizeMemorySpace(key);
    if (!parsed || *parsed == MemorySpace::Any)
      return parser.emitError(loc, "expects a memory space or 'valid', but got '") << key << "'",
             Type();
    space = *parsed;
  }
  if (parser.parseGreater())
    return {};
  return TileType::getChecked([&] { return parser.emitError(start); }, parser.getContext(),
                              ArrayRef<ExtentAttr>(*extents), elementType, space,
                              ArrayRef<ExtentAttr>(valid));
}

void TileType::print(AsmPrinter &printer) const {
  printer << '<';
  printExtentList(printer, getExtents());
  printer << ", " << getElementType();
  if (getSpace() != MemorySpace::Any)
    printer << ", " << stringifyMemorySpace(getSpace());
  if (!getValid().empty()) {
    printer << ", valid = ";
    printExtentList(printer, getValid());
  }
  printer << '>';
}
