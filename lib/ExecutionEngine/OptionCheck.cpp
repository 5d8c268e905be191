// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which options of a run go together: each that is given has an effect, or is an error.
#include "Program.h"

using namespace pypto;
using namespace pypto::execution;

namespace {
/// What a run does.
enum Mode : unsigned {
  Compiled = 1,
  Interpreted = 2,
  EachPass = 4,
  Graph = 8,
  Phase = 16,
};

struct Flag {
  llvm::StringRef name;
  bool isGiven;
  /// The modes in which it means something.
  unsigned modes;
};
} // namespace

static constexpr unsigned kTiles = Compiled | Interpreted | EachPass;
static constexpr unsigned kGraphs = Graph | Phase;

static Mode getMode(const RunOptions &options, bool isGraph) {
  if (isGraph)
    return options.stopAfter.empty() ? Graph : Phase;
  return !options.checkEachPass.empty() ? EachPass : options.interpret ? Interpreted : Compiled;
}

static llvm::Error refuse(const Flag &flag, Mode mode) {
  if ((mode & kTiles) != 0 && (flag.modes & kTiles) == 0)
    return makeError(flag.name + " expects a graph of tensor ops");
  if ((mode & kGraphs) != 0 && (flag.modes & kGraphs) == 0)
    return makeError(flag.name + " expects a program of pl functions");
  if (flag.modes == EachPass)
    return makeError(flag.name + " expects --check-each-pass");
  llvm::StringRef other = mode == Interpreted ? "--interpret"
                          : mode == EachPass  ? "--check-each-pass"
                                              : "--stop-after";
  return makeError(flag.name + " cannot go with " + other);
}

/// Options of the default passes, where other passes are given.
static llvm::Error checkPipeline(const RunOptions &options, Mode mode) {
  bool isDefault = options.pipeline == RunOptions().pipeline;
  bool hasLevel = !options.level.empty() || options.beam != 0;
  if (mode == EachPass && options.checkEachPass != "default")
    for (auto [flag, isGiven] : {std::pair("--pipeline", !isDefault), std::pair("--opt", hasLevel),
                                 std::pair("--check-bounds", options.checkBounds)})
      if (isGiven)
        return makeError(flag + llvm::Twine(" expects --check-each-pass=default"));
  if (isDefault || (mode & (Compiled | EachPass)) == 0)
    return llvm::Error::success();
  if (options.checkBounds)
    return makeError("--check-bounds expects the passes of " + RunOptions().pipeline +
                     "; give the option 'check-bounds' to yours");
  if (hasLevel)
    return makeError("--opt expects the passes of " + RunOptions().pipeline +
                     "; give the option 'opt' or 'beam' to yours");
  return llvm::Error::success();
}

llvm::Error pypto::execution::checkOptions(const RunOptions &options, bool isGraph) {
  Mode mode = getMode(options, isGraph);
  bool isAdversarial = options.tasks.order == runtime::TaskOrder::Adversarial;
  bool hasLevel = !options.level.empty() || options.beam != 0;
  bool hasPipeline = options.pipeline != RunOptions().pipeline;
  const Flag flags[] = {
      {"--stop-after", !options.stopAfter.empty(), Phase},
      {"--check", options.check, Graph},
      {"--renderer", !options.renderer.empty(), kGraphs},
      {"--order=groups", options.graphOrder == runtime::StaticOrder::Groups, Graph},
      {"--order=adversarial", isAdversarial, Compiled | EachPass | Graph},
      {"--interpret", options.interpret, Interpreted},
      {"--check-each-pass", !options.checkEachPass.empty(), EachPass},
      {"--keep-ir", !options.keepIR.empty(), EachPass},
      {"--check-orders", options.checkOrders, Compiled},
      {"--check-bounds", options.checkBounds, kTiles},
      {"--out", !options.outputs.empty(), Compiled | Interpreted | Graph},
      {"--expect", !options.expected.empty(), Compiled | Interpreted | Graph},
      {"--time", options.time, Compiled | Interpreted | Graph},
      {"--print-plan", options.printPlan.has_value(), Compiled | Graph},
      {"--profile", !options.profile.empty(), Compiled | Graph},
      {"--dump-llvm", options.dumpLLVM, Compiled},
      {"--llvm-level", options.llvmLevel != RunOptions().llvmLevel, Compiled},
      {"--pipeline", hasPipeline, kTiles | Graph},
      {"--opt", hasLevel, Compiled | EachPass | kGraphs},
  };
  for (const Flag &flag : flags)
    if (flag.isGiven && (flag.modes & mode) == 0)
      return refuse(flag, mode);
  if (!llvm::is_contained({"", "none", "heuristic", "default"}, options.level))
    return makeError("--opt expects none, heuristic or beam=N, but got '" + options.level + "'");
  for (auto [flag, tolerance] : {std::pair("--rtol", options.tolerance.relative),
                                 std::pair("--atol", options.tolerance.absolute)})
    if (!(tolerance >= 0))
      return makeError(flag + llvm::Twine(" expects a tolerance of at least 0"));
  if (options.showsProgress && options.beam == 0)
    return makeError("--progress expects --opt=beam=N");
  return checkPipeline(options, mode);
}
