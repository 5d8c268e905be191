// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that operations of the three dialects share.
#include "pypto/Dialect/PL/IR/OpVerifiers.h"
#include "pypto/Dialect/PL/IR/PLOps.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

static LogicalResult verifyCount(Operation *op, StringRef label, size_t expected, size_t actual) {
  if (expected == actual)
    return success();
  return op->emitOpError() << label << ": expects " << expected << " operand"
                           << (expected == 1 ? "" : "s") << " for the '?' of its type, but got "
                           << actual;
}

LogicalResult pl::verifyDynamicSizes(Operation *op, StringRef label, Type type, size_t numSizes) {
  return verifyCount(op, label, getNumDynamic(cast<ExtentTypeInterface>(type)), numSizes);
}

LogicalResult pl::verifyDynamicValid(Operation *op, StringRef label, Type type, size_t numSizes) {
  return verifyCount(op, label, getNumDynamic(cast<ExtentTypeInterface>(type).getValid()),
                     numSizes);
}

/// As many operands as the list has places for.
static LogicalResult verifyMixedIndices(Operation *op, MixedIndices list) {
  size_t expected = llvm::count_if(list.constants, ShapedType::isDynamic);
  if (expected == list.numOperands)
    return success();
  return op->emitOpError() << "C1: expects " << expected
                           << " operands in its list of indices, but got " << list.numOperands;
}

LogicalResult pl::verifyWindow(Operation *op, MixedIndices list, ArrayRef<ExtentAttr> whole,
                               ArrayRef<ExtentAttr> window) {
  if (failed(verifyMixedIndices(op, list)))
    return failure();
  ArrayRef<int64_t> offsets = list.constants;
  if (offsets.size() != whole.size())
    return op->emitOpError() << "C1: expects one offset per dimension (" << whole.size()
                             << "), but got " << offsets.size();
  if (window.size() > whole.size())
    return op->emitOpError() << "C2: expects a window of rank at most " << whole.size()
                             << ", but got " << window.size();
  size_t missing = whole.size() - window.size();
  for (auto [dim, offset, extent] : llvm::enumerate(offsets, whole)) {
    if (ShapedType::isDynamic(offset))
      continue;
    if (offset < 0)
      return op->emitOpError() << "C4: expects offsets that are not negative, but got " << offset
                               << " in dimension " << dim;
    int64_t size = dim < missing                        ? 1
                   : window[dim - missing].isConstant() ? window[dim - missing].getConstant()
                                                        : 0;
    int64_t end;
    if (extent.isConstant() && (llvm::AddOverflow(offset, size, end) || end > extent.getConstant()))
      return op->emitOpError() << "C4: expects a window inside extent " << extent.getConstant()
                               << " of dimension " << dim << ", but got offset " << offset
                               << " and size " << size;
  }
  return success();
}

LogicalResult pl::verifyElementIndices(Operation *op, MixedIndices list, Type type) {
  if (failed(verifyMixedIndices(op, list)))
    return failure();
  ArrayRef<int64_t> indices = list.constants;
  ArrayRef<ExtentAttr> extents = cast<ExtentTypeInterface>(type).getExtents();
  if (indices.size() != extents.size())
    return op->emitOpError() << "C1: expects one index per dimension (" << extents.size()
                             << "), but got " << indices.size();
  for (auto [dim, index, extent] : llvm::enumerate(indices, extents)) {
    if (ShapedType::isDynamic(index))
      continue;
    if (index < 0 || (extent.isConstant() && index >= extent.getConstant()))
      return op->emitOpError() << "C2: expects an index inside dimension " << dim << " of " << type
                               << ", but got " << index;
  }
  return success();
}

LogicalResult pl::verifyScalarOf(Operation *op, Type scalar, Type shaped) {
  Type expected = getScalarType(cast<ExtentTypeInterface>(shaped).getElementType());
  if (scalar != expected)
    return op->emitOpError() << "C2: expects a scalar of type " << expected << ", but got "
                             << scalar;
  return success();
}

