// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Feeds mutated programs to the parser and the passes. See test/Fuzz/README.md.
#include "Batch.h"
#include "Target.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

#include <chrono>
#include <csignal>
#include <unistd.h>

using namespace llvm;
using namespace fuzzer;

#if __has_feature(address_sanitizer)
// libMLIR is not instrumented: see tools/devtools/run_tests.py.
extern "C" const char *__asan_default_options() {
  return "detect_container_overflow=0:allow_user_poisoning=0:handle_abort=2:handle_sigfpe=2:handle_"
         "segv=2:handle_sigbus=2:handle_sigill=2:allocator_"
         "may_return_null=0:max_allocation_size_mb=4096:"
         "detect_leaks=0:exitcode=99";
}
extern "C" const char *__ubsan_default_options() { return "print_stacktrace=1"; }
#endif

namespace {

struct Options {
  cl::list<std::string> inputs{cl::Positional, cl::desc("files or folders of .mlir"),
                               cl::ZeroOrMore};
  cl::opt<uint64_t> count{"count", cl::desc("how many inputs"), cl::init(1000)};
  cl::opt<uint64_t> first{"first", cl::desc("number of the first input"), cl::init(0)};
  cl::opt<uint64_t> seed{"seed", cl::desc("an input follows from seed and number"), cl::init(1)};
  cl::opt<uint64_t> batch{"batch", cl::desc("inputs per process"), cl::init(100)};
  cl::opt<unsigned> cpu{"cpu-seconds", cl::desc("for one input"), cl::init(10)};
  cl::opt<unsigned> memory{"megabytes", cl::desc("of one process"), cl::init(3000)};
  cl::opt<std::string> directory{"save", cl::desc("folder for what fails"),
                                 cl::init("fuzz-failures")};
  cl::opt<std::string> known{"known",
                             cl::desc("file that lists upstream frames, one `frame: NAME` a line")};
  cl::opt<bool> selfCheck{"self-check", cl::desc("check that failures are noticed")};
  cl::opt<bool> runFile{
      "run", cl::desc("run the given files as they are, the pipeline in the first line")};
  cl::opt<std::string> pipeline{"pipeline",
                                cl::desc("with --run: the pipeline, e.g. builtin.module(cse)")};
};

/// Whose fault a failure is.
enum class Blame { Ours, Upstream, Known };

struct Report {
  uint64_t index;
  Failure failure;
  Blame blame;
  std::string frame;
};

constexpr StringLiteral kPipelineMark = "// pipeline: ";

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

/// Names of the functions on the stack that the child left, innermost first.
SmallVector<StringRef> framesOf(StringRef log) {
  SmallVector<StringRef> frames, lines;
  log.split(lines, '\n');
  for (StringRef line : lines) {
    line = line.trim();
    // "#3 0x7f… in name file" from a sanitizer, "#3 0x7f… name (file+0x…)" from LLVM.
    if (!line.consume_front("#"))
      continue;
    line = line.drop_while(isDigit).ltrim();
    if (!line.consume_front("0x"))
      continue;
    line = line.drop_while([](char c) { return isHexDigit(c); }).ltrim();
    line.consume_front("in ");
    frames.push_back(line);
  }
  return frames;
}

/// Frames of the runtime that stand on top of any crash.
bool isRuntimeFrame(StringRef frame) {
  if (frame.starts_with("("))
    return true;
  for (StringRef part :
       {"__asan", "__ubsan", "__sanitizer", "__interceptor", "abort", "raise", "__assert",
        "PrintStackTrace", "RunSignalHandlers", "SignalHandler", "pthread_kill", "(/lib", "gsignal",
        "onCpuLimit", "operator new", "__restore_rt"})
    if (frame.contains(part))
      return true;
  return false;
}

/// The files name functions of ours by their namespace; this program lives in another one.
bool isOurs(StringRef frame) { return frame.contains("pypto::") || frame.contains("libPypto"); }

std::pair<Blame, std::string> judge(StringRef log, ArrayRef<std::string> known) {
  SmallVector<StringRef> frames = framesOf(log);
  llvm::erase_if(frames, isRuntimeFrame);
  std::string top = frames.empty() ? "(no stack)" : frames.front().take_front(160).str();
  for (StringRef frame : ArrayRef(frames).take_front(12))
    if (llvm::any_of(known, [&](const std::string &name) { return frame.contains(name); }))
      return {Blame::Known, top};
  for (StringRef frame : frames)
    if (isOurs(frame))
      return {Blame::Ours, isOurs(top) ? top : top + " <- " + frame.take_front(120).str()};
  // Without a stack nobody else can be blamed.
  return {frames.empty() ? Blame::Ours : Blame::Upstream, top};
}

std::string readFile(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

std::vector<std::string> readKnown(StringRef path) {
  std::vector<std::string> names;
  SmallVector<StringRef> lines;
  std::string text = readFile(path);
  StringRef(text).split(lines, '\n');
  for (StringRef line : lines)
    if (line.consume_front("frame: "))
      names.push_back(line.trim().str());
  return names;
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

StringRef stringify(Failure failure) {
  switch (failure) {
  case Failure::None:
    return "none";
  case Failure::Crash:
    return "crash";
  case Failure::Hang:
    return "hang";
  case Failure::Memory:
    return "out of memory";
  }
  llvm_unreachable("unknown failure");
}

class Fuzzer {
public:
  Fuzzer(const Options &options, const Corpus &corpus, Target &target)
      : options(options), corpus(corpus), target(target), known(readKnown(options.known)),
        progress(createProgress()) {}

  /// Runs everything and prints a summary. True if nothing of ours failed.
  bool run() {
    sys::fs::create_directories(options.directory);
    auto start = std::chrono::steady_clock::now();
    uint64_t end = options.first + options.count;
    for (uint64_t next = options.first; next < end;)
      next = runOne(next, std::min(next + options.batch, end));
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    return summarize(seconds.count());
  }

private:
  struct Input {
    std::string text, pipeline;
  };
  Input makeInput(uint64_t index) const {
    Random random(options.seed, index);
    std::string text = mutate(corpus, random);
    return {std::move(text), target.choosePipeline(random)};
  }

  /// One batch; returns the input to go on with.
  uint64_t runOne(uint64_t begin, uint64_t end) {
    Limits limits{options.cpu, 6 * options.cpu, options.memory};
    SmallString<128> log(options.directory);
    sys::path::append(log, "current.log");
    BatchResult result = runBatch(progress, begin, end, limits, log, [&](uint64_t index) {
      Input input = makeInput(index);
      Outcome outcome = target.run(input.text, input.pipeline, /*verbose=*/false);
      ++progress->outcomes[static_cast<unsigned>(outcome)];
    });
    if (result.failure == Failure::None)
      return end;
    record(progress->current, result, log);
    return progress->current + 1;
  }

  void record(uint64_t index, const BatchResult &result, StringRef log) {
    auto [blame, frame] = judge(readFile(log), known);
    reports.push_back({index, result.failure, blame, frame});
    Input input = makeInput(index);
    std::string stem = (options.directory + "/" + Twine(options.seed) + "-" + Twine(index)).str();
    sys::fs::rename(log, stem + ".log");
    std::error_code code;
    raw_fd_ostream file(stem + ".mlir", code);
    file << kPipelineMark << input.pipeline << "\n" << input.text;
    if (blame != Blame::Known && places.insert(frame).second)
      outs() << stringify(result.failure) << (blame == Blame::Ours ? ", ours" : ", upstream")
             << ": " << stem << ".mlir " << input.pipeline << "\n  " << frame << "\n";
    outs().flush();
  }

  bool summarize(double seconds) const {
    uint64_t counts[3] = {};
    for (const Report &report : reports)
      ++counts[static_cast<unsigned>(report.blame)];
    outs() << options.count << " inputs from " << corpus.size() << " programs in "
           << format("%.0f", seconds) << " s: " << progress->outcomes[0]
           << " rejected by the parser, " << progress->outcomes[1] << " by a pass, "
           << progress->outcomes[2] << " through\n"
           << counts[0] << " failures with a frame of ours, " << counts[1] << " upstream, "
           << counts[2] << " upstream and known; " << places.size() << " distinct places\n";
    return counts[0] == 0;
  }

  const Options &options;
  const Corpus &corpus;
  Target &target;
  std::vector<std::string> known;
  Progress *progress;
  std::vector<Report> reports;
  StringSet<> places; ///< where something failed; each is printed once
};

volatile uint64_t sink;

/// Bodies that fail in each way, to see that they are noticed and counted as ours or not.
int selfCheck(const Options &options) {
  sys::fs::create_directories(options.directory);
  std::string log = options.directory + "/self-check.log";
  Progress *progress = createProgress();
  // Only the limit that a body is about is low: the machine may be busy.
  Limits limits{/*cpuSeconds=*/60, /*wallSeconds=*/60, /*megabytes=*/4000};
  auto check = [&](StringRef name, Failure expected, function_ref<void(uint64_t)> body) {
    BatchResult result = runBatch(progress, 0, 3, limits, log, body);
    bool right =
        result.failure == expected && (expected == Failure::None || progress->current == 1);
    outs() << name << ": " << stringify(result.failure) << (right ? "" : " (wrong)") << "\n";
    return right;
  };
  bool right = check("nothing", Failure::None, [](uint64_t) {});
  right &= check("abort", Failure::Crash, [](uint64_t index) { index == 1 ? abort() : void(); });
  limits.cpuSeconds = 1;
  right &= check("loop", Failure::Hang, [](uint64_t index) {
    while (index == 1)
      sink = index;
  });
  limits = {/*cpuSeconds=*/60, /*wallSeconds=*/2, /*megabytes=*/4000};
  right &= check("sleep", Failure::Hang, [](uint64_t index) { sleep(index == 1 ? 600 : 0); });
  limits = {/*cpuSeconds=*/60, /*wallSeconds=*/60, /*megabytes=*/400};
  right &= check("memory", Failure::Memory, [](uint64_t index) {
    std::vector<std::string> all;
    while (index == 1)
      all.push_back(std::string(1 << 20, 'x'));
  });
  auto checkBlame = [&](StringRef name, Blame expected, StringRef log) {
    bool same = judge(log, {"mlir::known"}).first == expected;
    outs() << name << ": " << (same ? "right" : "wrong") << "\n";
    right &= same;
  };
  checkBlame("our frame", Blame::Ours,
             "#0 0x1a raise\n  #1 0x1b in mlir::f()\n  #2 0x1c in pypto::g()\n");
  checkBlame("upstream frame", Blame::Upstream,
             " #0 0x1a mlir::f() (/usr/lib/x.so+0x12)\n#1 0x1b in main\n");
  checkBlame("known frame", Blame::Known, "#0 0x1a in mlir::known(int)\n#1 0x1b in pypto::g()\n");
  checkBlame("no stack", Blame::Ours, "Killed\n");
  return right ? 0 : 1;
}

/// Runs saved inputs in this process. A crash is a crash.
int runFiles(const Options &options) {
  Target target;
  for (const std::string &path : options.inputs) {
    std::string text = readFile(path);
    std::string pipeline = options.pipeline;
    StringRef rest = text;
    if (pipeline.empty() && rest.consume_front(kPipelineMark))
      pipeline = rest.split('\n').first.str();
    if (pipeline.empty())
      pipeline = "builtin.module()";
    Outcome outcome = target.run(text, pipeline, /*verbose=*/true);
    outs() << path << ": "
           << (outcome == Outcome::Passed       ? "passed"
               : outcome == Outcome::PassFailed ? "a pass failed"
                                                : "rejected")
           << "\n";
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  Options options;
  cl::ParseCommandLineOptions(argc, argv, "feeds mutated programs to the parser and the passes\n");
  if (options.selfCheck)
    return selfCheck(options);
  if (options.runFile)
    return runFiles(options);
  Corpus corpus;
  for (const std::string &path : options.inputs)
    if (Error error = corpus.add(path)) {
      WithColor::error() << toString(std::move(error)) << "\n";
      return 2;
    }
  Target target;
  corpus.finish([&](const std::string &program) {
    return target.run(program, "builtin.module()", /*verbose=*/false) != Outcome::Rejected;
  });
  if (corpus.empty()) {
    WithColor::error() << "found no programs to start from\n";
    return 2;
  }
  return Fuzzer(options, corpus, target).run() ? 0 : 1;
}
