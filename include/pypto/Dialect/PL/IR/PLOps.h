// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_PL_IR_PLOPS_H
#define PYPTO_DIALECT_PL_IR_PLOPS_H

#include "pypto/Dialect/PL/IR/OpVerifiers.h"
#include "pypto/Dialect/PL/IR/PL.h"
#include "pypto/Dialect/PL/IR/TypeRules.h"
#include "pypto/Interfaces/AliasInterfaces.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#define GET_OP_CLASSES
#include "pypto/Dialect/PL/IR/PLOps.h.inc"

#endif
