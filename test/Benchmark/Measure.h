// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contenders that take turns, so that all see the same state of the machine.
#ifndef PYPTO_BENCHMARK_MEASURE_H
#define PYPTO_BENCHMARK_MEASURE_H

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace pypto::benchmark {

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Contender {
  std::string name;
  std::function<void()> run;
  std::vector<double> seconds;

  double best() const { return *std::min_element(seconds.begin(), seconds.end()); }
  double median() const {
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

/// Calls each once without a clock, then all in turn until each has had `seconds`, each at least
/// three times. Short ones are called several times at once.
inline void takeTurns(std::vector<Contender> &contenders, double seconds) {
  std::vector<int> calls;
  for (Contender &contender : contenders) {
    contender.run();
    double begin = now();
    contender.run();
    calls.push_back(std::clamp(int(2e-4 / std::max(now() - begin, 1e-9)), 1, 10000));
  }
  double end = now() + seconds * double(contenders.size());
  for (int round = 0; round < 3 || now() < end; ++round)
    for (size_t i = 0; i != contenders.size(); ++i) {
      // What the one before has left in the caches is not its own.
      contenders[i].run();
      for (int repeat = 0; repeat != 2; ++repeat) {
        double begin = now();
        for (int call = 0; call != calls[i]; ++call)
          contenders[i].run();
        contenders[i].seconds.push_back((now() - begin) / calls[i]);
      }
    }
}

} // namespace pypto::benchmark

#endif
