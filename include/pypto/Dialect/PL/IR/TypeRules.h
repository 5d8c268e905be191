// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_PL_IR_TYPERULES_H
#define PYPTO_DIALECT_PL_IR_TYPERULES_H

#include "pypto/Dialect/PL/IR/PL.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace pypto::pl {

using InferredTypes = llvm::SmallVectorImpl<mlir::Type>;
using OptionalLoc = std::optional<mlir::Location>;

//===- Element types ----------------------------------------------------===//

/// May stand in a tensor or tile: `i1`, `iN`, `uiN`, `index`, a float type.
bool isElementType(mlir::Type type);
/// May be an SSA scalar: signless integer, `index`, float.
bool isScalarType(mlir::Type type);
/// The scalar that holds an element: `uiN` becomes `iN`, the rest is itself.
mlir::Type getScalarType(mlir::Type elementType);
/// Float before integer, wider before narrower, signed before unsigned; `f16` with `bf16` is `f32`.
/// Null if the two do not promote.
mlir::Type promote(mlir::Type lhs, mlir::Type rhs);

//===- Extents ----------------------------------------------------------===//

/// The constants of `extents`, ShapedType::kDynamic for the rest.
llvm::SmallVector<int64_t> getStaticShape(llvm::ArrayRef<ExtentAttr> extents);
/// Number of `?` among the extents and then the valid extents: what an op must give operands for.
unsigned getNumDynamic(llvm::ArrayRef<ExtentAttr> extents);
unsigned getNumDynamic(ExtentTypeInterface type);
/// Calls `fn` for each name in an extent anywhere inside `type`.
void forEachSymbol(mlir::Type type, llvm::function_ref<void(mlir::StringAttr)> fn);
/// True if a name stands in an extent anywhere inside `type`.
bool hasSymbols(mlir::Type type);
/// Broadcasts from the right. Two extents that cannot be the same are an error (null result); where
/// it is not known which of them is one, the result is `?`.
std::optional<llvm::SmallVector<ExtentAttr>> broadcastExtents(llvm::ArrayRef<ExtentAttr> lhs,
                                                              llvm::ArrayRef<ExtentAttr> rhs);

//===- Compatibility ----------------------------------------------------===//

/// Equal element type and rank, no two different constants, spaces and layouts that do not
/// conflict; equal for types without extents.
bool areCompatible(mlir::Type lhs, mlir::Type rhs);
bool areCompatible(mlir::TypeRange lhs, mlir::TypeRange rhs);
/// The type that both are compatible with and neither claims more than: an extent that differs
/// becomes `?`. Null if they are not compatible. Physical extents of tiles must be equal.
mlir::Type joinTypes(mlir::Type lhs, mlir::Type rhs);

/// What the symbols of a callee stand for in one call. Used by the verifier of calls and by
/// inlining.
class SymbolBindings {
public:
  /// Binds the names that stand alone in `formal` to the extents of `actual` (both shaped, or cells
  /// of such). Only the first binding of a name counts; a later one that differs makes the name
  /// ambiguous.
  void bind(mlir::Type formal, mlir::Type actual);
  /// The extent a name is bound to, or null.
  ExtentAttr lookup(mlir::StringAttr name) const;
  /// True if two operands bind `name` to different extents.
  bool isAmbiguous(mlir::StringAttr name) const { return ambiguous.contains(name); }
  bool empty() const { return map.empty(); }
  /// All bindings, in order of their appearance.
  auto begin() const { return map.begin(); }
  auto end() const { return map.end(); }

private:
  llvm::MapVector<mlir::StringAttr, ExtentAttr> map;
  llvm::DenseMap<mlir::StringAttr, ExtentAttr> ambiguous;
};

/// Why an argument of type `actual` does not fit a parameter of type `formal`; empty if it does.
/// `bindings` has what the symbols stand for: expressions of the formal are checked against it.
/// `checkValid` is false for calls of inline functions, where the valid shape does not constrain.
std::string explainMismatch(mlir::Type formal, mlir::Type actual, const SymbolBindings &bindings,
                            bool checkValid);

/// `type` with each symbol replaced for which `lookup` returns an extent.
mlir::Type substituteSymbols(mlir::Type type,
                             llvm::function_ref<ExtentAttr(mlir::StringAttr)> lookup);

//===- Result types -----------------------------------------------------===//

/// `type` as a tensor or tile, or an error: the parser infers result types before it verifies
/// operand types.
llvm::FailureOr<ExtentTypeInterface> expectShaped(OptionalLoc loc, mlir::Type type);
llvm::LogicalResult inferBinary(OptionalLoc loc, mlir::Type lhs, mlir::Type rhs,
                                InferredTypes &types);
llvm::LogicalResult inferBitwise(OptionalLoc loc, mlir::Type lhs, mlir::Type rhs,
                                 InferredTypes &types);
llvm::LogicalResult inferShift(OptionalLoc loc, mlir::Type lhs, mlir::Type rhs,
                               InferredTypes &types);
llvm::LogicalResult inferCompare(OptionalLoc loc, mlir::Type lhs, mlir::Type rhs,
                                 InferredTypes &types);
