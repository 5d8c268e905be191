// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_EXECUTIONENGINE_JIT_H
#define PYPTO_EXECUTIONENGINE_JIT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
namespace orc {
class JITTargetMachineBuilder;
class LLJIT;
} // namespace orc
} // namespace llvm

namespace pypto::execution {

/// What an entry is called in the lowered module: `pypto_entry_<name>` and its C interface.
inline constexpr llvm::StringLiteral kEntryPrefix = "pypto_entry_";

struct JITOptions {
  /// The one entry that is wanted; all of them if empty. What it does not need is not compiled.
  llvm::StringRef entry = {};
  /// The optimised LLVM IR is printed here if set.
  llvm::raw_ostream *dump = nullptr;
  /// The entry is the function of that name itself, whose parameters are addresses and scalars.
  bool isKernel = false;
  /// The object file is put here if set.
  std::string *object = nullptr;
  /// Instructions that the host may lack, as LLVM names them: `+amx-tile`.
  std::vector<std::string> features = {};
  /// How much LLVM optimises, from 0 to 3. Less is compiled sooner and runs slower.
  unsigned level = 3;
};

/// Machine code of a module that is in the LLVM dialect, for the CPU that it runs on. Lives as long
/// as the code that it hands out is called.
class JIT {
public:
  /// Calls the C interface of an entry. `arguments[i]` points to the value of its i-th LLVM
  /// parameter, not counting the pointer to the result; `result` is where the result goes.
  using Invoker = void (*)(void **arguments, void *result);

  /// Translates, optimises and links. Diagnostics of the translation go to the context's handler;
  /// every other failure is in the error.
  static llvm::Expected<std::unique_ptr<JIT>> create(mlir::ModuleOp module,
                                                     const JITOptions &options = {});
  /// Prints the optimised LLVM IR of a module of one kernel.
  static llvm::Error printKernel(mlir::ModuleOp module, llvm::raw_ostream &os);
  /// Links an object file that `create` has made, with the entry `entry`.
  static llvm::Expected<std::unique_ptr<JIT>> load(llvm::StringRef object, llvm::StringRef entry,
                                                   unsigned numParameters);
  ~JIT();

  /// The invoker of the entry `name`, whose C interface has to have `numParameters` LLVM
  /// parameters, not counting the pointer to the result.
  llvm::Expected<Invoker> lookup(llvm::StringRef name, unsigned numParameters);

private:
  JIT() = default;
  llvm::Error open(llvm::orc::JITTargetMachineBuilder target);

  std::unique_ptr<llvm::orc::LLJIT> engine;
  /// What the engine reported while it was linking.
  std::string reports;
  /// Number of parameters of each entry's C interface.
  llvm::StringMap<unsigned> numParameters;
};

} // namespace pypto::execution

#endif
