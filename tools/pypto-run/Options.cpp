// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Options.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

namespace cl = llvm::cl;

using namespace pypto;
using execution::RunOptions;

static execution::PlanFormat getPlanFormat(llvm::StringRef name) {
  llvm::Expected<execution::PlanFormat> format =
      name.empty() ? execution::PlanFormat::Text : execution::findPlanFormat(name);
  if (format)
    return *format;
  llvm::errs() << "error: --print-plan: " << llvm::toString(format.takeError()) << '\n';
  std::exit(1);
}

RunOptions parseRunOptions(int argc, char **argv) {
  static cl::OptionCategory category("pypto-run options");
  auto own = [] { return cl::cat(category); };
  RunOptions options;
  cl::opt<std::string> program(cl::Positional, cl::desc("<program.mlir>"), cl::init("-"), own());
  cl::opt<std::string> entry("entry", cl::desc("Function to call (default: the only one, or main)"),
                             own());
  cl::list<std::string> arguments(
      "arg",
      cl::desc("In and inout parameters in order: a .npy file, @n for the storage "
               "of the n-th of these, a literal for a scalar, * for random"),
      own());
  cl::list<std::string> outputs(
      "out", cl::desc("Files for the results in order, then for written parameters"), own());
  cl::list<std::string> expected("expect", cl::desc("Files to compare with, in the order of --out"),
                                 own());
  cl::list<std::string> dims(
      "dim", cl::desc("N=37 sets a symbolic extent, x.0=37 a dimension of a parameter"), own());
  cl::list<std::string> valids("valid", cl::desc("x=3,16 sets the valid extents of a parameter"),
                               own());
  cl::opt<double> rtol("rtol", cl::desc("Relative tolerance"), cl::init(1e-5), own());
  cl::opt<double> atol("atol", cl::desc("Absolute tolerance"), cl::init(1e-6), own());
  cl::opt<uint64_t> random(
      "random", cl::desc("Makes the arguments that are not given, from this seed"), own());
  cl::opt<bool> time("time", cl::desc("Prints the times of compilation and of repeated runs"),
                     own());
  // Tools that LLVM's library contains have options of these names.
  for (llvm::StringRef name : {"threads", "stop-after"})
    if (cl::Option *other = cl::getRegisteredOptions().lookup(name))
      other->removeArgument();
  cl::opt<unsigned> threads("threads",
                            cl::desc("Threads that run tasks and parts of products (default: all)"),
                            cl::init(0), own());
  enum class Order { Program, Groups, Sequential, Adversarial };
  cl::opt<Order> order(
      "order", cl::desc("Order of tasks, and of the kernels of a graph"), cl::init(Order::Program),
      cl::values(clEnumValN(Order::Program, "program", "As soon as they can run (default)"),
                 clEnumValN(Order::Groups, "groups", "In a graph: one group after the other"),
                 clEnumValN(Order::Sequential, "sequential", "One after the other"),
                 clEnumValN(Order::Adversarial, "adversarial",
                            "As late as the dependencies allow; races are errors")),
      own());
  cl::opt<bool> checkOrders(
      "check-orders",
      cl::desc("Runs with 1, 2 and 8 threads and in adversarial order, too: to the same bits"),
      own());
  cl::opt<std::string> printPlan(
      "print-plan",
      cl::desc("Prints the tasks of the run, or the kernels of a graph, what they waited for, and "
               "their times: as text (default), dot, html or json"),
      cl::ValueOptional, own());
  cl::opt<std::string> profile(
      "profile", cl::desc("File for a trace of the run, for the viewers of Chrome and Perfetto"),
      own());
  cl::opt<std::string> pipeline("pipeline", cl::desc("Passes to the LLVM dialect"),
                                cl::init("pypto-cpu-pipeline"), own());
  cl::opt<std::string> level(
      "opt",
      cl::desc("none, heuristic (default), or beam=N: how much the passes of the CPU optimise; "
               "beam measures schedules, and goes on with the N best"),
      own());
  cl::opt<bool> progress(
      "progress", cl::desc("Draws the state of --opt=beam where there is no terminal, too"), own());
  cl::opt<std::string> renderer(
      "renderer", cl::desc("What makes code of the kernels of a graph: llvm (default), c or mlir"),
      own());
  cl::opt<std::string> stopAfter(
      "stop-after",
      cl::desc("Prints a graph behind a phase instead of running it: graph, rangeify, split, "
               "schedule, optimize or codegen"),
      own());
  cl::opt<bool> check("check", cl::desc("Compares what a graph computes with plain loops"), own());
  cl::opt<bool> checkBounds("check-bounds",
                            cl::desc("Ends with an error where an access is out of range"), own());
  cl::opt<bool> dumpLLVM("dump-llvm", cl::desc("Prints the optimised LLVM IR"), own());
  cl::opt<unsigned> llvmLevel("llvm-level", cl::desc("How much LLVM optimises, from 0 to 3"),
                              cl::init(3), own());
  cl::opt<bool> interpret("interpret", cl::desc("Runs the program as it is, without compiling it"),
                          own());
  cl::opt<std::string> checkEachPass(
      "check-each-pass",
      cl::desc("Runs the program after each of these passes and says which changed a number"),
      own());
  cl::opt<std::string> keepIR(
      "keep-ir", cl::desc("Directory for the program before and after that pass"), own());
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "runs a function of a pypto program, or a graph, on the CPU\n\n"
                              "--help-hidden shows the options of MLIR and LLVM, too.\n");

  // An empty value would pass for an option that is not there.
  for (const cl::opt<std::string> *option :
       {&profile, &pipeline, &level, &renderer, &stopAfter, &checkEachPass, &keepIR})
    if (option->getNumOccurrences() && option->empty()) {
      llvm::errs() << "error: --" << option->ArgStr << " expects a value\n";
      std::exit(1);
    }

  options.program = program;
  options.entry = entry;
  options.arguments = arguments;
  options.outputs = outputs;
  options.expected = expected;
  options.dims = dims;
  options.valids = valids;
  options.tolerance = {rtol, atol};
  if (random.getNumOccurrences())
    options.seed = random;
  options.time = time;
  options.tasks.threads = order == Order::Sequential ? 1 : threads;
  if (order == Order::Adversarial)
    options.tasks.order = runtime::TaskOrder::Adversarial;
  constexpr runtime::StaticOrder orders[] = {
      runtime::StaticOrder::Dataflow, runtime::StaticOrder::Groups,
      runtime::StaticOrder::Sequential, runtime::StaticOrder::Adversarial};
  options.graphOrder = orders[static_cast<int>(order.getValue())];
  options.checkOrders = checkOrders;
  if (printPlan.getNumOccurrences())
    options.printPlan = getPlanFormat(printPlan);
  options.profile = profile;
  options.pipeline = pipeline;
  llvm::StringRef beam = level;
  if (!beam.consume_front("beam=")) {
    options.level = level;
  } else if (beam.getAsInteger(10, options.beam) || options.beam == 0) {
    llvm::errs() << "error: --opt=beam expects a number of at least 1, but got '" << beam << "'\n";
    std::exit(1);
  }
  options.showsProgress = progress;
  options.checkBounds = checkBounds;
  options.renderer = renderer;
  options.stopAfter = stopAfter;
  options.check = check;
  options.dumpLLVM = dumpLLVM;
  options.llvmLevel = llvmLevel;
  options.interpret = interpret;
  options.checkEachPass = checkEachPass;
  options.keepIR = keepIR;
  return options;
}
