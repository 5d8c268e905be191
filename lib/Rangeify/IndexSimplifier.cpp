// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Rangeify/IndexSimplifier.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace pypto::rangeify;

//===- Bounds -------------------------------------------------------------------===//

using Number = std::optional<int64_t>;

static Number add(Number a, Number b) {
  int64_t result;
  return a && b && !llvm::AddOverflow(*a, *b, result) ? Number(result) : std::nullopt;
}

static Number multiply(Number a, Number b) {
  int64_t result;
  return a && b && !llvm::MulOverflow(*a, *b, result) ? Number(result) : std::nullopt;
}

static Bounds add(Bounds a, Bounds b) { return {add(a.low, b.low), add(a.high, b.high)}; }

static Bounds scale(Bounds a, int64_t factor) {
  Bounds result{multiply(a.low, factor), multiply(a.high, factor)};
  if (factor < 0)
    std::swap(result.low, result.high);
  return factor == 0 ? Bounds::constant(0) : result;
}

static Bounds divide(Bounds a, int64_t divisor, int64_t (*rounded)(int64_t, int64_t)) {
  auto apply = [&](Number n) { return n ? Number(rounded(*n, divisor)) : std::nullopt; };
  return {apply(a.low), apply(a.high)};
}

static int64_t floorDiv(int64_t a, int64_t b) { return llvm::divideFloorSigned(a, b); }
static int64_t ceilDiv(int64_t a, int64_t b) { return llvm::divideCeilSigned(a, b); }

/// True if all values are in [k * divisor, (k + 1) * divisor) for one k.
static Number getBucket(Bounds a, int64_t divisor) {
  if (!a.low || !a.high || floorDiv(*a.low, divisor) != floorDiv(*a.high, divisor))
    return std::nullopt;
  return floorDiv(*a.low, divisor);
}

static Bounds getModBounds(Bounds a, int64_t divisor) {
  if (Number bucket = getBucket(a, divisor))
    return add(a, Bounds::constant(-*bucket * divisor));
  return {0, divisor - 1};
}

/// The divisor of a division or remainder if it is a positive constant.
static Number getDivisor(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  auto constant = binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : nullptr;
  return constant && constant.getValue() > 0 ? Number(constant.getValue()) : std::nullopt;
}

static Bounds multiply(Bounds a, Bounds b) {
  if (a.isConstant())
    return scale(b, *a.low);
  if (b.isConstant())
    return scale(a, *b.low);
  if (!a.isAtLeast(0) || !b.isAtLeast(0))
    return {};
  return {multiply(a.low, b.low), multiply(a.high, b.high)};
}

Bounds IndexSimplifier::getBounds(AffineExpr expr) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Bounds::constant(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dim.getPosition() < dims.size() ? dims[dim.getPosition()] : Bounds();
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return {};
  Bounds lhs = getBounds(binary.getLHS());
  if (expr.getKind() == AffineExprKind::Add)
    return add(lhs, getBounds(binary.getRHS()));
  if (expr.getKind() == AffineExprKind::Mul)
    return ::multiply(lhs, getBounds(binary.getRHS()));
  Number divisor = getDivisor(expr);
  if (expr.getKind() == AffineExprKind::Mod)
    return divisor ? getModBounds(lhs, *divisor) : Bounds{0, std::nullopt};
  if (!divisor)
    return {};
  return divide(lhs, *divisor, expr.getKind() == AffineExprKind::CeilDiv ? ceilDiv : floorDiv);
}

//===- Sums ---------------------------------------------------------------------===//

struct IndexSimplifier::Sum {
  struct Term {
    AffineExpr expr;
    int64_t factor;
  };
  SmallVector<Term> terms;
  int64_t constant = 0;
  /// Some number did not fit: the expression has to stay as it is.
  bool overflows = false;

