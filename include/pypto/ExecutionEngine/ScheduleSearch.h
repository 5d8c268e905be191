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
  /// After so many seconds nothing is tried any more; the first round is complete in any case.
  double seconds = 20;
  /// Draws a line with the state of the search on stderr. It is drawn on a terminal in any case.
  bool showsProgress = false;
};

/// Finds schedules for the operations of `module` that have the attribute `kSearchedAttrName`. The
/// module has a function `pypto_entry_search` over buffers of static shapes with what is measured:
/// a product, what makes its output zero and what follows it; or an operation that becomes a loop;
/// or a loop over rows with the operations in it. Beginning with the schedules that the heuristics
/// choose, each round compiles and times what differs from the best ones in one decision. What
/// computes anything else than the first ones do is out. Gives the text of an array of
/// dictionaries, one for each of the operations as they follow each other in the text, a loop
/// before what is in it.
///
/// What was found is kept, in this process and in the directory of kernels (see
/// setKernelCacheDirectory) if there is one, under the text of the module, the CPU, this library,
/// the width of the beam and the number of threads.
llvm::Expected<std::string> searchSchedules(llvm::StringRef module, const SearchOptions &options);

/// Says of an operation that its schedule is searched.
inline constexpr llvm::StringLiteral kSearchedAttrName = "pypto.searched";

/// What happened since the process started.
struct SearchCounters {
  /// Searches of a product or a loop, and those whose schedules were there.
  uint64_t searched = 0, memoryHits = 0, diskHits = 0, diskFailures = 0;
  /// Schedules that were timed, and those that were left out because they computed anything else.
  uint64_t measured = 0, rejected = 0;
};
SearchCounters getSearchCounters();

} // namespace pypto::execution

#endif
