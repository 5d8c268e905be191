// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NestRebuilding.h"
#include "pypto/Transforms/Schedule.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace pypto::rangeify;

bool pypto::rangeify::isInRangeForm(linalg::GenericOp nest) {
  return nest.hasPureTensorSemantics() &&
         llvm::all_of(nest.getRegionInputArgs(), [](BlockArgument a) { return a.use_empty(); }) &&
         llvm::none_of(nest.getStaticLoopRanges(), ShapedType::isDynamic);
}

/// Clones the ops of a block; loops are what `getLoop` says.
static void cloneBlock(OpBuilder &b, Block &block, IRMapping &mapping,
                       llvm::function_ref<Value(unsigned)> getLoop) {
  for (Operation &op : block) {
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      mapping.map(index.getResult(), getLoop(index.getDim()));
      continue;
    }
    b.clone(op, mapping);
  }
}

linalg::GenericOp
pypto::rangeify::rebuildNest(OpBuilder &b, linalg::GenericOp nest, const NestShape &shape,
                             llvm::function_ref<Value(OpBuilder &, unsigned)> getLoop) {
  Location loc = nest.getLoc();
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<int64_t> reductions;
  SmallVector<unsigned> dims;
  for (auto [dim, kind] : llvm::enumerate(shape.iterators))
    if (kind == utils::IteratorType::reduction) {
      dims.push_back(dim);
      reductions.push_back(shape.extents[dim]);
    }
  if (!dims.empty()) {
    inputs.push_back(tensor::EmptyOp::create(b, loc, reductions, b.getI8Type()));
    maps.push_back(
        AffineMap::getMultiDimIdentityMap(shape.iterators.size(), b.getContext()).getSubMap(dims));
  }
  llvm::append_range(maps, shape.initMaps);
  auto rebuilt = linalg::GenericOp::create(
      b, loc, TypeRange(ValueRange(shape.inits)), inputs, shape.inits, maps, shape.iterators,
      [&](OpBuilder &body, Location, ValueRange arguments) {
        IRMapping mapping;
        mapping.map(nest.getRegionOutputArgs(), arguments.drop_front(inputs.size()));
        DenseMap<unsigned, Value> loops;
        cloneBlock(body, *nest.getBody(), mapping, [&](unsigned loop) {
          Value &value = loops[loop];
          return value ? value : value = getLoop(body, loop);
        });
      });
  pypto::copySchedule(nest, rebuilt);
  return rebuilt;
}

SmallVector<ReassociationIndices> pypto::rangeify::pairWithNext(unsigned rank, unsigned position) {
  SmallVector<ReassociationIndices> groups;
  for (unsigned i = 0; i < rank; ++i) {
    if (i == position + 1)
      groups.back().push_back(i);
    else
      groups.push_back({i});
  }
  return groups;
}

void pypto::rangeify::replaceNest(OpBuilder &b, linalg::GenericOp nest, linalg::GenericOp rebuilt,
                                  ArrayRef<std::optional<unsigned>> positions) {
  for (auto [from, to, position] :
       llvm::zip_equal(nest.getResults(), rebuilt.getResults(), positions)) {
    Value replacement = to;
    if (position) {
      auto type = cast<RankedTensorType>(from.getType());
      int64_t rank = cast<RankedTensorType>(to.getType()).getRank();
      auto groups = pairWithNext(std::max(type.getRank(), rank), *position);
      if (type.getRank() > rank)
        replacement = tensor::ExpandShapeOp::create(b, nest.getLoc(), type, to, groups);
      else
        replacement = tensor::CollapseShapeOp::create(b, nest.getLoc(), type, to, groups);
    }
    from.replaceAllUsesWith(replacement);
  }
  nest.erase();
}

Value pypto::rangeify::skipReshapes(Value tensor) {
  while (Operation *op = tensor.getDefiningOp()) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      break;
    tensor = op->getOperand(0);
  }
  return tensor;
}
