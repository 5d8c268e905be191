/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The project's dialects, types and extents in C. Everything is exported by libPypto.so, beside the
 * part of MLIR's own C API that a program needs to go with it. Nothing is registered before it is
 * asked for. */
#ifndef PYPTO_C_DIALECTS_H
#define PYPTO_C_DIALECTS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(PL, pl);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tile, tile);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Orchestration, orchestration);

/* Adds the three dialects and the interfaces that they attach to foreign operations. */
MLIR_CAPI_EXPORTED void pyptoRegisterAllDialects(MlirDialectRegistry registry);

/*--- Extents: `#pl.extent<4>`, `#pl.extent<?>`, `#pl.extent<N * 2>`
 * ----------------------------------*/

typedef enum PyptoExtentOperator {
  PyptoExtentAdd,
  PyptoExtentSub,
  PyptoExtentMul,
  PyptoExtentFloorDiv,
  PyptoExtentCeilDiv,
  PyptoExtentMod,
} PyptoExtentOperator;

MLIR_CAPI_EXPORTED bool pyptoAttributeIsAExtent(MlirAttribute attribute);
MLIR_CAPI_EXPORTED MlirTypeID pyptoExtentAttrGetTypeID(void);
MLIR_CAPI_EXPORTED MlirAttribute pyptoExtentGetConstant(MlirContext context, int64_t value);
/* `?`: not known, and not known to equal any other extent. */
MLIR_CAPI_EXPORTED MlirAttribute pyptoExtentGetDynamic(MlirContext context);
MLIR_CAPI_EXPORTED MlirAttribute pyptoExtentGetSymbol(MlirContext context, MlirStringRef name);
/* The simplified expression; `?` if it is not known or does not fit 64 bits. */
MLIR_CAPI_EXPORTED MlirAttribute pyptoExtentGetBinary(PyptoExtentOperator kind, MlirAttribute lhs,
                                                      MlirAttribute rhs);
MLIR_CAPI_EXPORTED bool pyptoExtentIsDynamic(MlirAttribute extent);
MLIR_CAPI_EXPORTED bool pyptoExtentIsConstant(MlirAttribute extent);
/* The value of an extent for which pyptoExtentIsConstant holds. */
MLIR_CAPI_EXPORTED int64_t pyptoExtentGetValue(MlirAttribute extent);
/* The names that the expression uses, sorted. */
MLIR_CAPI_EXPORTED intptr_t pyptoExtentGetNumSymbols(MlirAttribute extent);
MLIR_CAPI_EXPORTED MlirStringRef pyptoExtentGetSymbolName(MlirAttribute extent, intptr_t index);

/*--- What tensors and tiles share
 * -------------------------------------------------------------------*/

/* True for tensors and tiles; the accessors below take either. */
MLIR_CAPI_EXPORTED bool pyptoTypeHasExtents(MlirType type);
MLIR_CAPI_EXPORTED intptr_t pyptoTypeGetRank(MlirType type);
MLIR_CAPI_EXPORTED MlirAttribute pyptoTypeGetExtent(MlirType type, intptr_t dimension);
/* The valid extent; the physical one where everything is valid. */
MLIR_CAPI_EXPORTED MlirAttribute pyptoTypeGetValidExtent(MlirType type, intptr_t dimension);
MLIR_CAPI_EXPORTED MlirType pyptoTypeGetElementType(MlirType type);

/*--- `!pl.tensor`
 * -----------------------------------------------------------------------------------*/

typedef enum PyptoLayout { PyptoLayoutND, PyptoLayoutDN, PyptoLayoutNZ } PyptoLayout;
typedef enum PyptoPad { PyptoPadNull, PyptoPadZero, PyptoPadMax, PyptoPadMin } PyptoPad;

