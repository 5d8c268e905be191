// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/ExecutionEngine/ScheduleSearch.h"

#include "KernelStore.h"
#include "SearchCandidates.h"
#include "pypto/ExecutionEngine/Array.h"
#include "pypto/ExecutionEngine/Kernel.h"
#include "pypto/Pipelines/Pipelines.h"
#include "pypto/Runtime/ParallelFor.h"
#include "pypto/Transforms/Schedule.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <chrono>
#include <mutex>

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

static std::atomic<uint64_t> numSearched, numMemoryHits, numDiskHits, numDiskFailures, numMeasured,
    numRejected;

SearchCounters pypto::execution::getSearchCounters() {
  return {numSearched, numMemoryHits, numDiskHits, numDiskFailures, numMeasured, numRejected};
}

//===- Progress -------------------------------------------------------------===//

namespace {
/// A line on stderr that is drawn again and again.
class Progress {
public:
  explicit Progress(bool isAskedFor)
      : isTerminal(llvm::sys::Process::StandardErrIsDisplayed()),
        isDrawn(isTerminal || isAskedFor) {}
  ~Progress() {
    if (isDrawn && isTerminal)
      llvm::errs() << "\r\x1b[K";
  }

  void draw(unsigned round, size_t done, size_t count, double first, double best) {
    if (!isDrawn)
      return;
    constexpr size_t width = 20;
    size_t filled = count ? done * width / count : width;
    llvm::errs() << (isTerminal ? "\r\x1b[K" : "") << "search: round " << round << " ["
                 << std::string(filled, '#') << std::string(width - filled, '.') << "] " << done
                 << " of " << count << ", "
                 << llvm::format("%.4f ms, at first %.4f ms", best * 1e3, first * 1e3)
                 << (isTerminal ? "" : "\n");
  }

private:
  bool isTerminal, isDrawn;
};
} // namespace

//===- Search ---------------------------------------------------------------===//

namespace {
using Clock = std::chrono::steady_clock;

/// A schedule with its code and its time.
struct State {
  DictionaryAttr schedule;
  std::unique_ptr<Candidate> code;
  double seconds = 0;
};

class Search {
public:
  Search(ModuleOp module, const SearchOptions &options)
      : module(module), options(options), progress(options.showsProgress) {}

  llvm::Expected<DictionaryAttr> run();

private:
  Operation *findProduct();
  llvm::Expected<std::unique_ptr<Candidate>> compile(DictionaryAttr schedule);
  SmallVector<DictionaryAttr> collectNeighbors();
  bool runRound(unsigned round);
  DictionaryAttr confirm(State &first);

  ModuleOp module;
  const SearchOptions &options;
  Progress progress;
  Operation *product = nullptr;
  std::unique_ptr<CandidateData> data;
  SmallVector<State> beam;
  llvm::DenseSet<Attribute> seen;
  double firstSeconds = 0;
};
} // namespace

Operation *Search::findProduct() {
  Operation *found = nullptr;
  module.walk([&](Operation *op) {
    if (getSchedule(op, getHostProductTarget()))
      found = op;
  });
  return found;
}

llvm::Expected<std::unique_ptr<Candidate>> Search::compile(DictionaryAttr schedule) {
  product->setAttr(kScheduleAttrName, schedule);
  return Candidate::create(module);
}

/// What differs from one of the best in one decision and was not tried yet.
SmallVector<DictionaryAttr> Search::collectNeighbors() {
  SmallVector<DictionaryAttr> neighbors;
  for (const State &state : beam)
    for (DictionaryAttr next : getNeighbors(product, state.schedule, getHostProductTarget()))
      if (seen.insert(next).second)
        neighbors.push_back(next);
  return neighbors;
}

/// False if nothing better was found.
bool Search::runRound(unsigned round) {
  double before = beam.front().seconds;
  SmallVector<DictionaryAttr> neighbors = collectNeighbors();
  for (auto [index, schedule] : llvm::enumerate(neighbors)) {
    progress.draw(round, index, neighbors.size(), firstSeconds, beam.front().seconds);
    llvm::Expected<std::unique_ptr<Candidate>> code = compile(schedule);
    if (!code) {
      llvm::consumeError(code.takeError());
      continue;
    }
    std::optional<double> seconds = (*code)->measure(*data, 2 * beam.back().seconds);
    if (!seconds) {
      ++numRejected;
      continue;
    }
    ++numMeasured;
    State state{schedule, std::move(*code), *seconds};
    auto *place = llvm::upper_bound(
        beam, state, [](const State &a, const State &b) { return a.seconds < b.seconds; });
    beam.insert(place, std::move(state));
    if (beam.size() > options.beam)
      beam.pop_back();
  }
  progress.draw(round, neighbors.size(), neighbors.size(), firstSeconds, beam.front().seconds);
  return beam.front().seconds < before * 0.99;
}

