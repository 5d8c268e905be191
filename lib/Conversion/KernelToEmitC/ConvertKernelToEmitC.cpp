// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelEmitter.h"
#include "pypto/Conversion/KernelToEmitC/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pypto;

namespace pypto {
#define GEN_PASS_DEF_CONVERTKERNELTOEMITC
#include "pypto/Conversion/KernelToEmitC/Passes.h.inc"
} // namespace pypto

//===- Functions ------------------------------------------------------------------===//

/// The type of a pointer that nothing else points to.
static Type getRestrictType(emitc::PointerType type) {
  std::string element;
  llvm::raw_string_ostream os(element);
  Type pointee = type.getPointee();
  if (auto integer = dyn_cast<IntegerType>(pointee); integer && integer.getWidth() == 1)
    os << "bool";
  else if (integer)
    os << (integer.isUnsigned() ? "uint" : "int") << integer.getWidth() << "_t";
  else
    os << (pointee.isF64() ? "double" : pointee.isF32() ? "float" : "_Float16");
  return emitc::OpaqueType::get(type.getContext(), element + " *restrict");
}

LogicalResult KernelEmitter::emitFunction(func::FuncOp function) {
  if (!function.getResultTypes().empty() || !function.getBody().hasOneBlock())
    return function.emitError("expects a function of one block without results");
  SmallVector<Type> types;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    Type converted = convertType(type);
    if (!converted)
      return function.emitError() << "expects types that C has, but got " << type;
    if (auto pointer = dyn_cast<emitc::PointerType>(converted))
      if (function.getArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName()))
        converted = getRestrictType(pointer);
    types.push_back(converted);
  }
  b.setInsertionPoint(function);
  auto result =
      emitc::FuncOp::create(b, function.getLoc(), function.getName(), b.getFunctionType(types, {}));
  Block *body = result.addEntryBlock();
  b.setInsertionPointToStart(body);
  for (unsigned index = 0, e = types.size(); index != e; ++index)
    if (failed(bindParameter(function, index, body->getArgument(index))))
      return failure();
  return emitBlock(function.getBody().front());
}

void KernelEmitter::emitPrelude() {
  b.setInsertionPointToStart(module.getBody());
  Location loc = module.getLoc();
  for (StringRef header : {"math.h", "stdbool.h", "stdint.h", "stdlib.h", "string.h"})
    emitc::IncludeOp::create(b, loc, header, /*is_standard_include=*/true);
  for (auto &[name, text] : definitions)
    emitc::VerbatimOp::create(b, loc, StringRef(text));
}

LogicalResult KernelEmitter::run() {
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  for (func::FuncOp function : functions) {
    if (!function.isExternal() && failed(emitFunction(function)))
      return failure();
  }
  for (func::FuncOp function : functions)
    function.erase();
  for (auto global : llvm::make_early_inc_range(module.getOps<memref::GlobalOp>()))
    global.erase();
  emitPrelude();
  return success();
}

//===- Control flow -----------------------------------------------------------------===//

LogicalResult KernelEmitter::emitBlock(Block &block) {
  for (Operation &op : block)
    if (failed(emitOp(op)))
      return failure();
  return success();
}

LogicalResult KernelEmitter::emitOp(Operation &op) {
  bool isKnown = true;
  LogicalResult result = TypeSwitch<Operation *, LogicalResult>(&op)
                             .Case<scf::ForOp>([&](auto loop) { return emitFor(loop); })
                             .Case<scf::IfOp>([&](auto branch) { return emitIf(branch); })
                             .Case<scf::YieldOp>([&](auto yield) { return emitYield(yield); })
                             .Case<func::ReturnOp>([&](auto end) {
                               emitc::ReturnOp::create(b, end.getLoc(), Value());
                               return success();
                             })
                             .Default([&](Operation *op) { return emitMemory(*op, isKnown); });
  if (failed(result) || isKnown)
    return result;
  Value value = emitScalar(op);
  if (!value)
    return op.emitError("expects an operation that has C, but got '") << op.getName() << "'";
  values[op.getResult(0)] = value;
  return success();
}

