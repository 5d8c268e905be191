// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions, returns, calls.
#include "pypto/Dialect/PL/IR/PLOps.h"

#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

//===- FuncOp: building and access --------------------------------------------===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type,
                   FuncKind kind, ArrayRef<Direction> directions) {
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.setSymName(builder.getStringAttr(name));
  properties.setFunctionType(TypeAttr::get(type));
  properties.setKind(FuncKindAttr::get(builder.getContext(), kind));
  if (!directions.empty()) {
    SmallVector<Attribute> attrs;
    for (Direction direction : directions) {
      NamedAttrList list;
      if (direction != Direction::In)
        list.append(getDirectionAttrName(), DirectionAttr::get(builder.getContext(), direction));
      attrs.push_back(list.getDictionary(builder.getContext()));
    }
    properties.setArgAttrs(builder.getArrayAttr(attrs));
  }
  Region *body = state.addRegion();
  Block &entry = body->emplaceBlock();
  for (Type input : type.getInputs())
    entry.addArgument(input, state.location);
}

Direction FuncOp::getDirection(unsigned index) {
  auto direction = getArgAttrOfType<DirectionAttr>(index, getDirectionAttrName());
  return direction ? direction.getValue() : Direction::In;
}

void FuncOp::setDirection(unsigned index, Direction direction) {
  if (direction == Direction::In)
    removeArgAttr(index, getDirectionAttrName());
  else
    setArgAttr(index, getDirectionAttrName(), DirectionAttr::get(getContext(), direction));
}

SmallVector<unsigned> FuncOp::getOutIndices() {
  SmallVector<unsigned> indices;
  for (unsigned i = 0, e = getNumArguments(); i != e; ++i)
    if (getDirection(i) != Direction::In)
      indices.push_back(i);
  return indices;
}

ReturnOp FuncOp::getReturnOp() {
  return isExternal() ? ReturnOp() : dyn_cast<ReturnOp>(getBody().front().getTerminator());
}

//===- FuncOp: assembly ---------------------------------------------------------===//

/// `out`, `inout` or nothing.
static void parseDirection(OpAsmParser &parser, NamedAttrList &attrs) {
  for (Direction direction : {Direction::Out, Direction::InOut})
    if (succeeded(parser.parseOptionalKeyword(stringifyDirection(direction)))) {
      attrs.append(FuncOp::getDirectionAttrName(),
                   DirectionAttr::get(parser.getContext(), direction));
      return;
    }
}

/// Parameters with names (a definition) or types alone (a declaration).
static ParseResult parseParameters(OpAsmParser &parser,
                                   SmallVectorImpl<OpAsmParser::Argument> &arguments,
                                   SmallVectorImpl<Type> &types,
                                   SmallVectorImpl<DictionaryAttr> &attrs) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
    NamedAttrList list;
    parseDirection(parser, list);
    llvm::SMLoc loc = parser.getCurrentLocation();
    OpAsmParser::Argument argument;
    OptionalParseResult named =
        parser.parseOptionalArgument(argument, /*allowType=*/true, /*allowAttrs=*/false);
    if (named.has_value()) {
      if (failed(*named))
        return failure();
      if (arguments.size() != types.size())
        return parser.emitError(loc, "expects no name, as before");
      arguments.push_back(argument);
      types.push_back(argument.type);
    } else {
      if (!arguments.empty())
        return parser.emitError(loc, "expects a named parameter");
      if (parser.parseType(types.emplace_back()))
        return failure();
    }
    if (parser.parseOptionalAttrDict(list))
      return failure();
    if (named.has_value()) {
      std::optional<Location> explicitLoc;
      if (parser.parseOptionalLocationSpecifier(explicitLoc))
        return failure();
      if (explicitLoc)
        arguments.back().sourceLoc = explicitLoc;
    }
    attrs.push_back(list.getDictionary(parser.getContext()));
    return success();
  });
}

