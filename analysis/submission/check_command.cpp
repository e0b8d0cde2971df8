// `boltzmark check`: the folders of others, each checked, timed and ranked.

#include "analysis/support/commands.hpp"

#include "analysis/roofline/rows.hpp"
#include "analysis/run/cases.hpp"
#include "analysis/run/programs.hpp"
#include "analysis/run/runner.hpp"
#include "analysis/run/submission.hpp"
#include "analysis/store/store.hpp"
#include "analysis/submission/check_file.hpp"
#include "analysis/submission/checked_folder.hpp"
#include "analysis/submission/checks.hpp"
#include "analysis/submission/references.hpp"
#include "analysis/support/confined.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/locations.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/digest.hpp"
#include "common/base/error.hpp"
#include "common/base/ranges.hpp"
#include "common/base/statistics.hpp"

namespace boltzmark {
namespace {

/// One call of the command: one function per stage, in the order of `execute`.
class CheckCommand {
 public:
  explicit CheckCommand(const CheckOptions& options) : options_(options), progress_(options.quiet) {}

  int execute() {
    if (!options_.run.empty()) check_submission_line(options_.run, "--run");
    read_marks();
    if (options_.problem.is_given())
      of_all_ = loaded(find_case(usual_workload, words_of(options_.problem)), options_.problem.steps);
    FolderLock lock(options_.results);
    CheckFile file(options_.results / "checks.jsonl");
    std::vector<CheckedFolder> all;
    for (const std::string& name : options_.folders)
      if (CheckedFolder one = checked_folder(name, options_, of_all_);
          !find_by(all, one.folder, &CheckedFolder::folder))
        all.push_back(std::move(one));
    expect_problem(all);
    const auto open = open_of(all, file);
    try {
      prepare(open, all, file);
      if (options_.again) reopen(open, file);
      expect_stable(open);
      check_all(open, file);
    } catch (const Stopped&) {
      const auto left = std::ranges::count_if(all, [&](const CheckedFolder& one) { return is_open(one, file); });
      write_csv(ranked_rows(all, file));
      return end_stopped(
          progress_, signals_,
          fmt::format("stopped; {} of {} are checked; to go on: {}", std::ssize(all) - left,
                      counted(std::ssize(all), "folder"),
                      left > 0 ? without_option(options_.command_line, "--again") : options_.command_line));
    }
    return report(all, file);
  }

 private:
  double allowed_seconds() const { return options_.time_limit_seconds * options_.slow; }

  void read_marks() {
    if (!options_.marks.empty()) {
      marking_.emplace(options_.marks, options_.repeats);
    } else if (is_file(last_marks())) {
      marking_.emplace(last_marks(), static_cast<int>(rounds_to_rank));  // rows of earlier calls have ranks
      progress_.say(fmt::format("marks as in the last call with --marks ({})", one_line(last_marks().string())));
    }
  }

  /// Whether a right program ran less often than is asked for now.
  bool has_more_repeats(const CheckedFolder& one, const CheckRow& row) const {
    return one.is_sources && row.verdict == verdict::right && row.repeats < options_.repeats;
  }

  /// Whether it has no row, or another verdict is possible now.
  bool is_open(const CheckedFolder& one, const CheckFile& file) const {
    const CheckRow* const row = file.find(one.key);
    return !row || (row->ran_out && row->allowed_seconds < allowed_seconds()) || has_more_repeats(one, *row);
  }

  std::vector<const CheckedFolder*> open_of(const std::vector<CheckedFolder>& all, const CheckFile& file) {
    std::vector<const CheckedFolder*> open;
    int repeated = 0;
    for (const CheckedFolder& one : all) {
      if (!options_.again && !is_open(one, file)) continue;
      open.push_back(&one);
      const CheckRow* const row = file.find(one.key);
      repeated += !options_.again && row && has_more_repeats(one, *row);
    }
    const std::string folders = counted(std::ssize(all), "folder");
    if (open.size() < all.size())
      progress_.say(
          fmt::format("{} of {} checked already; --again checks them too", all.size() - open.size(), folders));
    if (repeated > 0)
      progress_.say(fmt::format("{} of {} checked with fewer repeats than {}: checked again", repeated, folders,
                                options_.repeats));
    return open;
  }

