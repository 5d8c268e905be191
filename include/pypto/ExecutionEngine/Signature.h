// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_EXECUTIONENGINE_SIGNATURE_H
#define PYPTO_EXECUTIONENGINE_SIGNATURE_H

#include "pypto/Dialect/PL/IR/PLOps.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace mlir {
class AsmParserState;
} // namespace mlir

namespace pypto::execution {

/// A parameter of an entry.
struct Parameter {
  /// As in the text, without `%`; its number where there is none.
  std::string name;
  pl::Direction direction = pl::Direction::In;
  mlir::Type type;

  bool isOut() const { return direction == pl::Direction::Out; }
  /// The type as a tensor; null for a scalar.
  pl::TensorType getTensor() const { return llvm::dyn_cast<pl::TensorType>(type); }
};

/// What a caller of an entry has to know, taken from the program as it was written, before any
/// pass.
struct Signature {
  std::string name;
  llvm::SmallVector<Parameter> parameters;
  llvm::SmallVector<mlir::Type> results;
  /// Where `--normalize-return-order` moved each result; empty if nowhere.
  llvm::SmallVector<int64_t> returnPermutation;
  /// The author promises that no two tensor arguments share storage.
  bool noAlias = false;
  /// For each parameter whether a result is its storage.
  llvm::SmallVector<bool> isReturned;

  /// Position in the lowered function of result `index` of the text.
  unsigned getLoweredResult(unsigned index) const {
    return returnPermutation.empty() ? index : returnPermutation[index];
  }
};

/// The function that `--entry=name` names: public, with a body, not `inline`. An empty name means
/// the only one that there is, or `main`. The error lists the entries.
llvm::Expected<pl::FuncOp> findEntry(mlir::ModuleOp module, llvm::StringRef name);

/// Takes the signature of `entry`; names come from `names` where it is given. An error if a
/// parameter or result has a type that no caller outside the program can handle.
llvm::Expected<Signature> getSignature(pl::FuncOp entry,
                                       const mlir::AsmParserState *names = nullptr);

/// What the text calls argument `index` of `body`, without `%`; its number where `names` has no
/// name.
std::string getParameterName(mlir::Block &body, unsigned index, const mlir::AsmParserState *names);

/// True if compiled code is handed the valid extents of a tensor of this type next to it: one of
/// them is not a constant.
bool hasDynamicValid(pl::TensorType type);

/// The numbers that the symbols of a signature stand for in one call.
class SymbolValues {
public:
  /// Binds a name. `where` says by what, for the message about a second and different value.
  llvm::Error bind(mlir::StringAttr name, int64_t value, const llvm::Twine &where);
  /// Checks `shape` against constant extents of `type`, binds the names that stand alone.
  llvm::Error bindShape(pl::TensorType type, llvm::ArrayRef<int64_t> shape,
                        const llvm::Twine &where);
  /// Checks `shape` against the expressions among the extents; call it when every name is bound.
  llvm::Error checkShape(pl::TensorType type, llvm::ArrayRef<int64_t> shape,
                         const llvm::Twine &where) const;
  /// The number that `extent` is; nothing for `?`, for an expression with an unbound name, or one
  /// that has no value (a division by zero).
  std::optional<int64_t> evaluate(pl::ExtentAttr extent) const;
  /// First unbound name in `extent`, or null.
  mlir::StringAttr findUnbound(pl::ExtentAttr extent) const;
  bool isBound(mlir::StringAttr name) const { return values.contains(name.getValue()); }

private:
  struct Binding {
    int64_t value;
    std::string where;
  };
  llvm::StringMap<Binding> values;
};

} // namespace pypto::execution

#endif
