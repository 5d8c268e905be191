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
