// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assignments: to memory, with what was read before them staying right.
#include "TensorTesting.h"
#include "pypto/Tensor/NN.h"

#include <thread>

using namespace pypto;
using namespace pypto::lazy;

using Floats = std::vector<float>;

TEST(AssignTest, ElementsGoToTheBuffer) {
  Tensor a = Tensor::fromSlice<float>({2}, {1, 2}), alias = a;
  BufferRef buffer = a.getBuffer();
  auto plan = (a * 10.0).prepare();
  a.assign(a + 1.0);
  a.assign(a * 2.0);
  // Nothing has been computed so far.
  plan->execute();
  EXPECT_EQ(plan->outputBufferAt(0)->as<float>()[0], 10);
  a.realize();
  EXPECT_EQ(a.getBuffer(), buffer);
  EXPECT_EQ(get<float>(alias), (Floats{4, 6}));
  EXPECT_EQ(buffer->as<float>()[1], 6);
  plan->execute();
  EXPECT_EQ(plan->outputBufferAt(0)->as<float>()[0], 40);
}

TEST(AssignTest, WhatWasMadeBeforeKeepsTheOldElements) {
  Tensor a = Tensor::fromSlice<float>({2, 2}, {1, 2, 3, 4});
  Tensor lazy = a * 10.0, view = a.reshape({4}), realizedView = a.reshape({4, 1});
  Tensor same(a.getNode());
  realizedView.realize();
  for (int step = 0; step < 3; ++step) {
    // Reads itself from elsewhere: no element may be written before it is read.
    a.assign(a.transpose());
    a.assign(a + 1.0);
    a.realize();
  }
  EXPECT_EQ(get<float>(a), (Floats{4, 6, 5, 7}));
  EXPECT_EQ(get<float>(lazy), (Floats{10, 20, 30, 40}));
  EXPECT_EQ(get<float>(view), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(get<float>(realizedView), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(get<float>(same), (Floats{1, 2, 3, 4}));
}

TEST(AssignTest, ValuesThatOthersHave) {
  Tensor a = Tensor::zeros({2}).contiguous(), b = Tensor::fromSlice<float>({2}, {5, 6});
  a.realize();
  BufferRef buffer = a.getBuffer();
  a.assign(b);
  a.realize();
  EXPECT_EQ(a.getBuffer(), buffer);
  EXPECT_NE(a.getBuffer(), b.getBuffer());
  // An expression that others hold, computed for them and for the assignment.
  Tensor sum = b + 1.0, more = sum * 2.0;
  a.assign(sum);
  Tensor::realizeBatch({a, sum});
  a.assign(0);
  a.realize();
  EXPECT_EQ(get<float>(sum), (Floats{6, 7}));
  EXPECT_EQ(get<float>(more), (Floats{12, 14}));
  EXPECT_EQ(get<float>(b), (Floats{5, 6}));
  EXPECT_EQ(get<float>(a), (Floats{0, 0}));
  EXPECT_EQ(a.getBuffer(), buffer);
}

TEST(AssignTest, PendingElementsAreUsedByOthers) {
  Tensor a = Tensor::fromSlice<float>({2}, {1, 2});
  a.assign(a * 3.0);
  Tensor b = a + 1.0;
  // What depends on an assignment needs no one to compute that first.
  EXPECT_EQ(get<float>(b), (Floats{4, 7}));
  EXPECT_EQ(get<float>(a), (Floats{3, 6}));
  EXPECT_EQ(get<float>(b), (Floats{4, 7}));
}

TEST(AssignTest, Slices) {
  Tensor cache = Tensor::empty({4, 2});
  BufferRef buffer = cache.getBuffer();
  for (int64_t row = 0; row < 3; ++row) {
    cache.assignSlice({{row, Extent(row + 1)}, {0, Extent(2)}}, makeTensor({2}) + double(row));
    cache.realize();
  }
  EXPECT_EQ(cache.getBuffer(), buffer);
  EXPECT_EQ(get<float>(cache), (Floats{0.25, -2, 1.25, -1, 2.25, 0, 0, 0}));
  cache.assignSlice({{0, Extent(4)}, {0, Extent(2)}}, 1);
  EXPECT_EQ(get<float>(cache), Floats(8, 1));
  llvm::Error error = cache.tryAssignSlice({{0, Extent(5)}, {0, Extent(2)}}, 1);
  EXPECT_NE(llvm::toString(std::move(error))
                .find("assignSlice: expects ranges inside (4, 2), but got [0, 5)"),
            std::string::npos);
  error = cache.tryAssignSlice({{0, Extent(2)}, {0, Extent(2)}}, makeTensor({3}));
  EXPECT_NE(llvm::toString(std::move(error))
                .find("assignSlice: expects a shape to which (3,) broadcasts, but got (2, 2)"),
            std::string::npos);
}

TEST(AssignTest, Errors) {
  Tensor a = makeTensor({2, 3});
  llvm::Error error = a.tryAssign(makeTensor({4}));
  std::string text = llvm::toString(std::move(error));
  EXPECT_NE(text.find("AssignTest.cpp:"), std::string::npos) << text;
  EXPECT_NE(text.find("assign: expects shapes that broadcast, but got (4,) and (2, 3)"),
            std::string::npos)
      << text;
  error = a.tryAssign(makeTensor({2, 2, 3}));
  EXPECT_NE(llvm::toString(std::move(error))
                .find("assign: expects a value that broadcasts to (2, 3), but got (2, 2, 3)"),
            std::string::npos);
  // What was there stays.
  EXPECT_EQ(get<float>(a), makeData(6));
}

// Nodes and memory go with the last handle, whatever was assigned.
TEST(AssignTest, NothingIsKept) {
  size_t before = getNumLiveNodes();
  {
    Tensor a = makeTensor({8});
    for (int step = 0; step < 20; ++step) {
      a.assign(a + 1.0);
      a.realize();
    }
    EXPECT_LE(getNumLiveNodes(), before + 3);
  }
  EXPECT_EQ(getNumLiveNodes(), before);
}

// One thread assigns, others compute from what they got before, all at once.
TEST(AssignTest, Threads) {
  Tensor a = Tensor::full({64}, 0).contiguous();
  a.realize();
  std::atomic<bool> isWrong = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&, i] {
      for (int n = 0; n < 100; ++n) {
        if (i == 0) {
          a.assign(a + 1.0);
          a.realize();
          continue;
        }
        // All elements are of one version.
        Tensor seen(a.getNode());
        Floats data = get<float>(seen * 2.0);
        for (float value : data)
          isWrong = isWrong || value != data[0];
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_FALSE(isWrong);
  EXPECT_EQ(get<float>(a), Floats(64, 100));
}

// Operations that have nothing to do give the same elements, but not the same tensor.
TEST(AssignTest, ResultsAreTensorsOfTheirOwn) {
  using Operation = Tensor (*)(const Tensor &);
  Operation operations[] = {
      [](const Tensor &x) { return x.shrink({{0, 2}, {0, 2}}); },
      [](const Tensor &x) { return x.slice(0, 0, 2); },
      [](const Tensor &x) { return x.pad({{0, 0}, {0, 0}}); },
      [](const Tensor &x) { return x.padWith({{0, 0}, {0, 0}}, PadMode::Reflect); },
      [](const Tensor &x) { return x.flip({}); },
      [](const Tensor &x) { return x.roll(0, 1); },
      [](const Tensor &x) { return x.roll(-2, 0); },
      [](const Tensor &x) { return x.bitcast(DType::F32); },
      [](const Tensor &x) { return x.cast(DType::F32); },
      [](const Tensor &x) { return x.split(2, 0)[0]; },
      [](const Tensor &x) { return x.chunk(1, 0)[0]; },
      [](const Tensor &x) { return x.reshape({2, 2}); },
      [](const Tensor &x) { return x.expand({2, 2}); },
      [](const Tensor &x) { return x.permute({0, 1}); },
      [](const Tensor &x) { return x.transpose(1, 1); },
      [](const Tensor &x) { return x.flatten(0, 0); },
      [](const Tensor &x) { return x.repeat({1, 1}); },
      [](const Tensor &x) { return x.repeatInterleave(1, 0); },
      [](const Tensor &x) { return Tensor::concat({x}, 0); },
      [](const Tensor &x) { return Tensor::einsum("ij->ij", {x}); },
      [](const Tensor &x) { return nn::resizeNearest(x, {2, 2}); },
  };
  for (auto [i, operation] : llvm::enumerate(operations)) {
    SCOPED_TRACE("operation " + std::to_string(i));
    Tensor a = Tensor::fromSlice<float>({2, 2}, {1, 2, 3, 4}), b = operation(a);
    ASSERT_EQ(get<float>(b), (Floats{1, 2, 3, 4}));
    b.assign(7);
    EXPECT_EQ(get<float>(b), (Floats{7, 7, 7, 7}));
    EXPECT_EQ(get<float>(a), (Floats{1, 2, 3, 4}));
    a.assign(9);
    EXPECT_EQ(get<float>(a), (Floats{9, 9, 9, 9}));
    EXPECT_EQ(get<float>(b), (Floats{7, 7, 7, 7}));
  }
}