LogicalResult pl::verifySetValidShape(Operation *op, Type source, Type result, MixedIndices mixed) {
  if (failed(verifyMixedIndices(op, mixed)))
    return failure();
  ArrayRef<int64_t> list = mixed.constants;
  auto from = cast<ExtentTypeInterface>(source), to = cast<ExtentTypeInterface>(result);
  if (list.size() != from.getExtents().size())
    return op->emitOpError() << "C1: expects one valid extent per dimension ("
                             << from.getExtents().size() << "), but got " << list.size();
  if (from.getElementType() != to.getElementType() || from.getExtents() != to.getExtents() ||
      !from.isPlacementCompatible(result))
    return op->emitOpError()
           << "C2: expects a result that differs in its valid shape only, but got " << source
           << " and " << result;
  ArrayRef<ExtentAttr> valid = to.getValid().empty() ? to.getExtents() : to.getValid();
  for (auto [dim, number, extent] : llvm::enumerate(list, valid)) {
    if (!ShapedType::isDynamic(number) && extent.isConstant() && extent.getConstant() != number)
      return op->emitOpError() << "C3: expects valid extent " << extent.getConstant()
                               << " of its result in dimension " << dim << ", but got " << number;
    if (!ShapedType::isDynamic(number) && number < 0)
      return op->emitOpError() << "C3: expects valid extents that are not negative, but got "
                               << number;
  }
  return success();
}

LogicalResult pl::verifyScopeYield(Operation *scope, StringRef label) {
  auto yield = dyn_cast<YieldOp>(scope->getRegion(0).front().getTerminator());
  if (!yield)
    return scope->emitOpError() << label << ": expects its body to end with 'pl.yield'";
  if (!llvm::equal(yield.getOperandTypes(), scope->getResultTypes())) {
    InFlightDiagnostic diag = scope->emitOpError();
    diag << label << ": expects its body to yield values of its result types";
    diag.attachNote(yield.getLoc()) << "yielded here: " << yield.getOperandTypes();
    return diag;
  }
  return success();
}

//===- Calls ------------------------------------------------------------------===//

/// `formal` with the extents of `actual` where those are not constants: in an inline function they
/// may become anything, and inlining checks again.
static Type deferSymbolic(Type formal, Type actual) {
  auto from = dyn_cast<ExtentTypeInterface>(formal), to = dyn_cast<ExtentTypeInterface>(actual);
  if (!from || !to || formal.getTypeID() != actual.getTypeID() ||
      from.getExtents().size() != to.getExtents().size())
    return formal;
  auto pick = [](ArrayRef<ExtentAttr> own, ArrayRef<ExtentAttr> other) {
    SmallVector<ExtentAttr> result(own);
    for (auto [extent, replacement] : llvm::zip_equal(result, other))
      if (!replacement.isConstant())
        extent = replacement;
    return result;
  };
  SmallVector<ExtentAttr> extents = pick(from.getExtents(), to.getExtents());
  auto tensor = dyn_cast<pl::TensorType>(formal);
  if (!tensor)
    return from.cloneWith(extents, {}, from.getElementType());
  return pl::TensorType::get(formal.getContext(), extents, tensor.getElementType(),
                             pick(tensor.getValidOrExtents(), getValidOrExtents(to)), {},
                             tensor.getLayout());
}

