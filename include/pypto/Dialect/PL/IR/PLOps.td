// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_PL_IR_PLOPS_TD
#define PYPTO_DIALECT_PL_IR_PLOPS_TD

include "pypto/Dialect/PL/IR/CheckOps.td"
include "pypto/Dialect/PL/IR/ElementwiseOps.td"
include "pypto/Dialect/PL/IR/IndexingOps.td"
include "pypto/Dialect/PL/IR/MatmulOps.td"
include "pypto/Dialect/PL/IR/ProgramOps.td"
include "pypto/Dialect/PL/IR/ReductionOps.td"
include "pypto/Dialect/PL/IR/ScopeOps.td"
include "pypto/Dialect/PL/IR/ShapeOps.td"
include "pypto/Dialect/PL/IR/StorageOps.td"
include "pypto/Dialect/PL/IR/VariableOps.td"

#endif
