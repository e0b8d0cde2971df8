#include "analysis/run/submission.hpp"

#include <unistd.h>

#include <cmath>
#include <csignal>

#include "analysis/run/plan.hpp"
#include "analysis/run/submission_folder.hpp"
#include "analysis/support/locations.hpp"
#include "common/base/digest.hpp"
#include "common/base/error.hpp"
#include "common/lbm/output.hpp"

namespace boltzmark {

BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(Submission, name, folder, build, tolerance)

namespace {

constexpr const char *params_mark = "{params}", *obstacles_mark = "{obstacles}", *threads_mark = "{threads}";

/// The file that a word of the line names, "" if it names none.
fs::path file_of(const Submission& program, const std::string& word) {
  if (word.find('/') == word.npos || !program.folder.empty()) return {};
  const fs::path file = program.base / word;
  return is_there(file) ? fs::absolute(file).lexically_normal() : fs::path();
}

constexpr std::uint64_t megabyte = std::uint64_t{1} << 20;
constexpr std::uint64_t most_copied = 1024 * megabyte, most_left_by_build = 2 * most_copied;
/// Least limits for a build.
constexpr std::uint64_t least_to_build = 2048 * megabyte;
constexpr double least_seconds_to_build = 60.0;

const char* word_of(lbm::ResultFault fault) {
  static const std::map<lbm::ResultFault, const char*> words = {{lbm::ResultFault::missing, verdict::missing},
                                                                {lbm::ResultFault::too_large, verdict::too_large},
                                                                {lbm::ResultFault::steps, verdict::steps},
                                                                {lbm::ResultFault::lines, verdict::lines},
                                                                {lbm::ResultFault::format, verdict::format}};
  return words.at(fault);
}

/// "icc: not found" if a shell or make reports a missing command; "" for any other line.
std::string missing_command(const std::string& line) {
  constexpr std::array<std::string_view, 4> ways = {": not found", ": command not found", ": Command not found",
                                                    ": No such file or directory"};
  const auto* const way = std::ranges::find_if(ways, [&](std::string_view end) { return line.ends_with(end); });
  const std::string said_by = line.substr(0, line.find_first_of(":["));
  if (way == ways.end() || !(said_by.ends_with("sh") || said_by.ends_with("make"))) return {};
  const std::string before = line.substr(0, line.size() - way->size());
  const auto at = before.rfind(": ");
  return at == before.npos ? "" : before.substr(at + 2) + ": not found";
}

/// The error of a compiler or linker in a line, "" if there is none, or if it follows from another error.
std::string compile_error(const std::string& line) {
  for (const char* follows : {"ld returned ", "linker command failed"})
    if (line.find(follows) != line.npos) return {};
  for (const char* begin : {"undefined reference to ", "cannot find -l"})
    if (const auto at = line.find(begin); at != line.npos) return line.substr(at);
  for (const char* within : {"error: ", "Error: ", "error #", "fatal   : "})
    if (line.find(within) != line.npos) return line;
  return {};
}

/// "a, b, c and 4 more".
std::string few_of(std::vector<std::string> names) {
  constexpr std::size_t few = 3;
  const std::size_t more = names.size() - std::min(names.size(), few);
  names.resize(names.size() - more);
  return one_line(join(names, ", ") + (more > 0 ? fmt::format(" and {} more", more) : ""));
}

/// The program in the folder that the line starts, as in the line: "./d2q9-bgk"; "" if it starts none there.
std::string started_program(const Submission& program) {
  const auto words = words_in(program.run);
  const auto at = std::ranges::find_if(words, [](const std::string& word) { return word.starts_with("./"); });
  return at == words.end() ? "" : *at;
}

/// The file that a successful build should have made but did not; "" if the program exists.
std::string not_made(const Submission& program, const fs::path& folder) {
  const std::string started = started_program(program);
  if (started.empty() || is_there(folder / started)) return {};
  std::vector<std::string> programs = compiled_below(folder);
  std::erase_if(programs, [&](const std::string& name) {
    return name.find(".so") != name.npos || access((folder / name).c_str(), X_OK) != 0;
  });
  return fmt::format("expected {} after the build, found {}", started,
                     programs.empty() ? "no program" : few_of(programs));
}

/// How a process ended; without a verdict if it did not fail.
SubmissionOutcome outcome_of(const ConfinedResult& result, const ProcessLimits& limits) {
  SubmissionOutcome outcome = {.verdict = result.verdict,
                               .reason = result.reason,
                               .exit_status = result.exit_status,
                               .ran_out = result.verdict == verdict::timeout,
                               .output = result.output,
                               .errors = result.errors};
  if (!outcome.verdict.empty()) return outcome;
  if (result.signal == SIGXFSZ) {
    outcome.verdict = verdict::too_large;
    outcome.reason = fmt::format("it wrote a file of more than {}", megabytes(limits.file_bytes));
  } else if (result.signal != 0) {
    outcome.verdict = verdict::crashed;
    outcome.reason = end_words(result);
  } else if (result.exit_status != 0) {
    const std::string said = telling_line(result.errors);
    outcome.verdict = verdict::failed;
    outcome.reason = end_words(result) + (said.empty() ? "" : ": " + said);
  }
  return outcome;
}

/// The seconds that count: those that it prints, but no fewer than its run took beyond one of a single step, which has
/// the same start, reading, set-up and writing. Without plausible ones the difference of the two runs counts.
void take_seconds(const ConfinedResult& result, double set_up_seconds, double updates, SubmissionOutcome& outcome) {
  constexpr double most_updates_per_second = 1e12;  // 72 TB/s if every population is read and written in memory
  constexpr double some_seconds = 0.05;             // by which two set-ups may differ
  constexpr double much = 1.05;
  const double of_steps = result.seconds - set_up_seconds, least = of_steps - some_seconds;
  const std::optional<double> printed = outcome.printed_seconds = said_seconds(result.output);
  const std::string words = printed ? fmt::format("it printed {:.3g} s, but", *printed)
                                    : "it printed no line \"Elapsed Compute time: SECONDS\", and";
  const auto note = [&](const char* counts) {
    outcome.notes.push_back(fmt::format("{} took {:.3g} s, of which {:.3g} s were start and output: {}", words,
                                        result.seconds, set_up_seconds, counts));
  };
  const bool is_plausible =
      printed && *printed <= much * result.seconds + some_seconds && updates / *printed <= most_updates_per_second;
  if (is_plausible)
    outcome.seconds = std::max(*printed, least);
  else if (least > 0.0)
    outcome.seconds = of_steps;
  if (!outcome.seconds)
    note("no time");
  else if (!is_plausible || least > much * *printed)
    note("the measured time counts");
  else if (set_up_seconds > 0.5 * result.seconds + some_seconds)
    note("a long set-up");
}

/// The largest difference between the results of repeats, in words; "" if a race is not their only explanation.
std::string difference_words(const Check& difference) {
  constexpr double by_order = 1e-5;  // of a sum over all cells that threads add up in any order
  Check judged;
  for (const Deviation& one : difference.deviations)
    if (one.value > (one.of == "av_vels" ? by_order : 0.0)) judged.deviations.push_back(one);
  if (judged.deviations.empty()) return "";
  const Deviation& worst = judged.worst();
  return fmt::format("results differ between repeats, by up to {:.2g} ({}, {}): a race?", *worst.value, worst.of,
                     worst.at);
}

void take_notes(const ConfinedResult& result, SubmissionOutcome& outcome) {
  constexpr std::uint64_t much = megabyte;
  if (result.left_behind > 0)
    outcome.notes.push_back(fmt::format("it left {} running, which {} killed",
                                        result.left_behind == 1 ? "a process" : "processes",
                                        result.left_behind == 1 ? "was" : "were"));
  if (result.printed > much && result.verdict != verdict::output)
    outcome.notes.push_back(fmt::format("it printed {}", megabytes(result.printed)));
}

}  // namespace

void check_submission_line(const std::string& run, const std::string& where) {
  const auto has = [&run](const char* mark) { return run.find(mark) != run.npos; };
  if (words_in(run).empty() || has(params_mark) != has(obstacles_mark))
    throw bad_input("{}: expected a command with both {} and {}, or with neither, found \"{}\"", where, params_mark,
                    obstacles_mark, run);
  check_marks(replaced(run, {{"${", "$"}}), {params_mark, obstacles_mark, threads_mark, ranks_mark}, where);
}

std::string submission_line(const Submission& program, const lbm::ProblemFiles& arguments) {
  std::vector<std::string> words = words_in(program.run);
  for (std::string& word : words)
    if (const fs::path file = file_of(program, word); !file.empty()) word = shell_line({file.string()});
  std::string line = join(words, " ");
  if (line.find(params_mark) == line.npos) line += fmt::format(" {} {}", params_mark, obstacles_mark);
  return replaced(line, {{threads_mark, std::to_string(std::max(1, program.threads))},
                         {ranks_mark, std::to_string(std::max(1, program.ranks))},
                         {params_mark, shell_line({arguments.params.string()})},
                         {obstacles_mark, shell_line({arguments.obstacles.string()})}});
}

std::string telling_line(const std::string& errors) {
  std::string error, missing, others;
  for (const std::string& line : split(errors, '\n')) {
    if (error.empty()) error = compile_error(line);
    if (const std::string command = missing_command(line); !command.empty()) missing = command;
    if (line.find(": *** [") == line.npos) others += line + '\n';  // "make: *** [Makefile:2: d2q9-bgk] Error 1"
  }
  // Some Makefiles call a missing command for something they can do without.
  if (error.empty() && errors.find("Error 127") != errors.npos) error = missing;
  if (error.empty()) error = reason_in(others, "make");
  if (const std::string command = missing_command(error); !command.empty()) error = command;
  if (error.empty()) error = reason_in(errors, "make");
  return one_line(error.size() > 200 ? error.substr(0, 200) + "..." : error);
}

std::string submission_digest(const Submission& program) {
  Digest digest;
  for (const std::string& text :
       {program.run, program.build, program.folder.string(), fmt::format("{}", program.tolerance), program.call})
    digest.add(text + '\n');
  for (const auto& [name, value] : program.environment) digest.add(name + '=' + value + '\n');
  if (!program.folder.empty()) digest.add(digest_of_folder(program.folder));
  for (const std::string& word : words_in(program.run))
    if (const fs::path file = file_of(program, word); is_file(file)) digest.add(digest_of_file(file));
  return digest.text();
}

std::optional<double> said_seconds(std::string_view output) {
  constexpr std::array<std::string_view, 2> names = {"Elapsed Compute time:", "Elapsed time:"};
  std::array<std::optional<double>, 2> found;
  for (const std::string& line : split(output, '\n')) {
    const std::string_view text = std::string_view(line).substr(std::min(line.find_first_not_of(" \t"), line.size()));
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!text.starts_with(names[i])) continue;
      const auto words = words_in(text.substr(names[i].size()));
      found[i] = words.empty() ? std::nullopt : parse_number<double>(words.front());
    }
  }
  for (const auto& seconds : found)
    if (seconds) return std::isfinite(*seconds) && *seconds > 0.0 ? seconds : std::nullopt;
  return {};
}

