// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_INTERFACES_ALIASINTERFACES_H
#define PYPTO_INTERFACES_ALIASINTERFACES_H

#include "mlir/IR/OpDefinition.h"

#include "pypto/Interfaces/AliasInterfaces.h.inc"

#endif
