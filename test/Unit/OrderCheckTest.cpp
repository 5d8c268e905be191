// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What differs between runs in several orders is found: no program that is right can show that.
#include "pypto/ExecutionEngine/OrderCheck.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace pypto;
using namespace pypto::execution;

namespace {
/// A program with one parameter, of which each run adds what `count` says to the first two
/// elements.
struct OrderCheckTest : testing::Test {
  OrderCheckTest() {
    signature.parameters.emplace_back().direction = pl::Direction::InOut;
    value.array = std::make_shared<Array>(llvm::cantFail(Array::create({'i', 4}, {3})));
  }
  int32_t *getNumbers() { return reinterpret_cast<int32_t *>(value.array->data()); }

  /// The report, and "equal" or "different".
  std::string check(llvm::function_ref<int32_t(const runtime::TaskGraphOptions &)> count) {
    auto run = [&](const RunOptions &options) -> llvm::Expected<llvm::SmallVector<Output>> {
      ++runs;
      for (unsigned i = 0; i != 2; ++i)
        getNumbers()[i] += count(options.tasks);
      return llvm::SmallVector<Output>{{"parameter 'x'", {}, value}};
    };
    WrittenArguments written = llvm::cantFail(WrittenArguments::create(signature, value));
    RunOptions options;
    llvm::SmallVector<Output> outputs = llvm::cantFail(run(options));
    std::string text;
    llvm::raw_string_ostream os(text);
    bool isEqual = llvm::cantFail(checkOrders(options, written, outputs, run, os));
    return text + (isEqual ? "equal" : "different");
  }

  Signature signature;
  HostValue value;
  unsigned runs = 0;
};
} // namespace

TEST_F(OrderCheckTest, EachRunStartsFromTheSame) {
  getNumbers()[1] = 5;
  EXPECT_EQ(check([](auto) { return 7; }), "equal");
  EXPECT_EQ(runs, 5u);
  EXPECT_EQ(getNumbers()[1], 12);
}

TEST_F(OrderCheckTest, Threads) {
  EXPECT_EQ(check([](const auto &tasks) { return tasks.threads == 8; }),
            "parameter 'x': 2 of 3 elements changed with 8 threads\ndifferent");
}

TEST_F(OrderCheckTest, Order) {
  EXPECT_EQ(check([](const auto &tasks) { return tasks.order == runtime::TaskOrder::Adversarial; }),
            "parameter 'x': 2 of 3 elements changed with adversarial order\ndifferent");
}
