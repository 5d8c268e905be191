// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What LLVM 22 gets wrong, and how modules of kernels keep away from it.
#ifndef PYPTO_LIB_EXECUTIONENGINE_MISCOMPILES_H
#define PYPTO_LIB_EXECUTIONENGINE_MISCOMPILES_H

#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"

namespace pypto::execution {

/// Makes scalar stores of masked stores of one lane, in an optimised module. Instruction selection
/// does that too, but if what is stored is a truncation it stores the wide element, over what is
/// behind it.
void storeSingleLanes(llvm::Module &module);

/// Lets SROA pass over functions in which it would break the IR: it joins the vectors that are
/// stored to parts of a buffer, for one load of the whole, in front of the store with the greatest
/// offset, be it the last one or not.
void guardSROA(llvm::PassInstrumentationCallbacks &callbacks);

} // namespace pypto::execution

#endif
