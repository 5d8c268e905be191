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

/// A schedule for each operation that is searched.
using Schedules = ArrayAttr;

/// Seconds of a loop that is worth no search.
constexpr double kShortLoop = 500e-9;

/// Schedules with their code and its time.
struct State {
  Schedules schedules;
  std::unique_ptr<Candidate> code;
  double seconds = 0;
};

class Search {
public:
  Search(ModuleOp module, ArrayRef<Operation *> ops, const SearchOptions &options)
      : module(module), ops(ops), options(options), progress(options.showsProgress) {}

  llvm::Expected<Schedules> run();

private:
  Schedules getSchedules();
  llvm::Expected<std::unique_ptr<Candidate>> compile(Schedules schedules);
  SmallVector<Schedules> collectNeighbors();
  bool isLate() const {
    return std::chrono::duration<double>(Clock::now() - begin).count() > options.seconds;
  }
  void add(Schedules schedules);
  bool runRound(unsigned round);
  Schedules confirm(State &first);

  ModuleOp module;
  ArrayRef<Operation *> ops;
  const SearchOptions &options;
  Progress progress;
  Clock::time_point begin = Clock::now();
  std::unique_ptr<CandidateData> data;
  SmallVector<State> beam;
  llvm::DenseSet<Attribute> seen;
  double firstSeconds = 0;
};
} // namespace

/// The operations of the module that are searched.
static SmallVector<Operation *> findSearched(ModuleOp module) {
  SmallVector<Operation *> found;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->hasAttr(kSearchedAttrName) && getScheduleKind(op))
      found.push_back(op);
  });
  return found;
}

/// What they have now, with what the heuristics choose.
Schedules Search::getSchedules() {
  return Builder(module.getContext())
      .getArrayAttr(llvm::map_to_vector(
          ops, [](Operation *op) -> Attribute { return getSchedule(op, getHostProductTarget()); }));
}

llvm::Expected<std::unique_ptr<Candidate>> Search::compile(Schedules schedules) {
  for (auto [op, schedule] : llvm::zip_equal(ops, schedules))
    op->setAttr(kScheduleAttrName, schedule);
  return Candidate::create(module);
}

/// What differs from one of the best in one decision and was not tried yet.
SmallVector<Schedules> Search::collectNeighbors() {
  SmallVector<Schedules> neighbors;
  for (const State &state : beam)
    for (auto [index, op] : llvm::enumerate(ops))
      for (DictionaryAttr next :
           getNeighbors(op, cast<DictionaryAttr>(state.schedules[index]), getHostProductTarget())) {
        SmallVector<Attribute> changed(state.schedules.begin(), state.schedules.end());
        changed[index] = next;
        Schedules schedules = ArrayAttr::get(module.getContext(), changed);
        if (seen.insert(schedules).second)
          neighbors.push_back(schedules);
      }
  return neighbors;
}

/// Measures one, and keeps it if it is among the best.
void Search::add(Schedules schedules) {
  llvm::Expected<std::unique_ptr<Candidate>> code = compile(schedules);
  if (!code) {
    llvm::consumeError(code.takeError());
    return;
  }
  std::optional<double> seconds = (*code)->measure(*data, 2 * beam.back().seconds);
  if (!seconds) {
    ++numRejected;
    return;
  }
  ++numMeasured;
  State state{schedules, std::move(*code), *seconds};
  auto *place = llvm::upper_bound(
      beam, state, [](const State &a, const State &b) { return a.seconds < b.seconds; });
  beam.insert(place, std::move(state));
  if (beam.size() > options.beam)
    beam.pop_back();
}

/// False if nothing better was found.
bool Search::runRound(unsigned round) {
  double before = beam.front().seconds;
  SmallVector<Schedules> neighbors = collectNeighbors();
  size_t done = 0;
  for (; done != neighbors.size() && (round == 1 || !isLate()); ++done) {
    progress.draw(round, done, neighbors.size(), firstSeconds, beam.front().seconds);
    add(neighbors[done]);
  }
  progress.draw(round, done, neighbors.size(), firstSeconds, beam.front().seconds);
  return beam.front().seconds < before * 0.99;
}

/// The best ones, if they are better than the first ones when both run in turn.
Schedules Search::confirm(State &first) {
  State &best = beam.front();
  if (best.schedules == first.schedules)
    return first.schedules;
  double firstBest = first.seconds, bestBest = best.seconds;
  for (int repeat = 0; repeat != 3; ++repeat) {
    firstBest = std::min(firstBest, first.code->time(*data));
    bestBest = std::min(bestBest, best.code->time(*data));
  }
  return bestBest < firstBest * 0.99 ? best.schedules : first.schedules;
}

llvm::Expected<Schedules> Search::run() {
  Schedules start = getSchedules();
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
  // Nobody waits for it, and the clock tells little of it.
  bool isLoop = getScheduleKind(ops.front()) != ScheduleKind::Product;
  if (isLoop && firstSeconds < kShortLoop)
    return start;
  seen.insert(start);
  // The first one stays where the best of later rounds cannot push it out.
  llvm::Expected<std::unique_ptr<Candidate>> again = compile(start);
  if (!again)
    return again.takeError();
  beam.push_back({start, std::move(*again), firstSeconds});
  for (unsigned round = 1; runRound(round) && !isLate(); ++round)
    continue;
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

/// What was kept, if it is what the operations can have.
static bool areSchedules(StringRef text, ArrayRef<Operation *> ops, MLIRContext &context) {
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
  auto schedules = dyn_cast_if_present<ArrayAttr>(parseAttribute(text, &context));
  return schedules && schedules.size() == ops.size() &&
         llvm::all_of(llvm::zip_equal(schedules, ops), [](auto pair) {
           auto schedule = dyn_cast<DictionaryAttr>(std::get<0>(pair));
           return schedule && isValidSchedule(*getScheduleKind(std::get<1>(pair)), schedule);
         });
}

llvm::Expected<std::string> pypto::execution::searchSchedules(StringRef text,
                                                              const SearchOptions &options) {
  std::string key = "schedule " + std::to_string(options.beam) + " " +
                    std::to_string(runtime::getParallelThreads()) + "\n" + text.str();
  std::lock_guard lock(getMemory().mutex);
  if (auto found = getMemory().found.find(key); found != getMemory().found.end()) {
    ++numMemoryHits;
    return found->second;
  }
  std::unique_ptr<MLIRContext> context = createSearchContext();
  std::string diagnostics;
  ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) {
    diagnostics += (diagnostics.empty() ? "" : "; ") + diagnostic.str();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context.get());
  if (!module)
    return makeError("cannot read what is searched: " + diagnostics);
  SmallVector<Operation *> ops = findSearched(*module);
  if (ops.empty())
    return makeError("the module has no operation to search");
  std::string directory = getKernelCacheDirectory();
  std::optional<KernelStore> store;
  if (!directory.empty())
    store.emplace(directory, key, ".schedule");
  if (std::optional<std::string> kept = store ? store->load() : std::nullopt;
      kept && areSchedules(*kept, ops, *context)) {
    ++numDiskHits;
    getMemory().found[key] = *kept;
    return *kept;
  }
  llvm::Expected<Schedules> schedules = Search(*module, ops, options).run();
  if (!schedules)
    return makeError(llvm::toString(schedules.takeError()) +
                     (diagnostics.empty() ? "" : ": " + diagnostics));
  ++numSearched;
  std::string found;
  llvm::raw_string_ostream(found) << *schedules;
  getMemory().found[key] = found;
  if (store && !keep(*store, found))
    ++numDiskFailures;
  return found;
}
