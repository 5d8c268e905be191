// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_DIALECT_PL_TRANSFORMS_INLINEFUNCTIONSEXPANSION_H
#define PYPTO_LIB_DIALECT_PL_TRANSFORMS_INLINEFUNCTIONSEXPANSION_H

#include "InlineFunctionsGraph.h"

#include "mlir/IR/Builders.h"

namespace pypto::pl::inlining {

/// Makes `<base>_inline<n>`. One counter for everything that is renamed in a run.
class FreshNames {
public:
  /// `taken` are the names of symbolic extents that a fresh one has to differ from.
  explicit FreshNames(const llvm::DenseSet<mlir::StringAttr> &taken) : taken(taken) {}
  mlir::StringAttr get(mlir::StringAttr base);
  mlir::StringAttr getSymbol(mlir::StringAttr base);

private:
  unsigned counter = 0;
  const llvm::DenseSet<mlir::StringAttr> &taken;
};

/// One call that is being replaced by a copy of its callee's body.
struct Expansion {
  Callee *callee = nullptr;
  /// The expansion that the call is part of; null if the call stands in the caller itself.
  Expansion *outer = nullptr;
  /// As it stands in the text: in the caller, or in the body of the outer callee.
  CallOp call;
  /// Where everything that is copied comes from, besides its place in the callee.
  std::optional<mlir::Location> site;

  /// What the values of the callee's body have become.
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  llvm::DenseMap<mlir::Block *, mlir::Block *> blocks;
  /// What the body returns, in terms of the caller.
  llvm::SmallVector<mlir::Value, 2> returned;

  /// Types of the copy differ from those in the text. False for most calls, and then no type is
  /// looked at.
  bool retypes = false;
  SymbolBindings bindings;
  /// Names that the body binds, where they are in scope, and what they are called now.
  llvm::SmallDenseMap<mlir::StringAttr, mlir::StringAttr> locals;
  /// Results of substitution; dropped when a name is bound or leaves its scope.
  llvm::DenseMap<mlir::Type, mlir::Type> types;

  /// Values of the body that scopes have to mark for dumping, and operands that calls and submits
  /// have to.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value, 2>> markedValues;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<int64_t, 2>> markedOperands;

  /// Makes this ready for another call.
  void reset();
};

/// Replaces the calls of inline functions in one caller after another. One walk over the caller, in
/// program order, with an explicit stack; a body is copied operation by operation to the place of
/// its call, so that no block is ever split, and operations behind a call are reached with their
/// new operands in place.
class Inliner {
public:
  explicit Inliner(const InlineGraph &graph) : graph(graph), names(graph.getSymbols()) {}

  /// Replaces the calls in `caller`. Fails after a diagnostic.
  mlir::LogicalResult run(const Caller &caller);

private:
  /// Work that is not done yet: the statements of a block, or the regions of an operation.
  struct Frame {
    /// The expansion that statements are copied for; null: they are the caller's and stay.
    Expansion *expansion = nullptr;
    /// Statements.
    mlir::Block::iterator next, end;
    /// Where copies go.
    mlir::Block *target = nullptr;
    mlir::Block::iterator insertion;
    /// The statements are a callee's body.
    bool isBody = false;
    /// Names bound so far: as in the text, and in the target block.
    llvm::SmallVector<mlir::StringAttr, 1> textNames, boundNames;

    /// Regions: the operation in the text and what it has become, and pairs of their blocks.
    mlir::Operation *sourceOp = nullptr, *targetOp = nullptr;
    llvm::SmallVector<std::pair<mlir::Block *, mlir::Block *>, 2> blocks;
    unsigned nextBlock = 0;
  };
  /// What is known of a value that was read from a cell: nothing has bound the cell since, as long
  /// as its count is the same.
  struct Snapshot {
    mlir::Value cell;
    unsigned count;
  };

  //===- Walk (InlineFunctionsExpansion.cpp) -------------------------------------------===//
  mlir::LogicalResult drain();
  mlir::LogicalResult visitInPlace(mlir::Operation *op);
  mlir::LogicalResult visitCopy(mlir::Operation *op);
  mlir::LogicalResult nextRegionBlock();
  void pushRegions(mlir::Operation *source, mlir::Operation *target, Expansion *expansion);
  void popStatements();
  mlir::LogicalResult copySymbol(SymbolOp op, Expansion &expansion);
  bool isIdentityWriteBack(mlir::Value cell, mlir::Value value);
  void noteRead(GetOp source, mlir::Value cell, mlir::Value value);

  //===- Calls (InlineFunctionsCalls.cpp) -----------------------------------------------===//
  mlir::LogicalResult enterCall(CallOp call, Callee &callee, Expansion *outer);
  mlir::LogicalResult finishCall(Expansion &expansion);
  mlir::LogicalResult checkArguments(Expansion &expansion, mlir::ValueRange actuals);
  void bindParameter(Expansion &expansion, unsigned index, mlir::Value actual,
                     mlir::OpBuilder &builder);
  void bindUnknownSymbols(Expansion &expansion, mlir::OpBuilder &builder);
  void replaceResult(mlir::OpResult result, mlir::Value value);
  mlir::Location inlinedLoc(mlir::Location loc, const Expansion &expansion);
  mlir::Location inlinedLoc(mlir::Location loc, const Expansion &expansion, mlir::StringAttr name);
  mlir::Operation *clone(mlir::Operation *op, Expansion &expansion);
  Expansion *acquire();

