// The command line that all models share.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace boltzmark {

struct Backend;

enum class Precision { f32, f64 };
std::string to_string(Precision precision);
/// Bytes of a value.
constexpr int bytes_of(Precision precision) { return precision == Precision::f32 ? 4 : 8; }

/// A two-dimensional work-group: x along a row, y across rows.
struct WorkGroup {
  int x = 0, y = 0;
};

/// An option that one model alone has. Common code offers it in --help, checks it and hands its text on.
struct ModelOption {
  std::string name;   ///< "reduction" for --reduction
  std::string value;  ///< what stands for the value in --help, e.g. "N|all"; "" for a flag
  std::string help;
  std::vector<std::string> choices = {};  ///< the values there are; none: the model reads the text itself
  bool in_every_variant = false;          ///< false: only in the variants that name it
  std::vector<std::string> worth_trying = {};  ///< where there are no choices: values for a tuner
};

struct Options {
  std::filesystem::path params, obstacles;
  std::string variant;              ///< "" = the model's default for this problem
  std::optional<int> steps;         ///< instead of the parameter file's iterations
  std::optional<int> repeat;        ///< timed runs after one warm-up; unset = one run, no warm-up
  std::filesystem::path out = ".";  ///< folder of final_state.dat and av_vels.dat
  bool write_output = true;         ///< --no-output clears it
  std::string check;                ///< "" = none, "oracle", or a file prefix
  std::filesystem::path json;       ///< file the run's record is appended to, "" = none
  Precision precision = Precision::f32;
  std::optional<int> threads;
  std::string device;  ///< "" = the model's best; a number, a type, or part of a name
  std::optional<WorkGroup> work_group;
  std::optional<int> vvl;                  ///< cells in a vector; unset = the widest of the processor
  std::optional<int> time_block;           ///< time steps in one sweep or launch; unset = the model decides
  std::map<std::string, std::string> own;  ///< the model's own options given: name, text ("" for a flag)
  std::filesystem::path image;             ///< PNG of the final speed field, "" = none
  bool list_devices = false, list_variants = false, list_tunables = false, quiet = false;
  std::filesystem::path tuned;                  ///< file of tuned options, "" = none
  bool stream = false;                          ///< the STREAM kernels instead of a problem
  std::optional<std::int64_t> stream_elements;  ///< of each array, over all ranks; unset = by the caches
};

/// What parsing came to: go on with `options`, or stop with `status` after printing `text` (help, version).
struct ParsedCommandLine {
  Options options;
  bool stop = false;
  std::string text;
};

/// "32x4"; both at least 1. Throws Error (bad_input).
WorkGroup parse_work_group(const std::string& text);

/// The value of --OPTION alone, for who must know it before all options are known; none where it is not given
/// or the words make no command line.
std::optional<std::string> value_in(int argc, char** argv, const std::string& option);

/// Parses; options that the model does not have are errors. Throws Error (bad_input) with one line.
ParsedCommandLine parse_command_line(int argc, char** argv, const Backend& backend);

/// Throws Error (bad_input) unless the backend has options.variant, in this precision and with these options
/// of its own.
void check_variant(const Options& options, const Backend& backend);

/// Throws Error (bad_input) where a parsed option has an empty value: what a script's unset variable leaves
/// behind would otherwise pass for no option at all.
void check_values(const CLI::App& app);

/// The model's own options that a variant takes, as --list-variants shows them: "reduction=linear|tree
/// delay=N|all", "" for none.
std::string own_options_of(const Backend& backend, const std::string& variant);

}  // namespace boltzmark
