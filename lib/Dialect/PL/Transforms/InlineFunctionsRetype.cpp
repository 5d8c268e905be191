// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result types that follow from operands whose types have changed.
#include "InlineFunctionsExpansion.h"

#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"
#include "pypto/Dialect/PL/IR/Names.h"
#include "pypto/Dialect/Tile/IR/TileOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::pl::inlining;

void Inliner::noteUses(Value value, Type oldType) {
  for (OpOperand &use : value.getUses())
    changed[use.getOwner()].push_back({use.getOperandNumber(), oldType});
}

void Inliner::setType(Value value, Type type) {
  if (value.getType() == type)
    return;
  noteUses(value, value.getType());
  value.setType(type);
}

static bool isOwnDialect(Operation *op) {
  return isa_and_nonnull<PLDialect, tile::TileDialect, orchestration::OrchestrationDialect>(
      op->getDialect());
}

/// An operation whose results are those of its regions.
static bool yieldsResults(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::ExecuteRegionOp, scf::IndexSwitchOp>(op) ||
         isOwnDialect(op);
}

/// The operand that a result is another form of, or null.
static OpOperand *getForwarded(Operation *op, OpResult result) {
  if (auto alias = dyn_cast<StorageAliasOpInterface>(op))
    return alias.getAliasedOperand(result);
  if (auto tied = dyn_cast<TiedOperandOpInterface>(op))
    return tied.getTiedOperand(result);
  return isa<tile::CastValidOp, tile::MoveOp>(op) ? &op->getOpOperand(0) : nullptr;
}

LogicalResult Inliner::retype(Operation *op, ArrayRef<Type> old, Expansion *expansion) {
  if (auto var = dyn_cast<VarOp>(op))
    return retypeVar(var, old, expansion);
  if (auto get = dyn_cast<GetOp>(op))
    return retypeGet(get, old, expansion);
  if (auto set = dyn_cast<SetOp>(op))
    return retypeSet(set, old, expansion);
  if (op->hasTrait<OpTrait::IsTerminator>() && !op->getNumResults())
    return success();
  if (op->getNumRegions() != 0 && yieldsResults(op))
    return success();
  if (op->getNumResults() == 0 && isOwnDialect(op))
    return success();
  if (llvm::equal(old, op->getOperandTypes()))
    return followAll(op, old, expansion);
  if (isa<CallOp, orchestration::SubmitOp>(op))
    return retypeCall(op, old, expansion);
  if (!isOwnDialect(op) && !isa<StorageAliasOpInterface, TiedOperandOpInterface>(op))
    return retypeForeign(op, old, expansion);
  if (isa<InferTypeOpInterface>(op))
    return inferTypes(op, expansion);
  for (OpResult result : op->getResults()) {
    OpOperand *source = getForwarded(op, result);
    Type type = source ? transfer(old[source->getOperandNumber()], source->get().getType(),
                                  result.getType(), expansion, op)
                       : follow(op, old, result.getType(), expansion);
    if (!type)
      return failure();
    setType(result, type);
  }
  return success();
}

LogicalResult Inliner::followAll(Operation *op, ArrayRef<Type> old, Expansion *expansion) {
  if (!expansion)
    return success();
  for (OpResult result : op->getResults()) {
    Type type = follow(op, old, result.getType(), expansion);
    if (!type)
      return failure();
    setType(result, type);
  }
  return success();
}

LogicalResult Inliner::inferTypes(Operation *op, Expansion *expansion) {
  auto infer = cast<InferTypeOpInterface>(op);
  SmallVector<Type> types;
  auto tryInfer = [&](std::optional<Location> loc) {
    types.clear();
    return infer.inferReturnTypes(op->getContext(), loc, op->getOperands(), op->getAttrDictionary(),
                                  op->getPropertiesStorage(), op->getRegions(), types);
  };
  if (succeeded(tryInfer(std::nullopt))) {
    for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
      setType(result, type);
    return success();
  }
  std::string reason;
  {
    ScopedDiagnosticHandler handler(op->getContext(), [&](Diagnostic &diag) {
      reason = diag.str();
      return success();
    });
    (void)tryInfer(op->getLoc());
  }
  InFlightDiagnostic diag = expansion ? emitError(*expansion) : op->emitOpError();
  diag << reason;
  diag.attachNote(op->getLoc()) << "operation whose operands this is about";
  return diag;
}

//===- Variables ------------------------------------------------------------------------===//

static Type getCellType(Type type) { return cast<VarType>(type).getValueType(); }

LogicalResult Inliner::retypeVar(VarOp op, ArrayRef<Type> old, Expansion *expansion) {
  Type type = op.getValueType();
  if (op.getInit()) {
    Type exact = transfer(old.front(), op.getInit().getType(), type, expansion, op);
    if (!exact)
      return failure();
    type = makeCellType(type, exact);
  } else if (expansion) {
    Type substituted = substitute(type, *expansion, nullptr);
    // The first value decides where the text says nothing that still means something.
    if (!substituted || !expansion->types.contains(type))
      untyped.insert(op.getCell());
    if (substituted)
      type = substituted;
  }
  setType(op.getCell(), VarType::get(op.getContext(), type));
  return success();
}

