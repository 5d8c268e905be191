// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TensorTesting.h"

#include <random>

using namespace pypto;
using namespace pypto::lazy;

using Floats = std::vector<float>;

static Tensor count(llvm::ArrayRef<int64_t> shape) {
  Floats data(countElements(makeShape(shape)));
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<float>(i);
  return Tensor::fromSlice<float>(shape, data);
}

TEST(MovementTest, EachAlone) {
  Tensor x = count({2, 3});
  EXPECT_EQ(get<float>(x.permute({1, 0})), (Floats{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(get<float>(x.transpose()), (Floats{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(get<float>(x.reshape({3, 2})), (Floats{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(get<float>(count({2, 1}).expand({2, 2, 2})), (Floats{0, 0, 1, 1, 0, 0, 1, 1}));
  EXPECT_EQ(get<float>(count({2}).pad({{1, 2}}, 9)), (Floats{9, 0, 1, 9, 9}));
  EXPECT_EQ(get<float>(x.shrink({{1, 2}, {0, 2}})), (Floats{3, 4}));
  EXPECT_EQ(get<float>(x.flip({1})), (Floats{2, 1, 0, 5, 4, 3}));
  EXPECT_EQ(get<float>(x.flip({0, -1})), (Floats{5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(get<float>(Tensor::concat({x, x.flip({0})}, 0)),
            (Floats{0, 1, 2, 3, 4, 5, 3, 4, 5, 0, 1, 2}));
  EXPECT_EQ(get<float>(Tensor::concat({x, x + 10}, 1)),
            (Floats{0, 1, 2, 10, 11, 12, 3, 4, 5, 13, 14, 15}));
  EXPECT_EQ(get<float>(Tensor::stack({count({2}), count({2}) + 5}, -1)), (Floats{0, 5, 1, 6}));
  EXPECT_EQ(get<float>(count({2, 1, 2}).squeeze(1)), (Floats{0, 1, 2, 3}));
  EXPECT_EQ(get<float>(x.contiguous()), (Floats{0, 1, 2, 3, 4, 5}));
}

/// Elements that are turned around block by block, each next to one that is read along its rows.
template <typename T>
static void checkTransposed(DType dtype, llvm::ArrayRef<int64_t> shape,
                            llvm::ArrayRef<int64_t> order) {
  SCOPED_TRACE(testing::PrintToString(shape.vec()) + " by " + testing::PrintToString(order.vec()));
  Tensor x = (count(shape) % 100.0).cast(dtype);
  x.realize();
  Tensor moved = x.permute(order);
  llvm::SmallVector<int64_t> extents, strides(shape.size(), 1), moves;
  for (size_t i = shape.size() - 1; i-- > 0;)
    strides[i] = strides[i + 1] * shape[i + 1];
  for (int64_t dim : order) {
    extents.push_back(shape[dim]);
    moves.push_back(strides[dim]);
  }
  Tensor other = (count(extents) % 7.0).cast(dtype);
  other.realize();
  std::vector<T> result = get<T>(moved + other), expected;
  std::vector<int64_t> index(extents.size());
  for (size_t n = 0; n != result.size(); ++n) {
    int64_t from = 0;
    for (size_t i = 0; i != extents.size(); ++i)
      from += index[i] * moves[i];
    expected.push_back(static_cast<T>(from % 100 + int64_t(n % 7)));
    for (size_t i = extents.size(); i-- > 0 && ++index[i] == extents[i];)
      index[i] = 0;
  }
  EXPECT_EQ(result, expected);
}

TEST(MovementTest, Transposes) {
  for (auto [rows, columns] : std::initializer_list<std::pair<int64_t, int64_t>>{
           {64, 64}, {70, 131}, {1, 100}, {15, 129}, {8, 8}, {200, 17}, {7, 300}, {128, 192}}) {
    checkTransposed<float>(DType::F32, {rows, columns}, {1, 0});
    checkTransposed<double>(DType::F64, {rows, columns}, {1, 0});
    checkTransposed<int32_t>(DType::I32, {rows, columns}, {1, 0});
    checkTransposed<int8_t>(DType::I8, {rows, columns}, {1, 0});
  }
  checkTransposed<float>(DType::F32, {20, 3, 70}, {2, 1, 0});
  checkTransposed<float>(DType::F32, {20, 3, 70}, {2, 0, 1});
  checkTransposed<float>(DType::F32, {5, 66, 9, 33}, {0, 3, 2, 1});
  checkTransposed<int16_t>(DType::I16, {5, 66, 9, 33}, {3, 0, 1, 2});
}

TEST(MovementTest, ZeroAndUnitExtents) {
  Tensor none = Tensor::fromSlice<float>({0, 3}, {});
  EXPECT_EQ(get<float>(none.permute({1, 0}) * 2.0), Floats());
  EXPECT_EQ(get<float>(none.sum(0)), Floats(3, 0));
  EXPECT_EQ(get<float>(none.pad({{1, 0}, {0, 0}}, 4)), Floats(3, 4));
  // Slices without elements that begin behind the last one.
  Tensor three = Tensor::fromSlice<float>({3}, {1, 2, 3}), end = three.shrink({{3, 3}});
  EXPECT_EQ(get<float>(end * 2.0), Floats());
  EXPECT_EQ(get<float>(three.slice(0, 3, 3)), Floats());
  EXPECT_EQ(get<float>(three.split({3, 0}, 0)[1].sum()), Floats{0});
  EXPECT_EQ(get<float>(Tensor::concat({end, three, end}, 0)), (Floats{1, 2, 3}));
  EXPECT_EQ(get<float>(end.pad({{1, 1}}, 7)), (Floats{7, 7}));
  EXPECT_EQ(get<float>(none.shrink({{0, 0}, {1, 3}}).sum(0)), Floats(2, 0));
  EXPECT_EQ(get<float>(none.select(1, 2)), Floats());
  Tensor one = Tensor::fromSlice<float>({}, {3});
  EXPECT_EQ(get<float>(one.reshape({1, 1}).expand({2, 3})), Floats(6, 3));
  EXPECT_EQ(get<float>(one + one), Floats{6});
}

namespace {
/// A tensor with what its elements have to be.
struct Checked {
  Tensor tensor;
  std::vector<int64_t> shape;
  Floats elements;

  float at(llvm::ArrayRef<int64_t> index) const {
    int64_t position = 0;
    for (size_t i = 0; i < shape.size(); ++i)
      position = position * shape[i] + index[i];
    return elements[position];
  }
  /// Fills the elements of `shape` by a function of the index.
  void fill(llvm::function_ref<float(llvm::ArrayRef<int64_t>)> element) {
    Floats result;
    std::vector<int64_t> index(shape.size());
    int64_t total = 1;
    for (int64_t extent : shape)
      total *= extent;
    for (int64_t n = 0; n < total; ++n) {
      result.push_back(element(index));
      for (size_t i = shape.size(); i-- > 0 && ++index[i] == shape[i];)
        index[i] = 0;
    }
    elements = std::move(result);
  }
};
} // namespace

/// Moves the elements in a random way.
static Checked moveRandomly(const Checked &from, std::mt19937 &random) {
  auto pick = [&](int64_t bound) { return static_cast<int64_t>(random() % bound); };
  Checked to = from;
  int64_t rank = from.shape.size();
  switch (pick(6)) {
  case 0: { // a dimension is cut in two, or two become one
    size_t axis = pick(rank);
    if (axis + 1 < from.shape.size() && pick(2)) {
      to.shape[axis] *= to.shape[axis + 1];
      to.shape.erase(to.shape.begin() + axis + 1);
    } else {
      int64_t factor = 1 + pick(4);
      while (to.shape[axis] % factor)
        --factor;
      to.shape[axis] /= factor;
      to.shape.insert(to.shape.begin() + axis + pick(2), factor);
    }
    to.tensor = from.tensor.reshape(to.shape);
    return to;
  }
  case 1: {
    std::vector<int64_t> order(rank);
    for (int64_t i = 0; i < rank; ++i)
      order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    for (int64_t i = 0; i < rank; ++i)
      to.shape[i] = from.shape[order[i]];
    to.fill([&](llvm::ArrayRef<int64_t> index) {
      std::vector<int64_t> source(rank);
      for (int64_t i = 0; i < rank; ++i)
        source[order[i]] = index[i];
      return from.at(source);
    });
    to.tensor = from.tensor.permute(order);
    return to;
  }
  case 2: {
    to.shape.insert(to.shape.begin(), 1 + pick(2));
    to.fill([&](llvm::ArrayRef<int64_t> index) { return from.at(index.drop_front()); });
    to.tensor = from.tensor.expand(to.shape);
    return to;
  }
  case 3: {
    std::vector<std::pair<int64_t, int64_t>> padding;
    for (int64_t &extent : to.shape) {
      padding.push_back({pick(2), pick(2)});
      extent += padding.back().first + padding.back().second;
    }
    to.fill([&](llvm::ArrayRef<int64_t> index) {
      std::vector<int64_t> source;
      for (int64_t i = 0; i < rank; ++i) {
        source.push_back(index[i] - padding[i].first);
        if (source[i] < 0 || source[i] >= from.shape[i])
          return -7.f;
      }
      return from.at(source);
    });
    to.tensor = from.tensor.pad(padding, -7);
    return to;
  }
  case 4: {
    llvm::SmallVector<std::pair<int64_t, Extent>> ranges;
    for (int64_t &extent : to.shape) {
      int64_t begin = pick(extent), end = begin + 1 + pick(extent - begin);
      ranges.push_back({begin, end});
      extent = end - begin;
    }
    to.fill([&](llvm::ArrayRef<int64_t> index) {
      std::vector<int64_t> source;
      for (int64_t i = 0; i < rank; ++i)
        source.push_back(index[i] + ranges[i].first);
      return from.at(source);
    });
    to.tensor = from.tensor.shrink(ranges);
    return to;
  }
  default: {
    int64_t axis = pick(rank);
    to.fill([&](llvm::ArrayRef<int64_t> index) {
      std::vector<int64_t> source = index.vec();
      source[axis] = from.shape[axis] - 1 - index[axis];
      return from.at(source);
    });
    to.tensor = from.tensor.flip({axis});
    return to;
  }
  }
}

// Chains of up to eight movement ops make one kernel, and put each element where it belongs.
TEST(MovementTest, RandomChains) {
  std::mt19937 random(3);
  for (int n = 0; n < 200; ++n) {
    Checked chain{count({2, 3, 4}), {2, 3, 4}, get<float>(count({2, 3, 4}))};
    std::string shapes;
    for (int i = 0, e = 1 + static_cast<int>(random() % 8); i < e; ++i) {
      chain = moveRandomly(chain, random);
      shapes += " " + formatShape(makeShape(chain.shape));
    }
    Tensor result = chain.tensor * 1.0;
    std::unique_ptr<ExecutionPlan> plan = result.prepare();
    EXPECT_EQ(plan->numKernels(), 1u);
    ASSERT_EQ(get<float>(result), chain.elements) << "chain " << n << ":" << shapes;
  }
}

TEST(MovementTest, Errors) {
  Tensor x = count({2, 3});
  EXPECT_EQ(getError(x.tryReshape({4, 2})),
            "reshape: expects a shape with the elements of (2, 3), but got (4, 2)");
  EXPECT_EQ(getError(x.tryReshape({-1, 4})),
            "reshape: expects a shape with the elements of (2, 3), but got (-1, 4)");
  EXPECT_EQ(getError(x.tryReshape({-1, -1})),
            "reshape: expects extents of at least 0, one of which may be -1, but got (-1, -1)");
  EXPECT_EQ(getError(x.tryPermute({0})), "permute: expects 2 axes for shape (2, 3), but got 1");
  EXPECT_EQ(getError(x.tryPermute({0, 0})), "permute: expects each axis once, but got 0 again");
  EXPECT_EQ(getError(x.tryPermute({0, 2})),
            "permute: expects an axis of a tensor of rank 2, but got 2");
  EXPECT_EQ(getError(x.tryExpand({4, 3})),
            "expand: expects a shape to which (2, 3) broadcasts, but got (4, 3)");
  EXPECT_EQ(getError(x.tryPad({{1, 1}})),
            "pad: expects padding for each dimension of (2, 3), but got 1");
  EXPECT_EQ(getError(x.tryPad({{0, 0}, {-1, 0}})),
            "pad: expects padding of at least 0, but got -1 and 0 for (2, 3)");
  EXPECT_EQ(getError(x.tryPad({{0, std::numeric_limits<int64_t>::max()}, {0, 0}})),
            "pad: padding of 0 and 9223372036854775807 for (2, 3) is too large");
  EXPECT_EQ(getError(x.tryShrink({{0, 2}, {1, 4}})),
            "shrink: expects ranges inside (2, 3), but got [1, 4)");
  EXPECT_EQ(getError(Tensor::tryConcat({x, count({3, 3})}, 1)),
            "concat: expects shapes that are equal but for axis 1, but got (2, 3) and (3, 3)");
  EXPECT_EQ(getError(Tensor::tryFromSlice<float>({2, 2}, {1, 2, 3})),
            "fromSlice: expects 4 elements for shape (2, 2), but got 3");
}
