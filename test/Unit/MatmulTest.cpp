// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products of compiled code beside three loops. Elements are small integers, so that every
// sum is exact and each element can be compared for equality.
#include "TileEmulator.h"
#include "pypto/ExecutionEngine/JIT.h"
#include "pypto/InitAll.h"
#include "pypto/Pipelines/Pipelines.h"
#include "pypto/Runtime/ParallelFor.h"

#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace mlir;
using namespace pypto;

namespace {
/// A type of elements, and how a small integer is stored in it.
struct Element {
  const char *name;
  size_t bytes;
  void (*store)(void *, int);
  double (*load)(const void *);
};

template <typename T> Element makeElement(const char *name) {
  return {name, sizeof(T), [](void *to, int value) { *static_cast<T *>(to) = T(value); },
          [](const void *from) { return double(*static_cast<const T *>(from)); }};
}

struct Shape {
  int64_t m, n, k;
};

struct Case {
  Element factor, sum;
  /// From a factor to a sum; none if they are the same.
  const char *cast = nullptr;
  bool transposeLhs = false, transposeRhs = false;
  bool isZeroed = true, hasEpilogue = false, isStatic = false;
  /// Row i adds up the numbers to `slope` * i + `last` only; what follows them is NaN.
  struct Limit {
    int64_t slope, last;
  };
  std::optional<Limit> limit = {};
  /// Distance between elements of a row.
  int64_t step = 1;
  /// Entries of the schedule.
  std::string schedule = {};
};

struct Descriptor {
  void *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
};

/// A matrix inside of a larger buffer, the rest of which has to stay as it is.
struct Matrix {
  Matrix(const Element &element, int64_t rows, int64_t columns, int64_t step, int64_t padding)
      : element(element), rows(rows), columns(columns) {
    int64_t stride = columns * step + padding;
    bytes.assign(size_t(padding + rows * stride + padding + 64) * element.bytes, char(0x77));
    descriptor = {bytes.data(), bytes.data(), padding, {rows, columns}, {stride, step}};
  }
  char *at(int64_t row, int64_t column) {
    return bytes.data() +
           (descriptor.offset + row * descriptor.strides[0] + column * descriptor.strides[1]) *
               int64_t(element.bytes);
  }
  double get(int64_t row, int64_t column) { return element.load(at(row, column)); }
  void fill(int seed) {
    for (int64_t i = 0; i != rows; ++i)
      for (int64_t j = 0; j != columns; ++j)
        element.store(at(i, j), int((i * 7 + j * 13 + i * j + seed) % 7 - 3));
  }

