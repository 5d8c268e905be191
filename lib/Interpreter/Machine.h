// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine that runs a program, operation by operation.
#ifndef PYPTO_LIB_INTERPRETER_MACHINE_H
#define PYPTO_LIB_INTERPRETER_MACHINE_H

#include "Parameters.h"
#include "Values.h"

#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"
#include "pypto/Dialect/PL/IR/PLOps.h"
#include "pypto/Dialect/PL/IR/TypeRules.h"
#include "pypto/Dialect/Tile/IR/TileOps.h"
#include "pypto/Interpreter/Interpreter.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include <functional>

namespace pypto::interpreter {

class Machine;

/// How each operation is run.
class Table {
public:
  using Handler = std::function<llvm::LogicalResult(Machine &, mlir::Operation *)>;

  template <typename OpTy> void add(llvm::LogicalResult (*fn)(Machine &, OpTy)) {
    add(OpTy::getOperationName(),
        [fn](Machine &machine, mlir::Operation *op) { return fn(machine, llvm::cast<OpTy>(op)); });
  }
  void add(llvm::StringRef name, Handler handler) { handlers[name] = std::move(handler); }
  const Handler *lookup(llvm::StringRef name) const {
    auto it = handlers.find(name);
    return it == handlers.end() ? nullptr : &it->second;
  }

private:
  llvm::StringMap<Handler> handlers;
};

/// The table of all families.
const Table &getTable();

void addArith(Table &table);
void addMath(Table &table);
void addControlFlow(Table &table);
void addScopes(Table &table);
void addCalls(Table &table);
void addVariables(Table &table);
void addStorage(Table &table);
void addTileMemory(Table &table);
void addElementwise(Table &table);
void addShapes(Table &table);
void addReductions(Table &table);
void addMatmul(Table &table);
void addIndexing(Table &table);
void addSorting(Table &table);
void addSynchronization(Table &table);

/// Runs an operation without memory on constants by what its dialect knows of them.
llvm::LogicalResult runByFolding(Machine &machine, mlir::Operation *op);

/// A wait that has to have come true when the task is done.
struct DeferredWait {
  mlir::Operation *op;
  pl::CmpKind kind;
  View signal;
  Sizes index;
  Number expected;
};

/// Where a block stands in its launch.
struct BlockPlace {
  int64_t index = 0, count = 1, subblock = 0;
};

/// One execution of a function.
struct Frame {
  pl::FuncOp func;
  /// The call, and the frame that it stands in; null for the entry.
  mlir::Operation *call = nullptr;
  Frame *caller = nullptr;
  BlockPlace place;
  llvm::DenseMap<mlir::Value, RuntimeValue> values;
  /// Numbers of the names in extents, the innermost last; nothing where two arguments of an inline
  /// function disagree.
  llvm::SmallVector<std::pair<mlir::StringAttr, std::optional<int64_t>>> symbols;
  llvm::SmallVector<DeferredWait, 0> deferred;

  /// In an inline function types are those that its author wrote: extents and valid extents are
  /// what the arguments have.
  bool isInline() { return func.isInline(); }
};

/// Extents and valid extents.
struct Extents {
  Sizes shape, valid;
};

class Machine {
public:
  Machine(mlir::ModuleOp module, const Options &options);

  /// Runs an entry. Results are what it returns.
  llvm::LogicalResult runEntry(pl::FuncOp func, llvm::ArrayRef<RuntimeValue> arguments,
                               llvm::SmallVectorImpl<RuntimeValue> &results);

  //===- Blocks -------------------------------------------------------------------===//

  /// Runs a block; `results` are the operands of its terminator.
  llvm::LogicalResult runBlock(mlir::Block &block, llvm::SmallVectorImpl<RuntimeValue> &results);
  llvm::LogicalResult runOperation(mlir::Operation *op);
  /// Runs a function in a frame of its own. `launch` is where the block stands in a launch that the
  /// call makes; without it the block is that of the caller.
  llvm::LogicalResult call(mlir::Operation *op, pl::FuncOp callee, mlir::ValueRange arguments,
                           const BlockPlace *launch, llvm::SmallVectorImpl<RuntimeValue> &results);
  pl::FuncOp lookupFunction(mlir::StringAttr name) const { return functions.lookup(name); }

