// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way in and out: arrays of the host become tensors, and tensors arrays.
#include "pypto/Interpreter/Interpreter.h"

#include "Machine.h"

#include "pypto/ExecutionEngine/Elements.h"

#include "llvm/Support/thread.h"
#include <cstring>

using namespace mlir;
using namespace pypto;
using namespace pypto::interpreter;

//===- Arguments --------------------------------------------------------------===//

using KnownStorage = llvm::DenseMap<execution::Array *, std::shared_ptr<Storage>>;

/// Arguments that share an array share storage.
static FailureOr<RuntimeValue> importValue(pl::FuncOp entry, Type type,
                                           const execution::HostValue &value, KnownStorage &known) {
  if (!isa<pl::TensorType>(type))
    return RuntimeValue(Format(type).decode(value.array->data()));
  std::shared_ptr<Storage> &storage = known[value.array.get()];
  if (!storage)
    storage = Storage::wrap(value.array);
  if (!storage)
    return entry.emitOpError("has no memory for what is known of an argument");
  View view{
      storage, 0, Sizes(value.array->getShape()), getDenseStrides(value.array->getShape()), {}};
  view.valid = value.valid.empty() ? view.shape : Sizes(ArrayRef(value.valid));
  return RuntimeValue(std::move(view));
}

/// Elements of an argument that were written with what has no value.
static std::vector<bool> getUndefined(const execution::HostValue &value,
                                      const KnownStorage &known) {
  auto it = known.find(value.array.get());
  if (it == known.end())
    return {};
  std::vector<bool> undefined(value.array->getNumElements());
  for (size_t number = 0; number != undefined.size(); ++number)
    undefined[number] = it->second->state(number) != State::Set;
  return llvm::is_contained(undefined, true) ? undefined : std::vector<bool>();
}

//===- Results ----------------------------------------------------------------===//

/// A dense copy.
static FailureOr<Outcome> exportView(pl::FuncOp entry, pl::TensorType type, const View &view) {
  llvm::Expected<execution::Array> array =
      execution::Array::create(*execution::getDType(type.getElementType()), view.shape);
  if (!array)
    return entry.emitOpError(llvm::toString(array.takeError()));
  Outcome outcome{{std::make_shared<execution::Array>(std::move(*array)), {}}, {}};
  if (!type.getValid().empty())
    outcome.value.valid.assign(view.valid.begin(), view.valid.end());
  int64_t number = 0;
  std::vector<bool> undefined(outcome.value.array->getNumElements(), false);
  bool isComplete = true;
  forEachIndex(view.shape, [&](ArrayRef<int64_t> index) {
    int64_t position = view.locate(index);
    std::memcpy(outcome.value.array->element(number), view.storage->element(position),
                outcome.value.array->getDType().size);
    undefined[number] = view.isValid(index) && view.storage->state(position) != State::Set;
    isComplete &= !undefined[number++];
  });
  if (!isComplete)
    outcome.undefined = std::move(undefined);
  return outcome;
}

static FailureOr<Outcome> exportValue(pl::FuncOp entry, Type type, const RuntimeValue &value) {
  if (auto tensor = dyn_cast<pl::TensorType>(type))
    return exportView(entry, tensor, std::get<View>(value));
  const auto &number = std::get<Number>(value);
  auto array = std::make_shared<execution::Array>(
      llvm::cantFail(execution::Array::create(*execution::getDType(type), {})));
  Format(type).encode(number, array->data());
  Outcome outcome{{std::move(array), {}}, {}};
  if (number.state != State::Set)
    outcome.undefined.assign(1, true);
  return outcome;
}

static void warnUndefined(pl::FuncOp entry, unsigned index, const Outcome &outcome) {
  int64_t count = llvm::count(outcome.undefined, true);
  if (count == 0)
    return;
  entry.emitWarning("nothing has given a value to ")
      << count << " of the " << outcome.undefined.size() << " elements of result " << index;
}

static FailureOr<Run> interpretHere(pl::FuncOp entry, ArrayRef<execution::HostValue> arguments,
                                    const Options &options) {
  Machine machine(entry->getParentOfType<ModuleOp>(), options);
  KnownStorage known;
  SmallVector<RuntimeValue> given, results;
  for (auto [type, value] : llvm::zip_equal(entry.getArgumentTypes(), arguments)) {
    FailureOr<RuntimeValue> imported = importValue(entry, type, value, known);
    if (failed(imported))
      return failure();
    given.push_back(std::move(*imported));
  }
  if (failed(machine.runEntry(entry, given, results)))
    return failure();
  Run run;
  for (const execution::HostValue &value : arguments)
    run.arguments.push_back({value, getUndefined(value, known)});
  for (auto [index, type, value] : llvm::enumerate(entry.getResultTypes(), results)) {
    FailureOr<Outcome> outcome = exportValue(entry, type, value);
    if (failed(outcome))
      return failure();
    if (options.warnUndefined)
      warnUndefined(entry, index, *outcome);
    run.results.push_back(std::move(*outcome));
  }
  return run;
}

FailureOr<Run> interpreter::interpret(pl::FuncOp entry, ArrayRef<execution::HostValue> arguments,
                                      const Options &options) {
  // One level of calls or regions takes some hundred bytes of stack, with sanitizers a few
  // thousand; pages that are not touched cost nothing.
  constexpr unsigned bytesPerLevel = 16384, spare = 1 << 20;
  FailureOr<Run> run = failure();
  llvm::thread thread(std::optional<unsigned>(options.maxDepth * bytesPerLevel + spare),
                      [&] { run = interpretHere(entry, arguments, options); });
  thread.join();
  return run;
}

//===- What there is ------------------------------------------------------------===//

bool interpreter::isInterpreted(StringRef operation) {
  // Ends of blocks and functions themselves are not run by a handler of their own.
  if (llvm::is_contained(getUnsupportedOperations(), operation))
    return false;
  return getTable().lookup(operation) || operation == "pl.func" || operation == "pl.return" ||
         operation == "pl.yield";
}
