// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on disk. A second process is played by kernels that this one has not compiled: files are
// exchanged.
#include "TensorTesting.h"

#include "llvm/Support/FileSystem.h"
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace pypto;
using namespace pypto::lazy;
namespace fs = std::filesystem;

namespace {
struct CacheTest : testing::Test {
  CacheTest() {
    llvm::SmallString<64> unique;
    if (llvm::sys::fs::createUniqueDirectory("pypto-kernels", unique))
      ADD_FAILURE() << "cannot make a directory";
    directory = unique.str().str();
    setKernelCacheDirectory(directory.string());
  }
  ~CacheTest() override {
    setKernelCacheDirectory("");
    fs::permissions(directory, fs::perms::owner_all);
    fs::remove_all(directory);
  }
  std::vector<fs::path> getFiles() {
    std::vector<fs::path> files;
    for (const auto &entry : fs::directory_iterator(directory))
      files.push_back(entry.path());
    return files;
  }
  /// Runs the same graph in a process of its own; true if all is right there.
  bool runElsewhere(double factor, uint64_t expectedHits) {
    fflush(nullptr);
    pid_t child = fork();
    if (child == 0) {
      uint64_t before = getCounters().diskHits;
      Tensor x = Tensor::fromSlice<float>({3}, {1, 2, 3}) * factor + 0.125;
      bool isRight = get<float>(x)[2] == static_cast<float>(3 * factor + 0.125);
      _exit(isRight && getCounters().diskHits - before == expectedHits ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    return status == 0;
  }

  fs::path directory;
};
} // namespace

TEST_F(CacheTest, OtherProcessesFindKernels) {
  EXPECT_TRUE(runElsewhere(31, 0));
  ASSERT_EQ(getFiles().size(), 1u);
  EXPECT_TRUE(runElsewhere(31, 1));
  EXPECT_TRUE(runElsewhere(32, 0));
  EXPECT_EQ(getFiles().size(), 2u);
}

TEST_F(CacheTest, DamagedFilesAreMadeAgain) {
  EXPECT_TRUE(runElsewhere(33, 0));
  ASSERT_EQ(getFiles().size(), 1u);
  fs::path file = getFiles()[0];
  auto size = fs::file_size(file);
  fs::resize_file(file, size / 2);
  EXPECT_TRUE(runElsewhere(33, 0));
  EXPECT_EQ(fs::file_size(file), size);
  {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(size / 2));
    stream.put('\x5a');
    stream.put('\x5a');
  }
  EXPECT_TRUE(runElsewhere(33, 0));
  EXPECT_TRUE(runElsewhere(33, 1));
}

TEST_F(CacheTest, DirectoryThatCannotBeMade) {
  std::ofstream(directory / "file") << "no directory";
  std::string path = (directory / "file" / "below").string();
  std::string text = "cannot make '" + path + "': Not a directory";
  EXPECT_EQ(llvm::toString(trySetKernelCacheDirectory(path)), text);
  EXPECT_THROW(setKernelCacheDirectory(path), TensorException);
  path = (directory / "file").string();
  EXPECT_EQ(llvm::toString(trySetKernelCacheDirectory(path)),
            "cannot write to '" + path + "': it is no directory");
  // The one of before is still in use.
  EXPECT_EQ(get<float>(Tensor::fromSlice<float>({2}, {1, 2}) * 35.0)[1], 70);
  EXPECT_EQ(getFiles().size(), 2u);
}

TEST_F(CacheTest, DirectoryThatGoes) {
  std::vector<std::string> warnings;
  // It may change what warns.
  setKernelCacheWarning([&](const std::string &text) {
    warnings.push_back(text);
    setKernelCacheWarning(nullptr);
  });
  fs::remove_all(directory);
  std::ofstream(directory) << "no directory";
  uint64_t before = getCounters().diskFailures;
  EXPECT_EQ(get<float>(Tensor::fromSlice<float>({2}, {1, 2}) * 34.0)[1], 68);
  EXPECT_EQ(get<float>(Tensor::fromSlice<float>({2}, {1, 2}) * 36.0)[1], 72);
  EXPECT_EQ(getCounters().diskFailures, before + 2);
  setKernelCacheWarning(nullptr);
  ASSERT_EQ(warnings.size(), 1u);
  std::string start =
      "cannot keep kernels for other processes: cannot write '" + directory.string();
  EXPECT_EQ(warnings[0].find(start), 0u) << warnings[0];
  EXPECT_NE(warnings[0].find(".o': Not a directory"), std::string::npos) << warnings[0];
}