  int report(const std::vector<CheckedFolder>& all, const CheckFile& file) const {
    auto rows = ranked_rows(all, file);
    const std::string table = write_csv(rows);
    const auto earlier = std::ssize(rows) - std::ssize(all);
    rows.resize(all.size());
    print("{}\n", check_table(rows, table_width()));
    print_text(
        stdout,
        wrapped(fmt::format("{}. Table: {}{}", check_counts(rows), table,
                            earlier > 0 ? fmt::format(" (with {} of earlier calls)", counted(earlier, "row")) : ""),
                table_width()));
    if (!options_.feedback.empty()) {
      write_feedback(rows, marking_, options_.feedback);
      print("Feedback: a page for each folder in {}\n", one_line(options_.feedback.string()));
    }
    const auto is_timed = [](const CheckRow& row) { return row.speed_up.has_value(); };
    if (static_cast<std::size_t>(options_.repeats) < rounds_to_rank &&
        std::ranges::any_of(rows, [&](const CheckRow& row) { return is_timed(row) && row.rank == 0; }))
      print("No ranks: they need --repeats {} or more.\n", rounds_to_rank);
    if (!peaks_ && std::ranges::any_of(rows, is_timed))
      print("Shares of bounds: boltzmark peaks --results {} measures the machine; then check --again\n",
            shell_line({options_.results.string()}));
    return std::ranges::all_of(rows, [](const CheckRow& row) { return row.verdict == verdict::right; }) ? 0 : 1;
  }

  /// All of these folders, and the times that their speed-ups refer to.
  void reopen(const std::vector<const CheckedFolder*>& open, CheckFile& file) const {
    for (const CheckedFolder* one : open) file.reopen(one->key);
    references_.forget_seconds();
  }

  /// Throws Error (unavailable) if programs that are run cannot be confined to their folders, unless that is allowed.
  void prepare(const std::vector<const CheckedFolder*>& open, const std::vector<CheckedFolder>& all,
               const CheckFile& file) {
    if (std::ranges::none_of(open, [](const CheckedFolder* one) { return one->of && one->is_sources; })) return;
    confinement_.limits = {.seconds = allowed_seconds(),
                           .memory_bytes = static_cast<std::uint64_t>(options_.memory_limit_megabytes) << 20};
    const std::string missing = isolation_missing(signals_);
    confinement_.is_isolated = missing.empty();
    // What must not be visible: reference answers, the suite's programs, and the submissions of this call and of
    // earlier ones; a nested folder after its parent.
    std::set<fs::path> hidden = suite_programs();
    hidden.insert(fs::canonical(options_.results));
    if (const fs::path usual = RunOptions().results; is_folder(usual)) hidden.insert(fs::canonical(usual));
    for (const CheckedFolder& one : all)
      if (one.fault != verdict::missing) hidden.insert(fs::canonical(one.folder));
    for (const fs::path& folder : file.folders())
      if (fs::is_directory(folder)) hidden.insert(fs::canonical(folder));
    confinement_.hidden.assign(hidden.begin(), hidden.end());
    if (!missing.empty()) {
      const std::string may =
          "programs can read and write all that you can, and reach the network and your sockets "
          "(ssh-agent, Docker)";
      if (!options_.no_isolation) throw unavailable("no isolation here ({}): with --no-isolation {}", missing, may);
      progress_.say(fmt::format("no isolation here ({}): {}", missing, may));
    }
    signals_.expect_none();
  }

  /// Their folder, or each of them where it has commands of others too.
  static std::set<fs::path> suite_programs() {
    const fs::path folder = fs::canonical(program_folder()), found = find_program("boltzmark");
    if (found.empty() || fs::canonical(found).parent_path() != folder) return {folder};
    std::set<fs::path> files;
    for (const BuiltProgram& program : read_programs(folder))
      if (is_file(program.path)) files.insert(fs::canonical(program.path));
    return files;
  }

