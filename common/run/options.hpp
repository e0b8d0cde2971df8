// The command line: options of every program, of its workload and of its model.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/precision.hpp"

namespace CLI {
class App;
}

namespace boltzmark {

/// A work-group: x along a row, y across rows, z across planes.
struct WorkGroup {
  int x = 0, y = 0, z = 1;
};
/// "32x4" or "32x4x2"; all at least 1. Throws Error (bad_input) that names the option.
WorkGroup parse_work_group(const std::string& option, const std::string& text);

/// An option that a model declares: the runner offers it in --help, checks it, and hands its text on.
struct ModelOption {
  std::string name;   ///< "reduction" for --reduction
  std::string value;  ///< placeholder of the value in --help, e.g. "N|all"; "" for a flag
  std::string help;
  std::vector<std::string> choices = {};          ///< permitted values; empty: any text, or a number
  std::optional<std::pair<int, int>> range = {};  ///< if set: range of a whole number, ends included
  int step = 1;                                   ///< of the numbers in the range
  bool is_shape = false;                          ///< a work-group, XxY; a tuner makes the shapes
  bool in_every_variant = false;                  ///< belongs to the program (Program::options), not to some variants
  std::vector<std::string> worth_trying = {};     ///< if there are no choices: values for a tuner
  bool is_users = false;  ///< its choices change the results' digits or the quantity measured, so no tuner tries them

  /// The same option with the narrower range of one variant.
  ModelOption within(int least, int most, int step_of_them = 1) const;
  /// Values that a tuner tries; empty if this is not tuned, or a shape.
  const std::vector<std::string>& tuned_values() const { return choices.empty() || is_users ? worth_trying : choices; }
};

/// Adds an option to the union of a program, or widens the one of the same name.
void add_option(std::vector<ModelOption>& all, const ModelOption& option);

// Options that mean the same in every model that has them.
ModelOption threads_option(const std::string& usual);
ModelOption device_option();
ModelOption work_group_option();
ModelOption vector_length_option();
ModelOption time_block_option(std::vector<std::string> worth_trying);

/// The requested options. A workload keeps its own (Workload::add_options).
struct Options {
  std::string variant;               ///< "" = the model's default for this case
  bool has_default_variant = false;  ///< the user gave no --variant
  Precision precision = Precision::f32;
  std::optional<int> repeat;  ///< timed runs after one warm-up; unset = the workload's default
  double seconds = 0.0;       ///< more timed runs, until their total reaches this many seconds
  std::string check;          ///< "oracle" or a PREFIX, see CheckRule; "" if not given
  std::string json;           ///< file the run's record is appended to, "" = none
  std::string tuned;          ///< file of tuned options, "" = none
  bool counters = false;      ///< also count bytes and FLOPs with the processor's counters
  bool quiet = false, list_variants = false, list_devices = false, describe = false;
  std::map<std::string, std::string> of_model;  ///< given options of the model: name, text ("" for a flag)
  /// The whole command line for the record: name without dashes, text ("" for a flag).
  std::map<std::string, std::string> asked;

  bool has(const std::string& option) const { return of_model.contains(option); }
  /// Text of an option of the model, "" if not given.
  std::string text(const std::string& option) const;
  /// The same for a number, and for a shape; empty if not given.
  std::optional<int> number(const std::string& option) const;
  std::optional<WorkGroup> shape(const std::string& option) const;

  bool only_lists() const { return list_variants || list_devices || describe; }
};

class Workload;
struct Program;

/// Result of parsing: continue with `options`, or stop after printing `text` (help, version).
struct ParsedCommandLine {
  Options options;
  bool stop = false;
  std::string text;
};

/// Parses; options that neither model nor workload has are errors. Throws Error (bad_input) with one line.
ParsedCommandLine parse_command_line(int argc, char** argv, const Program& program, Workload& workload);

/// The value of a single option, for callers that need it before parsing; empty if it is not given or the command line
/// is malformed.
std::optional<std::string> value_in(int argc, char** argv, const std::string& option);

/// Names of all options that a program takes, without dashes, in the order of --help.
std::vector<std::string> option_names(const Program& program, Workload& workload);

/// Throws Error (bad_input) unless the program has options.variant, in this precision and with these options
/// of the model.
void check_variant(const Options& options, const Program& program);

/// Sets an option of the model unless it was given. Throws Error (bad_input) for an unknown option or an invalid value.
void set_if_unset(Options& options, const Program& program, const std::string& name, const std::string& text);

/// Throws Error (bad_input) if a parsed option has an empty value, which usually comes from an unset shell variable.
void check_values(const CLI::App& app);

}  // namespace boltzmark