static ParseResult parseResults(OpAsmParser &parser, SmallVectorImpl<Type> &types,
                                SmallVectorImpl<DictionaryAttr> &attrs) {
  if (failed(parser.parseOptionalArrow()))
    return success();
  auto parseOne = [&]() -> ParseResult {
    NamedAttrList list;
    if (parser.parseType(types.emplace_back()) || parser.parseOptionalAttrDict(list))
      return failure();
    attrs.push_back(list.getDictionary(parser.getContext()));
    return success();
  };
  if (succeeded(parser.parseOptionalLParen())) {
    if (succeeded(parser.parseOptionalRParen()))
      return success();
    return failure(failed(parser.parseCommaSeparatedList(parseOne)) ||
                   failed(parser.parseRParen()));
  }
  attrs.push_back({});
  return parser.parseType(types.emplace_back());
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  Properties &properties = result.getOrAddProperties<Properties>();
  StringRef visibility;
  if (succeeded(parser.parseOptionalKeyword(&visibility, {"public", "private", "nested"})))
    properties.setSymVisibility(builder.getStringAttr(visibility));
  FuncKind kind = FuncKind::Opaque;
  StringRef keyword;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword(&keyword))) {
    std::optional<FuncKind> parsed = symbolizeFuncKind(keyword);
    if (!parsed)
      return parser.emitError(loc, "expects a function kind or a name, but got '")
             << keyword << "'";
    kind = *parsed;
  }
  properties.setKind(FuncKindAttr::get(builder.getContext(), kind));
  StringAttr name;
  if (parser.parseSymbolName(name))
    return failure();
  properties.setSymName(name);
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> argumentTypes, resultTypes;
  SmallVector<DictionaryAttr> argumentAttrs, resultAttrs;
  llvm::SMLoc signatureLoc = parser.getCurrentLocation();
  if (parseParameters(parser, arguments, argumentTypes, argumentAttrs) ||
      parseResults(parser, resultTypes, resultAttrs))
    return failure();
  properties.setFunctionType(TypeAttr::get(builder.getFunctionType(argumentTypes, resultTypes)));
  auto setAttrs = [&](ArrayRef<DictionaryAttr> list, auto setter) {
    if (llvm::none_of(list, [](DictionaryAttr d) { return d && !d.empty(); }))
      return;
    SmallVector<Attribute> dictionaries;
    for (DictionaryAttr dictionary : list)
      dictionaries.push_back(dictionary ? dictionary : builder.getDictionaryAttr({}));
    setter(builder.getArrayAttr(dictionaries));
  };
  setAttrs(argumentAttrs, [&](ArrayAttr attr) { properties.setArgAttrs(attr); });
  setAttrs(resultAttrs, [&](ArrayAttr attr) { properties.setResAttrs(attr); });
  auto parseNamed = [&](StringRef word, auto symbolize, auto setter) -> ParseResult {
    if (failed(parser.parseOptionalKeyword(word)))
      return success();
    llvm::SMLoc valueLoc = parser.getCurrentLocation();
    StringRef value;
    if (parser.parseKeyword(&value))
      return failure();
    auto symbol = symbolize(value);
    if (!symbol)
      return parser.emitError(valueLoc, "expects a ") << word << ", but got '" << value << "'";
    setter(*symbol);
    return success();
  };
  if (parseNamed(
          "level", [](StringRef s) { return symbolizeLevel(s); },
          [&](Level l) { properties.setLevel(LevelAttr::get(builder.getContext(), l)); }) ||
      parseNamed(
          "role", [](StringRef s) { return symbolizeRole(s); },
          [&](Role r) { properties.setRole(RoleAttr::get(builder.getContext(), r)); }) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Region *body = result.addRegion();
  llvm::SMLoc bodyLoc = parser.getCurrentLocation();
  OptionalParseResult parsed =
      parser.parseOptionalRegion(*body, arguments, /*enableNameShadowing=*/false);
  if (!parsed.has_value())
    return success();
  if (failed(*parsed))
    return failure();
  if (arguments.size() != argumentTypes.size())
    return parser.emitError(signatureLoc, "expects named parameters in a definition");
  if (body->empty())
    return parser.emitError(bodyLoc, "expects a body that is not empty");
  return success();
}

