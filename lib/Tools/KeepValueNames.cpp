// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of values in text become locations.
#include "pypto/Tools/KeepValueNames.h"

#include "pypto/Dialect/PL/IR/Names.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace pypto;

/// The name at `range`, without `%`; empty for a number.
static StringRef getName(llvm::SMRange range) {
  if (!range.isValid())
    return {};
  StringRef text(range.Start.getPointer(), range.End.getPointer() - range.Start.getPointer());
  text.consume_front("%");
  return llvm::all_of(text, llvm::isDigit) ? StringRef() : text;
}

/// `loc` with the name at `range` unless it has one or there is none.
static FailureOr<Location> addName(Location loc, llvm::SMRange range) {
  StringRef name = getName(range);
  if (name.empty() || isa<NameLoc>(loc))
    return loc;
  if (pl::isReservedName(name))
    return emitError(loc) << "expects a name without the reserved delimiter '__', but got '" << name
                          << "'";
  return Location(NameLoc::get(StringAttr::get(loc.getContext(), name), loc));
}

static LogicalResult addNames(AsmParserState &state) {
  for (const AsmParserState::OperationDefinition &definition : state.getOpDefs()) {
    if (definition.op->getNumResults() != 1 || definition.resultGroups.empty())
      continue;
    FailureOr<Location> loc =
        addName(definition.op->getLoc(), definition.resultGroups.front().definition.loc);
    if (failed(loc))
      return failure();
    definition.op->setLoc(*loc);
  }
  for (const AsmParserState::BlockDefinition &definition : state.getBlockDefs())
    for (auto [argument, source] :
         llvm::zip(definition.block->getArguments(), definition.arguments)) {
      FailureOr<Location> loc = addName(argument.getLoc(), source.loc);
      if (failed(loc))
        return failure();
      argument.setLoc(*loc);
    }
  return success();
}

/// Appends `text`, with names as locations, to `os`.
static LogicalResult convert(StringRef text, StringRef fileName, MLIRContext &context,
                             raw_ostream &os) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, fileName), llvm::SMLoc());
  AsmParserState state;
  Block block;
  {
    ScopedDiagnosticHandler silent(&context, [](Diagnostic &) { return success(); });
    if (failed(parseAsmSourceFile(sources, &block, ParserConfig(&context), &state))) {
      os << text;
      return success();
    }
  }
  SourceMgrDiagnosticHandler handler(sources, &context);
  if (failed(addNames(state)))
    return failure();
  // The generic form is the one in which every block argument has its location.
  OpPrintingFlags flags = OpPrintingFlags().enableDebugInfo().printGenericOpForm();
  for (Operation &op : block) {
    op.print(os, flags);
    os << "\n";
  }
  return success();
}

std::unique_ptr<llvm::MemoryBuffer> pypto::keepValueNames(std::unique_ptr<llvm::MemoryBuffer> input,
                                                          DialectRegistry &registry,
                                                          StringRef splitMarker,
                                                          bool allowUnregisteredDialects) {
  MLIRContext context(registry);
  context.allowUnregisteredDialects(allowUnregisteredDialects);
  SmallVector<StringRef> parts;
  if (splitMarker.empty())
    parts.push_back(input->getBuffer());
  else
    input->getBuffer().split(parts, ("\n" + splitMarker + "\n").str());
  std::string result;
  llvm::raw_string_ostream os(result);
  for (auto [index, part] : llvm::enumerate(parts)) {
    if (index)
      os << "\n" << splitMarker << "\n";
    if (failed(convert(part, input->getBufferIdentifier(), context, os)))
      return nullptr;
  }
  return llvm::MemoryBuffer::getMemBufferCopy(result, input->getBufferIdentifier());
}