  Element element;
  int64_t rows, columns;
  std::vector<char> bytes;
  Descriptor descriptor;
};

struct MatmulTest : testing::Test {
  MatmulTest() {
    DialectRegistry registry;
    mlir::registerAllDialects(registry);
    bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(registry);
    pypto::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  static std::string write(const Case &c, const Shape &shape);
  execution::JIT::Invoker compile(const std::string &text);
  void check(const Case &c, const Shape &shape, execution::JIT::Invoker invoker);
  void checkDynamic(const Case &c);
  void checkStatic(Case c);

  MLIRContext context;
  std::vector<std::unique_ptr<execution::JIT>> code;
  /// For another machine, whose instructions are emulated.
  std::optional<ProductTarget> target;
};
} // namespace

static Element f32() { return makeElement<float>("f32"); }
static Element f64() { return makeElement<double>("f64"); }
static Element i32() { return makeElement<int32_t>("i32"); }
static Element i16() { return makeElement<int16_t>("i16"); }
static Element i8() { return makeElement<int8_t>("i8"); }
static Element f16() { return makeElement<_Float16>("f16"); }
static Element bf16() {
  return {"bf16", 2,
          [](void *to, int value) {
            float wide = float(value);
            memcpy(to, reinterpret_cast<char *>(&wide) + 2, 2);
          },
          nullptr};
}

std::string MatmulTest::write(const Case &c, const Shape &shape) {
  auto type = [&](const Element &element, int64_t rows, int64_t columns) -> std::string {
    if (c.isStatic)
      return llvm::formatv("memref<{0}x{1}x{2}, strided<[?, {3}], offset: ?>>", rows, columns,
                           element.name, c.step);
    return llvm::formatv("memref<?x?x{0}, strided<[?, ?], offset: ?>>", element.name);
  };
  std::string lhs =
      c.transposeLhs ? type(c.factor, shape.k, shape.m) : type(c.factor, shape.m, shape.k);
  std::string rhs =
      c.transposeRhs ? type(c.factor, shape.n, shape.k) : type(c.factor, shape.k, shape.n);
  std::string out = type(c.sum, shape.m, shape.n);
  std::string dense = c.isStatic
                          ? llvm::formatv("memref<{0}x{1}x{2}>", shape.m, shape.n, c.sum.name).str()
                          : llvm::formatv("memref<?x?x{0}>", c.sum.name).str();
  bool isFloat = c.sum.name[0] == 'f';
  std::string text = "func.func @pypto_entry_mm(%a: " + lhs + ", %b: " + rhs + ", %out: " + out +
                     ") attributes {llvm.emit_c_interface} {\n";
  std::string target = "%out", targetType = out;
  text += "%i0 = arith.constant 0 : index\n%i1 = arith.constant 1 : index\n"
          "%m = memref.dim %out, %i0 : " +
          out + "\n%n = memref.dim %out, %i1 : " + out + "\n";
  std::string extents = c.isStatic ? "()" : "(%m, %n)";
  if (c.hasEpilogue) {
    text += "%c = memref.alloc" + extents + " : " + dense + "\n";
    target = "%c";
    targetType = dense;
  }
  if (c.isZeroed) {
    text += llvm::formatv("%zero = arith.constant {0} : {1}\n", isFloat ? "0.0" : "0", c.sum.name);
    text += llvm::formatv("linalg.fill ins(%zero : {0}) outs({1} : {2})\n", c.sum.name, target,
                          targetType);
  }
  text +=
      llvm::formatv("linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> ({0})>, "
                    "affine_map<(i, j, k) -> ({1})>, affine_map<(i, j, k) -> (i, j)>], "
                    "iterator_types = [\"parallel\", \"parallel\", \"reduction\"]} "
                    "ins(%a, %b : {2}, {3}) outs({4} : {5}) "
                    "attrs = {{pypto.schedule = {{{8}} } {{\n^bb0(%x: {6}, %y: {6}, %s: {7}):\n",
                    c.transposeLhs ? "k, i" : "i, k", c.transposeRhs ? "j, k" : "k, j", lhs, rhs,
                    target, targetType, c.factor.name, c.sum.name, c.schedule);
  std::string x = "%x", y = "%y";
  if (c.cast) {
    text += llvm::formatv("%u = arith.{0} %x : {1} to {2}\n%v = arith.{0} %y : {1} to {2}\n",
                          c.cast, c.factor.name, c.sum.name);
    x = "%u";
    y = "%v";
  }
  text +=
      llvm::formatv("%p = arith.mul{0} {1}, {2} : {3}\n", isFloat ? "f" : "i", x, y, c.sum.name);
  if (c.limit)
    text += llvm::formatv(
        "%row = linalg.index 0 : index\n%number = linalg.index 2 : index\n"
        "%end = affine.apply affine_map<(i) -> (i * {0} + {1})>(%row)\n"
        "%has = arith.cmpi sge, %end, %number : index\n%none = arith.constant {2} : {3}\n"
        "%t = arith.select %has, %p, %none : {3}\n",
        c.limit->slope, c.limit->last, isFloat ? "0.0" : "0", c.sum.name);
  text += llvm::formatv("%q = arith.add{0} %s, {1} : {2}\nlinalg.yield %q : {2}\n}\n",
                        isFloat ? "f" : "i", c.limit ? "%t" : "%p", c.sum.name);
  // Relu of the product plus one, in the upper triangle of the product alone.
  if (c.hasEpilogue)
    text += llvm::formatv(
        "%d = memref.alloc{0} : {1}\n"
        "linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, "
        "affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\"]} "
        "ins(%c : {1}) outs(%d : {1}) {{\n^bb0(%x: {2}, %o: {2}):\n"
        "%one = arith.constant 1.0 : {2}\n%z = arith.constant 0.0 : {2}\n"
        "%row = linalg.index 0 : index\n%column = linalg.index 1 : index\n"
        "%first = affine.apply affine_map<(i) -> (i - 2)>(%row)\n"
        "%upper = arith.cmpi slt, %first, %column : index\n"
        "%s = arith.select %upper, %one, %z : {2}\n"
        "%p = arith.addf %x, %s : {2}\n%r = arith.maximumf %p, %z : {2}\n"
        "linalg.yield %r : {2}\n}\nmemref.copy %d, %out : {1} to {3}\n",
        extents, dense, c.sum.name, out);
  return text + "return\n}\n";
}

execution::JIT::Invoker MatmulTest::compile(const std::string &text) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  PassManager pm(&context);
  execution::JITOptions options;
  if (target) {
    buildBufferPipeline(pm, *target);
    options.features = {"+amx-tile", "+amx-bf16"};
  } else {
    buildCpuBackPipeline(pm);
  }
  if (!module || failed(pm.run(*module)))
    return nullptr;
  code.push_back(llvm::cantFail(execution::JIT::create(*module, options)));
  return llvm::cantFail(code.back()->lookup("mm", 3));
}

