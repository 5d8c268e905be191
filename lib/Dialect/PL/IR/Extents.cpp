// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `#pl.extent`: arithmetic, substitution, parsing and printing.
#include "pypto/Dialect/PL/IR/PL.h"
#include "pypto/Dialect/PL/IR/TypeRules.h"

#include "mlir/IR/AffineExprVisitor.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace pypto;
using namespace pypto::pl;

//===- Construction -------------------------------------------------------===//

ExtentAttr ExtentAttr::get(MLIRContext *context, int64_t value) {
  return get(context, ArrayRef<StringAttr>(), getAffineConstantExpr(value, context));
}

ExtentAttr ExtentAttr::getDynamic(MLIRContext *context) {
  return get(context, ArrayRef<StringAttr>(), getAffineDimExpr(0, context));
}

ExtentAttr ExtentAttr::getSymbol(StringAttr name) {
  return get(name.getContext(), name, getAffineSymbolExpr(0, name.getContext()));
}

ExtentAttr ExtentAttr::getSimplified(AffineExpr expr, ArrayRef<StringAttr> symbols) {
  MLIRContext *context = expr.getContext();
  if (expr.isFunctionOfDim(0))
    return getDynamic(context);
  // Order the names before simplifying: the order of symbols decides the order of terms.
  SmallVector<StringAttr> names(symbols);
  llvm::sort(names, [](StringAttr a, StringAttr b) { return a.getValue() < b.getValue(); });
  names.erase(llvm::unique(names), names.end());
  auto renumber = [&](AffineExpr e, ArrayRef<StringAttr> from, ArrayRef<StringAttr> to) {
    SmallVector<AffineExpr> replacements;
    for (StringAttr name : from) {
      const auto *it = llvm::find(to, name);
      replacements.push_back(getAffineSymbolExpr(it == to.end() ? 0 : it - to.begin(), context));
    }
    return e.replaceSymbols(replacements);
  };
  expr = simplifyAffineExpr(renumber(expr, symbols, names), 0, names.size());
  SmallVector<StringAttr> used;
  for (auto [index, name] : llvm::enumerate(names))
    if (expr.isFunctionOfSymbol(index))
      used.push_back(name);
  return get(context, used, renumber(expr, names, used));
}

LogicalResult ExtentAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<StringAttr> symbols, AffineExpr expr) {
  unsigned highest = 0;
  expr.walk([&](AffineExpr e) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(e))
      highest = std::max(highest, symbol.getPosition() + 1);
  });
  if (highest > symbols.size())
    return emitError() << "C1: expects a name for each symbol of an extent";
  return success();
}

//===- Queries ------------------------------------------------------------===//

bool ExtentAttr::isDynamic() const { return isa<AffineDimExpr>(getExpr()); }
bool ExtentAttr::isConstant() const { return isa<AffineConstantExpr>(getExpr()); }
bool ExtentAttr::isSymbol() const { return isa<AffineSymbolExpr>(getExpr()); }
int64_t ExtentAttr::getConstant() const { return cast<AffineConstantExpr>(getExpr()).getValue(); }
int64_t ExtentAttr::getStatic() const {
  return isConstant() ? getConstant() : ShapedType::kDynamic;
}
StringAttr ExtentAttr::getSymbolName() const { return getSymbols().front(); }

//===- Arithmetic ---------------------------------------------------------===//

/// Appends the names of `extent` to `names` and returns its expression over them.
static AffineExpr appendSymbols(ExtentAttr extent, SmallVectorImpl<StringAttr> &names) {
  unsigned shift = names.size();
  names.append(extent.getSymbols().begin(), extent.getSymbols().end());
  return extent.getExpr().shiftSymbols(extent.getSymbols().size(), shift);
}

/// An upper bound for the constants that simplifying `expr` can make, saturating.
static uint64_t getMagnitude(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    int64_t value = constant.getValue();
    return value < 0 ? -static_cast<uint64_t>(value) : value;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return 1;
  uint64_t lhs = getMagnitude(binary.getLHS()), rhs = getMagnitude(binary.getRHS());
  return expr.getKind() == AffineExprKind::Mul ? llvm::SaturatingMultiply(lhs, rhs)
                                               : llvm::SaturatingAdd(lhs, rhs);
}

