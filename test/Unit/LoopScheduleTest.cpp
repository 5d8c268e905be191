// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops under random schedules beside the same loops under those that the heuristics choose: every
// bit has to be the same.
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
#include <cstdlib>
#include <cstring>
#include <random>

using namespace mlir;
using namespace pypto;

namespace {
/// A buffer of 32-bit elements, as whole as the parameters of kernels are.
struct Buffer {
  std::vector<int64_t> shape;
  bool isFloat = true;

  int64_t getNumElements() const {
    int64_t count = 1;
    for (int64_t extent : shape)
      count *= extent;
    return count;
  }
  std::string getType(bool isStatic, llvm::StringRef kind) const {
    std::string text = (kind + "<").str();
    for (int64_t extent : shape)
      text += isStatic ? std::to_string(extent) + "x" : "?x";
    return text + (isFloat ? "f32>" : "i32>");
  }
};

/// A function of buffers: `$0`, … in the body stand for their types.
struct Program {
  const char *name;
  std::vector<Buffer> buffers;
  std::string body;
  /// Works on tensors; `body` ends with the value `%result` for the last buffer.
  bool isOnTensors = false;
};

struct LoopScheduleTest : testing::Test {
  LoopScheduleTest() {
    DialectRegistry registry;
    mlir::registerAllDialects(registry);
    bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(registry);
    pypto::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }
  ~LoopScheduleTest() override { runtime::setParallelThreads(0); }

  static std::string write(const Program &program, bool isStatic, const std::string &schedule);
  std::vector<std::vector<uint32_t>> run(const Program &program, bool isStatic,
                                         const std::string &schedule, unsigned seed);
  void check(const Program &program, unsigned seed);
  std::string drawSchedule();
  int64_t draw(std::initializer_list<int64_t> values) {
    return values.begin()[generator() % values.size()];
  }

  MLIRContext context;
  std::mt19937 generator{7};
};
} // namespace

std::string LoopScheduleTest::write(const Program &program, bool isStatic,
                                    const std::string &schedule) {
  std::string text = "func.func @pypto_entry_loop(", body = program.body, begin, end;
  for (size_t i = 0; i != program.buffers.size(); ++i) {
    std::string memref = program.buffers[i].getType(isStatic, "memref");
    std::string tensor = program.buffers[i].getType(isStatic, "tensor");
    text += llvm::formatv("{0}%a{1}: {2} {{llvm.align = 64 : i64, llvm.noalias}", i ? ", " : "", i,
                          memref);
    if (program.isOnTensors)
      begin += llvm::formatv("%t{0} = bufferization.to_tensor %a{0} restrict{3} : {1} to {2}\n", i,
                             memref, tensor, i + 1 == program.buffers.size() ? " writable" : "");
    if (program.isOnTensors && i + 1 == program.buffers.size())
      end = llvm::formatv("bufferization.materialize_in_destination %result in restrict writable "
                          "%a{0} : ({2}, {1}) -> ()\n",
                          i, memref, tensor);
    std::string place = "$" + std::to_string(i);
    for (size_t at; (at = body.find(place)) != std::string::npos;)
      body.replace(at, place.size(), program.isOnTensors ? tensor : memref);
  }
  return text + ") attributes {llvm.emit_c_interface, pypto.schedule = {" + schedule + "}} {\n" +
         begin + body + end + "return\n}\n";
}