void MatmulTest::check(const Case &c, const Shape &shape, execution::JIT::Invoker invoker) {
  SCOPED_TRACE(llvm::formatv("{0} to {1}, {2}x{3}x{4}, transposed {5} {6}, zeroed {7}, step {8}, "
                             "epilogue {9}, static {10}, schedule {11}",
                             c.factor.name, c.sum.name, shape.m, shape.n, shape.k, c.transposeLhs,
                             c.transposeRhs, c.isZeroed, c.step, c.hasEpilogue, c.isStatic,
                             c.schedule)
                   .str());
  auto make = [&](bool transpose, int64_t rows, int64_t columns) {
    return transpose ? Matrix(c.factor, columns, rows, c.step, 3)
                     : Matrix(c.factor, rows, columns, c.step, 3);
  };
  // The loops of the reference read these.
  Element wide = c.factor;
  Matrix a = make(c.transposeLhs, shape.m, shape.k), b = make(c.transposeRhs, shape.k, shape.n);
  Matrix out(c.sum, shape.m, shape.n, c.step, 5);
  a.fill(1);
  b.fill(2);
  out.fill(3);
  for (int64_t i = 0; c.limit && i != shape.m; ++i)
    for (int64_t k = std::max<int64_t>(c.limit->slope * i + c.limit->last + 1, 0); k < shape.k; ++k)
      *reinterpret_cast<float *>(c.transposeLhs ? a.at(k, i) : a.at(i, k)) = NAN;
  Matrix expected = out;
  expected.descriptor.allocated = expected.descriptor.aligned = expected.bytes.data();
  auto load = [&](Matrix &matrix, bool transpose, int64_t row, int64_t column) -> double {
    if (transpose)
      std::swap(row, column);
    if (wide.load)
      return matrix.get(row, column);
    uint32_t bits = uint32_t(*reinterpret_cast<uint16_t *>(matrix.at(row, column))) << 16;
    float value;
    memcpy(&value, &bits, 4);
    return value;
  };
  for (int64_t i = 0; i != shape.m; ++i)
    for (int64_t j = 0; j != shape.n; ++j) {
      double sum = c.isZeroed ? 0 : out.get(i, j);
      int64_t end = c.limit ? c.limit->slope * i + c.limit->last + 1 : shape.k;
      for (int64_t k = 0; k < std::min(end, shape.k); ++k)
        sum += load(a, c.transposeLhs, i, k) * load(b, c.transposeRhs, k, j);
      if (c.hasEpilogue)
        sum = std::max(0.0, sum + (i - 2 < j ? 1 : 0));
      expected.element.store(expected.at(i, j), int(sum));
    }
  void *pointers[] = {&a.descriptor, &b.descriptor, &out.descriptor};
  void *arguments[] = {&pointers[0], &pointers[1], &pointers[2]};
  invoker(arguments, nullptr);
  EXPECT_EQ(out.bytes, expected.bytes);
}

