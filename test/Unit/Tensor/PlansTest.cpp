// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans of several kernels: orders, threads, memory.
#include "TensorTesting.h"

#include "pypto/Runtime/ParallelFor.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

using namespace pypto;
using namespace pypto::lazy;

//===- Allocations of the whole process -===//

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&                             \
    !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
#define PYPTO_COUNTS_ALLOCATIONS
static std::atomic<bool> isCounting{false};
static std::atomic<size_t> numAllocations{0};

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_memalign(size_t, size_t);

static void count() { numAllocations += isCounting; }
void *malloc(size_t bytes) {
  count();
  return __libc_malloc(bytes);
}
void *calloc(size_t number, size_t bytes) {
  count();
  return __libc_calloc(number, bytes);
}
void *aligned_alloc(size_t alignment, size_t bytes) {
  count();
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void **memory, size_t alignment, size_t bytes) {
  count();
  *memory = __libc_memalign(alignment, bytes);
  return *memory ? 0 : 12;
}
}
#endif

/// Chains that do not wait for each other, and what waits for all of them: more than ten kernels.
static llvm::SmallVector<Tensor> makeWideGraph() {
  Tensor x = makeTensor({64, 48}), total = Tensor::zeros({64, 48});
  llvm::SmallVector<Tensor> outputs;
  for (int chain = 0; chain < 4; ++chain) {
    Tensor y = x * (0.25 * (chain + 1));
    for (int step = 0; step < 3; ++step)
      y = (y - y.sum()).tanh() + y.contiguous().flip({0});
    outputs.push_back(y);
    total = total + y;
  }
  outputs.push_back(total * total.sum());
  return outputs;
}

// The same bits whatever runs when, and where.
TEST(PlansTest, OrdersAndThreadsGiveTheSameBits) {
  llvm::SmallVector<Tensor> graph = makeWideGraph();
  std::unique_ptr<ExecutionPlan> plan = Tensor::prepareBatch(graph);
  ASSERT_GT(plan->numKernels(), 10u);
  plan->setOrder(PlanOrder::Sequential);
  plan->execute();
  std::vector<std::string> expected;
  for (size_t i = 0; i < plan->numOutputs(); ++i)
    expected.emplace_back(plan->outputBufferAt(i)->data(), plan->outputBufferAt(i)->getNumBytes());
  for (unsigned threads : {1, 2, 8}) {
    runtime::setParallelThreads(threads);
    for (PlanOrder order :
         {PlanOrder::Dataflow, PlanOrder::Groups, PlanOrder::Sequential, PlanOrder::Adversarial}) {
      plan->setOrder(order);
      for (size_t i = 0; i < plan->numOutputs(); ++i)
        std::memset(plan->outputBufferAt(i)->data(), 0x55, plan->outputBufferAt(i)->getNumBytes());
      plan->execute();
      for (size_t i = 0; i < plan->numOutputs(); ++i)
        EXPECT_EQ(
            std::memcmp(plan->outputBufferAt(i)->data(), expected[i].data(), expected[i].size()), 0)
            << threads << " threads, order " << int(order) << ", output " << i;
    }
  }
  runtime::setParallelThreads(0);
}

// The groups of a plan: one more than the last that a kernel waits for.
TEST(PlansTest, Groups) {
  std::unique_ptr<ExecutionPlan> plan = Tensor::prepareBatch(makeWideGraph());
  for (size_t kernel = 0; kernel < plan->numKernels(); ++kernel) {
    unsigned group = 0;
    for (unsigned first : plan->kernelDependenciesAt(kernel))
      group = std::max(group, plan->kernelGroupAt(first) + 1);
    EXPECT_EQ(plan->kernelGroupAt(kernel), group);
  }
  EXPECT_EQ(plan->kernelGroupAt(0), 0u);
}