/// The best one, if it is better than the first one when both run in turn.
DictionaryAttr Search::confirm(State &first) {
  State &best = beam.front();
  if (best.schedule == first.schedule)
    return first.schedule;
  double firstBest = first.seconds, bestBest = best.seconds;
  for (int repeat = 0; repeat != 3; ++repeat) {
    firstBest = std::min(firstBest, first.code->time(*data));
    bestBest = std::min(bestBest, best.code->time(*data));
  }
  return bestBest < firstBest * 0.99 ? best.schedule : first.schedule;
}

llvm::Expected<DictionaryAttr> Search::run() {
  product = findProduct();
  if (!product)
    return makeError("the module has no matrix product");
  auto begin = Clock::now();
  DictionaryAttr start = getSchedule(product, getHostProductTarget());
  llvm::Expected<std::unique_ptr<Candidate>> code = compile(start);
  if (!code)
    return code.takeError();
  llvm::Expected<std::unique_ptr<CandidateData>> created = CandidateData::create(module);
  if (!created)
    return created.takeError();
  data = std::move(*created);
  State first{start, std::move(*code), 0};
  first.code->makeReference(*data);
  first.seconds = firstSeconds = first.code->time(*data);
  ++numMeasured;
  seen.insert(start);
  // The first one stays where the best of later rounds cannot push it out.
  llvm::Expected<std::unique_ptr<Candidate>> again = compile(start);
  if (!again)
    return again.takeError();
  beam.push_back({start, std::move(*again), firstSeconds});
  for (unsigned round = 1; runRound(round); ++round)
    if (std::chrono::duration<double>(Clock::now() - begin).count() > options.seconds)
      break;
  return confirm(first);
}

//===- Entry ----------------------------------------------------------------===//

namespace {
/// One search at a time: two would measure each other.
struct Memory {
  std::mutex mutex;
  llvm::StringMap<std::string> found;
};
} // namespace

static Memory &getMemory() {
  static auto *memory = new Memory();
  return *memory;
}

/// A kept schedule, if it is one that the product can have.
static bool isSchedule(StringRef text, MLIRContext &context) {
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
  auto schedule = dyn_cast_if_present<DictionaryAttr>(parseAttribute(text, &context));
  return schedule && isValidSchedule(schedule);
}

llvm::Expected<std::string> pypto::execution::searchSchedule(StringRef text,
                                                             const SearchOptions &options) {
  std::string key = "schedule " + std::to_string(options.beam) + " " +
                    std::to_string(runtime::getParallelThreads()) + "\n" + text.str();
  std::lock_guard lock(getMemory().mutex);
  if (auto found = getMemory().found.find(key); found != getMemory().found.end()) {
    ++numMemoryHits;
    return found->second;
  }
  std::unique_ptr<MLIRContext> context = createSearchContext();
  std::string directory = getKernelCacheDirectory();
  std::optional<KernelStore> store;
  if (!directory.empty())
    store.emplace(directory, key, ".schedule");
  if (std::optional<std::string> kept = store ? store->load() : std::nullopt;
      kept && isSchedule(*kept, *context)) {
    ++numDiskHits;
    getMemory().found[key] = *kept;
    return *kept;
  }
  std::string diagnostics;
  ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) {
    diagnostics += (diagnostics.empty() ? "" : "; ") + diagnostic.str();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context.get());
  if (!module)
    return makeError("cannot read the product: " + diagnostics);
  llvm::Expected<DictionaryAttr> schedule = Search(*module, options).run();
  if (!schedule)
    return makeError(llvm::toString(schedule.takeError()) +
                     (diagnostics.empty() ? "" : ": " + diagnostics));
  ++numSearched;
  std::string found;
  llvm::raw_string_ostream(found) << *schedule;
  getMemory().found[key] = found;
  if (store && !store->save(found))
    ++numDiskFailures;
  return found;
}