void judge_files(const fs::path& folder, const lbm::Problem& problem, int steps, const lbm::Answer* answer,
                 double tolerance, SubmissionOutcome& outcome) {
  try {
    outcome.result = lbm::read_result(folder, problem, steps);
    const lbm::Answer& found = *outcome.result;
    outcome.last_average = found.av_vels.back();
    outcome.verdict = verdict::right;
    if (!answer) return;
    outcome.check.against = "reference";
    outcome.check.tolerance = tolerance;
    outcome.check.extent = Extent::all_of(static_cast<std::int64_t>(problem.cells()));
    outcome.check.take(lbm::compare(found.av_vels, found.state, problem, *answer));
    if (*outcome.check.passed) return;
    outcome.verdict = outcome.check.worst().value ? verdict::wrong : verdict::nan;
    const Deviation& worst = outcome.check.worst();
    outcome.reason =
        worst.value ? outcome.check.worst_words() : fmt::format("{} of {} is not a number", worst.of, worst.at);
  } catch (const lbm::ResultError& error) {
    outcome.verdict = word_of(error.fault());
    outcome.reason = error.what();
    const std::string prefix = (folder / "").string();
    if (outcome.reason.starts_with(prefix)) outcome.reason.erase(0, prefix.size());
  }
}

ConfinedResult SubmissionRunner::confined(const Call& call, const PrivateFolder& folder, const std::string& line,
                                          const ProcessLimits& limits) const {
  const Submission& program = call.program;
  ConfinedRequest request = confinement_;
  request.line = line;
  request.start = folder.work();
  request.home = folder.home();
  request.limits = limits;
  request.environment = launcher_environment(program.threads);
  if (program.threads > 0) request.environment.emplace_back("OMP_NUM_THREADS", std::to_string(program.threads));
  request.environment.insert(request.environment.end(), program.environment.begin(), program.environment.end());
  return run_confined(request, call.signals, call.on_tick);
}

