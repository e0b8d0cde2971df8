// Wall-clock seconds, and the date.
#pragma once

#include <chrono>
#include <ctime>
#include <string>

namespace boltzmark {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Now, in UTC, as strftime() writes it.
inline std::string date_as(const char* format) {
  const std::time_t now = std::time(nullptr);
  char text[64];
  return {text, std::strftime(text, sizeof text, format, std::gmtime(&now))};
}

/// Adds the seconds of its lifetime to a sum.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() { seconds_ += seconds_since(start_); }

 private:
  double& seconds_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace boltzmark
