// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ways to make a tensor.
#include "TensorTesting.h"

#include "llvm/Support/FileSystem.h"
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace pypto;
using namespace pypto::lazy;

using Floats = std::vector<float>;
using Integers = std::vector<int64_t>;

TEST(CreationTest, Values) {
  EXPECT_EQ(get<float>(Tensor::full({2, 1}, 1.5)), (Floats{1.5, 1.5}));
  EXPECT_EQ(get<int32_t>(Tensor::full({2}, 1.5, DType::I32)), (std::vector<int32_t>{1, 1}));
  EXPECT_EQ(get<float>(Tensor::zeros({})), Floats{0});
  EXPECT_EQ(get<bool>(Tensor::ones({2}, DType::Bool)), (std::vector<bool>{true, true}));
  EXPECT_EQ(get<int64_t>(Tensor::iota({2, 2}, 0)), (Integers{0, 0, 1, 1}));
  EXPECT_EQ(get<float>(Tensor::eye(2)), (Floats{1, 0, 0, 1}));
  EXPECT_EQ(get<float>(Tensor::ones({3, 0})), Floats{});
  // A scalar tensor is a value too.
  EXPECT_EQ(get<float>(Tensor::full({2}, makeTensor({1}).sum())), (Floats{0.25, 0.25}));
}

TEST(CreationTest, Ranges) {
  EXPECT_EQ(get<int64_t>(Tensor::range(2, 8, 3)), (Integers{2, 5}));
  EXPECT_EQ(get<int64_t>(Tensor::range(3, 0, -1)), (Integers{3, 2, 1}));
  EXPECT_EQ(get<int64_t>(Tensor::range(3, 3)), Integers{});
  EXPECT_EQ(get<float>(Tensor::range(0, 1, 0.25)), (Floats{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(get<double>(Tensor::range(0.5, 3, 1, DType::F64)),
            (std::vector<double>{0.5, 1.5, 2.5}));
  EXPECT_EQ(get<float>(Tensor::linspace(0, 0.3, 4))[3], 0.3f);
  EXPECT_EQ(get<float>(Tensor::linspace(5, 6, 1)), Floats{5});
  EXPECT_EQ(getError(Tensor::tryRange(0, 5, 0)),
            "range: expects finite numbers and a step other than 0");
  EXPECT_EQ(getError(Tensor::tryRange(makeTensor({1}), 5)),
            "range: expects numbers, but got a tensor");
}

TEST(CreationTest, Memory) {
  Tensor x = Tensor::empty({2, 2});
  ASSERT_TRUE(x.getBuffer());
  auto plan = (x + 1.0).prepare();
  x.getBuffer()->as<float>()[3] = 4;
  plan->execute();
  EXPECT_EQ(plan->outputBufferAt(0)->as<float>()[3], 5);
  EXPECT_EQ(plan->outputBufferAt(0)->as<float>()[0], 1);
}

TEST(CreationTest, Writing) {
  Tensor x = Tensor::empty({3}), doubled = x * 2.0;
  auto plan = doubled.prepare();
  x.write<float>({1, 2, 3});
  plan->execute();
  EXPECT_EQ(plan->outputBufferAt(0)->as<float>()[2], 6);
  auto expectError = [](llvm::Error error, llvm::StringRef expected) {
    std::string text = llvm::toString(std::move(error));
    EXPECT_TRUE(llvm::StringRef(text).ends_with(expected)) << text;
  };
  expectError(x.tryWrite<float>({1, 2}),
              "write: expects 3 elements of f32 for shape (3,), but got 2 of f32");
  expectError(x.tryWrite<int32_t>({1, 2, 3}),
              "write: expects 3 elements of f32 for shape (3,), but got 3 of i32");
  expectError(doubled.tryWrite<float>({1, 2, 3}), "write: expects a tensor in memory");
  // Memory that the caller has.
  BufferRef buffer = Buffer::create(8);
  buffer->as<float>()[0] = 5;
  buffer->as<float>()[1] = 6;
  Tensor shared = Tensor::fromBuffer(DType::F32, {2}, buffer);
  EXPECT_EQ(shared.getBuffer(), buffer);
  EXPECT_EQ(get<float>(shared + 1.0), (Floats{6, 7}));
  EXPECT_EQ(getError(Tensor::tryFromBuffer(DType::F32, {3}, buffer)),
            "fromBuffer: expects a buffer of 12 bytes for shape (3,), but got one of 8");
  EXPECT_EQ(getError(Tensor::tryFromBuffer(DType::F32, {3}, nullptr)),
            "fromBuffer: expects a buffer of 12 bytes for shape (3,), but got none");
}

TEST(CreationTest, Files) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("tensor", "npy", path));
  for (DType dtype : {DType::F32, DType::F64, DType::F16, DType::I8, DType::U64, DType::Bool}) {
    Tensor x = (makeTensor({2, 3}) * 4.0).cast(dtype);
    x.saveNpy(path);
    Tensor y = Tensor::fromNpy(path);
    EXPECT_EQ(y.getDType(), dtype);
    EXPECT_EQ(formatShape(y.getShape()), "(2, 3)");
    EXPECT_TRUE(get<bool>(x.equal(y).all())[0]) << stringifyDType(dtype).str();
  }
  llvm::sys::fs::remove(path);
  std::string text = getError(Tensor::tryFromNpy(path));
  EXPECT_EQ(text.find("fromNpy: "), 0u) << text;
  llvm::Error error = makeTensor({1}).trySaveNpy("/no/such/directory/x.npy");
  EXPECT_EQ(llvm::toString(std::move(error)),
            "cannot write '/no/such/directory/x.npy': No such file or directory");
}

TEST(CreationTest, FilesThatDoNotFit) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tensor", path));
  std::string directory = path.str().str();
  path += "/x.npy";
  makeTensor({3}).saveNpy(path);
  Tensor large = makeTensor({1000});
  // As on a full disk.
  auto *handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 512;
  setrlimit(RLIMIT_FSIZE, &small);
  llvm::Error error = large.trySaveNpy(path);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(llvm::toString(std::move(error)),
            ("cannot write '" + path + "': File too large").str());
  EXPECT_EQ(get<float>(Tensor::fromNpy(path)), makeData(3));
  std::filesystem::directory_iterator files(directory);
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
  std::filesystem::remove_all(directory);
}

