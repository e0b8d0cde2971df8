#include "analysis/run/answers.hpp"

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "common/base/clock.hpp"
#include "common/base/error.hpp"
#include "common/base/files.hpp"
#include "common/base/print.hpp"
#include "common/base/text.hpp"
#include "common/cpu/memory.hpp"
#include "common/cpu/processors.hpp"
#include "common/lbm/answer_files.hpp"
#include "common/lbm/oracle.hpp"

namespace boltzmark {
namespace {

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

/// In a process of its own: becomes the command, silent and with an end.
int become(std::vector<std::string> command) {
  constexpr unsigned longest_seconds = 30;
  alarm(longest_seconds);  // it outlives the change of program
  for (std::FILE* const stream : {stdout, stderr})
    if (!std::freopen("/dev/null", "w", stream)) return 1;
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  execv(words.front(), words.data());
  return 1;
}

/// The processes at work, each on one answer or one of the commands meanwhile.
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
  void start(const std::vector<std::string>& command) {
    running_[fork_worker(signals_, [&] { return become(command); })] = of_a_command;
  }
  int running() const { return static_cast<int>(running_.size()); }
  int answers() const {
    return static_cast<int>(std::count_if(running_.begin(), running_.end(),
                                          [](const auto& worker) { return worker.second != of_a_command; }));
  }

  /// Takes note of those that have ended. Throws Error (bad_input) when an answer failed.
  void collect() {
    for (auto at = running_.begin(); at != running_.end();) {
      int status = 0;
      if (waitpid(at->first, &status, WNOHANG) != at->first) {
        ++at;
        continue;
      }
      const std::string name = at->second;
      at = running_.erase(at);
      if (status != 0 && name != of_a_command)
        throw bad_input("oracle: expected the right answer of {}, found no way to compute it ({})", name,
                        WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status)) : "see above");
    }
  }

 private:
  static constexpr const char* of_a_command = "";

  SignalWatch& signals_;
  std::map<pid_t, std::string> running_;  ///< what they are at: the name of a case
};

}  // namespace

std::string oracle_version() { return BOLTZMARK_ORACLE; }

std::string answer_prefix(const fs::path& folder, const Case& one) {
  return (folder / fmt::format("{}-{}-{}", one.digest, one.steps, oracle_version())).string();
}

std::string check_value(const fs::path& results, const Case& one) {
  return one.lbm ? answer_prefix(answers_in(results), one) : "oracle";
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

std::vector<const Case*> without_answer(const fs::path& results, const std::vector<const Case*>& cases) {
  std::map<std::string, const Case*> answers;
  for (const Case* one : cases)
    if (one->lbm) answers[answer_prefix(answers_in(results), *one)] = one;
  std::vector<const Case*> missing;
  for (const auto& [prefix, one] : answers) {
    const lbm::AnswerState state = lbm::state_of_answer(prefix);
    if (state == lbm::AnswerState::damaged)
      print_note("boltzmark",
                 prefix + ": expected the right answer that was kept, found a damaged one; it is made again");
    if (state != lbm::AnswerState::whole) missing.push_back(one);
  }
  return missing;
}

bool compute_answers(const fs::path& results, std::vector<const Case*> cases, SignalWatch& signals, Progress& progress,
                     const std::vector<std::vector<std::string>>& meanwhile) {
  if (cases.empty()) return true;
  const fs::path folder = answers_in(results);
  prepare_folder(folder);
  remove_leftovers(folder);
  std::sort(cases.begin(), cases.end(),
            [](const auto* a, const auto* b) { return answer_updates(*a) > answer_updates(*b); });
  const int processes = usable_physical_cores();
  constexpr double updates_per_second = 25e6;  // of the oracle on a usual core; for the announcement alone
  double updates = 0.0;
  for (const Case* one : cases) updates += answer_updates(*one);
  const double seconds = std::max(answer_updates(*cases.front()), updates / processes) / updates_per_second;
  progress.say(fmt::format("right answers in double precision for {}: about {}, kept for later runs",
                           counted(static_cast<std::int64_t>(cases.size()), "case"), duration(seconds)));
  const auto start = Clock::now();
  Workers workers(signals);
  const std::size_t all = cases.size() + meanwhile.size();
  for (std::size_t next = 0; next < all || workers.running() > 0;) {
    for (; next < all && workers.running() < processes; ++next)
      if (next < cases.size())
        workers.start(answer_prefix(folder, *cases[next]), *cases[next]);
      else
        workers.start(meanwhile[next - cases.size()]);
    signals.wait(1.0);
    if (signals.stopped_by() != 0) return false;
    workers.collect();
    progress.show(fmt::format("right answers: {} of {}, {} of about {}",
                              static_cast<int>(std::min(next, cases.size())) - workers.answers(), cases.size(),
                              duration(seconds_since(start)), duration(seconds)));
  }
  progress.clear();
  return true;
}

}  // namespace boltzmark
