// The stages of a program and how they fail: one line on standard error, said by one rank, and an exit
// status.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <new>
#include <string>

#include "common/error.hpp"
#include "common/model.hpp"

namespace boltzmark {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A failure in words and status; the text is empty where all went well.
struct Failure {
  int status = 0;
  std::string line;
};

/// Runs `work` and turns whatever it throws into one line.
template <class Work>
Failure attempt(Work&& work) {
  try {
    work();
    return {};
  } catch (const Error& error) {
    return {static_cast<int>(error.status()), error.what()};
  } catch (const std::bad_alloc&) {
    return {static_cast<int>(ExitStatus::unavailable),
            "expected memory for this problem, found too little on this machine"};
  } catch (const std::exception& error) {
    return {static_cast<int>(ExitStatus::unavailable), fmt::format("unexpected failure: {}", error.what())};
  }
}

inline void print_error(const Backend& backend, const std::string& line) {
  fmt::print(stderr, "{}: error: {}\n", backend.program(), line);
}

/// Runs stages on every rank of a team.
class Stages {
 public:
  Stages(const Backend& backend, Team& team) : backend_(backend), team_(team) {}

  /// Runs `work` on every rank; if any fails, the lowest failing rank prints its line and all return the same
  /// status, the largest.
  template <class Work>
  int together(Work&& work) const {
    const Failure failure = attempt(work);
    const int first = team_.first_that(failure.status != 0);
    if (first == team_.rank()) print_error(backend_, failure.line);
    return first < 0 ? 0 : static_cast<int>(team_.largest(failure.status));
  }

  /// Tells the user what the model has to warn of, in one line.
  void warn(const Options& options) const {
    const std::string line = backend_.warning ? backend_.warning(options) : "";
    if (!line.empty() && !options.quiet && team_.is_root())
      fmt::print(stderr, "{}: warning: {}\n", backend_.program(), line);
  }

  /// The stages in which ranks talk to one another: a rank that fails alone must end the others too.
  template <class Work>
  void alone(Work&& work) const {
    const Failure failure = attempt(work);
    if (!failure.status) return;
    print_error(backend_, failure.line);
    std::fflush(nullptr);
    team_.abort(failure.status);
  }

 private:
  const Backend& backend_;
  Team& team_;
};

}  // namespace boltzmark
