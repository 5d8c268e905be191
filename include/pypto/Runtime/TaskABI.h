// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C ABI between compiled host functions and the task graph. Compiled code fills these
// structures.
#ifndef PYPTO_RUNTIME_TASKABI_H
#define PYPTO_RUNTIME_TASKABI_H

// A function that fails throws pypto::runtime::Failure: the code that calls it needs unwind tables.
// Every function may fail but the frees and the scopes.

#include <cstdint>

extern "C" {

/// Where in the program a task is made: constant data of the compiled module.
struct PyptoTaskSite {
  /// Of the function that runs, e.g. "kernel".
  const char *name;
  /// "file:line:column" of the call or submit; empty if unknown.
  const char *location;
};

enum PyptoAccessMode : int32_t {
  PyptoRead = 1,
  PyptoWrite = 2,
  PyptoReadWrite = 3,
  /// Reads and writes, in additions that may not be mixed with others: in a manual scope, too, two
  /// of these that overlap keep the order of the program.
  PyptoAccumulate = 7,
};

/// What a task, or the host, does to a part of a storage: to bytes in a row, or to a block of rows
/// of the same length. Two accesses conflict if they are to the same storage, have a byte in
/// common, and one of them writes. Blocks whose rows are at different distances conflict if the
/// ranges from first to last byte overlap.
struct PyptoAccess {
  /// The allocation: the first word of the descriptor.
  const void *storage;
  /// First byte and the one behind the last; equal for an empty part.
  const void *begin, *end;
  int32_t mode;
  /// Bytes from a row to the next, and bytes of a row; 0 if the bytes are contiguous.
  int64_t pitch = 0, rowBytes = 0;
};

enum PyptoTaskFlags : int32_t {
  /// The blocks of the launch run one after the other (they add atomically, or wait for each other
  /// in order).
  PyptoBlocksInOrder = 1,
};

/// Runs one block of a task. `payload` is the copy that the graph has taken.
typedef void (*PyptoTaskBody)(void *payload, int64_t block, int64_t numBlocks);

/// Adds a task to the graph of the calling thread, behind every earlier one that it conflicts with
/// (not in a manual scope) and behind those in `after` (a negative id is no task). Copies payload
/// and accesses. Returns its id, which is positive. Where the thread has no graph, and in the body
/// of a task, it runs at once and the id is 0.
int64_t pyptoTaskSubmit(const PyptoTaskSite *site, PyptoTaskBody body, const void *payload,
                        int64_t payloadBytes, const PyptoAccess *accesses, int64_t numAccesses,
                        const int64_t *after, int64_t numAfter, int64_t numBlocks, int32_t flags);

/// A task that does nothing.
int64_t pyptoTaskDummy(const PyptoTaskSite *site, const int64_t *after, int64_t numAfter);

/// Waits for the tasks named, for all so far if there are none.
void pyptoTaskBarrier(const int64_t *after, int64_t numAfter);

/// The host is about to access these: waits for the tasks that conflict.
void pyptoTaskSync(const PyptoAccess *accesses, int64_t numAccesses);

/// `orchestration.scope`; they nest.
void pyptoScopeBegin(int32_t isManual);
void pyptoScopeEnd();

/// Frees memory of the host once every task that accesses it is done. Null is allowed.
void pyptoTaskFree(void *storage);

/// Called between two looks at a signal that has not the awaited value. Lets other tasks run; fails
/// if none can.
void pyptoSignalPause(const PyptoTaskSite *site);
/// Called after a signal was changed. Without it, threads that pass signals to and fro for longer
/// than the time limit, doing next to nothing in between, look like a deadlock.
void pyptoSignalNotify();

/// `malloc`, but fails instead of returning null.
void *pyptoAlloc(int64_t bytes, int64_t alignment);
void pyptoFree(void *memory);

/// Ends the run with an error: `message` is a whole line without the location.
[[noreturn]] void pyptoFail(const char *location, const char *message);
/// An index out of range: "location: 'op' expects an index in [0, 8) in dimension 0, but got
/// 9". Negative indices are out of range.
[[noreturn]] void pyptoFailBounds(const char *location, const char *op, int64_t dim, int64_t index,
                                  int64_t extent);
/// What else a `pl.check` expects of a number; the numbers are those of `pl::CheckKind`.
enum PyptoCheckKind : int32_t {
  PyptoCheckRange = 1,
  PyptoCheckEqual = 2,
  PyptoCheckAtLeast = 3,
  PyptoCheckOneOr = 4,
  PyptoCheckMultipleOf = 5,
};
/// Another check that failed: "location: 'op' expects subject to be limit, but got actual".
[[noreturn]] void pyptoFailCheck(const char *location, const char *op, int32_t kind,
                                 const char *subject, int64_t actual, int64_t limit);
}

#endif
