// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_EXECUTIONENGINE_FILES_H
#define PYPTO_EXECUTIONENGINE_FILES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace pypto::execution {

/// Writes what a file is to have.
using FileWriter = llvm::function_ref<void(llvm::raw_ostream &)>;

/// Makes a file, or replaces one: whoever reads it sees all that is written, or what was there
/// before, also where there is no more room. A pipe or a device is written, not replaced, and so is
/// what a symbolic link leads to. Errors name the file and the reason.
llvm::Error writeFile(llvm::StringRef path, FileWriter write);

// The same in steps, for several files of which all or none appear.

/// The file that symbolic links lead to, which need not be there. Links of /proc stay: they say
/// what is open, not where it is.
std::string followLinks(llvm::StringRef path);

// These take what followLinks() gives.

/// True for what is no file, and for all of /proc: it is there already, and stays what it is.
bool isDevice(llvm::StringRef path);
llvm::Error writeDevice(llvm::StringRef path, FileWriter write);
/// A file that is complete, next to where it gets its name.
llvm::Expected<llvm::sys::fs::TempFile> writeTemporary(llvm::StringRef path, FileWriter write);

/// Brings what is buffered to its place. An error if that, or something before, has failed; the
/// stream then has no error any longer. `name` says what it is.
llvm::Error flush(llvm::raw_fd_ostream &os, const llvm::Twine &name);

} // namespace pypto::execution

#endif