  //===- Values -------------------------------------------------------------------===//

  const RuntimeValue &get(mlir::Value value) const;
  const View &getView(mlir::Value value) const { return std::get<View>(get(value)); }
  const Number &getNumber(mlir::Value value) const { return std::get<Number>(get(value)); }
  const std::shared_ptr<Cell> &getCell(mlir::Value value) const {
    return std::get<std::shared_ptr<Cell>>(get(value));
  }
  /// A number that decides something; a warning if nothing has given it a value.
  int64_t getIndex(mlir::Operation *op, mlir::Value value);
  void set(mlir::Value value, RuntimeValue result) { frame->values[value] = std::move(result); }
  /// Sets a result and checks it against its type.
  llvm::LogicalResult define(mlir::Value value, RuntimeValue result);
  llvm::LogicalResult define(mlir::ValueRange values, llvm::ArrayRef<RuntimeValue> results);
  /// Sets the arguments of a block.
  llvm::LogicalResult enter(mlir::Block &block, llvm::ArrayRef<RuntimeValue> arguments);
  llvm::SmallVector<RuntimeValue> getAll(mlir::ValueRange values) const;
  /// What a variable is bound to; an error if it is not.
  llvm::FailureOr<RuntimeValue> read(mlir::Operation *op, const Cell &cell);

  /// `view` as a value of type `to` that was one of type `from`: what the types say of the valid
  /// extents counts where they differ.
  llvm::FailureOr<View> retype(mlir::Operation *op, View view, pl::ExtentTypeInterface from,
                               pl::ExtentTypeInterface to);
  /// What `type` says about `source` has to be true.
  llvm::LogicalResult checkClaim(mlir::Operation *op, mlir::Value source,
                                 pl::ExtentTypeInterface type);

  //===- Extents ------------------------------------------------------------------===//

  /// The number that an extent is here; nothing if it cannot be known.
  std::optional<int64_t> evaluate(pl::ExtentAttr extent) const;
  /// The numbers of `extents`, those that are `?` taken from `dynamic`.
  llvm::FailureOr<Sizes> evaluate(mlir::Operation *op, llvm::ArrayRef<pl::ExtentAttr> extents,
                                  mlir::ValueRange &dynamic);
  /// Extents and valid extents of a type whose `?` are given by `dynamic`.
  llvm::FailureOr<Extents> evaluateType(mlir::Operation *op, pl::ExtentTypeInterface type,
                                        mlir::ValueRange dynamic);
  void bindSymbol(mlir::StringAttr name, int64_t value) { frame->symbols.push_back({name, value}); }
  /// Offsets or indices of which some are constants.
  Sizes getMixed(mlir::Operation *op, mlir::ValueRange dynamic, llvm::ArrayRef<int64_t> fixed);

  //===- Elements -----------------------------------------------------------------===//

  /// A new tensor or tile, no element of which has a value yet.
  llvm::FailureOr<View> allocate(mlir::Operation *op, mlir::Type element, const Extents &extents);
  /// The same with the extents of a type whose `?` are given by `dynamic`.
  llvm::FailureOr<View> allocate(mlir::Operation *op, pl::ExtentTypeInterface type,
                                 mlir::ValueRange dynamic);
  /// A window of `view`: its sizes stand for the last dimensions.
  llvm::FailureOr<View> getWindow(mlir::Operation *op, const View &view,
                                  llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> sizes);
  /// Reports an index that is outside of `shape`.
  llvm::LogicalResult checkIndex(mlir::Operation *op, llvm::ArrayRef<int64_t> index,
                                 llvm::ArrayRef<int64_t> shape);
  llvm::LogicalResult checkIndex(mlir::Operation *op, unsigned dim, int64_t index, int64_t extent);
  /// Copies elements, whether they have values or not. Outside of the valid extents of `source`
  /// there are none.
  void copy(const View &source, const View &target, llvm::ArrayRef<int64_t> sizes,
            unsigned elementSize);
  /// Adds the valid elements of one operand to a window of another.
  void add(mlir::Operation *op, const View &source, unsigned sourceNumber, const View &window,
           unsigned targetNumber);
  /// Warns that an operation uses an element that nothing has given a value.
  void noteUndefined(mlir::Operation *op, const llvm::Twine &what,
                     std::optional<llvm::ArrayRef<int64_t>> index = std::nullopt);

