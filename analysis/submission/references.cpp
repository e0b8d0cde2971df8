#include "analysis/submission/references.hpp"

#include "analysis/run/programs.hpp"
#include "analysis/run/runner.hpp"
#include "analysis/support/locations.hpp"
#include "common/base/digest.hpp"
#include "common/base/error.hpp"
#include "common/base/ranges.hpp"
#include "common/lbm/problem_files.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark {

PlanCase problem_in(const fs::path& folder) {
  const auto params = names_between(folder, "", ".params"), others = names_between(folder, "obstacles", ".dat");
  if (params.size() != 1)
    throw bad_input("expected one parameter file (*.params) in it, or --case or --params and --obstacles, found {}",
                    params.empty() ? "none" : "several");
  PlanCase one{.params = folder / (params.front() + ".params")};
  const std::string name = lbm::problem_name(one.params);
  if (!contains(others, '_' + name) && others.size() != 1)
    throw bad_input("expected obstacles_{}.dat in it, found none", name);
  one.obstacles = folder / fmt::format("obstacles{}.dat", contains(others, '_' + name) ? '_' + name : others.front());
  return one;
}

std::shared_ptr<const Case> loaded(PlanCase source, std::optional<int> steps) {
  source.steps = steps;
  auto one = std::make_shared<const Case>(load_lbm_case(source, {}));
  if (!one->impossible.empty()) throw bad_input("{}", one->impossible);
  if (const std::string why = no_answer(*one); !why.empty()) throw bad_input("{}", why);
  return one;
}

/// Seconds of serial's textbook variant on the same problem, measured with this build on this machine and kept.
/// Throws Error (bad_input) if its result is wrong, for then no program's in single precision would be right; with a
/// tolerance below the usual one, programs in double precision are expected.
std::optional<double> References::measured_seconds(const Case& one) {
  const auto programs = read_programs(program_folder());
  const BuiltProgram* const at = find_where(programs, [](const BuiltProgram& program) {
    return program.workload == usual_workload && program.model == "serial" && program.skipped.empty();
  });
  if (!at) return {};
  const std::string program = digest_of_file(at->path).substr(0, 8);
  const fs::path file = results_ / folder / fmt::format("{}-{}.{}.json", one.digest, one.steps, program);
  std::optional<Record> record = read_record(file);
  if (!record || record->provenance.host != provenance_now().host || !record->check.passed) {
    prepare_folder(file.parent_path());
    fs::remove(file);
    progress_.say(fmt::format("serial's textbook on {}, {}, for the speed-ups", one.name, counted(one.steps, "step")));
    constexpr double soon_done = 1e8;  // updates
    std::vector<std::string> words = {at->path.string(), "--variant", "textbook", "--check", prefix_of(one)};
    words.insert(words.end(), {"--steps", std::to_string(one.steps), "--json", file.string()});
    if (answer_updates(one) < soon_done) words.insert(words.end(), {"--repeat", "3"});
    words.insert(words.end(), one.arguments.begin(), one.arguments.end());
    run_process({.command = words, .time_limit_seconds = 3600.0}, signals_);
    record = read_record(file);
  }
  if (!record) return {};
  if (const Deviation& worst = record->check.worst();
      tolerance_ >= submission_tolerance && !(worst.value <= tolerance_))
    throw bad_input(
        "{}: expected a stable problem, found one that serial's textbook computes wrong in single precision: {} at "
        "{} {}; try fewer steps, a smaller omega or acceleration, or, for programs in double precision, --tolerance 1e-3",
        one.name, worst.of, worst.at,
        worst.value ? fmt::format("deviates by {:.1e}", *worst.value) : "is not a number");
  return record->compute_seconds;
}

void References::prepare(const Case& one, bool with_seconds) {
  const std::string prefix = prefix_of(one);
  if (answered_.insert(prefix).second) compute_answers(results_, without_answer(results_, {&one}), signals_, progress_);
  answer_of(one);
  if (with_seconds && !seconds_.contains(prefix)) seconds_[prefix] = measured_seconds(one);
  signals_.expect_none();
}

const lbm::Answer& References::answer_of(const Case& one) {
  const std::string prefix = prefix_of(one);
  if (prefix != answer_prefix_) answer_ = lbm::read_answer(prefix, one.lbm->problem, one.steps);
  answer_prefix_ = prefix;
  return answer_;
}

}  // namespace boltzmark