void MatmulTest::checkDynamic(const Case &c) {
  execution::JIT::Invoker invoker = compile(write(c, {}));
  ASSERT_TRUE(invoker);
  Shape shapes[] = {{0, 3, 5},   {3, 0, 5},    {3, 5, 0},     {1, 1, 1},      {1, 33, 7},
                    {7, 1, 33},  {14, 32, 16}, {15, 33, 17},  {37, 63, 129},  {64, 64, 64},
                    {29, 65, 9}, {353, 70, 3}, {30, 70, 390}, {530, 550, 11}, {2, 3, 800}};
  for (const Shape &shape : shapes)
    check(c, shape, invoker);
}

void MatmulTest::checkStatic(Case c) {
  c.isStatic = true;
  Shape shapes[] = {{1, 33, 7},    {7, 1, 33},     {15, 33, 17}, {64, 48, 64},
                    {37, 63, 400}, {90, 600, 401}, {1, 600, 70}};
  for (const Shape &shape : shapes) {
    execution::JIT::Invoker invoker = compile(write(c, shape));
    ASSERT_TRUE(invoker);
    check(c, shape, invoker);
  }
}

TEST_F(MatmulTest, DynamicShapes) { checkDynamic({f32(), f32()}); }
TEST_F(MatmulTest, AddToTheOutput) {
  checkDynamic({.factor = f32(), .sum = f32(), .isZeroed = false});
}
TEST_F(MatmulTest, TransposedRight) {
  checkDynamic({.factor = f64(), .sum = f64(), .transposeRhs = true});
}
TEST_F(MatmulTest, TransposedLeft) {
  checkDynamic({.factor = i32(), .sum = i32(), .transposeLhs = true});
}
TEST_F(MatmulTest, NoContiguousRows) {
  checkDynamic({.factor = f32(), .sum = f32(), .isZeroed = false, .step = 2});
}
TEST_F(MatmulTest, CastElements) {
  checkDynamic({.factor = f16(), .sum = f32(), .cast = "extf"});
  checkDynamic({.factor = bf16(), .sum = f32(), .cast = "extf", .transposeRhs = true});
  checkDynamic({.factor = i8(), .sum = i32(), .cast = "extsi", .isZeroed = false});
  checkDynamic({.factor = i8(), .sum = i16(), .cast = "extsi"});
}
TEST_F(MatmulTest, Epilogue) { checkDynamic({.factor = f32(), .sum = f32(), .hasEpilogue = true}); }

TEST_F(MatmulTest, StaticShapes) {
  checkStatic({.factor = f32(), .sum = f32()});
  checkStatic({.factor = f64(), .sum = f64(), .isZeroed = false});
}
TEST_F(MatmulTest, StaticTransposed) {
  checkStatic({.factor = f32(), .sum = f32(), .transposeLhs = true});
  checkStatic({.factor = f32(), .sum = f32(), .transposeRhs = true});
}
TEST_F(MatmulTest, StaticCasts) {
  checkStatic({.factor = bf16(), .sum = f32(), .cast = "extf"});
  checkStatic({.factor = i8(), .sum = i32(), .cast = "extsi", .transposeLhs = true});
}
TEST_F(MatmulTest, StaticEpilogue) {
  checkStatic({.factor = f32(), .sum = f32(), .hasEpilogue = true});
}