  void add(AffineExpr expr, int64_t factor) {
    auto *found = llvm::find_if(terms, [&](Term &term) { return term.expr == expr; });
    if (found == terms.end())
      found = &terms.emplace_back(Term{expr, 0});
    overflows |= llvm::AddOverflow(found->factor, factor, found->factor) != 0;
    if (found->factor == 0)
      terms.erase(found);
  }
  void addConstant(int64_t value) {
    overflows |= llvm::AddOverflow(constant, value, constant) != 0;
  }
  void add(const Sum &other, int64_t factor) {
    overflows |= other.overflows;
    for (const Term &term : other.terms) {
      int64_t product;
      overflows |= llvm::MulOverflow(term.factor, factor, product) != 0;
      add(term.expr, product);
    }
    int64_t product;
    overflows |= llvm::MulOverflow(other.constant, factor, product) != 0;
    addConstant(product);
  }
  /// Greatest common divisor of `start` and all factors.
  int64_t getGcd(int64_t start) const {
    for (const Term &term : terms)
      start = std::gcd(start, term.factor);
    return start;
  }
  /// The terms whose factor `divisor` divides, without it; those leave this sum.
  Sum takeMultiples(int64_t divisor) {
    Sum taken;
    llvm::erase_if(terms, [&](const Term &term) {
      if (term.factor % divisor != 0)
        return false;
      taken.add(term.expr, term.factor / divisor);
      return true;
    });
    return taken;
  }
};

IndexSimplifier::Sum IndexSimplifier::toSum(AffineExpr expr) const {
  Sum sum;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    sum.constant = constant.getValue();
    return sum;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && expr.getKind() == AffineExprKind::Add) {
    sum.add(toSum(binary.getLHS()), 1);
    sum.add(toSum(binary.getRHS()), 1);
    return sum;
  }
  if (binary && expr.getKind() == AffineExprKind::Mul)
    for (auto [factor, other] :
         {std::pair(binary.getRHS(), binary.getLHS()), std::pair(binary.getLHS(), binary.getRHS())})
      if (auto constant = dyn_cast<AffineConstantExpr>(factor)) {
        sum.add(toSum(other), constant.getValue());
        return sum;
      }
  sum.add(expr, 1);
  return sum;
}

AffineExpr IndexSimplifier::toExpr(const Sum &sum) const {
  AffineExpr result;
  for (const Sum::Term &term : sum.terms) {
    AffineExpr product = term.expr * term.factor;
    result = result ? result + product : product;
  }
  if (!result)
    return getAffineConstantExpr(sum.constant, context);
  return sum.constant == 0 ? result : result + sum.constant;
}

Bounds IndexSimplifier::getBounds(const Sum &sum) const {
  Bounds bounds = Bounds::constant(sum.constant);
  for (const Sum::Term &term : sum.terms)
    bounds = add(bounds, scale(getBounds(term.expr), term.factor));
  return bounds;
}

//===- Rules --------------------------------------------------------------------===//

std::optional<AffineExpr> IndexSimplifier::getLine(AffineExpr expr) const {
  std::optional<unsigned> only;
  bool isEligible = true;
  expr.walk([&](AffineExpr part) {
    if (isa<AffineSymbolExpr>(part))
      isEligible = false;
    if (auto dim = dyn_cast<AffineDimExpr>(part)) {
      isEligible &= !only || *only == dim.getPosition();
      only = dim.getPosition();
    }
  });
  if (!isEligible || !only || *only >= dims.size())
    return std::nullopt;
  Bounds bounds = dims[*only];
  if (!bounds.low || !bounds.high || *bounds.high != *bounds.low + 1)
    return std::nullopt;
  auto evaluate = [&](int64_t value) -> Number {
    AffineExpr dim = getAffineDimExpr(*only, context);
    AffineExpr replaced = expr.replace({{dim, getAffineConstantExpr(value, context)}});
    auto constant = dyn_cast<AffineConstantExpr>(replaced);
    return constant ? Number(constant.getValue()) : std::nullopt;
  };
  Number first = evaluate(*bounds.low), second = evaluate(*bounds.high);
  if (!first || !second)
    return std::nullopt;
  int64_t slope = *second - *first;
  return getAffineDimExpr(*only, context) * slope + (*first - slope * *bounds.low);
}

