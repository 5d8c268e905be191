// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: pypto-capi-test 2>&1 | FileCheck %s

// A C program that has nothing but the C headers and libPypto.so: it registers the dialects and
// passes, builds types, is told about the ones that are not allowed, parses a program and runs
// passes on it.

#include "pypto-c/Dialects.h"
#include "pypto-c/Passes.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#include <stdio.h>

static MlirStringRef text(const char *string) { return mlirStringRefCreateFromCString(string); }

static void print(MlirStringRef part, void *userData) {
  fwrite(part.data, 1, part.length, (FILE *)userData);
}

static void printAttribute(const char *what, MlirAttribute attribute) {
  printf("%s: ", what);
  mlirAttributePrint(attribute, print, stdout);
  printf("\n");
}

static void printType(const char *what, MlirType type) {
  printf("%s: ", what);
  mlirTypePrint(type, print, stdout);
  printf("\n");
}

static MlirLogicalResult printDiagnostic(MlirDiagnostic diagnostic, void *userData) {
  printf("diagnostic: ");
  mlirDiagnosticPrint(diagnostic, print, stdout);
  printf("\n");
  return mlirLogicalResultSuccess();
}

static void testExtents(MlirContext context) {
  MlirAttribute n = pyptoExtentGetSymbol(context, text("N"));
  MlirAttribute two = pyptoExtentGetConstant(context, 2);
  MlirAttribute product = pyptoExtentGetBinary(PyptoExtentMul, two, n);
  // CHECK: product: #pl.extent<N * 2>
  printAttribute("product", product);
  // CHECK: difference: #pl.extent<0>
  printAttribute("difference", pyptoExtentGetBinary(PyptoExtentSub, n, n));
  // CHECK: quotient: #pl.extent<N floordiv 2>
  printAttribute("quotient", pyptoExtentGetBinary(PyptoExtentFloorDiv, n, two));
  // CHECK: tiles: #pl.extent<N ceildiv 2>
  printAttribute("tiles", pyptoExtentGetBinary(PyptoExtentCeilDiv, n, two));
  // CHECK: rest: #pl.extent<N mod 2>
  printAttribute("rest", pyptoExtentGetBinary(PyptoExtentMod, n, two));
  // CHECK: sum: #pl.extent<?>
  printAttribute("sum", pyptoExtentGetBinary(PyptoExtentAdd, n, pyptoExtentGetDynamic(context)));
  MlirStringRef name = pyptoExtentGetSymbolName(product, 0);
  // CHECK: symbols: 1 N constant: 0 dynamic: 0 value: 2
  printf("symbols: %d %.*s constant: %d dynamic: %d value: %d\n",
         (int)pyptoExtentGetNumSymbols(product), (int)name.length, name.data,
         pyptoExtentIsConstant(product), pyptoExtentIsDynamic(product),
         (int)pyptoExtentGetValue(two));
  // CHECK: extents: 1 0
  printf("extents: %d %d\n", pyptoAttributeIsAExtent(n),
         pyptoAttributeIsAExtent(mlirStringAttrGet(context, text("N"))));
}

static void testTensors(MlirContext context, MlirLocation location) {
  MlirAttribute extents[2] = {pyptoExtentGetSymbol(context, text("N")),
                              pyptoExtentGetConstant(context, 8)};
  MlirAttribute valid[2] = {pyptoExtentGetDynamic(context), pyptoExtentGetConstant(context, 8)};
  MlirType f32 = mlirF32TypeGet(context);
  MlirType plain = pyptoTensorTypeGetChecked(location, 2, extents, f32);
  // CHECK: plain: !pl.tensor<[N, 8], f32>
  printType("plain", plain);
  MlirType padded = pyptoTensorTypeGetWithLayoutChecked(location, 2, extents, f32, valid, NULL,
                                                        PyptoLayoutDN, PyptoPadZero);
  // CHECK: padded: !pl.tensor<[N, 8], f32, valid = [?, 8], layout = dn, pad = zero>
  printType("padded", padded);
  // CHECK: rank: 2 strides: 0 layout: 1 pad: 1 tensor: 1 tile: 0
  printf("rank: %d strides: %d layout: %d pad: %d tensor: %d tile: %d\n",
         (int)pyptoTypeGetRank(padded), pyptoTensorTypeHasStrides(padded),
         pyptoTensorTypeGetLayout(padded), pyptoTensorTypeGetPad(padded),
         pyptoTypeIsATensor(padded), pyptoTypeIsATile(padded));
  // CHECK: extent: #pl.extent<N>
  printAttribute("extent", pyptoTypeGetExtent(padded, 0));
  // CHECK: valid: #pl.extent<?>
  printAttribute("valid", pyptoTypeGetValidExtent(padded, 0));
  // CHECK: implicit: #pl.extent<N>
  printAttribute("implicit", pyptoTypeGetValidExtent(plain, 0));
  MlirType strided = pyptoTensorTypeGetWithLayoutChecked(location, 2, extents, f32, NULL, extents,
                                                         PyptoLayoutND, PyptoPadNull);
  // CHECK: stride: #pl.extent<8>
  printAttribute("stride", pyptoTensorTypeGetStride(strided, 1));
  // CHECK: diagnostic: {{.*}}element type
  // CHECK: refused: 1
  MlirType refused = pyptoTensorTypeGetChecked(location, 2, extents, mlirNoneTypeGet(context));
  printf("refused: %d\n", mlirTypeIsNull(refused));
}

