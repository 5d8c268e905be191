// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run leaves behind: files, comparisons.
#include "pypto/ExecutionEngine/Files.h"
#include "pypto/ExecutionEngine/Runner.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <cstring>
#include <fcntl.h>

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

//===- Collection -------------------------------------------------------------===//

static llvm::Expected<Output> makeOutput(std::string label, Type type, const HostValue &value) {
  auto tensor = dyn_cast<pl::TensorType>(type);
  llvm::Expected<Array> copy = value.array->clone();
  if (!copy)
    return makeError(label + ": " + llvm::toString(copy.takeError()));
  Output output{std::move(label),
                tensor ? tensor.getElementType() : type,
                {std::make_shared<Array>(std::move(*copy)), value.valid}};
  Array &array = *output.value.array;
  for (int64_t i = 0, e = value.valid.empty() ? 0 : array.getNumElements(); i < e; ++i)
    if (!value.isDefined(i))
      std::memset(array.element(i), 0, array.getDType().size);
  exportElements(output.type, array);
  return output;
}

llvm::Expected<SmallVector<Output>> pypto::execution::collectOutputs(const Signature &signature,
                                                                     ArrayRef<HostValue> arguments,
                                                                     ArrayRef<HostValue> results) {
  SmallVector<Output> outputs;
  auto add = [&](std::string label, Type type, const HostValue &value) -> llvm::Error {
    llvm::Expected<Output> output = makeOutput(std::move(label), type, value);
    if (!output)
      return output.takeError();
    outputs.push_back(std::move(*output));
    return llvm::Error::success();
  };
  for (auto [index, type] : llvm::enumerate(signature.results))
    if (llvm::Error error = add("result " + std::to_string(index), type, results[index]))
      return std::move(error);
  for (auto [index, parameter] : llvm::enumerate(signature.parameters))
    if (parameter.direction != pl::Direction::In && !signature.isReturned[index])
      if (llvm::Error error =
              add("parameter '" + parameter.name + "'", parameter.type, arguments[index]))
        return std::move(error);
  return outputs;
}

//===- Files ------------------------------------------------------------------===//

/// The name of a file without links and dots, as far as its folder exists.
static std::string getRealName(StringRef path) {
  SmallString<128> folder(path);
  llvm::sys::fs::make_absolute(folder);
  SmallString<64> name = llvm::sys::path::filename(folder);
  llvm::sys::path::remove_filename(folder);
  SmallString<128> real;
  if (llvm::sys::fs::real_path(folder, real))
    real = folder;
  llvm::sys::path::append(real, name);
  return real.str().str();
}

static llvm::Error checkPaths(ArrayRef<std::string> paths, ArrayRef<std::string> files) {
  llvm::StringSet<> names;
  for (auto [path, file] : llvm::zip_equal(paths, files)) {
    if (path.empty())
      continue;
    if (llvm::sys::fs::is_directory(path))
      return makeError("cannot write '" + path + "': it is a directory");
    if (!names.insert(getRealName(file)).second)
      return makeError("'" + path + "' is named for two outputs");
  }
  return llvm::Error::success();
}

namespace {
/// A file that is complete, but has not got its name yet.
struct Pending {
  llvm::sys::fs::TempFile file;
  StringRef path;
  /// There was a file of that name, which has the temporary one now.
  bool isExchanged = false;
};
} // namespace

static llvm::Error prepareFiles(ArrayRef<Output> outputs, ArrayRef<std::string> paths,
                                SmallVectorImpl<Pending> &pending) {
  SmallVector<std::pair<StringRef, const Array *>> devices;
  for (auto [output, path] : llvm::zip(outputs, paths)) {
    if (path.empty())
      continue;
    const Array &array = *output.value.array;
    if (isDevice(path)) {
      devices.emplace_back(path, &array);
      continue;
    }
    llvm::Expected<llvm::sys::fs::TempFile> file =
        writeTemporary(path, [&](llvm::raw_ostream &os) { writeNpy(os, array); });
    if (!file)
      return file.takeError();
    pending.push_back({std::move(*file), path});
  }
  // What cannot be taken back comes last.
  for (auto [path, array] : devices)
    if (llvm::Error error = writeDevice(path, [&](llvm::raw_ostream &os) { writeNpy(os, *array); }))
      return error;
  return llvm::Error::success();
}

