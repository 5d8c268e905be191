// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables, symbolic extents, small arrays.
#include "Machine.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::interpreter;

static LogicalResult runVar(Machine &machine, VarOp op) {
  auto cell = std::make_shared<Cell>();
  if (op.getInit())
    cell->value = std::make_shared<RuntimeValue>(machine.get(op.getInit()));
  machine.set(op.getCell(), std::move(cell));
  return success();
}

static LogicalResult runGet(Machine &machine, GetOp op) {
  FailureOr<RuntimeValue> value = machine.read(op, *machine.getCell(op.getCell()));
  return failed(value) ? failure() : machine.define(op.getValue(), std::move(*value));
}

static LogicalResult runSet(Machine &machine, SetOp op) {
  machine.getCell(op.getCell())->value = std::make_shared<RuntimeValue>(machine.get(op.getValue()));
  return success();
}

static LogicalResult runSymbol(Machine &machine, SymbolOp op) {
  machine.bindSymbol(op.getSymAttr().getAttr(), machine.getIndex(op, op.getValue()));
  return success();
}

//===- Arrays -----------------------------------------------------------------===//

using Numbers = std::vector<Number>;

static const Numbers &getArray(Machine &machine, Value value) {
  return *std::get<std::shared_ptr<Numbers>>(machine.get(value));
}

static LogicalResult runArrayCreate(Machine &machine, ArrayCreateOp op) {
  return machine.define(op.getResult(),
                        std::make_shared<Numbers>(op.getResult().getType().getSize(),
                                                  machine.getNumber(op.getValue())));
}

static LogicalResult runArrayGet(Machine &machine, ArrayGetOp op) {
  const Numbers &array = getArray(machine, op.getArray());
  int64_t index = machine.getIndex(op, op.getIndex());
  if (failed(machine.checkIndex(op, 0, index, array.size())))
    return failure();
  return machine.define(op.getResult(), array[index]);
}

static LogicalResult runArrayUpdate(Machine &machine, ArrayUpdateOp op) {
  auto array = std::make_shared<Numbers>(getArray(machine, op.getArray()));
  int64_t index = machine.getIndex(op, op.getIndex());
  if (failed(machine.checkIndex(op, 0, index, array->size())))
    return failure();
  (*array)[index] = machine.getNumber(op.getValue());
  return machine.define(op.getResult(), std::move(array));
}

void interpreter::addVariables(Table &table) {
  table.add<VarOp>(runVar);
  table.add<GetOp>(runGet);
  table.add<SetOp>(runSet);
  table.add<SymbolOp>(runSymbol);
  table.add<ArrayCreateOp>(runArrayCreate);
  table.add<ArrayGetOp>(runArrayGet);
  table.add<ArrayUpdateOp>(runArrayUpdate);
}
