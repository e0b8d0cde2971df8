// `boltzmark tune`: finds the options with which a variant is fastest on a device and grid, and keeps them
// where the models look for them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace boltzmark {

/// What the user asked for.
struct TuneOptions {
  std::string workload = "lbm";
  std::vector<std::string> words;  ///< the case as the program takes it, or the name of a standard problem
  std::string model = "opencl";
  std::string device, variant;  ///< "" = the model's default
  std::string precision = "f32";
  std::optional<int> threads, ranks, steps;
  std::string shapes;  ///< "powers", "published" or a list; "" = powers, where there are work-groups
  std::vector<std::string> values;  ///< "NAME=v1,v2": what to try of an option
  std::vector<std::string> only;    ///< only these options; empty = all that the variant declares
  bool all = false;                 ///< the full product
  std::optional<double> budget_seconds;
  double time_limit_seconds = 60.0;  ///< of a process, with building its kernels
  std::filesystem::path results = "results";
  std::filesystem::path tuned;               ///< file to keep the best in; "" = where models look by default
  std::string launcher, launcher_arguments;  ///< as of `boltzmark run`
  bool fresh = false, quiet = false;
  std::string command_line;  ///< how to call again, for the user
};

/// Returns the exit status: 0 done, 1 some options gave a wrong result or none for another reason than that
/// they are not allowed, 130 or 143 stopped. Throws Error (bad_input, unavailable).
int tune_command(const TuneOptions& options);

}  // namespace boltzmark
