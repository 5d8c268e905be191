// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of a loop that threads share.
#ifndef PYPTO_LOOPS_PARTS_H
#define PYPTO_LOOPS_PARTS_H

#include "pypto/Loops/LoopSchedule.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <optional>

namespace pypto::loops {

/// What an extent that is known at run time only is taken for.
constexpr int64_t kUnknownExtent = 1024;

/// Iterations of all loops of `op`.
int64_t getWork(mlir::linalg::LinalgOp op);

/// How many parts a loop should have whose iterations have this much to do.
int64_t getNumParts(int64_t work, int64_t numIterations, const LoopTarget &target);

struct Parts {
  mlir::scf::ParallelOp loop;
  /// The iteration that the part begins with.
  mlir::Value first;
  /// Its number of iterations: a constant if all parts are equal.
  mlir::OpFoldResult size;

  mlir::Value getSize(mlir::ImplicitLocOpBuilder &b) const;
};

/// A parallel loop over parts of `extent` iterations, at the insertion point of `b`, which is in
/// the loop afterwards. Nothing if one part has all.
std::optional<Parts> emitParts(mlir::ImplicitLocOpBuilder &b, mlir::OpFoldResult extent,
                               int64_t numParts);

/// True if iterations of `loop` that follow each other work on a part of the operand.
bool hasParts(mlir::OpOperand &operand, unsigned loop);
/// What `size` iterations of `loop` from `first` on work on.
mlir::Value getPart(mlir::ImplicitLocOpBuilder &b, mlir::OpOperand &operand, unsigned loop,
                    mlir::Value first, mlir::OpFoldResult size);

/// Numbers for each part, and the one of a part, as a buffer of this rank.
mlir::Value createPartials(mlir::ImplicitLocOpBuilder &b, mlir::Type element, int64_t numParts);
mlir::Value getPartial(mlir::ImplicitLocOpBuilder &b, mlir::Value partials, mlir::Value part,
                       int64_t rank);

} // namespace pypto::loops

#endif
