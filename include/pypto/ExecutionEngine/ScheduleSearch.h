// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules that were measured instead of guessed.
#ifndef PYPTO_EXECUTIONENGINE_SCHEDULESEARCH_H
#define PYPTO_EXECUTIONENGINE_SCHEDULESEARCH_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace pypto::execution {

struct SearchOptions {
  /// Schedules that each round goes on with.
  unsigned beam = 4;
  /// After so many seconds no new round begins.
  double seconds = 20;
  /// Draws a line with the state of the search on stderr. It is drawn on a terminal in any case.
  bool showsProgress = false;
};

/// Finds a schedule for the one product of `module`, which has a function `pypto_entry_search` over
/// buffers of static shapes with that product, what makes its output zero and what follows it.
/// Beginning with the schedule that the heuristics choose, each round compiles and times what
/// differs from the best ones in one decision. What computes anything else than the first one does
/// is out. Gives the text of a dictionary.
///
/// What was found is kept, in this process and in the directory of kernels (see
/// setKernelCacheDirectory) if there is one, under the text of the module, the CPU, this library,
/// the width of the beam and the number of threads.
llvm::Expected<std::string> searchSchedule(llvm::StringRef module, const SearchOptions &options);

/// What happened since the process started.
struct SearchCounters {
  /// Products that were searched, and those whose schedule was there.
  uint64_t searched = 0, memoryHits = 0, diskHits = 0, diskFailures = 0;
  /// Schedules that were timed, and those that were left out because they computed anything else.
  uint64_t measured = 0, rejected = 0;
};
SearchCounters getSearchCounters();

} // namespace pypto::execution

#endif
