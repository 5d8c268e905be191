// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `pl` dialect: registration, constants, attributes on foreign operations.
#include "pypto/Dialect/PL/IR/PLOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

#include "pypto/Dialect/PL/IR/PLDialect.cpp.inc"
#include "pypto/Dialect/PL/IR/PLEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "pypto/Dialect/PL/IR/PLAttrs.cpp.inc"

namespace {
/// Upstream's inliner knows neither cells nor symbols: `--inline-functions` inlines functions of
/// `pl`.
struct RefuseInlining : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Operation *, bool) const final { return false; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return false; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return false; }
};
} // namespace

void PLDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "pypto/Dialect/PL/IR/PLAttrs.cpp.inc"
      >();
  registerTypes();
  registerOps();
  addInterfaces<RefuseInlining>();
}

void PLDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "pypto/Dialect/PL/IR/PLOps.cpp.inc"
      >();
}

Operation *PLDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                          Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

/// A permutation of the results of a `pl.func`.
static LogicalResult verifyReturnPermutation(Operation *op, NamedAttribute attribute) {
  auto func = dyn_cast<FuncOp>(op);
  auto permutation = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
  if (!func || !permutation)
    return op->emitOpError() << "expects '" << attribute.getName().getValue()
                             << "' as an array of i64 on 'pl.func' only";
  SmallVector<int64_t> sorted(permutation.asArrayRef());
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(func.getNumResults())))
    return op->emitOpError() << "expects '" << attribute.getName().getValue()
                             << "' to be a permutation of its " << func.getNumResults()
                             << " results, but got [" << permutation.asArrayRef() << "]";
  return success();
}

LogicalResult PLDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (name == kLoopAttrName) {
    if (!isa<scf::ForOp>(op))
      return op->emitOpError() << "expects '" << name << "' on 'scf.for' only";
    if (!isa<LoopAttr>(attribute.getValue()))
      return op->emitOpError() << "expects '" << name << "' to be a '#pl.loop', but got "
                               << attribute.getValue();
  }
  if (name == kNoAliasAttrName && (!isa<FuncOp>(op) || !isa<UnitAttr>(attribute.getValue())))
    return op->emitOpError() << "expects '" << name << "' as a unit attribute of 'pl.func' only";
  if (name == kReturnPermutationAttrName)
    return verifyReturnPermutation(op, attribute);
  return success();
}

LogicalResult LoopAttr::verify(function_ref<InFlightDiagnostic()> emitError, LoopKind kind,
                               int64_t stages) {
  if (kind == LoopKind::Pipeline ? stages < 1 : stages != 0)
    return emitError()
           << "C1: expects 'stages' of at least 1 on a pipeline and none elsewhere, but got "
           << stages;
  return success();
}
