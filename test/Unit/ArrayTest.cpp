// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/ExecutionEngine/Elements.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace pypto::execution;

namespace {
struct ArrayTest : testing::Test {
  ArrayTest() : builder(&context) {
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("pypto", "npy", path));
  }
  ~ArrayTest() override { llvm::sys::fs::remove(path); }

  void write(StringRef bytes) {
    std::error_code code;
    llvm::raw_fd_ostream os(path, code);
    os << bytes;
  }
  /// A version 1 file with this header and data.
  void writeFile(const std::string &header, StringRef data) {
    std::string text = header + "\n";
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += char(text.size() & 255);
    bytes += char(text.size() >> 8);
    write(bytes + text + data.str());
  }
  std::string readError() {
    llvm::Expected<Array> array = readNpy(path);
    return array ? "no error" : llvm::toString(array.takeError());
  }
  Array make(DType dtype, ArrayRef<int64_t> shape, const void *data) {
    Array array = llvm::cantFail(Array::create(dtype, shape));
    std::memcpy(array.data(), data, array.getNumBytes());
    return array;
  }

  MLIRContext context;
  Builder builder;
  SmallString<128> path;
};

std::string header(StringRef descr, StringRef order, StringRef shape) {
  return ("{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }")
      .str();
}

// What is written is read again, for every rank and for no elements.
TEST_F(ArrayTest, RoundTrip) {
  float data[6] = {1, 2, 3, 4, 5, 6};
  using Shape = SmallVector<int64_t>;
  for (const Shape &shape :
       {Shape{}, Shape{6}, Shape{2, 3}, Shape{1, 2, 3, 1}, Shape{0}, Shape{3, 0, 2}}) {
    Array array = make({'f', 4}, shape, data);
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    writeNpy(os, array);
    write(bytes);
    llvm::Expected<Array> read = readNpy(path);
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    EXPECT_EQ(read->getShape(), ArrayRef(shape));
    EXPECT_EQ(read->getDType(), array.getDType());
    EXPECT_EQ(std::memcmp(read->data(), data, array.getNumBytes()), 0);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(read->data()) % 64, 0u);
  }
}

// Another byte order and Fortran order become the order of the host and C order.
TEST_F(ArrayTest, ForeignOrders) {
  writeFile(header(">i2", "False", "(2,)"), StringRef("\x01\x02\xff\xfe", 4));
  Array big = llvm::cantFail(readNpy(path));
  EXPECT_EQ(reinterpret_cast<int16_t *>(big.data())[0], 0x0102);
  EXPECT_EQ(reinterpret_cast<int16_t *>(big.data())[1], -2);

  writeFile(header("|i1", "True", "(2, 3)"), "adbecf");
  EXPECT_EQ(StringRef(llvm::cantFail(readNpy(path)).data(), 6), "abcdef");
}

