// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One call: names, parameters, copies, results.
#include "InlineFunctionsExpansion.h"

#include "pypto/Dialect/PL/IR/Names.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::pl::inlining;

//===- Names ----------------------------------------------------------------------------===//

StringAttr FreshNames::get(StringAttr base) {
  SmallString<16> qualifier("inline");
  llvm::raw_svector_ostream(qualifier) << counter++;
  return StringAttr::get(base.getContext(), qualifyName(base.getValue(), qualifier));
}

StringAttr FreshNames::getSymbol(StringAttr base) {
  StringAttr name = get(base);
  while (taken.contains(name))
    name = get(base);
  return name;
}

static Location withoutName(Location loc) {
  Location rest = loc;
  takeName(loc, rest);
  return rest;
}

Location Inliner::inlinedLoc(Location loc, const Expansion &expansion, StringAttr name) {
  Location at = CallSiteLoc::get(withoutName(loc), *expansion.site);
  return name ? Location(NameLoc::get(name, at)) : at;
}

Location Inliner::inlinedLoc(Location loc, const Expansion &expansion) {
  auto named = dyn_cast<NameLoc>(loc);
  return inlinedLoc(loc, expansion, named ? names.get(named.getName()) : StringAttr());
}

//===- Copies -----------------------------------------------------------------------------===//

Operation *Inliner::clone(Operation *op, Expansion &expansion) {
  SmallVector<Value, 8> operands;
  operands.reserve(op->getNumOperands());
  for (Value operand : op->getOperands()) {
    // What a block that is not copied yet defines is put in its place when the region is complete.
    auto it = expansion.values.find(operand);
    operands.push_back(it == expansion.values.end() ? operand : it->second);
  }
  SmallVector<Block *, 2> successors;
  for (Block *successor : op->getSuccessors())
    successors.push_back(expansion.blocks.lookup(successor));
  auto var = dyn_cast<VarOp>(op);
  StringAttr fresh = var ? names.get(var.getNameAttr()) : StringAttr();
  bool isLocal = op->getNumResults() != 0;
  Location loc =
      var ? inlinedLoc(op->getLoc(), expansion, isa<NameLoc>(op->getLoc()) ? fresh : StringAttr())
      : isLocal ? inlinedLoc(op->getLoc(), expansion)
                : inlinedLoc(op->getLoc(), expansion, {});
  Operation *copy = Operation::create(loc, op->getName(), op->getResultTypes(), operands,
                                      op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
                                      successors, op->getNumRegions());
  if (var)
    cast<VarOp>(copy).setNameAttr(fresh);
  return copy;
}

//===- Parameters -------------------------------------------------------------------------===//

static StringAttr getParameterName(BlockArgument argument) {
  if (auto named = dyn_cast<NameLoc>(argument.getLoc()))
    return named.getName();
  return StringAttr::get(argument.getContext(), "arg" + Twine(argument.getArgNumber()));
}

static Type getValueType(Type type) {
  auto cell = dyn_cast<VarType>(type);
  return cell ? cell.getValueType() : type;
}

void Inliner::bindParameter(Expansion &expansion, unsigned index, Value actual,
                            OpBuilder &builder) {
  BlockArgument argument = expansion.callee->func.getArgument(index);
  bool isCell = isa<VarType>(actual.getType());
  Value &value = expansion.values[argument];
  switch (expansion.callee->summary.parameters[index]) {
  case ParameterBinding::Argument:
    value = actual;
    return;
  case ParameterBinding::CallerCell:
    if (isCell) {
      value = actual;
      return;
    }
    break;
  case ParameterBinding::LocalCell:
    break;
  }
  StringAttr name = names.get(getParameterName(argument));
  if (isCell)
    actual = GetOp::create(builder, inlinedLoc(argument.getLoc(), expansion, {}),
                           getValueType(actual.getType()), actual);
  bool isNamed = isa<NameLoc>(argument.getLoc());
  value = VarOp::create(
      builder, inlinedLoc(argument.getLoc(), expansion, isNamed ? name : StringAttr()),
      VarType::get(actual.getContext(),
                   makeCellType(getValueType(argument.getType()), actual.getType())),
      name, actual);
}

/// A name of the callee that is bound to `?`, and that some operation of the body has to spell, is
/// given the number that it stands for.
void Inliner::bindUnknownSymbols(Expansion &expansion, OpBuilder &builder) {
  for (StringAttr name : expansion.callee->spelled) {
    ExtentAttr bound = expansion.bindings.lookup(name);
    if (!bound || !bound.isDynamic() || expansion.bindings.isAmbiguous(name))
      continue;
    for (BlockArgument argument : expansion.callee->func.getArguments()) {
      auto formal = dyn_cast<pl::TensorType>(getValueType(argument.getType()));
      if (!formal)
        continue;
      const auto *dim = llvm::find(formal.getExtents(), ExtentAttr::getSymbol(name));
      if (dim == formal.getExtents().end())
        continue;
      Location loc = inlinedLoc(argument.getLoc(), expansion, {});
      Value tensor = expansion.values.lookup(argument);
      if (auto cell = dyn_cast<VarType>(tensor.getType()))
        tensor = GetOp::create(builder, loc, cell.getValueType(), tensor);
      Value extent = DimOp::create(builder, loc, builder.getIndexType(), tensor,
                                   builder.getI64IntegerAttr(dim - formal.getExtents().begin()));
      StringAttr fresh = names.getSymbol(name);
      SymbolOp::create(builder, loc, FlatSymbolRefAttr::get(fresh), extent);
      expansion.locals[name] = fresh;
      frames.back().boundNames.push_back(fresh);
      break;
    }
  }
}