LogicalResult Inliner::retypeGet(GetOp op, ArrayRef<Type> old, Expansion *expansion) {
  Type cell = op.getCell().getType().getValueType();
  Type type = transfer(getCellType(old.front()), cell, op.getValue().getType(), expansion, op);
  if (!type)
    return failure();
  setType(op.getValue(), areCompatible(cell, type) ? type : cell);
  return success();
}

LogicalResult Inliner::retypeSet(SetOp op, ArrayRef<Type> old, Expansion *expansion) {
  Value cell = op.getCell();
  Type type = getCellType(cell.getType()), value = op.getValue().getType();
  bool isDeclaredAlike = getCellType(old.front()) == old.back();
  bool isInScope = cell.getParentBlock() == op->getBlock() || !hasSymbols(value);
  if (untyped.erase(cell) && isDeclaredAlike && isInScope) {
    cell.setType(VarType::get(op.getContext(), value));
    return success();
  }
  // In the text every value of the cell has its type; here this one may not. Reads so far have a
  // type of their own: only the cell itself becomes less exact.
  bool isCompatible = areCompatible(type, value);
  if (isCompatible && !isDeclaredAlike)
    return success();
  if (Type join = joinTypes(type, value)) {
    if (join == type)
      return success();
    cell.setType(VarType::get(op.getContext(), join));
    return success();
  }
  if (isCompatible)
    return success();
  InFlightDiagnostic diag = expansion ? emitError(*expansion) : op.emitOpError();
  diag << "a variable of type " << type << " is bound to " << value;
  diag.attachNote(op.getLoc()) << "bound here";
  return diag;
}

//===- Calls, operations of other dialects --------------------------------------------------===//

/// A declared result type of `callee` in a call with operands of these types.
static Type inferResult(FuncOp callee, unsigned index, TypeRange operands) {
  SymbolBindings bindings;
  for (auto [formal, actual] : llvm::zip(callee.getArgumentTypes(), operands))
    bindings.bind(formal, actual);
  return substituteSymbols(callee.getResultTypes()[index], [&](StringAttr name) {
    ExtentAttr extent = bindings.lookup(name);
    return extent && !bindings.isAmbiguous(name) ? extent
                                                 : ExtentAttr::getDynamic(name.getContext());
  });
}

LogicalResult Inliner::retypeCall(Operation *op, ArrayRef<Type> old, Expansion *expansion) {
  auto call = cast<CallOpInterface>(op);
  auto name = cast<SymbolRefAttr>(call.getCallableForCallee()).getRootReference();
  FuncOp callee = graph.lookupFunction(name);
  for (OpResult result : op->getResults()) {
    unsigned index = result.getResultNumber();
    bool isDeclared = callee && index < callee.getResultTypes().size();
    size_t numArguments = call.getArgOperands().size();
    bool isInferred =
        isDeclared && result.getType() == inferResult(callee, index, old.take_front(numArguments));
    Type type = isInferred ? inferResult(callee, index, call.getArgOperands().getTypes()) : Type();
    if (!type)
      type = follow(op, old, result.getType(), expansion);
    if (!type)
      return failure();
    setType(result, type);
  }
  return success();
}

/// Operations of which nothing is known: operands of one type stay operands of one type. In the
/// caller itself, and around regions, operands keep the types that they had.
LogicalResult Inliner::retypeForeign(Operation *op, ArrayRef<Type> old, Expansion *expansion) {
  llvm::SmallDenseMap<Type, Type> types;
  bool keepsTypes = !expansion || op->getNumRegions() != 0;
  for (OpOperand &operand : op->getOpOperands()) {
    Type before = old[operand.getOperandNumber()], after = operand.get().getType();
    auto [it, inserted] = types.try_emplace(before, keepsTypes ? before : after);
    if (it->second == after)
      continue;
    if (keepsTypes && expansion) {
      Type substituted = substitute(before, *expansion, op);
      if (!substituted)
        return failure();
      it->second = substituted;
    } else if (!keepsTypes) {
      if (Type join = joinTypes(it->second, after))
        it->second = join;
    }
  }
  for (OpOperand &operand : op->getOpOperands())
    if (failed(castTo(operand, types.lookup(old[operand.getOperandNumber()]), expansion)))
      return failure();
  for (OpResult result : op->getResults()) {
    auto it = types.find(result.getType());
    Type type = it != types.end() ? it->second : follow(op, old, result.getType(), expansion);
    if (!type)
      return failure();
    setType(result, type);
  }
  return success();
}

LogicalResult Inliner::castTo(OpOperand &operand, Type type, Expansion *expansion) {
  Value value = operand.get();
  if (value.getType() == type)
    return success();
  Operation *op = operand.getOwner();
  OpBuilder builder(op);
  Location loc = op->getLoc();
  takeName(op->getLoc(), loc);
  if (areCompatible(value.getType(), type)) {
    if (isa<pl::TensorType>(type)) {
      operand.set(CastShapeOp::create(builder, loc, type, value));
      return success();
    }
    if (isa<tile::TileType>(type)) {
      operand.set(tile::CastValidOp::create(builder, loc, type, value));
      return success();
    }
  }
  InFlightDiagnostic diag = expansion ? emitError(*expansion) : op->emitOpError();
  diag << "expects a value of type " << type << ", but got " << value.getType();
  diag.attachNote(op->getLoc()) << "operand " << operand.getOperandNumber() << " of this operation";
  return diag;
}
