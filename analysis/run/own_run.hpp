// Builds somebody's program, runs it in a folder of its own, and holds what it wrote against the right answer.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/run/own_program.hpp"
#include "analysis/support/confined.hpp"
#include "common/lbm/check.hpp"
#include "common/lbm/problem.hpp"

namespace boltzmark {

/// How a program, or a folder of results, did: one word, docs/guide/teaching.md lists them.
namespace verdict {
inline constexpr const char *right = "right", *wrong = "wrong", *nan = "nan", *steps = "steps", *lines = "lines",
                            *format = "format", *missing = "missing", *too_large = "too-large", *build = "build",
                            *crashed = "crashed", *failed = "failed", *timeout = "timeout", *memory = "memory",
                            *output = "output", *processes = "processes", *stopped = "stopped";
}

struct OwnOutcome {
  std::string verdict;
  std::string reason = {};  ///< one line; "" when it is right
  Check check = {};         ///< without deviations where its files could not be read
  std::optional<double> last_average = {};
  std::optional<double> seconds = {};  ///< as it says; none where it does not, or where that cannot be
  double wall_seconds = 0.0;           ///< from its start to its end, with reading and writing
  int exit_status = 0;
  std::vector<std::string> notes = {};  ///< what else to know
  std::string output = {}, errors = {};

  bool is_wrong() const { return verdict == verdict::wrong || verdict == verdict::nan; }
};

/// Fills in verdict, reason, check and last average from the two result files in a folder. `answer` may be nullptr:
/// then they are read, and no more. `tolerance`: the largest deviation that counts as right.
void judge_files(const fs::path& folder, const lbm::Problem& problem, int steps, const lbm::Answer* answer,
                 double tolerance, OwnOutcome& outcome);

struct OwnConfinement {
  ProcessLimits limits = {};
  bool is_isolated = false;           ///< can write to its folder alone
  std::vector<fs::path> hidden = {};  ///< then also: finds nothing there
};

/// Runs programs. Each is built once, and started every time in a new copy of what the build left.
class OwnRunner {
 public:
  explicit OwnRunner(OwnConfinement confinement) : confinement_(std::move(confinement)) {}

  /// The verdict is `stopped` when a stop signal ended it.
  OwnOutcome run(const OwnProgram& program, const lbm::Problem& problem, int steps, const lbm::Answer* answer,
                 SignalWatch& signals, const Tick& on_tick);

 private:
  struct Built {
    PrivateFolder folder;
    std::optional<OwnOutcome> failure;
  };

  const Built& built(const OwnProgram& program, SignalWatch& signals, const Tick& on_tick);
  ConfinedResult confined(const OwnProgram& program, const PrivateFolder& folder, const std::string& line,
                          const ProcessLimits& limits, SignalWatch& signals, const Tick& on_tick) const;

  OwnConfinement confinement_;
  std::map<std::string, std::unique_ptr<Built>> built_;  ///< by name
};

}  // namespace boltzmark
