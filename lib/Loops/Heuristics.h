// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes decide where a schedule says nothing: each is defined beside the pass that acts on
// it.
#ifndef PYPTO_LOOPS_HEURISTICS_H
#define PYPTO_LOOPS_HEURISTICS_H

#include "pypto/Loops/LoopSchedule.h"

namespace pypto::loops {

/// Parts that threads share: how many, and how many there may be at most; 1 if there is nothing to
/// choose, because there can be no parts or because their number decides in which order floats are
/// added.
struct PartsChoice {
  int64_t count = 1, most = 1;
};

/// Of an operation (see `--parallelize-operations`), and of a loop over rows (see
/// `--parallelize-rows`).
PartsChoice chooseParts(mlir::linalg::LinalgOp op, const LoopTarget &target);
PartsChoice chooseParts(mlir::scf::ForOp loop, const LoopTarget &target);

/// True if operands are turned around block by block (see `--block-transposes`).
bool readsAcrossRows(mlir::linalg::LinalgOp op);
/// Elements that are turned around in registers, which the sides of blocks are multiples of.
inline constexpr int64_t kTransposeUnit = 16;

} // namespace pypto::loops

#endif
