// The stages of a program and how they fail: one line on standard error, said by one rank, and an exit status.
#pragma once

#include <new>
#include <string>

#include "common/base/error.hpp"
#include "common/base/print.hpp"
#include "common/run/team.hpp"

namespace boltzmark {

/// A failure as text and status; the text is empty on success.
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
            "expected memory for this case, found too little on this machine"};
  } catch (const std::exception& error) {
    return {static_cast<int>(ExitStatus::unavailable), fmt::format("unexpected failure: {}", error.what())};
  }
}

/// Runs stages on every rank of a team, and reports failures. `name`: of the program.
class Stages {
 public:
  Stages(std::string name, Team& team) : name_(std::move(name)), team_(team) {}

  /// Runs `work` on every rank; if any fails, the lowest failing rank prints its line and all return the same
  /// status, the largest.
  template <class Work>
  int together(Work&& work) const {
    const Failure failure = attempt(work);
    const int first = team_.first_that(failure.status != 0);
    if (first == team_.rank()) print_error(name_, failure.line);
    return first < 0 ? 0 : static_cast<int>(team_.largest(failure.status));
  }

  /// The stages in which ranks talk to one another: a rank that fails alone must end the others too.
  template <class Work>
  void alone(Work&& work) const {
    const Failure failure = attempt(work);
    if (!failure.status) return;
    print_error(name_, failure.line);
    std::fflush(nullptr);
    team_.abort(failure.status);
  }

 private:
  std::string name_;
  Team& team_;
};

}  // namespace boltzmark
