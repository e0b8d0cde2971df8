#include "analysis/run/cases.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>

#include "analysis/support/json.hpp"
#include "common/base/clock.hpp"
#include "common/base/digest.hpp"
#include "common/base/files.hpp"
#include "common/base/print.hpp"
#include "common/base/ranges.hpp"
#include "common/cpu/memory.hpp"
#include "common/cpu/processors.hpp"
#include "common/lbm/check.hpp"
#include "common/lbm/problem_files.hpp"

namespace boltzmark {
namespace {

/// A box in two or three dimensions whose border cells are all obstacles, with the coefficients of the standard
/// 1024x1024 problem: "box_1024x256" for 1024 x 256 cells.
lbm::Problem box_problem(const std::vector<int>& cells, int iterations) {
  const bool is_flat = cells.size() == 2;
  const std::int64_t nx = cells[0], ny = cells[1], nz = is_flat ? 1 : cells[2];
  lbm::Problem problem;
  problem.name = fmt::format("box_{}", fmt::join(cells, "x"));
  problem.parameters = {.nx = cells[0],
                        .ny = cells[1],
                        .nz = static_cast<int>(nz),
                        .dimension = is_flat ? 2 : 3,
                        .iterations = iterations,
                        .reynolds_dim = 10,
                        .density = 0.1,
                        .accel = 0.01,
                        .omega = 1.85};
  // The walls row by row, without visiting the cells between them: a box may have more cells than memory.
  for (std::int64_t z = 0; z < nz; ++z)
    for (std::int64_t y = 0; y < ny; ++y) {
      const bool is_wall = y == 0 || y == ny - 1 || (!is_flat && (z == 0 || z == nz - 1));
      for (std::int64_t x = 0; x < nx; x += is_wall ? 1 : nx - 1) problem.solid.push_back(x + (y + z * ny) * nx);
    }
  return problem;
}

/// The case as its source gives it; sufficient if only programs of the workload read its files.
Case plain_case(const PlanCase& source) {
  const std::string words = join(source.arguments, " ");
  return {.workload = source.workload,
          .name = !source.name.empty() ? source.name
                  : words.empty()      ? "default"
                                       : words,
          .digest = words,
          .arguments = source.arguments,
          .asked_steps = source.steps,
          .steps = source.steps.value_or(0),
          .check = source.check};
}

Case load_case(const PlanCase& source, const fs::path& made) {
  return source.workload == usual_workload ? load_lbm_case(source, made) : plain_case(source);
}

constexpr const char* answers = "oracle";  // their folder in a results folder

constexpr double most_oracle_updates = 5e8;  // cell updates done by the oracle in about 20 s

/// Runs in a separate process: 0 when the answer is on disk, else one line and 1.
int compute_answer(const std::string& prefix, const Case& one) {
  try {
    lbm::write_answer(prefix, one.lbm->problem, lbm::solve_reference(one.lbm->problem, one.steps));
    return 0;
  } catch (const std::exception& fault) {
    print_error("boltzmark", fmt::format("reference: {}: {}", one.name, fault.what()));
    std::fflush(stderr);
    return 1;
  }
}

/// Runs in a separate process: becomes the command, silent and with a time limit.
int become_silent(const std::vector<std::string>& command) {
  constexpr unsigned longest_seconds = 30;
  alarm(longest_seconds);  // it survives exec
  for (std::FILE* const stream : {stdout, stderr})
    if (!std::freopen("/dev/null", "w", stream)) return 1;
  become(command.front(), command);
  return 1;
}

/// Running processes; they end with this object.
struct Workers {
  struct Work {
    std::size_t number;
    int threads;
  };
  ~Workers() {
    for (const auto& [pid, work] : running) end_group(pid, signals);
  }
  int threads() const {
    int all = 0;
    for (const auto& [pid, work] : running) all += work.threads;
    return all;
  }
  SignalWatch& signals;
  std::map<pid_t, Work> running = {};
};

}  // namespace

PlanCase find_case(const std::string& workload, const std::vector<std::string>& words) {
  if (workload != usual_workload) return {.workload = workload, .arguments = words};
  if (words.size() == 2) return {.params = words[0], .obstacles = words[1]};
  if (words.size() > 2) throw bad_input("expected PARAMS and OBSTACLES, found \"{}\"", join(words, " "));
  const lbm::ProblemFiles files = lbm::standard_problem(words.empty() ? "" : words.front());
  return {.params = files.params, .obstacles = files.obstacles};
}

std::vector<std::string> words_of(const ProblemOptions& options) {
  const auto& [name, params, obstacles, steps] = options;
  if (params.empty() && obstacles.empty()) return {name.empty() ? "128x128" : name};
  if (params.empty() || obstacles.empty())
    throw bad_input("{}: expected {} as well, found none", params.empty() ? "--obstacles" : "--params",
                    params.empty() ? "--params" : "--obstacles");
  return {params, obstacles};
}

Cases::Cases(const Plan& plan, fs::path made) : made_(std::move(made)) {
  std::vector<std::string> without;
  for (const PlanRun& run : plan.runs)
    if (!find_by(plan.cases, run.workload, &PlanCase::workload)) add_once(without, run.workload);
  for (const auto& workload : without) {
    if (workload == usual_workload)
      fail_in_json(plan.file.string(), "cases", fmt::format("at least one case of {}", workload), "none");
    sources_.push_back({.workload = workload});
  }
  sources_.insert(sources_.end(), plan.cases.begin(), plan.cases.end());
  std::map<std::string, std::vector<std::string>> names;
  for (const PlanCase& source : sources_) {
    plain_.push_back(std::make_shared<const Case>(load_case(source, made_)));
    names[source.workload].push_back(plain_.back()->name);
  }
  for (std::size_t r = 0; r < plan.runs.size(); ++r)
    for (std::size_t c = 0; c < plan.runs[r].cases.size(); ++c)
      if (const PlanRun& run = plan.runs[r]; !contains(names[run.workload], run.cases[c]))
        fail_in_json(plan.file.string(), fmt::format("runs[{}].cases[{}]", r, c),
                     "one of " + join(names[run.workload], ", "), '"' + run.cases[c] + '"');
}

std::vector<std::string> Cases::names() const {
  std::vector<std::string> names;
  for (const auto& one : plain_) add_once(names, one->name);
  return names;
}

const Case& Cases::at(std::size_t number, std::optional<int> steps, int workers) {
  const int growth = sources_[number].grows ? std::max(1, workers) : 1;
  auto& one = growth == 1 ? plain_[number] : others_[{number, 0, growth}];
  if (!one) {
    PlanCase source = sources_[number];
    source.box.back() *= growth;
    one = std::make_shared<const Case>(load_case(source, made_));
  }
  if (!steps || *steps == one->steps) return *one;
  auto& other = others_[{number, *steps, growth}];
  if (!other) {
    Case same = *one;
    same.asked_steps = same.steps = *steps;
    other = std::make_shared<const Case>(std::move(same));
  }
  return *other;
}

std::string digest_of_inputs(const std::vector<std::string>& words) {
  std::string digests;
  const auto add = [&digests](const fs::path& prefix) {
    const std::string name = prefix.filename().string() + '.', ending = ".f64";
    const fs::path folder = prefix.has_parent_path() ? prefix.parent_path() : ".";
    for (const std::string& array : names_between(folder, name, ending))
      digests += fmt::format("{} {}\n", array, digest_of_file(folder / (name + array + ending)));
  };
  const std::string option = "--input";
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i].starts_with(option + '='))
      add(words[i].substr(option.size() + 1));
    else if (words[i] == option && i + 1 < words.size())
      add(words[i + 1]);
  return digests.empty() ? "" : digest_of(digests);
}