static void testOtherTypes(MlirContext context, MlirLocation location) {
  MlirAttribute extents[1] = {pyptoExtentGetConstant(context, 64)};
  MlirAttribute valid[1] = {pyptoExtentGetDynamic(context)};
  MlirType f32 = mlirF32TypeGet(context), index = mlirIndexTypeGet(context);
  MlirType tile = pyptoTileTypeGetChecked(location, 1, extents, f32, PyptoMemorySpaceVec, valid);
  // CHECK: tile: !tile.tile<[64], f32, vec, valid = [?]>
  printType("tile", tile);
  // CHECK: space: 1 element: 1 has extents: 1 0
  printf("space: %d element: %d has extents: %d %d\n", pyptoTileTypeGetMemorySpace(tile),
         mlirTypeEqual(pyptoTypeGetElementType(tile), f32), pyptoTypeHasExtents(tile),
         pyptoTypeHasExtents(f32));
  MlirType var = pyptoVarTypeGetChecked(location, index);
  // CHECK: var: !pl.var<index>
  printType("var", var);
  MlirType array = pyptoArrayTypeGetChecked(location, 8, index);
  // CHECK: array: !pl.array<8{{ ?}}x{{ ?}}index>
  printType("array", array);
  MlirType task = pyptoTaskTypeGet(context);
  // CHECK: task: !orchestration.task
  printType("task", task);
  // CHECK: is: 1 1 1 1 size: 8 same: 1 1
  printf("is: %d %d %d %d size: %d same: %d %d\n", pyptoTypeIsATile(tile), pyptoTypeIsAVar(var),
         pyptoTypeIsAnArray(array), pyptoTypeIsATask(task), (int)pyptoArrayTypeGetSize(array),
         mlirTypeEqual(pyptoVarTypeGetValueType(var), index),
         mlirTypeEqual(pyptoArrayTypeGetElementType(array), index));
  // CHECK: type ids: 1 1 1 1 1
  MlirType tensor = pyptoTensorTypeGetChecked(location, 1, extents, f32);
  printf("type ids: %d %d %d %d %d\n",
         mlirTypeIDEqual(mlirTypeGetTypeID(tensor), pyptoTensorTypeGetTypeID()),
         mlirTypeIDEqual(mlirTypeGetTypeID(tile), pyptoTileTypeGetTypeID()),
         mlirTypeIDEqual(mlirTypeGetTypeID(var), pyptoVarTypeGetTypeID()),
         mlirTypeIDEqual(mlirTypeGetTypeID(array), pyptoArrayTypeGetTypeID()),
         mlirTypeIDEqual(mlirTypeGetTypeID(task), pyptoTaskTypeGetTypeID()));
}

static const char *const program = "pl.func @double(%x: index) -> index {\n"
                                   "  %0 = arith.addi %x, %x : index\n"
                                   "  pl.return %0 : index\n"
                                   "}\n"
                                   "pl.func @main(%x: index) -> index {\n"
                                   "  %0 = pl.call @double(%x) : (index) -> index\n"
                                   "  pl.return %0 : index\n"
                                   "}\n";

static void testPasses(MlirContext context) {
  MlirModule module = mlirModuleCreateParse(context, text(program));
  MlirPassManager made = mlirPassManagerCreate(context);
  mlirPassManagerAddOwnedPass(made, mlirCreatePyptoPLInlineFunctions());
  mlirPassManagerAddOwnedPass(made, mlirCreatePyptoPLNormalizeReturnOrder());
  // CHECK: made: 1
  printf("made: %d\n",
         mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(made, mlirModuleGetOperation(module))));
  // CHECK: pl.func @main
  mlirOperationPrint(mlirModuleGetOperation(module), print, stdout);
  mlirPassManagerDestroy(made);

  pyptoRegisterAllPasses();
  MlirPassManager parsed = mlirPassManagerCreate(context);
  MlirLogicalResult result = mlirParsePassPipeline(
      mlirPassManagerGetAsOpPassManager(parsed),
      text("builtin.module(inline-functions,convert-to-ssa,normalize-return-order)"), print,
      stdout);
  // CHECK: parsed: 1 1
  printf("parsed: %d", mlirLogicalResultIsSuccess(result));
  printf(" %d\n", mlirLogicalResultIsSuccess(
                      mlirPassManagerRunOnOp(parsed, mlirModuleGetOperation(module))));
  mlirPassManagerDestroy(parsed);
  mlirModuleDestroy(module);
}

int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  pyptoRegisterAllDialects(registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__arith__(), registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(context, printDiagnostic, NULL, NULL);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__pl__(), context);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__tile__(), context);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__orchestration__(), context);
  MlirLocation location = mlirLocationUnknownGet(context);
  testExtents(context);
  testTensors(context, location);
  testOtherTypes(context, location);
  testPasses(context);
  mlirContextDestroy(context);
  return 0;
}
