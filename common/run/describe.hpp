// A program's description of itself, for the driver, the tuner and the tests (--describe) and for people (--list-...).
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/run/json.hpp"
#include "common/run/program.hpp"
#include "common/run/workload.hpp"

namespace boltzmark {

inline constexpr int description_format = 2;

/// An option of the model.
struct OptionDescription {
  std::string name;
  std::vector<std::string> choices;          ///< permitted values; empty: any text, or a number
  std::optional<std::pair<int, int>> range;  ///< range of a whole number, ends included
  int step = 1;                              ///< of the numbers in the range
  bool is_flag = false;
  bool is_shape = false;                  ///< a work-group XxY
  std::vector<std::string> worth_trying;  ///< values for a tuner; empty: not tuned, or a shape
};
BOLTZMARK_JSON(OptionDescription)

struct VariantDescription {
  std::string name, summary;
  std::string role;                        ///< "textbook", "like-for-like", "peer" or ""
  std::vector<std::string> precisions;     ///< "f32", "f64"
  std::vector<OptionDescription> options;  ///< the model's options that it takes, with its own ranges
  std::vector<std::string> kinds;          ///< of cases, e.g. the lattice "D3Q19"; D2Q9 is always supported

  /// Its option of this name, or nullptr if it has none.
  const OptionDescription* option(const std::string& of_name) const;
};
BOLTZMARK_JSON(VariantDescription)

BOLTZMARK_JSON(Device)

/// One JSON object per program.
struct ProgramDescription {
  int format = description_format;
  std::string workload, model, program, summary;
  std::vector<std::string> takes;          ///< names of all options, including those of runner and workload
  std::vector<OptionDescription> options;  ///< the model's options: all that any variant takes
  std::vector<VariantDescription> variants;
  std::string default_variant;    ///< default variant; "": chosen by case, device or options
  std::vector<Device> devices;    ///< by number
  std::string no_devices;         ///< reason if there are none, else ""
  bool compiles_kernels = false;  ///< compiles kernels at run time and caches them, so the first run starts slowly
  nlohmann::json limits;          ///< of the device that the command line chooses, with its "name"; null: not tuned
};
BOLTZMARK_JSON(ProgramDescription)

inline std::string to_string(Role role) {
  constexpr std::array names = {"", "textbook", "like-for-like", "peer"};
  return names.at(static_cast<std::size_t>(role));
}

/// If devices cannot be listed, the description has the reason; that is not an error.
ProgramDescription describe(const Program& program, Workload& workload, const Options& options);

/// The lists for people: fields separated by tabs.
std::string variant_list(const Program& program);
/// Throws Error.
std::string device_list(const Program& program);

}  // namespace boltzmark
