#include "common/run/options.hpp"

#include <CLI/CLI.hpp>
#include <limits>

#include "common/base/error.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"
#include "common/cpu/openmp.hpp"
#include "common/run/provenance.hpp"
#include "common/run/tuned.hpp"
#include "common/run/workload.hpp"

namespace boltzmark {
namespace {

/// Names of the variants that `fits`.
template <class Fits>
std::string variants_that(const Program& program, Fits&& fits) {
  return joined(program.variants | std::views::filter(fits), ", ", &Variant::name);
}

bool takes(const Variant& variant, const ModelOption& option) {
  return option.in_every_variant || find_by(variant.options, option.name, &ModelOption::name);
}

/// Throws Error (bad_input) for a value that the option does not accept.
void check_value(const ModelOption& option, const std::string& text) {
  if (option.is_shape) parse_work_group("--" + option.name, text);
  if (!option.choices.empty() && !contains(option.choices, text))
    throw bad_input("--{}: expected one of {}, found \"{}\"", option.name, join(option.choices, ", "), text);
  if (!option.range) return;
  const auto [least, most] = *option.range;
  const auto number = parse_number<int>(text);
  if (!number || *number < least || *number > most || (*number - least) % option.step != 0)
    throw bad_input("--{}: expected a whole number from {} to {}{}, found \"{}\"", option.name, least, most,
                    option.step == 1 ? "" : fmt::format(" in steps of {}", option.step), text);
}

void add_model_options(CLI::App& app, const Program& program, std::map<std::string, std::string>& given) {
  for (const auto& option : program.options) {
    const std::string word = "--" + option.name;
    const auto keep = [&given, name = option.name](const std::string& text) { given[name] = text; };
    if (option.value.empty() && option.choices.empty())
      app.add_flag_callback(
          word, [keep] { keep(""); }, option.help);
    else
      app.add_option_function<std::string>(word, keep, option.help)
          ->type_name(option.choices.empty() ? option.value : join(option.choices, "|"));
  }
}

// Headings of --help.
constexpr const char *what = "What is computed", *how = "How", *output = "Output";

/// --help for one screen: a line for each option, under headings; --help-all adds ranges, choices and omitted options.
class ShortHelp : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const override {
    std::string text = make_description(app) + make_usage(app, std::move(name));
    std::vector<std::string> others;
    for (const std::string heading : {what, how, output})
      text += fmt::format("\n{}:\n{}", heading, lines_of(*app, heading));
    for (const CLI::Option* const option : app->get_options())
      if (!contains({what, how, output}, option->get_group())) others.push_back(long_name(*option));
    return text +
           fmt::format("\nMore: {}\n--help-all prints full descriptions, ranges and choices\n", join(others, ", "));
  }

 private:
  static constexpr std::size_t columns = 100, name_columns = 28;

  static std::string long_name(const CLI::Option& option) {
    return option.get_positional() ? option.get_name(true) : "--" + option.get_lnames().front();
  }

  static std::string lines_of(const CLI::App& app, const std::string& heading) {
    std::string lines;
    for (const CLI::Option* const option : app.get_options())
      if (option->get_group() == heading)
        lines += fmt::format("  {:<{}}{}\n", long_name(*option) + value_of(*option), name_columns - 2,
                             shortened(option->get_description(), columns - name_columns));
    return lines;
  }

  /// Placeholder of the value after a space, or "": choices if there is room for them.
  static std::string value_of(const CLI::Option& option) {
    if (option.get_positional() || option.get_items_expected() == 0) return "";
    const std::string type = option.get_type_name();
    std::string value = type.substr(0, type.find(':'));
    if (const auto choices = type.find(":{"); choices != type.npos) {
      value = type.substr(choices + 2, type.rfind('}') - choices - 2);
      std::replace(value.begin(), value.end(), ',', '|');
    }
    if (long_name(option).size() + value.size() + 3 > name_columns - 2)
      value = value.find('|') == value.npos ? "TEXT" : "NAME";
    return ' ' + (value == "INT" ? "N" : value);
  }

