// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the C of one module.
#ifndef PYPTO_LIB_CONVERSION_KERNELTOEMITC_KERNELEMITTER_H
#define PYPTO_LIB_CONVERSION_KERNELTOEMITC_KERNELEMITTER_H

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <map>

namespace pypto {

class KernelEmitter {
public:
  KernelEmitter(mlir::ModuleOp module) : module(module), b(module.getContext()) {}

  /// Replaces all functions of the module. An error stands at the op that has no C.
  mlir::LogicalResult run();

private:
  // Structure.
  mlir::LogicalResult emitFunction(mlir::func::FuncOp function);
  mlir::LogicalResult emitBlock(mlir::Block &block);
  mlir::LogicalResult emitOp(mlir::Operation &op);
  mlir::LogicalResult emitFor(mlir::scf::ForOp loop);
  mlir::LogicalResult emitIf(mlir::scf::IfOp branch);
  mlir::LogicalResult emitYield(mlir::scf::YieldOp yield);
  void emitPrelude();
  /// A variable for each of `types`; null after an error at `op`.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> createVariables(mlir::Operation *op,
                                                                  mlir::TypeRange types);
  void bindResults(mlir::Operation *op, mlir::ValueRange variables);

  // Memory. What a memref is: elements at base[offset + sum(index * stride)].
  struct Buffer {
    mlir::Value base;
    mlir::OpFoldResult offset;
    llvm::SmallVector<mlir::OpFoldResult> sizes, strides;
  };
  mlir::LogicalResult emitMemory(mlir::Operation &op, bool &isKnown);
  mlir::LogicalResult bindParameter(mlir::func::FuncOp function, unsigned index,
                                    mlir::Value parameter);
  mlir::LogicalResult emitAlloc(mlir::memref::AllocOp alloc);
  mlir::LogicalResult emitGlobal(mlir::memref::GetGlobalOp get);
  mlir::LogicalResult emitCopy(mlir::memref::CopyOp copy);
  void emitReinterpret(mlir::memref::ReinterpretCastOp cast);
  void emitMetadata(mlir::memref::ExtractStridedMetadataOp op);
  mlir::Value emitElement(mlir::Location loc, mlir::Value memref, mlir::ValueRange indices);
  Buffer makeContiguous(mlir::Value base, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                        mlir::Location loc);

  // Scalars: null if there is no C for the op.
  mlir::Value emitScalar(mlir::Operation &op);
  mlir::Value emitConstant(mlir::Location loc, mlir::Attribute value);
  mlir::Value emitMath(mlir::Operation &op);
  mlir::Value emitInteger(mlir::Operation &op);
  mlir::Value emitFloat(mlir::Operation &op);
  mlir::Value emitCast(mlir::Operation &op);
  mlir::Value emitRound(mlir::Location loc, mlir::Value value, mlir::Type from, mlir::Type to);
  mlir::Value emitBitcast(mlir::Location loc, mlir::Value value, mlir::Type from, mlir::Type to);
  mlir::Value call(mlir::Location loc, llvm::StringRef function, mlir::Type type,
                   mlir::ValueRange operands);
  mlir::Value cast(mlir::Location loc, mlir::Type type, mlir::Value value);
  mlir::Value asUnsigned(mlir::Location loc, mlir::Value value);

  // Numbers of type int64_t.
  mlir::Value getNumber(mlir::Location loc, mlir::OpFoldResult value);
  mlir::OpFoldResult multiply(mlir::Location loc, mlir::OpFoldResult lhs, mlir::OpFoldResult rhs);
  mlir::OpFoldResult add(mlir::Location loc, mlir::OpFoldResult lhs, mlir::OpFoldResult rhs);
  /// An operand that may be a number of the program, as one of C.
  mlir::OpFoldResult lookup(mlir::OpFoldResult value);
  mlir::Value lookup(mlir::Value value) { return values.lookup(value); }

  /// Null if C has no such type.
  mlir::Type convertType(mlir::Type type);

  mlir::ModuleOp module;
  mlir::OpBuilder b;
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  llvm::DenseMap<mlir::Value, Buffer> buffers;
  /// Variables that the terminator of a region assigns.
  llvm::DenseMap<mlir::Region *, llvm::SmallVector<mlir::Value>> yields;
  /// Definitions that stand in front of the functions, by name.
  std::map<std::string, std::string> definitions;
};

} // namespace pypto

#endif
