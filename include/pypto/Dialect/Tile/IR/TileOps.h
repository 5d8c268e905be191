// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_TILE_IR_TILEOPS_H
#define PYPTO_DIALECT_TILE_IR_TILEOPS_H

#include "pypto/Dialect/PL/IR/OpVerifiers.h"
#include "pypto/Dialect/PL/IR/PLOps.h"
#include "pypto/Dialect/Tile/IR/Tile.h"
#include "pypto/Dialect/Tile/IR/TypeRules.h"
#include "pypto/Interfaces/AliasInterfaces.h"

#define GET_OP_CLASSES
#include "pypto/Dialect/Tile/IR/TileOps.h.inc"

#endif
