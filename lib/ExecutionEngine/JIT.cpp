// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM dialect -> LLVM IR -> O3 for the host -> LLJIT.
#include "pypto/ExecutionEngine/JIT.h"
#include "Miscompiles.h"
#include "pypto/ExecutionEngine/Array.h"
#include "pypto/Runtime/Runtime.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/EHFrameRegistrationPlugin.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace pypto;
using namespace pypto::execution;

static constexpr llvm::StringLiteral kInvokerPrefix = "pypto_invoke_";
static constexpr llvm::StringLiteral kInterfacePrefix = "_mlir_ciface_pypto_entry_";

//===- Translation ----------------------------------------------------------===//

static std::unique_ptr<llvm::Module> translate(mlir::ModuleOp module, llvm::LLVMContext &context) {
  mlir::DialectRegistry registry;
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  module->getContext()->appendDialectRegistry(registry);
  return mlir::translateModuleToLLVMIR(module, context, "pypto");
}

/// Makes `void pypto_invoke_X(void **arguments, void *result)` for the C interface of the entry X.
static void createInvoker(llvm::Function &interface, llvm::StringRef name, bool hasResultPointer) {
  llvm::IRBuilder<> builder(interface.getContext());
  llvm::Type *pointer = builder.getPtrTy();
  auto *type = llvm::FunctionType::get(builder.getVoidTy(), {pointer, pointer}, /*isVarArg=*/false);
  auto *invoker = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                                         kInvokerPrefix + name, interface.getParent());
  builder.SetInsertPoint(llvm::BasicBlock::Create(interface.getContext(), "", invoker));
  llvm::SmallVector<llvm::Value *> operands;
  if (hasResultPointer)
    operands.push_back(invoker->getArg(1));
  for (unsigned i = operands.size(), e = interface.arg_size(), first = i; i != e; ++i) {
    llvm::Value *slot = builder.CreateConstGEP1_64(pointer, invoker->getArg(0), i - first);
    llvm::Value *address = builder.CreateLoad(pointer, slot);
    operands.push_back(builder.CreateLoad(interface.getArg(i)->getType(), address));
  }
  llvm::Value *result = builder.CreateCall(&interface, operands);
  if (!result->getType()->isVoidTy())
    builder.CreateStore(result, invoker->getArg(1));
  builder.CreateRetVoid();
}

/// An entry with results that do not fit a register returns them through a first parameter. The
/// body of the interface tells: it stores the struct that the entry returns.
static bool returnsThroughPointer(llvm::Function &interface, llvm::StringRef name) {
  llvm::Function *entry = interface.getParent()->getFunction((kEntryPrefix + name).str());
  return entry && interface.getReturnType()->isVoidTy() && !entry->getReturnType()->isVoidTy();
}

/// Makes the invoker of the entry that is wanted, or of all entries if none is named.
static llvm::StringMap<unsigned> createInvokers(llvm::Module &module, const JITOptions &options) {
  llvm::StringRef entry = options.entry;
  llvm::StringMap<unsigned> numParameters;
  if (llvm::Function *kernel = options.isKernel ? module.getFunction(entry) : nullptr) {
    numParameters[entry] = kernel->arg_size();
    createInvoker(*kernel, entry, /*hasResultPointer=*/false);
    return numParameters;
  }
  llvm::SmallVector<llvm::Function *> interfaces;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && function.getName().starts_with(kInterfacePrefix))
      interfaces.push_back(&function);
  for (llvm::Function *interface : interfaces) {
    llvm::StringRef name = interface->getName().drop_front(kInterfacePrefix.size());
    if (!entry.empty() && entry != name)
      continue;
    bool hasResultPointer = returnsThroughPointer(*interface, name);
    numParameters[name] = interface->arg_size() - hasResultPointer;
    createInvoker(*interface, name, hasResultPointer);
  }
  return numParameters;
}

//===- Optimisation ---------------------------------------------------------===//

static void setTarget(llvm::Module &module, const llvm::TargetMachine &machine) {
  module.setDataLayout(machine.createDataLayout());
  module.setTargetTriple(machine.getTargetTriple());
  bool has512 = machine.getTargetFeatureString().contains("+avx512f");
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    // A failure of the run time unwinds through it.
    function.setUWTableKind(llvm::UWTableKind::Sync);
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    // The tuning of many CPUs prefers half of the vector width that they have.
    if (has512)
      function.addFnAttr("prefer-vector-width", "512");
  }
}

/// One copy of each kernel: what only an invoker reaches can be inlined into it for good.
static void keepInvokers(llvm::Module &module) {
  llvm::internalizeModule(module, [](const llvm::GlobalValue &value) {
    return value.getName().starts_with(kInvokerPrefix);
  });
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine, unsigned level) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  // Vector loops are interleaved as it is. Unrolling whole nests costs a second for a row sum.
  tuning.LoopUnrolling = false;
  llvm::PassInstrumentationCallbacks callbacks;
  guardSROA(callbacks);
  llvm::PassBuilder builder(&machine, tuning, /*PGOOpt=*/std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  const llvm::OptimizationLevel levels[] = {
      llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1, llvm::OptimizationLevel::O2,
      llvm::OptimizationLevel::O3};
  builder.buildPerModuleDefaultPipeline(levels[level]).run(module, modules);
  storeSingleLanes(module);
}

