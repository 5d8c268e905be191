// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of lowered programs.
#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::orchestration;

//===- Assembly -----------------------------------------------------------------===//

static constexpr std::pair<AccessMode, StringLiteral> kModes[] = {
    {AccessMode::Read, "read"},
    {AccessMode::Write, "write"},
    {AccessMode::Update, "update"},
    {AccessMode::Accumulate, "accumulate"}};

/// `(read %x, write %y, %n)`: the modes in front of the memrefs, in order.
static ParseResult parseAccesses(OpAsmParser &parser,
                                 SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
                                 DenseI32ArrayAttr &modes) {
  SmallVector<int32_t> numbers;
  auto parseOne = [&]() -> ParseResult {
    for (auto [mode, name] : kModes)
      if (succeeded(parser.parseOptionalKeyword(name)))
        numbers.push_back(static_cast<int32_t>(mode));
    return parser.parseOperand(operands.emplace_back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne))
    return failure();
  modes = parser.getBuilder().getDenseI32ArrayAttr(numbers);
  return success();
}

static void printAccesses(OpAsmPrinter &printer, Operation *, OperandRange operands,
                          DenseI32ArrayAttr modes) {
  ArrayRef<int32_t> left = modes;
  printer << '(';
  llvm::interleaveComma(operands, printer, [&](Value operand) {
    if (isa<BaseMemRefType>(operand.getType()) && !left.empty()) {
      for (auto [mode, name] : kModes)
        if (static_cast<int32_t>(mode) == left.front())
          printer << name << ' ';
      left = left.drop_front();
    }
    printer << operand;
  });
  printer << ')';
}

#define GET_OP_CLASSES
#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.cpp.inc"

//===- Accesses -------------------------------------------------------------------===//

static LogicalResult verifyModes(Operation *op, ValueRange operands, ArrayRef<int32_t> modes,
                                 StringRef constraint) {
  size_t count = llvm::count_if(operands.getTypes(), llvm::IsaPred<BaseMemRefType>);
  if (modes.size() != count)
    return op->emitOpError() << constraint << ": expects " << count << " accesses, but got "
                             << modes.size();
  for (int32_t mode : modes)
    if (!llvm::is_contained({1, 2, 3, 7}, mode))
      return op->emitOpError() << constraint << ": expects an access of kind 1, 2, 3 or 7, but got "
                               << mode;
  return success();
}

/// Effects on the set of tasks.
static void
addTaskEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), TaskResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), TaskResource::get());
}

static void
addAccessEffects(MutableArrayRef<OpOperand> operands, ArrayRef<int32_t> modes,
                 SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand &operand : operands) {
    if (!isa<BaseMemRefType>(operand.get().getType()) || modes.empty())
      continue;
    if (modes.front() & static_cast<int32_t>(AccessMode::Read))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (modes.front() & static_cast<int32_t>(AccessMode::Write))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    modes = modes.drop_front();
  }
}

//===- Launches -------------------------------------------------------------------===//

void LaunchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  addTaskEffects(effects);
  MutableOperandRange arguments = getArgumentsMutable();
  addAccessEffects(getOperation()->getOpOperands().take_front(arguments.size()), getModes(),
                   effects);
}

LogicalResult LaunchOp::verify() { return verifyModes(*this, getArguments(), getModes(), "C3"); }

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto callee = symbolTable.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError("C1: expects a private function, but '")
           << getCallee() << "' is none in this module";
  if (!callee.isPrivate() || callee.getNumResults() != 0) {
    InFlightDiagnostic diag = emitOpError("C1: expects a private function without results");
    diag.attachNote(callee.getLoc()) << "'" << getCallee() << "' is here";
    return diag;
  }
  SmallVector<Type> types(getArguments().getTypes());
  ArrayRef<Type> parameters = callee.getArgumentTypes();
  if (getBlocks() && parameters.size() == types.size() + 2)
    types.append(2, IndexType::get(getContext()));
  if (parameters != ArrayRef<Type>(types)) {
    InFlightDiagnostic diag = emitOpError("C2: expects arguments of types (")
                              << parameters << "), but got (" << getArguments().getTypes() << ")";
    diag.attachNote(callee.getLoc()) << "'" << getCallee() << "' is here";
    return diag;
  }
  return success();
}

//===- Synchronisation -------------------------------------------------------------===//

void SyncOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  // As if it did all that the tasks may still have to do: nothing moves over it.
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult SyncOp::verify() { return verifyModes(*this, getMemrefs(), getModes(), "C1"); }

static LogicalResult verifyIndices(Operation *op, Value signal, size_t count) {
  int64_t rank = cast<MemRefType>(signal.getType()).getRank();
  if (static_cast<int64_t>(count) != rank)
    return op->emitOpError("C1: expects ") << rank << " indices, but got " << count;
  return success();
}

LogicalResult AwaitSignalOp::verify() {
  return verifyIndices(*this, getSignal(), getIndices().size());
}

LogicalResult GiveSignalOp::verify() {
  return verifyIndices(*this, getSignal(), getIndices().size());
}