ExtentAttr ExtentAttr::getBinary(AffineExprKind kind, ExtentAttr lhs, ExtentAttr rhs) {
  auto isZero = [](ExtentAttr e) { return e.isConstant() && e.getConstant() == 0; };
  if (kind == AffineExprKind::Mul && (isZero(lhs) || isZero(rhs)))
    return get(lhs.getContext(), 0);
  bool divides = kind != AffineExprKind::Add && kind != AffineExprKind::Mul;
  // A constant divisor that is not positive has no meaning for extents; keep it unknown.
  if (lhs.isDynamic() || rhs.isDynamic() || (divides && rhs.isConstant() && rhs.getConstant() <= 0))
    return getDynamic(lhs.getContext());
  uint64_t left64 = getMagnitude(lhs.getExpr()), right64 = getMagnitude(rhs.getExpr());
  // What would overflow is not a size: unknown rather than wrong.
  constexpr uint64_t kLimit = INT64_MAX;
  if (std::max(left64, right64) > kLimit ||
      (kind == AffineExprKind::Mul ? llvm::SaturatingMultiply(left64, right64)
                                   : llvm::SaturatingAdd(left64, right64)) > kLimit)
    return getDynamic(lhs.getContext());
  SmallVector<StringAttr> names;
  AffineExpr left = appendSymbols(lhs, names);
  AffineExpr right = appendSymbols(rhs, names);
  return getSimplified(getAffineBinaryOpExpr(kind, left, right), names);
}

ExtentAttr ExtentAttr::operator-(ExtentAttr rhs) const {
  return *this + rhs * get(getContext(), -1);
}

ExtentAttr ExtentAttr::substitute(function_ref<ExtentAttr(StringAttr)> lookup) const {
  if (getSymbols().empty())
    return *this;
  SmallVector<StringAttr> names;
  SmallVector<AffineExpr> replacements;
  bool changed = false;
  for (StringAttr name : getSymbols()) {
    ExtentAttr value = lookup(name);
    changed |= static_cast<bool>(value);
    if (value && value.isDynamic())
      return value;
    replacements.push_back(appendSymbols(value ? value : getSymbol(name), names));
  }
  if (!changed)
    return *this;
  AffineExpr replaced = getExpr().replaceSymbols(replacements);
  bool hasMeaning = getMagnitude(replaced) <= INT64_MAX;
  replaced.walk([&](AffineExpr part) {
    auto divisor = isa<AffineBinaryOpExpr>(part) && part.getKind() > AffineExprKind::Mul
                       ? dyn_cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(part).getRHS())
                       : AffineConstantExpr();
    hasMeaning &= !divisor || divisor.getValue() > 0;
  });
  return hasMeaning ? getSimplified(replaced, names) : getDynamic(getContext());
}

//===- Printing -----------------------------------------------------------===//

namespace {
enum class Precedence { Sum, Product, Atom };
} // namespace

static void printExpr(raw_ostream &os, AffineExpr expr, ArrayRef<StringAttr> names,
                      Precedence outer);

/// The term without its sign if that is a minus: `b * c` for `b * -c`. Null otherwise.
static AffineExpr getNegated(AffineExpr term) {
  auto product = dyn_cast<AffineBinaryOpExpr>(term);
  bool isProduct = product && product.getKind() == AffineExprKind::Mul;
  auto factor = dyn_cast<AffineConstantExpr>(isProduct ? product.getRHS() : term);
  if (!factor || factor.getValue() >= 0 || factor.getValue() == INT64_MIN)
    return {};
  AffineExpr positive = getAffineConstantExpr(-factor.getValue(), term.getContext());
  return isProduct ? product.getLHS() * positive : positive;
}