  /// The problem of all folders is tried before any program runs: its fault is nobody's but the user's.
  void expect_stable(const std::vector<const CheckedFolder*>& open) {
    if (!of_all_) return;
    const auto needs = [&](bool is_program) {
      return std::ranges::find_if(open, [&](const auto* one) { return one->of && one->is_sources == is_program; });
    };
    for (const bool is_program : {true, false})
      if (const auto one = needs(is_program); one != open.end()) return references_.prepare(*(**one).of, is_program);
  }

  void check_all(const std::vector<const CheckedFolder*>& open, CheckFile& file) {
    for (std::size_t k = 0; k < open.size(); ++k) {
      const std::string what = fmt::format("[{}/{}] {}", k + 1, open.size(), open[k]->name);
      const CheckRow row = checked(*open[k], progress_.timer(what));
      signals_.expect_none();
      file.add(open[k]->key, row);
      progress_.done(what + ": " + row.verdict + (row.reason.empty() ? "" : ": " + row.reason));
    }
    progress_.clear();
  }

  CheckRow checked(const CheckedFolder& one, const Tick& on_tick) {
    CheckRow row;
    row.folder = one.name;
    row.verdict = one.fault;
    row.reason = one.reason;
    if (!one.fault.empty()) return row;
    row.kind = one.is_sources ? "sources" : "results";
    row.case_name = one.of->name;
    row.steps = one.of->steps;
    row.tolerance = options_.tolerance;
    row.allowed_seconds = allowed_seconds();
    try {
      references_.prepare(*one.of, one.is_sources);
    } catch (const Error& fault) {
      row.verdict = no_problem;
      row.reason = fault.what();
      return row;
    }
    try {
      fill(one, outcome_of(one, on_tick, row), row);
    } catch (const std::exception& fault) {  // an error of one submission does not stop the others
      row.verdict = verdict::failed;
      row.reason = fault.what();
    }
    return row;
  }

  Submission submission_of(const CheckedFolder& one) const {
    return {.name = one.name,
            .run = run_line(options_),
            .folder = one.folder,
            .build = one.build,
            .tolerance = options_.tolerance,
            .threads = options_.threads.value_or(0)};
  }

  /// A program runs --repeats times, until a run is not right; the output is that of the last run.
  SubmissionOutcome outcome_of(const CheckedFolder& one, const Tick& on_tick, CheckRow& row) {
    const lbm::Problem& problem = one.of->lbm->problem;
    const lbm::Answer& answer = references_.answer_of(*one.of);
    if (one.is_sources) {
      const Submission program = submission_of(one);
      SubmissionRunner runner(confinement_);
      SubmissionOutcome outcome;
      std::vector<double> printed;
      int& right = row.repeats;
      std::ptrdiff_t started = 0;
      do {
        outcome = runner.run(program, problem, one.of->steps, &answer, signals_, on_tick);
        ++started;
        if (outcome.seconds) row.all_seconds.push_back(*outcome.seconds);
        if (outcome.printed_seconds) printed.push_back(*outcome.printed_seconds);
        if (outcome.verdict == verdict::right) ++right;
      } while (outcome.verdict == verdict::right && right < options_.repeats);
      if (!printed.empty()) row.seconds_printed = median(printed);
      if (const auto timed = std::ssize(row.all_seconds); outcome.seconds && timed < started) {
        outcome.seconds.reset();
        outcome.notes.push_back(fmt::format("no time: {} of {} have none", started - timed, counted(started, "run")));
      }
      if (right > 0 && outcome.verdict != verdict::right && outcome.verdict != verdict::stopped)
        outcome.notes.push_back(fmt::format("differs from run to run: {} right before this one (a race?)",
                                            right == 1 ? "a run was" : fmt::format("{} runs were", right)));
      keep_log(one, outcome);
      return outcome;
    }
    SubmissionOutcome outcome;
    judge_files(one.folder, problem, one.of->steps, &answer, options_.tolerance, outcome);
    return outcome;
  }

