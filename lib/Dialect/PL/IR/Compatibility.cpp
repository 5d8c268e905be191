// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When two types may stand for the same value, and what their join is.
#include "pypto/Dialect/PL/IR/TypeRules.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

SmallVector<int64_t> pl::getStaticShape(ArrayRef<ExtentAttr> extents) {
  return llvm::map_to_vector(extents, [](ExtentAttr extent) { return extent.getStatic(); });
}

unsigned pl::getNumDynamic(ArrayRef<ExtentAttr> extents) {
  return llvm::count_if(extents, [](ExtentAttr extent) { return extent.isDynamic(); });
}

unsigned pl::getNumDynamic(ExtentTypeInterface type) {
  return getNumDynamic(type.getExtents()) + getNumDynamic(type.getValid());
}

void pl::forEachSymbol(Type type, function_ref<void(StringAttr)> fn) {
  auto visit = [&](ArrayRef<ExtentAttr> extents) {
    for (ExtentAttr extent : extents)
      for (StringAttr name : extent.getSymbols())
        fn(name);
  };
  if (auto shaped = dyn_cast<ExtentTypeInterface>(type)) {
    visit(shaped.getExtents());
    visit(shaped.getValid());
    if (auto tensor = dyn_cast<pl::TensorType>(type))
      visit(tensor.getStrides());
  } else if (auto var = dyn_cast<VarType>(type)) {
    forEachSymbol(var.getValueType(), fn);
  } else if (auto function = dyn_cast<FunctionType>(type)) {
    for (Type part : llvm::concat<const Type>(function.getInputs(), function.getResults()))
      forEachSymbol(part, fn);
  }
}

bool pl::hasSymbols(Type type) {
  bool found = false;
  forEachSymbol(type, [&](StringAttr) { found = true; });
  return found;
}

std::optional<SmallVector<ExtentAttr>> pl::broadcastExtents(ArrayRef<ExtentAttr> lhs,
                                                            ArrayRef<ExtentAttr> rhs) {
  if (lhs.size() < rhs.size())
    std::swap(lhs, rhs);
  SmallVector<ExtentAttr> result(lhs);
  auto isOne = [](ExtentAttr e) { return e.isConstant() && e.getConstant() == 1; };
  for (auto [out, right] : llvm::zip_equal(MutableArrayRef(result).take_back(rhs.size()), rhs)) {
    ExtentAttr left = out;
    if (left == right || isOne(right))
      continue;
    if (isOne(left))
      out = right;
    else if (left.isConstant() && right.isConstant())
      return std::nullopt;
    else if (right.isConstant())
      out = right;
    else if (!left.isConstant())
      out = ExtentAttr::getDynamic(left.getContext());
  }
  return result;
}

/// No two constants that differ.
static bool agree(ArrayRef<ExtentAttr> lhs, ArrayRef<ExtentAttr> rhs) {
  return llvm::all_of(llvm::zip_equal(lhs, rhs), [](auto pair) {
    auto [left, right] = pair;
    return !left.isConstant() || !right.isConstant() || left == right;
  });
}

bool pl::areCompatible(Type lhs, Type rhs) {
  if (lhs == rhs)
    return true;
  if (lhs.getTypeID() != rhs.getTypeID())
    return false;
  if (auto var = dyn_cast<VarType>(lhs))
    return areCompatible(var.getValueType(), cast<VarType>(rhs).getValueType());
  auto left = dyn_cast<ExtentTypeInterface>(lhs), right = dyn_cast<ExtentTypeInterface>(rhs);
  return left && right && left.getElementType() == right.getElementType() &&
         left.getExtents().size() == right.getExtents().size() &&
         agree(left.getExtents(), right.getExtents()) && left.isPlacementCompatible(rhs);
}

bool pl::areCompatible(TypeRange lhs, TypeRange rhs) {
  return lhs.size() == rhs.size() && llvm::all_of(llvm::zip_equal(lhs, rhs), [](auto pair) {
           return areCompatible(std::get<0>(pair), std::get<1>(pair));
         });
}

