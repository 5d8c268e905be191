// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C ABI that compiled code calls.
#include "pypto/Runtime/Runtime.h"
#include "Allocation.h"
#include "pypto/Runtime/ParallelFor.h"
#include "pypto/Runtime/TaskABI.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <cstdint>
#include <limits>

using namespace pypto;

//===- 8-bit floats -----------------------------------------------------------===//

/// The formats in the order of their numbers.
static llvm::ArrayRef<const llvm::fltSemantics *> getFloat8Formats() {
  static const llvm::fltSemantics *const formats[] = {
      &llvm::APFloat::Float8E5M2(),     &llvm::APFloat::Float8E4M3(),
      &llvm::APFloat::Float8E4M3FN(),   &llvm::APFloat::Float8E5M2FNUZ(),
      &llvm::APFloat::Float8E4M3FNUZ(), &llvm::APFloat::Float8E4M3B11FNUZ(),
      &llvm::APFloat::Float8E3M4(),     &llvm::APFloat::Float8E8M0FNU(),
  };
  return formats;
}

std::optional<unsigned> runtime::getFloat8Kind(const llvm::fltSemantics &semantics) {
  for (auto [kind, format] : llvm::enumerate(getFloat8Formats()))
    if (format == &semantics)
      return kind;
  return std::nullopt;
}

static double float8ToDouble(int32_t kind, uint8_t bits) {
  llvm::APFloat value(*getFloat8Formats()[kind], llvm::APInt(8, bits));
  // Neither way does the conversion keep a NaN of a format without a significand.
  if (value.isNaN())
    return std::numeric_limits<double>::quiet_NaN();
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}

/// What does not fit becomes an infinity, or a NaN in a format that has none.
static uint8_t doubleToFloat8(int32_t kind, double number) {
  const llvm::fltSemantics &format = *getFloat8Formats()[kind];
  if (std::isnan(number))
    return llvm::APFloat::getNaN(format).bitcastToAPInt().getZExtValue();
  llvm::APFloat value(number);
  bool losesInfo;
  value.convert(format, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return value.bitcastToAPInt().getZExtValue();
}

/// What LLVM calls to round f64 to bf16: no library of the host has it.
static __bf16 doubleToBFloat16(double number) {
  llvm::APFloat value(number);
  bool losesInfo;
  value.convert(llvm::APFloat::BFloat(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return llvm::bit_cast<__bf16>(static_cast<uint16_t>(value.bitcastToAPInt().getZExtValue()));
}

llvm::ArrayRef<runtime::Symbol> runtime::getSymbols() {
  static const Symbol symbols[] = {
      {"pypto_f8_to_f64", reinterpret_cast<void *>(&float8ToDouble)},
      {"pypto_f64_to_f8", reinterpret_cast<void *>(&doubleToFloat8)},
      {"__truncdfbf2", reinterpret_cast<void *>(&doubleToBFloat16)},
      {"pyptoTaskSubmit", reinterpret_cast<void *>(&pyptoTaskSubmit)},
      {"pyptoTaskDummy", reinterpret_cast<void *>(&pyptoTaskDummy)},
      {"pyptoTaskBarrier", reinterpret_cast<void *>(&pyptoTaskBarrier)},
      {"pyptoTaskSync", reinterpret_cast<void *>(&pyptoTaskSync)},
      {"pyptoScopeBegin", reinterpret_cast<void *>(&pyptoScopeBegin)},
      {"pyptoScopeEnd", reinterpret_cast<void *>(&pyptoScopeEnd)},
      {"pyptoTaskFree", reinterpret_cast<void *>(&pyptoTaskFree)},
      {"pyptoSignalPause", reinterpret_cast<void *>(&pyptoSignalPause)},
      {"pyptoParallelFor", reinterpret_cast<void *>(&pyptoParallelFor)},
      {"pyptoSignalNotify", reinterpret_cast<void *>(&pyptoSignalNotify)},
      {"pyptoAlloc", reinterpret_cast<void *>(&pyptoAlloc)},
      {"pyptoFree", reinterpret_cast<void *>(&pyptoFree)},
      {"pyptoFail", reinterpret_cast<void *>(&pyptoFail)},
      {"pyptoFailBounds", reinterpret_cast<void *>(&pyptoFailBounds)},
      {"pyptoFailCheck", reinterpret_cast<void *>(&pyptoFailCheck)},
      // What the lowering of buffers calls, and what LLVM makes of an allocation that is cleared.
      {"malloc", reinterpret_cast<void *>(&runtime::allocate)},
      {"aligned_alloc", reinterpret_cast<void *>(&runtime::allocateAligned)},
      {"calloc", reinterpret_cast<void *>(&runtime::allocateZeroed)},
      {"free", reinterpret_cast<void *>(&pyptoFree)},
  };
  return symbols;
}
