// The processes that run one program together, and how they fail: one line on standard error, said by one rank, and an
// exit status.
#pragma once

#include <new>
#include <string>
#include <utility>

#include "common/base/clock.hpp"
#include "common/base/error.hpp"
#include "common/base/print.hpp"

namespace boltzmark {

/// A single process is a team of one.
class Team {
 public:
  virtual ~Team() = default;
  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }
  virtual void barrier() {}
  /// Collective: the lowest rank that passed true, or -1 when none did.
  virtual int first_that(bool mine) { return mine ? 0 : -1; }
  /// Collective: the largest of all ranks' numbers, on every rank.
  virtual double largest(double mine) { return mine; }
  /// Ends every process at once; used when one rank alone fails and the others cannot know.
  [[noreturn]] virtual void abort(int status);
  bool is_root() const { return rank() == 0; }
};

/// Seconds of work that all ranks begin together, until the slowest has done it. Collective.
template <class Work>
double time_on(Team& team, Work&& work) {
  team.barrier();
  const auto start = Clock::now();
  std::forward<Work>(work)();
  return team.largest(seconds_since(start));
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
            "expected memory for this case, found too little on this machine"};
  } catch (const std::exception& error) {
    return {static_cast<int>(ExitStatus::unavailable), fmt::format("unexpected failure: {}", error.what())};
  }
}

/// Runs stages on every rank of a team, and says how they fail. `name`: of the program.
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
