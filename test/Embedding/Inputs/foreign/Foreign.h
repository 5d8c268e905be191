// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FOREIGN_H
#define FOREIGN_H

#include "mlir/IR/DialectRegistry.h"

namespace foreign {
void registerForeignDialect(mlir::DialectRegistry &registry);
void registerForeignPasses();
} // namespace foreign

#endif
