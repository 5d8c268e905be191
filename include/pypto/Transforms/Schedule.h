// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How operations are computed, as data (see docs/schedules.md).
#ifndef PYPTO_TRANSFORMS_SCHEDULE_H
#define PYPTO_TRANSFORMS_SCHEDULE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace pypto {

/// A dictionary with decisions about how an operation is computed: on the operation, or on its
/// function for all operations in it.
inline constexpr llvm::StringLiteral kScheduleAttrName = "pypto.schedule";

/// What there are schedules of: matrix products, other operations of linalg, which become loops,
/// and loops over rows that have such operations in them (see `--fuse-rows`).
enum class ScheduleKind { Product, Loop, Rows };

/// The kind of schedule that `op` has; nothing if it has none.
std::optional<ScheduleKind> getScheduleKind(mlir::Operation *op);

/// One entry of the dictionary: true or false, or a number.
struct ScheduleEntry {
  llvm::StringLiteral name;
  bool isFlag = false;
  int64_t least = 1, most = 1 << 30;
};

/// An entry that is a member of a structure with a whole schedule.
template <typename Schedule> struct ScheduleMember {
  ScheduleEntry entry;
  int64_t Schedule::*number = nullptr;
  bool Schedule::*flag = nullptr;

  constexpr ScheduleMember(llvm::StringLiteral name, int64_t Schedule::*number, int64_t least = 1,
                           int64_t most = 1 << 30)
      : entry{name, false, least, most}, number(number) {}
  constexpr ScheduleMember(llvm::StringLiteral name, bool Schedule::*flag)
      : entry{name, true}, flag(flag) {}

  mlir::Attribute get(const Schedule &schedule, mlir::MLIRContext *context) const {
    mlir::Builder b(context);
    return number ? mlir::Attribute(b.getI64IntegerAttr(schedule.*number))
                  : mlir::Attribute(b.getBoolAttr(schedule.*flag));
  }
  /// Takes what `given` says, if it says anything; it was checked.
  void set(Schedule &schedule, mlir::DictionaryAttr given) const {
    mlir::Attribute value = given ? given.get(entry.name) : mlir::Attribute();
    if (value && number)
      schedule.*number = llvm::cast<mlir::IntegerAttr>(value).getInt();
    else if (value)
      schedule.*flag = llvm::cast<mlir::BoolAttr>(value).getValue();
  }
};

/// True if an operation of this kind could have this schedule.
bool isValidSchedule(ScheduleKind kind, mlir::DictionaryAttr schedule);
/// Checks the schedule that `op` or its function asks for; reports what is wrong there.
llvm::LogicalResult verifySchedule(mlir::Operation *op);
/// What `op` and its function ask for, the entries of `op` before those of the function; null if
/// that is nothing.
mlir::DictionaryAttr getGivenSchedule(mlir::Operation *op);

/// For an operation that takes the place of another.
inline void copySchedule(mlir::Operation *from, mlir::Operation *to) {
  if (mlir::Attribute schedule = from->getAttr(kScheduleAttrName))
    to->setAttr(kScheduleAttrName, schedule);
}
/// For an operation that takes the place of two, if they are of its kind. Entries of `last` come
/// before those of `first`.
void mergeSchedules(mlir::Operation *first, mlir::Operation *last, mlir::Operation *both);

/// What a machine has for matrix products.
struct ProductTarget {
  /// Bits of a vector.
  int64_t vectorBits = 512;
  /// An instruction that adds the products of two pairs of bf16 numbers to each number of f32.
  bool hasBF16Dot = false;
  /// Tiles of 16 rows of 64 bytes, and an instruction that multiplies two of bf16 (AMX).
  bool hasAMX = false;
};

/// The whole schedule of `op`, with what its function and the heuristics decide; null if it has
/// none. What is asked for was checked.
mlir::DictionaryAttr getSchedule(mlir::Operation *op, const ProductTarget &target);
/// Schedules that differ from `schedule`, a whole one, in one decision.
llvm::SmallVector<mlir::DictionaryAttr>
getNeighbors(mlir::Operation *op, mlir::DictionaryAttr schedule, const ProductTarget &target);

} // namespace pypto

#endif
