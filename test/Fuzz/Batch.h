// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_TEST_FUZZ_BATCH_H
#define PYPTO_TEST_FUZZ_BATCH_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <atomic>
#include <cstdint>
#include <sys/types.h>

namespace fuzzer {

struct Limits {
  unsigned cpuSeconds;  ///< for one input; the child writes its stack and ends
  unsigned wallSeconds; ///< for one input; the parent ends the child
  unsigned megabytes;   ///< resident memory of a child
};

/// How an input ended its process.
enum class Failure { None, Crash, Hang, Memory };

/// Exit code of a child that ran out of CPU time.
constexpr int kHangExitCode = 124;

/// Memory that parent and children share: where a child is, and what it has counted.
struct Progress {
  std::atomic<uint64_t> current;
  std::atomic<uint64_t> started; ///< counts the inputs begun by all children
  std::atomic<uint64_t> outcomes[3];
};
Progress *createProgress();

struct BatchResult {
  Failure failure = Failure::None;
  int status = 0; ///< as from waitpid
};

/// Runs `body` for each of [begin, end) in one forked child, whose stderr goes to `logPath`. When a
/// child ends early, `progress->current` is the input that ended it.
BatchResult runBatch(Progress *progress, uint64_t begin, uint64_t end, const Limits &limits,
                     llvm::StringRef logPath, llvm::function_ref<void(uint64_t)> body);

} // namespace fuzzer

#endif
