// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dialect handles and extents in C; types are in Types.cpp.
#include "pypto-c/Dialects.h"

#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"
#include "pypto/Dialect/PL/IR/PLOps.h"
#include "pypto/Dialect/Tile/IR/TileOps.h"
#include "pypto/InitAll.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;
using namespace pypto;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(PL, pl, pypto::pl::PLDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Tile, tile, pypto::tile::TileDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Orchestration, orchestration,
                                      pypto::orchestration::OrchestrationDialect)

void pyptoRegisterAllDialects(MlirDialectRegistry registry) {
  registerAllDialects(*unwrap(registry));
}

static pl::ExtentAttr toExtent(MlirAttribute attribute) {
  return cast<pl::ExtentAttr>(unwrap(attribute));
}

bool pyptoAttributeIsAExtent(MlirAttribute attribute) {
  return isa<pl::ExtentAttr>(unwrap(attribute));
}

MlirTypeID pyptoExtentAttrGetTypeID(void) { return wrap(pl::ExtentAttr::getTypeID()); }

MlirAttribute pyptoExtentGetConstant(MlirContext context, int64_t value) {
  return wrap(pl::ExtentAttr::get(unwrap(context), value));
}

MlirAttribute pyptoExtentGetDynamic(MlirContext context) {
  return wrap(pl::ExtentAttr::getDynamic(unwrap(context)));
}

MlirAttribute pyptoExtentGetSymbol(MlirContext context, MlirStringRef name) {
  return wrap(pl::ExtentAttr::getSymbol(StringAttr::get(unwrap(context), unwrap(name))));
}

MlirAttribute pyptoExtentGetBinary(PyptoExtentOperator kind, MlirAttribute lhs, MlirAttribute rhs) {
  pl::ExtentAttr left = toExtent(lhs), right = toExtent(rhs);
  switch (kind) {
  case PyptoExtentAdd:
    return wrap(left + right);
  case PyptoExtentSub:
    return wrap(left - right);
  case PyptoExtentMul:
    return wrap(left * right);
  case PyptoExtentFloorDiv:
    return wrap(pl::ExtentAttr::getBinary(AffineExprKind::FloorDiv, left, right));
  case PyptoExtentCeilDiv:
    return wrap(pl::ExtentAttr::getBinary(AffineExprKind::CeilDiv, left, right));
  case PyptoExtentMod:
    return wrap(pl::ExtentAttr::getBinary(AffineExprKind::Mod, left, right));
  }
  llvm_unreachable("unknown operator");
}

bool pyptoExtentIsDynamic(MlirAttribute extent) { return toExtent(extent).isDynamic(); }

bool pyptoExtentIsConstant(MlirAttribute extent) { return toExtent(extent).isConstant(); }

int64_t pyptoExtentGetValue(MlirAttribute extent) { return toExtent(extent).getConstant(); }

intptr_t pyptoExtentGetNumSymbols(MlirAttribute extent) {
  return toExtent(extent).getSymbols().size();
}

MlirStringRef pyptoExtentGetSymbolName(MlirAttribute extent, intptr_t index) {
  return wrap(toExtent(extent).getSymbols()[index].getValue());
}
