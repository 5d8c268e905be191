// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program on numbers, before and after each pass.
#include "PassCheck.h"

#include "pypto/ExecutionEngine/Files.h"
#include "pypto/ExecutionEngine/JIT.h"
#include "pypto/Pipelines/Pipelines.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

//===- Pipelines --------------------------------------------------------------===//

/// Parts of `text` between commas that stand in no bracket.
static SmallVector<StringRef> splitList(StringRef text) {
  SmallVector<StringRef> parts;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i != text.size(); ++i) {
    char c = text[i];
    depth += c == '(' || c == '{' || c == '[' || c == '<';
    depth -= c == ')' || c == '}' || c == ']' || c == '>';
    if (c == ',' && depth == 0) {
      parts.push_back(text.slice(start, i));
      start = i + 1;
    }
  }
  if (start != text.size())
    parts.push_back(text.substr(start));
  return parts;
}

/// `prefix` and `suffix` are the operations around.
static void flatten(StringRef text, const std::string &prefix, const std::string &suffix,
                    SmallVectorImpl<std::string> &passes) {
  for (StringRef part : splitList(text)) {
    size_t bracket = part.find_first_of("({");
    if (bracket == StringRef::npos || part[bracket] == '{')
      passes.push_back(prefix + part.trim().str() + suffix);
    else
      flatten(part.slice(bracket + 1, part.rfind(')')), prefix + part.take_front(bracket + 1).str(),
              ")" + suffix, passes);
  }
}

static SmallVector<std::string> flatten(PassManager &manager) {
  std::string text;
  llvm::raw_string_ostream os(text);
  manager.printAsTextualPipeline(os);
  StringRef inner(text);
  inner = inner.slice(inner.find('(') + 1, inner.rfind(')'));
  SmallVector<std::string> passes;
  flatten(inner, "", "", passes);
  return passes;
}

llvm::Expected<SmallVector<std::string>>
pypto::execution::flattenPipeline(MLIRContext &context, StringRef pipeline, StringRef option) {
  PassManager manager(&context, ModuleOp::getOperationName());
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(parsePassPipeline(pipeline, manager, os)))
    return makeError(option + ": " + StringRef(message).split('\n').first.split("error: ").second);
  return flatten(manager);
}

/// The name of a pass without what it is nested in and without options.
static StringRef getPassName(StringRef pass) {
  StringRef name = pass.take_until([](char c) { return c == '{' || c == ')'; });
  return name.substr(name.rfind('(') + 1);
}

//===- Runs -------------------------------------------------------------------===//

namespace {
class PassCheck {
public:
  PassCheck(const RunOptions &options, Program &program, ArrayRef<HostValue> arguments,
            llvm::raw_ostream &out)
      : options(options), program(program), arguments(arguments), out(out) {}
  llvm::Expected<bool> run();

private:
  llvm::Error readPipelines();
  llvm::Expected<bool> runPass(size_t number);
  /// Runs the program, of whose passes the first `numDone` are done.
  llvm::Expected<bool> execute(size_t numDone);
  llvm::Expected<bool> interpret();
  llvm::Expected<bool> executeCompiled(size_t numDone);
  llvm::Expected<bool> compile(ArrayRef<std::string> rest);
  llvm::Error keepOutputs(ArrayRef<HostValue> given, ArrayRef<HostValue> results);
  llvm::Expected<bool> compareWith(ArrayRef<Output> before, size_t number);
  llvm::Error keepIR(size_t number);
  llvm::Expected<SmallVector<HostValue>> cloneArguments() const;
  /// Whether the entry has been lowered.
  bool isCompiled() const {
    return !program.module->lookupSymbol<pl::FuncOp>(program.signature.name);
  }

  const RunOptions &options;
  Program &program;
  ArrayRef<HostValue> arguments;
  llvm::raw_ostream &out;

  SmallVector<std::string> passes;
  /// The shortest way to machine code, and how far the program has come on it.
  SmallVector<std::string> reference;
  size_t position = 0;
  /// The program before the last pass.
  OwningOpRef<ModuleOp> before;
  SmallVector<Output> outputs;
  /// Elements of the results that nothing has given a value, by the interpreter.
  SmallVector<std::vector<bool>> undefined;
  /// How the numbers were found, for the report.
  std::string how;
  bool wasCompiled = false, isFirst = true;
  /// Whether the passes lead to machine code.
  bool isComplete = false;
};
} // namespace

/// Two arguments that share an array share its copy.
llvm::Expected<SmallVector<HostValue>> PassCheck::cloneArguments() const {
  llvm::DenseMap<Array *, std::shared_ptr<Array>> copies;
  SmallVector<HostValue> given(arguments);
  for (HostValue &value : given) {
    std::shared_ptr<Array> &copy = copies[value.array.get()];
    if (!copy) {
      llvm::Expected<Array> cloned = value.array->clone();
      if (!cloned)
        return cloned.takeError();
      copy = std::make_shared<Array>(std::move(*cloned));
    }
    value.array = copy;
  }
  return given;
}