void FuncOp::print(OpAsmPrinter &printer) {
  if (std::optional<StringRef> visibility = getSymVisibility())
    printer << ' ' << *visibility;
  if (getKind() != FuncKind::Opaque)
    printer << ' ' << stringifyFuncKind(getKind());
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << '(';
  for (unsigned i = 0, e = getNumArguments(); i != e; ++i) {
    if (i)
      printer << ", ";
    Direction direction = getDirection(i);
    if (direction != Direction::In)
      printer << stringifyDirection(direction) << ' ';
    if (isExternal())
      printer << getArgumentTypes()[i];
    else
      printer.printRegionArgument(getArgument(i), {}, /*omitType=*/false);
    NamedAttrList attrs(getArgAttrDict(i));
    attrs.erase(getDirectionAttrName());
    printer.printOptionalAttrDict(attrs);
  }
  printer << ')';
  if (unsigned e = getNumResults()) {
    printer << " -> ";
    bool isPlain = e == 1 && (!getResultAttrDict(0) || getResultAttrDict(0).empty());
    if (!isPlain)
      printer << '(';
    for (unsigned i = 0; i != e; ++i) {
      if (i)
        printer << ", ";
      printer << getResultTypes()[i];
      if (DictionaryAttr attrs = getResultAttrDict(i))
        printer.printOptionalAttrDict(attrs.getValue());
    }
    if (!isPlain)
      printer << ')';
  }
  if (std::optional<Level> level = getLevel())
    printer << " level " << stringifyLevel(*level);
  if (std::optional<Role> role = getRole())
    printer << " role " << stringifyRole(*role);
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getSymNameAttrName(), getFunctionTypeAttrName(), getKindAttrName(),
                            getLevelAttrName(), getRoleAttrName(), getSymVisibilityAttrName(),
                            getArgAttrsAttrName(), getResAttrsAttrName()});
  if (!isExternal()) {
    printer << ' ';
    printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
  }
}

//===- FuncOp: verification -------------------------------------------------------===//

static bool isTile(Type type) {
  return isa<ExtentTypeInterface>(type) && !isa<pl::TensorType>(type);
}

LogicalResult FuncOp::verify() {
  if (isExternal() && !isPrivate())
    return emitOpError("C6: expects a body, or 'private' for a declaration");
  for (auto [index, type] : llvm::enumerate(getArgumentTypes())) {
    Direction direction = getDirection(index);
    if (direction != Direction::In && !isa<pl::TensorType, VarType, ArrayType>(type) &&
        !isTile(type))
      return emitOpError() << "C1: expects '" << stringifyDirection(direction)
                           << "' on a tensor, a cell or an array, but parameter " << index << " is "
                           << type;
    if (isa<VarType>(type) && !isInline())
      return emitOpError()
             << "C2: expects cells as parameters of 'inline' functions only, but parameter "
             << index << " is " << type;
    if (isTile(type) && !isInline())
      return emitOpError()
             << "C3: expects tiles as parameters of 'inline' functions only, but parameter "
             << index << " is " << type;
  }
  for (auto [index, type] : llvm::enumerate(getResultTypes())) {
    if (isa<VarType>(type))
      return emitOpError() << "C2: expects values as results, but result " << index << " is "
                           << type;
    if (isTile(type) && !isInline())
      return emitOpError() << "C3: expects tiles as results of 'inline' functions only, but result "
                           << index << " is " << type;
  }
  return success();
}