/// What the buffers hold afterwards.
std::vector<std::vector<uint32_t>> LoopScheduleTest::run(const Program &program, bool isStatic,
                                                         const std::string &schedule,
                                                         unsigned seed) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(write(program, isStatic, schedule), &context);
  PassManager pm(&context);
  buildCpuBackPipeline(pm);
  if (!module || failed(pm.run(*module))) {
    ADD_FAILURE() << "cannot compile " << program.name << " with " << schedule;
    return std::vector<std::vector<uint32_t>>(program.buffers.size());
  }
  auto jit = llvm::cantFail(execution::JIT::create(*module, {}));
  unsigned count = program.buffers.size();
  execution::JIT::Invoker invoker = llvm::cantFail(jit->lookup("loop", count));
  std::vector<std::unique_ptr<char, void (*)(void *)>> memory;
  std::vector<std::vector<int64_t>> descriptors;
  std::vector<void *> pointers, arguments;
  std::minstd_rand values(seed + 1);
  for (const Buffer &buffer : program.buffers) {
    size_t bytes = llvm::alignTo(buffer.getNumElements() * 4 + 64, 64);
    memory.emplace_back(static_cast<char *>(std::aligned_alloc(64, bytes)),
                        [](void *data) { std::free(data); });
    std::memset(memory.back().get(), 0, bytes);
    for (int64_t i = 0; i != buffer.getNumElements(); ++i) {
      unsigned drawn = values() % 1000;
      float number = (float(drawn) - 500) / 77;
      if (seed % 3 == 0 && drawn < 4)
        number = drawn == 0 ? NAN : drawn == 1 ? INFINITY : drawn == 2 ? -INFINITY : 1e-42f;
      int32_t integer = int32_t(drawn) - 500;
      std::memcpy(memory.back().get() + 4 * i,
                  buffer.isFloat ? static_cast<void *>(&number) : &integer, 4);
    }
    auto address = reinterpret_cast<int64_t>(memory.back().get());
    std::vector<int64_t> &descriptor = descriptors.emplace_back();
    descriptor = {address, address, 0};
    llvm::append_range(descriptor, buffer.shape);
    int64_t stride = buffer.getNumElements();
    for (int64_t extent : buffer.shape)
      descriptor.push_back(stride /= std::max<int64_t>(extent, 1));
  }
  for (std::vector<int64_t> &descriptor : descriptors)
    pointers.push_back(descriptor.data());
  for (void *&pointer : pointers)
    arguments.push_back(&pointer);
  invoker(arguments.data(), nullptr);
  std::vector<std::vector<uint32_t>> results;
  for (auto [buffer, data] : llvm::zip_equal(program.buffers, memory)) {
    auto *words = reinterpret_cast<uint32_t *>(data.get());
    results.emplace_back(words, words + buffer.getNumElements());
    // Which NaN it is nobody says.
    for (uint32_t &word : results.back())
      if (buffer.isFloat && (word & 0x7fffffff) > 0x7f800000)
        word = 0x7fc00000;
  }
  return results;
}

std::string LoopScheduleTest::drawSchedule() {
  std::vector<std::string> entries;
  auto add = [&](const char *name, std::initializer_list<int64_t> values) {
    if (draw({0, 1, 1}))
      entries.push_back(llvm::formatv("{0} = {1}", name, draw(values)));
  };
  add("vector_bits", {128, 256, 512});
  add("unroll", {1, 2, 3, 4, 7, 8, 16});
  add("row_block", {1, 2, 3, 8, 32});
  add("transpose_block", {1, 7, 16, 32, 64, 100, 128});
  add("parts", {1, 2, 3, 7, 64, 1000});
  for (const char *flag : {"prefetch", "stream", "fuse_rows"})
    if (draw({0, 1, 1}))
      entries.push_back(llvm::formatv("{0} = {1}", flag, draw({0, 1}) ? "true" : "false"));
  return llvm::join(entries, ", ");
}

void LoopScheduleTest::check(const Program &program, unsigned seed) {
  bool isStatic = draw({0, 1, 1, 1});
  std::string schedule = drawSchedule();
  SCOPED_TRACE(llvm::formatv("{0}, static {1}, {2}, schedule {3}", program.name, isStatic,
                             program.buffers[0].getType(true, "memref"), schedule)
                   .str());
  runtime::setParallelThreads(1);
  auto expected = run(program, isStatic, "", seed);
  runtime::setParallelThreads(unsigned(draw({1, 2, 3})));
  auto actual = run(program, isStatic, schedule, seed);
  for (size_t i = 0; i != program.buffers.size(); ++i)
    if (actual[i] != expected[i]) {
      size_t at = std::mismatch(actual[i].begin(), actual[i].end(), expected[i].begin()).first -
                  actual[i].begin();
      ADD_FAILURE() << "element " << at << " of buffer " << i << " is " << std::hex << actual[i][at]
                    << ", but " << expected[i][at] << " without a schedule";
    }
}