llvm::LogicalResult inferUnary(OptionalLoc loc, mlir::Type source, InferredTypes &types);
llvm::LogicalResult inferFloatUnary(OptionalLoc loc, mlir::Type source, InferredTypes &types);
llvm::LogicalResult inferIntegerUnary(OptionalLoc loc, mlir::Type source, InferredTypes &types);
llvm::LogicalResult inferCast(OptionalLoc loc, mlir::Type source, mlir::Type elementType,
                              InferredTypes &types);
/// Reductions and expansions work on the dimension that is `fromEnd` from the last one (1: the
/// last).
llvm::LogicalResult inferReduction(OptionalLoc loc, mlir::Type source, unsigned fromEnd,
                                   InferredTypes &types);
llvm::LogicalResult inferArgReduction(OptionalLoc loc, mlir::Type source, unsigned fromEnd,
                                      InferredTypes &types);
llvm::LogicalResult inferExpand(OptionalLoc loc, mlir::Type target, mlir::Type vector,
                                unsigned fromEnd, InferredTypes &types);
llvm::LogicalResult inferExpandBinary(OptionalLoc loc, mlir::Type source, mlir::Type vector,
                                      unsigned fromEnd, InferredTypes &types);
llvm::LogicalResult inferExpandFloat(OptionalLoc loc, mlir::Type source, mlir::Type vector,
                                     unsigned fromEnd, InferredTypes &types);
/// `elementType` is null for the promoted type.
llvm::LogicalResult inferMatmul(OptionalLoc loc, mlir::Type lhs, mlir::Type rhs, bool transposeLhs,
                                bool transposeRhs, mlir::Type elementType, InferredTypes &types);
llvm::LogicalResult inferTranspose(OptionalLoc loc, mlir::Type source, int64_t axis1, int64_t axis2,
                                   InferredTypes &types);
llvm::LogicalResult inferConcat(OptionalLoc loc, mlir::Type lhs, mlir::Type rhs,
                                std::optional<int64_t> axis, InferredTypes &types);
llvm::LogicalResult inferFillpad(OptionalLoc loc, mlir::Type source, Pad pad, InferredTypes &types);
llvm::LogicalResult inferSelect(OptionalLoc loc, mlir::Type mask, mlir::Type lhs, mlir::Type rhs,
                                InferredTypes &types);
llvm::LogicalResult inferPart(OptionalLoc loc, mlir::Type lhs, mlir::Type rhs,
                              InferredTypes &types);
llvm::LogicalResult inferGather(OptionalLoc loc, mlir::Type source, mlir::Type indices, int64_t dim,
                                InferredTypes &types);
/// Types of the values and of the indices; `indices` may be null.
llvm::LogicalResult inferSort32(OptionalLoc loc, mlir::Type values, mlir::Type indices,
                                InferredTypes &types);
llvm::LogicalResult inferMergeSort(OptionalLoc loc, mlir::Type values, mlir::Type indices,
                                   int64_t run, InferredTypes &types);

/// Appends a type of the kind of `like`, or reports why there is none: two symbols that are not
/// known to be equal give
/// `?`, which a tile may not have.
llvm::LogicalResult appendLike(OptionalLoc loc, ExtentTypeInterface like,
                               llvm::ArrayRef<ExtentAttr> extents, llvm::ArrayRef<ExtentAttr> valid,
                               mlir::Type elementType, InferredTypes &types);
/// Valid extents, the physical ones when implicit.
llvm::ArrayRef<ExtentAttr> getValidOrExtents(ExtentTypeInterface type);
/// No two constants that differ, at equal rank.
bool mayBeEqual(llvm::ArrayRef<ExtentAttr> lhs, llvm::ArrayRef<ExtentAttr> rhs);
/// The element type that both operands are brought to; error C2.
llvm::FailureOr<mlir::Type> promoteElements(OptionalLoc loc, mlir::Type lhs, mlir::Type rhs);
/// Shape and valid shape of an elementwise result over both types; error C1 if they do not
/// broadcast.
llvm::LogicalResult broadcastShapes(OptionalLoc loc, ExtentTypeInterface lhs,
                                    ExtentTypeInterface rhs,
                                    llvm::SmallVectorImpl<ExtentAttr> &extents,
                                    llvm::SmallVectorImpl<ExtentAttr> &valid);

//===- Effects and scopes of symbols --------------------------------------===//

/// Speculatable unless one of the op's types names a symbol that no parameter of its function
/// declares: hoisting it could move it over the `pl.symbol` that binds the name.
mlir::Speculation::Speculatability getSymbolicSpeculatability(mlir::Operation *op);

//===- Parsing and printing of parts of types -----------------------------===//

/// An explicit valid shape that equals the extents says nothing and becomes empty (unless one of
/// them is `?`).
llvm::ArrayRef<ExtentAttr> normalizeValid(llvm::ArrayRef<ExtentAttr> extents,
                                          llvm::ArrayRef<ExtentAttr> valid);
/// C1 to C3 of `!pl.tensor`, shared with tiles.
llvm::LogicalResult verifyShape(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                                llvm::ArrayRef<ExtentAttr> extents, mlir::Type elementType,
                                llvm::ArrayRef<ExtentAttr> valid);
llvm::FailureOr<llvm::SmallVector<ExtentAttr>> parseExtentList(mlir::AsmParser &parser);
void printExtentList(mlir::AsmPrinter &printer, llvm::ArrayRef<ExtentAttr> extents);

} // namespace pypto::pl

#endif
