// `boltzmark peaks`: kept peaks of this machine, or new ones if machine or build has changed.

#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/run_tables.hpp"
#include "analysis/run/peaks_part.hpp"
#include "analysis/store/store.hpp"
#include "analysis/support/commands.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/launcher.hpp"
#include "analysis/support/locations.hpp"
#include "analysis/support/process.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/digest.hpp"
#include "common/base/error.hpp"

namespace boltzmark {
namespace {

/// One call: a function per stage, in the order of `execute`. RESULTS/peaks.json keeps the peaks; a part is valid as
/// long as its key is the same: a digest over host, processor, cores and caches, or over the devices and their drivers,
/// and the measuring program. Google Benchmark's output is in RESULTS/peaks.
class PeaksCommand {
 public:
  explicit PeaksCommand(const PeaksOptions& options)
      : options_(options),
        file_(options.results / "peaks.json"),
        folder_(options.results / "peaks"),
        parts_{
            {{"cpu", "boltzmark-peaks-cpu", "the processor",
              "it was not built; install libbenchmark-dev and build again", PeaksPart::Of::processor, is_wanted("cpu")},
             {"opencl", "boltzmark-peaks-opencl", "the OpenCL devices",
              "it was not built; install libbenchmark-dev, ocl-icd-opencl-dev and opencl-clhpp-headers (and "
              "pocl-opencl-icd to run on the CPU), and build again",
              PeaksPart::Of::devices, is_wanted("opencl")},
             {"mpi", "boltzmark-peaks-mpi", "the network",
              "it was not built; install libbenchmark-dev, libopenmpi-dev and openmpi-bin, and build again",
              PeaksPart::Of::network, is_wanted("mpi")}}} {
    launcher_ = with_options(launcher_, options);
    if (!options.plan.empty()) needs_ = needs_of(options.plan, options.models);
  }

  int execute() {
    std::optional<FolderLock> lock;
    if (!options_.dry_run) lock.emplace(options_.results);
    load_kept();
    try {
      for (PeaksPart& part : parts_)
        if (part.is_wanted) prepare(part);
      if (options_.dry_run) return print_commands();
      for (PeaksPart& part : parts_)
        if (part.is_to_do) measure(part);
    } catch (const Stopped&) {
      for (const PeaksPart& part : parts_) fs::remove(new_file(part));
      return end_stopped(progress_, signals_, "stopped; earlier measurements are unchanged");
    }
    progress_.clear();
    const Peaks peaks = finish();
    for (const auto& complaint : complaints_) print_note("boltzmark", complaint);
    if (peaks.processor.cores == 0 && peaks.devices.empty() && peaks.network.ranks == 0)
      return 1;  // the lines above say why
    for (const TableData& table : peak_tables(make_peak_rows(peaks)))
      print_text(stdout, table.text(table_width()) + '\n');
    print("Measured on {}, {}, {} {}\nPeaks: {}{}\n", peaks.host, peaks.date, peaks.compiler, peaks.flags,
          one_line(file_.string()), has_measured() ? "" : " (measured before; --fresh measures again)");
    return has_failed_ ? 1 : 0;
  }

 private:
  bool is_wanted(const char* name) const { return options_.only.empty() || options_.only == name; }