MLIR_CAPI_EXPORTED bool pyptoTypeIsATensor(MlirType type);
MLIR_CAPI_EXPORTED MlirTypeID pyptoTensorTypeGetTypeID(void);
/* A tensor of which everything is valid, in row-major order. Reports an error at `location` and
 * returns a null type if the extents or the element type are not allowed. */
MLIR_CAPI_EXPORTED MlirType pyptoTensorTypeGetChecked(MlirLocation location, intptr_t rank,
                                                      MlirAttribute const *extents,
                                                      MlirType elementType);
/* The same with the optional parts. `valid` and `strides` have `rank` entries or are null. */
MLIR_CAPI_EXPORTED MlirType pyptoTensorTypeGetWithLayoutChecked(
    MlirLocation location, intptr_t rank, MlirAttribute const *extents, MlirType elementType,
    MlirAttribute const *valid, MlirAttribute const *strides, PyptoLayout layout, PyptoPad pad);
MLIR_CAPI_EXPORTED bool pyptoTensorTypeHasStrides(MlirType type);
MLIR_CAPI_EXPORTED MlirAttribute pyptoTensorTypeGetStride(MlirType type, intptr_t dimension);
MLIR_CAPI_EXPORTED PyptoLayout pyptoTensorTypeGetLayout(MlirType type);
MLIR_CAPI_EXPORTED PyptoPad pyptoTensorTypeGetPad(MlirType type);

/*--- `!tile.tile`
 * -----------------------------------------------------------------------------------*/

typedef enum PyptoMemorySpace {
  PyptoMemorySpaceAny,
  PyptoMemorySpaceVec,
  PyptoMemorySpaceMat,
  PyptoMemorySpaceLeft,
  PyptoMemorySpaceRight,
  PyptoMemorySpaceAcc,
  PyptoMemorySpaceBias,
} PyptoMemorySpace;

MLIR_CAPI_EXPORTED bool pyptoTypeIsATile(MlirType type);
MLIR_CAPI_EXPORTED MlirTypeID pyptoTileTypeGetTypeID(void);
/* `valid` has `rank` entries or is null. Fails as pyptoTensorTypeGetChecked does. */
MLIR_CAPI_EXPORTED MlirType pyptoTileTypeGetChecked(MlirLocation location, intptr_t rank,
                                                    MlirAttribute const *extents,
                                                    MlirType elementType, PyptoMemorySpace space,
                                                    MlirAttribute const *valid);
MLIR_CAPI_EXPORTED PyptoMemorySpace pyptoTileTypeGetMemorySpace(MlirType type);

/*--- `!pl.var`, `!pl.array`, `!orchestration.task`
 * --------------------------------------------------*/

MLIR_CAPI_EXPORTED bool pyptoTypeIsAVar(MlirType type);
MLIR_CAPI_EXPORTED MlirTypeID pyptoVarTypeGetTypeID(void);
MLIR_CAPI_EXPORTED MlirType pyptoVarTypeGetChecked(MlirLocation location, MlirType valueType);
MLIR_CAPI_EXPORTED MlirType pyptoVarTypeGetValueType(MlirType type);

MLIR_CAPI_EXPORTED bool pyptoTypeIsAnArray(MlirType type);
MLIR_CAPI_EXPORTED MlirTypeID pyptoArrayTypeGetTypeID(void);
MLIR_CAPI_EXPORTED MlirType pyptoArrayTypeGetChecked(MlirLocation location, int64_t size,
                                                     MlirType elementType);
MLIR_CAPI_EXPORTED int64_t pyptoArrayTypeGetSize(MlirType type);
MLIR_CAPI_EXPORTED MlirType pyptoArrayTypeGetElementType(MlirType type);

MLIR_CAPI_EXPORTED bool pyptoTypeIsATask(MlirType type);
MLIR_CAPI_EXPORTED MlirTypeID pyptoTaskTypeGetTypeID(void);
MLIR_CAPI_EXPORTED MlirType pyptoTaskTypeGet(MlirContext context);

#ifdef __cplusplus
}
#endif

#endif
