// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_EXECUTIONENGINE_KERNELCOST_H
#define PYPTO_EXECUTIONENGINE_KERNELCOST_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <vector>

namespace pypto::execution {

/// A number that depends on scalar parameters of a kernel: a sum of products.
class Count {
public:
  struct Term {
    int64_t coefficient = 1;
    /// Numbers of parameters.
    llvm::SmallVector<unsigned, 2> factors;
  };

  Count() = default;
  Count(Term term) { terms.push_back(std::move(term)); }
  static Count unknown() {
    Count count;
    count.isKnown = false;
    return count;
  }
  Count &operator+=(const Count &other);

  /// Nothing if it is not known. `getParameter` gives the value of a scalar parameter.
  std::optional<int64_t> evaluate(llvm::function_ref<int64_t(unsigned)> getParameter) const;

private:
  llvm::SmallVector<Term, 2> terms;
  bool isKnown = true;
};

/// What a kernel of `--split-kernels` does, by its ops: estimates, for nobody counts at run time.
struct KernelCost {
  /// Operations on floats: one for each of arith and math (a square root, an exponential are one),
  /// two for a fused product and sum; conversions, comparisons and selections are none.
  Count flops;
  /// For each parameter that is a buffer how many bytes of it are read, each counted as often as it
  /// is read, how many are written, and how large it is. A conditional read counts.
  struct Traffic {
    Count read, written, size;
  };
  std::vector<Traffic> traffic;
};

KernelCost estimateCost(mlir::func::FuncOp kernel);

} // namespace pypto::execution

#endif