// The whole path to machine code with tiles: kernels, copies with zeros up to whole tiles, ends of
// rows and columns. What the machine does not have is emulated, so that a run shows what the
// instructions compute and not how fast they are.
TEST_F(MatmulTest, Tiles) {
  if (getHostVectorBits() < 512)
    GTEST_SKIP() << "the rest of the kernels needs AVX-512";
  test::TileEmulator emulator;
  target = getHostProductTarget();
  bool isEmulated = !target->hasAMX;
  target->hasAMX = true;
  Case plain{.factor = bf16(), .sum = f32(), .cast = "extf"};
  checkDynamic(plain);
  EXPECT_TRUE(!isEmulated || test::TileEmulator::countProducts() > 0);
  checkDynamic({.factor = bf16(), .sum = f32(), .cast = "extf", .transposeLhs = true});
  checkDynamic(
      {.factor = bf16(), .sum = f32(), .cast = "extf", .transposeRhs = true, .isZeroed = false});
  checkDynamic({.factor = bf16(), .sum = f32(), .cast = "extf", .step = 2});
  checkStatic(plain);
  checkStatic({.factor = bf16(),
               .sum = f32(),
               .cast = "extf",
               .hasEpilogue = true,
               .schedule = "k_block = 64"});
}

// Every schedule gives the same numbers.
TEST_F(MatmulTest, RandomSchedules) {
  std::mt19937 generator(11);
  auto draw = [&](std::initializer_list<int64_t> values) {
    return values.begin()[generator() % values.size()];
  };
  auto write = [&]() {
    std::string text =
        llvm::formatv("rows = {0}, vectors = {1}", draw({1, 3, 6, 8, 14}), draw({1, 2, 3}));
    auto add = [&](const char *name, std::initializer_list<int64_t> values) {
      if (draw({0, 1, 1}))
        text += llvm::formatv(", {0} = {1}", name, draw(values));
    };
    add("unroll", {1, 2, 3, 8});
    add("vector_bits", {128, 256, 512});
    add("m_block", {1, 30, 64});
    add("n_block", {1, 40, 90});
    add("k_block", {1, 7, 64, 1000});
    add("m_part", {9, 50, 1000});
    add("n_part", {20, 70, 1000});
    for (const char *flag : {"pack_lhs", "pack_rhs", "share_rhs", "prefetch", "stream"})
      if (draw({0, 1, 1}))
        text += llvm::formatv(", {0} = {1}", flag, draw({0, 1}) ? "true" : "false");
    return text;
  };
  for (int trial = 0; trial != 40; ++trial) {
    Case c =
        draw({0, 1, 2}) ? Case{f32(), f32()} : Case{.factor = f16(), .sum = f32(), .cast = "extf"};
    c.transposeLhs = draw({0, 0, 1});
    c.transposeRhs = draw({0, 0, 1});
    c.isZeroed = c.hasEpilogue = draw({0, 1});
    c.step = draw({1, 1, 1, 2});
    c.schedule = write();
    runtime::setParallelThreads(unsigned(draw({1, 2, 3})));
    c.isStatic = draw({0, 0, 1});
    if (c.isStatic) {
      Shape shape{draw({1, 29, 130}), draw({33, 64, 150}), draw({1, 65, 90})};
      execution::JIT::Invoker invoker = compile(MatmulTest::write(c, shape));
      ASSERT_TRUE(invoker);
      check(c, shape, invoker);
    } else {
      checkDynamic(c);
    }
  }
  runtime::setParallelThreads(0);
}

