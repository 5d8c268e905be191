// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/ExecutionEngine/Files.h"

#include "pypto/ExecutionEngine/Array.h"

#include "llvm/Support/Path.h"
#include <filesystem>

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

static bool isInProc(llvm::StringRef path) {
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  llvm::SmallString<128> real;
  return !llvm::sys::fs::real_path(folder.empty() ? "." : folder, real) &&
         (real == "/proc" || real.starts_with("/proc/"));
}

std::string execution::followLinks(llvm::StringRef path) {
  std::filesystem::path file(path.str());
  // As many as the system follows. A ring stays a link, which cannot be opened.
  constexpr int kMaxLinks = 40;
  for (int i = 0; i < kMaxLinks && !isInProc(file.native()); ++i) {
    std::error_code code;
    std::filesystem::path target = std::filesystem::read_symlink(file, code);
    if (code)
      break;
    file = file.parent_path() / target;
  }
  return file.native();
}

bool execution::isDevice(llvm::StringRef path) {
  if (llvm::sys::fs::is_directory(path))
    return false;
  return llvm::sys::fs::is_symlink_file(path) || isInProc(path) ||
         (llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path));
}

llvm::Error execution::writeDevice(llvm::StringRef path, FileWriter write) {
  std::error_code code;
  // A file that is open elsewhere keeps what it has: more than this may write it.
  llvm::raw_fd_ostream os(path, code,
                          llvm::sys::fs::is_regular_file(path) ? llvm::sys::fs::OF_Append
                                                               : llvm::sys::fs::OF_None);
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

llvm::Error execution::writeFile(llvm::StringRef name, FileWriter write) {
  std::string path = followLinks(name);
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