void make_files(const Case& one) {
  if (!one.lbm || !one.lbm->is_box) return;
  const lbm::Problem& problem = one.lbm->problem;
  prepare_folder(one.lbm->params.parent_path());
  lbm::write_problem(problem, problem.parameters.iterations, one.lbm->params, one.lbm->obstacles);
}

Case load_lbm_case(const PlanCase& source, const fs::path& made) {
  Case one = plain_case(source);
  auto own = std::make_shared<LbmCase>();
  own->is_box = !source.box.empty();
  if (own->is_box) {
    own->problem = box_problem(source.box, *source.steps);
    own->params = made / fmt::format("input_{}.params", own->problem.name);
    own->obstacles = made / fmt::format("obstacles_{}.dat", own->problem.name);
  } else {
    own->params = source.params;
    own->obstacles = source.obstacles;
    try {
      own->problem = lbm::load_problem(source.params, source.obstacles);
    } catch (const Error& error) {
      if (error.status() != ExitStatus::unavailable) throw;
      one.impossible = error.what();
      own->problem.name = lbm::problem_name(source.params);
      own->problem.parameters = lbm::read_parameters(source.params);
    }
  }
  one.name = own->problem.name;
  one.digest = own->problem.digest();
  one.arguments = {"--no-output", own->params.string(), own->obstacles.string()};
  one.steps = source.steps.value_or(own->problem.parameters.iterations);
  one.lbm = std::move(own);
  return one;
}

