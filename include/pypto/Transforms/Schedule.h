// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_TRANSFORMS_SCHEDULE_H
#define PYPTO_TRANSFORMS_SCHEDULE_H

#include "mlir/IR/Operation.h"

namespace pypto {

/// A dictionary with decisions about how an operation is computed (see docs/schedules.md): on the
/// operation, or on its function for all operations in it.
inline constexpr llvm::StringLiteral kScheduleAttrName = "pypto.schedule";

/// For an operation that takes the place of another.
inline void copySchedule(mlir::Operation *from, mlir::Operation *to) {
  if (mlir::Attribute schedule = from->getAttr(kScheduleAttrName))
    to->setAttr(kScheduleAttrName, schedule);
}

/// What a machine has for matrix products.
struct ProductTarget {
  /// Bits of a vector.
  int64_t vectorBits = 512;
  /// An instruction that adds the products of two pairs of bf16 numbers to each number of f32.
  bool hasBF16Dot = false;
  /// Tiles of 16 rows of 64 bytes, and an instruction that multiplies two of bf16 (AMX).
  bool hasAMX = false;
};

/// True if a product could have this schedule.
bool isValidSchedule(mlir::DictionaryAttr schedule);
/// The whole schedule of the product `op`, with what its function and the heuristics decide; null
/// if `op` is no product.
mlir::DictionaryAttr getSchedule(mlir::Operation *op, const ProductTarget &target);
/// Schedules that differ from `schedule`, a whole one, in one decision.
llvm::SmallVector<mlir::DictionaryAttr>
getNeighbors(mlir::Operation *op, mlir::DictionaryAttr schedule, const ProductTarget &target);

} // namespace pypto

#endif
