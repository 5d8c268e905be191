// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto-c/Dialects.h"

#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"
#include "pypto/Dialect/PL/IR/PLOps.h"
#include "pypto/Dialect/Tile/IR/TileOps.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;
using namespace pypto;

// The enums of C are those of the dialects.
#define CHECK_ENUM(C, CPP) static_assert(static_cast<int>(C) == static_cast<int>(CPP))
CHECK_ENUM(PyptoLayoutND, pl::Layout::ND);
CHECK_ENUM(PyptoLayoutDN, pl::Layout::DN);
CHECK_ENUM(PyptoLayoutNZ, pl::Layout::NZ);
CHECK_ENUM(PyptoPadNull, pl::Pad::Null);
CHECK_ENUM(PyptoPadZero, pl::Pad::Zero);
CHECK_ENUM(PyptoPadMax, pl::Pad::Max);
CHECK_ENUM(PyptoPadMin, pl::Pad::Min);
CHECK_ENUM(PyptoMemorySpaceAny, tile::MemorySpace::Any);
CHECK_ENUM(PyptoMemorySpaceVec, tile::MemorySpace::Vec);
CHECK_ENUM(PyptoMemorySpaceMat, tile::MemorySpace::Mat);
CHECK_ENUM(PyptoMemorySpaceLeft, tile::MemorySpace::Left);
CHECK_ENUM(PyptoMemorySpaceRight, tile::MemorySpace::Right);
CHECK_ENUM(PyptoMemorySpaceAcc, tile::MemorySpace::Acc);
CHECK_ENUM(PyptoMemorySpaceBias, tile::MemorySpace::Bias);
#undef CHECK_ENUM

template <typename T> static T to(MlirType type) { return cast<T>(unwrap(type)); }

/// The extents of an array of `rank` attributes; none if the array is null.
static SmallVector<pl::ExtentAttr> toExtents(intptr_t rank, MlirAttribute const *extents) {
  SmallVector<pl::ExtentAttr> result;
  for (intptr_t i = 0; extents && i < rank; ++i)
    result.push_back(cast<pl::ExtentAttr>(unwrap(extents[i])));
  return result;
}

/// `T::getChecked` with the errors reported at `location`. The arguments have exactly the types
/// that the type's own builder takes, which is the one that normalises.
template <typename T, typename... Args>
static MlirType getChecked(MlirLocation location, Args... args) {
  Location loc = unwrap(location);
  return wrap(T::getChecked([loc] { return mlir::emitError(loc); }, loc.getContext(), args...));
}

bool pyptoTypeHasExtents(MlirType type) { return isa<pl::ExtentTypeInterface>(unwrap(type)); }

intptr_t pyptoTypeGetRank(MlirType type) {
  return to<pl::ExtentTypeInterface>(type).getExtents().size();
}

MlirAttribute pyptoTypeGetExtent(MlirType type, intptr_t dimension) {
  return wrap(to<pl::ExtentTypeInterface>(type).getExtents()[dimension]);
}

MlirAttribute pyptoTypeGetValidExtent(MlirType type, intptr_t dimension) {
  auto shaped = to<pl::ExtentTypeInterface>(type);
  ArrayRef<pl::ExtentAttr> valid = shaped.getValid();
  return wrap(valid.empty() ? shaped.getExtents()[dimension] : valid[dimension]);
}

MlirType pyptoTypeGetElementType(MlirType type) {
  return wrap(to<pl::ExtentTypeInterface>(type).getElementType());
}

bool pyptoTypeIsATensor(MlirType type) { return isa<pl::TensorType>(unwrap(type)); }

MlirTypeID pyptoTensorTypeGetTypeID(void) { return wrap(pl::TensorType::getTypeID()); }

MlirType pyptoTensorTypeGetChecked(MlirLocation location, intptr_t rank,
                                   MlirAttribute const *extents, MlirType elementType) {
  return pyptoTensorTypeGetWithLayoutChecked(location, rank, extents, elementType, nullptr, nullptr,
                                             PyptoLayoutND, PyptoPadNull);
}