//===- Programs ---------------------------------------------------------------===//

static std::string generic(llvm::StringRef maps, llvm::StringRef iterators, llvm::StringRef ins,
                           llvm::StringRef outs, llvm::StringRef body) {
  std::string text = "linalg.generic {indexing_maps = [";
  llvm::SmallVector<llvm::StringRef> all;
  maps.split(all, ';');
  for (auto [index, map] : llvm::enumerate(all))
    text += ((index ? ", affine_map<(i, j) -> (" : "affine_map<(i, j) -> (") + map + ")>").str();
  text += "], iterator_types = [";
  for (auto [index, iterator] : llvm::enumerate(iterators))
    text += std::string(index ? ", " : "") + (iterator == 'p' ? "\"parallel\"" : "\"reduction\"");
  return text + llvm::formatv("]} {0} outs({1}) {{\n{2}}", ins, outs, body).str();
}

static Program elementwise(int64_t m, int64_t n) {
  return {"elementwise",
          {{{m, n}}, {{n}}, {{m, n}}, {{m, n}}},
          generic("i, j;j;i, j;i, j", "pp", "ins(%a0, %a1, %a2 : $0, $1, $2)", "%a3 : $3",
                  "^bb0(%x: f32, %y: f32, %z: f32, %o: f32):\n%0 = math.exp %x : f32\n"
                  "%1 = arith.mulf %0, %y : f32\n%2 = arith.addf %1, %z : f32\n"
                  "linalg.yield %2 : f32\n") +
              "\n"};
}

static Program transposed(int64_t m, int64_t n) {
  return {"transposed",
          {{{n, m}}, {{m, n}}, {{m, n}}},
          generic("j, i;i, j;i, j", "pp", "ins(%a0, %a1 : $0, $1)", "%a2 : $2",
                  "^bb0(%x: f32, %y: f32, %o: f32):\n%0 = arith.addf %x, %y : f32\n"
                  "linalg.yield %0 : f32\n") +
              "\n"};
}

/// Along rows, along columns, or all: the iterators and the map of the result say which.
static Program reduction(const char *name, int64_t m, int64_t n, llvm::StringRef iterators,
                         llvm::StringRef map, const char *op, bool isFloat, bool maps = false) {
  std::vector<int64_t> shape;
  if (map == "i")
    shape = {m};
  if (map == "j")
    shape = {n};
  const char *type = isFloat ? "f32" : "i32";
  const char *flags = llvm::StringRef(op).ends_with("addf") ? " fastmath<reassoc>" : "";
  return {name,
          {{{m, n}, isFloat}, {shape, isFloat}},
          generic(("i, j;" + map).str(), iterators, "ins(%a0 : $0)", "%a1 : $1",
                  llvm::formatv("^bb0(%x: {0}, %s: {0}):\n{3}%0 = {1} %s, {4}{2} : {0}\n"
                                "linalg.yield %0 : {0}\n",
                                type, op, flags, maps ? "%e = math.exp %x : f32\n" : "",
                                maps ? "%e" : "%x")
                      .str()) +
              "\n"};
}

static Program scan(int64_t m, int64_t n) {
  return {"scan",
          {{{m, n}}, {{m}}, {{m, n}}},
          generic("i, j;i;i, j", "pr", "ins(%a0 : $0)", "%a1, %a2 : $1, $2",
                  "^bb0(%x: f32, %s: f32, %o: f32):\n"
                  "%0 = arith.addf %s, %x fastmath<reassoc> : f32\n"
                  "linalg.yield %0, %0 : f32, f32\n") +
              "\n"};
}