/// Gives the file its name. A file that had it gets the temporary one, where the system can do
/// that, so that it can come back.
static std::error_code giveName(Pending &output) {
  std::string path = output.path.str();
#ifdef RENAME_EXCHANGE
  if (renameat2(AT_FDCWD, output.file.TmpName.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) ==
      0) {
    if (llvm::sys::fs::is_directory(output.file.TmpName)) {
      // It has become one meanwhile.
      renameat2(AT_FDCWD, output.file.TmpName.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE);
      return std::make_error_code(std::errc::is_a_directory);
    }
    output.isExchanged = true;
    return {};
  }
#endif
  return llvm::sys::fs::rename(output.file.TmpName, path);
}

/// As it was before giveName().
static void takeName(Pending &output) {
#ifdef RENAME_EXCHANGE
  if (output.isExchanged) {
    renameat2(AT_FDCWD, output.file.TmpName.c_str(), AT_FDCWD, output.path.str().c_str(),
              RENAME_EXCHANGE);
    return;
  }
#endif
  llvm::sys::fs::rename(output.path, output.file.TmpName);
}

static llvm::Error giveNames(MutableArrayRef<Pending> pending) {
  for (auto [index, output] : llvm::enumerate(pending)) {
    std::error_code code = giveName(output);
    if (!code)
      continue;
    for (Pending &done : pending.take_front(index))
      takeName(done);
    return makeError("cannot write '" + output.path + "': " + code.message());
  }
  return llvm::Error::success();
}

llvm::Error pypto::execution::writeOutputs(ArrayRef<Output> outputs, ArrayRef<std::string> paths) {
  SmallVector<std::string> files =
      llvm::map_to_vector(paths, [](const std::string &path) { return followLinks(path); });
  if (llvm::Error error = checkPaths(paths, files))
    return error;
  SmallVector<Pending, 4> pending;
  llvm::Error failure = prepareFiles(outputs, files, pending);
  if (!failure)
    failure = giveNames(pending);
  // What has a temporary name goes: new files after a failure, old ones without.
  for (Pending &output : pending)
    llvm::consumeError(output.file.discard());
  return failure;
}

//===- Comparison ---------------------------------------------------------------===//

static std::string formatIndex(ArrayRef<int64_t> shape, int64_t number) {
  SmallVector<int64_t> index(shape.size());
  for (size_t i = shape.size(); i-- > 0; number /= shape[i])
    index[i] = number % shape[i];
  return formatShape(index);
}

/// One line. `source` is what the expected elements come from.
static llvm::Expected<bool> compareOutput(const Output &output, const Array &expected,
                                          StringRef source, Tolerance tolerance,
                                          llvm::raw_ostream &os) {
  const Array &actual = *output.value.array;
  llvm::Expected<Comparison> result =
      compare(output.type, actual, expected, tolerance,
              [&](int64_t index) { return output.value.isDefined(index); });
  if (!result)
    return makeError(source + " for " + output.label + ": " + llvm::toString(result.takeError()));
  os << output.label << ": max abs error " << llvm::format("%.3g", result->maxAbsoluteError)
     << ", max rel error " << llvm::format("%.3g", result->maxRelativeError);
  if (result->numDifferent == 0) {
    os << ", equal within tolerance\n";
    return true;
  }
  os << ", " << result->numDifferent << " of " << actual.getNumElements()
     << " elements differ, first at " << formatIndex(actual.getShape(), result->firstDifferent)
     << ": got " << result->firstActual << ", expected " << result->firstExpected << '\n';
  return false;
}

llvm::Expected<bool> pypto::execution::compareOutputs(ArrayRef<Output> outputs,
                                                      ArrayRef<std::string> paths,
                                                      Tolerance tolerance, llvm::raw_ostream &os) {
  bool isEqual = true;
  for (auto [output, path] : llvm::zip(outputs, paths)) {
    if (path.empty())
      continue;
    llvm::Expected<Array> expected = readNpy(path);
    if (!expected)
      return expected.takeError();
    llvm::Expected<bool> result = compareOutput(output, *expected, "'" + path + "'", tolerance, os);
    if (!result)
      return result;
    isEqual &= *result;
  }
  return isEqual;
}

llvm::Expected<bool> pypto::execution::compareOutputs(ArrayRef<Output> outputs,
                                                      ArrayRef<Output> expected, StringRef source,
                                                      Tolerance tolerance, llvm::raw_ostream &os) {
  bool isEqual = true;
  for (auto [output, other] : llvm::zip_equal(outputs, expected)) {
    os << source << ": ";
    llvm::Expected<bool> result = compareOutput(output, *other.value.array, source, tolerance, os);
    if (!result)
      return result;
    isEqual &= *result;
  }
  return isEqual;
}
