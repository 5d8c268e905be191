// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Dialect/PL/IR/PL.h"
#include "pypto/Interfaces/AliasInterfaces.h"

#include "pypto/Interfaces/AliasInterfaces.cpp.inc"
#include "pypto/Interfaces/ExtentTypeInterface.cpp.inc"
