// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_TILE_IR_TILETYPES_TD
#define PYPTO_DIALECT_TILE_IR_TILETYPES_TD

include "pypto/Dialect/Tile/IR/TileDialect.td"
include "pypto/Dialect/Tile/IR/TileEnums.td"

def Tile_MemorySpaceAttr : EnumAttr<Tile_Dialect, Tile_MemorySpace, "space">;
def Tile_PipeAttr : EnumAttr<Tile_Dialect, Tile_Pipe, "pipe">;
def Tile_NotifyKindAttr : EnumAttr<Tile_Dialect, Tile_NotifyKind, "notify">;

def Tile_TileType : TypeDef<Tile_Dialect, "Tile", [DeclareTypeInterfaceMethods<ExtentTypeInterface, ["cloneWith", "verifyClone", "isPlacementCompatible"]>]> {
  let mnemonic = "tile";
  let summary = "Tile in on-chip memory, a value";
  let description = [{
    `!tile.tile<[64, 64], f32, vec, valid = [?, 64]>`. The space is absent until it is known, the valid shape
    when everything is valid.

    - C1: the element type is one of a tensor;
    - C2: the valid shape has one entry per dimension, a constant one at most the constant extent;
    - C3: the physical extents are never `?`, and constants are positive.
  }];
  let parameters = (ins ArrayRefParameter<"::pypto::pl::ExtentAttr">:$extents, "::mlir::Type":$elementType,
    "::pypto::tile::MemorySpace":$space, ArrayRefParameter<"::pypto::pl::ExtentAttr">:$valid);
  let skipDefaultBuilders = 1;
  let builders = [
    TypeBuilder<(ins "::llvm::ArrayRef<::pypto::pl::ExtentAttr>":$extents, "::mlir::Type":$elementType,
      CArg<"::pypto::tile::MemorySpace", "::pypto::tile::MemorySpace::Any">:$space,
      CArg<"::llvm::ArrayRef<::pypto::pl::ExtentAttr>", "{}">:$valid)>,
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getExtents().size(); }
    /// Constants and ShapedType::kDynamic (symbols).
    ::llvm::SmallVector<int64_t> getShape() const;
    ::llvm::ArrayRef<::pypto::pl::ExtentAttr> getValidOrExtents() const {
      return getValid().empty() ? getExtents() : getValid();
    }
    TileType withSpace(::pypto::tile::MemorySpace space) const;
  }];
}

#endif