/// `N - M` rather than `M * -1 + N`: terms with a minus stand behind the first one without.
static void printSum(raw_ostream &os, AffineExpr sum, ArrayRef<StringAttr> names) {
  SmallVector<AffineExpr> terms;
  for (auto binary = dyn_cast<AffineBinaryOpExpr>(sum);
       binary && binary.getKind() == AffineExprKind::Add;
       binary = dyn_cast<AffineBinaryOpExpr>(sum)) {
    terms.push_back(binary.getRHS());
    sum = binary.getLHS();
  }
  terms.push_back(sum);
  std::reverse(terms.begin(), terms.end());
  auto *first = llvm::find_if(terms, [](AffineExpr term) { return !getNegated(term); });
  if (first != terms.end())
    std::rotate(terms.begin(), first, first + 1);
  printExpr(os, terms.front(), names, Precedence::Sum);
  for (AffineExpr term : ArrayRef(terms).drop_front()) {
    AffineExpr negated = getNegated(term);
    os << (negated ? " - " : " + ");
    printExpr(os, negated ? negated : term, names, Precedence::Product);
  }
}

static StringRef getOperator(AffineExprKind kind) {
  switch (kind) {
  case AffineExprKind::Mul:
    return " * ";
  case AffineExprKind::FloorDiv:
    return " floordiv ";
  case AffineExprKind::CeilDiv:
    return " ceildiv ";
  default:
    return " mod ";
  }
}

static void printExpr(raw_ostream &os, AffineExpr expr, ArrayRef<StringAttr> names,
                      Precedence outer) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    os << constant.getValue();
    return;
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    os << names[symbol.getPosition()].getValue();
    return;
  }
  if (isa<AffineDimExpr>(expr)) {
    os << '?';
    return;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  bool isSum = expr.getKind() == AffineExprKind::Add;
  bool parenthesize = outer > (isSum ? Precedence::Sum : Precedence::Product);
  if (parenthesize)
    os << '(';
  if (isSum) {
    printSum(os, expr, names);
  } else {
    printExpr(os, binary.getLHS(), names, Precedence::Product);
    os << getOperator(expr.getKind());
    printExpr(os, binary.getRHS(), names, Precedence::Atom);
  }
  if (parenthesize)
    os << ')';
}

void ExtentAttr::printExpression(raw_ostream &os) const {
  printExpr(os, getExpr(), getSymbols(), Precedence::Sum);
}

void ExtentAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printExpression(printer.getStream());
  printer << '>';
}

void pl::printExtentList(AsmPrinter &printer, ArrayRef<ExtentAttr> extents) {
  printer << '[';
  llvm::interleaveComma(extents, printer.getStream(),
                        [&](ExtentAttr extent) { extent.printExpression(printer.getStream()); });
  printer << ']';
}

//===- Parsing --------------------------------------------------------------===//

namespace {
/// sum := product (('+' | '-') product)*; product := atom (('*' | floordiv | ceildiv | mod) atom)*;
/// atom := integer | name | '(' sum ')' | '-' atom
class ExtentParser {
public:
  explicit ExtentParser(AsmParser &parser) : parser(parser), context(parser.getContext()) {}

  ParseResult parse(ExtentAttr &result) {
    llvm::SMLoc loc = parser.getCurrentLocation();
    if (succeeded(parser.parseOptionalQuestion())) {
      result = ExtentAttr::getDynamic(context);
      return success();
    }
    if (parseSum(result))
      return failure();
    // Its parts are known, so only an overflow makes it unknown.
    if (result.isDynamic())
      return parser.emitError(loc, "expects an extent that fits in 64 bits");
    return success();
  }

private:
  // Bounds the recursion on hostile input.
  static constexpr unsigned kMaxDepth = 64;
  static constexpr unsigned kMaxAtoms = 256;