AffineExpr IndexSimplifier::simplifyMod(Sum sum, int64_t divisor) const {
  AffineExpr original = toExpr(sum) % divisor;
  sum.takeMultiples(divisor);
  // An inner remainder goes if the outer one removes what it removed.
  for (const Sum::Term &term : SmallVector<Sum::Term>(sum.terms)) {
    Number inner = term.expr.getKind() == AffineExprKind::Mod ? getDivisor(term.expr) : Number();
    Number product = inner ? multiply(*inner, term.factor) : Number();
    if (!product || *product % divisor != 0)
      continue;
    sum.add(term.expr, -term.factor);
    sum.add(toSum(cast<AffineBinaryOpExpr>(term.expr).getLHS()), term.factor);
    if (sum.overflows)
      return original;
    return simplifyMod(std::move(sum), divisor);
  }
  sum.constant = llvm::mod(sum.constant, divisor);
  if (Number bucket = getBucket(getBounds(sum), divisor)) {
    sum.addConstant(-*bucket * divisor);
    return sum.overflows ? original : toExpr(sum);
  }
  // Congruence: each factor may be replaced by its residue that is nearest to zero.
  Sum residues = sum;
  for (Sum::Term &term : residues.terms) {
    term.factor = llvm::mod(term.factor, divisor);
    if (term.factor > divisor / 2)
      term.factor -= divisor;
  }
  if (Number bucket = getBucket(getBounds(residues), divisor)) {
    residues.addConstant(-*bucket * divisor);
    return residues.overflows ? original : toExpr(residues);
  }
  // Without a common factor, try to find one among the larger factors: the rest is the low digit.
  for (const Sum::Term &term : sum.terms) {
    int64_t unit = std::gcd(term.factor, divisor);
    if (unit <= 1)
      continue;
    Sum low = sum;
    Sum high = low.takeMultiples(unit);
    high.constant = floorDiv(low.constant, unit);
    low.constant = llvm::mod(low.constant, unit);
    if (getBucket(getBounds(low), unit) != Number(0))
      continue;
    Sum result;
    if (unit != divisor)
      result.add(toSum(simplifyMod(high, divisor / unit)), unit);
    result.add(low, 1);
    return result.overflows ? original : toExpr(result);
  }
  return toExpr(sum) % divisor;
}

AffineExpr IndexSimplifier::simplifyFloorDiv(Sum sum, int64_t divisor) const {
  AffineExpr original = toExpr(sum).floorDiv(divisor);
  if (divisor == 1)
    return toExpr(sum);
  Sum quotient = sum.takeMultiples(divisor);
  quotient.addConstant(floorDiv(sum.constant, divisor));
  sum.constant = llvm::mod(sum.constant, divisor);
  if (Number bucket = getBucket(getBounds(sum), divisor)) {
    quotient.addConstant(*bucket);
    return quotient.overflows ? original : toExpr(quotient);
  }
  AffineExpr rest;
  // The low digits, together less than a unit, cannot change the quotient of the others.
  for (const Sum::Term &term : sum.terms) {
    int64_t unit = std::gcd(term.factor, divisor);
    if (unit <= 1)
      continue;
    Sum low = sum;
    Sum high = low.takeMultiples(unit);
    high.constant = floorDiv(low.constant, unit);
    low.constant = llvm::mod(low.constant, unit);
    if (getBucket(getBounds(low), unit) != Number(0))
      continue;
    rest = simplifyFloorDiv(high, divisor / unit);
    break;
  }
  // (x floordiv a + k) floordiv b = (x + k * a) floordiv (a * b)
  if (!rest && sum.terms.size() == 1 && sum.terms[0].factor == 1 &&
      sum.terms[0].expr.getKind() == AffineExprKind::FloorDiv) {
    Number inner = getDivisor(sum.terms[0].expr);
    Number product = inner ? multiply(*inner, divisor) : Number();
    Number shift = inner ? multiply(*inner, sum.constant) : Number();
    if (product && shift) {
      Sum numerator = toSum(cast<AffineBinaryOpExpr>(sum.terms[0].expr).getLHS());
      numerator.addConstant(*shift);
      if (!numerator.overflows)
        rest = simplifyFloorDiv(numerator, *product);
    }
  }
  if (!rest)
    rest = toExpr(sum).floorDiv(divisor);
  quotient.add(toSum(rest), 1);
  return quotient.overflows ? original : toExpr(quotient);
}

