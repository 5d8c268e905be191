// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How loops of operations other than matrix products run: decisions that do not change a result.
#ifndef PYPTO_LOOPS_LOOPSCHEDULE_H
#define PYPTO_LOOPS_LOOPSCHEDULE_H

#include "pypto/Transforms/Schedule.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace pypto::loops {

/// What decides where a schedule says nothing.
struct LoopTarget {
  /// Bits of a vector.
  int64_t vectorBits = 512;
  /// Least size of a buffer that is written past the caches.
  int64_t streamBytes = 8 << 20;
  /// Fewest iterations of the innermost loops in a part of what threads share, and most parts.
  int64_t partWork = 1 << 17, maxParts = 64;
};

/// All decisions about one operation. `pypto.schedule` on it, or on its function, gives some of
/// them; the rest is chosen.
struct LoopSchedule {
  int64_t vectorBits = 512;
  /// Vectors in an iteration of the innermost loop.
  int64_t unroll = 1;
  /// Rows that are combined with the same results side by side.
  int64_t rowBlock = 1;
  /// Rows and columns of the blocks of operands that are turned around; 1 if none are.
  int64_t transposeBlock = 1;
  /// Parts of the operation that threads share.
  int64_t parts = 1;
  /// The next row is brought into the cache while one is worked on.
  bool prefetch = false;
  /// Results go past the caches where that can be.
  bool stream = false;
  /// The operation may share a loop over rows with others.
  bool fuseRows = true;
};

/// Which of the decisions about an operation are open: others have one answer, which no schedule
/// changes, or are taken when there are buffers.
struct LoopFacts {
  bool hasVectorBits = false, hasUnroll = false, hasRowBlock = false, hasTransposeBlock = false,
       hasParts = false, hasPrefetch = false, hasStream = false, hasFuseRows = false;
};

/// The entries that a schedule of a loop, and one of a loop over rows, may have.
llvm::ArrayRef<ScheduleEntry> getLoopEntries();
llvm::ArrayRef<ScheduleEntry> getRowsEntries();

/// The schedule of an operation, or of a loop over rows, where `given`, which was checked, says
/// some of it; `facts` tells what is open. Index arithmetic of the body was expanded.
LoopSchedule makeSchedule(mlir::linalg::LinalgOp op, mlir::DictionaryAttr given,
                          const LoopTarget &target, LoopFacts *facts = nullptr);
LoopSchedule makeSchedule(mlir::scf::ForOp rows, mlir::DictionaryAttr given,
                          const LoopTarget &target, LoopFacts *facts = nullptr);

/// That schedule as a dictionary with what is open.
mlir::DictionaryAttr makeScheduleAttr(mlir::linalg::LinalgOp op, mlir::DictionaryAttr given,
                                      const LoopTarget &target);
mlir::DictionaryAttr makeScheduleAttr(mlir::scf::ForOp rows, mlir::DictionaryAttr given,
                                      const LoopTarget &target);
/// Schedules that differ from `schedule` in one decision.
llvm::SmallVector<mlir::DictionaryAttr>
getNeighbors(mlir::linalg::LinalgOp op, mlir::DictionaryAttr schedule, const LoopTarget &target);
llvm::SmallVector<mlir::DictionaryAttr>
getNeighbors(mlir::scf::ForOp rows, mlir::DictionaryAttr schedule, const LoopTarget &target);

} // namespace pypto::loops

#endif