static Program selection(int64_t m, int64_t n) {
  return {"selection",
          {{{m, n}}, {{m}}, {{m}, false}},
          generic("i, j;i;i", "pr", "ins(%a0 : $0)", "%a1, %a2 : $1, $2",
                  "^bb0(%x: f32, %best: f32, %number: i32):\n"
                  "%j = linalg.index 1 : index\n%own = arith.index_cast %j : index to i32\n"
                  "%0 = arith.cmpf ugt, %x, %best : f32\n%1 = arith.cmpf ord, %best, %best : f32\n"
                  "%2 = arith.andi %0, %1 : i1\n%3 = arith.select %2, %x, %best : f32\n"
                  "%4 = arith.select %2, %own, %number : i32\n"
                  "linalg.yield %3, %4 : f32, i32\n") +
              "\n"};
}

/// The exponentials of rows divided by their sums: a loop over rows.
static Program rows(int64_t m, int64_t n) {
  return {"rows",
          {{{m, n}}, {{m}}, {{m, n}}},
          "%sum = " +
              generic("i, j;i", "pr", "ins(%t0 : $0)", "%t1 : $1",
                      "^bb0(%x: f32, %s: f32):\n%e = math.exp %x : f32\n"
                      "%0 = arith.addf %s, %e : f32\nlinalg.yield %0 : f32\n") +
              " -> $1\n%result = " +
              generic("i, j;i;i, j", "pp", "ins(%t0, %sum : $0, $1)", "%t2 : $2",
                      "^bb0(%x: f32, %s: f32, %o: f32):\n%e = math.exp %x : f32\n"
                      "%0 = arith.divf %e, %s : f32\nlinalg.yield %0 : f32\n") +
              " -> $2\n",
          /*isOnTensors=*/true};
}

TEST_F(LoopScheduleTest, RandomSchedules) {
  for (unsigned trial = 0; trial != 12; ++trial) {
    int64_t m = draw({0, 1, 3, 17, 64, 130}), n = draw({1, 5, 33, 100, 520, 2100});
    // A sum of few numbers is left to the compiler, who may look at what is around it.
    for (const Program &program :
         {elementwise(m, n), transposed(m, n), scan(m, n), selection(m, n),
          rows(m, std::max<int64_t>(n, 16)),
          reduction("row sums", m, n, "pr", "i", "arith.addf", true),
          reduction("row sums of exponentials", m, n, "pr", "i", "arith.addf", true, true),
          reduction("row maxima", m, n, "pr", "i", "arith.maximumf", true),
          reduction("row sums of integers", m, n, "pr", "i", "arith.addi", false),
          reduction("column sums", m, n, "rp", "j", "arith.addf", true),
          reduction("column maxima", m, n, "rp", "j", "arith.maximumf", true)})
      check(program, trial);
  }
}

// The last element of a row is alone behind vectors of any width: functions of it are computed as
// those of the others are.
TEST_F(LoopScheduleTest, FunctionsOfASingleElement) {
  for (const char *function : {"exp", "log", "tanh", "erf"}) {
    Program program{function,
                    {{{2000, 33}}, {{2000, 33}}},
                    generic("i, j;i, j", "pp", "ins(%a0 : $0)", "%a1 : $1",
                            llvm::formatv("^bb0(%x: f32, %o: f32):\n%0 = math.{0} %x : f32\n"
                                          "linalg.yield %0 : f32\n",
                                          function)
                                .str()) +
                        "\n"};
    auto expected = run(program, /*isStatic=*/true, "", 1);
    for (const char *schedule : {"vector_bits = 128", "vector_bits = 256"})
      EXPECT_TRUE(run(program, /*isStatic=*/true, schedule, 1) == expected)
          << function << ", " << schedule;
  }
}

// One number: parts of floats are what they are, those of integers are not.
TEST_F(LoopScheduleTest, RandomSchedulesOfOneNumber) {
  for (unsigned trial = 0; trial != 6; ++trial) {
    int64_t m = draw({1, 300, 701}), n = draw({1500, 2048});
    check(reduction("sum", m, n, "rr", "", "arith.addf", true), trial);
    check(reduction("maximum", m, n, "rr", "", "arith.maximumf", true), trial);
    check(reduction("sum of integers", m, n, "rr", "", "arith.addi", false), trial);
  }
}