  ParseResult parseSum(ExtentAttr &result) {
    if (parseProduct(result))
      return failure();
    while (true) {
      ExtentAttr rhs;
      if (succeeded(parser.parseOptionalPlus())) {
        if (parseProduct(rhs))
          return failure();
        result = result + rhs;
      } else if (succeeded(parser.parseOptionalMinus())) {
        if (parseProduct(rhs))
          return failure();
        result = result - rhs;
      } else {
        // `N -1` lexes as a name and a negative integer.
        int64_t number;
        OptionalParseResult parsed = parser.parseOptionalInteger(number);
        if (!parsed.has_value())
          return success();
        if (failed(*parsed))
          return failure();
        return parser.emitError(parser.getCurrentLocation(),
                                "expects an operator between the parts of an extent");
      }
    }
  }

  ParseResult parseProduct(ExtentAttr &result) {
    if (parseAtom(result))
      return failure();
    while (true) {
      AffineExprKind kind;
      if (succeeded(parser.parseOptionalStar()))
        kind = AffineExprKind::Mul;
      else if (succeeded(parser.parseOptionalKeyword("floordiv")))
        kind = AffineExprKind::FloorDiv;
      else if (succeeded(parser.parseOptionalKeyword("ceildiv")))
        kind = AffineExprKind::CeilDiv;
      else if (succeeded(parser.parseOptionalKeyword("mod")))
        kind = AffineExprKind::Mod;
      else
        return success();
      llvm::SMLoc loc = parser.getCurrentLocation();
      ExtentAttr rhs;
      if (parseAtom(rhs))
        return failure();
      if (kind != AffineExprKind::Mul && rhs.isConstant() && rhs.getConstant() <= 0)
        return parser.emitError(loc, "expects a positive divisor, but got ") << rhs.getConstant();
      result = ExtentAttr::getBinary(kind, result, rhs);
    }
  }

  ParseResult parseAtom(ExtentAttr &result) {
    llvm::SMLoc loc = parser.getCurrentLocation();
    if (++numAtoms > kMaxAtoms)
      return parser.emitError(loc, "expects an extent of at most ") << kMaxAtoms << " parts";
    if (++depth > kMaxDepth)
      return parser.emitError(loc, "expects an extent of at most ") << kMaxDepth << " nested parts";
    llvm::scope_exit leave([&] { --depth; });
    // First: parseOptionalInteger takes a minus sign and then insists on a number.
    bool isNegated = succeeded(parser.parseOptionalMinus());
    APInt number;
    OptionalParseResult parsed = parser.parseOptionalInteger(number);
    if (parsed.has_value()) {
      if (failed(*parsed))
        return failure();
      APInt wide = number.zext(number.getBitWidth() + 2);
      if (isNegated)
        wide.negate();
      if (!wide.isSignedIntN(64))
        return parser.emitError(loc, "expects a number of 64 bits in an extent");
      result = ExtentAttr::get(context, wide.getSExtValue());
      return success();
    }
    if (isNegated) {
      if (parseAtom(result))
        return failure();
      result = ExtentAttr::get(context, -1) * result;
      return success();
    }
    if (succeeded(parser.parseOptionalLParen()))
      return failure(failed(parseSum(result)) || failed(parser.parseRParen()));
    StringRef name;
    if (succeeded(parser.parseOptionalKeyword(&name))) {
      if (name == "floordiv" || name == "ceildiv" || name == "mod")
        return parser.emitError(loc, "expects an extent, but got '") << name << "'";
      result = ExtentAttr::getSymbol(StringAttr::get(context, name));
      return success();
    }
    return parser.emitError(loc, "expects an extent: an integer, `?`, or an expression over names");
  }

  AsmParser &parser;
  MLIRContext *context;
  unsigned depth = 0;
  unsigned numAtoms = 0;
};
} // namespace

Attribute ExtentAttr::parse(AsmParser &parser, Type) {
  ExtentAttr result;
  if (parser.parseLess() || ExtentParser(parser).parse(result) || parser.parseGreater())
    return {};
  return result;
}

FailureOr<SmallVector<ExtentAttr>> pl::parseExtentList(AsmParser &parser) {
  SmallVector<ExtentAttr> extents;
  auto parseOne = [&]() -> ParseResult {
    return ExtentParser(parser).parse(extents.emplace_back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  return extents;
}
