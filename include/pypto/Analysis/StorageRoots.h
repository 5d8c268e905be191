// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_ANALYSIS_STORAGEROOTS_H
#define PYPTO_ANALYSIS_STORAGEROOTS_H

#include "pypto/Dialect/PL/IR/PLOps.h"

#include "mlir/Analysis/AliasAnalysis.h"

#include <memory>

namespace pypto {

/// The storage that a handle leads to.
class StorageRoot {
public:
  enum class Kind {
    /// A parameter of the enclosing function.
    Parameter,
    /// The result of an operation that allocates, or of a call that returns new storage.
    Allocation,
    /// Storage that nothing is known about.
    Unknown
  };

  static StorageRoot getUnknown() { return StorageRoot({}); }
  /// The storage that `value` names: a parameter or an allocated result.
  explicit StorageRoot(mlir::Value value) : value(value) {}

  Kind getKind() const {
    if (!value)
      return Kind::Unknown;
    return llvm::isa<mlir::BlockArgument>(value) ? Kind::Parameter : Kind::Allocation;
  }
  bool isParameter() const { return getKind() == Kind::Parameter; }
  bool isAllocation() const { return getKind() == Kind::Allocation; }
  bool isUnknown() const { return getKind() == Kind::Unknown; }
  /// The parameter or the allocated result; null if unknown.
  mlir::Value getValue() const { return value; }
  /// False if the root stands for several storages, one per iteration of a loop or block of a
  /// launch: then two handles with this root may or may not be the same storage.
  bool isSingleStorage() const;

  bool operator==(const StorageRoot &other) const { return value == other.value; }
  bool operator!=(const StorageRoot &other) const { return value != other.value; }

private:
  mlir::Value value;
};

/// Answers which storage a handle leads to, through aliases, views, variables, control flow and
/// calls. Functions are analysed when the first question about them is asked; after that a question
/// is a look-up. Invalid once the module changes.
class StorageRoots {
public:
  explicit StorageRoots(mlir::ModuleOp module);
  ~StorageRoots();
  StorageRoots(StorageRoots &&);

  /// The storage that `handle` may be or lie in; never empty. If the unknown root is there it is
  /// the only one. The range lives as long as the analysis.
  llvm::ArrayRef<StorageRoot> getStorageRoots(mlir::Value handle);

  /// False if two roots of one function are different storage whatever the function is called with:
  /// two allocations; an allocation and a parameter; two parameters under `pl.noalias`; an
  /// allocation that only known operations have seen, and the unknown root.
  bool mayAlias(StorageRoot lhs, StorageRoot rhs);
  /// False if no root of one handle may be a root of the other.
  bool mayAlias(mlir::Value lhs, mlir::Value rhs);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// The same for passes that ask through upstream's interface:
/// `aliasAnalysis.addAnalysisImplementation(StorageAliasAnalysis(roots))`. `roots` outlives it.
class StorageAliasAnalysis {
public:
  explicit StorageAliasAnalysis(StorageRoots &roots) : roots(roots) {}

  mlir::AliasResult alias(mlir::Value lhs, mlir::Value rhs);
  mlir::ModRefResult getModRef(mlir::Operation *, mlir::Value) {
    return mlir::ModRefResult::getModAndRef();
  }

private:
  StorageRoots &roots;
};

} // namespace pypto

#endif
