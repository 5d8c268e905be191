// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Movement that is made of the basic ops.
#include "TensorTesting.h"

using namespace pypto;
using namespace pypto::lazy;

using Integers = std::vector<int64_t>;

/// 0, 1, 2, … in memory.
static Tensor count(llvm::ArrayRef<int64_t> shape) {
  std::vector<int64_t> data(countElements(makeShape(shape)));
  std::iota(data.begin(), data.end(), 0);
  return Tensor::fromSlice<int64_t>(shape, data);
}

static void expectTensor(const Tensor &tensor, llvm::ArrayRef<int64_t> shape,
                         llvm::ArrayRef<int64_t> data) {
  EXPECT_EQ(formatShape(tensor.getShape()), formatShape(makeShape(shape)));
  EXPECT_EQ(get<int64_t>(tensor), data.vec());
}

TEST(RearrangingTest, Axes) {
  Tensor x = count({2, 3, 2});
  expectTensor(x.transpose(0, -1), {2, 3, 2}, {0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11});
  expectTensor(x.moveAxis(0, -1), {3, 2, 2}, {0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11});
  expectTensor(x.moveAxis(-1, 0), {2, 2, 3}, {0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11});
  EXPECT_EQ(formatShape(x.flatten(1).getShape()), "(2, 6)");
  EXPECT_EQ(formatShape(x.flatten(0, 1).getShape()), "(6, 2)");
  EXPECT_EQ(formatShape(x.flatten(0, 1).unflatten(0, {3, -1}).getShape()), "(3, 2, 2)");
  EXPECT_EQ(formatShape(Tensor::ones({}).flatten().getShape()), "(1,)");
  EXPECT_EQ(formatShape(x.unsqueeze(-1).squeeze(-1).getShape()), "(2, 3, 2)");
  EXPECT_EQ(getError(x.trySqueeze(1)), "squeeze: expects an extent of 1 at axis 1 of (2, 3, 2)");
  EXPECT_EQ(getError(x.tryMoveAxis(3, 0)),
            "moveAxis: expects an axis of a tensor of rank 3, but got 3");
  EXPECT_EQ(getError(x.tryTranspose(0, 5)),
            "transpose: expects an axis of a tensor of rank 3, but got 5");
  EXPECT_EQ(getError(x.tryUnsqueeze(4)),
            "unsqueeze: expects an axis of a tensor of rank 4, but got 4");
  EXPECT_EQ(getError(x.tryFlatten(2, 1)), "flatten: expects axes in order, but got 2 and 1");
  EXPECT_EQ(getError(x.tryUnflatten(0, {3, 3})),
            "unflatten: expects a shape with the elements of (2, 3, 2), but got (3, 3, 3, 2)");
}

TEST(RearrangingTest, Slices) {
  Tensor x = count({2, 5});
  expectTensor(x.slice(1, 1, 4), {2, 3}, {1, 2, 3, 6, 7, 8});
  expectTensor(x.slice(1, 0, 5, 2), {2, 3}, {0, 2, 4, 5, 7, 9});
  expectTensor(x.slice(1, -4, 5, 3), {2, 2}, {1, 4, 6, 9});
  expectTensor(x.slice(-1, 0, 5, -2), {2, 3}, {4, 2, 0, 9, 7, 5});
  expectTensor(x.slice(1, 2, 2, 3), {2, 0}, {});
  expectTensor(x.select(0, -1), {5}, {5, 6, 7, 8, 9});
  expectTensor(x.select(1, 2), {2}, {2, 7});
  EXPECT_EQ(getError(x.trySlice(1, 3, 7)),
            "slice: expects a range inside axis 1 of (2, 5), but got [3, 7)");
  EXPECT_EQ(getError(x.trySlice(1, 0, 5, 0)), "slice: expects a step other than 0");
  EXPECT_EQ(getError(x.trySelect(0, 2)),
            "select: expects an index inside axis 0 of (2, 5), but got 2");
}

TEST(RearrangingTest, Pieces) {
  Tensor x = count({2, 5});
  std::vector<Tensor> pieces = x.split({1, 0, 4}, 1);
  ASSERT_EQ(pieces.size(), 3u);
  expectTensor(pieces[0], {2, 1}, {0, 5});
  expectTensor(pieces[1], {2, 0}, {});
  expectTensor(pieces[2], {2, 4}, {1, 2, 3, 4, 6, 7, 8, 9});
  pieces = x.chunk(2, 1);
  ASSERT_EQ(pieces.size(), 2u);
  expectTensor(pieces[0], {2, 3}, {0, 1, 2, 5, 6, 7});
  expectTensor(pieces[1], {2, 2}, {3, 4, 8, 9});
  pieces = x.unbind(0);
  ASSERT_EQ(pieces.size(), 2u);
  expectTensor(pieces[1], {5}, {5, 6, 7, 8, 9});
  expectTensor(Tensor::stack(pieces, 1), {5, 2}, {0, 5, 1, 6, 2, 7, 3, 8, 4, 9});
  EXPECT_EQ(getError(x.trySplit({1, 2}, 1)), "split: expects sizes of which the sum is the extent "
                                             "of axis 1 of (2, 5), but got a sum of 3");
  EXPECT_EQ(getError(x.tryChunk(0, 1)), "chunk: expects a count of at least 1, but got 0");
  EXPECT_EQ(getError(Tensor::tryStack({x, count({5, 2})}, 0)),
            "stack: expects equal shapes, but got (2, 5) and (5, 2)");
  EXPECT_EQ(getError(Tensor::tryStack({}, 0)), "stack: expects at least one tensor");
}

