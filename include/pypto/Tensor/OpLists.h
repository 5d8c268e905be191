// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations that have one form: X(name, Name) for `name` and `tryName`.
#ifndef PYPTO_TENSOR_OPLISTS_H
#define PYPTO_TENSOR_OPLISTS_H

/// Elementwise operations of one tensor.
#define PYPTO_LAZY_UNARY_OPS(X)                                                                    \
  X(neg, Neg)                                                                                      \
  X(abs, Abs)                                                                                      \
  X(sign, Sign)                                                                                    \
  X(square, Square)                                                                                \
  X(reciprocal, Reciprocal)                                                                        \
  X(sqrt, Sqrt)                                                                                    \
  X(rsqrt, Rsqrt)                                                                                  \
  X(cbrt, Cbrt)                                                                                    \
  X(exp, Exp)                                                                                      \
  X(exp2, Exp2)                                                                                    \
  X(expm1, Expm1)                                                                                  \
  X(log, Log)                                                                                      \
  X(log2, Log2)                                                                                    \
  X(log10, Log10)                                                                                  \
  X(log1p, Log1p)                                                                                  \
  X(sin, Sin)                                                                                      \
  X(cos, Cos)                                                                                      \
  X(tan, Tan)                                                                                      \
  X(asin, Asin)                                                                                    \
  X(acos, Acos)                                                                                    \
  X(atan, Atan)                                                                                    \
  X(sinh, Sinh)                                                                                    \
  X(cosh, Cosh)                                                                                    \
  X(tanh, Tanh)                                                                                    \
  X(asinh, Asinh)                                                                                  \
  X(acosh, Acosh)                                                                                  \
  X(atanh, Atanh)                                                                                  \
  X(erf, Erf)                                                                                      \
  X(erfc, Erfc)                                                                                    \
  X(floor, Floor)                                                                                  \
  X(ceil, Ceil)                                                                                    \
  X(round, Round)                                                                                  \
  X(trunc, Trunc)                                                                                  \
  X(frac, Frac)                                                                                    \
  X(logicalNot, LogicalNot)                                                                        \
  X(bitwiseNot, BitwiseNot)                                                                        \
  X(isNaN, IsNaN)                                                                                  \
  X(isInf, IsInf)                                                                                  \
  X(isFinite, IsFinite)                                                                            \
  X(relu, Relu)                                                                                    \
  X(relu6, Relu6)                                                                                  \
  X(sigmoid, Sigmoid)                                                                              \
  X(logSigmoid, LogSigmoid)                                                                        \
  X(silu, Silu)                                                                                    \
  X(gelu, Gelu)                                                                                    \
  X(geluTanh, GeluTanh)                                                                            \
  X(quickGelu, QuickGelu)                                                                          \
  X(softplus, Softplus)                                                                            \
  X(softsign, Softsign)                                                                            \
  X(mish, Mish)                                                                                    \
  X(selu, Selu)                                                                                    \
  X(tanhShrink, TanhShrink)                                                                        \
  X(hardTanh, HardTanh)                                                                            \
  X(hardSigmoid, HardSigmoid)                                                                      \
  X(hardSwish, HardSwish)

/// Elementwise operations of two tensors, which broadcast against each other.
#define PYPTO_LAZY_BINARY_OPS(X)                                                                   \
  X(add, Add)                                                                                      \
  X(sub, Sub)                                                                                      \
  X(mul, Mul)                                                                                      \
  X(div, Div)                                                                                      \
  X(rem, Rem)                                                                                      \
  X(floorDiv, FloorDiv)                                                                            \
  X(floorMod, FloorMod)                                                                            \
  X(pow, Pow)                                                                                      \
  X(atan2, Atan2)                                                                                  \
  X(hypot, Hypot)                                                                                  \
  X(logAddExp, LogAddExp)                                                                          \
  X(squaredDifference, SquaredDifference)                                                          \
  X(maximum, Maximum)                                                                              \
  X(minimum, Minimum)                                                                              \
  X(bitwiseAnd, BitwiseAnd)                                                                        \
  X(bitwiseOr, BitwiseOr)                                                                          \
  X(bitwiseXor, BitwiseXor)                                                                        \
  X(shiftLeft, ShiftLeft)                                                                          \
  X(shiftRight, ShiftRight)                                                                        \
  X(logicalAnd, LogicalAnd)                                                                        \
  X(logicalOr, LogicalOr)                                                                          \
  X(logicalXor, LogicalXor)                                                                        \
  X(less, Less)                                                                                    \
  X(lessEqual, LessEqual)                                                                          \
  X(greater, Greater)                                                                              \
  X(greaterEqual, GreaterEqual)                                                                    \
  X(equal, Equal)                                                                                  \
  X(notEqual, NotEqual)

/// Reductions. Without axes: over all; with `keepDims` the axes stay with extent one.
#define PYPTO_LAZY_REDUCTIONS(X)                                                                   \
  X(sum, Sum)                                                                                      \
  X(prod, Prod)                                                                                    \
  X(max, Max)                                                                                      \
  X(min, Min)                                                                                      \
  X(mean, Mean)                                                                                    \
  X(logSumExp, LogSumExp)                                                                          \
  X(norm, Norm)                                                                                    \
  X(countNonZero, CountNonZero)                                                                    \
  X(all, All)                                                                                      \
  X(any, Any)

/// Declares `try…` with these parameters, and the form that throws its error.
#define PYPTO_LAZY_FORMS(NAME, TRY, PARAMETERS, ARGUMENTS)                                         \
  llvm::Expected<Tensor> TRY PARAMETERS const;                                                     \
  Tensor NAME PARAMETERS const { return unwrap(TRY ARGUMENTS); }
/// The same of a function that makes a tensor.
#define PYPTO_LAZY_STATIC(NAME, TRY, PARAMETERS, ARGUMENTS)                                        \
  static llvm::Expected<Tensor> TRY PARAMETERS;                                                    \
  static Tensor NAME PARAMETERS { return unwrap(TRY ARGUMENTS); }
/// The same of an operation with several results.
#define PYPTO_LAZY_SEVERAL(NAME, TRY, PARAMETERS, ARGUMENTS)                                       \
  llvm::Expected<std::vector<Tensor>> TRY PARAMETERS const;                                        \
  std::vector<Tensor> NAME PARAMETERS const { return unwrap(TRY ARGUMENTS); }

#endif