Type pl::joinTypes(Type lhs, Type rhs) {
  if (lhs == rhs)
    return lhs;
  auto left = dyn_cast<ExtentTypeInterface>(lhs), right = dyn_cast<ExtentTypeInterface>(rhs);
  if (!left || !right || lhs.getTypeID() != rhs.getTypeID() ||
      left.getElementType() != right.getElementType() ||
      left.getExtents().size() != right.getExtents().size())
    return {};
  auto joined = [](ArrayRef<ExtentAttr> a, ArrayRef<ExtentAttr> b) {
    SmallVector<ExtentAttr> result;
    for (auto [x, y] : llvm::zip_equal(a, b))
      result.push_back(x == y ? x : ExtentAttr::getDynamic(x.getContext()));
    return result;
  };
  auto validOf = [](ExtentTypeInterface type) {
    return type.getValid().empty() ? type.getExtents() : type.getValid();
  };
  SmallVector<ExtentAttr> extents = joined(left.getExtents(), right.getExtents());
  SmallVector<ExtentAttr> valid;
  // `?` against `?` says nothing: keep an explicit valid shape only if one side has one.
  if (!left.getValid().empty() || !right.getValid().empty())
    valid = joined(validOf(left), validOf(right));
  if (auto tensor = dyn_cast<pl::TensorType>(lhs)) {
    auto other = cast<pl::TensorType>(rhs);
    if (tensor.getLayout() != other.getLayout())
      return {};
    SmallVector<ExtentAttr> strides;
    if (tensor.getStrides().size() == other.getStrides().size())
      strides = joined(tensor.getStrides(), other.getStrides());
    return pl::TensorType::get(lhs.getContext(), extents, tensor.getElementType(), valid, strides,
                               tensor.getLayout(),
                               tensor.getPad() == other.getPad() ? tensor.getPad() : Pad::Null);
  }
  if (llvm::any_of(extents, [](ExtentAttr extent) { return extent.isDynamic(); }))
    return {};
  Type join = left.cloneWith(extents, valid, left.getElementType());
  Type other = right.cloneWith(extents, valid, left.getElementType());
  return join == other ? join : Type();
}

Type pl::substituteSymbols(Type type, function_ref<ExtentAttr(StringAttr)> lookup) {
  auto map = [&](ArrayRef<ExtentAttr> extents) {
    return llvm::map_to_vector(extents,
                               [&](ExtentAttr extent) { return extent.substitute(lookup); });
  };
  auto silent = [] { return InFlightDiagnostic(); };
  MLIRContext *context = type.getContext();
  if (auto tensor = dyn_cast<pl::TensorType>(type)) {
    SmallVector<ExtentAttr> extents = map(tensor.getExtents()), valid = map(tensor.getValid()),
                            strides = map(tensor.getStrides());
    return pl::TensorType::getChecked(silent, context, ArrayRef(extents), tensor.getElementType(),
                                      ArrayRef(valid), ArrayRef(strides), tensor.getLayout(),
                                      tensor.getPad());
  }
  if (auto var = dyn_cast<VarType>(type)) {
    Type value = substituteSymbols(var.getValueType(), lookup);
    return value ? VarType::get(context, value) : Type();
  }
  auto shaped = dyn_cast<ExtentTypeInterface>(type);
  if (!shaped)
    return type;
  // On chip every physical extent is known and none is zero.
  SmallVector<ExtentAttr> extents = map(shaped.getExtents()), valid = map(shaped.getValid());
  bool isAllowed =
      succeeded(verifyShape(silent, extents, shaped.getElementType(), valid)) &&
      llvm::all_of(extents, [](ExtentAttr extent) {
        return !extent.isDynamic() && (!extent.isConstant() || extent.getConstant() > 0);
      });
  return isAllowed ? shaped.cloneWith(extents, valid, shaped.getElementType()) : Type();
}
