// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the loops of a matrix product: blocks, packed copies, and kernels that keep a block of the
// output in registers.
#ifndef PYPTO_TRANSFORMS_MATMULEMITTER_H
#define PYPTO_TRANSFORMS_MATMULEMITTER_H

#include "MatmulSchedule.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace pypto::matmul {

/// Index arithmetic that folds constants.
class IndexBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;
  using Index = mlir::OpFoldResult;

  Index constant(int64_t value) { return getIndexAttr(value); }
  mlir::Value value(Index index);
  Index add(Index a, Index b);
  Index sub(Index a, Index b);
  Index mul(Index a, Index b);
  Index min(Index a, Index b);
  Index max(Index a, Index b);
  Index floorDiv(Index a, int64_t b) { return floorDiv(a, constant(b)); }
  Index floorDiv(Index a, Index b);
  Index ceilDiv(Index a, int64_t b);

  /// Calls `body` for `lower`, `lower + step`, … below `upper`: in a loop, unless it is known that
  /// there is one call or none.
  void forEach(Index lower, Index upper, int64_t step, llvm::function_ref<void(Index)> body);
  /// Calls `body` under a condition that may be known.
  void onlyIf(mlir::Value condition, llvm::function_ref<void()> body);
  mlir::Value lessThan(Index a, Index b);
  mlir::Value equal(Index a, Index b);
};

using Index = mlir::OpFoldResult;

/// A buffer seen as one row of elements: element (loops…) is at `offset` plus the loops times their
/// strides.
struct FlatView {
  mlir::Value flat;
  Index offset;
  llvm::SmallVector<Index> strides;

  mlir::Type getElement() const {
    return llvm::cast<mlir::MemRefType>(flat.getType()).getElementType();
  }
};

FlatView flatten(IndexBuilder &b, const Factor &factor, unsigned numLoops);

/// Applies casts of elements to an element or a vector.
mlir::Value applyCasts(IndexBuilder &b, llvm::ArrayRef<mlir::Operation *> casts, mlir::Value value);

/// A place in a buffer from which a kernel reads, `rowStride` and `columnStride` apart.
struct Source {
  mlir::Value flat;
  Index offset, rowStride, columnStride;
  llvm::ArrayRef<mlir::Operation *> casts;
};

/// What a kernel does to its block of the output.
enum class Update { Overwrite, Accumulate };

/// A block of the output: rows of `numVectors` vectors, the last of which may be cut.
struct RegisterBlock {
  int64_t rows, numVectors;
  /// Elements of a row; null if the vectors are full.
  Index columns;
};

/// Row r of a block adds up the first `last` + r + 1 numbers, none if that is negative.
struct Triangle {
  Index last;
};

/// Writes kernels for one type of accumulator.
class KernelEmitter {
public:
  KernelEmitter(IndexBuilder &b, mlir::Type element, const Schedule &schedule);

  int64_t getLanes() const { return lanes; }
  int64_t getPanelColumns() const { return lanes * schedule.vectors; }
  mlir::VectorType getVectorType(mlir::Type element) const {
    return mlir::VectorType::get(lanes, element);
  }

  /// What packed factors have: elements after their casts, or pairs of them as the bits of one.
  mlir::Type getPackedElement() const;

  /// `out = sum` or `out += sum` where `isFirst` (null: never) or not, for the sums over `k`
  /// numbers, or packed pairs of them, or as many of the numbers as `triangle` says. `isLast` if
  /// the output is not touched again. `scratch` is for the sums of tiles.
  void emitKernel(const RegisterBlock &block, Source lhs, Source rhs, Index k,
                  std::optional<Triangle> triangle, mlir::Value out, Index outOffset,
                  Index outStride, mlir::Value isFirst, bool isLast, mlir::Value scratch);

