// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From graphs of tensor ops to kernels: functions with one block whose ops are upstream's `linalg`,
// `tensor`, `arith` and `math` on tensors.
#ifndef PYPTO_RANGEIFY_PASSES_H
#define PYPTO_RANGEIFY_PASSES_H

#include "pypto/Properties/Properties.h"

namespace pypto::rangeify {

#define GEN_PASS_DECL
#include "pypto/Rangeify/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pypto/Rangeify/Passes.h.inc"

} // namespace pypto::rangeify

#endif
