// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Transforms/Passes.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace pypto;

namespace pypto {
#define GEN_PASS_DEF_CONVERTPARALLELTORUNTIME
#include "pypto/Transforms/Passes.h.inc"
} // namespace pypto

static constexpr llvm::StringLiteral kParallelFor = "pyptoParallelFor";

namespace {
/// Takes the bodies of loops out of one module.
class Outliner {
public:
  explicit Outliner(ModuleOp module)
      : module(module), symbols(module), converter(module.getContext()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  void outline(scf::ParallelOp loop);

private:
  func::FuncOp createPart(scf::ParallelOp loop, ArrayRef<Value> captured, ArrayRef<Value> extents,
                          LLVM::LLVMStructType layout);
  LLVM::LLVMFuncOp getRuntimeFunction();
  Value cast(ImplicitLocOpBuilder &b, Value value, Type type) {
    if (value.getType() == type)
      return value;
    return UnrealizedConversionCastOp::create(b, type, value).getResult(0);
  }

  ModuleOp module;
  SymbolTable symbols;
  LLVMTypeConverter converter;
  Type pointer;
};
} // namespace

LLVM::LLVMFuncOp Outliner::getRuntimeFunction() {
  if (auto found = symbols.lookup<LLVM::LLVMFuncOp>(kParallelFor))
    return found;
  MLIRContext *context = module.getContext();
  auto b = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                          {pointer, pointer, IntegerType::get(context, 64)});
  auto function = LLVM::LLVMFuncOp::create(b, module.getLoc(), kParallelFor, type);
  symbols.insert(function);
  return function;
}

/// Makes the function of one iteration. `captured` begins with the lower bounds, steps and extents.
func::FuncOp Outliner::createPart(scf::ParallelOp loop, ArrayRef<Value> captured,
                                  ArrayRef<Value> extents, LLVM::LLVMStructType layout) {
  auto parent = loop->getParentOfType<func::FuncOp>();
  ImplicitLocOpBuilder b(loop.getLoc(), module.getContext());
  std::string name = (parent.getName() + "_part").str();
  auto part =
      func::FuncOp::create(loop.getLoc(), name, b.getFunctionType({pointer, b.getI64Type()}, {}));
  part.setPrivate();
  symbols.insert(part, std::next(Block::iterator(parent)));
  b.setInsertionPointToStart(part.addEntryBlock());
  IRMapping mapping;
  for (auto [index, value] : llvm::enumerate(captured)) {
    Value slot = LLVM::GEPOp::create(b, pointer, layout, part.getArgument(0),
                                     ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
    Value field = LLVM::LoadOp::create(b, layout.getBody()[index], slot);
    mapping.map(value, cast(b, field, value.getType()));
  }
  // The last dimension runs fastest.
  Value rest = arith::IndexCastOp::create(b, b.getIndexType(), part.getArgument(1));
  for (size_t dim = extents.size(); dim-- != 0;) {
    Value extent = mapping.lookup(extents[dim]), number = rest;
    if (dim != 0) {
      number = arith::RemUIOp::create(b, rest, extent);
      rest = arith::DivUIOp::create(b, rest, extent);
    }
    Value scaled = arith::MulIOp::create(b, number, mapping.lookup(loop.getStep()[dim]));
    mapping.map(loop.getInductionVars()[dim],
                arith::AddIOp::create(b, mapping.lookup(loop.getLowerBound()[dim]), scaled));
  }
  for (Operation &op : loop.getBody()->without_terminator())
    b.clone(op, mapping);
  func::ReturnOp::create(b);
  return part;
}

void Outliner::outline(scf::ParallelOp loop) {
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  SmallVector<Value> extents;
  Value count = arith::ConstantIndexOp::create(b, 1);
  for (auto [lower, upper, step] :
       llvm::zip_equal(loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    // No iteration where the upper bound is not above the lower one.
    Value distance = arith::SubIOp::create(b, arith::MaxSIOp::create(b, lower, upper), lower);
    extents.push_back(arith::CeilDivUIOp::create(b, distance, step));
    count = arith::MulIOp::create(b, count, extents.back());
  }
  llvm::SetVector<Value> used;
  used.insert_range(loop.getLowerBound());
  used.insert_range(loop.getStep());
  used.insert_range(extents);
  getUsedValuesDefinedAbove(loop.getRegion(), used);
  SmallVector<Value> captured = used.takeVector();
  SmallVector<Type> fields;
  for (Value value : captured)
    fields.push_back(converter.convertType(value.getType()));
  auto layout = LLVM::LLVMStructType::getLiteral(b.getContext(), fields);
  func::FuncOp part = createPart(loop, captured, extents, layout);

  LLVM::LLVMFuncOp parallelFor = getRuntimeFunction();
  Value payload;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&loop->getParentOfType<func::FuncOp>().front());
    Value one = LLVM::ConstantOp::create(b, b.getI64Type(), b.getI64IntegerAttr(1));
    payload = LLVM::AllocaOp::create(b, pointer, layout, one);
  }
  for (auto [index, value] : llvm::enumerate(captured)) {
    Value slot = LLVM::GEPOp::create(b, pointer, layout, payload,
                                     ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
    LLVM::StoreOp::create(b, cast(b, value, fields[index]), slot);
  }
  Value body = func::ConstantOp::create(b, part.getFunctionType(), part.getName());
  Value number = arith::IndexCastOp::create(b, b.getI64Type(), count);
  LLVM::CallOp::create(b, parallelFor, ValueRange{cast(b, body, pointer), payload, number});
  loop.erase();
}

namespace {
struct ConvertParallelToRuntimePass
    : pypto::impl::ConvertParallelToRuntimeBase<ConvertParallelToRuntimePass> {
  void runOnModule() override {
    SmallVector<scf::ParallelOp> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](scf::ParallelOp loop) {
      if (loop.getNumResults() != 0 || !loop->getParentOfType<func::FuncOp>())
        return WalkResult::advance();
      loops.push_back(loop);
      return WalkResult::skip();
    });
    Outliner outliner(getOperation());
    for (scf::ParallelOp loop : loops)
      outliner.outline(loop);
  }
};
} // namespace