SubmissionRunner::Built& SubmissionRunner::built(const Call& call) {
  const Submission& program = call.program;
  auto& built = built_[program.name];
  if (built) return *built;
  built = std::make_unique<Built>();
  try {
    if (!program.folder.empty()) copy_below(fs::canonical(program.folder), built->folder.work(), most_copied);
  } catch (const Error& error) {
    built->failure = SubmissionOutcome{.verdict = verdict::too_large, .reason = error.what()};
    return *built;
  }
  const std::vector<std::string> compiled = compiled_below(built->folder.work());
  if (!compiled.empty()) built->notes.push_back("compiled files were handed in: " + few_of(compiled));
  if (program.build.empty()) return *built;
  distrust(compiled, started_program(program), built->folder.work());
  SubmissionOutcome outcome = build(call, built->folder);
  if (outcome.verdict.empty()) return *built;
  outcome.notes = built->notes;
  built->failure = std::move(outcome);
  return *built;
}

SubmissionOutcome SubmissionRunner::build(const Call& call, const PrivateFolder& folder) const {
  const std::string& line = call.program.build;
  ProcessLimits limits = confinement_.limits;
  if (limits.memory_bytes > 0) limits.memory_bytes = std::max(limits.memory_bytes, least_to_build);
  limits.seconds = std::max(limits.seconds, least_seconds_to_build);
  limits.folder_bytes = most_left_by_build;
  SubmissionOutcome outcome = outcome_of(confined(call, folder, line, limits), limits);
  if (outcome.verdict == verdict::stopped) return outcome;
  if (outcome.verdict.empty()) outcome.reason = not_made(call.program, folder.work());
  if (outcome.reason.empty()) return outcome;
  outcome.verdict = verdict::build;
  outcome.reason = fmt::format("{}: {}", line == usual_submission_build ? "make" : line, outcome.reason);
  return outcome;
}