FailureOr<SmallVector<Value>> KernelEmitter::createVariables(Operation *op, TypeRange types) {
  SmallVector<Value> variables;
  for (Type type : types) {
    Type converted = convertType(type);
    if (!converted || isa<emitc::PointerType>(converted))
      return op->emitError() << "expects scalars that C has as results, but got " << type;
    variables.push_back(emitc::VariableOp::create(b, op->getLoc(),
                                                  emitc::LValueType::get(converted),
                                                  emitc::OpaqueAttr::get(b.getContext(), "")));
  }
  return variables;
}

static Value load(OpBuilder &b, Location loc, Value variable) {
  return emitc::LoadOp::create(b, loc, cast<emitc::LValueType>(variable.getType()).getValueType(),
                               variable);
}

void KernelEmitter::bindResults(Operation *op, ValueRange variables) {
  for (auto [result, variable] : llvm::zip_equal(op->getResults(), variables))
    values[result] = load(b, op->getLoc(), variable);
}

LogicalResult KernelEmitter::emitFor(scf::ForOp loop) {
  Location loc = loop.getLoc();
  FailureOr<SmallVector<Value>> variables = createVariables(loop, loop.getResultTypes());
  if (failed(variables))
    return failure();
  for (auto [variable, init] : llvm::zip_equal(*variables, loop.getInitArgs()))
    emitc::AssignOp::create(b, loc, variable, lookup(init));
  auto result = emitc::ForOp::create(b, loc, lookup(loop.getLowerBound()),
                                     lookup(loop.getUpperBound()), lookup(loop.getStep()));
  values[loop.getInductionVar()] = result.getInductionVar();
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(result.getBody()->getTerminator());
    for (auto [argument, variable] : llvm::zip_equal(loop.getRegionIterArgs(), *variables))
      values[argument] = load(b, loc, variable);
    yields[&loop.getRegion()] = *variables;
    if (failed(emitBlock(*loop.getBody())))
      return failure();
  }
  bindResults(loop, *variables);
  return success();
}

LogicalResult KernelEmitter::emitIf(scf::IfOp branch) {
  Location loc = branch.getLoc();
  FailureOr<SmallVector<Value>> variables = createVariables(branch, branch.getResultTypes());
  if (failed(variables))
    return failure();
  bool hasElse = !branch.getElseRegion().empty();
  auto result = emitc::IfOp::create(b, loc, lookup(branch.getCondition()), true, hasElse);
  auto emitRegion = [&](Region &from, Region &to) {
    OpBuilder::InsertionGuard guard(b);
    Block &block = to.front();
    if (block.empty() || !block.back().hasTrait<OpTrait::IsTerminator>()) {
      b.setInsertionPointToEnd(&block);
      emitc::YieldOp::create(b, loc);
    }
    b.setInsertionPoint(block.getTerminator());
    yields[&from] = *variables;
    return emitBlock(from.front());
  };
  if (failed(emitRegion(branch.getThenRegion(), result.getThenRegion())) ||
      (hasElse && failed(emitRegion(branch.getElseRegion(), result.getElseRegion()))))
    return failure();
  bindResults(branch, *variables);
  return success();
}

LogicalResult KernelEmitter::emitYield(scf::YieldOp yield) {
  for (auto [variable, value] :
       llvm::zip_equal(yields[yield->getParentRegion()], yield.getOperands()))
    emitc::AssignOp::create(b, yield.getLoc(), variable, lookup(value));
  return success();
}

namespace {
struct ConvertKernelToEmitCPass : pypto::impl::ConvertKernelToEmitCBase<ConvertKernelToEmitCPass> {
  void runOnModule() override {
    if (failed(KernelEmitter(getOperation()).run()))
      signalPassFailure();
  }
};
} // namespace