namespace {
/// C4 and C5: walks the body with the names that are in scope.
class SymbolScopes {
public:
  explicit SymbolScopes(FuncOp func) : func(func) {
    for (Type type : func.getArgumentTypes()) {
      auto shaped = dyn_cast<ExtentTypeInterface>(type);
      if (!shaped)
        continue;
      for (ExtentAttr extent :
           llvm::concat<const ExtentAttr>(shaped.getExtents(), shaped.getValid()))
        if (extent.isSymbol())
          declared.insert(extent.getSymbolName());
    }
  }

  LogicalResult checkSignature() {
    for (Type type : llvm::concat<const Type>(func.getArgumentTypes(), func.getResultTypes()))
      if (failed(checkType(func, type, declared)))
        return failure();
    return success();
  }

  LogicalResult checkBlock(Block &block, llvm::DenseSet<StringAttr> &scope) {
    SmallVector<StringAttr> bound;
    llvm::scope_exit leave([&] {
      for (StringAttr name : bound)
        scope.erase(name);
    });
    for (BlockArgument argument : block.getArguments())
      if (failed(checkType(block.getParentOp(), argument.getType(), scope)))
        return failure();
    for (Operation &op : block) {
      if (auto symbol = dyn_cast<SymbolOp>(op)) {
        StringAttr name = symbol.getSymAttr().getAttr();
        if (!scope.insert(name).second)
          return symbol.emitOpError() << "C1: symbol '" << name.getValue() << "' is bound already";
        bound.push_back(name);
      }
      for (Type type : op.getResultTypes())
        if (failed(checkType(&op, type, scope)))
          return failure();
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          if (failed(checkBlock(inner, scope)))
            return failure();
    }
    return success();
  }

  llvm::DenseSet<StringAttr> declared;

private:
  LogicalResult checkType(Operation *op, Type type, const llvm::DenseSet<StringAttr> &scope) {
    // Types are unique: one that was found in order needs no second look as long as names only come
    // and go in blocks that it does not mention.
    if (!hasSymbols(type))
      return success();
    StringAttr missing;
    forEachSymbol(type, [&](StringAttr name) {
      if (!scope.contains(name))
        missing = name;
    });
    if (missing)
      return op->emitOpError()
             << "C4: symbol '" << missing.getValue() << "' in " << type
             << " is not declared: expects a parameter with an extent of this name, or a "
                "'pl.symbol' before";
    if (isTile(type))
      for (ExtentAttr extent : cast<ExtentTypeInterface>(type).getExtents())
        if (!extent.isConstant())
          return op->emitOpError()
                 << "C5: expects static physical extents of a tile, but got " << type;
    return success();
  }

  FuncOp func;
};
} // namespace

LogicalResult FuncOp::verifyRegions() {
  if (!isExternal() && !isa<ReturnOp>(getBody().front().getTerminator()))
    return emitOpError("C6: expects a body that ends with 'pl.return'");
  if (isInline())
    return success();
  SymbolScopes scopes(*this);
  if (failed(scopes.checkSignature()))
    return failure();
  return isExternal() ? success() : scopes.checkBlock(getBody().front(), scopes.declared);
}

//===- ReturnOp, CallOp -------------------------------------------------------------===//

LogicalResult ReturnOp::verify() {
  auto func = cast<FuncOp>((*this)->getParentOp());
  ArrayRef<Type> expected = func.getResultTypes();
  if (expected.size() != getNumOperands())
    return emitOpError() << "C1: expects " << expected.size() << " values, as '"
                         << func.getSymName() << "' declares, but got " << getNumOperands();
  for (auto [index, declared, actual] : llvm::enumerate(expected, getOperandTypes()))
    if (!areCompatible(declared, actual))
      return emitOpError() << "C1: expects value " << index << " of type " << declared
                           << ", but got " << actual;
  return success();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  if (std::optional<ArrayRef<int64_t>> dumps = getDumps())
    for (int64_t index : *dumps)
      if (index < 0 || index >= static_cast<int64_t>(getNumOperands()))
        return emitOpError() << "C5: expects dump marks on its operands, but got " << index;
  return verifyCall(*this, getCalleeAttr(), getOperands(), getResultTypes(), symbolTable);
}
