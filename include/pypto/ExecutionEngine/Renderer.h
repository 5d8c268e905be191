// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_EXECUTIONENGINE_RENDERER_H
#define PYPTO_EXECUTIONENGINE_RENDERER_H

#include "pypto/ExecutionEngine/Kernel.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace pypto::execution {

/// Code of a kernel in memory. It can be called as long as the object lives.
class KernelCode {
public:
  virtual ~KernelCode() = default;
  JIT::Invoker getInvoker() const { return invoker; }

protected:
  JIT::Invoker invoker = nullptr;
};

/// Makes code of kernels. A kernel comes as the one public function of a module, over buffers of
/// static shape and scalars. Diagnostics go to the context's handler.
class Renderer {
public:
  virtual ~Renderer() = default;
  /// What users choose it by.
  virtual llvm::StringRef getName() const = 0;
  /// One line for them.
  virtual llvm::StringRef getDescription() const = 0;
  /// The passes that optimise a kernel for this code. What they leave is its last form in MLIR.
  virtual void buildPipeline(mlir::OpPassManager &pm, const KernelOptions &options) const = 0;
  /// The code of what `buildPipeline` left, as text. Changes the module.
  virtual llvm::Expected<std::string> render(mlir::ModuleOp module,
                                             const KernelOptions &options) const = 0;
  /// The same to be called. `name` is the function's name. The object file is put in `object` if
  /// that is set and the code is machine code that another process may load.
  virtual llvm::Expected<std::unique_ptr<KernelCode>> compile(mlir::ModuleOp module,
                                                              llvm::StringRef name,
                                                              const KernelOptions &options,
                                                              std::string *object) const = 0;
};

/// Code from an object file of `Renderer::compile`.
llvm::Expected<std::unique_ptr<KernelCode>>
loadKernelObject(llvm::StringRef object, llvm::StringRef name, unsigned numParameters);

/// All there are; the first one is what is taken if none is named.
llvm::ArrayRef<const Renderer *> getRenderers();
/// The error lists those that there are.
llvm::Expected<const Renderer *> findRenderer(llvm::StringRef name);

/// The renderer that `options` ask for; else the one that the environment variable PYPTO_RENDERER
/// names, and the first one if it names none.
llvm::Expected<const Renderer *> getRenderer(const KernelOptions &options);

/// The kernel alone in a module, under the name `name`.
mlir::OwningOpRef<mlir::ModuleOp> isolateKernel(mlir::func::FuncOp function, llvm::StringRef name);

/// A kernel of `--split-kernels` as MLIR after the passes of its renderer.
llvm::Expected<std::string> printOptimizedKernel(mlir::func::FuncOp function,
                                                 const KernelOptions &options);
/// The code that its renderer makes of it.
llvm::Expected<std::string> renderKernel(mlir::func::FuncOp function, const KernelOptions &options);

/// LLVM IR, through the JIT.
const Renderer &getLLVMRenderer();
/// C source, which the C compiler of the machine makes a shared object of: the one that the
/// environment variable CC names, or the first of cc, clang and gcc.
const Renderer &getCRenderer();
/// MLIR on vectors and buffers, which is parsed again to be run.
const Renderer &getMLIRRenderer();

} // namespace pypto::execution

#endif
