// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_INTERFACES_EXTENTTYPEINTERFACE_TD
#define PYPTO_INTERFACES_EXTENTTYPEINTERFACE_TD

include "mlir/IR/OpBase.td"

def ExtentTypeInterface : TypeInterface<"ExtentTypeInterface"> {
  let description = [{
    A shaped type whose extents are `#pl.extent` attributes: integers, `?`, or expressions over names.
    Tensors and tiles share what is written against it: broadcasting, symbol binding, compatibility.
  }];
  let cppNamespace = "::pypto::pl";
  let methods = [
    InterfaceMethod<"Physical extents, outermost first.",
      "::llvm::ArrayRef<::pypto::pl::ExtentAttr>", "getExtents">,
    InterfaceMethod<"Explicit valid extents; empty when everything is valid.",
      "::llvm::ArrayRef<::pypto::pl::ExtentAttr>", "getValid">,
    InterfaceMethod<"Type of one element.", "::mlir::Type", "getElementType">,
    InterfaceMethod<[{The same kind of type with these extents, valid extents (empty: all valid) and
      element type. Strides and layout are dropped, the memory space is kept.}],
      "::mlir::Type", "cloneWith", (ins "::llvm::ArrayRef<::pypto::pl::ExtentAttr>":$extents,
        "::llvm::ArrayRef<::pypto::pl::ExtentAttr>":$valid, "::mlir::Type":$elementType)>,
    InterfaceMethod<"Whether `cloneWith` may be called with this, and the reason why not.",
      "::llvm::LogicalResult", "verifyClone",
      (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError,
        "::llvm::ArrayRef<::pypto::pl::ExtentAttr>":$extents,
        "::llvm::ArrayRef<::pypto::pl::ExtentAttr>":$valid, "::mlir::Type":$elementType)>,
    InterfaceMethod<[{True if `other`, a type of the same kind, may be where this one is: equal layouts, memory
      spaces that are equal or of which one is not known yet.}],
      "bool", "isPlacementCompatible", (ins "::mlir::Type":$other)>,
  ];
}

#endif
