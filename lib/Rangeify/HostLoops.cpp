// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostLoops.h"
#include "pypto/Dialect/Orchestration/IR/OrchestrationOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::rangeify;
using orchestration::AccessMode;

func::CallOp pypto::rangeify::getOutlinedBody(scf::ForOp loop) {
  Block *body = loop.getBody();
  auto call = dyn_cast<func::CallOp>(body->front());
  bool isOutlined = call && call->getNextNode() == body->getTerminator() &&
                    call.getResults() == body->getTerminator()->getOperands();
  return isOutlined ? call : func::CallOp();
}

LoopInputs pypto::rangeify::getLoopInputs(scf::ForOp loop) {
  LoopInputs inputs;
  llvm::append_range(inputs.tensors, loop.getInitArgs());
  inputs.scalars = {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  for (Value operand : getOutlinedBody(loop).getOperands()) {
    if (operand.getParentBlock() == loop.getBody())
      continue;
    bool isTensor = isa<RankedTensorType>(operand.getType());
    (isTensor ? inputs.tensors : inputs.scalars).push_back(operand);
  }
  return inputs;
}

static MemRefType getMemRefType(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return MemRefType::get(type.getShape(), type.getElementType());
}

/// A kernel that copies a buffer of this type.
static func::FuncOp createCopy(OpBuilder &b, Location loc, StringRef name, MemRefType type) {
  auto kernel = func::FuncOp::create(b, loc, name, b.getFunctionType({type, type}, {}));
  kernel.setPrivate();
  for (unsigned index : {0u, 1u}) {
    kernel.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
    kernel.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(64));
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(kernel.addEntryBlock());
  memref::CopyOp::create(b, loc, kernel.getArgument(1), kernel.getArgument(0));
  func::ReturnOp::create(b, loc);
  return kernel;
}

static void launch(OpBuilder &b, Location loc, func::FuncOp callee, ArrayRef<Value> arguments,
                   unsigned numWritten) {
  SmallVector<int32_t> modes;
  for (auto [index, argument] : llvm::enumerate(arguments))
    if (isa<MemRefType>(argument.getType()))
      modes.push_back(
          static_cast<int32_t>(index < numWritten ? AccessMode::Write : AccessMode::Read));
  orchestration::LaunchOp::create(b, loc, b.getI64Type(), callee.getName(), arguments,
                                  /*after=*/ValueRange(), /*blocks=*/Value(),
                                  b.getDenseI32ArrayAttr(modes), /*in_order=*/false);
}

/// True if the number of iterations is odd.
static Value createIsOdd(OpBuilder &b, Location loc, ValueRange bounds) {
  AffineExpr low = b.getAffineSymbolExpr(0), high = b.getAffineSymbolExpr(1),
             step = b.getAffineSymbolExpr(2);
  Value count = affine::AffineApplyOp::create(
      b, loc, AffineMap::get(0, 3, (high - low).ceilDiv(step)), bounds);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  count = arith::MaxSIOp::create(b, loc, count, zero);
  Value rest =
      affine::AffineApplyOp::create(b, loc, AffineMap::get(1, 0, b.getAffineDimExpr(0) % 2), count);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, rest, zero);
}

func::FuncOp pypto::rangeify::createHostLoop(scf::ForOp loop, func::FuncOp body) {
  Location loc = loop.getLoc();
  OpBuilder b(body.getContext());
  b.setInsertionPointAfter(body);
  unsigned numCarried = loop.getNumResults();
  LoopInputs inputs = getLoopInputs(loop);
  SmallVector<Type> types;
  for (Type type : loop.getResultTypes())
    types.push_back(getMemRefType(type));
  for (Value tensor : inputs.tensors)
    types.push_back(getMemRefType(tensor.getType()));
  for (Value scalar : inputs.scalars)
    types.push_back(scalar.getType());
  std::string name = body.getName().str();
  SmallVector<func::FuncOp> copies;
  for (unsigned i = 0; i < numCarried; ++i)
    copies.push_back(
        createCopy(b, loc, name + "_begin_" + std::to_string(i), cast<MemRefType>(types[i])));
  auto host = func::FuncOp::create(b, loc, name + "_host", b.getFunctionType(types, {}));
  host.setPrivate();
  Block *entry = host.addEntryBlock();
  b.setInsertionPointToStart(entry);
  auto outputs = entry->getArguments().take_front(numCarried);
  auto tensors = entry->getArguments().slice(numCarried, inputs.tensors.size());
  auto scalars = entry->getArguments().take_back(inputs.scalars.size());

  // Two buffers take turns. The last iteration writes to the result.
  Value isOdd = createIsOdd(b, loc, scalars.take_front(3));
  SmallVector<Value> others, current, next;
  for (auto [i, output] : llvm::enumerate(outputs)) {
    Value other = memref::AllocOp::create(b, loc, cast<MemRefType>(output.getType()));
    others.push_back(other);
    current.push_back(arith::SelectOp::create(b, loc, isOdd, other, output));
    next.push_back(arith::SelectOp::create(b, loc, isOdd, output, other));
    launch(b, loc, copies[i], {current.back(), tensors[i]}, 1);
  }
  orchestration::AwaitOp::create(b, loc, ValueRange());
  SmallVector<Value> carried(current);
  llvm::append_range(carried, next);
  scf::ForOp::create(b, loc, scalars[0], scalars[1], scalars[2], carried,
                     [&](OpBuilder &inner, Location, Value iteration, ValueRange buffers) {
                       SmallVector<Value> arguments(buffers.drop_front(numCarried));
                       llvm::append_range(arguments, buffers.take_front(numCarried));
                       llvm::append_range(arguments, tensors.drop_front(numCarried));
                       llvm::append_range(arguments, scalars.drop_front(3));
                       arguments.push_back(iteration);
                       launch(inner, loc, body, arguments, numCarried);
                       orchestration::AwaitOp::create(inner, loc, ValueRange());
                       SmallVector<Value> swapped(buffers.drop_front(numCarried));
                       llvm::append_range(swapped, buffers.take_front(numCarried));
                       scf::YieldOp::create(inner, loc, swapped);
                     });
  for (Value other : others)
    memref::DeallocOp::create(b, loc, other);
  func::ReturnOp::create(b, loc);
  return host;
}
