#include "analysis/run/oracle.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <map>

#include "analysis/support/process.hpp"
#include "common/lbm/check.hpp"
#include "common/base/error.hpp"
#include "common/lbm/result_files.hpp"
#include "common/lbm/oracle.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

/// In a process of its own: 0 when the answer is on disk, else one line and 1.
int compute_answer(const std::string& prefix, const ScheduledProblem& problem) {
  try {
    write_answer(prefix, problem.problem, solve_reference(problem.problem, problem.steps));
    return 0;
  } catch (const std::exception& fault) {
    fmt::print(stderr, "boltzmark: oracle: {}: {}\n", problem.problem.name, fault.what());
    std::fflush(stderr);
    return 1;
  }
}

/// Leftovers of a driver that was killed while it wrote an answer.
void remove_temporaries(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".tmp") fs::remove(entry.path());
}

/// The processes at work, each on one answer.
class Workers {
 public:
  explicit Workers(SignalWatch& signals) : signals_(signals) {}
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() {
    for (const auto& [pid, name] : running_) end_group(pid, signals_);
  }

  void start(const std::string& prefix, const ScheduledProblem& problem) {
    const pid_t pid = fork_worker(signals_, [&] { return compute_answer(prefix, problem); });
    running_[pid] = problem.problem.name;
  }
  int running() const { return static_cast<int>(running_.size()); }

  /// Takes note of those that have ended. Throws Error (bad_input) when one of them failed.
  void collect() {
    for (auto at = running_.begin(); at != running_.end();) {
      int status = 0;
      if (waitpid(at->first, &status, WNOHANG) != at->first) {
        ++at;
        continue;
      }
      const std::string name = at->second;
      at = running_.erase(at);
      if (status != 0)
        throw bad_input("oracle: expected the right answer of {}, found no way to compute it ({})", name,
                        WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status)) : "see above");
    }
  }

 private:
  SignalWatch& signals_;
  std::map<pid_t, std::string> running_;
};

}  // namespace

std::string oracle_version() { return BOLTZMARK_ORACLE; }

std::string answer_prefix(const fs::path& folder, const ScheduledProblem& problem) {
  return (folder / fmt::format("{}-{}-{}", problem.digest, problem.steps, oracle_version())).string();
}

bool has_answer(const fs::path& folder, const ScheduledProblem& problem) {
  const std::string prefix = answer_prefix(folder, problem);
  return fs::exists(prefix + ".final_state.dat") && fs::exists(prefix + ".av_vels.dat");
}

bool compute_answers(const fs::path& folder, std::vector<const ScheduledProblem*> problems, int processes,
                     SignalWatch& signals, const std::function<void(int, double)>& on_tick) {
  prepare_folder(folder);
  remove_temporaries(folder);
  std::sort(problems.begin(), problems.end(),
            [](const auto* a, const auto* b) { return a->updates() > b->updates(); });
  const auto start = std::chrono::steady_clock::now();
  Workers workers(signals);
  for (std::size_t next = 0; next < problems.size() || workers.running() > 0;) {
    while (next < problems.size() && workers.running() < processes) {
      workers.start(answer_prefix(folder, *problems[next]), *problems[next]);
      ++next;
    }
    signals.wait(1.0);
    if (signals.stopped_by() != 0) return false;
    workers.collect();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    on_tick(static_cast<int>(next) - workers.running(), elapsed.count());
  }
  return true;
}

}  // namespace boltzmark
