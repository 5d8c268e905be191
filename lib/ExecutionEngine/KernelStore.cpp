// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelStore.h"

#include "pypto/ExecutionEngine/Array.h"
#include "pypto/ExecutionEngine/Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"
#include <dlfcn.h>
#include <map>
#include <sys/stat.h>

using namespace pypto::execution;

static constexpr llvm::StringLiteral kMagic = "pypto kernel 1\n";

static std::string hash(llvm::StringRef text) {
  auto digest = llvm::BLAKE3::hash<16>(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  return llvm::toHex(llvm::ArrayRef<uint8_t>(digest.data(), digest.size()), /*LowerCase=*/true);
}

/// The CPU, and the library that compiles: another build of it may compile in another way.
static std::string describeCompiler() {
  std::string text = llvm::sys::getHostCPUName().str();
  std::map<std::string, bool> features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    features[feature.getKey().str()] = feature.getValue();
  for (const auto &[name, has] : features)
    text += (has ? " +" : " -") + name;
  Dl_info info;
  struct stat status;
  if (dladdr(reinterpret_cast<const void *>(&describeCompiler), &info) && info.dli_fname &&
      stat(info.dli_fname, &status) == 0)
    text += " " + std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) +
            " " + std::to_string(status.st_mtim.tv_nsec);
  return text;
}

KernelStore::KernelStore(llvm::StringRef directory, llvm::StringRef key, llvm::StringRef extension)
    : directory(directory) {
  static const std::string compiler = describeCompiler();
  digest = hash((key + "\n" + compiler).str());
  llvm::SmallString<128> name(directory);
  llvm::sys::path::append(name, digest + extension);
  path = name.str();
}

std::optional<std::string> KernelStore::load() const {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return std::nullopt;
  llvm::StringRef text = (*buffer)->getBuffer();
  if (!text.consume_front(kMagic) || !text.consume_front(digest) || text.size() < digest.size())
    return std::nullopt;
  llvm::StringRef checksum = text.take_front(digest.size());
  llvm::StringRef object = text.drop_front(digest.size());
  if (hash(object) != checksum)
    return std::nullopt;
  return object.str();
}

llvm::Error KernelStore::save(llvm::StringRef object) const {
  if (std::error_code code = llvm::sys::fs::create_directories(directory))
    return makeError("cannot make '" + directory + "': " + code.message());
  return writeFile(
      path, [&](llvm::raw_ostream &os) { os << kMagic << digest << hash(object) << object; });
}
