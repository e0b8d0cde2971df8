#include "common/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>

#include "common/error.hpp"
#include "common/model.hpp"
#include "common/provenance.hpp"
#include "common/stream/stream.hpp"
#include "common/tuned.hpp"

namespace boltzmark {
namespace {

const Variant* find_variant(const Backend& backend, const std::string& name) {
  for (const auto& variant : backend.variants)
    if (variant.name == name) return &variant;
  return nullptr;
}

std::string join(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

/// Names of the variants that `fits`.
template <class Fits>
std::string variants_that(const Backend& backend, Fits&& fits) {
  std::vector<std::string> names;
  for (const auto& variant : backend.variants)
    if (fits(variant)) names.push_back(variant.name);
  return join(names, ", ");
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool takes(const Variant& variant, const ModelOption& option) {
  return option.in_every_variant || contains(variant.options, option.name);
}

std::string value_of(const ModelOption& option) {
  return option.choices.empty() ? option.value : join(option.choices, "|");
}

void add_own_options(CLI::App& app, const Backend& backend, std::map<std::string, std::string>& given) {
  for (const auto& option : backend.options) {
    const auto keep = [&given, name = option.name](const std::string& text) { given[name] = text; };
    const std::string word = "--" + option.name;
    if (option.value.empty() && option.choices.empty()) {
      app.add_flag_callback(
          word, [keep] { keep(""); }, option.help);
      continue;
    }
    auto* const added = app.add_option_function<std::string>(word, keep, option.help);
    added->type_name(value_of(option));
    if (!option.choices.empty())
      added->check([choices = option.choices, word](const std::string& text) {
        return contains(choices, text)
                   ? std::string()
                   : fmt::format("expected one of {}, found \"{}\"", join(choices, ", "), text);
      });
  }
}

void add_stream_options(CLI::App& app, Options& options) {
  constexpr std::int64_t most = std::int64_t{1} << 50;
  CLI::Option* const stream = app.add_flag(
      "--stream", options.stream, "measure memory bandwidth with the STREAM kernels instead of a problem");
  app.add_option("--stream-elements", options.stream_elements,
                 "elements of each of its three arrays; default: four times what the last-level caches hold")
      ->check(CLI::Range(std::int64_t{1}, most))
      ->needs(stream);
}

/// All others are for problems.
constexpr std::array stream_options = {"--stream",    "--stream-elements", "--repeat", "--json",
                                       "--precision", "--threads",         "--device", "--quiet"};

void check_stream(const CLI::App& app, const Options& options) {
  for (const CLI::Option* const option : app.get_options())
    if (option->count() > 0 &&
        std::find(stream_options.begin(), stream_options.end(), option->get_name()) == stream_options.end())
      throw bad_input("--stream: expected no {}, which is for runs of a problem, found it",
                      option->get_name());
  if (options.repeat.value_or(1) > most_stream_repeats)
    throw bad_input("--repeat: expected at most {} with --stream, found {}", most_stream_repeats,
                    *options.repeat);
}

}  // namespace

void check_variant(const Options& options, const Backend& backend) {
  const Variant* const variant = find_variant(backend, options.variant);
  if (!variant)
    throw bad_input("--variant: expected one of {}, found \"{}\"",
                    variants_that(backend, [](const Variant&) { return true; }), options.variant);
  const auto& offered = variant->precisions;
  if (std::find(offered.begin(), offered.end(), options.precision) == offered.end())
    throw bad_input("--precision: variant {} has no {}", variant->name, to_string(options.precision));
  if (options.vvl && !variant->takes_vvl)
    throw bad_input("--vvl: variant {} has no choice of vectors", variant->name);
  if (options.work_group && !variant->takes_work_group)
    throw bad_input("--work-group: variant {} has groups of its own", variant->name);
  if (options.time_block && !variant->takes_time_block)
    throw bad_input("--time-block: variant {} does one step at a time", variant->name);
  for (const auto& option : backend.options)
    if (options.own.contains(option.name) && !takes(*variant, option))
      throw bad_input("--{}: variant {} does not take it; these do: {}", option.name, variant->name,
                      variants_that(backend, [&](const Variant& v) { return takes(v, option); }));
}

void check_values(const CLI::App& app) {
  for (const CLI::Option* const option : app.get_options())
    if (option->count() > 0 && contains(option->results(), ""))
      throw bad_input("{}: expected a value, found an empty one", option->get_name());
}

std::string own_options_of(const Backend& backend, const std::string& variant) {
  std::vector<std::string> options;
  for (const auto& option : backend.options)
    if (contains(find_variant(backend, variant)->options, option.name))
      options.push_back(option.name + (value_of(option).empty() ? "" : "=" + value_of(option)));
  return join(options, " ");
}

WorkGroup parse_work_group(const std::string& text) {
  WorkGroup group;
  const char *end = text.data() + text.size(), *at = text.data();
  auto x = std::from_chars(at, end, group.x);
  if (x.ec == std::errc{} && x.ptr != end && *x.ptr == 'x') {
    const auto y = std::from_chars(x.ptr + 1, end, group.y);
    if (y.ec == std::errc{} && y.ptr == end && group.x > 0 && group.y > 0) return group;
  }
  throw bad_input("--work-group: expected XxY with X and Y at least 1, e.g. 32x4, found \"{}\"", text);
}

std::string to_string(Precision precision) { return precision == Precision::f32 ? "f32" : "f64"; }

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

ParsedCommandLine parse_command_line(int argc, char** argv, const Backend& backend) {
  constexpr int most_threads = 16384;  // GCC's OpenMP runtime overflows the stack somewhere beyond 32000
  ParsedCommandLine parsed;
  Options& o = parsed.options;
  CLI::App app(backend.summary, backend.program());
  app.set_version_flag("--version", fmt::format("{} {}", backend.program(), version_line()));
  std::string precision = "f32", work_group;

  auto* params = app.add_option("PARAMS", o.params,
                                "parameter file: nx, ny, iterations, reynolds_dim, density, accel, omega");
  auto* obstacles = app.add_option("OBSTACLES", o.obstacles,
                                   "obstacle file, lines \"x y 1\"; the word none for a grid without");
  app.add_option("--variant", o.variant,
                 "how the work is done, see --list-variants; default: the fastest that is right here");
  app.add_option("--steps", o.steps, "time steps instead of the parameter file's iterations")
      ->check(CLI::Range(1, INT_MAX));
  app.add_option("--repeat", o.repeat,
                 "timed runs after one warm-up; default: one run and no warm-up; with --stream 20")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--out", o.out, "folder for final_state.dat and av_vels.dat; default: here");
  bool no_output = false;
  app.add_flag("--no-output", no_output, "write neither of them")->excludes("--out");
  app.add_option("--check", o.check,
                 "compare with PREFIX.final_state.dat and PREFIX.av_vels.dat; \"oracle\" computes them");
  app.add_option("--json", o.json, "append the run's record to this file, one JSON object a line");
  app.add_option("--precision", precision, "f32 or f64")->check(CLI::IsMember({"f32", "f64"}));
  if (backend.takes_threads)
    app.add_option("--threads", o.threads, "threads (of each rank); default: " + backend.default_threads)
        ->check(CLI::Range(1, most_threads));
  if (backend.takes_device)
    app.add_option("--device", o.device, "a number, a type (gpu, cpu) or part of a name from --list-devices");
  const auto any = [&](bool Variant::*takes) {
    return std::any_of(backend.variants.begin(), backend.variants.end(),
                       [&](const Variant& v) { return v.*takes; });
  };
  if (any(&Variant::takes_vvl))
    app.add_option("--vvl", o.vvl,
                   "virtual vector length: cells in a vector; default: the widest of the processor")
        ->check(CLI::Range(1, 1024));
  if (any(&Variant::takes_time_block))
    app.add_option("--time-block", o.time_block, "time steps at once; default: the variant's own choice")
        ->check(CLI::Range(1, 65536));
  if (backend.takes_work_group) app.add_option("--work-group", work_group, "work-group shape XxY, e.g. 32x4");
  add_own_options(app, backend, o.own);
  const bool has_tuned = static_cast<bool>(backend.device_limits);
  bool no_tuned = false;
  if (has_tuned) {
    app.add_option("--tuned", o.tuned, "file of tuned options to use where none are given");
    app.add_flag("--no-tuned", no_tuned, "use no tuned options")->excludes("--tuned");
  }
  if (backend.make_stream) add_stream_options(app, o);
  app.add_option("--image", o.image, "write the final speed field as a PNG file");
  app.add_flag("--list-variants", o.list_variants,
               "print name, precisions, summary and options of every variant");
  app.add_flag("--list-devices", o.list_devices, "print number, type, name and details of every device");
  app.add_flag("--list-tunables", o.list_tunables, "print what can be tuned, as JSON");
  app.add_flag("--quiet", o.quiet, "print nothing but errors");

  try {
    app.parse(argc, argv);
    check_values(app);
    if (o.stream) check_stream(app, o);
    if (!o.stream && !o.list_devices && !o.list_variants && !o.list_tunables &&
        (params->empty() || obstacles->empty()))
      throw bad_input("expected PARAMS and OBSTACLES, found {}; see --help",
                      params->empty() ? "neither" : "only PARAMS");
  } catch (const CLI::CallForHelp&) {
    return {.options = {}, .stop = true, .text = app.help()};
  } catch (const CLI::CallForVersion& version) {
    return {.options = {}, .stop = true, .text = fmt::format("{}\n", version.what())};
  } catch (const CLI::ParseError& error) {
    throw bad_input("{}; see --help", error.what());
  }
  o.write_output = !no_output;
  if (!o.tuned.empty() && !std::filesystem::exists(o.tuned))
    throw bad_input("--tuned: expected a file of tuned options, found no {}", o.tuned.string());
  if (has_tuned && !no_tuned && o.tuned.empty()) o.tuned = default_tuned_file();
  o.precision = precision == "f64" ? Precision::f64 : Precision::f32;
  if (!work_group.empty()) o.work_group = parse_work_group(work_group);
  if (!o.variant.empty()) check_variant(o, backend);
  return parsed;
}

}  // namespace boltzmark