  mlir::InFlightDiagnostic emitError(mlir::Operation *op, const llvm::Twine &message = {});

  Frame *frame = nullptr;
  /// Id of the next task.
  int64_t nextTask = 0;

private:
  llvm::LogicalResult run(mlir::Operation *op, llvm::ArrayRef<RuntimeValue> arguments,
                          llvm::SmallVectorImpl<RuntimeValue> &results);
  llvm::LogicalResult bindArguments(mlir::Operation *op, llvm::ArrayRef<RuntimeValue> arguments);
  llvm::FailureOr<RuntimeValue> bindCell(mlir::Operation *op, mlir::BlockArgument parameter,
                                         const RuntimeValue &argument);
  llvm::LogicalResult bindSymbols(mlir::Operation *op);
  llvm::LogicalResult bindNames(mlir::Operation *op, llvm::ArrayRef<pl::ExtentAttr> extents,
                                llvm::ArrayRef<int64_t> sizes, unsigned parameter);
  /// Checks that extents are what the type says that they are.
  llvm::LogicalResult checkSizes(mlir::Operation *op, llvm::ArrayRef<pl::ExtentAttr> extents,
                                 llvm::ArrayRef<int64_t> sizes, const llvm::Twine &what);
  /// The valid extents that a type gives to a tensor that has `view`'s.
  llvm::FailureOr<Sizes> getTypedValid(mlir::Operation *op, pl::ExtentTypeInterface type,
                                       const View &view);
  llvm::LogicalResult checkDeferred();
  std::optional<int64_t> findInOperands(mlir::Operation *op, pl::ExtentAttr extent) const;

  const Options &options;
  const Table &table;
  llvm::DenseMap<mlir::StringAttr, pl::FuncOp> functions;
  llvm::DenseMap<mlir::OperationName, const Table::Handler *> handlers;
  llvm::DenseSet<mlir::Operation *> reported;
  unsigned depth = 0;
  ParameterKinds kinds;
};

/// Reads elements of one operand of a computation in the order that it likes. Outside of the valid
/// extents elements are zero and have no value; using one is reported.
class Reader {
public:
  Reader(Machine &machine, mlir::Operation *op, unsigned operand, const View &view,
         mlir::Type element)
      : machine(machine), op(op), operand(operand), view(view), format(element) {}

  /// Without a report.
  Number peek(llvm::ArrayRef<int64_t> index) const {
    if (!view.isValid(index)) {
      Number zero = format.getZero();
      zero.state = State::Unset;
      return zero;
    }
    int64_t number = view.locate(index);
    Number element = format.decode(view.storage->element(number));
    element.state = view.storage->state(number);
    return element;
  }
  Number operator()(llvm::ArrayRef<int64_t> index) const {
    Number number = peek(index);
    if (number.state == State::Unset) {
      machine.noteUndefined(op, "operand #" + llvm::Twine(operand), index);
      number.state = State::Tainted;
    }
    return number;
  }
  const Format &getFormat() const { return format; }
  const View &getView() const { return view; }

private:
  Machine &machine;
  mlir::Operation *op;
  unsigned operand;
  const View &view;
  Format format;
};

/// Stores one element, which has a value from then on if `number` has.
inline void store(const View &view, llvm::ArrayRef<int64_t> index, const Format &format,
                  const Number &number) {
  int64_t position = view.locate(index);
  format.encode(number, view.storage->element(position));
  view.storage->state(position) = number.state;
}

/// Copies one element. Where the source has none, the target has none either, which is zero.
void moveElement(const View &source, llvm::ArrayRef<int64_t> from, const View &target,
                 llvm::ArrayRef<int64_t> to, unsigned elementSize);

inline mlir::Type getElement(mlir::Value value) {
  return llvm::cast<pl::ExtentTypeInterface>(value.getType()).getElementType();
}

} // namespace pypto::interpreter

#endif
