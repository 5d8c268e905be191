// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_RUNTIME_RUNTIME_H
#define PYPTO_RUNTIME_RUNTIME_H

#include "llvm/ADT/ArrayRef.h"

namespace pypto::runtime {

/// A function of the C ABI that compiled code calls.
struct Symbol {
  const char *name;
  void *address;
};

/// Everything that lowered modules may call and that neither libc, libm nor libgcc has.
llvm::ArrayRef<Symbol> getSymbols();

} // namespace pypto::runtime

#endif