  /// Cut at the end of a clause, or else of a word.
  static std::string shortened(const std::string& text, std::size_t room) {
    if (text.size() <= room) return text;
    std::size_t end = 0;
    for (const char* const mark : {"; ", ", ", ": ", " "})
      if (const auto at = text.rfind(mark, room - 4); end == 0 && at != text.npos) end = at;
    return text.substr(0, end) + " ...";
  }
};

/// The words of a command line, and their targets.
struct CommandLine {
  CommandLine(const Program& program, Workload& workload) : app(program.summary(), program_name(program, workload)) {
    app.set_help_flag("-h,--help", "print the options, one per line, and exit");
    app.set_help_all_flag("--help-all", "print every option with its range and choices, and exit");
    app.set_version_flag("--version", fmt::format("{} {}", app.get_name(), version_line()));
    app.option_defaults()->group(what);
    WorkloadOptions of_workload(app);
    workload.add_options(of_workload);
    app.option_defaults()->group(how);
    app.add_option("--variant", options.variant,
                   "implementation (see --list-variants); default: the fastest that is correct on this machine");
    app.add_option("--precision", precision, "f32 or f64; default: f32")->check(CLI::IsMember({"f32", "f64"}));
    const RepeatRule rule = workload.repeats();
    app.add_option("--repeat", options.repeat,
                   fmt::format("timed runs after one warm-up; default: {}",
                               rule.always_warms_up ? std::to_string(rule.usual) : "one run and no warm-up"))
        ->check(CLI::Range(1, rule.most));
    app.add_option("--seconds", options.seconds, "repeat until timed runs have taken this long in total (default: 0)")
        ->check(CLI::Range(0.0, 1e6));
    add_check(workload.checks());
    app.add_option("--json", options.json, "append the run's record to this file, one JSON object per line")
        ->group(output);
    app.add_flag("--counters", options.counters, "count bytes and FLOPs with the processor's counters, too")
        ->group(output);
    add_model_options(app, program, options.of_model);
    if (program.device_limits)
      app.add_option("--tuned", options.tuned,
                     "file of tuned options, for options that the command line does not give");
    CLI::Option* const without = app.add_flag("--no-tuned", no_tuned, "use no tuned options");
    if (program.device_limits) without->excludes("--tuned");
    app.option_defaults()->group("Options");
    app.add_option("--runs", runs,
                   "runs to make in one process, one per line; the line's options are appended to those given here "
                   "(\"-\": standard input)")
        ->type_name("FILE");
    app.add_flag("--list-variants", options.list_variants,
                 "print each variant's name, precisions, summary, options and kinds of problem");
    app.add_flag("--list-devices", options.list_devices, "print each device's number, type, name and details");
    app.add_flag("--describe", options.describe, "print what this program can do, as one JSON object");
    app.add_flag("--quiet", options.quiet, "print nothing but errors")->group(output);
  }

  /// Every option in full, in one list in the order of addition.
  std::string full_help() {
    for (CLI::Option* const option : app.get_options()) option->group("Options");
    return app.help();
  }

  void add_check(const CheckRule& rule) {
    CLI::Option* const option = app.add_option("--check", options.check,
                                               fmt::format("reference for the result: \"reference\" computes it{} {}",
                                                           rule.prefix.empty() ? "" : ", PREFIX reads " + rule.prefix,
                                                           rule.always ? "(default)" : "(default: no check)"));
    if (rule.prefix.empty()) option->type_name("reference");
    // Records and workloads use the former word, which stays an alias.
    option->transform(CLI::Validator(
        [is_alone = rule.prefix.empty()](std::string& text) {
          if (text == "reference") text = "oracle";
          return text == "oracle" || !is_alone ? "" : fmt::format("expected reference, found \"{}\"", text);
        },
        ""));
  }

  CLI::App app;
  Options options;
  std::string precision = "f32", runs;  // each_run() has taken it out
  bool no_tuned = false;
};

}  // namespace

using Added = WorkloadOptions::Added;
Added Added::value_name(const std::string& name) { return option_.type_name(name), *this; }
Added Added::range(std::int64_t least, std::int64_t most) { return option_.check(CLI::Range(least, most)), *this; }
Added Added::positive() {
  const auto check = [](const std::string& text) {
    const auto number = parse_number<double>(text);
    const bool is_right = number && std::isnormal(*number) && *number > 0.0;
    return is_right ? "" : fmt::format("expected a finite number above 0, found \"{}\"", text);
  };
  return option_.check(check), *this;
}
Added Added::choices(const std::vector<std::string>& values) { return option_.check(CLI::IsMember(values)), *this; }
Added Added::output() { return option_.group(boltzmark::output), *this; }
Added Added::excludes(const std::string& other) { return option_.excludes(other), *this; }