TEST(CreationTest, PipesAreWrittenNotReplaced) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tensor", path));
  std::string directory = path.str().str();
  path += "/pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  int reader = open(path.c_str(), O_RDWR);
  ASSERT_GE(reader, 0);
  makeTensor({3}).saveNpy(path);
  EXPECT_TRUE(std::filesystem::is_fifo(path.c_str()));
  char magic[6] = {};
  EXPECT_EQ(read(reader, magic, sizeof(magic)), 6);
  EXPECT_EQ(llvm::StringRef(magic, 6), "\x93NUMPY");
  close(reader);
  std::filesystem::remove_all(directory);
}

TEST(CreationTest, RandomNumbers) {
  Tensor x = Tensor::uniform({100, 100}, 1);
  Floats data = get<float>(x);
  for (float value : data)
    ASSERT_TRUE(value >= 0 && value < 1) << value;
  expectNear(x.mean().data<float>(), {0.5f}, 0.01f);
  expectNear(x.variance().data<float>(), {1 / 12.f}, 0.01f);
  EXPECT_EQ(get<float>(Tensor::uniform({100, 100}, 1)), data);
  EXPECT_NE(get<float>(Tensor::uniform({100, 100}, 2)), data);
  // No row is like another.
  EXPECT_EQ(get<int64_t>(x.slice(0, 0, 50).equal(x.slice(0, 50, 100)).sum())[0], 0);
  Tensor narrow = Tensor::uniform({10000}, 3, DType::BF16).cast(DType::F32);
  EXPECT_LT(get<float>(narrow.max())[0], 1);
  Tensor normal = Tensor::normal({10000}, 4);
  expectNear(normal.mean().data<float>(), {0.f}, 0.03f);
  expectNear(normal.stddev().data<float>(), {1.f}, 0.03f);
  expectNear(normal.abs().less(1.0).cast(DType::F32).mean().data<float>(), {0.6827f}, 0.01f);
  EXPECT_EQ(getError(Tensor::tryUniform({2}, 1, DType::I32)),
            "uniform: expects a type of floats, but got i32");
}

TEST(CreationTest, Errors) {
  EXPECT_EQ(getError(Tensor::tryFromSlice<float>({2, 2}, {1, 2, 3})),
            "fromSlice: expects 4 elements for shape (2, 2), but got 3");
  float data[2] = {};
  EXPECT_EQ(getError(Tensor::tryFromBytes(DType::F32, {2}, data, 7)),
            "fromSlice: expects 2 elements for shape (2,), but got 1 and 3 bytes");
  EXPECT_EQ(getError(Tensor::tryFromSlice<float>({-2}, {})),
            "fromSlice: expects extents of at least 0, but got (-2,)");
  EXPECT_EQ(getError(Tensor::tryZeros({2, -1})),
            "zeros: expects extents of at least 0, but got (2, -1)");
  int64_t huge = int64_t(1) << 40;
  EXPECT_EQ(getError(Tensor::tryZeros({huge, huge})),
            "zeros: the shape (1099511627776, 1099511627776) is too large");
  EXPECT_EQ(getError(Tensor::tryArange(-1)),
            "arange: expects extents of at least 0, but got (-1,)");
  EXPECT_EQ(getError(Tensor::tryFull({2}, makeTensor({3}))),
            "full: expects a shape to which (3,) broadcasts, but got (2,)");
  EXPECT_EQ(getError(Tensor::arange(huge).unsqueeze(1).tryAdd(Tensor::arange(huge))),
            "add: the shape (1099511627776, 1099511627776) is too large");
}
