// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a matrix product is computed: sizes of blocks, what is copied, what runs at the same time.
#ifndef PYPTO_TRANSFORMS_MATMULSCHEDULE_H
#define PYPTO_TRANSFORMS_MATMULSCHEDULE_H

#include "MatmulContraction.h"
#include "pypto/Transforms/Schedule.h"

namespace pypto::matmul {

/// Stands for an extent or a stride that only the run knows.
inline constexpr int64_t kUnknown = std::numeric_limits<int64_t>::max();

/// All decisions about one product. `pypto.schedule` on the operation, or on its function for all
/// products in it, gives some of them; the rest is chosen.
struct Schedule {
  int64_t vectorBits = 512;
  /// Rows and vectors of the block of the output that a kernel keeps in registers.
  int64_t rows = 14, vectors = 2;
  /// Steps of the sum in an iteration of a kernel; rows of the right factor that are read at the
  /// same time for a product of one row.
  int64_t unroll = 1;
  /// Rows and columns of the factors that are copied together, longest sum that a kernel makes.
  int64_t mBlock = 1, nBlock = 1, kBlock = 1;
  /// Rows and columns of the output that run by themselves.
  int64_t mPart = 1, nPart = 1;
  bool packLhs = false, packRhs = false;
  /// Both factors are packed in pairs along the sum, for the instruction that adds two products.
  bool bf16Dot = false;
  /// The same for the instruction that multiplies tiles.
  bool amx = false;
  /// Parts share one copy of the right factor: it is made first, by all threads.
  bool shareRhs = false;
  /// Kernels ask for their block of the output before they compute the sum.
  bool prefetch = false;
  /// What is stored last goes past the caches where that can be.
  bool stream = false;

  bool operator==(const Schedule &) const = default;
  /// Steps of the sum that a packed number holds.
  int64_t getGroup() const { return hasPairs() ? 2 : 1; }
  bool hasPairs() const { return bf16Dot || amx; }
  mlir::DictionaryAttr getAttr(mlir::MLIRContext *context) const;
};

/// Rows of a tile, and numbers of 32 bits in a row of one.
inline constexpr int64_t kTileSize = 16;

/// What is known of a product from its types.
struct ProductFacts {
  explicit ProductFacts(const Contraction &product);

  int64_t m, n, k;
  int64_t lhsRow, lhsColumn, rhsRow, rhsColumn;
  bool castsLhs, castsRhs;
  /// Loops around that run at the same time, and whether there are others.
  int64_t batch;
  bool hasOuterReduction;
  int64_t bits;
  /// Products of bf16 numbers whose sum is one of f32.
  bool isBF16;

  /// Products of one row go along the rows or the columns of the right factor.
  enum class Row { No, AlongRows, AlongColumns };
  Row getRow() const;
  /// The left factor is packed by columns: its rows are not contiguous but its columns are.
  bool isLhsTransposed() const { return lhsColumn != 1 && lhsRow == 1; }
  int64_t getLanes(const Schedule &schedule) const {
    return std::max<int64_t>(1, schedule.vectorBits / bits);
  }
};

/// The entries that the schedule of a product may have.
llvm::SmallVector<ScheduleEntry> getProductEntries();
/// Vectors that a kernel keeps at the same time, tiles apart, which have registers of their own;
/// more than the greatest number would be spilled again and again.
int64_t countSums(mlir::DictionaryAttr schedule);
inline constexpr int64_t kMostSums = 48;

/// The schedule of `product`. What is asked for was checked; sizes are rounded to whole kernels.
Schedule makeSchedule(const Contraction &product, const ProductTarget &target);
/// The same with these decisions instead of those that the program asks for.
Schedule makeSchedule(const ProductFacts &facts, mlir::DictionaryAttr given,
                      const ProductTarget &target);
/// Schedules that differ from `schedule`, a whole one, in one decision.
llvm::SmallVector<mlir::DictionaryAttr> getNeighbors(const Contraction &product,
                                                     mlir::DictionaryAttr schedule,
                                                     const ProductTarget &target);

} // namespace pypto::matmul

#endif
