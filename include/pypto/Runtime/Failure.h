// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_RUNTIME_FAILURE_H
#define PYPTO_RUNTIME_FAILURE_H

#include <exception>
#include <string>

namespace pypto::runtime {

/// What ends a run of compiled code early. It is thrown by the functions of the C ABI, unwinds
/// through the frames of compiled code (which own nothing that a destructor would free), and is
/// caught by whoever called the entry.
class Failure : public std::exception {
public:
  /// `location` is "file:line:column", or empty.
  Failure(std::string location, std::string message);

  const std::string &getLocation() const { return location; }
  const std::string &getMessage() const { return message; }
  /// "location: message".
  const char *what() const noexcept override { return text.c_str(); }

private:
  std::string location, message, text;
};

} // namespace pypto::runtime

#endif
