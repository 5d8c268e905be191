// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_RUNTIME_RUNTIME_H
#define PYPTO_RUNTIME_RUNTIME_H

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace pypto::runtime {

/// A function of the C ABI that compiled code calls.
struct Symbol {
  const char *name;
  void *address;
};

/// The number that stands for an 8-bit float format in `pypto_f8_to_f64` and `pypto_f64_to_f8`.
std::optional<unsigned> getFloat8Kind(const llvm::fltSemantics &semantics);

/// Everything that lowered modules may call and that neither libc, libm nor libgcc has, and the
/// functions that allocate, which fail where those of libc return null. A failure is an exception
/// (see Failure.h): the code that calls these needs unwind tables.
llvm::ArrayRef<Symbol> getSymbols();

} // namespace pypto::runtime

#endif
