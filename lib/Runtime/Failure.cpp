// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/Runtime/Failure.h"
#include "pypto/Runtime/TaskABI.h"

using namespace pypto;
using namespace pypto::runtime;

Failure::Failure(std::string location, std::string message)
    : location(std::move(location)), message(std::move(message)),
      text(this->location.empty() ? this->message : this->location + ": " + this->message) {}

void pyptoFail(const char *location, const char *message) {
  throw Failure(location ? location : "", message);
}

void pyptoFailBounds(const char *location, const char *op, int64_t dim, int64_t index,
                     int64_t extent) {
  throw Failure(location ? location : "",
                "'" + std::string(op) + "' expects an index in [0, " + std::to_string(extent) +
                    ") in dimension " + std::to_string(dim) + ", but got " + std::to_string(index));
}

static std::string describeExpected(int32_t kind, int64_t limit) {
  std::string number = std::to_string(limit);
  switch (kind) {
  case PyptoCheckRange:
    return "from 0 to " + number;
  case PyptoCheckAtLeast:
    return "at least " + number;
  case PyptoCheckOneOr:
    return "1 or " + number;
  case PyptoCheckMultipleOf:
    return "a multiple of " + number;
  default:
    return number;
  }
}

void pyptoFailCheck(const char *location, const char *op, int32_t kind, const char *subject,
                    int64_t actual, int64_t limit) {
  throw Failure(location ? location : "", "'" + std::string(op) + "' expects " + subject +
                                              " to be " + describeExpected(kind, limit) +
                                              ", but got " + std::to_string(actual));
}