TEST_F(ArrayTest, DamagedFiles) {
  write("");
  EXPECT_TRUE(StringRef(readError()).ends_with("it does not begin as a .npy file does"));
  write("something else entirely");
  EXPECT_TRUE(StringRef(readError()).ends_with("it does not begin as a .npy file does"));
  write(StringRef("\x93NUMPY\x01\x00\xff\x00{", 11));
  EXPECT_TRUE(StringRef(readError()).ends_with("it ends inside its header"));
  write(StringRef("\x93NUMPY\x02\x00\x01", 9));
  EXPECT_TRUE(StringRef(readError()).ends_with("it does not begin as a .npy file does"));
  write(StringRef("\x93NUMPY\x09\x00\x00\x00", 10));
  EXPECT_TRUE(StringRef(readError()).ends_with("version 9 of the format is not supported"));
  write(StringRef("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12));
  EXPECT_TRUE(StringRef(readError()).ends_with("its header is longer than 4096 bytes"));
  writeFile("{}", "");
  EXPECT_TRUE(StringRef(readError()).ends_with("its header has no shape"));
  writeFile(header("<f4", "Maybe", "(2,)"), "12345678");
  EXPECT_TRUE(StringRef(readError()).ends_with("invalid fortran_order value"));
  writeFile(header("O", "False", "(2,)"), "12345678");
  EXPECT_TRUE(StringRef(readError()).ends_with("invalid typestring"));
  writeFile(header("<f0", "False", "(2,)"), "12345678");
  EXPECT_TRUE(StringRef(readError()).ends_with("dtype '<f0' is not supported"));
  writeFile(header("<f4", "False", "(3,)"), "12345678");
  EXPECT_TRUE(
      StringRef(readError()).ends_with("shape (3,) of float32, but it has 8 bytes of data"));
  writeFile(header("<f4", "False", "(4294967296, 4294967296)"), "12345678");
  EXPECT_TRUE(StringRef(readError()).ends_with("but it has 8 bytes of data"));
  writeFile(header("<f4", "False", "(99999999999999999999,)"), "12345678");
  EXPECT_TRUE(StringRef(readError()).ends_with("but it has 8 bytes of data"));
}

TEST_F(ArrayTest, Dtypes) {
  auto name = [](Type type) { return getDType(type) ? getDType(type)->str() : "none"; };
  EXPECT_EQ(name(builder.getF16Type()), "float16");
  EXPECT_EQ(name(builder.getBF16Type()), "uint16");
  EXPECT_EQ(name(builder.getType<Float8E4M3FNType>()), "uint8");
  EXPECT_EQ(name(builder.getI1Type()), "bool");
  EXPECT_EQ(name(builder.getIntegerType(4)), "int8");
  EXPECT_EQ(name(builder.getIntegerType(32)), "int32");
  EXPECT_EQ(name(builder.getIntegerType(64, false)), "uint64");
  EXPECT_EQ(name(builder.getIndexType()), "int64");
  EXPECT_EQ(name(builder.getIntegerType(17)), "none");
  EXPECT_EQ(name(builder.getF80Type()), "none");
  EXPECT_EQ(name(builder.getNoneType()), "none");
}

TEST_F(ArrayTest, NibblesAndBools) {
  signed char nibbles[3] = {-8, -1, 7};
  Array array = make({'i', 1}, {3}, nibbles);
  Type i4 = builder.getIntegerType(4);
  ASSERT_FALSE(bool(importElements(i4, array)));
  EXPECT_EQ(StringRef(array.data(), 3), StringRef("\x08\x0f\x07", 3));
  exportElements(i4, array);
  EXPECT_EQ(std::memcmp(array.data(), nibbles, 3), 0);

  Array large = make({'i', 1}, {1}, "\x08");
  EXPECT_EQ(llvm::toString(importElements(i4, large)),
            "expects values from -8 to 7, but element 0 is 8");
  Array flags = make({'b', 1}, {2}, "\x02\x00");
  ASSERT_FALSE(bool(importElements(builder.getI1Type(), flags)));
  EXPECT_EQ(*flags.element(0), 1);
  EXPECT_EQ(llvm::toString(importElements(builder.getBF16Type(), flags)),
            "expects dtype uint16 (raw bits), but got bool");
}

TEST_F(ArrayTest, ScalarLiterals) {
  auto value = [](Type type, StringRef text) {
    llvm::Expected<Array> scalar = parseScalar(type, text);
    return scalar ? formatElement(type, scalar->data()) : llvm::toString(scalar.takeError());
  };
  EXPECT_EQ(value(builder.getF32Type(), "2.5"), "2.5");
  EXPECT_EQ(value(builder.getF16Type(), "-inf"), "-inf");
  EXPECT_EQ(value(builder.getBF16Type(), "1.00390625"), "1");
  EXPECT_EQ(value(builder.getType<Float8E4M3FNType>(), "nan"), "nan");
  EXPECT_EQ(value(builder.getF32Type(), "x"), "expects a number, but got 'x'");
  EXPECT_EQ(value(builder.getF32Type(), ""), "expects a number, but got ''");
  EXPECT_EQ(value(builder.getIndexType(), "-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(value(builder.getI1Type(), "true"), "1");
  EXPECT_EQ(value(builder.getIntegerType(8), "0xff"), "-1");
  EXPECT_EQ(value(builder.getIntegerType(8), "256"), "expects an integer of 8 bits, but got 256");
  EXPECT_EQ(value(builder.getIntegerType(8), "-129"), "expects an integer of 8 bits, but got -129");
  EXPECT_EQ(value(builder.getIntegerType(8), "1.5"), "expects an integer, but got '1.5'");
}

TEST_F(ArrayTest, Compare) {
  Type f32 = builder.getF32Type();
  float nan = NAN, inf = INFINITY;
  float left[4] = {1, nan, inf, 0}, right[4] = {1.000001f, nan, inf, 0};
  auto all = [](int64_t) { return true; };
  auto run = [&](const float *a, const float *b) {
    return llvm::cantFail(compare(f32, make({'f', 4}, {4}, a), make({'f', 4}, {4}, b), {}, all));
  };
  EXPECT_EQ(run(left, right).numDifferent, 0);
  float other[4] = {1, nan, -inf, 1e-3f};
  Comparison result = run(left, other);
  EXPECT_EQ(result.numDifferent, 2);
  EXPECT_EQ(result.firstDifferent, 2);
  EXPECT_EQ(result.firstExpected, "-inf");
  EXPECT_EQ(run(right, (const float[4]){1, 2, inf, 0}).firstDifferent, 1);

  // Elements outside the valid extents do not count.
  auto onlyFirst = [](int64_t i) { return i == 0; };
  EXPECT_EQ(llvm::cantFail(
                compare(f32, make({'f', 4}, {4}, left), make({'f', 4}, {4}, other), {}, onlyFirst))
                .numDifferent,
            0);
  // Integers are equal or not, however large the tolerance, and also beyond 2^53.
  int64_t big[1] = {(int64_t(1) << 53) + 1}, near[1] = {int64_t(1) << 53};
  EXPECT_EQ(llvm::cantFail(compare(builder.getIndexType(), make({'i', 8}, {1}, big),
                                   make({'i', 8}, {1}, near), {1, 1}, all))
                .numDifferent,
            1);
  // A narrow float is compared with a wider file.
  uint16_t one = 0x3f80;
  float wide = 1;
  EXPECT_EQ(llvm::cantFail(compare(builder.getBF16Type(), make({'u', 2}, {1}, &one),
                                   make({'f', 4}, {1}, &wide), {}, all))
                .numDifferent,
            0);
}

TEST_F(ArrayTest, RandomIsDeterministicAndInRange) {
  Array a = llvm::cantFail(Array::create({'f', 4}, {100})), b = llvm::cantFail(a.clone());
  fillRandom(builder.getF32Type(), a, 7);
  fillRandom(builder.getF32Type(), b, 7);
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.getNumBytes()), 0);
  fillRandom(builder.getF32Type(), b, 8);
  EXPECT_NE(std::memcmp(a.data(), b.data(), a.getNumBytes()), 0);
  double low = 1, high = -1;
  for (int64_t i = 0; i < 100; ++i) {
    double value = getElementAsDouble(builder.getF32Type(), a.element(i));
    low = std::min(low, value);
    high = std::max(high, value);
  }
  EXPECT_TRUE(low >= -1 && low < -0.8 && high < 1 && high > 0.8);
}
} // namespace