/// The verifier has checked the arguments as they stand in the text; here they have their types in
/// the copy.
LogicalResult Inliner::checkArguments(Expansion &expansion, ValueRange actuals) {
  FuncOp func = expansion.callee->func;
  for (auto [index, formal, actual] :
       llvm::enumerate(func.getArgumentTypes(), actuals.getTypes())) {
    SymbolBindings own;
    own.bind(formal, actual);
    std::string reason =
        explainMismatch(getValueType(formal), getValueType(actual), own, /*checkValid=*/false);
    if (reason.empty())
      continue;
    InFlightDiagnostic diag = emitError(expansion) << "argument " << index << " " << reason;
    diag.attachNote(expansion.call.getLoc()) << "in this call";
    diag.attachNote(func.getLoc()) << "callee '" << func.getSymName() << "' is here";
    return diag;
  }
  return success();
}

//===- The call -----------------------------------------------------------------------------===//

Expansion *Inliner::acquire() {
  if (unused.empty()) {
    pool.push_back(std::make_unique<Expansion>());
    return pool.back().get();
  }
  Expansion *expansion = unused.pop_back_val();
  expansion->reset();
  return expansion;
}

LogicalResult Inliner::enterCall(CallOp call, Callee &callee, Expansion *outer) {
  Expansion &expansion = *acquire();
  expansion.callee = &callee;
  expansion.outer = outer;
  expansion.call = call;
  expansion.site = withoutName(call.getLoc());
  if (outer)
    expansion.site = CallSiteLoc::get(*expansion.site, *outer->site);
  SmallVector<Value, 8> actuals;
  bool isAsInText = outer != nullptr;
  for (Value operand : call.getOperands()) {
    actuals.push_back(outer ? outer->values.lookup(operand) : operand);
    isAsInText &= actuals.back().getType() == operand.getType();
  }
  Block *target = outer ? frames.back().target : call->getBlock();
  Block::iterator insertion = outer ? frames.back().insertion : Block::iterator(call);
  OpBuilder builder(target, insertion);

  expansion.retypes = callee.hasSymbols;
  for (auto [index, formal, actual] : llvm::enumerate(callee.func.getArgumentTypes(), actuals)) {
    bindParameter(expansion, index, actual, builder);
    if (callee.hasSymbols)
      expansion.bindings.bind(formal, actual.getType());
    expansion.retypes |= getValueType(formal) != getValueType(actual.getType());
  }
  if (expansion.retypes && !isAsInText && checksScope && failed(checkArguments(expansion, actuals)))
    return failure();
  if (callee.hasSymbols)
    bindUnknownSymbols(expansion, builder);

  SmallVector<int64_t> dumps(call.getDumps().value_or(ArrayRef<int64_t>()));
  if (outer && !outer->markedOperands.empty())
    llvm::append_range(dumps, outer->markedOperands.lookup(call));
  if (!dumps.empty())
    collectMarks(expansion, dumps);

  Block &body = callee.func.getBody().front();
  Frame frame;
  frame.expansion = &expansion;
  frame.next = body.begin();
  frame.end = body.end();
  frame.target = target;
  frame.insertion = insertion;
  frame.isBody = true;
  frames.push_back(std::move(frame));
  return success();
}

LogicalResult Inliner::finishCall(Expansion &expansion) {
  CallOp call = expansion.call;
  Expansion *outer = expansion.outer;
  for (auto [result, value] : llvm::zip_equal(call.getResults(), expansion.returned)) {
    if (!areCompatible(result.getType(), value.getType())) {
      InFlightDiagnostic diag = emitError(expansion)
                                << "result " << llvm::cast<OpResult>(result).getResultNumber()
                                << " is " << value.getType() << ", which is not compatible with "
                                << result.getType();
      diag.attachNote(call.getLoc()) << "in this call";
      return diag;
    }
    if (outer) {
      outer->values[result] = value;
      outer->retypes |= value.getType() != result.getType();
    } else {
      replaceResult(llvm::cast<OpResult>(result), value);
    }
  }
  if (!outer)
    call.erase();
  unused.push_back(&expansion);
  return success();
}

void Inliner::replaceResult(OpResult result, Value value) {
  if (value.getType() != result.getType())
    noteUses(result, result.getType());
  if (snapshots.contains(value))
    for (Operation *user : result.getUsers())
      if (isa<SetOp>(user))
        writeBacks.insert(user);
  result.replaceAllUsesWith(value);
}
