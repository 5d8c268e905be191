// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbolic extents of a callee in terms of its caller.
#include "InlineFunctionsExpansion.h"

#include "pypto/Dialect/Tile/IR/TileOps.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;
using namespace pypto::pl::inlining;

InFlightDiagnostic Inliner::emitError(const Expansion &expansion) {
  const Expansion *outermost = &expansion;
  while (outermost->outer)
    outermost = outermost->outer;
  CallOp call = outermost->call;
  return call.emitOpError() << "cannot inline '" << expansion.callee->func.getSymName() << "': ";
}

ExtentAttr Inliner::resolve(const Expansion &expansion, StringAttr name, Unresolved &why) {
  for (const Expansion *inner = &expansion; inner; inner = inner->outer) {
    if (auto it = inner->locals.find(name); it != inner->locals.end())
      return ExtentAttr::getSymbol(it->second);
    ExtentAttr bound = inner->bindings.lookup(name);
    if (bound && !inner->bindings.isAmbiguous(name))
      return bound;
    if (bound) {
      why.isAmbiguous = true;
      why.reason =
          ("two arguments bind symbol '" + name.getValue() + "' to different extents").str();
      return {};
    }
  }
  if (!checksScope || scope.contains(name))
    return ExtentAttr::getSymbol(name);
  why.reason =
      ("symbol '" + name.getValue() + "' is bound by no argument and not known to the caller")
          .str();
  return {};
}

static ArrayRef<ExtentAttr> getStrides(Type type) {
  auto tensor = dyn_cast<pl::TensorType>(type);
  return tensor ? tensor.getStrides() : ArrayRef<ExtentAttr>();
}

/// The type with these parts, or null with what the type's verifier says.
static Type getChecked(ExtentTypeInterface type, ArrayRef<ExtentAttr> extents,
                       ArrayRef<ExtentAttr> valid, ArrayRef<ExtentAttr> strides,
                       std::string &reason) {
  MLIRContext *context = type.getContext();
  // Costs nothing as long as the type is right.
  std::optional<ScopedDiagnosticHandler> handler;
  auto emit = [&] {
    handler.emplace(context, [&](Diagnostic &diag) {
      reason = diag.str();
      return success();
    });
    return mlir::emitError(UnknownLoc::get(context));
  };
  if (auto tensor = dyn_cast<pl::TensorType>(type))
    return pl::TensorType::getChecked(emit, context, extents, type.getElementType(), valid, strides,
                                      tensor.getLayout(), tensor.getPad());
  if (auto tile = dyn_cast<tile::TileType>(type))
    return tile::TileType::getChecked(emit, context, extents, type.getElementType(),
                                      tile.getSpace(), valid);
  return type.cloneWith(extents, valid, type.getElementType());
}

static void addNote(InFlightDiagnostic &diag, Operation *op) {
  if (op)
    diag.attachNote(op->getLoc()) << "type of this operation";
}

Type Inliner::rebuild(ExtentTypeInterface type, ArrayRef<ExtentAttr> extents,
                      ArrayRef<ExtentAttr> valid, ArrayRef<ExtentAttr> strides,
                      Expansion *expansion, Operation *op) {
  if (extents == type.getExtents() && valid == type.getValid() && strides == getStrides(type))
    return type;
  std::string reason;
  Type result;
  const auto *symbolic = llvm::find_if(extents, [](ExtentAttr e) { return !e.isConstant(); });
  bool isTile = isa<tile::TileType>(type);
  if (isTile && symbolic != extents.end() && (checksScope || symbolic->isDynamic())) {
    ExtentAttr formal = type.getExtents()[symbolic - extents.begin()];
    reason = "the physical extents of tiles are static";
    if (!formal.getSymbols().empty())
      reason += ", but symbol '" + formal.getSymbols().front().str() + "' is not";
  } else {
    result = getChecked(type, extents, valid, strides, reason);
  }
  if (result || !op)
    return result;
  InFlightDiagnostic diag = expansion ? emitError(*expansion) : op->emitOpError();
  diag << reason;
  addNote(diag, op);
  return {};
}

