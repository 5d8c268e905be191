// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Effects of calls and tasks on their arguments.
#include "pypto/Analysis/CallEffects.h"

#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"
#include "pypto/Dialect/PL/IR/PLOps.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

/// The effects on an argument of `type`; `direction` is none where directions promise nothing.
static ArgumentEffects getEffects(Type type, std::optional<Direction> direction) {
  bool isHandle = isa<pl::TensorType, VarType>(type);
  if (!isHandle)
    return {/*reads=*/true, /*writes=*/false};
  if (!direction)
    return {};
  return {/*reads=*/*direction != Direction::Out, /*writes=*/*direction != Direction::In};
}

/// What the direction of a parameter promises about an argument of `type`.
static std::optional<Direction> getPromise(FuncOp callee, unsigned index, Type type) {
  auto cell = dyn_cast<VarType>(type);
  bool isScalarCell = cell && isScalarType(cell.getValueType());
  if (callee.isInline() && !isScalarCell)
    return std::nullopt;
  return callee.getDirection(index);
}

SmallVector<ArgumentEffects> pypto::getCallEffects(Operation *call,
                                                   SymbolTableCollection &symbolTable) {
  if (!isa<CallOp, orchestration::SubmitOp>(call))
    return {};
  auto interface = cast<CallOpInterface>(call);
  auto callee = dyn_cast_or_null<FuncOp>(interface.resolveCallableInTable(&symbolTable));
  OperandRange arguments = interface.getArgOperands();
  if (callee && callee.getArgumentTypes().size() != arguments.size())
    callee = nullptr;
  SmallVector<ArgumentEffects> effects;
  for (auto [index, type] : llvm::enumerate(arguments.getTypes()))
    effects.push_back(
        getEffects(type, callee ? getPromise(callee, index, type) : std::optional<Direction>()));
  return effects;
}
