// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `tile` dialect: registration.
#include "pypto/Dialect/Tile/IR/TileOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::tile;

#include "pypto/Dialect/Tile/IR/TileDialect.cpp.inc"
#include "pypto/Dialect/Tile/IR/TileEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "pypto/Dialect/Tile/IR/TileAttrs.cpp.inc"

void TileDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "pypto/Dialect/Tile/IR/TileAttrs.cpp.inc"
      >();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "pypto/Dialect/Tile/IR/TileOps.cpp.inc"
      >();
}

/// `T` when both operands have it, `T, U` otherwise.
static ParseResult parseBinaryTypes(OpAsmParser &parser, Type &lhs, Type &rhs) {
  if (parser.parseType(lhs))
    return failure();
  rhs = lhs;
  return succeeded(parser.parseOptionalComma()) ? parser.parseType(rhs) : success();
}

static void printBinaryTypes(OpAsmPrinter &printer, Operation *, Type lhs, Type rhs) {
  printer << lhs;
  if (lhs != rhs)
    printer << ", " << rhs;
}

#define GET_OP_CLASSES
#include "pypto/Dialect/Tile/IR/TileOps.cpp.inc"
