// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_DIALECT_PL_IR_PLBASE_TD
#define PYPTO_DIALECT_PL_IR_PLBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "pypto/Dialect/PL/IR/PLTypes.td"
include "pypto/Interfaces/AliasInterfaces.td"

class PL_Op<string mnemonic, list<Trait> traits = []> : Op<PL_Dialect, mnemonic, traits>;

def PL_ScalarType : Type<CPred<"::pypto::pl::isScalarType($_self)">, "scalar (integer, index or float)">;
def PL_AnyExtentType : Type<CPred<"::llvm::isa<::pypto::pl::ExtentTypeInterface>($_self)">, "tensor or tile">;
def PL_TensorOrScalar : AnyTypeOf<[PL_TensorType, PL_ScalarType]>;

/// Resources that effects are stated on.
def PL_CellResource : Resource<"::pypto::pl::CellResource">;
def PL_SymbolResource : Resource<"::pypto::pl::SymbolResource">;
def PL_TrapResource : Resource<"::pypto::pl::TrapResource">;

/// Moves only within the scope of the names that stand in its types.
class PL_PureOp<string mnemonic, list<Trait> traits = []>
    : PL_Op<mnemonic, traits # [NoMemoryEffect, DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  code symbolicSpeculatability = [{
    ::mlir::Speculation::Speculatability $cppClass::getSpeculatability() {
      return ::pypto::pl::getSymbolicSpeculatability(getOperation());
    }
  }];
  let extraClassDefinition = symbolicSpeculatability;
}

/// Body of `inferReturnTypes`: returns `call`, over `loc`, `adaptor` and `types`.
class PL_Infer<string call> {
  code body = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *, ::std::optional<::mlir::Location> loc,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return }] # call # [{;
    }
  }];
}

/// Reads its tensor operands and makes a new tensor: erasable when unused, never shared or hoisted.
class PL_ComputeOp<string mnemonic, list<Trait> traits = []> : PL_Op<mnemonic, traits> {
  let results = (outs Res<PL_TensorType, "", [MemAlloc, MemWrite]>:$result);
}

/// A compute operation whose result type follows from its operands.
class PL_InferredComputeOp<string mnemonic, list<Trait> traits = []>
    : PL_ComputeOp<mnemonic, traits # [InferTypeOpAdaptor]>;

#endif
