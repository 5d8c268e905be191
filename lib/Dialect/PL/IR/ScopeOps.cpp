// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Placement scopes.
#include "pypto/Dialect/PL/IR/PLOps.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

/// Into the body, and from there out; a launch may also run its body again or never.
static void getScopeSuccessors(Operation *op, RegionBranchPoint point,
                               SmallVectorImpl<RegionSuccessor> &regions) {
  if (point.isParent())
    regions.emplace_back(&op->getRegion(0));
  else
    regions.emplace_back(op, op->getResults());
}

void AtOp::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &regions) {
  getScopeSuccessors(*this, point, regions);
}
void ClusterOp::getSuccessorRegions(RegionBranchPoint point,
                                    SmallVectorImpl<RegionSuccessor> &regions) {
  getScopeSuccessors(*this, point, regions);
}
void GraphOp::getSuccessorRegions(RegionBranchPoint point,
                                  SmallVectorImpl<RegionSuccessor> &regions) {
  getScopeSuccessors(*this, point, regions);
}
void SpmdOp::getSuccessorRegions(RegionBranchPoint point,
                                 SmallVectorImpl<RegionSuccessor> &regions) {
  getScopeSuccessors(*this, point, regions);
}
void SplitAivOp::getSuccessorRegions(RegionBranchPoint point,
                                     SmallVectorImpl<RegionSuccessor> &regions) {
  getScopeSuccessors(*this, point, regions);
}

static LogicalResult verifyNoArguments(Operation *op) {
  if (op->getRegion(0).front().getNumArguments() != 0)
    return op->emitOpError("C2: expects a body without arguments");
  return verifyScopeYield(op, "C1");
}

LogicalResult AtOp::verify() { return verifyNoArguments(*this); }
LogicalResult ClusterOp::verify() { return verifyNoArguments(*this); }
LogicalResult GraphOp::verify() { return verifyNoArguments(*this); }

static LogicalResult verifyIndexArgument(Operation *op, StringRef label) {
  Block &body = op->getRegion(0).front();
  if (body.getNumArguments() != 1 || !body.getArgument(0).getType().isIndex())
    return op->emitOpError() << label << ": expects a body with one argument of type 'index'";
  return success();
}

LogicalResult SpmdOp::verify() {
  std::optional<int64_t> count = getConstantIntValue(getCount());
  if (count && *count < 0)
    return emitOpError() << "C1: expects a count that is not negative, but got " << *count;
  return failure(failed(verifyIndexArgument(*this, "C3")) || failed(verifyScopeYield(*this, "C2")));
}

LogicalResult SplitAivOp::verify() {
  if (failed(verifyIndexArgument(*this, "C2")))
    return failure();
  return verifyScopeYield(*this, "C1");
}

//===- Assembly -----------------------------------------------------------------===//

static ParseResult parseBody(OpAsmParser &parser, OperationState &result,
                             OpAsmParser::Argument &index) {
  Region *body = result.addRegion();
  index.type = parser.getBuilder().getIndexType();
  if (parser.parseRegion(*body, index))
    return failure();
  SpmdOp::ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}

ParseResult SpmdOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  OpAsmParser::Argument index;
  OpAsmParser::UnresolvedOperand count;
  SmallVector<OpAsmParser::UnresolvedOperand> dumps;
  SmallVector<Type> dumpTypes;
  llvm::SMLoc dumpsLoc;
  if (parser.parseLParen() || parser.parseArgument(index) || parser.parseRParen() ||
      parser.parseKeyword("in") || parser.parseLParen() || parser.parseOperand(count) ||
      parser.parseRParen() || parser.resolveOperand(count, builder.getIndexType(), result.operands))
    return failure();
  Properties &properties = result.getOrAddProperties<Properties>();
  if (succeeded(parser.parseOptionalKeyword("sync_start")))
    properties.setSyncStart(builder.getUnitAttr());
  if (succeeded(parser.parseOptionalKeyword("name"))) {
    StringAttr hint;
    if (parser.parseAttribute(hint, NoneType::get(builder.getContext())))
      return failure();
    properties.setNameHint(hint);
  }
  if (succeeded(parser.parseOptionalKeyword("dumps"))) {
    dumpsLoc = parser.getCurrentLocation();
    if (parser.parseLParen() || parser.parseOperandList(dumps) ||
        parser.parseColonTypeList(dumpTypes) || parser.parseRParen() ||
        parser.resolveOperands(dumps, dumpTypes, dumpsLoc, result.operands))
      return failure();
  }
  if (parser.parseOptionalArrowTypeList(result.types) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  return parseBody(parser, result, index);
}

void SpmdOp::print(OpAsmPrinter &printer) {
  printer << " (";
  printer.printRegionArgument(getBody().getArgument(0), {}, /*omitType=*/true);
  printer << ") in (" << getCount() << ")";
  if (getSyncStart())
    printer << " sync_start";
  if (getNameHintAttr())
    printer << " name " << getNameHintAttr();
  if (!getDumps().empty())
    printer << " dumps(" << getDumps() << " : " << getDumps().getTypes() << ")";
  printer.printOptionalArrowTypeList(getResultTypes());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getSyncStartAttrName(), getNameHintAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/getNumResults() != 0);
}

ParseResult SplitAivOp::parse(OpAsmParser &parser, OperationState &result) {
  StringRef keyword;
  llvm::SMLoc loc = parser.getCurrentLocation();
  OpAsmParser::Argument index;
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<SplitMode> mode = symbolizeSplitMode(keyword);
  if (!mode)
    return parser.emitError(loc, "expects 'none', 'up_down' or 'left_right', but got '")
           << keyword << "'";
  result.getOrAddProperties<Properties>().setMode(SplitModeAttr::get(parser.getContext(), *mode));
  if (parser.parseLParen() || parser.parseArgument(index) || parser.parseRParen() ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  return parseBody(parser, result, index);
}

void SplitAivOp::print(OpAsmPrinter &printer) {
  printer << ' ' << stringifySplitMode(getMode()) << " (";
  printer.printRegionArgument(getBody().getArgument(0), {}, /*omitType=*/true);
  printer << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {getModeAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
}