llvm::Error PassCheck::keepOutputs(ArrayRef<HostValue> given, ArrayRef<HostValue> results) {
  llvm::Expected<SmallVector<Output>> collected = collectOutputs(program.signature, given, results);
  if (!collected)
    return collected.takeError();
  outputs = std::move(*collected);
  return llvm::Error::success();
}

llvm::Expected<bool> PassCheck::interpret() {
  llvm::Expected<SmallVector<HostValue>> given = cloneArguments();
  if (!given)
    return given.takeError();
  auto start = Clock::now();
  SmallVector<std::vector<bool>> masks;
  interpreter::Options silent;
  // The first run has said it.
  silent.warnUndefined = std::exchange(isFirst, false);
  FailureOr<SmallVector<HostValue>> results = interpretEntry(program, *given, silent, &masks);
  if (failed(results))
    return false;
  if (llvm::Error error = keepOutputs(*given, *results))
    return std::move(error);
  undefined = std::move(masks);
  how = llvm::formatv("interpreted in {0:f1} ms", getMilliseconds(start)).str();
  return true;
}

/// Compiles a copy of the program after `rest` and runs it.
llvm::Expected<bool> PassCheck::compile(ArrayRef<std::string> rest) {
  llvm::Expected<SmallVector<HostValue>> given = cloneArguments();
  if (!given)
    return given.takeError();
  auto start = Clock::now();
  Program copy;
  copy.module = program.module->clone();
  copy.signature = program.signature;
  std::string pipeline = llvm::join(rest, ",");
  if (!rest.empty()) {
    llvm::Expected<bool> isLowered = runPasses(copy, pipeline, "--check-each-pass");
    if (!isLowered || !*isLowered)
      return isLowered;
  }
  llvm::Expected<std::unique_ptr<JIT>> jit = JIT::create(*copy.module, {copy.signature.name});
  if (!jit)
    return jit.takeError();
  Invocation invocation(copy.signature, *given);
  llvm::Expected<JIT::Invoker> invoker =
      (*jit)->lookup(copy.signature.name, invocation.getNumParameters());
  if (!invoker)
    return invoker.takeError();
  if (llvm::Error error = invocation.run(*invoker, options.tasks))
    return std::move(error);
  llvm::Expected<SmallVector<HostValue>> results = invocation.getResults();
  if (!results)
    return results.takeError();
  if (llvm::Error error = keepOutputs(*given, *results))
    return std::move(error);
  how = llvm::formatv("compiled and run in {0:f1} ms", getMilliseconds(start)).str();
  return true;
}

/// The passes that follow are left out where that is possible, so that a later one is not held
/// against an earlier one.
llvm::Expected<bool> PassCheck::executeCompiled(size_t numDone) {
  SmallVector<std::string> shortest(ArrayRef(reference).drop_front(position));
  {
    ScopedDiagnosticHandler quiet(program.module->getContext(), [](Diagnostic &) {});
    llvm::Expected<bool> isDone = compile(shortest);
    if (isDone && *isDone)
      return true;
    llvm::consumeError(isDone.takeError());
  }
  SmallVector<std::string> all(ArrayRef(passes).drop_front(numDone));
  if (!isComplete)
    llvm::append_range(all, shortest);
  return compile(all);
}

llvm::Expected<bool> PassCheck::execute(size_t numDone) {
  return isCompiled() ? executeCompiled(numDone) : interpret();
}

//===- One pass after the other -----------------------------------------------===//

llvm::Error PassCheck::readPipelines() {
  MLIRContext &context = *program.module->getContext();
  isComplete = options.checkEachPass == "default";
  StringRef pipeline = isComplete ? StringRef(options.pipeline) : options.checkEachPass;
  llvm::Expected<SmallVector<std::string>> flat =
      flattenPipeline(context, pipeline, "--check-each-pass");
  if (!flat)
    return flat.takeError();
  passes = std::move(*flat);
  PassManager manager(&context, ModuleOp::getOperationName());
  buildCpuReferencePipeline(manager);
  reference = flatten(manager);
  return llvm::Error::success();
}

static llvm::Error writeModule(ModuleOp module, StringRef directory, const Twine &name) {
  SmallString<128> path(directory);
  llvm::sys::path::append(path, name);
  return writeFile(path, [&](llvm::raw_ostream &os) {
    module->print(os, OpPrintingFlags().enableDebugInfo().useLocalScope());
  });
}

