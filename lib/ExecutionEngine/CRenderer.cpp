// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C source, and shared objects of it.
#include "pypto/Conversion/KernelToEmitC/Passes.h"
#include "pypto/ExecutionEngine/Array.h"
#include "pypto/ExecutionEngine/Renderer.h"
#include "pypto/Pipelines/Pipelines.h"
#include "pypto/Runtime/TaskABI.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/EmitC/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/Cpp/CppEmitter.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <cstdlib>
#include <dlfcn.h>

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

static constexpr llvm::StringLiteral kInvokerName = "pypto_invoke";

//===- Text -------------------------------------------------------------------------===//

/// The type of a parameter as C writes it.
static std::string getTypeName(Type type) {
  if (auto opaque = dyn_cast<emitc::OpaqueType>(type))
    return opaque.getValue().str();
  if (auto pointer = dyn_cast<emitc::PointerType>(type))
    return getTypeName(pointer.getPointee()) + " *";
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (integer.getWidth() == 1)
      return "bool";
    return (integer.isUnsigned() ? "uint" : "int") + std::to_string(integer.getWidth()) + "_t";
  }
  return type.isF64() ? "double" : type.isF32() ? "float" : "_Float16";
}

/// The function that takes an array of pointers to the arguments.
static void printInvoker(emitc::FuncOp kernel, llvm::raw_ostream &os) {
  os << "\nvoid " << kInvokerName << "(void **arguments, void *result) {\n  " << kernel.getName()
     << "(";
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    std::string name = getTypeName(type);
    os << (index ? ", " : "") << "*(" << name << (StringRef(name).ends_with("*") ? "" : " ")
       << "*)arguments[" << index << "]";
  }
  os << ");\n}\n";
}

static llvm::Expected<std::string> toC(ModuleOp module) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.addPass(createConvertKernelToEmitC());
  manager.addPass(emitc::createFormExpressionsPass());
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(manager.run(module)) || failed(emitc::translateToCpp(module, os)))
    return makeError("cannot make C of a kernel");
  for (auto kernel : module.getOps<emitc::FuncOp>())
    printInvoker(kernel, os);
  return text;
}

//===- Shared objects ---------------------------------------------------------------===//

namespace {
class SharedObject : public KernelCode {
public:
  static llvm::Expected<std::unique_ptr<KernelCode>> load(StringRef path);
  ~SharedObject() override {
    if (handle)
      dlclose(handle);
  }

private:
  /// Sets a pointer that the code has if it allocates.
  template <typename T> void setPointer(const char *name, T value) {
    if (auto *pointer = static_cast<T *>(dlsym(handle, name)))
      *pointer = value;
  }
  void *handle = nullptr;
};
} // namespace

llvm::Expected<std::unique_ptr<KernelCode>> SharedObject::load(StringRef path) {
  auto code = std::make_unique<SharedObject>();
  code->handle = dlopen(path.str().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!code->handle)
    return makeError(std::string("cannot load what the C compiler made: ") + dlerror());
  code->invoker = reinterpret_cast<JIT::Invoker>(dlsym(code->handle, kInvokerName.data()));
  if (!code->invoker)
    return makeError("what the C compiler made has no '" + kInvokerName + "'");
  code->setPointer("pypto_alloc", &pyptoAlloc);
  code->setPointer("pypto_free", &pyptoFree);
  return code;
}

static llvm::Expected<std::string> findCompiler() {
  const char *given = std::getenv("CC");
  if (given && *given) {
    if (auto path = llvm::sys::findProgramByName(given))
      return *path;
    return makeError(std::string("cannot find the C compiler '") + given +
                     "' that the environment variable CC names");
  }
  for (const char *name : {"cc", "clang", "gcc"})
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return makeError("cannot find a C compiler: expects cc, clang or gcc, or another that the "
                   "environment variable CC names");
}

/// What a compiler complained about first.
static std::string readError(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  StringRef text = buffer ? (*buffer)->getBuffer() : "";
  size_t found = text.find("error:");
  return text.substr(found == StringRef::npos ? 0 : found).split('\n').first.str();
}

/// Compiles `text`; the files are gone afterwards, the object stays in memory.
static llvm::Expected<std::unique_ptr<KernelCode>> compileC(StringRef text) {
  llvm::Expected<std::string> compiler = findCompiler();
  if (!compiler)
    return compiler.takeError();
  SmallString<128> source, object, log;
  llvm::scope_exit removeFiles([&] {
    for (StringRef path : {source.str(), object.str(), log.str()})
      if (!path.empty())
        llvm::sys::fs::remove(path);
  });
  int descriptor = -1;
  if (llvm::sys::fs::createTemporaryFile("pypto-kernel", "c", descriptor, source) ||
      llvm::sys::fs::createTemporaryFile("pypto-kernel", "so", object) ||
      llvm::sys::fs::createTemporaryFile("pypto-kernel", "log", log))
    return makeError("cannot make a temporary file for C source");
  {
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << text;
    os.close();
    if (os.has_error()) {
      os.clear_error();
      return makeError("cannot write C source to a temporary file");
    }
  }
  // Integers wrap around, products and sums are rounded one by one, and failures of the run time
  // unwind through the code.
  StringRef arguments[] = {*compiler,
                           "-std=gnu11",
                           "-O2",
                           "-march=native",
                           "-shared",
                           "-fPIC",
                           "-fwrapv",
                           "-fexceptions",
                           "-fno-strict-aliasing",
                           "-fno-math-errno",
                           "-ffp-contract=off",
                           "-w",
                           "-o",
                           object.str(),
                           source.str(),
                           "-lm"};
  std::optional<StringRef> redirects[] = {StringRef(), log.str(), log.str()};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(*compiler, arguments, /*Env=*/std::nullopt, redirects,
                                         /*SecondsToWait=*/0, /*MemoryLimit=*/0, &message);
  if (status != 0)
    return makeError("the C compiler '" + *compiler +
                     "' fails: " + (message.empty() ? readError(log) : message));
  return SharedObject::load(object);
}

namespace {
class CRenderer : public Renderer {
public:
  StringRef getName() const override { return "c"; }
  StringRef getDescription() const override { return "C source, compiled by the C compiler"; }

  void buildPipeline(OpPassManager &pm, const KernelOptions &) const override {
    buildKernelLoopsPipeline(pm);
  }

  llvm::Expected<std::string> render(ModuleOp module, const KernelOptions &) const override {
    return toC(module);
  }

  llvm::Expected<std::unique_ptr<KernelCode>>
  compile(ModuleOp module, StringRef, const KernelOptions &, std::string *) const override {
    llvm::Expected<std::string> text = toC(module);
    if (!text)
      return text.takeError();
    return compileC(*text);
  }
};
} // namespace

const Renderer &pypto::execution::getCRenderer() {
  static const CRenderer renderer;
  return renderer;
}