Type Inliner::substitute(Type type, Expansion &expansion, Operation *op) {
  if (auto it = expansion.types.find(type); it != expansion.types.end())
    return it->second;
  if (auto cell = dyn_cast<VarType>(type)) {
    Type value = substitute(cell.getValueType(), expansion, op);
    return value ? VarType::get(value.getContext(), value) : Type();
  }
  auto shaped = dyn_cast<ExtentTypeInterface>(type);
  if (!shaped || !hasSymbols(type))
    return expansion.types[type] = type;
  Unresolved why;
  bool isExact = true;
  auto map = [&](ArrayRef<ExtentAttr> extents) {
    return llvm::map_to_vector(extents, [&](ExtentAttr extent) {
      return extent.substitute([&](StringAttr name) {
        ExtentAttr value = resolve(expansion, name, why);
        isExact &= static_cast<bool>(value);
        return value ? value : ExtentAttr::getDynamic(name.getContext());
      });
    });
  };
  SmallVector<ExtentAttr> extents = map(shaped.getExtents()), valid = map(shaped.getValid()),
                          strides = map(getStrides(type));
  if (!isExact && op) {
    InFlightDiagnostic diag = emitError(expansion) << why.reason;
    addNote(diag, op);
    return {};
  }
  Type result = rebuild(shaped, extents, valid, strides, &expansion, op);
  if (isExact && result)
    expansion.types[type] = result;
  return result;
}

Type Inliner::follow(Operation *op, TypeRange oldOperands, Type type, Expansion *expansion) {
  auto shaped = dyn_cast<ExtentTypeInterface>(type);
  if (!expansion || !shaped || !hasSymbols(type))
    return type;
  if (auto it = expansion->types.find(type); it != expansion->types.end())
    return it->second;
  Unresolved why;
  // What the operands that had an extent have in its place; null unless they agree.
  auto findInOperands = [&](ExtentAttr extent) {
    ExtentAttr found;
    for (auto [old, current] : llvm::zip_equal(oldOperands, op->getOperandTypes())) {
      auto from = dyn_cast<ExtentTypeInterface>(old), to = dyn_cast<ExtentTypeInterface>(current);
      if (!from || !to || from.getExtents().size() != to.getExtents().size())
        continue;
      for (auto [before, after] : llvm::zip_equal(from.getExtents(), to.getExtents())) {
        if (before != extent)
          continue;
        if (found && found != after)
          return ExtentAttr();
        found = after;
      }
    }
    return found;
  };
  bool isExact = true;
  auto map = [&](ArrayRef<ExtentAttr> extents) {
    return llvm::map_to_vector(extents, [&](ExtentAttr extent) {
      bool isKnown = true;
      ExtentAttr result = extent.substitute([&](StringAttr name) {
        ExtentAttr value = resolve(*expansion, name, why);
        isKnown &= static_cast<bool>(value);
        return value;
      });
      if (!isKnown)
        result = findInOperands(extent);
      isExact &= static_cast<bool>(result);
      return result ? result : extent;
    });
  };
  SmallVector<ExtentAttr> extents = map(shaped.getExtents()), valid = map(shaped.getValid()),
                          strides = map(getStrides(type));
  if (!isExact) {
    InFlightDiagnostic diag = emitError(*expansion)
                              << why.reason << ", but '" << op->getName() << "' has to spell it";
    addNote(diag, op);
    if (why.isAmbiguous)
      diag.attachNote(expansion->callee->func.getLoc())
          << "give the parameters of '" << expansion->callee->func.getSymName()
          << "' distinct symbols, one for each extent that the body spells";
    return {};
  }
  return rebuild(shaped, extents, valid, strides, expansion, op);
}