/// C4: an `out` or `inout` scalar takes a cell. A parameter that is a cell takes one of a
/// compatible type, or a value where the caller has no name for it.
static LogicalResult verifyArgument(FuncOp callee, unsigned index, Type formal, Type actual,
                                    bool isDeferred, const SymbolBindings &bindings,
                                    std::string &reason) {
  if (auto cell = dyn_cast<VarType>(formal)) {
    if (!isa<VarType>(actual) && isScalarType(cell.getValueType()) &&
        callee.getDirection(index) != Direction::In) {
      reason = ("expects a cell for the '" + stringifyDirection(callee.getDirection(index)) +
                "' scalar, but got a value")
                   .str();
      return failure();
    }
    formal = cell.getValueType();
    if (auto actualCell = dyn_cast<VarType>(actual))
      actual = actualCell.getValueType();
  }
  if (isDeferred)
    formal = deferSymbolic(formal, actual);
  reason = explainMismatch(formal, actual, bindings, /*checkValid=*/!callee.isInline());
  return success(reason.empty());
}

LogicalResult pl::verifyCall(Operation *call, FlatSymbolRefAttr calleeName, OperandRange arguments,
                             TypeRange results, SymbolTableCollection &symbolTable) {
  auto callee = symbolTable.lookupNearestSymbolFrom<FuncOp>(call, calleeName);
  if (!callee) {
    Operation *other = symbolTable.lookupNearestSymbolFrom(call, calleeName);
    InFlightDiagnostic diag = call->emitOpError()
                              << "C1: expects a 'pl.func' named '" << calleeName.getValue() << "'";
    if (other)
      diag.attachNote(other->getLoc()) << "this is a '" << other->getName() << "'";
    return diag;
  }
  auto report = [&](const Twine &message) {
    InFlightDiagnostic diag = call->emitOpError(message);
    diag.attachNote(callee.getLoc()) << "callee '" << callee.getSymName() << "' is here";
    return diag;
  };
  ArrayRef<Type> formals = callee.getArgumentTypes();
  if (formals.size() != arguments.size())
    return report("C2: expects " + Twine(formals.size()) + " arguments, but got " +
                  Twine(arguments.size()));
  auto caller = call->getParentOfType<FuncOp>();
  bool isDeferred = caller && caller.isInline();
  SymbolBindings bindings;
  for (auto [index, formal, actual] : llvm::enumerate(formals, arguments.getTypes())) {
    SymbolBindings own;
    own.bind(formal, actual);
    bindings.bind(formal, actual);
    // Operand by operand for inline functions: each binds its own symbols first.
    std::string reason;
    if (failed(verifyArgument(callee, index, formal, actual, isDeferred, own, reason)))
      return report((isa<VarType>(formal) && !isa<VarType>(actual) &&
                             callee.getDirection(index) != Direction::In &&
                             isScalarType(cast<VarType>(formal).getValueType())
                         ? "C4: argument "
                         : "C2: argument ") +
                    Twine(index) + " " + reason);
  }
  if (!callee.isInline() && !isDeferred) {
    for (auto [index, formal, actual] : llvm::enumerate(formals, arguments.getTypes())) {
      std::string reason;
      if (failed(verifyArgument(callee, index, formal, actual, isDeferred, bindings, reason)))
        return report("C2: argument " + Twine(index) + " " + reason);
    }
    for (auto [name, extent] : bindings)
      if (bindings.isAmbiguous(name) && !extent.isDynamic())
        return report("C2: two arguments bind the symbol '" + Twine(name.getValue()) +
                      "' to different extents");
  }
  ArrayRef<Type> declared = callee.getResultTypes();
  if (declared.size() != results.size())
    return report("C3: expects " + Twine(declared.size()) + " results, but got " +
                  Twine(results.size()));
  for (auto [index, formal, actual] : llvm::enumerate(declared, results)) {
    // Symbols of the callee mean nothing here: only constants, element type and rank have to agree.
    Type bound = substituteSymbols(formal, [&](StringAttr name) {
      ExtentAttr extent = bindings.lookup(name);
      return extent && !bindings.isAmbiguous(name) ? extent
                                                   : ExtentAttr::getDynamic(call->getContext());
    });
    if (bound ? !areCompatible(bound, actual) : !areCompatible(formal, actual))
      return report("C3: result " + Twine(index) + " is not compatible with the callee's");
  }
  return success();
}