TEST(RearrangingTest, Repetition) {
  Tensor x = count({2, 2});
  expectTensor(x.repeat({1, 2}), {2, 4}, {0, 1, 0, 1, 2, 3, 2, 3});
  expectTensor(x.repeat({2, 1, 1}), {2, 2, 2}, {0, 1, 2, 3, 0, 1, 2, 3});
  expectTensor(x.repeat({0, 1}), {0, 2}, {});
  expectTensor(x.repeatInterleave(2, 0), {4, 2}, {0, 1, 0, 1, 2, 3, 2, 3});
  expectTensor(x.repeatInterleave(3, 1), {2, 6}, {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3});
  expectTensor(count({5}).roll(2, 0), {5}, {3, 4, 0, 1, 2});
  expectTensor(count({5}).roll(-1, 0), {5}, {1, 2, 3, 4, 0});
  expectTensor(count({5}).roll(10, 0), {5}, {0, 1, 2, 3, 4});
  EXPECT_EQ(getError(x.tryRepeat({2})),
            "repeat: expects a count for each dimension of (2, 2), but got 1");
  EXPECT_EQ(
      getError(x.tryRepeat({2, -1})),
      "repeat: expects counts of at least 0, and of fixed extents only, but got -1 for (2, 2)");
  EXPECT_EQ(getError(x.tryRepeatInterleave(-1, 0)),
            "repeatInterleave: expects a count of at least 0, but got -1");
}

TEST(RearrangingTest, Windows) {
  Tensor x = count({2, 5});
  expectTensor(x.unfold(1, 3), {2, 3, 3}, {0, 1, 2, 1, 2, 3, 2, 3, 4, 5, 6, 7, 6, 7, 8, 7, 8, 9});
  expectTensor(x.unfold(1, 2, 2), {2, 2, 2}, {0, 1, 2, 3, 5, 6, 7, 8});
  expectTensor(x.unfold(1, 2, 1, 3), {2, 2, 2}, {0, 3, 1, 4, 5, 8, 6, 9});
  expectTensor(x.unfold(0, 2), {1, 5, 2}, {0, 5, 1, 6, 2, 7, 3, 8, 4, 9});
  // Windows of windows.
  expectTensor(x.unfold(1, 3, 2).unfold(1, 2).sum(-1), {2, 1, 3}, {2, 4, 6, 12, 14, 16});
  EXPECT_EQ(getError(x.tryUnfold(1, 3, 1, 3)), "unfold: expects a window inside axis 1 of (2, 5), "
                                               "but got one of 3 elements that are 3 apart");
  EXPECT_EQ(getError(x.tryUnfold(1, 0)),
            "unfold: expects a size, step and dilation of at least 1, but got 0, 1 and 1");
}

TEST(RearrangingTest, PaddingWithElements) {
  Tensor x = count({4});
  expectTensor(x.padWith({{2, 1}}, PadMode::Reflect), {7}, {2, 1, 0, 1, 2, 3, 2});
  expectTensor(x.padWith({{2, 1}}, PadMode::Replicate), {7}, {0, 0, 0, 1, 2, 3, 3});
  expectTensor(x.padWith({{2, 1}}, PadMode::Circular), {7}, {2, 3, 0, 1, 2, 3, 0});
  expectTensor(x.padWith({{0, 1}}, PadMode::Constant), {5}, {0, 1, 2, 3, 0});
  expectTensor(count({2, 2}).padWith({{1, 0}, {0, 1}}, PadMode::Reflect), {3, 3},
               {2, 3, 2, 0, 1, 0, 2, 3, 2});
  EXPECT_EQ(getError(x.tryPadWith({{4, 0}}, PadMode::Reflect)),
            "padWith: expects padding from 0 to 3 at axis 0 of (4,), but got 4 and 0");
}

TEST(RearrangingTest, Diagonals) {
  Tensor x = count({2, 3});
  expectTensor(x.diagonal(), {2}, {0, 4});
  expectTensor(x.diagonal(1), {2}, {1, 5});
  expectTensor(x.diagonal(-1), {1}, {3});
  expectTensor(x.diagonal(3), {0}, {});
  expectTensor(count({2, 2, 2}).diagonal(), {2, 2}, {0, 3, 4, 7});
  expectTensor(x.trace(), {}, {4});
  expectTensor(count({2}).diag(), {2, 2}, {0, 0, 0, 1});
  expectTensor((count({2}) + 1).diag(1), {3, 3}, {0, 1, 0, 0, 0, 2, 0, 0, 0});
  expectTensor((count({2}) + 1).diag(-1), {3, 3}, {0, 0, 0, 1, 0, 0, 0, 2, 0});
  expectTensor((count({2, 1}) + 1).diag(), {2, 1, 1}, {1, 2});
  EXPECT_EQ(getError(count({2}).tryDiagonal()),
            "diagonal: expects at least two dimensions, but got (2,)");
}