// What a plan shows: estimates before it has run, times afterwards, extents that vary with it.
TEST(PlansTest, Pictures) {
  Tensor x = makeTensor({8, 16}), w = makeTensor({16, 4});
  std::unique_ptr<ExecutionPlan> plan = x.matmul(w).prepare();
  auto print = [&](PlanFormat format) {
    std::string text;
    llvm::raw_string_ostream os(text);
    plan->print(os, format);
    return text;
  };
  EXPECT_NE(print(PlanFormat::Json).find("\"flops\": 1024"), std::string::npos);
  EXPECT_NE(print(PlanFormat::Json).find("\"start_us\": null"), std::string::npos);
  std::string trace;
  llvm::raw_string_ostream os(trace);
  plan->profile(os);
  EXPECT_NE(trace.find("\"name\": \"main_kernel_0\""), std::string::npos);
  EXPECT_EQ(print(PlanFormat::Json).find("\"start_us\": null"), std::string::npos);
  EXPECT_NE(print(PlanFormat::Html).find("<svg"), std::string::npos);
  EXPECT_NE(print(PlanFormat::Dot).find("digraph"), std::string::npos);
  EXPECT_NE(print(PlanFormat::Text).find("main_kernel_0"), std::string::npos);

  VariableRef n = makeVariable("N", 1, 100);
  plan = (makeTensor({100, 4}).shrink({{0, n}, {0, 4}}) * 2.0).prepare();
  plan->executeWithVars({{"N", 5}});
  EXPECT_NE(print(PlanFormat::Json).find("\"flops\": 20"), std::string::npos);
  plan->executeWithVars({{"N", 7}});
  EXPECT_NE(print(PlanFormat::Json).find("\"flops\": 28"), std::string::npos);
}

#ifdef PYPTO_COUNTS_ALLOCATIONS
TEST(PlansTest, ExecutionsAllocateNothing) {
  std::unique_ptr<ExecutionPlan> many = Tensor::prepareBatch(makeWideGraph());
  Tensor x = makeTensor({64, 48});
  std::unique_ptr<ExecutionPlan> one = (x * 2.0 + 1.0).prepare();
  for (unsigned threads : {1, 2})
    for (PlanOrder order : {PlanOrder::Dataflow, PlanOrder::Groups, PlanOrder::Adversarial})
      for (ExecutionPlan *plan : {many.get(), one.get()}) {
        runtime::setParallelThreads(threads);
        plan->setOrder(order);
        // Threads and what oneTBB keeps for them come with the first ones.
        for (int i = 0; i < 200; ++i)
          plan->execute();
        numAllocations = 0;
        isCounting = true;
        for (int i = 0; i < 1000; ++i)
          plan->execute();
        size_t counted = numAllocations;
        std::make_unique<std::string>(1000, 'x')->clear();
        isCounting = false;
        EXPECT_GE(numAllocations, counted + 2) << "allocations are counted";
        EXPECT_EQ(counted, 0u) << threads << " threads, order " << int(order);
      }
  runtime::setParallelThreads(0);
}
#endif

TEST(PlansTest, ThreadsExecuteOnePlan) {
  VariableRef n = makeVariable("N", 1, 64);
  Tensor x = makeTensor({64, 64}), part = x.shrink({{0, n}, {0, 64}});
  auto plan = Tensor::prepareBatch({(x.matmul(x).sum(1, true) + x).sum(0), part.sum(0)});
  plan->execute();
  std::vector<float> expected = plan->outputBufferAt(0)->as<float>().vec();
  std::vector<std::thread> threads;
  for (int64_t thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (int64_t i = 0; i < 200; ++i)
        plan->executeWithVars({{"N", 1 + thread * 7 + i % 3}});
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(plan->outputBufferAt(0)->as<float>().vec(), expected);
  EXPECT_LE(plan->outputShapeAt(0).size(), 1u);
}

TEST(PlansTest, WhatIsNotThere) {
  auto plan = (makeTensor({4}) * 41.0).prepare();
  ASSERT_EQ(plan->numKernels(), 1u);
  auto getText = [](auto access) -> std::string {
    try {
      (void)access();
    } catch (const TensorException &exception) {
      return exception.what();
    }
    return "no error";
  };
  for (size_t index : {size_t(1), size_t(9), ~size_t(0)}) {
    std::string number = std::to_string(index);
    std::string kernel = "the plan has 1 kernels, but kernel " + number + " was asked for";
    std::string output = "the plan has 1 outputs, but output " + number + " was asked for";
    EXPECT_EQ(getText([&] { return plan->kernelNameAt(index); }), kernel);
    EXPECT_EQ(getText([&] { return plan->kernelDependenciesAt(index); }), kernel);
    EXPECT_EQ(getText([&] { return plan->kernelGroupAt(index); }), kernel);
    EXPECT_EQ(getText([&] { return plan->outputBufferAt(index); }), output);
    EXPECT_EQ(getText([&] { return plan->outputShapeAt(index); }), output);
    EXPECT_EQ(getText([&] { return plan->outputDTypeAt(index); }), output);
  }
}
