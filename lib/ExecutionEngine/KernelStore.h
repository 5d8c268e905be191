// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code of kernels on disk, for other processes.
#ifndef PYPTO_LIB_EXECUTIONENGINE_KERNELSTORE_H
#define PYPTO_LIB_EXECUTIONENGINE_KERNELSTORE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace pypto::execution {

/// One file for each kernel (or for what else was made for it), named by a hash of its text, of the
/// CPU with its features, and of this library. Files appear whole or not at all, and each has a
/// checksum: what is damaged counts as absent. Processes may share a directory.
class KernelStore {
public:
  /// `key` is the text of the kernel with the options that it is compiled under.
  KernelStore(llvm::StringRef directory, llvm::StringRef key, llvm::StringRef extension = ".o");

  /// The object, if it is there and undamaged.
  std::optional<std::string> load() const;
  /// Keeps `object`. The error says why it cannot.
  llvm::Error save(llvm::StringRef object) const;

private:
  std::string directory, path, digest;
};

/// Keeps `object`; false if that fails. The first failure is what `setKernelCacheWarning` warns of.
bool keep(const KernelStore &store, llvm::StringRef object);

} // namespace pypto::execution

#endif