  /// The words that start the part's program, and these.
  std::vector<std::string> start(const PeaksPart& part, const std::vector<std::string>& more) const {
    std::vector<std::string> words;
    if (part.of == PeaksPart::Of::network)
      words = launcher_words(launcher_, options_.ranks.value_or(std::max(2, default_workers())), 1);
    words.push_back((program_folder() / part.program).string());
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  /// What the part's program prints with this option; `why` it does not.
  CapturedProcess ask(const PeaksPart& part, const char* option, std::string& why) {
    auto answer = ask_program(start(part, {option}), part.program, signals_, why);
    signals_.expect_none();
    return answer;
  }

  void load_kept() {
    if (auto peaks = peaks_in(options_.results,
                              [this](const std::string& why) { complaints_.push_back(why + "; measuring again"); }))
      kept_ = *std::move(peaks);
  }

  /// Describes the machine and decides whether to measure. Throws Error (unavailable) where a part that was asked for
  /// by itself, or the processor's, cannot be measured here.
  void prepare(PeaksPart& part) {
    const fs::path program = program_folder() / part.program;
    const bool is_launched = part.of == PeaksPart::Of::network;
    std::string reason = fs::exists(program) ? "" : part.missing;
    if (reason.empty() && is_launched) reason = launcher_missing(launcher_);
    if (reason.empty() && is_launched && !options_.ranks && default_workers() < 2)
      reason = "this machine has one core, so one rank; --ranks 2 puts two ranks on it";
    bool is_impossible = true;  // for lack of a device or a library, not a fault
    if (reason.empty()) {
      const auto answer = ask(part, "--describe", reason);
      is_impossible = answer.result.exit_status == static_cast<int>(ExitStatus::unavailable);
      if (reason.empty()) {
        const std::string source = std::string(part.program) + " --describe";
        nlohmann::json machine;
        try {
          machine = parse_json(answer.output);
        } catch (const std::exception&) {
          throw bad_input("{}: expected JSON, found something else", source);
        }
        part.machine = peaks_from_json(machine, source);
        part.key = digest_of(part.identity() + (is_launched ? '|' + launcher_line(launcher_, 0, 1) : "") + '|' +
                             digest_of_file(program));
        return decide(part);
      }
    }
    const std::string line = fmt::format("{}: {}", part.what, reason);
    if (&part == &parts_.front() || !options_.only.empty()) throw unavailable("{}", line);
    complaints_.push_back(line);
    has_failed_ = has_failed_ || !is_impossible;
  }

  /// The benchmarks to do: all, or those that the plan needs; completely, or only those not kept yet.
  void decide(PeaksPart& part) {
    const std::string kept = kept_key(part);
    if (!options_.fresh && kept == part.key) return;
    part.is_begun = !options_.fresh && kept == part.key + unfinished && fs::exists(kept_file(part));
    part.is_to_do = true;
    std::set<std::string> known, have;  // have: good enough for this call
    if (part.is_begun) try {
        for (const Sample& sample : read_samples(kept_file(part))) {
          known.insert(sample.name);
          if (options_.brief || !sample.is_rough) have.insert(sample.name);
        }
      } catch (const Error& error) {
        complaints_.push_back(fmt::format("{}; measuring again", error.what()));
        part.is_begun = false;
      }
    if (!part.is_begun && !needs_) return;
    const auto names = benchmarks_of(part);
    for (const std::string& name : names)
      if (!have.contains(name) && (!needs_ || part.is_needed(name, *needs_)))
        part.to_add.push_back(name);
      else if (!known.contains(name))
        part.left_out.push_back(name);
    part.is_to_do = !part.to_add.empty();
    if (known.empty() && part.to_add.empty()) part.is_wanted = false;
  }

  /// The names of all that it can measure. Throws Error (unavailable).
  std::vector<std::string> benchmarks_of(const PeaksPart& part) {
    std::string why;
    const auto answer = ask(part, "--benchmark_list_tests=true", why);
    if (!why.empty()) throw unavailable("{}: {}", part.what, why);
    std::vector<std::string> names;
    for (const std::string& line : split(answer.output, '\n'))
      if (!line.empty()) names.push_back(named_benchmark(line).name);
    return names;
  }

  int print_commands() const {
    for (const PeaksPart& part : parts_)
      if (part.is_to_do) print("{}\n", shell_line(command(part, new_file(part), part.to_add)));
    if (std::ranges::none_of(parts_, &PeaksPart::is_to_do))
      print("# nothing to do: {} is of this machine and this build\n", one_line(file_.string()));
    return 0;
  }

  /// Failures become complaints.
  void measure(PeaksPart& part) {
    prepare_folder(folder_);
    const fs::path log = folder_ / (std::string(part.name) + ".log");
    double seconds = 0.0;
    const std::string reason = take_figures(part, log, seconds);
    part.is_measured = reason.empty();
    if (!part.is_measured) {
      complaints_.push_back(fmt::format("{}: {} (see {})", part.what, reason, log.string()));
      has_failed_ = true;
      fs::remove(new_file(part));
      return;
    }
    Peaks reconciled = part.machine;  // what was measured is kept, and with these notes
    for (const std::string& line : reconcile(reconciled))
      complaints_.push_back(line + "; repeat `boltzmark peaks --fresh` on a quiet machine");
    part.machine.processor.notes = reconciled.processor.notes;
    for (std::size_t i = 0; i < reconciled.devices.size(); ++i)
      part.machine.devices[i].notes = reconciled.devices[i].notes;
    const std::string without = PeaksPart::kinds_of(part.left_out), rough = PeaksPart::kinds_of(part.rough);
    if (!rough.empty())
      part.notes().push_back(fmt::format("rough (--brief): {}; `boltzmark peaks` measures them better", rough));
    if (!without.empty())
      part.notes().push_back(fmt::format(
          "not measured, because no run of the plan {} is bound by it: {}; `boltzmark peaks` measures the rest",
          needs_->plan, without));
    progress_.done(fmt::format("measured {} in {}{}", part.what, duration(seconds),
                               without.empty() ? "" : ", without " + without));
  }

  /// Runs the program, and again for disturbed figures; `seconds` in all. Why it failed, "" if it did not.
  std::string take_figures(PeaksPart& part, const fs::path& log, double& seconds) {
    const std::string what = fmt::format("measuring {}", part.what);
    progress_.done(what);
    constexpr int most_passes = 4;
    const Peaks described = part.machine;
    std::string reason;
    std::vector<Sample> samples;
    for (int pass = 1; pass <= most_passes && reason.empty(); ++pass) {
      auto again = pass == 1 ? part.to_add : disturbed_benchmarks(part.machine.processor);
      if (pass == 2)
        for (const std::string& name : contradictory_benchmarks(samples, part.machine)) add_once(again, name);
      if (pass > 1 && again.empty()) break;
      const fs::path file = pass == 1 ? new_file(part) : folder_ / "again.json";
      const ProcessResult result = run_process({.command = command(part, file, again),
                                                .environment = launcher_environment(),
                                                .stderr_file = log,
                                                .time_limit_seconds = options_.time_limit_seconds},
                                               signals_, progress_.timer(what, "", seconds));
      signals_.expect_none();
      seconds += result.seconds;
      reason = failure_of(result, tail_of(log), part.program, options_.time_limit_seconds);
      if (reason.empty()) try {
          if (options_.brief) mark_rough(file);
          if (pass > 1) append_benchmarks(file, new_file(part), {});
          if (pass == 1 && part.is_begun) append_benchmarks(kept_file(part), file, part.to_add);
          samples = read_samples(new_file(part));
          part.rough.clear();
          for (const Sample& sample : samples)
            if (sample.is_rough) part.rough.push_back(sample.name);
          part.machine = described;
          part.add_figures(samples);
        } catch (const Error& error) {
          reason = error.what();
        }
      if (pass > 1) fs::remove(file);
    }
    return reason;
  }

  /// Merges and writes parts that were measured now or are still valid; one that this call did not look at is kept.
  Peaks finish() {
    Peaks whole;
    const Peaks* newest = &kept_;
    for (const PeaksPart& part : parts_)
      if (part.is_measured) newest = &part.machine;
    for (auto member : {&Peaks::host, &Peaks::date, &Peaks::compiler, &Peaks::flags, &Peaks::revision})
      whole.*member = newest->*member;
    for (PeaksPart& part : parts_) {
      std::string key = kept_key(part);
      if (part.is_measured) {
        key = part.key + (part.left_out.empty() && part.rough.empty() ? "" : unfinished);
        part.move(part.machine, whole);
      } else if (!part.is_wanted || part.is_begun || key == part.key) {
        part.move(kept_, whole);
      } else {
        key = no_key;
      }
      whole.key += fmt::format("{}{}:{}", whole.key.empty() ? "" : " ", part.name, key);
    }
    // A part may also be missing, with its device or driver.
    const bool has_changed = !kept_.key.empty() && whole.key != kept_.key &&
                             std::ranges::any_of(parts_, [&](const PeaksPart& part) { return has_key(whole, part); });
    if (has_measured() || has_changed) write(whole);
    return whole;
  }

  /// Old files are moved into RESULTS/old-DATE only if the new ones are complete and do not continue them.
  void write(const Peaks& peaks) const {
    AtomicFile file(file_);
    file.write(json_line(peaks, 1) + '\n');
    file.finish();
    std::vector<std::string> replaced = {"peaks.json"};
    for (const PeaksPart& part : parts_)
      if (part.is_measured && !part.is_begun) replaced.push_back(fmt::format("peaks/{}.json", part.name));
    if (std::ranges::none_of(parts_, &PeaksPart::is_begun)) move_aside(options_.results, replaced);
    for (const PeaksPart& part : parts_)
      if (part.is_measured) fs::rename(new_file(part), kept_file(part));
    file.commit();
  }

  static bool has_key(const Peaks& peaks, const PeaksPart& part) { return key_in(peaks, part) != no_key; }
  bool has_measured() const { return std::ranges::any_of(parts_, &PeaksPart::is_measured); }

  /// The key is "cpu:DIGEST opencl:DIGEST mpi:DIGEST": a part's digest, "-" when it has none.
  std::string kept_key(const PeaksPart& part) const { return key_in(kept_, part); }
  static std::string key_in(const Peaks& peaks, const PeaksPart& part) {
    const std::string mark = std::string(part.name) + ':';
    for (const std::string& word : words_in(peaks.key))
      if (word.starts_with(mark)) return word.substr(mark.size());
    return no_key;
  }
  /// Ends the key of figures some of which are rough or missing: later calls measure these.
  static constexpr const char* unfinished = "-part";

  fs::path kept_file(const PeaksPart& part) const { return folder_ / (std::string(part.name) + ".json"); }
  fs::path new_file(const PeaksPart& part) const { return folder_ / (std::string(part.name) + ".json.new"); }

  /// A message waits for another processor, and so more of its repetitions are disturbed.
  int repetitions(const PeaksPart& part) const {
    if (part.of == PeaksPart::Of::network) return options_.brief ? 3 : 9;
    return options_.brief ? 2 : 5;
  }

  /// For all benchmarks, or for these alone.
  std::vector<std::string> command(const PeaksPart& part, const fs::path& file,
                                   const std::vector<std::string>& benchmarks) const {
    std::vector<std::string> words = start(
        part,
        {"--benchmark_out=" + file.string(), "--benchmark_out_format=json",
         "--benchmark_enable_random_interleaving=true", fmt::format("--benchmark_repetitions={}", repetitions(part)),
         fmt::format("--min-time={}", options_.brief && part.of != PeaksPart::Of::network ? 0.001 : 0.005)});
    if (!benchmarks.empty()) words.push_back(benchmark_filter(benchmarks));
    return words;
  }

  static void mark_rough(const fs::path& file) {
    read_samples(file);  // which says what is wrong with it
    nlohmann::json all = load_json(file);
    for (nlohmann::json& one : all.at("benchmarks")) one["rough"] = true;
    write_whole(file, json_line(all, 1) + '\n');
  }

  /// Adds the benchmarks of one of Google Benchmark's files to another, except those with these names.
  static void append_benchmarks(const fs::path& from, const fs::path& to, const std::vector<std::string>& without) {
    nlohmann::json all = load_json(to);
    const nlohmann::json more = load_json(from);
    for (const nlohmann::json& one : more.at("benchmarks"))
      if (!contains(without, named_benchmark(text_in(one, "run_name")).name)) all.at("benchmarks").push_back(one);
    write_whole(to, json_line(all, 1) + '\n');
  }

  const PeaksOptions& options_;
  std::optional<PlanNeeds> needs_;  ///< none: all is measured
  SignalWatch signals_;
  Progress progress_{options_.quiet};
  fs::path file_, folder_;
  Launcher launcher_;
  std::array<PeaksPart, 3> parts_;
  Peaks kept_;
  std::vector<std::string> complaints_;
  bool has_failed_ = false;
};

}  // namespace

int peaks_command(const PeaksOptions& options) { return PeaksCommand(options).execute(); }

}  // namespace boltzmark
