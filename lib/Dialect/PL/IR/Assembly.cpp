// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pieces of assembly that operations of the three dialects share.
#include "pypto/Dialect/PL/IR/OpVerifiers.h"
#include "pypto/Dialect/PL/IR/PLOps.h"

using namespace mlir;
using namespace pypto;

ParseResult pl::parseDestinationType(OpAsmParser &parser, Type &destination, Type &result) {
  if (parser.parseType(destination))
    return failure();
  result = destination;
  return succeeded(parser.parseOptionalArrow()) ? parser.parseType(result) : success();
}

void pl::printDestinationType(OpAsmPrinter &printer, Operation *, Type destination, Type result) {
  printer << destination;
  if (result != destination)
    printer << " -> " << result;
}

ParseResult pl::parseScopeBody(OpAsmParser &parser, Region &body) {
  if (parser.parseRegion(body, {}))
    return failure();
  if (body.empty())
    body.emplaceBlock();
  OpBuilder builder(parser.getContext());
  AtOp::ensureTerminator(body, builder, parser.getEncodedSourceLoc(parser.getCurrentLocation()));
  return success();
}

void pl::printScopeBody(OpAsmPrinter &printer, Operation *op, Region &body) {
  printer.printRegion(body, /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/op->getNumResults() != 0);
}