ConfinedResult SubmissionRunner::started(const Call& call, const Built& source, const PrivateFolder& folder, int steps,
                                         ProcessLimits& limits) const {
  const lbm::Problem& problem = call.problem;
  copy_below(source.folder.work(), folder.work(), most_left_by_build);
  const lbm::ProblemFiles arguments = {.params = folder.work() / fmt::format("input_{}.params", problem.name),
                                       .obstacles = folder.work() / fmt::format("obstacles_{}.dat", problem.name)};
  for (const fs::path& old :
       {folder.work() / lbm::state_file, folder.work() / lbm::averages_file, arguments.params, arguments.obstacles})
    fs::remove_all(old);
  lbm::write_problem(problem, steps, arguments.params, arguments.obstacles);
  const double result_bytes = 400.0 * static_cast<double>(problem.cells()) + 100.0 * steps;
  limits.file_bytes = std::max(256 * megabyte, static_cast<std::uint64_t>(result_bytes));
  limits.folder_bytes = bytes_below({folder.work()}) + limits.file_bytes;
  return confined(call, folder, submission_line(call.program, arguments), limits);
}

SubmissionOutcome SubmissionRunner::run(const Submission& program, const lbm::Problem& problem, int steps,
                                        const lbm::Answer* answer, SignalWatch& signals, const Tick& on_tick) {
  const Call call = {program, problem, signals, on_tick};
  Built& source = built(call);
  if (source.failure) return *source.failure;
  const PrivateFolder folder;
  ProcessLimits limits = confinement_.limits;
  const ConfinedResult result = started(call, source, folder, steps, limits);
  SubmissionOutcome outcome = outcome_of(result, limits);
  outcome.wall_seconds = result.seconds;
  outcome.notes = source.notes;
  take_notes(result, outcome);
  if (!outcome.verdict.empty()) return outcome;
  const OneStep shortest = one_step(call, source);
  if (signals.stopped_by() != 0) {
    outcome.verdict = verdict::stopped;
    return outcome;
  }
  take_seconds(result, shortest.seconds, static_cast<double>(problem.cells()) * steps, outcome);
  if (fs::is_symlink(fs::symlink_status(folder.work())))  // if it is not isolated
    throw bad_input("expected the folder in which it was started, found a link in its place");
  judge_files(folder.work(), problem, steps, answer, program.tolerance, outcome);
  if (outcome.verdict == verdict::right && steps > 1 && shortest.lines == steps) {
    outcome.verdict = verdict::steps;
    outcome.reason = fmt::format(
        "writes {} steps where 1 is asked for: its results do not depend on the problem's steps", shortest.lines);
  }
  if (outcome.verdict == verdict::right) source.compare_repeats(problem, steps, outcome);
  return outcome;
}

SubmissionRunner::OneStep SubmissionRunner::one_step(const Call& call, Built& source) const {
  const auto [at, is_first] = source.one_step.try_emplace(call.problem.digest());
  if (!is_first) return at->second;
  const PrivateFolder folder;
  ProcessLimits limits = confinement_.limits;
  const ConfinedResult result = started(call, source, folder, 1, limits);
  if (!outcome_of(result, limits).verdict.empty()) return at->second;
  at->second.seconds = result.seconds;
  try {
    at->second.lines =
        std::ranges::count(read_regular(folder.work() / lbm::averages_file, "results", limits.file_bytes), '\n');
  } catch (const Error&) {  // none
  }
  return at->second;
}

void SubmissionRunner::Built::compare_repeats(const lbm::Problem& problem, int steps, SubmissionOutcome& outcome) {
  const auto [first, is_first] =
      first_results.try_emplace(fmt::format("{} {}", problem.digest(), steps), FirstResult{*outcome.result});
  if (is_first) return;
  FirstResult& kept = first->second;
  kept.difference.take(lbm::compare(outcome.result->av_vels, outcome.result->state, problem, kept.result));
  if (const std::string words = difference_words(kept.difference); !words.empty()) outcome.notes.push_back(words);
}

}  // namespace boltzmark
