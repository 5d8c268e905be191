// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_TILE_IR_TILEBASE_TD
#define PYPTO_DIALECT_TILE_IR_TILEBASE_TD

include "pypto/Dialect/Tile/IR/TileTypes.td"

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

def Tile_TileOrScalar : AnyTypeOf<[Tile_TileType, PL_ScalarType]>;

/// One resource per unit that synchronises; an operation on it is never erased, merged or reordered.
def Tile_SyncResource : Resource<"::pypto::tile::SyncResource">;
def Tile_PipeResource : Resource<"::pypto::tile::PipeResource">;
/// Which block of a launch runs: the same within one, but not over the edge of one.
def Tile_BlockResource : Resource<"::pypto::tile::BlockResource">;

/// No effects; moves within the scope of the names in its types.
class Tile_PureOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, traits # [NoMemoryEffect, DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  code symbolicSpeculatability = [{
    ::mlir::Speculation::Speculatability $cppClass::getSpeculatability() {
      return ::pypto::pl::getSymbolicSpeculatability(getOperation());
    }
  }];
  let extraClassDefinition = symbolicSpeculatability;
}

/// Undefined where an operand is out of range, so it moves only if every such operand is a constant (which the
/// verifier has checked), and within the scope of the names in its types.
class Tile_RangedOp<string mnemonic, string dynamic, list<Trait> traits = []> : Tile_PureOp<mnemonic, traits> {
  code rangedSpeculatability = [{
    ::mlir::Speculation::Speculatability $cppClass::getSpeculatability() {
      return }] # dynamic # [{.empty() ? ::pypto::pl::getSymbolicSpeculatability(getOperation())
                              : ::mlir::Speculation::NotSpeculatable;
    }
  }];
  let extraClassDefinition = rangedSpeculatability;
}

/// A pure operation whose result type follows from its operands.
class Tile_InferredOp<string mnemonic, list<Trait> traits = []>
    : Tile_PureOp<mnemonic, traits # [InferTypeOpAdaptor]> {
  let results = (outs Tile_TileType:$result);
}

#endif
