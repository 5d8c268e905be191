// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_LIB_EXECUTIONENGINE_PLANPICTURE_H
#define PYPTO_LIB_EXECUTIONENGINE_PLANPICTURE_H

#include "pypto/ExecutionEngine/PlanReport.h"

namespace pypto::execution {

/// A page with the pictures of a plan.
void printHtml(const PlanReport &report, llvm::raw_ostream &os);

/// "12.3 KiB", "4.0 M", "-" where nothing is known.
std::string formatBytes(std::optional<int64_t> bytes);
std::string formatCount(std::optional<int64_t> count);
/// "12.3", "-" if the kernel has not run.
std::string formatMicroseconds(const PlanReport::Kernel &kernel);
/// A rate by the time of the kernel in units of 10^9 a second, "-" if there is none.
std::string formatRate(std::optional<int64_t> amount, const PlanReport::Kernel &kernel);
std::optional<int64_t> getTraffic(const PlanReport::Kernel &kernel);

} // namespace pypto::execution

#endif