// Sums of rows that end earlier than others read nothing behind their end.
TEST_F(MatmulTest, Triangles) {
  for (Case::Limit limit : {Case::Limit{1, 0}, {1, -9}, {0, 6}})
    for (bool isTransposed : {false, true}) {
      Case c{.factor = f32(), .sum = f32(), .transposeLhs = isTransposed, .limit = limit};
      checkDynamic(c);
      c.isZeroed = false;
      c.schedule =
          "rows = 5, vectors = 1, k_block = 7, pack_lhs = true, pack_rhs = true, unroll = 3";
      checkDynamic(c);
      checkStatic(c);
      c.isZeroed = c.hasEpilogue = true;
      c.schedule = "rows = 6, vectors = 4, k_block = 64";
      checkDynamic(c);
    }
}

// What parts a product has does not depend on the threads that run them.
TEST_F(MatmulTest, ThreadsGiveTheSameBits) {
  Case c{f32(), f32()};
  Shape shape{300, 290, 280};
  execution::JIT::Invoker invoker = compile(write(c, shape));
  ASSERT_TRUE(invoker);
  std::vector<char> bytes[2];
  for (unsigned i = 0; i != 2; ++i) {
    runtime::setParallelThreads(i == 0 ? 1 : 4);
    check(c, shape, invoker);
    Matrix a(c.factor, shape.m, shape.k, 1, 3), b(c.factor, shape.k, shape.n, 1, 3),
        out(c.sum, shape.m, shape.n, 1, 3);
    for (int64_t row = 0; row != shape.k; ++row)
      for (int64_t column = 0; column != shape.n; ++column)
        *reinterpret_cast<float *>(b.at(row, column)) = 1.0f / float(row + column + 1);
    for (int64_t row = 0; row != shape.m; ++row)
      for (int64_t column = 0; column != shape.k; ++column)
        *reinterpret_cast<float *>(a.at(row, column)) = 1.0f / float(row * 3 + column + 1);
    void *pointers[] = {&a.descriptor, &b.descriptor, &out.descriptor};
    void *arguments[] = {&pointers[0], &pointers[1], &pointers[2]};
    invoker(arguments, nullptr);
    bytes[i] = out.bytes;
  }
  runtime::setParallelThreads(0);
  EXPECT_EQ(bytes[0], bytes[1]);
}

// No product is left out, and nothing of one element gets into another.
TEST_F(MatmulTest, InfinityAndNaN) {
  Case c{f32(), f32()};
  execution::JIT::Invoker invoker = compile(write(c, {}));
  ASSERT_TRUE(invoker);
  int64_t m = 17, n = 35, k = 5;
  Matrix a(c.factor, m, k, 1, 3), b(c.factor, k, n, 1, 3), out(c.sum, m, n, 1, 3);
  for (Matrix *matrix : {&a, &b})
    matrix->fill(1);
  auto set = [](Matrix &matrix, int64_t i, int64_t j, float value) {
    *reinterpret_cast<float *>(matrix.at(i, j)) = value;
  };
  for (int64_t j = 0; j != k; ++j)
    set(a, 16, j, 0);
  set(b, 2, 34, INFINITY);
  set(a, 3, 1, NAN);
  void *pointers[] = {&a.descriptor, &b.descriptor, &out.descriptor};
  void *arguments[] = {&pointers[0], &pointers[1], &pointers[2]};
  invoker(arguments, nullptr);
  for (int64_t i = 0; i != m; ++i)
    for (int64_t j = 0; j != n; ++j) {
      double expected = 0;
      for (int64_t s = 0; s != k; ++s)
        expected += a.get(i, s) * b.get(s, j);
      EXPECT_EQ(std::isnan(expected), std::isnan(out.get(i, j))) << i << ' ' << j;
      EXPECT_EQ(std::isinf(expected), std::isinf(out.get(i, j))) << i << ' ' << j;
    }
  EXPECT_TRUE(std::isnan(out.get(16, 34)));
}
