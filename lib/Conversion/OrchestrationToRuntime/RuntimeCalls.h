// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_CONVERSION_ORCHESTRATIONTORUNTIME_RUNTIMECALLS_H
#define PYPTO_LIB_CONVERSION_ORCHESTRATIONTORUNTIME_RUNTIMECALLS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace pypto::conversion {

/// Writes what calls of the run time need: declarations, constants about places in the program,
/// functions that take a kernel's arguments from a payload. Each is made once.
class RuntimeCalls {
public:
  explicit RuntimeCalls(mlir::ModuleOp module);

  mlir::ImplicitLocOpBuilder b;
  const mlir::LLVMTypeConverter converter;

  //===- Types ------------------------------------------------------------------===//
  mlir::Type pointer() const { return mlir::LLVM::LLVMPointerType::get(b.getContext()); }
  /// PyptoAccess.
  mlir::LLVM::LLVMStructType getAccessType() const;
  /// What stands for values of these types: a memref is all numbers of its descriptor.
  llvm::SmallVector<mlir::Type> flattenTypes(mlir::TypeRange types) const;

  //===- Values -----------------------------------------------------------------===//
  /// `value` as the conversion to LLVM will have it.
  mlir::Value toLLVM(mlir::Value value);
  llvm::SmallVector<mlir::Value> flatten(mlir::ValueRange values);
  mlir::Value constant(int64_t value, unsigned width = 64);
  mlir::Value null() { return mlir::LLVM::ZeroOp::create(b, pointer()); }
  /// The part of memory that a memref stands for, as the fields of PyptoAccess.
  llvm::SmallVector<mlir::Value> getAccess(mlir::Value memref, int32_t mode);

  /// Space for `count` values of `type` in the frame of the function that is written.
  mlir::Value allocate(mlir::Type type, int64_t count);
  /// An array of them in the frame; null if there are none.
  mlir::Value storeArray(mlir::ValueRange values);
  mlir::Value storeAccesses(mlir::ValueRange memrefs, llvm::ArrayRef<int32_t> modes);

  //===- Symbols ------------------------------------------------------------------===//
  mlir::Value call(llvm::StringRef name, mlir::Type result, mlir::ValueRange operands);
  /// Address of the PyptoTaskSite for `loc`.
  mlir::Value getSite(llvm::StringRef name, mlir::Location loc);
  /// Address of the function that runs `callee` on the payload of `launched` types; the index of
  /// its block and the number of blocks go behind them if `takesBlock`.
  mlir::Value getBody(mlir::FunctionOpInterface callee, llvm::ArrayRef<mlir::Type> types,
                      bool takesBlock);
  mlir::FunctionOpInterface lookup(mlir::StringAttr name) {
    return symbols.lookup<mlir::FunctionOpInterface>(name);
  }

private:
  mlir::LLVM::GlobalOp createGlobal(mlir::Type type, llvm::StringRef name, mlir::Attribute value);
  mlir::LLVM::GlobalOp getText(llvm::StringRef text);
  mlir::LLVM::LLVMFuncOp createBody(mlir::FunctionOpInterface callee,
                                    llvm::ArrayRef<mlir::Type> types, bool takesBlock,
                                    llvm::StringRef name);
  llvm::SmallVector<mlir::Value> loadArguments(mlir::Value payload,
                                               llvm::ArrayRef<mlir::Type> types);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  llvm::StringMap<mlir::LLVM::GlobalOp> texts, sites;
};

} // namespace pypto::conversion

#endif