  /// The output of build or program, as far as it is kept.
  fs::path log_of(const CheckedFolder& one) const {
    const std::string name = one.folder.filename().string() + '-' + digest_of(one.folder.string()).substr(0, 8);
    return options_.results / "logs" / (file_name_of(name) + ".log");
  }
  void keep_log(const CheckedFolder& one, const SubmissionOutcome& outcome) const {
    prepare_folder(log_of(one).parent_path());
    write_whole(log_of(one), outcome.output + outcome.errors);
  }

  void fill(const CheckedFolder& one, const SubmissionOutcome& outcome, CheckRow& row) const {
    constexpr double much = 1.1;
    row.verdict = outcome.verdict;
    row.reason = outcome.reason;
    std::vector<std::string> notes = outcome.notes;
    row.ran_out = outcome.ran_out;
    if (one.is_sources) row.log = log_of(one).string();
    if (!outcome.check.deviations.empty()) {
      const Deviation& worst = outcome.check.worst();
      row.deviation = worst.value;
      row.deviation_at = worst.of + ", " + worst.at;
      if (const std::string remark = more_than_rounding(outcome.check); !remark.empty()) notes.push_back(remark);
    }
    const bool has_run = one.is_sources && outcome.wall_seconds > 0.0;
    if (has_run) row.runs = static_cast<int>(row.all_seconds.size());
    if (has_run && outcome.seconds) {
      const auto [best, worst] = std::ranges::minmax_element(row.all_seconds);
      row.seconds = median(row.all_seconds);
      row.seconds_best = *best;
      if (*worst > much * *best) notes.push_back(fmt::format("noisy: its runs took {:.4g} to {:.4g} s", *best, *worst));
    }
    row.notes = join(notes, "; ");
    if (!has_run) return;
    row.wall_seconds = outcome.wall_seconds;
    const std::optional<double> textbook = references_.seconds_of(*one.of);
    if (row.verdict == verdict::right && row.seconds && textbook) row.speed_up = *textbook / *row.seconds;
    if (row.speed_up && peaks_) fill_share(one, outcome, row);
  }

  /// The share of its time that the roofs explain, by the bytes and FLOPs of the algorithm.
  void fill_share(const CheckedFolder& one, SubmissionOutcome outcome, CheckRow& row) const {
    Job job;
    job.key.workload = usual_workload;
    job.key.model = submission_model;
    job.key.variant = one.name;
    job.key.precision = "f32";
    job.key.threads = options_.threads.value_or(0);
    job.key.steps = row.steps;
    job.of = one.of.get();
    job.submission = submission_of(one);
    outcome.seconds = row.seconds;
    Results results;
    results.peaks = peaks_;
    results.entries.push_back(submission_entry(job, outcome));
    const RooflineAnalysis found = make_rows(results).front().roofline;
    row.share = found.share;
    row.bound = found.verdict;
  }

  /// The rows of this call in the order in which their folders were named, then those of earlier calls.
  std::vector<CheckRow> ranked_rows(const std::vector<CheckedFolder>& all, const CheckFile& file) const {
    return ranked(file.newest(each(all, &CheckedFolder::key)), marking_);
  }

  /// Reports the file.
  std::string write_csv(const std::vector<CheckRow>& rows) const {
    const fs::path target = options_.results / "checks.csv";
    write_whole(target, check_csv(rows));
    if (marking_) write_whole(last_marks(), marking_->text());
    return one_line(target.string());
  }

  /// A copy of the file of marks of the last call that had one: a call without --marks keeps the marks.
  fs::path last_marks() const { return options_.results / "last-marks.txt"; }

  const CheckOptions& options_;
  SignalWatch signals_;
  Progress progress_;
  std::optional<Marking> marking_;
  std::optional<Peaks> peaks_ = peaks_in(options_.results, [](const std::string& why) { throw bad_input("{}", why); });
  std::shared_ptr<const Case> of_all_;
  ConfinedRequest confinement_;
  References references_{options_.results, options_.tolerance, signals_, progress_};
};

}  // namespace

int check_command(const CheckOptions& options) { return CheckCommand(options).execute(); }

}  // namespace boltzmark