template <class T>
Added WorkloadOptions::add(const std::string& name, T& value, const std::string& help) {
  return Added(*app_.add_option(name, value, help));
}
template Added WorkloadOptions::add(const std::string&, int&, const std::string&);
template Added WorkloadOptions::add(const std::string&, std::int64_t&, const std::string&);
template Added WorkloadOptions::add(const std::string&, double&, const std::string&);
template Added WorkloadOptions::add(const std::string&, std::string&, const std::string&);
template Added WorkloadOptions::add(const std::string&, std::filesystem::path&, const std::string&);
template Added WorkloadOptions::add(const std::string&, std::optional<int>&, const std::string&);
template Added WorkloadOptions::add(const std::string&, std::optional<std::int64_t>&, const std::string&);
template Added WorkloadOptions::add(const std::string&, std::optional<double>&, const std::string&);
Added WorkloadOptions::add_flag(const std::string& name, bool& value, const std::string& help) {
  return Added(*app_.add_flag(name, value, help));
}

ModelOption ModelOption::within(int least, int most, int step_of_them) const {
  ModelOption fewer = *this;
  fewer.range = {least, most};
  fewer.step = step_of_them;
  std::erase_if(fewer.worth_trying, [&](const std::string& text) {
    const int number = parse_number<int>(text).value_or(least);
    return number < least || number > most || (number - least) % step_of_them != 0;
  });
  return fewer;
}

void add_option(std::vector<ModelOption>& all, const ModelOption& option) {
  ModelOption* const at = find_by(all, option.name, &ModelOption::name);
  if (!at) {
    all.push_back(option);
    all.back().in_every_variant = false;
    return;
  }
  if (at->range && option.range) {
    if (at->range != option.range || at->step != option.step) at->step = 1;
    at->range = {std::min(at->range->first, option.range->first), std::max(at->range->second, option.range->second)};
  }
  for (auto values : {&ModelOption::choices, &ModelOption::worth_trying})
    for (const std::string& value : option.*values) add_once((*at).*values, value);
}

WorkGroup parse_work_group(const std::string& option, const std::string& text) {
  const auto sides = sides_in(text, std::numeric_limits<int>::max());
  const auto side = [&](std::size_t axis) { return axis < sides.size() ? static_cast<int>(sides[axis]) : 1; };
  if (sides.size() == 2 || sides.size() == 3) return {side(0), side(1), side(2)};
  throw bad_input("{}: expected XxY with X and Y at least 1, e.g. 32x4, or XxYxZ in three dimensions, found \"{}\"",
                  option, text);
}

ModelOption threads_option(const std::string& usual) {
  return {.name = "threads",
          .value = "N",
          .help = "threads (of each rank); default: " + usual,
          .range = {{1, most_threads}}};
}

ModelOption device_option() {
  return {.name = "device", .value = "DEVICE", .help = "number, type (gpu, cpu) or part of a name from --list-devices"};
}

ModelOption work_group_option() {
  return {.name = "work-group",
          .value = "XxY",
          .help = "work-group shape, e.g. 32x4; in three dimensions also 32x4x2",
          .is_shape = true};
}

ModelOption vector_length_option() {
  return {.name = "vvl",
          .value = "N",
          .help = "vector length: cells in a vector; default: the widest of the processor",
          .range = {{1, 1024}},
          .worth_trying = {"1", "2", "4", "8", "16", "32"}};
}

ModelOption time_block_option(std::vector<std::string> worth_trying) {
  return {.name = "time-block",
          .value = "N",
          .help = "time steps in one sweep or launch; default: chosen by the variant",
          .range = {{1, 65536}},
          .worth_trying = std::move(worth_trying)};
}

std::string Options::text(const std::string& option) const {
  const auto at = of_model.find(option);
  return at == of_model.end() ? "" : at->second;
}

std::optional<int> Options::number(const std::string& option) const { return parse_number<int>(text(option)); }

