// How every program of the suite fails: one line on standard error and one of four exit statuses.
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace boltzmark {

/// Exit status of every program.
enum class ExitStatus : int {
  ok = 0,            ///< finished, and right if checked
  wrong_result = 1,  ///< the run finished but its result is wrong
  bad_input = 2,     ///< bad usage, bad input, or output that cannot be written
  unavailable = 3,   ///< this machine cannot run it, or has too little memory
};

/// An error that ends the program; `what()` is the one line the user reads.
class Error : public std::runtime_error {
 public:
  Error(ExitStatus status, const std::string& line) : std::runtime_error(line), status_(status) {}
  ExitStatus status() const { return status_; }

 private:
  ExitStatus status_;
};

/// Bad usage, bad input, or output that cannot be written (exit status 2).
template <class... Args>
Error bad_input(fmt::format_string<Args...> line, Args&&... args) {
  return {ExitStatus::bad_input, fmt::format(line, std::forward<Args>(args)...)};
}

/// Valid, but not possible on this machine (exit status 3).
template <class... Args>
Error unavailable(fmt::format_string<Args...> line, Args&&... args) {
  return {ExitStatus::unavailable, fmt::format(line, std::forward<Args>(args)...)};
}

}  // namespace boltzmark
