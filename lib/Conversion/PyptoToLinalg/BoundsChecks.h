// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_CONVERSION_PYPTOTOLINALG_BOUNDSCHECKS_H
#define PYPTO_LIB_CONVERSION_PYPTOTOLINALG_BOUNDSCHECKS_H

#include "Elementwise.h"

namespace pypto::lowering {

/// Where in the user's files `loc` is: "file:line:column", of inlined code followed by
/// " (called at file:line:column)" for each call, innermost first. Empty if unknown.
std::string describeLocation(mlir::Location loc);

/// Emits the checks of one operation at the insertion point. What is certain is not checked.
class BoundsChecker {
public:
  using Number = mlir::OpFoldResult;
  using Numbers = llvm::ArrayRef<mlir::OpFoldResult>;

  BoundsChecker(Lowering &l, mlir::Operation *op);

  Lowering &l;
  mlir::Operation *op;

  //===- One number -----------------------------------------------------------===//
  void checkIndex(Number index, Number extent, int64_t dim);
  /// From 0 to `limit`.
  void checkRange(Number actual, Number limit, const llvm::Twine &subject);
  void checkEqual(Number actual, Number expected, const llvm::Twine &subject);
  /// Unless `excuse` is zero (null: no excuse).
  void checkAtLeast(Number actual, Number limit, const llvm::Twine &subject, Number excuse = {});
  void checkMultipleOf(Number actual, int64_t limit, const llvm::Twine &subject);
  /// The two are equal, or one of them is one.
  void checkBroadcast(Number actual, Number other, const llvm::Twine &subject);

  //===- Lists ----------------------------------------------------------------===//
  /// The window at `offsets`, of `sizes` in the last dimensions, lies inside `extents`.
  void checkWindow(Numbers offsets, Numbers sizes, Numbers extents);
  void checkIndices(Numbers indices, Numbers extents);
  /// No extent is negative, and the valid extents (none: as the extents) are not larger.
  void checkExtents(Numbers extents, Numbers valid = {});
  void checkEqualExtents(Numbers actual, Numbers expected, llvm::StringRef suffix,
                         std::optional<int64_t> except = {});
  /// The operands broadcast, and what is repeated is valid.
  void checkBroadcast(llvm::ArrayRef<Operand> operands);
  /// One of two lists is nowhere greater than the other.
  void checkNested(Numbers lhs, Numbers rhs);
  /// Each element of the integers in `indices`, a tensor or tile, is an index of a dimension; of
  /// `sizes` elements, or of all that are valid.
  void checkElements(mlir::Value indices, Number extent, int64_t dim, Numbers sizes = {});

  //===- Claims of types --------------------------------------------------------===//
  /// What `type` says about the storage that `handle` is.
  void checkClaims(const Handle &handle, pl::TensorType type, Claims claims);
  /// The arguments of a call or submit fit the parameters.
  void checkArguments(pl::FuncOp callee, mlir::ValueRange operands);
  /// The same for the arguments of an entry, which are lowered.
  void checkEntry(pl::FuncOp callee, mlir::ValueRange lowered);

private:
  /// `condition` is an `i1` or a constant.
  void emit(pl::CheckKind kind, Number condition, Number actual, Number limit,
            std::optional<int64_t> dim, const llvm::Twine &subject);
  Number compare(mlir::arith::CmpIPredicate predicate, Number lhs, Number rhs);
  Number either(Number lhs, Number rhs);
  Number both(Number lhs, Number rhs);
  void checkHandles(pl::FuncOp callee, llvm::ArrayRef<std::optional<Handle>> handles);

  std::string location;
};

/// The checks of each operation of the three dialects.
class CheckTable {
public:
  CheckTable();
  /// Emits the checks that stand in front of `op`; fails if the table does not know it.
  mlir::LogicalResult emitChecks(Lowering &l, mlir::Operation *op) const;

private:
  using CheckFn = std::function<void(BoundsChecker &, mlir::Operation *)>;
  template <typename OpTy> void add(void (*fn)(BoundsChecker &, OpTy)) {
    table[OpTy::getOperationName()] = [fn](BoundsChecker &c, mlir::Operation *op) {
      fn(c, llvm::cast<OpTy>(op));
    };
  }
  template <typename... OpTys> void addAll(void (*fn)(BoundsChecker &, mlir::Operation *)) {
    ((table[OpTys::getOperationName()] = fn), ...);
  }
  /// For operations that are defined for all operands that their verifiers let pass.
  template <typename... OpTys> void addTotal() { ((table[OpTys::getOperationName()] = {}), ...); }
  void addProgram();
  void addStorage();
  void addTiles();
  void addCompute();
  void addIndexing();

  llvm::StringMap<CheckFn> table;
};

} // namespace pypto::lowering

#endif
