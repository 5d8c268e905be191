// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/ExecutionEngine/Renderer.h"
#include "pypto/ExecutionEngine/Array.h"
#include "pypto/Pipelines/Pipelines.h"

#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdlib>

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

//===- Which ones there are --------------------------------------------------------===//

llvm::ArrayRef<const Renderer *> pypto::execution::getRenderers() {
  static const Renderer *const renderers[] = {&getLLVMRenderer(), &getCRenderer(),
                                              &getMLIRRenderer()};
  return renderers;
}

llvm::Expected<const Renderer *> pypto::execution::findRenderer(llvm::StringRef name) {
  std::string known;
  for (const Renderer *renderer : getRenderers()) {
    if (renderer->getName() == name)
      return renderer;
    known += (known.empty() ? "" : ", ") + renderer->getName().str();
  }
  return makeError("expects a renderer of " + known + ", but got '" + name + "'");
}

llvm::Expected<const Renderer *> pypto::execution::getRenderer(const KernelOptions &options) {
  if (options.renderer)
    return options.renderer;
  const char *name = std::getenv("PYPTO_RENDERER");
  if (!name || !*name)
    return getRenderers().front();
  llvm::Expected<const Renderer *> renderer = findRenderer(name);
  if (!renderer)
    return makeError("PYPTO_RENDERER: " + llvm::toString(renderer.takeError()));
  return renderer;
}

OwningOpRef<ModuleOp> pypto::execution::isolateKernel(func::FuncOp function, StringRef name) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(function.getContext()));
  auto copy = cast<func::FuncOp>(function->clone());
  module->push_back(copy);
  copy.setName(name);
  copy.setPublic();
  return module;
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  os << '\n';
  return text;
}

/// What `render` makes of the module of the kernel after the passes of its renderer.
static llvm::Expected<std::string>
printKernel(func::FuncOp function, const KernelOptions &options,
            llvm::function_ref<llvm::Expected<std::string>(const Renderer &, ModuleOp)> render) {
  llvm::Expected<const Renderer *> renderer = getRenderer(options);
  if (!renderer)
    return renderer.takeError();
  OwningOpRef<ModuleOp> module = isolateKernel(function, function.getName());
  module->setName(function.getName());
  PassManager manager(function.getContext(), ModuleOp::getOperationName());
  (*renderer)->buildPipeline(manager, options);
  if (failed(manager.run(*module)))
    return makeError("cannot lower kernel '" + function.getName() + "'");
  return render(**renderer, *module);
}

llvm::Expected<std::string> pypto::execution::printOptimizedKernel(func::FuncOp function,
                                                                   const KernelOptions &options) {
  return printKernel(function, options, [](const Renderer &, ModuleOp module) {
    return llvm::Expected<std::string>(print(module));
  });
}

llvm::Expected<std::string> pypto::execution::renderKernel(func::FuncOp function,
                                                           const KernelOptions &options) {
  return printKernel(function, options, [&](const Renderer &renderer, ModuleOp module) {
    return renderer.render(module, options);
  });
}

//===- LLVM --------------------------------------------------------------------------===//

namespace {
class JITCode : public KernelCode {
public:
  static llvm::Expected<std::unique_ptr<KernelCode>>
  create(llvm::Expected<std::unique_ptr<JIT>> jit, StringRef name, unsigned numParameters) {
    if (!jit)
      return jit.takeError();
    llvm::Expected<JIT::Invoker> invoker = (*jit)->lookup(name, numParameters);
    if (!invoker)
      return invoker.takeError();
    auto code = std::make_unique<JITCode>();
    code->jit = std::move(*jit);
    code->invoker = *invoker;
    return code;
  }

private:
  std::unique_ptr<JIT> jit;
};

void buildOptimizations(OpPassManager &pm, const KernelOptions &options) {
  KernelPipelineOptions pipeline;
  pipeline.beam = options.beam;
  pipeline.progress = options.showsProgress;
  buildKernelOptimizationPipeline(pm, options.naive, pipeline);
}

LogicalResult lower(ModuleOp module, const KernelOptions &options) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  buildKernelLoweringPipeline(manager, options.naive);
  return manager.run(module);
}

class LLVMRenderer : public Renderer {
public:
  StringRef getName() const override { return "llvm"; }
  StringRef getDescription() const override { return "LLVM IR, optimised for this CPU"; }

  void buildPipeline(OpPassManager &pm, const KernelOptions &options) const override {
    buildOptimizations(pm, options);
  }

  llvm::Expected<std::string> render(ModuleOp module, const KernelOptions &options) const override {
    std::string text;
    llvm::raw_string_ostream os(text);
    if (failed(lower(module, options)))
      return makeError("cannot lower a kernel to the LLVM dialect");
    if (llvm::Error error = JIT::printKernel(module, os))
      return std::move(error);
    return text;
  }

  llvm::Expected<std::unique_ptr<KernelCode>> compile(ModuleOp module, StringRef name,
                                                      const KernelOptions &options,
                                                      std::string *object) const override {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    unsigned numParameters = function.getNumArguments();
    if (failed(lower(module, options)))
      return makeError("cannot lower kernel '" + name + "'");
    JITOptions jitOptions;
    jitOptions.entry = name;
    jitOptions.isKernel = true;
    jitOptions.object = object;
    return JITCode::create(JIT::create(module, jitOptions), name, numParameters);
  }
};

//===- MLIR --------------------------------------------------------------------------===//

class MLIRRenderer : public Renderer {
public:
  StringRef getName() const override { return "mlir"; }
  StringRef getDescription() const override { return "MLIR on vectors and buffers"; }

  void buildPipeline(OpPassManager &pm, const KernelOptions &options) const override {
    buildOptimizations(pm, options);
  }

  llvm::Expected<std::string> render(ModuleOp module, const KernelOptions &) const override {
    return print(module);
  }

  /// From the text, so that nothing gets lost in it.
  llvm::Expected<std::unique_ptr<KernelCode>> compile(ModuleOp module, StringRef name,
                                                      const KernelOptions &options,
                                                      std::string *) const override {
    ParserConfig config(module.getContext());
    OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(print(module), config);
    if (!parsed)
      return makeError("cannot parse the text of kernel '" + name + "'");
    return getLLVMRenderer().compile(*parsed, name, options, nullptr);
  }
};
} // namespace

llvm::Expected<std::unique_ptr<KernelCode>>
pypto::execution::loadKernelObject(StringRef object, StringRef name, unsigned numParameters) {
  return JITCode::create(JIT::load(object, name, numParameters), name, numParameters);
}

const Renderer &pypto::execution::getLLVMRenderer() {
  static const LLVMRenderer renderer;
  return renderer;
}

const Renderer &pypto::execution::getMLIRRenderer() {
  static const MLIRRenderer renderer;
  return renderer;
}