  /// `out = lhs * rhs` or `out += lhs * rhs` of one row, along the rows of `rhs`.
  void emitRowProduct(Source lhs, Source rhs, Index k, Index columns, mlir::Value out,
                      Index outOffset, bool isZeroed);
  /// The same along the columns of `rhs`, which are contiguous, as is `lhs`.
  void emitColumnProduct(Source lhs, Source rhs, Index k, Index columns, mlir::Value out,
                         Index outOffset, bool isZeroed);

  // Copies with casts, or in groups: then `k` counts the elements that are there, `kBlock` and the
  // places in the copy count groups, and what is missing in the last group is zero. Tiles find
  // groups of zeros up to a whole tile.

  /// Columns in panels: element (k, n) of panel p at
  /// `offset + (p * kBlock + k) * getPanelColumns() + n`.
  void packPanels(Source rhs, Index k, Index columns, mlir::Value buffer, Index offset,
                  int64_t kBlock);
  /// Rows, `stride` apart.
  void packRows(Source lhs, Index rows, Index k, mlir::Value buffer, int64_t stride);
  /// Columns: element (m, k) of the strip of `height` rows at
  /// `(strip * kBlock + k) * width + m`.
  void packStrips(Source lhs, Index rows, Index k, mlir::Value buffer, int64_t height,
                  int64_t width, int64_t kBlock);

  mlir::SmallVector<mlir::Value> makeMasks(const RegisterBlock &block);
  mlir::Value load(mlir::Value flat, Index offset, mlir::VectorType type, mlir::Value mask);
  /// Past the caches if `isLast` and the schedule says so.
  void store(mlir::Value vector, mlir::Value flat, Index offset, mlir::Value mask,
             bool isLast = false);
  /// True if what is stored last goes past the caches: rows of it begin where vectors do.
  void setStreaming(bool value) { streams = value; }

private:
  llvm::SmallVector<mlir::Value> emitSums(const RegisterBlock &block, const Source &lhs,
                                          const Source &rhs, Index k,
                                          std::optional<Triangle> triangle,
                                          llvm::ArrayRef<mlir::Value> masks);
  void emitTileSums(const RegisterBlock &block, const Source &lhs, const Source &rhs, Index k,
                    mlir::Value scratch);
  void clearGroups(mlir::Value buffer, Index offset, int64_t stride, Index k);
  /// Calls `body` for each vector of a row, with a mask (or null) and its place.
  void forEachVector(Index columns, llvm::function_ref<void(Index, mlir::Value)> body);
  using Step = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::ValueRange)>;
  llvm::SmallVector<mlir::Value> emitSteps(Index from, Index to, int64_t unroll,
                                           llvm::SmallVector<mlir::Value> sums, Step step);
  Index getPanelPlace(Index column, Index offset, int64_t kBlock);
  /// As `packPanels`, of columns whose elements follow each other: blocks of them are turned round
  /// in registers.
  void packColumns(Source rhs, Index k, Index columns, mlir::Value buffer, Index offset,
                   int64_t kBlock);
  void prefetchBlock(const RegisterBlock &block, mlir::Value out, Index offset, Index stride);
  /// Calls `body` for each group of `k` steps of a sum: its number, its first step, its steps.
  void forEachGroup(Index k, llvm::function_ref<void(Index, Index, int64_t)> body);
  /// What a packed factor has for `count` vectors (elements without a type) from `offset` on that
  /// are `stride` apart.
  mlir::Value loadGroup(const Source &source, Index offset, Index stride, int64_t count,
                        mlir::VectorType type, mlir::Value mask);
  mlir::Value multiplyAdd(mlir::Value a, mlir::Value b, mlir::Value sum);
  mlir::Value addVectors(mlir::Value a, mlir::Value b);

  IndexBuilder &b;
  mlir::Type element;
  const Schedule &schedule;
  bool streams = false;
  int64_t lanes;
};

/// Replaces a product, what makes its output zero before it, and what is elementwise after it.
/// Returns false, and changes nothing, if it cannot.
bool emitContraction(const Contraction &product, const Surroundings &around,
                     const Schedule &schedule);

} // namespace pypto::matmul

#endif
