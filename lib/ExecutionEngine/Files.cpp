// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/ExecutionEngine/Files.h"

#include "pypto/ExecutionEngine/Array.h"

using namespace pypto;
using llvm::sys::fs::TempFile;

static llvm::Error makeWriteError(const llvm::Twine &name, const llvm::Twine &reason) {
  return execution::makeError("cannot write " + name + ": " + reason);
}
static std::string quote(llvm::StringRef path) { return ("'" + path + "'").str(); }

llvm::Error execution::flush(llvm::raw_fd_ostream &os, const llvm::Twine &name) {
  os.flush();
  std::error_code code = os.error();
  // A stream that has an error ends the process.
  os.clear_error();
  return code ? makeWriteError(name, code.message()) : llvm::Error::success();
}

bool execution::isDevice(llvm::StringRef path) {
  return llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path) &&
         !llvm::sys::fs::is_directory(path);
}

llvm::Error execution::writeDevice(llvm::StringRef path, FileWriter write) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return makeWriteError(quote(path), code.message());
  write(os);
  return flush(os, quote(path));
}

llvm::Expected<TempFile> execution::writeTemporary(llvm::StringRef path, FileWriter write) {
  if (llvm::sys::fs::is_directory(path))
    return makeWriteError(quote(path), "it is a directory");
  auto file =
      TempFile::create(path + ".%%%%%%%%.tmp", llvm::sys::fs::all_read | llvm::sys::fs::all_write);
  if (!file) {
    std::error_code code = llvm::errorToErrorCode(file.takeError());
    return makeWriteError(quote(path), code.message());
  }
  llvm::raw_fd_ostream os(file->FD, /*shouldClose=*/false);
  write(os);
  if (llvm::Error error = flush(os, quote(path))) {
    llvm::consumeError(file->discard());
    return std::move(error);
  }
  return file;
}

llvm::Error execution::writeFile(llvm::StringRef path, FileWriter write) {
  if (isDevice(path))
    return writeDevice(path, write);
  llvm::Expected<TempFile> file = writeTemporary(path, write);
  if (!file)
    return file.takeError();
  if (llvm::Error error = file->keep(path)) {
    std::error_code code = llvm::errorToErrorCode(std::move(error));
    return makeWriteError(quote(path), code.message());
  }
  return llvm::Error::success();
}