  //===- Dump marks (InlineFunctionsMarks.cpp) -------------------------------------------===//
  void collectMarks(Expansion &expansion, llvm::ArrayRef<int64_t> dumps);
  void applyMarks(mlir::Operation *source, mlir::Operation *target, Expansion &expansion);

  //===- Types (InlineFunctionsTypes.cpp) -------------------------------------------------===//
  /// Starts an error at the call in the caller that `expansion` is part of.
  mlir::InFlightDiagnostic emitError(const Expansion &expansion);
  /// Why a name means nothing.
  struct Unresolved {
    std::string reason;
    bool isAmbiguous = false;
  };
  /// What a name means in the copy; null if it means nothing, with the reason.
  ExtentAttr resolve(const Expansion &expansion, mlir::StringAttr name, Unresolved &why);
  /// `type` as it is in the copy. If a name in it means nothing: null after a diagnostic, or, if
  /// `op` is null, a type with `?` in its place (null if that is no type).
  mlir::Type substitute(mlir::Type type, Expansion &expansion, mlir::Operation *op);
  mlir::Type rebuild(ExtentTypeInterface type, llvm::ArrayRef<ExtentAttr> extents,
                     llvm::ArrayRef<ExtentAttr> valid, llvm::ArrayRef<ExtentAttr> strides,
                     Expansion *expansion, mlir::Operation *op);
  /// The counterpart of `type`, which was `from` with some parts replaced, now that `from` is `to`.
  mlir::Type transfer(mlir::Type from, mlir::Type to, mlir::Type type, Expansion *expansion,
                      mlir::Operation *op);
  /// The type of a cell that starts with a value of type `exact`. Extents that are `?` in the text
  /// stay so: the cell may be bound to others.
  static mlir::Type makeCellType(mlir::Type declared, mlir::Type exact);
  /// Like substitute, but a name that means nothing is looked for in the operands first.
  mlir::Type follow(mlir::Operation *op, mlir::TypeRange oldOperands, mlir::Type type,
                    Expansion *expansion);

  //===- Retyping (InlineFunctionsRetype.cpp, InlineFunctionsRegions.cpp) ------------------===//
  /// Gives `op` the result types that follow from its operands, whose types were `oldOperands`.
  mlir::LogicalResult retype(mlir::Operation *op, llvm::ArrayRef<mlir::Type> oldOperands,
                             Expansion *expansion);
  mlir::LogicalResult retypeVar(VarOp op, llvm::ArrayRef<mlir::Type> old, Expansion *expansion);
  mlir::LogicalResult retypeGet(GetOp op, llvm::ArrayRef<mlir::Type> old, Expansion *expansion);
  mlir::LogicalResult retypeSet(SetOp op, llvm::ArrayRef<mlir::Type> old, Expansion *expansion);
  mlir::LogicalResult retypeCall(mlir::Operation *op, llvm::ArrayRef<mlir::Type> old,
                                 Expansion *expansion);
  mlir::LogicalResult retypeForeign(mlir::Operation *op, llvm::ArrayRef<mlir::Type> old,
                                    Expansion *expansion);
  mlir::LogicalResult inferTypes(mlir::Operation *op, Expansion *expansion);
  mlir::LogicalResult followAll(mlir::Operation *op, llvm::ArrayRef<mlir::Type> old,
                                Expansion *expansion);
  /// Before the block with this index among the operation's regions is visited.
  mlir::LogicalResult enterRegion(Frame &frame, mlir::Block *target);
  mlir::LogicalResult leaveRegions(Frame &frame);
  mlir::LogicalResult leaveLoop(mlir::Operation *op, mlir::Block::BlockArgListType carried,
                                mlir::MutableOperandRange yielded, Expansion *expansion);
  mlir::LogicalResult joinYields(Frame &frame);
  /// Makes the operand have this type, by a cast if it has to.
  mlir::LogicalResult castTo(mlir::OpOperand &operand, mlir::Type type, Expansion *expansion);
  /// Changes a type; uses of a caller's value are noted, to be retyped when they are reached.
  void setType(mlir::Value value, mlir::Type type);
  void noteUses(mlir::Value value, mlir::Type oldType);

  const InlineGraph &graph;
  FreshNames names;
  std::vector<std::unique_ptr<Expansion>> pool;
  llvm::SmallVector<Expansion *> unused;

  // Of one caller.
  std::vector<Frame> frames;
  /// Names in scope where the walk is; not checked in a caller that is itself inline.
  llvm::DenseSet<mlir::StringAttr> scope;
  bool checksScope = true;
  /// How often each cell has been bound.
  llvm::DenseMap<mlir::Value, unsigned> bindCounts;
  llvm::DenseMap<mlir::Value, Snapshot> snapshots;
  /// Statements of the caller that bind a cell to the result of a replaced call.
  llvm::DenseSet<mlir::Operation *> writeBacks;
  /// Operands of the caller's operations whose types have changed: index and old type.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<std::pair<unsigned, mlir::Type>, 2>> changed;
  /// Cells whose type is that of the first value they are bound to.
  llvm::DenseSet<mlir::Value> untyped;
};

} // namespace pypto::pl::inlining

#endif
