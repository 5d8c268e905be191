// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_TILE_IR_TILEOPS_TD
#define PYPTO_DIALECT_TILE_IR_TILEOPS_TD

include "pypto/Dialect/Tile/IR/ElementwiseOps.td"
include "pypto/Dialect/Tile/IR/IndexingOps.td"
include "pypto/Dialect/Tile/IR/MatmulOps.td"
include "pypto/Dialect/Tile/IR/MemoryOps.td"
include "pypto/Dialect/Tile/IR/ReductionOps.td"
include "pypto/Dialect/Tile/IR/ShapeOps.td"
include "pypto/Dialect/Tile/IR/SyncOps.td"

#endif
