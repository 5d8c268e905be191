// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_TRANSFORMS_SCHEDULE_H
#define PYPTO_TRANSFORMS_SCHEDULE_H

#include "llvm/ADT/StringRef.h"

namespace pypto {

/// A dictionary with decisions about how an operation is computed (see docs/schedules.md): on the
/// operation, or on its function for all operations in it.
inline constexpr llvm::StringLiteral kScheduleAttrName = "pypto.schedule";

} // namespace pypto

#endif