int most_steps_to_tune(const Case& one) {
  if (!one.lbm) return INT_MAX;
  const double most = most_oracle_updates / static_cast<double>(one.lbm->problem.cells());
  return static_cast<int>(std::max(1.0, std::min<double>(one.lbm->problem.parameters.iterations, most)));
}

std::string oracle_version() { return BOLTZMARK_ORACLE; }

std::string check_value(const fs::path& results, const Case& one) {
  if (!one.lbm) return "reference";
  return (results / answers / fmt::format("{}-{}-{}", one.digest, one.steps, oracle_version())).string();
}

double answer_updates(const Case& one) {
  return one.lbm ? static_cast<double>(one.lbm->problem.cells()) * one.steps : 0.0;
}

std::string no_answer(const Case& one) {
  if (!one.lbm) return "";
  const double bytes = lbm::reference_bytes(one.lbm->problem) + sizeof(double) * one.steps;
  const std::string shortage = memory_shortage(static_cast<std::uint64_t>(bytes));
  return shortage.empty() ? "" : "no memory for its reference: " + shortage;
}

std::vector<const Case*> without_answer(const fs::path& results, const std::vector<const Case*>& cases) {
  std::map<std::string, const Case*> by_prefix;
  for (const Case* one : cases)
    if (one->lbm) by_prefix[check_value(results, *one)] = one;
  std::vector<const Case*> missing;
  for (const auto& [prefix, one] : by_prefix) {
    const lbm::AnswerState state = lbm::state_of_answer(prefix);
    if (state == lbm::AnswerState::damaged)
      print_note("boltzmark", prefix + ": expected the stored reference, found a damaged one; it is computed again");
    if (state != lbm::AnswerState::whole) missing.push_back(one);
  }
  return missing;
}

void compute_answers(const fs::path& results, std::vector<const Case*> cases, SignalWatch& signals, Progress& progress,
                     const std::vector<std::vector<std::string>>& meanwhile) {
  if (cases.empty()) return;
  const fs::path folder = results / answers;
  prepare_folder(folder);
  remove_leftovers(folder);
  std::ranges::sort(cases, std::greater(), [](const Case* one) { return answer_updates(*one); });
  const int cores = usable_physical_cores();
  constexpr double updates_per_second = 25e6;  // of the oracle on a usual core; for the announcement alone
  double updates = 0.0, longest = 0.0;         // longest: of one case
  for (const Case* one : cases) {
    updates += answer_updates(*one);
    longest = std::max(longest, answer_updates(*one) / lbm::reference_threads(one->lbm->problem));
  }
  const double seconds = std::max(longest, updates / cores) / updates_per_second;
  progress.say(fmt::format("references in double precision for {}: about {}, stored for later runs",
                           counted(static_cast<std::int64_t>(cases.size()), "problem"), duration(seconds)));
  const auto start = Clock::now();
  Workers workers{signals};
  const std::size_t all = cases.size() + meanwhile.size();
  int done = 0;  // of the cases
  for (std::size_t next = 0; next < all || !workers.running.empty();) {
    for (; next < all; ++next) {
      const int threads = next < cases.size() ? lbm::reference_threads(cases[next]->lbm->problem) : 1;
      if (!workers.running.empty() && workers.threads() + threads > cores) break;
      const pid_t pid = fork_worker(signals, [&] {
        return next < cases.size() ? compute_answer(check_value(results, *cases[next]), *cases[next])
                                   : become_silent(meanwhile[next - cases.size()]);
      });
      workers.running[pid] = {next, threads};
    }
    signals.wait(1.0);
    signals.expect_none();
    for (auto at = workers.running.begin(); at != workers.running.end();) {
      int status = 0;
      if (waitpid(at->first, &status, WNOHANG) != at->first) {
        ++at;
        continue;
      }
      const std::size_t number = at->second.number;
      at = workers.running.erase(at);
      if (status != 0 && number < cases.size())
        throw bad_input("reference: expected one of {}, found no way to compute it ({})", cases[number]->name,
                        WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status)) : "see above");
      if (number < cases.size()) ++done;
    }
    progress.show(fmt::format("references: {} of {}, {} of about {}", done, cases.size(),
                              duration(seconds_since(start)), duration(seconds)));
  }
  progress.clear();
}

}  // namespace boltzmark
