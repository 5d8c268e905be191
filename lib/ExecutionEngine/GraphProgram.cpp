// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/ExecutionEngine/GraphProgram.h"
#include "pypto/ExecutionEngine/Array.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

//===- Decoding -------------------------------------------------------------------===//

namespace pypto::execution {
/// Reads a host function.
class GraphProgramBuilder {
public:
  GraphProgramBuilder(func::FuncOp host, const KernelOptions &options)
      : host(host), options(options), program(std::make_shared<GraphProgram>()) {}

  llvm::Expected<std::shared_ptr<const GraphProgram>> build();

private:
  llvm::Error decode(Operation &op);
  llvm::Error decodeCall(func::CallOp call);
  llvm::Error decodeAlloc(memref::AllocOp alloc);
  unsigned createRegister(Value value) { return registers[value] = program->numRegisters++; }

  func::FuncOp host;
  KernelOptions options;
  std::shared_ptr<GraphProgram> program;
  llvm::DenseMap<Value, unsigned> registers;
  /// The call that has written a buffer last.
  llvm::DenseMap<unsigned, unsigned> writers;
};
} // namespace pypto::execution

llvm::Error GraphProgramBuilder::decodeAlloc(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  if (!type.hasStaticShape())
    return makeError("the host of '" + host.getName() + "' allocates a buffer of unknown size");
  constexpr int64_t alignment = 64;
  int64_t bytes = type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  program->allocations.push_back({createRegister(alloc.getResult()), program->scratchBytes});
  program->scratchBytes += llvm::alignTo(std::max<int64_t>(bytes, 1), alignment);
  return llvm::Error::success();
}

llvm::Error GraphProgramBuilder::decodeCall(func::CallOp call) {
  auto kernel = dyn_cast_if_present<func::FuncOp>(
      SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr()));
  if (!kernel || kernel.isExternal())
    return makeError("'" + call.getCallee() + "' is no kernel with a body");
  llvm::Expected<std::shared_ptr<const Kernel>> code = Kernel::get(kernel, options);
  if (!code)
    return code.takeError();
  GraphProgram::Call &decoded = program->calls.emplace_back();
  decoded.name = kernel.getName();
  decoded.kernel = *code;
  for (Value operand : call.getOperands()) {
    unsigned index = registers.lookup(operand);
    decoded.arguments.push_back(index);
    auto writer = writers.find(index);
    if (writer != writers.end() && !llvm::is_contained(decoded.dependencies, writer->second))
      decoded.dependencies.push_back(writer->second);
  }
  writers[decoded.arguments.front()] = program->calls.size() - 1;
  return llvm::Error::success();
}

llvm::Error GraphProgramBuilder::decode(Operation &op) {
  return TypeSwitch<Operation *, llvm::Error>(&op)
      .Case<memref::AllocOp>([&](auto alloc) { return decodeAlloc(alloc); })
      .Case<func::CallOp>([&](auto call) { return decodeCall(call); })
      .Case<memref::ExpandShapeOp, memref::CollapseShapeOp>([&](auto view) {
        // The same address.
        registers[view.getResult()] = registers.lookup(view.getSrc());
        return llvm::Error::success();
      })
      .Case<memref::DeallocOp, func::ReturnOp>([](auto) { return llvm::Error::success(); })
      .Default([&](Operation *op) {
        return makeError("the host of '" + host.getName() + "' has the operation '" +
                         op->getName().getStringRef() + "', which cannot run there");
      });
}

llvm::Expected<std::shared_ptr<const GraphProgram>> GraphProgramBuilder::build() {
  if (!host.getBody().hasOneBlock())
    return makeError("'" + host.getName() + "' is no host function");
  for (Value argument : host.getArguments())
    createRegister(argument);
  program->numParameters = host.getNumArguments();
  for (Operation &op : host.getBody().front())
    if (llvm::Error error = decode(op))
      return std::move(error);
  return std::shared_ptr<const GraphProgram>(program);
}

llvm::Expected<std::shared_ptr<const GraphProgram>>
GraphProgram::create(func::FuncOp host, const KernelOptions &options) {
  return GraphProgramBuilder(host, options).build();
}

//===- Running ------------------------------------------------------------------------===//

GraphProgram::Frame::Frame(std::shared_ptr<const GraphProgram> owner) : program(std::move(owner)) {
  size_t numArguments = 0;
  for (const Call &call : program->calls)
    numArguments += call.arguments.size();
  registers = std::make_unique<int64_t[]>(program->numRegisters);
  arguments = std::make_unique<void *[]>(numArguments);
  void **next = arguments.get();
  for (const Call &call : program->calls)
    for (unsigned index : call.arguments)
      *next++ = &registers[index];
  if (program->scratchBytes == 0)
    return;
  scratch = static_cast<char *>(std::aligned_alloc(64, program->scratchBytes));
  for (const Allocation &allocation : program->allocations)
    registers[allocation.target] = reinterpret_cast<int64_t>(scratch) + allocation.offset;
}

GraphProgram::Frame::~Frame() { std::free(scratch); }

// Code of the JIT carries no signature in front of it that a sanitizer could check.
LLVM_NO_SANITIZE("function")
void GraphProgram::Frame::run() {
  void **next = arguments.get();
  for (const Call &call : program->calls) {
    (*call.kernel)(next);
    next += call.arguments.size();
  }
}
