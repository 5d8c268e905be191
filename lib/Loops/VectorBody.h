// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The body of a linalg operation on several elements of one of its loops at once.
#ifndef PYPTO_LOOPS_VECTORBODY_H
#define PYPTO_LOOPS_VECTORBODY_H

#include "Combiner.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace pypto::loops {

/// True if an operand with this map has one element, or consecutive ones, for all iterations of
/// `loop`.
enum class AccessKind { Uniform, Contiguous, Other };
AccessKind getAccessKind(mlir::Value operand, mlir::AffineMap map, unsigned loop);

/// `op` along its loop `loop`, `lanes` elements at a time.
class VectorBody {
public:
  VectorBody(mlir::linalg::LinalgOp op, unsigned loop, int64_t lanes)
      : op(op), loop(loop), lanes(lanes) {
    collectVarying();
  }

  /// True if every operation has a form on vectors.
  bool isSupported() const;
  /// Operations other than constants.
  unsigned getNumOps() const;
  /// Vectors of one step over `numRows` rows: a few at once hide the latency of what combines them.
  unsigned getNumVectors(size_t numRows = 1) const;
  /// The results that are combined along the loop.
  llvm::ArrayRef<Combiner> getCombiners() const { return combiners; }
  /// True if iterations use what is combined before them.
  bool isScan() const { return !combiners.empty() && combiners.front().isScan; }

  /// What is the same for all iterations of the loop: elements of operands, and what is computed
  /// from them.
  mlir::IRMapping emitUniform(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange indices) const;
  /// `value` of the body, which no result so far is needed for, as a vector: see `emit`.
  mlir::Value emitValue(mlir::ImplicitLocOpBuilder &b, mlir::Value value, mlir::ValueRange indices,
                        mlir::Value mask, const mlir::IRMapping &uniform) const;
  /// Brings what a step at `indices` reads along the loop into the cache.
  void emitPrefetch(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange indices) const;
  /// `value` of the body, which follows from indices alone, at one place.
  mlir::Value emitIndexValue(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                             mlir::ValueRange indices) const;
  /// One step at `indices`, those of `loop` of the first lane. `mask` says which lanes are there;
  /// null if all are. `results` has the values of results so far, accumulators or elements of
  /// results that are read; takes the new ones.
  void emit(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange indices, mlir::Value mask,
            llvm::MutableArrayRef<mlir::Value> results, const mlir::IRMapping &uniform) const;
  /// The elements of results along the loop that `op` reads.
  void loadResults(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange indices, mlir::Value mask,
                   llvm::MutableArrayRef<mlir::Value> results) const;
  /// Stores the results along the loop that are `stored`, those that are `nonTemporal` past the
  /// caches.
  void storeResults(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange indices, mlir::Value mask,
                    llvm::ArrayRef<mlir::Value> results, llvm::ArrayRef<bool> nonTemporal,
                    llvm::function_ref<bool(unsigned)> isStored) const;
  mlir::VectorType getVector(mlir::Type element) const;
  int64_t getLanes() const { return lanes; }
  int64_t getExtent() const { return op.getStaticLoopRanges()[loop]; }
  /// True if the loop is not known to be too short for a vector.
  bool fillsVectors() const {
    return mlir::ShapedType::isDynamic(getExtent()) || getExtent() >= lanes / 2;
  }
  unsigned getLoop() const { return loop; }
  /// Sets what has to be known before `emit`; false if a result cannot be combined.
  bool collectCombiners();
  bool isCombined(unsigned result) const { return combined[result]; }

private:
  bool isSupported(mlir::Operation &nested) const;
  void collectVarying();
  bool isUniform(mlir::Value value) const { return !varying.contains(value); }

  mutable mlir::linalg::LinalgOp op; // interfaces of MLIR have no const methods
  unsigned loop;
  int64_t lanes;
  llvm::DenseSet<mlir::Value> varying;
  llvm::SmallVector<Combiner> combiners;
  /// For each result whether it has one.
  llvm::SmallVector<bool> combined;
};

/// The body along the innermost loop of several iterations in which it has a form on vectors of
/// `vectorBits` bits; nothing if there is none.
std::optional<VectorBody> matchVectorBody(mlir::linalg::LinalgOp op, int64_t vectorBits);
/// The same if that loop is not known to be too short for a vector.
std::optional<VectorBody> chooseVectorBody(mlir::linalg::LinalgOp op, int64_t vectorBits);

} // namespace pypto::loops

#endif