llvm::Error PassCheck::keepIR(size_t number) {
  if (options.keepIR.empty())
    return llvm::Error::success();
  if (std::error_code code = llvm::sys::fs::create_directories(options.keepIR))
    return makeError("cannot make '" + options.keepIR + "': " + code.message());
  std::string name = llvm::formatv("{0}-{1}", number + 1, getPassName(passes[number])).str();
  if (llvm::Error error = writeModule(*before, options.keepIR, name + ".before.mlir"))
    return error;
  if (llvm::Error error = writeModule(*program.module, options.keepIR, name + ".after.mlir"))
    return error;
  out << "the program before and after it: " << options.keepIR << '/' << name
      << ".{before,after}.mlir\n";
  return llvm::Error::success();
}

static std::string formatPosition(ArrayRef<int64_t> shape, int64_t number) {
  SmallVector<int64_t> index(shape.size());
  for (size_t i = shape.size(); i-- > 0; number /= shape[i])
    index[i] = number % shape[i];
  return formatShape(index);
}

llvm::Expected<bool> PassCheck::compareWith(ArrayRef<Output> expected, size_t number) {
  double largest = 0;
  std::string differences;
  llvm::raw_string_ostream os(differences);
  for (auto [index, was, is] : llvm::enumerate(expected, outputs)) {
    auto isDefined = [&](int64_t element) {
      bool hasValue =
          index >= undefined.size() || undefined[index].empty() || !undefined[index][element];
      return hasValue && was.value.isDefined(element) && is.value.isDefined(element);
    };
    llvm::Expected<Comparison> result =
        compare(is.type, *is.value.array, *was.value.array, options.tolerance, isDefined);
    if (!result)
      return makeError(is.label + ": " + llvm::toString(result.takeError()));
    largest = std::max(largest, result->maxAbsoluteError);
    if (result->numDifferent == 0)
      continue;
    os << "  " << is.label << ": " << result->numDifferent << " of "
       << is.value.array->getNumElements() << " elements differ, first at "
       << formatPosition(is.value.array->getShape(), result->firstDifferent) << ": "
       << result->firstExpected << " before, " << result->firstActual << " after\n";
  }
  if (differences.empty()) {
    out << (largest == 0 ? std::string("equal")
                         : llvm::formatv("largest error {0:e2}", largest).str())
        << ", " << how << '\n';
    return true;
  }
  out << "DIFFERENT, " << how << "\n'" << getPassName(passes[number])
      << "' is the first pass that changed a number:\n"
      << differences;
  if (isCompiled() && !wasCompiled)
    out << "from here on the program is compiled: the pass, or one of those that it needs behind "
           "it\n";
  if (llvm::Error error = keepIR(number))
    return std::move(error);
  return false;
}

llvm::Expected<bool> PassCheck::runPass(size_t number) {
  StringRef pass = passes[number];
  before = program.module->clone();
  OperationFingerPrint old(*program.module);
  wasCompiled = isCompiled();
  auto start = Clock::now();
  llvm::Expected<bool> isDone = runPasses(program, pass, "--check-each-pass");
  out << llvm::formatv("{0,-40} {1,8:f1} ms  ", getPassName(pass), getMilliseconds(start));
  if (!isDone || !*isDone) {
    out << "failed\n";
    return isDone;
  }
  if (position != reference.size() && getPassName(reference[position]) == getPassName(pass))
    ++position;
  if (OperationFingerPrint(*program.module) == old) {
    out << "changes nothing\n";
    return true;
  }
  // Wrong machine code may end this process: the line says after which pass.
  out.flush();
  SmallVector<Output> expected = std::move(outputs);
  outputs.clear();
  llvm::Expected<bool> isRun = execute(number + 1);
  if (!isRun || !*isRun) {
    out << "cannot be run\n'" << getPassName(pass)
        << "' is the first pass after which the program cannot be run\n";
    if (llvm::Error error = keepIR(number))
      return llvm::joinErrors(std::move(error), isRun.takeError());
    return isRun;
  }
  return compareWith(expected, number);
}

llvm::Expected<bool> PassCheck::run() {
  if (llvm::Error error = readPipelines())
    return std::move(error);
  llvm::Expected<bool> isRun = execute(0);
  if (!isRun || !*isRun)
    return isRun;
  out << "before the first pass: " << how << '\n';
  for (size_t number = 0; number != passes.size(); ++number) {
    llvm::Expected<bool> isEqual = runPass(number);
    if (!isEqual || !*isEqual)
      return isEqual;
  }
  out << passes.size() << " passes, no number changed\n";
  return true;
}

llvm::Expected<bool> pypto::execution::checkEachPass(const RunOptions &options, Program &program,
                                                     ArrayRef<HostValue> arguments,
                                                     llvm::raw_ostream &out) {
  return PassCheck(options, program, arguments, out).run();
}