//===- Linking --------------------------------------------------------------===//

/// What jitted code may call: the C ABI of the run time.
static llvm::orc::SymbolMap getRuntimeSymbols(llvm::orc::LLJIT &engine) {
  llvm::orc::SymbolMap symbols;
  for (const runtime::Symbol &symbol : runtime::getSymbols())
    symbols[engine.mangleAndIntern(symbol.name)] = {
        llvm::orc::ExecutorAddr::fromPtr(symbol.address), llvm::JITSymbolFlags::Exported};
  return symbols;
}

/// Lets exceptions find the frames of jitted code. Only platforms with initialisers do so by
/// themselves.
static llvm::Error registerFrames(llvm::orc::LLJIT &engine) {
  auto *layer = llvm::dyn_cast<llvm::orc::ObjectLinkingLayer>(&engine.getObjLinkingLayer());
  // The other layer, of targets without JITLink, registers frames by itself.
  if (!layer)
    return llvm::Error::success();
  auto plugin = llvm::orc::EHFrameRegistrationPlugin::Create(engine.getExecutionSession());
  if (!plugin)
    return plugin.takeError();
  layer->addPlugin(std::move(*plugin));
  return llvm::Error::success();
}

static llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>>
createEngine(llvm::orc::JITTargetMachineBuilder target) {
  auto engine = llvm::orc::LLJITBuilder()
                    .setJITTargetMachineBuilder(std::move(target))
                    .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                    .create();
  if (!engine)
    return engine.takeError();
  if (llvm::Error error = registerFrames(**engine))
    return std::move(error);
  if (llvm::Error error = (*engine)->getMainJITDylib().define(
          llvm::orc::absoluteSymbols(getRuntimeSymbols(**engine))))
    return std::move(error);
  return engine;
}

llvm::Expected<std::unique_ptr<JIT>> JIT::create(mlir::ModuleOp module, const JITOptions &options) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto target = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return target.takeError();
  std::optional<llvm::CodeGenOptLevel> level = llvm::CodeGenOpt::getLevel(options.level);
  if (!level)
    return makeError("expects an optimisation level from 0 to 3, but got " +
                     std::to_string(options.level));
  target->setCodeGenOptLevel(*level);
  target->addFeatures(options.features);
  auto machine = target->createTargetMachine();
  if (!machine)
    return machine.takeError();

  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> code = translate(module, *context);
  if (!code)
    return makeError("cannot translate the lowered module to LLVM IR");
  std::unique_ptr<JIT> jit(new JIT());
  jit->numParameters = createInvokers(*code, options);
  setTarget(*code, **machine);
  keepInvokers(*code);
  optimize(*code, **machine, options.level);
  if (options.dump)
    code->print(*options.dump, nullptr);

  if (llvm::Error error = jit->open(*target))
    return std::move(error);
  if (options.object) {
    auto object = llvm::orc::SimpleCompiler(**machine)(*code);
    if (!object)
      return object.takeError();
    *options.object = (*object)->getBuffer().str();
    if (llvm::Error error = jit->engine->addObjectFile(std::move(*object)))
      return std::move(error);
    return jit;
  }
  if (llvm::Error error = jit->engine->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(code), std::move(context))))
    return std::move(error);
  return jit;
}

llvm::Error JIT::printKernel(mlir::ModuleOp module, llvm::raw_ostream &os) {
  llvm::InitializeNativeTarget();
  auto target = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return target.takeError();
  auto machine = target->createTargetMachine();
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code = translate(module, context);
  if (!code)
    return makeError("cannot translate the lowered module to LLVM IR");
  setTarget(*code, **machine);
  optimize(*code, **machine, JITOptions().level);
  code->print(os, nullptr);
  return llvm::Error::success();
}

llvm::Error JIT::open(llvm::orc::JITTargetMachineBuilder target) {
  auto created = createEngine(std::move(target));
  if (!created)
    return created.takeError();
  engine = std::move(*created);
  engine->getExecutionSession().setErrorReporter([this](llvm::Error error) {
    reports += (reports.empty() ? "" : "; ") + llvm::toString(std::move(error));
  });
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<JIT>> JIT::load(llvm::StringRef object, llvm::StringRef entry,
                                               unsigned numParameters) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto target = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return target.takeError();
  std::unique_ptr<JIT> jit(new JIT());
  if (llvm::Error error = jit->open(*target))
    return std::move(error);
  jit->numParameters[entry] = numParameters;
  if (llvm::Error error =
          jit->engine->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(object, entry)))
    return std::move(error);
  return jit;
}

JIT::~JIT() = default;

llvm::Expected<JIT::Invoker> JIT::lookup(llvm::StringRef name, unsigned expected) {
  auto found = numParameters.find(name);
  if (found == numParameters.end())
    return makeError("the lowered module has no entry '" + name + "'");
  if (found->second != expected)
    return makeError("the lowered entry '" + name + "' has " + std::to_string(found->second) +
                     " parameters, but its signature needs " + std::to_string(expected));
  auto address = engine->lookup((kInvokerPrefix + name).str());
  if (address)
    return address->toPtr<Invoker>();
  std::string reason = llvm::toString(address.takeError());
  return makeError("cannot link '" + name + "': " + (reports.empty() ? reason : reports));
}
