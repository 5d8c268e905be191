// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks, values, extents.
#include "Machine.h"

#include "pypto/Dialect/PL/IR/ExtentEvaluation.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::interpreter;

static Table buildTable() {
  Table table;
  addArith(table);
  addMath(table);
  addControlFlow(table);
  addScopes(table);
  addCalls(table);
  addVariables(table);
  addStorage(table);
  addTileMemory(table);
  addElementwise(table);
  addShapes(table);
  addReductions(table);
  addMatmul(table);
  addIndexing(table);
  addSorting(table);
  addSynchronization(table);
  return table;
}

const Table &interpreter::getTable() {
  static const Table table = buildTable();
  return table;
}

Machine::Machine(ModuleOp module, const Options &options)
    : options(options), table(getTable()),
      kinds([this](StringAttr name) { return lookupFunction(name); }) {
  for (auto func : module.getOps<FuncOp>())
    functions[func.getSymNameAttr()] = func;
}

InFlightDiagnostic Machine::emitError(Operation *op, const Twine &message) {
  constexpr unsigned maxNotes = 8;
  InFlightDiagnostic diag = op->emitOpError(message);
  unsigned numNotes = 0;
  for (Frame *at = frame; at && at->call && numNotes < maxNotes; at = at->caller, ++numNotes)
    diag.attachNote(at->call->getLoc()) << "called from here";
  return diag;
}

//===- Blocks -----------------------------------------------------------------===//

LogicalResult Machine::runBlock(Block &block, SmallVectorImpl<RuntimeValue> &results) {
  if (depth >= options.maxDepth)
    return emitError(block.getParentOp(), "is inside of ")
           << depth << " calls and regions: expects fewer than " << options.maxDepth;
  ++depth;
  // A name bound in a block ends with it.
  size_t numSymbols = frame->symbols.size();
  LogicalResult result = success();
  for (Operation &op : block.without_terminator()) {
    result = runOperation(&op);
    if (failed(result))
      break;
  }
  if (succeeded(result) && block.mightHaveTerminator())
    results = getAll(block.getTerminator()->getOperands());
  frame->symbols.truncate(numSymbols);
  --depth;
  return result;
}

LogicalResult Machine::runOperation(Operation *op) {
  auto [it, isNew] = handlers.try_emplace(op->getName(), nullptr);
  if (isNew)
    it->second = table.lookup(op->getName().getStringRef());
  if (const Table::Handler *handler = it->second)
    return (*handler)(*this, op);
  return runByFolding(*this, op);
}

//===- Values -----------------------------------------------------------------===//

const RuntimeValue &Machine::get(Value value) const {
  auto it = frame->values.find(value);
  assert(it != frame->values.end() && "an operand is computed before its users");
  return it->second;
}

SmallVector<RuntimeValue> Machine::getAll(ValueRange values) const {
  return llvm::map_to_vector(values, [&](Value value) { return get(value); });
}

int64_t Machine::getIndex(Operation *op, Value value) {
  const Number &number = getNumber(value);
  if (number.state == State::Unset)
    noteUndefined(op, "a number");
  return number.getSigned();
}

FailureOr<RuntimeValue> Machine::read(Operation *op, const Cell &cell) {
  if (!cell.value)
    return emitError(op, "reads a variable that is not set");
  return *cell.value;
}

/// Where a value is made, for a message.
static Operation *getOwner(Value value) {
  Operation *op = value.getDefiningOp();
  return op ? op : cast<BlockArgument>(value).getOwner()->getParentOp();
}

FailureOr<Sizes> Machine::getTypedValid(Operation *op, ExtentTypeInterface type, const View &view) {
  if (type.getValid().empty())
    return view.shape;
  Sizes valid = view.valid;
  for (auto [dim, extent] : llvm::enumerate(type.getValid())) {
    if (std::optional<int64_t> size = evaluate(extent))
      valid[dim] = *size;
    if (valid[dim] < 0 || valid[dim] > view.shape[dim])
      return emitError(op, "expects a valid extent of at most ")
             << view.shape[dim] << " in dimension " << dim << ", but got " << valid[dim];
  }
  return valid;
}

LogicalResult Machine::checkSizes(Operation *op, ArrayRef<ExtentAttr> extents,
                                  ArrayRef<int64_t> sizes, const Twine &what) {
  for (auto [dim, extent, size] : llvm::enumerate(extents, sizes)) {
    std::optional<int64_t> expected = evaluate(extent);
    if (!expected || *expected == size)
      continue;
    std::string text;
    llvm::raw_string_ostream os(text);
    extent.printExpression(os);
    InFlightDiagnostic diag = emitError(op, "expects ") << what << " ";
    diag << text;
    if (!extent.isConstant())
      diag << " = " << *expected;
    return diag << " in dimension " << dim << ", but got " << size;
  }
  return success();
}

