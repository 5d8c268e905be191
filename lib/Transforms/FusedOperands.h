// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands of an operation that is made of two.
#ifndef PYPTO_LIB_TRANSFORMS_FUSEDOPERANDS_H
#define PYPTO_LIB_TRANSFORMS_FUSEDOPERANDS_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/STLExtras.h"

namespace pypto {

struct FusedOperands {
  llvm::SmallVector<mlir::Value> inputs, outputs;
  llvm::SmallVector<mlir::AffineMap> inputMaps, outputMaps;

  /// The number of the input; one that is there already is not added again.
  unsigned addInput(mlir::Value value, mlir::AffineMap map) {
    for (auto [index, other] : llvm::enumerate(inputs))
      if (other == value && inputMaps[index] == map)
        return index;
    inputs.push_back(value);
    inputMaps.push_back(map);
    return inputs.size() - 1;
  }
  void addOutput(mlir::Value value, mlir::AffineMap map) {
    outputs.push_back(value);
    outputMaps.push_back(map);
  }
  /// Those of the inputs, then those of the outputs.
  llvm::SmallVector<mlir::AffineMap> getMaps() const {
    llvm::SmallVector<mlir::AffineMap> maps(inputMaps);
    llvm::append_range(maps, outputMaps);
    return maps;
  }
};

} // namespace pypto

#endif
