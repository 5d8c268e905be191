// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_TILE_IR_TILE_H
#define PYPTO_DIALECT_TILE_IR_TILE_H

#include "pypto/Dialect/PL/IR/PL.h"

#include "pypto/Dialect/Tile/IR/TileDialect.h.inc"
#include "pypto/Dialect/Tile/IR/TileEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "pypto/Dialect/Tile/IR/TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "pypto/Dialect/Tile/IR/TileTypes.h.inc"

namespace pypto::tile {

/// Effects on flags, events and barriers between units.
struct SyncResource : mlir::SideEffects::Resource::Base<SyncResource> {
  llvm::StringRef getName() final { return "tile.sync"; }
};
/// Effects on the queues between cores.
struct PipeResource : mlir::SideEffects::Resource::Base<PipeResource> {
  llvm::StringRef getName() final { return "tile.pipe"; }
};
/// Effects on the identity of the block that runs.
struct BlockResource : mlir::SideEffects::Resource::Base<BlockResource> {
  llvm::StringRef getName() final { return "tile.block"; }
};

} // namespace pypto::tile

#endif