LogicalResult Machine::define(Value value, RuntimeValue result) {
  auto *view = std::get_if<View>(&result);
  auto type = dyn_cast<ExtentTypeInterface>(value.getType());
  if (view && type && !frame->isInline()) {
    Operation *op = getOwner(value);
    if (failed(checkSizes(op, type.getExtents(), view->shape, "extent")))
      return failure();
    if (isa<pl::TensorType>(type)) {
      FailureOr<Sizes> valid = getTypedValid(op, type, *view);
      if (failed(valid))
        return failure();
      view->valid = std::move(*valid);
    } else if (failed(checkSizes(op, getValidOrExtents(type), view->valid, "valid extent"))) {
      return failure();
    }
  }
  set(value, std::move(result));
  return success();
}

LogicalResult Machine::define(ValueRange values, ArrayRef<RuntimeValue> results) {
  for (auto [value, result] : llvm::zip_equal(values, results))
    if (failed(define(value, result)))
      return failure();
  return success();
}

LogicalResult Machine::enter(Block &block, ArrayRef<RuntimeValue> arguments) {
  return define(ValueRange(block.getArguments()), arguments);
}

LogicalResult Machine::checkClaim(Operation *op, Value source, ExtentTypeInterface type) {
  auto from = cast<ExtentTypeInterface>(source.getType());
  if (frame->isInline() && from.getValid() == type.getValid())
    return success();
  const View &view = getView(source);
  if (failed(checkSizes(op, type.getExtents(), view.shape, "extent")))
    return failure();
  return checkSizes(op, getValidOrExtents(type), view.valid, "valid extent");
}

FailureOr<View> Machine::retype(Operation *op, View view, ExtentTypeInterface from,
                                ExtentTypeInterface to) {
  if (failed(checkSizes(op, to.getExtents(), view.shape, "extent")))
    return failure();
  // In an inline function what the text does not change is as the argument has it.
  if (frame->isInline() && from.getValid() == to.getValid())
    return view;
  FailureOr<Sizes> valid = getTypedValid(op, to, view);
  if (failed(valid))
    return failure();
  view.valid = std::move(*valid);
  return view;
}

//===- Extents ----------------------------------------------------------------===//

std::optional<int64_t> Machine::evaluate(ExtentAttr extent) const {
  if (extent.isDynamic())
    return std::nullopt;
  SmallVector<int64_t, 2> numbers;
  for (StringAttr name : extent.getSymbols()) {
    std::optional<int64_t> number;
    bool isFound = false;
    // What an inline function does not know is its caller's.
    for (Frame *at = frame; at && !isFound; at = at->isInline() ? at->caller : nullptr)
      for (auto &[bound, value] : llvm::reverse(at->symbols))
        if (bound == name) {
          number = value;
          isFound = true;
          break;
        }
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return evaluateExtent(extent, numbers);
}

/// What the operands that have an extent in their types have in its place, if they agree: for a
/// name of an inline function that two arguments give two numbers.
std::optional<int64_t> Machine::findInOperands(Operation *op, ExtentAttr extent) const {
  std::optional<int64_t> found;
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<ExtentTypeInterface>(operand.getType());
    if (!type)
      continue;
    for (auto [own, size] : llvm::zip_equal(type.getExtents(), getView(operand).shape)) {
      if (own != extent)
        continue;
      if (found && *found != size)
        return std::nullopt;
      found = size;
    }
  }
  return found;
}

FailureOr<Sizes> Machine::evaluate(Operation *op, ArrayRef<ExtentAttr> extents,
                                   ValueRange &dynamic) {
  Sizes sizes;
  for (ExtentAttr extent : extents) {
    if (extent.isDynamic() && !dynamic.empty()) {
      sizes.push_back(getIndex(op, dynamic.front()));
      dynamic = dynamic.drop_front();
      continue;
    }
    std::optional<int64_t> size = evaluate(extent);
    if (!size)
      size = findInOperands(op, extent);
    if (!size) {
      std::string text;
      llvm::raw_string_ostream os(text);
      extent.printExpression(os);
      return emitError(op, "has an extent without a number: ") << text;
    }
    sizes.push_back(*size);
  }
  return sizes;
}

FailureOr<Extents> Machine::evaluateType(Operation *op, ExtentTypeInterface type,
                                         ValueRange dynamic) {
  FailureOr<Sizes> shape = evaluate(op, type.getExtents(), dynamic);
  if (failed(shape))
    return failure();
  FailureOr<Sizes> valid =
      type.getValid().empty() ? *shape : evaluate(op, type.getValid(), dynamic);
  if (failed(valid))
    return failure();
  for (auto [dim, extent, part] : llvm::enumerate(*shape, *valid)) {
    if (extent < 0)
      return emitError(op, "expects an extent that is not negative in dimension ")
             << dim << ", but got " << extent;
    if (part < 0 || part > extent)
      return emitError(op, "expects a valid extent of at most ")
             << extent << " in dimension " << dim << ", but got " << part;
  }
  return Extents{std::move(*shape), std::move(*valid)};
}

Sizes Machine::getMixed(Operation *op, ValueRange dynamic, ArrayRef<int64_t> fixed) {
  Sizes numbers;
  for (int64_t number : fixed) {
    if (!ShapedType::isDynamic(number)) {
      numbers.push_back(number);
      continue;
    }
    numbers.push_back(getIndex(op, dynamic.front()));
    dynamic = dynamic.drop_front();
  }
  return numbers;
}