Type Inliner::transfer(Type from, Type to, Type type, Expansion *expansion, Operation *op) {
  if (type == from)
    return to;
  auto source = dyn_cast<ExtentTypeInterface>(from), target = dyn_cast<ExtentTypeInterface>(to),
       shaped = dyn_cast<ExtentTypeInterface>(type);
  if (!source || !target || !shaped || from.getTypeID() != type.getTypeID() ||
      to.getTypeID() != type.getTypeID() ||
      source.getExtents().size() != shaped.getExtents().size() ||
      source.getExtents().size() != target.getExtents().size())
    return expansion ? substitute(type, *expansion, op) : type;

  // Parts that the type shares with `from` are those of `to`; of the others the text decides.
  Unresolved why;
  auto own = [&](ExtentAttr extent) {
    if (!expansion)
      return extent;
    return extent.substitute([&](StringAttr name) {
      ExtentAttr value = resolve(*expansion, name, why);
      return value ? value : ExtentAttr::getDynamic(name.getContext());
    });
  };
  SmallVector<ExtentAttr> extents, valid, strides;
  for (auto [before, after, extent] :
       llvm::zip_equal(source.getExtents(), target.getExtents(), shaped.getExtents()))
    extents.push_back(extent == before ? after : own(extent));
  if (shaped.getValid() != source.getValid() ? !shaped.getValid().empty()
                                             : !target.getValid().empty())
    for (auto [index, before, after, extent] : llvm::enumerate(
             getValidOrExtents(source), getValidOrExtents(target), getValidOrExtents(shaped)))
      valid.push_back(extent == before                       ? after
                      : extent == shaped.getExtents()[index] ? extents[index]
                                                             : own(extent));
  if (getStrides(type) == getStrides(from))
    strides.assign(getStrides(to).begin(), getStrides(to).end());
  else
    llvm::append_range(strides, llvm::map_range(getStrides(type), own));
  // Start from the type that has the placement of `to` where the text does not change it.
  ExtentTypeInterface base = shaped;
  if (auto tensor = dyn_cast<pl::TensorType>(type)) {
    auto before = cast<pl::TensorType>(from), after = cast<pl::TensorType>(to);
    base = pl::TensorType::get(
        type.getContext(), tensor.getExtents(), after.getElementType(), tensor.getValid(),
        tensor.getStrides(),
        tensor.getLayout() == before.getLayout() ? after.getLayout() : tensor.getLayout(),
        tensor.getPad() == before.getPad() ? after.getPad() : tensor.getPad());
  } else if (auto tile = dyn_cast<tile::TileType>(type)) {
    if (tile.getSpace() == cast<tile::TileType>(from).getSpace())
      base = tile.withSpace(cast<tile::TileType>(to).getSpace());
  }
  return rebuild(base, extents, valid, strides, expansion, op);
}

/// `exact` with `?` where `declared` has it: what may vary, the text says.
static SmallVector<ExtentAttr> keepUnknown(ArrayRef<ExtentAttr> declared,
                                           ArrayRef<ExtentAttr> exact) {
  SmallVector<ExtentAttr> result(exact);
  for (auto [extent, known] : llvm::zip(declared, result))
    if (extent.isDynamic())
      known = extent;
  return result;
}

Type Inliner::makeCellType(Type declared, Type exact) {
  auto from = dyn_cast<pl::TensorType>(declared), to = dyn_cast<pl::TensorType>(exact);
  if (!from || !to || from.getRank() != to.getRank())
    return exact;
  SmallVector<ExtentAttr> extents = keepUnknown(from.getExtents(), to.getExtents());
  SmallVector<ExtentAttr> valid;
  if (!to.getValid().empty())
    valid = keepUnknown(from.getValidOrExtents(), to.getValid());
  SmallVector<ExtentAttr> strides = keepUnknown(from.getStrides(), to.getStrides());
  return pl::TensorType::get(exact.getContext(), extents, to.getElementType(), valid, strides,
                             to.getLayout(), to.getPad());
}
