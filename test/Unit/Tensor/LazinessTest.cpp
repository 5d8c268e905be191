// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TensorTesting.h"

#include <thread>

using namespace pypto;
using namespace pypto::lazy;

//===- Laziness -------------------------------------------------------------------===//

TEST(LazinessTest, OperationsComputeNothing) {
  uint64_t before = getCounters().kernelsRun;
  Tensor a = makeTensor({2, 3}), b = makeTensor({2, 3});
  Tensor c = (a + b) * 2.0;
  EXPECT_TRUE(a.getBuffer());
  EXPECT_FALSE(c.getBuffer());
  EXPECT_EQ(getCounters().kernelsRun, before);
  c.realize();
  EXPECT_EQ(getCounters().kernelsRun, before + 1);
  EXPECT_TRUE(c.getBuffer());
  std::vector<float> x = makeData(6);
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(c.data<float>()[i], (x[i] + x[i]) * 2);
}

TEST(LazinessTest, EqualExpressionsAreOneNode) {
  Tensor a = makeTensor({4}), b = makeTensor({4});
  EXPECT_EQ((a + b).getNode(), (a + b).getNode());
  EXPECT_NE((a + b).getNode(), (b + a).getNode());
  EXPECT_NE(a.getNode(), b.getNode());
}

TEST(LazinessTest, NodesDieWithTheirTensors) {
  size_t before = getNumLiveNodes();
  {
    Tensor a = makeTensor({4});
    Tensor b = a;
    for (int i = 0; i < 100000; ++i)
      b = b + a;
    EXPECT_GT(getNumLiveNodes(), before + 100000);
  }
  EXPECT_EQ(getNumLiveNodes(), before);
}

//===- Views ----------------------------------------------------------------------===//

TEST(LazinessTest, ReshapesShareMemory) {
  Tensor a = makeTensor({2, 3});
  uint64_t before = getCounters().kernelsRun;
  Tensor b = a.reshape({3, 2}), c = a.reshape({-1}).unsqueeze(0);
  EXPECT_EQ(b.getBuffer(), a.getBuffer());
  c.realize();
  EXPECT_EQ(c.getBuffer(), a.getBuffer());
  EXPECT_EQ(getCounters().kernelsRun, before);
  // A result that is reshaped is one, too.
  Tensor d = (a * 2.0).reshape({6});
  d.realize();
  EXPECT_EQ(get<float>(d)[5], makeData(6)[5] * 2);
}

TEST(LazinessTest, EveryHolderSeesAResult) {
  Tensor a = makeTensor({4}), b = a.exp(), c = a.exp() * 2.0;
  b.realize();
  uint64_t before = getCounters().kernelsCompiled;
  // What is left to do for c reads the result of b.
  EXPECT_TRUE(c.getNode()->operands[0]->getRealized());
  expectNear(c.data<float>(),
             {2 * std::exp(0.25f), 2 * std::exp(-2.f), 2 * std::exp(0.5f), 2 * std::exp(-2.25f)});
  EXPECT_EQ(getCounters().kernelsCompiled, before + 1);
}

//===- Caches -----------------------------------------------------------------------===//

TEST(LazinessTest, EqualGraphsAreCompiledOnce) {
  auto build = [] { return (makeTensor({3, 5}) * 3.0 + 1.0).sum(0); };
  build().realize();
  Counters before = getCounters();
  Tensor again = build();
  again.realize();
  Counters after = getCounters();
  EXPECT_EQ(after.graphsCompiled, before.graphsCompiled);
  EXPECT_EQ(after.graphHits, before.graphHits + 1);
  EXPECT_EQ(after.kernelsCompiled, before.kernelsCompiled);
}

TEST(LazinessTest, SharingOfBuffersIsPartOfAGraph) {
  Tensor a = makeTensor({4}), b = Tensor::fromSlice<float>({4}, {5, 6, 7, 8});
  EXPECT_EQ(get<float>(a - a), std::vector<float>(4, 0));
  EXPECT_EQ(get<float>(b - a)[0], 4.75f);
}

//===- Plans ------------------------------------------------------------------------===//

TEST(LazinessTest, PlanComputesAgainWithNewData) {
  Tensor a = makeTensor({4}), b = makeTensor({4});
  Tensor total = (a * 2.0).sum(), twice = a * 2.0;
  std::unique_ptr<ExecutionPlan> plan = Tensor::prepareBatch({twice, total, twice, b});
  ASSERT_EQ(plan->numOutputs(), 4u);
  EXPECT_EQ(plan->outputBufferAt(0), plan->outputBufferAt(2));
  plan->execute();
  EXPECT_EQ(plan->outputBufferAt(0)->as<float>()[1], -4);
  EXPECT_EQ(plan->outputBufferAt(1)->as<float>()[0], -7);
  EXPECT_EQ(plan->outputBufferAt(3)->as<float>()[2], 0.5);
  a.getBuffer()->as<float>()[1] = 10;
  plan->execute();
  EXPECT_EQ(plan->outputBufferAt(0)->as<float>()[1], 20);
  EXPECT_EQ(plan->outputBufferAt(1)->as<float>()[0], 17);
  EXPECT_THROW(plan->outputBufferAt(4), TensorException);
}

//===- Assignment ---------------------------------------------------------------------===//

TEST(LazinessTest, WhatWasReadBeforeAnAssignmentStays) {
  Tensor a = Tensor::fromSlice<float>({2}, {1, 2}), alias = a;
  Tensor before = a * 10.0;
  a.assign(a + 1.0);
  Tensor after = a * 10.0;
  EXPECT_EQ(get<float>(after), (std::vector<float>{20, 30}));
  EXPECT_EQ(get<float>(before), (std::vector<float>{10, 20}));
  EXPECT_EQ(get<float>(alias), (std::vector<float>{2, 3}));
  a.assign(7);
  EXPECT_EQ(get<float>(a), (std::vector<float>{7, 7}));
  EXPECT_THROW(a.assign(makeTensor({3})), TensorException);
}

//===- Threads ------------------------------------------------------------------------===//

TEST(LazinessTest, ThreadsShareNodesAndKernels) {
  Tensor a = makeTensor({8}), b = makeTensor({8});
  std::vector<Tensor> sums(8, a);
  std::vector<NodeRef> nodes(8);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      for (int n = 0; n < 200; ++n)
        nodes[i] = ((a + b) * static_cast<double>(n)).getNode();
      sums[i] = (a + b).sum();
      sums[i].realize();
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(nodes[i], nodes[0]);
    EXPECT_EQ(get<float>(sums[i]), get<float>(sums[0]));
  }
}

//===- Errors -------------------------------------------------------------------------===//

TEST(LazinessTest, ErrorsNameShapesAndPlace) {
  Tensor a = makeTensor({2, 3}), b = makeTensor({4});
  llvm::Expected<Tensor> sum = a.tryAdd(b);
  ASSERT_FALSE(bool(sum));
  std::string text = llvm::toString(sum.takeError());
  EXPECT_NE(text.find("LazinessTest.cpp:"), std::string::npos) << text;
  EXPECT_NE(text.find("add: expects shapes that broadcast, but got (2, 3) and (4,)"),
            std::string::npos)
      << text;
  EXPECT_THROW(a + b, TensorException);
}
