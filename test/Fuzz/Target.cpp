// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Target.h"

#include "pypto/InitAll.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <unistd.h>

using namespace llvm;
using namespace mlir;
using namespace fuzzer;

/// Upstream passes that people run on our operations.
static constexpr const char *kUpstreamPasses[] = {"canonicalize", "cse", "sccp", "symbol-dce",
                                                  "loop-invariant-code-motion"};

/// What the registry prints: it has no other way to list its entries.
static std::string printRegistry() {
  SmallString<128> path;
  int file = -1;
  if (sys::fs::createTemporaryFile("passes", "txt", file, path))
    report_fatal_error("cannot make a temporary file");
  llvm::outs().flush();
  int saved = dup(STDOUT_FILENO);
  dup2(file, STDOUT_FILENO);
  printRegisteredPasses();
  llvm::outs().flush();
  dup2(saved, STDOUT_FILENO);
  close(saved);
  close(file);
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  std::string text = buffer ? (*buffer)->getBuffer().str() : "";
  sys::fs::remove(path);
  return text;
}

/// Whether the name is in the registry and stands on a module.
static bool isModulePass(StringRef name) {
  OpPassManager manager(ModuleOp::getOperationName());
  return (PassInfo::lookup(name) || PassPipelineInfo::lookup(name)) &&
         succeeded(parsePassPipeline(name, manager, llvm::nulls()));
}

static std::vector<std::string> findRegistered() {
  std::vector<std::string> names;
  SmallVector<StringRef> lines;
  std::string listing = printRegistry();
  StringRef(listing).split(lines, '\n');
  for (StringRef line : lines) {
    line = line.ltrim();
    if (!line.consume_front("--"))
      continue;
    // "--name - text", and no space after the longest name.
    StringRef name = line.take_while([](char c) { return isAlnum(c) || c == '-'; }).rtrim('-');
    if (isModulePass(name))
      names.push_back(name.str());
  }
  // Pipelines are not in the listing.
  for (StringRef name : {"pypto-cpu-pipeline", "pypto-ascend-pipeline"})
    if (isModulePass(name))
      names.push_back(name.str());
  return names;
}

Target::Target() {
  pypto::registerAllPasses();
  ownPasses = findRegistered();
  registerTransformsPasses();
  registerAllDialects(registry);
  registerAllExtensions(registry);
  pypto::registerAllDialects(registry);
}

std::string Target::choosePipeline(Random &random) const {
  std::vector<std::string> names;
  do {
    if (random.oneIn(4))
      names.push_back(random.pick(kUpstreamPasses));
    else
      names.push_back(random.pick(ownPasses));
  } while (names.size() < 4 && random.oneIn(2));
  return "builtin.module(" + llvm::join(names, ",") + ")";
}

/// The printers meet whatever the parser or a pass let through.
static void print(ModuleOp module) {
  std::string text;
  raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().enableDebugInfo());
  module.print(os, OpPrintingFlags().printGenericOpForm());
  // The writer may refuse; it must not crash.
  (void)writeBytecodeToFile(module, llvm::nulls());
}

Outcome Target::run(const std::string &text, const std::string &pipeline, bool verbose) {
  // One context per input: a crash then depends on nothing else, and memory goes back.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    // The text of a diagnostic is made in any case: making it may crash.
    std::string message = diagnostic.str();
    if (verbose)
      llvm::errs() << diagnostic.getLocation() << ": " << message << "\n";
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(&context), "input");
  if (!module)
    return Outcome::Rejected;
  print(*module);
  PassManager manager(&context);
  if (failed(
          parsePassPipeline(StringRef(pipeline).drop_front(strlen("builtin.module(")).drop_back(),
                            manager, llvm::errs())))
    report_fatal_error("cannot parse the pipeline");
  LogicalResult result = manager.run(*module);
  if (failed(result))
    return Outcome::PassFailed;
  print(*module);
  return Outcome::Passed;
}