void IndexSimplifier::recombine(Sum &sum) const {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Sum::Term &term : SmallVector<Sum::Term>(sum.terms)) {
      Number divisor =
          term.expr.getKind() == AffineExprKind::Mod ? getDivisor(term.expr) : Number();
      Number factor = divisor ? multiply(*divisor, term.factor) : Number();
      if (!factor)
        continue;
      Sum whole = toSum(cast<AffineBinaryOpExpr>(term.expr).getLHS());
      Sum quotient = toSum(simplifyFloorDiv(whole, *divisor));
      // The quotient has to be there, times the divisor; one term of it tells.
      bool isThere = quotient.terms.size() == 1 && quotient.constant == 0 &&
                     llvm::any_of(sum.terms, [&](const Sum::Term &other) {
                       return other.expr == quotient.terms[0].expr &&
                              other.factor == *factor * quotient.terms[0].factor;
                     });
      if (!isThere)
        continue;
      Sum united = sum;
      united.add(term.expr, -term.factor);
      united.add(quotient, -*factor);
      united.add(whole, term.factor);
      if (united.overflows)
        continue;
      sum = std::move(united);
      changed = true;
      break;
    }
  }
}

AffineExpr IndexSimplifier::simplify(AffineExpr expr) const {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary) {
    Bounds bounds = getBounds(expr);
    return bounds.isConstant() ? getAffineConstantExpr(*bounds.low, context) : expr;
  }
  AffineExpr lhs = simplify(binary.getLHS()), rhs = simplify(binary.getRHS());
  AffineExpr rebuilt = getAffineBinaryOpExpr(expr.getKind(), lhs, rhs);
  // What is rebuilt may have folded to something else.
  Number divisor = getDivisor(rebuilt);
  if (divisor)
    lhs = cast<AffineBinaryOpExpr>(rebuilt).getLHS();
  if (rebuilt.getKind() == AffineExprKind::CeilDiv && divisor) {
    Sum sum = toSum(lhs);
    sum.addConstant(*divisor - 1);
    if (!sum.overflows)
      rebuilt = simplifyFloorDiv(sum, *divisor);
  } else if (rebuilt.getKind() == AffineExprKind::FloorDiv && divisor) {
    rebuilt = simplifyFloorDiv(toSum(lhs), *divisor);
  } else if (rebuilt.getKind() == AffineExprKind::Mod && divisor) {
    rebuilt = simplifyMod(toSum(lhs), *divisor);
  }
  Sum sum = toSum(rebuilt);
  recombine(sum);
  AffineExpr result = sum.overflows ? rebuilt : toExpr(sum);
  if (countDivisions(result) != 0)
    if (std::optional<AffineExpr> line = getLine(result))
      return *line;
  return result;
}

int64_t pypto::rangeify::countDivisions(AffineExpr expr) {
  int64_t count = 0;
  expr.walk([&](AffineExpr part) {
    count += llvm::is_contained(
        {AffineExprKind::Mod, AffineExprKind::FloorDiv, AffineExprKind::CeilDiv}, part.getKind());
  });
  return count;
}
