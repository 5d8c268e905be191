// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pypto/ExecutionEngine/Invocation.h"
#include "pypto/ExecutionEngine/Runner.h"
#include "pypto/InitAll.h"
#include "pypto/Runtime/Runtime.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cmath>
#include <malloc.h>

using namespace mlir;
using namespace pypto;
using namespace pypto::execution;

namespace {
struct ExecutionTest : testing::Test {
  ExecutionTest() {
    DialectRegistry registry;
    registry.insert<LLVM::LLVMDialect, arith::ArithDialect>();
    pypto::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }
  Signature parse(StringRef text, StringRef entry = "") {
    module = parseSourceString<ModuleOp>(text, &context);
    return llvm::cantFail(getSignature(llvm::cantFail(findEntry(*module, entry))));
  }
  std::string entryError(StringRef text, StringRef entry = "") {
    module = parseSourceString<ModuleOp>(text, &context);
    llvm::Expected<pl::FuncOp> found = findEntry(*module, entry);
    if (!found)
      return llvm::toString(found.takeError());
    llvm::Expected<Signature> signature = getSignature(*found);
    return signature ? "no error" : llvm::toString(signature.takeError());
  }
  std::string argumentError(const Signature &signature, const RunOptions &options) {
    auto values = makeArguments(signature, options);
    return values ? "no error" : llvm::toString(values.takeError());
  }
  std::unique_ptr<JIT> compile(StringRef text) {
    lowered = parseSourceString<ModuleOp>(text, &context);
    return llvm::cantFail(JIT::create(*lowered));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module, lowered;
};

//===- Signatures ---------------------------------------------------------------===//

TEST_F(ExecutionTest, FindEntry) {
  const char *text = R"(
    pl.func inline @helper() { pl.return }
    pl.func private @declared()
    pl.func private @hidden() { pl.return }
    pl.func @a() { pl.return }
    pl.func @b() { pl.return }
  )";
  EXPECT_EQ(parse(text, "b").name, "b");
  EXPECT_EQ(entryError(text), "expects the name of an entry; entries: 'a', 'b'");
  EXPECT_EQ(entryError(text, "c"), "no function 'c'; entries: 'a', 'b'");
  EXPECT_EQ(entryError(text, "helper"),
            "'helper' cannot be called from outside, being inline; entries: 'a', 'b'");
  EXPECT_EQ(entryError(text, "declared"),
            "'declared' cannot be called from outside, being a declaration; entries: 'a', 'b'");
  EXPECT_EQ(entryError(text, "hidden"),
            "'hidden' cannot be called from outside, being private; entries: 'a', 'b'");
  EXPECT_EQ(entryError("module {}", "main"), "no function 'main'; the program has no entries");
  EXPECT_EQ(parse("pl.func @x() { pl.return } pl.func @main() { pl.return }").name, "main");
  EXPECT_EQ(parse("pl.func @x() { pl.return }").name, "x");
}

TEST_F(ExecutionTest, SignatureOfEntry) {
  Signature signature = parse(R"(
    pl.func @f(%x: !pl.tensor<[N], f32>, out %y: !pl.tensor<[N], f32>, inout %z: !pl.tensor<[4], i8>, %k: index)
        -> (index, !pl.tensor<[N], f32>) attributes {pl.noalias} {
      pl.return %k, %y : index, !pl.tensor<[N], f32>
    })");
  ASSERT_EQ(signature.parameters.size(), 4u);
  EXPECT_EQ(signature.parameters[1].direction, pl::Direction::Out);
  EXPECT_EQ(signature.parameters[2].direction, pl::Direction::InOut);
  EXPECT_TRUE(signature.noAlias);
  EXPECT_EQ(ArrayRef(signature.isReturned), ArrayRef({false, true, false, false}));
  EXPECT_EQ(entryError("pl.func @f(%x: !pl.array<4xindex>) { pl.return }"),
            "parameter 0 of 'f' is !pl.array<4xindex>, which cannot be given from outside");
}

TEST_F(ExecutionTest, SymbolValues) {
  Signature signature = parse("pl.func @f(%x: !pl.tensor<[N, M], f32>, %y: !pl.tensor<[N * 2 + M "
                              "floordiv 4, 3], f32>) { pl.return }");
  pl::TensorType x = signature.parameters[0].getTensor(), y = signature.parameters[1].getTensor();
  SymbolValues symbols;
  EXPECT_FALSE(symbols.evaluate(y.getExtents()[0]).has_value());
  EXPECT_FALSE(bool(symbols.bindShape(x, {5, 7}, "x")));
  EXPECT_EQ(symbols.evaluate(y.getExtents()[0]), 11);
  EXPECT_FALSE(bool(symbols.checkShape(y, {11, 3}, "y")));
  EXPECT_EQ(llvm::toString(symbols.checkShape(y, {10, 3}, "y")),
            "y expects extent N * 2 + M floordiv 4 = 11 in dimension 0, but got shape (10, 3)");
  EXPECT_EQ(llvm::toString(symbols.bindShape(y, {11, 4}, "y")),
            "y expects extent 3 in dimension 1, but got shape (11, 4)");
  EXPECT_EQ(llvm::toString(symbols.bindShape(y, {11}, "y")),
            "y expects rank 2, but got shape (11,)");
  EXPECT_EQ(llvm::toString(symbols.bindShape(x, {5, 8}, "z")), "extent 'M' is 7 in x, but 8 in z");
}

// An expression without a value is none: division by zero, overflow.
TEST_F(ExecutionTest, ExtentsWithoutValue) {
  Signature signature =
      parse("pl.func @f(%x: !pl.tensor<[N], f32>, %y: !pl.tensor<[4 floordiv N, N * N * N], f32>)"
            "{ pl.return }");
  pl::TensorType y = signature.parameters[1].getTensor();
  SymbolValues zero, huge;
  EXPECT_FALSE(bool(zero.bindShape(signature.parameters[0].getTensor(), {0}, "x")));
  EXPECT_FALSE(zero.evaluate(y.getExtents()[0]).has_value());
  EXPECT_FALSE(bool(huge.bindShape(signature.parameters[0].getTensor(), {int64_t(1) << 40}, "x")));
  EXPECT_FALSE(huge.evaluate(y.getExtents()[1]).has_value());
}

//===- Arguments ------------------------------------------------------------------===//

TEST_F(ExecutionTest, ArgumentsFromSeed) {
  Signature signature =
      parse("pl.func @f(%x: !pl.tensor<[N, M], f32>, out %y: !pl.tensor<[M, N * 2], f32>, %k: i8)"
            "{ pl.return }");
  RunOptions options;
  options.seed = 7;
  options.dims = {"M=5"};
  auto values = llvm::cantFail(makeArguments(signature, options));
  EXPECT_EQ(values[0].array->getShape(), ArrayRef<int64_t>({37, 5}));
  EXPECT_EQ(values[1].array->getShape(), ArrayRef<int64_t>({5, 74}));
  EXPECT_EQ(*values[1].array->data(), 0);
  options.dims = {"M=5", "0.0=3"};
  EXPECT_EQ(argumentError(signature, options),
            "parameter '0' expects extent N = 37 in dimension 0, but got shape (3, 5)");
  options.dims = {"M"};
  EXPECT_EQ(argumentError(signature, options), "expects --dim=<name>=<size>, but got 'M'");
  options.dims = {"0.2=3"};
  EXPECT_EQ(argumentError(signature, options), "--dim=0.2=3 names no dimension of a parameter");
  options.dims = {"N=4611686018427387904"};
  EXPECT_EQ(argumentError(signature, options), "parameter '0': cannot allocate an array of shape "
                                               "(4611686018427387904, 37) and dtype float32");
}

TEST_F(ExecutionTest, UnboundExtents) {
  RunOptions options;
  EXPECT_EQ(argumentError(parse("pl.func @f(out %y: !pl.tensor<[N], f32>) { pl.return }"), options),
            "extent 'N' of parameter '0' is not bound by any argument (--dim=N=<size> gives it)");
  Signature open = parse("pl.func @f(out %y: !pl.tensor<[4, ?], f32>) { pl.return }");
  EXPECT_EQ(argumentError(open, options),
            "extent ? of parameter '0' has no value (--dim=0.1=<size> gives it)");
  options.dims = {"0.1=3"};
  EXPECT_EQ(llvm::cantFail(makeArguments(open, options))[0].array->getShape(),
            ArrayRef<int64_t>({4, 3}));
}

TEST_F(ExecutionTest, ValidExtents) {
  Signature signature =
      parse("pl.func @f(%x: !pl.tensor<[N, 4], f32, valid = [?, 2]>) { pl.return }");
  RunOptions options;
  options.seed = 1;
  EXPECT_EQ(llvm::cantFail(makeArguments(signature, options))[0].valid,
            (SmallVector<int64_t>{37, 2}));
  options.valids = {"0=5,2"};
  auto values = llvm::cantFail(makeArguments(signature, options));
  EXPECT_EQ(values[0].valid, (SmallVector<int64_t>{5, 2}));
  EXPECT_TRUE(values[0].isDefined(4 * 4 + 1));
  EXPECT_FALSE(values[0].isDefined(4 * 4 + 2));
  EXPECT_FALSE(values[0].isDefined(5 * 4));
  options.valids = {"0=5,9"};
  EXPECT_EQ(argumentError(signature, options), "--valid=0=5,9 expects sizes within shape (37, 4)");
  options.valids = {"0=5"};
  EXPECT_EQ(argumentError(signature, options), "--valid=0=5 expects 2 sizes");
  options.valids = {"1=5"};
  EXPECT_EQ(argumentError(signature, options),
            "--valid=1=5 names no parameter with an open valid shape");
}

//===- Compiled code ----------------------------------------------------------------===//

// A single scalar comes back in a register, arguments of every width arrive.
TEST_F(ExecutionTest, ScalarResult) {
  Signature signature = parse("pl.func @f(%a: i8, %b: f32, %c: i1) -> f32 { pl.return %b : f32 }");
  auto jit = compile(R"(
    llvm.func @pypto_entry_f(%a: i8, %b: f32, %c: i1) -> f32 {
      %0 = llvm.sitofp %a : i8 to f32
      %1 = llvm.fadd %0, %b : f32
      %2 = llvm.select %c, %1, %b : i1, f32
      llvm.return %2 : f32
    }
    llvm.func @_mlir_ciface_pypto_entry_f(%a: i8, %b: f32, %c: i1) -> f32 {
      %0 = llvm.call @pypto_entry_f(%a, %b, %c) : (i8, f32, i1) -> f32
      llvm.return %0 : f32
    })");
  RunOptions options;
  options.arguments = {"-3", "0.5", "true"};
  auto arguments = llvm::cantFail(makeArguments(signature, options));
  Invocation invocation(signature, arguments);
  llvm::cantFail(invocation.run(llvm::cantFail(jit->lookup("f", invocation.getNumParameters()))));
  auto results = llvm::cantFail(invocation.getResults());
  EXPECT_EQ(*reinterpret_cast<float *>(results[0].array->data()), -2.5f);
}

// Several results come back through a pointer to a struct; the permutation puts them into the
// written order.
TEST_F(ExecutionTest, PermutedResults) {
  Signature signature = parse("pl.func @f(%k: index) -> (i8, index, i16) {"
                              "  %0 = arith.constant 1 : i8 %1 = arith.constant 2 : i16"
                              "  pl.return %0, %k, %1 : i8, index, i16 }");
  signature.returnPermutation = {1, 2, 0};
  auto jit = compile(R"(
    llvm.func @pypto_entry_f(%k: i64) -> !llvm.struct<(i16, i8, i64)> {
      %0 = llvm.mlir.constant(2 : i16) : i16
      %1 = llvm.mlir.constant(1 : i8) : i8
      %s = llvm.mlir.poison : !llvm.struct<(i16, i8, i64)>
      %s0 = llvm.insertvalue %0, %s[0] : !llvm.struct<(i16, i8, i64)>
      %s1 = llvm.insertvalue %1, %s0[1] : !llvm.struct<(i16, i8, i64)>
      %s2 = llvm.insertvalue %k, %s1[2] : !llvm.struct<(i16, i8, i64)>
      llvm.return %s2 : !llvm.struct<(i16, i8, i64)>
    }
    llvm.func @_mlir_ciface_pypto_entry_f(%r: !llvm.ptr, %k: i64) {
      %0 = llvm.call @pypto_entry_f(%k) : (i64) -> !llvm.struct<(i16, i8, i64)>
      llvm.store %0, %r : !llvm.struct<(i16, i8, i64)>, !llvm.ptr
      llvm.return
    })");
  RunOptions options;
  options.arguments = {"40"};
  auto arguments = llvm::cantFail(makeArguments(signature, options));
  Invocation invocation(signature, arguments);
  llvm::cantFail(invocation.run(llvm::cantFail(jit->lookup("f", invocation.getNumParameters()))));
  auto results = llvm::cantFail(invocation.getResults());
  EXPECT_EQ(*results[0].array->data(), 1);
  EXPECT_EQ(*reinterpret_cast<int64_t *>(results[1].array->data()), 40);
  EXPECT_EQ(*reinterpret_cast<int16_t *>(results[2].array->data()), 2);
}

// Descriptors go in, a strided buffer from malloc comes out, and is freed once per run.
TEST_F(ExecutionTest, TensorArgumentsAndResult) {
  Signature signature =
      parse("pl.func @f(%x: !pl.tensor<[N, 2], i64>) -> !pl.tensor<[?, 2], i64> {"
            "  %0 = pl.cast_shape %x : !pl.tensor<[N, 2], i64> -> !pl.tensor<[?, 2], i64>"
            "  pl.return %0 : !pl.tensor<[?, 2], i64> }");
  // Returns the first two rows transposed, in a buffer of its own.
  auto jit = compile(R"(
    !d = !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    llvm.func @malloc(i64) -> !llvm.ptr
    llvm.func @pypto_entry_f(%a: !llvm.ptr) -> !d {
      %c32 = llvm.mlir.constant(32 : i64) : i64
      %c0 = llvm.mlir.constant(0 : i64) : i64
      %c1 = llvm.mlir.constant(1 : i64) : i64
      %c2 = llvm.mlir.constant(2 : i64) : i64
      %m = llvm.call @malloc(%c32) : (i64) -> !llvm.ptr
      %from = llvm.load %a : !llvm.ptr -> !d
      %data = llvm.extractvalue %from[1] : !d
      "llvm.intr.memcpy"(%m, %data, %c32) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
      %0 = llvm.insertvalue %m, %from[0] : !d
      %1 = llvm.insertvalue %m, %0[1] : !d
      %2 = llvm.insertvalue %c2, %1[3, 0] : !d
      %3 = llvm.insertvalue %c1, %2[4, 0] : !d
      %4 = llvm.insertvalue %c2, %3[4, 1] : !d
      llvm.return %4 : !d
    }
    llvm.func @_mlir_ciface_pypto_entry_f(%r: !llvm.ptr, %a: !llvm.ptr) {
      %0 = llvm.call @pypto_entry_f(%a) : (!llvm.ptr) -> !d
      llvm.store %0, %r : !d, !llvm.ptr
      llvm.return
    })");
  RunOptions options;
  options.seed = 1;
  auto arguments = llvm::cantFail(makeArguments(signature, options));
  auto *in = reinterpret_cast<int64_t *>(arguments[0].array->data());
  Invocation invocation(signature, arguments);
  JIT::Invoker invoker = llvm::cantFail(jit->lookup("f", invocation.getNumParameters()));
  for (int i = 0; i < 3; ++i)
    llvm::cantFail(invocation.run(invoker));
  auto results = llvm::cantFail(invocation.getResults());
  ASSERT_EQ(results[0].array->getShape(), ArrayRef<int64_t>({2, 2}));
  auto *out = reinterpret_cast<int64_t *>(results[0].array->data());
  EXPECT_EQ(ArrayRef(out, 4), ArrayRef({in[0], in[2], in[1], in[3]}));
}

// A failure unwinds through the frames of compiled code, what it allocated is freed, and the next
// run starts anew.
TEST_F(ExecutionTest, FailureInCompiledCode) {
  Signature signature = parse("pl.func @f(%k: i8) -> i64 { %0 = arith.constant 1 : i64"
                              "  pl.return %0 : i64 }");
  auto jit = compile(R"(
    llvm.func @malloc(i64) -> !llvm.ptr
    llvm.func @free(!llvm.ptr)
    llvm.func @pyptoFail(!llvm.ptr, !llvm.ptr)
    llvm.mlir.global constant @location("f.mlir:1:2\00")
    llvm.mlir.global constant @message("expects more than 3\00")
    llvm.func @inner(%k: i8, %m: !llvm.ptr) attributes {passthrough = ["noinline"]} {
      %c3 = llvm.mlir.constant(3 : i8) : i8
      %isSmall = llvm.icmp "sle" %k, %c3 : i8
      llvm.store %k, %m : i8, !llvm.ptr
      llvm.cond_br %isSmall, ^fail, ^good
    ^fail:
      %l = llvm.mlir.addressof @location : !llvm.ptr
      %t = llvm.mlir.addressof @message : !llvm.ptr
      llvm.call @pyptoFail(%l, %t) : (!llvm.ptr, !llvm.ptr) -> ()
      llvm.br ^good
    ^good:
      llvm.return
    }
    llvm.func @pypto_entry_f(%k: i8) -> i64 {
      %c7 = llvm.mlir.constant(7 : i64) : i64
      %c1M = llvm.mlir.constant(1000000 : i64) : i64
      %m = llvm.call @malloc(%c1M) : (i64) -> !llvm.ptr
      llvm.call @inner(%k, %m) : (i8, !llvm.ptr) -> ()
      llvm.call @free(%m) : (!llvm.ptr) -> ()
      llvm.return %c7 : i64
    }
    llvm.func @_mlir_ciface_pypto_entry_f(%k: i8) -> i64 {
      %0 = llvm.call @pypto_entry_f(%k) : (i8) -> i64
      llvm.return %0 : i64
    })");
  RunOptions options;
  options.arguments = {"3"};
  auto arguments = llvm::cantFail(makeArguments(signature, options));
  Invocation invocation(signature, arguments);
  JIT::Invoker invoker = llvm::cantFail(jit->lookup("f", invocation.getNumParameters()));
  size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(llvm::toString(invocation.run(invoker)), "f.mlir:1:2: expects more than 3");
  EXPECT_LT(mallinfo2().uordblks, before + 10'000'000);
  *arguments[0].array->data() = 4;
  llvm::cantFail(invocation.run(invoker));
  EXPECT_EQ(*reinterpret_cast<int64_t *>(llvm::cantFail(invocation.getResults())[0].array->data()),
            7);
}

TEST_F(ExecutionTest, JITErrors) {
  auto jit = compile(R"(
    llvm.func @pypto_no_such_function()
    llvm.func @pypto_entry_f() {
      llvm.call @pypto_no_such_function() : () -> ()
      llvm.return
    }
    llvm.func @_mlir_ciface_pypto_entry_f() {
      llvm.call @pypto_entry_f() : () -> ()
      llvm.return
    })");
  EXPECT_EQ(llvm::toString(jit->lookup("g", 0).takeError()), "the lowered module has no entry 'g'");
  EXPECT_EQ(llvm::toString(jit->lookup("f", 1).takeError()),
            "the lowered entry 'f' has 0 parameters, but its signature needs 1");
  std::string missing = llvm::toString(jit->lookup("f", 0).takeError());
  EXPECT_NE(missing.find("cannot link 'f': "), std::string::npos) << missing;
  EXPECT_NE(missing.find("pypto_no_such_function"), std::string::npos) << missing;

  context.allowUnregisteredDialects();
  lowered = parseSourceString<ModuleOp>("\"foreign.op\"() : () -> ()", &context);
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
  EXPECT_EQ(llvm::toString(JIT::create(*lowered).takeError()),
            "cannot translate the lowered module to LLVM IR");
}

//===- Run time -----------------------------------------------------------------===//

template <typename Function> Function *findSymbol(StringRef name) {
  for (const runtime::Symbol &symbol : runtime::getSymbols())
    if (name == symbol.name)
      return reinterpret_cast<Function *>(symbol.address);
  return nullptr;
}

// Each format of 8 bits: every number comes back as it was, what lies between two of them is
// rounded to even.
TEST_F(ExecutionTest, Float8) {
  auto *widen = findSymbol<double(int32_t, uint8_t)>("pypto_f8_to_f64");
  auto *narrow = findSymbol<uint8_t(int32_t, double)>("pypto_f64_to_f8");
  ASSERT_TRUE(widen && narrow);
  Type types[] = {Float8E5M2Type::get(&context),     Float8E4M3Type::get(&context),
                  Float8E4M3FNType::get(&context),   Float8E5M2FNUZType::get(&context),
                  Float8E4M3FNUZType::get(&context), Float8E4M3B11FNUZType::get(&context),
                  Float8E3M4Type::get(&context),     Float8E8M0FNUType::get(&context)};
  for (auto [number, type] : llvm::enumerate(types)) {
    auto kind = runtime::getFloat8Kind(cast<FloatType>(type).getFloatSemantics());
    ASSERT_EQ(kind, number);
    for (unsigned bits = 0; bits < 256; ++bits) {
      double value = widen(*kind, bits);
      if (!std::isnan(value))
        EXPECT_EQ(narrow(*kind, value), bits) << number;
    }
    EXPECT_TRUE(std::isnan(widen(*kind, narrow(*kind, NAN)))) << number;
  }
  unsigned e5m2 = *runtime::getFloat8Kind(cast<FloatType>(types[0]).getFloatSemantics());
  EXPECT_EQ(widen(e5m2, narrow(e5m2, 1.125)), 1);
  EXPECT_EQ(widen(e5m2, narrow(e5m2, 1.375)), 1.5);
  EXPECT_EQ(widen(e5m2, narrow(e5m2, 1e9)), INFINITY);
  EXPECT_FALSE(runtime::getFloat8Kind(llvm::APFloat::IEEEhalf()).has_value());
}
} // namespace
