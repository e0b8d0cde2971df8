// Right answers: computed by the oracle in processes of their own, and kept.
#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "analysis/run/lbm_cases.hpp"
#include "analysis/support/process.hpp"
#include "common/base/clock.hpp"
#include "common/base/error.hpp"
#include "common/base/files.hpp"
#include "common/base/print.hpp"
#include "common/cpu/memory.hpp"
#include "common/lbm/answer_files.hpp"
#include "common/lbm/oracle.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

/// In a process of its own: 0 when the answer is on disk, else one line and 1.
int compute_answer(const std::string& prefix, const Case& one) {
  try {
    lbm::write_answer(prefix, one.lbm->problem, lbm::solve_reference(one.lbm->problem, one.steps));
    return 0;
  } catch (const std::exception& fault) {
    print_error("boltzmark", fmt::format("oracle: {}: {}", one.name, fault.what()));
    std::fflush(stderr);
    return 1;
  }
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

  void start(const std::string& prefix, const Case& one) {
    const pid_t pid = fork_worker(signals_, [&] { return compute_answer(prefix, one); });
    running_[pid] = one.name;
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

std::string answer_prefix(const fs::path& folder, const Case& one) {
  return (folder / fmt::format("{}-{}-{}", one.digest, one.steps, oracle_version())).string();
}

lbm::AnswerState state_of_answer(const fs::path& folder, const Case& one) {
  return one.lbm ? lbm::state_of_answer(answer_prefix(folder, one)) : lbm::AnswerState::whole;
}

std::string damaged_answer(const fs::path& folder, const Case& one) {
  return fmt::format("{}: expected the right answer that was kept, found a damaged one; it is made again",
                     answer_prefix(folder, one));
}

double answer_updates(const Case& one) {
  return one.lbm ? static_cast<double>(one.lbm->problem.cells()) * one.steps : 0.0;
}

std::string no_answer(const Case& one) {
  if (!one.lbm) return "";
  const double bytes = lbm::reference_bytes(one.lbm->problem) + sizeof(double) * one.steps;
  const std::string shortage = memory_shortage(static_cast<std::uint64_t>(bytes));
  return shortage.empty() ? "" : "no memory for its right answer: " + shortage;
}

bool compute_answers(const fs::path& folder, std::vector<const Case*> cases, int processes,
                     SignalWatch& signals, const std::function<void(int, double)>& on_tick) {
  prepare_folder(folder);
  remove_leftovers(folder);
  std::sort(cases.begin(), cases.end(),
            [](const auto* a, const auto* b) { return answer_updates(*a) > answer_updates(*b); });
  const auto start = Clock::now();
  Workers workers(signals);
  for (std::size_t next = 0; next < cases.size() || workers.running() > 0;) {
    while (next < cases.size() && workers.running() < processes) {
      workers.start(answer_prefix(folder, *cases[next]), *cases[next]);
      ++next;
    }
    signals.wait(1.0);
    if (signals.stopped_by() != 0) return false;
    workers.collect();
    on_tick(static_cast<int>(next) - workers.running(), seconds_since(start));
  }
  return true;
}

}  // namespace boltzmark
