// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells, symbols, arrays.
#include "pypto/Dialect/PL/IR/PLOps.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

//===- Assembly -----------------------------------------------------------------===//

/// `T` for a cell and a value of type T, `!pl.var<T> -> U` otherwise.
static ParseResult parseCellAccess(OpAsmParser &parser, Type &cell, Type &value) {
  Type first;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(first))
    return failure();
  if (failed(parser.parseOptionalArrow())) {
    value = first;
    cell = VarType::getChecked([&] { return parser.emitError(loc); }, parser.getContext(), first);
    return success(static_cast<bool>(cell));
  }
  cell = first;
  if (!isa<VarType>(cell))
    return parser.emitError(loc, "expects the type of a cell, but got ") << cell;
  return parser.parseType(value);
}

static void printCellAccess(OpAsmPrinter &printer, Operation *, Type cell, Type value) {
  if (cast<VarType>(cell).getValueType() == value)
    printer << value;
  else
    printer << cell << " -> " << value;
}

/// `!pl.array<NxT>`; the value has type T.
static ParseResult parseArrayElement(OpAsmParser &parser, Type &value, Type &array) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(array))
    return failure();
  auto type = dyn_cast<ArrayType>(array);
  if (!type)
    return parser.emitError(loc, "expects an array type, but got ") << array;
  value = type.getElementType();
  return success();
}

static void printArrayElement(OpAsmPrinter &printer, Operation *, Type, Type array) {
  printer << array;
}

ParseResult VarOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  OpAsmParser::UnresolvedOperand init;
  bool hasInit = false;
  Type type, initType;
  if (parser.parseAttribute(name, NoneType::get(parser.getContext())))
    return failure();
  result.getOrAddProperties<Properties>().setName(name);
  if (succeeded(parser.parseOptionalEqual())) {
    hasInit = true;
    if (parser.parseOperand(init))
      return failure();
  }
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseColon())
    return failure();
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(type))
    return failure();
  initType = type;
  if (hasInit && succeeded(parser.parseOptionalArrow()) && parser.parseType(type))
    return failure();
  auto cell = VarType::getChecked([&] { return parser.emitError(loc); }, parser.getContext(), type);
  if (!cell)
    return failure();
  result.addTypes(cell);
  return hasInit ? parser.resolveOperand(init, initType, result.operands) : success();
}

void VarOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printAttributeWithoutType(getNameAttr());
  if (getInit())
    printer << " = " << getInit();
  printer.printOptionalAttrDict((*this)->getAttrs(), {getNameAttrName()});
  printer << " : ";
  if (getInit() && getInit().getType() != getValueType())
    printer << getInit().getType() << " -> ";
  printer << getValueType();
}

//===- Cells ----------------------------------------------------------------------===//

void VarOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), getOperation()->getOpResult(0),
                       CellResource::get());
  if (getInit())
    effects.emplace_back(MemoryEffects::Write::get(), getOperation()->getOpResult(0),
                         CellResource::get());
}

LogicalResult VarOp::verify() {
  if (getInit() && !areCompatible(getValueType(), getInit().getType()))
    return emitOpError() << "C1: expects an initial value of type " << getValueType()
                         << ", but got " << getInit().getType();
  return success();
}

LogicalResult GetOp::verify() {
  if (!areCompatible(getCell().getType().getValueType(), getValue().getType()))
    return emitOpError() << "C1: expects a result compatible with " << getCell().getType()
                         << ", but got " << getValue().getType();
  return success();
}

LogicalResult SetOp::verify() {
  if (!areCompatible(getCell().getType().getValueType(), getValue().getType()))
    return emitOpError() << "C1: expects a value compatible with " << getCell().getType()
                         << ", but got " << getValue().getType();
  return success();
}

//===- Arrays ---------------------------------------------------------------------===//

LogicalResult ArrayCreateOp::verify() {
  if (getValue().getType() != getResult().getType().getElementType())
    return emitOpError() << "C1: expects a value of type " << getResult().getType().getElementType()
                         << ", but got " << getValue().getType();
  return success();
}

static LogicalResult verifyIndex(Operation *op, Value index, ArrayType array) {
  std::optional<int64_t> constant = getConstantIntValue(index);
  if (constant && (*constant < 0 || *constant >= array.getSize()))
    return op->emitOpError() << "C1: expects an index less than " << array.getSize() << ", but got "
                             << *constant;
  return success();
}

LogicalResult ArrayGetOp::verify() { return verifyIndex(*this, getIndex(), getArray().getType()); }
LogicalResult ArrayUpdateOp::verify() {
  return verifyIndex(*this, getIndex(), getArray().getType());
}

//===- Symbols --------------------------------------------------------------------===//

Speculation::Speculatability pl::getSymbolicSpeculatability(Operation *op) {
  auto func = op->getParentOfType<FuncOp>();
  bool movable = true;
  auto check = [&](Type type) {
    forEachSymbol(type, [&](StringAttr name) {
      auto declares = [&](Type parameter) {
        bool found = false;
        forEachSymbol(parameter, [&](StringAttr other) { found |= other == name; });
        return found;
      };
      movable &= func && llvm::any_of(func.getArgumentTypes(), declares);
    });
  };
  llvm::for_each(op->getOperandTypes(), check);
  llvm::for_each(op->getResultTypes(), check);
  return movable ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

#define GET_OP_CLASSES
#include "pypto/Dialect/PL/IR/PLOps.cpp.inc"
