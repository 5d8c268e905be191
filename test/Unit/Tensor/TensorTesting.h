// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PYPTO_TEST_UNIT_TENSOR_TENSORTESTING_H
#define PYPTO_TEST_UNIT_TENSOR_TENSORTESTING_H

#include "pypto/Tensor/Plan.h"

#include "gtest/gtest.h"
#include <cmath>
#include <numeric>

namespace pypto::lazy {

/// 0.25, -2, 3.75, …: small numbers of both signs, no two neighbours alike.
inline std::vector<float> makeData(size_t count) {
  std::vector<float> data(count);
  for (size_t i = 0; i < count; ++i)
    data[i] = (i % 2 ? -0.25f : 0.25f) * static_cast<float>(1 + i * 7 % 13);
  return data;
}

inline Tensor makeTensor(llvm::ArrayRef<int64_t> shape) {
  return Tensor::fromSlice<float>(shape, makeData(countElements(makeShape(shape))));
}

template <typename T> std::vector<T> get(const Tensor &tensor) {
  llvm::ArrayRef<T> data = tensor.data<T>();
  return std::vector<T>(data.begin(), data.end());
}

inline void expectNear(llvm::ArrayRef<float> actual, llvm::ArrayRef<float> expected,
                       float tolerance = 1e-5f) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    if (std::isnan(expected[i]) || std::isinf(expected[i])) {
      ASSERT_EQ(std::isnan(actual[i]), std::isnan(expected[i])) << "at " << i;
      ASSERT_TRUE(std::isnan(expected[i]) || actual[i] == expected[i]) << "at " << i;
      continue;
    }
    ASSERT_NEAR(actual[i], expected[i], tolerance * (1 + std::fabs(expected[i]))) << "at " << i;
  }
}

/// The text of an error.
template <typename T> std::string getError(llvm::Expected<T> value) {
  if (value)
    return "no error";
  std::string text;
  llvm::handleAllErrors(value.takeError(), [&](const TensorError &error) {
    text = (error.getOp() + ": " + error.getReason()).str();
  });
  return text;
}

} // namespace pypto::lazy

#endif