std::optional<WorkGroup> Options::shape(const std::string& option) const {
  if (!has(option)) return {};
  return parse_work_group("--" + option, text(option));
}

void check_variant(const Options& options, const Program& program) {
  const Variant* const variant = program.variant(options.variant);
  if (!variant)
    throw bad_input("--variant: expected one of {}, found \"{}\"",
                    variants_that(program, [](const VariantPointer&) { return true; }), options.variant);
  const auto& offered = variant->precisions;
  if (std::find(offered.begin(), offered.end(), options.precision) == offered.end())
    throw bad_input("--precision: variant {} has no {}", variant->name, to_string(options.precision));
  for (const auto& option : program.options)
    if (options.has(option.name) && !takes(*variant, option)) {
      const std::string these = variants_that(program, [&](const VariantPointer& one) { return takes(*one, option); });
      throw bad_input("--{}: variant {} does not take it; {}", option.name, variant->name,
                      these.empty() ? "none does" : "these do: " + these);
    }
  for (const ModelOption& option : variant->options)
    if (options.has(option.name)) check_value(option, options.text(option.name));
}

void set_if_unset(Options& options, const Program& program, const std::string& name, const std::string& text) {
  const ModelOption* const option = find_by(program.options, name, &ModelOption::name);
  if (!option) throw bad_input("tuned options: expected one of this model's, found --{}; see --no-tuned", name);
  check_value(*option, text);
  options.of_model.try_emplace(name, text);
}

void check_values(const CLI::App& app) {
  for (const CLI::Option* const option : app.get_options())
    if (option->count() > 0 && contains(option->results(), ""))
      throw bad_input("{}: expected a value, found an empty one", option->get_name());
}

std::optional<std::string> value_in(int argc, char** argv, const std::string& option) {
  std::optional<std::string> value;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  app.add_option("--" + option, value);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError&) {
    return {};
  }
  return value;
}

std::vector<std::string> option_names(const Program& program, Workload& workload) {
  CommandLine line(program, workload);
  std::vector<std::string> names;
  for (const CLI::Option* const option : line.app.get_options())
    if (!option->get_lnames().empty()) names.push_back(option->get_lnames().front());
  return names;
}

ParsedCommandLine parse_command_line(int argc, char** argv, const Program& program, Workload& workload) {
  CommandLine line(program, workload);
  Options& options = line.options;
  try {
    line.app.parse(argc, argv);
    check_values(line.app);
  } catch (const CLI::CallForHelp&) {
    line.app.formatter(std::make_shared<ShortHelp>());
    return {.options = {}, .stop = true, .text = line.app.help()};
  } catch (const CLI::CallForAllHelp&) {
    return {.options = {}, .stop = true, .text = line.full_help()};
  } catch (const CLI::CallForVersion& version) {
    return {.options = {}, .stop = true, .text = fmt::format("{}\n", version.what())};
  } catch (const CLI::ExtrasError& error) {
    // A word after an unknown option is its value, not a separate error.
    for (const std::string& word : line.app.remaining())
      if (word.starts_with("--"))
        throw bad_input("{}: not an option of {}; see --help", word, program_name(program, workload));
    throw bad_input("{}; see --help", error.what());
  } catch (const CLI::ParseError& error) {
    throw bad_input("{}; see --help", error.what());
  }
  if (!line.runs.empty()) throw bad_input("--runs: expected on the command line, and once");
  for (const auto& option : program.options)
    if (options.has(option.name)) check_value(option, options.text(option.name));
  for (const CLI::Option* const option : line.app.get_options())
    if (option->count() > 0)
      options.asked[option->get_single_name()] = option->get_items_expected() > 0 ? join(option->results(), " ") : "";
  if (!options.tuned.empty() && !std::filesystem::exists(options.tuned))
    throw bad_input("--tuned: expected a file of tuned options, found no {}", options.tuned);
  if (program.device_limits && !line.no_tuned && options.tuned.empty()) options.tuned = default_tuned_file().string();
  options.precision = line.precision == "f64" ? Precision::f64 : Precision::f32;
  if (!options.variant.empty()) check_variant(options, program);
  return {.options = std::move(options), .stop = false, .text = ""};
}

}  // namespace boltzmark