MlirType pyptoTensorTypeGetWithLayoutChecked(MlirLocation location, intptr_t rank,
                                             MlirAttribute const *extents, MlirType elementType,
                                             MlirAttribute const *valid,
                                             MlirAttribute const *strides, PyptoLayout layout,
                                             PyptoPad pad) {
  using Extents = ArrayRef<pl::ExtentAttr>;
  return getChecked<pl::TensorType, Extents, Type, Extents, Extents>(
      location, toExtents(rank, extents), unwrap(elementType), toExtents(rank, valid),
      toExtents(rank, strides), static_cast<pl::Layout>(layout), static_cast<pl::Pad>(pad));
}

bool pyptoTensorTypeHasStrides(MlirType type) {
  return !to<pl::TensorType>(type).getStrides().empty();
}

MlirAttribute pyptoTensorTypeGetStride(MlirType type, intptr_t dimension) {
  return wrap(to<pl::TensorType>(type).getStrides()[dimension]);
}

PyptoLayout pyptoTensorTypeGetLayout(MlirType type) {
  return static_cast<PyptoLayout>(to<pl::TensorType>(type).getLayout());
}

PyptoPad pyptoTensorTypeGetPad(MlirType type) {
  return static_cast<PyptoPad>(to<pl::TensorType>(type).getPad());
}

bool pyptoTypeIsATile(MlirType type) { return isa<tile::TileType>(unwrap(type)); }

MlirTypeID pyptoTileTypeGetTypeID(void) { return wrap(tile::TileType::getTypeID()); }

MlirType pyptoTileTypeGetChecked(MlirLocation location, intptr_t rank, MlirAttribute const *extents,
                                 MlirType elementType, PyptoMemorySpace space,
                                 MlirAttribute const *valid) {
  using Extents = ArrayRef<pl::ExtentAttr>;
  return getChecked<tile::TileType, Extents, Type, tile::MemorySpace, Extents>(
      location, toExtents(rank, extents), unwrap(elementType),
      static_cast<tile::MemorySpace>(space), toExtents(rank, valid));
}

PyptoMemorySpace pyptoTileTypeGetMemorySpace(MlirType type) {
  return static_cast<PyptoMemorySpace>(to<tile::TileType>(type).getSpace());
}

bool pyptoTypeIsAVar(MlirType type) { return isa<pl::VarType>(unwrap(type)); }

MlirTypeID pyptoVarTypeGetTypeID(void) { return wrap(pl::VarType::getTypeID()); }

MlirType pyptoVarTypeGetChecked(MlirLocation location, MlirType valueType) {
  return getChecked<pl::VarType>(location, unwrap(valueType));
}

MlirType pyptoVarTypeGetValueType(MlirType type) {
  return wrap(to<pl::VarType>(type).getValueType());
}

bool pyptoTypeIsAnArray(MlirType type) { return isa<pl::ArrayType>(unwrap(type)); }

MlirTypeID pyptoArrayTypeGetTypeID(void) { return wrap(pl::ArrayType::getTypeID()); }

MlirType pyptoArrayTypeGetChecked(MlirLocation location, int64_t size, MlirType elementType) {
  return getChecked<pl::ArrayType>(location, size, unwrap(elementType));
}

int64_t pyptoArrayTypeGetSize(MlirType type) { return to<pl::ArrayType>(type).getSize(); }

MlirType pyptoArrayTypeGetElementType(MlirType type) {
  return wrap(to<pl::ArrayType>(type).getElementType());
}

bool pyptoTypeIsATask(MlirType type) { return isa<orchestration::TaskType>(unwrap(type)); }

MlirTypeID pyptoTaskTypeGetTypeID(void) { return wrap(orchestration::TaskType::getTypeID()); }

MlirType pyptoTaskTypeGet(MlirContext context) {
  return wrap(orchestration::TaskType::get(unwrap(context)));
}
