// The models that were built, and what they say of themselves.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/support/signals.hpp"

namespace boltzmark {

/// A model as CMake wrote it into models.json beside the programs.
struct ModelProgram {
  std::string name;        ///< "openmp_target"
  std::string build = {};  ///< name of the plan's build that it is of; "" = the driver's own
  std::filesystem::path program;
  bool launcher = false;  ///< started through an MPI launcher
  std::string skipped;    ///< why it was not built and what to install, "" when it was
};

/// Reads FOLDER/models.json. Throws Error (bad_input).
std::vector<ModelProgram> read_models(const std::filesystem::path& folder);

/// The model of that name, or nullptr.
const ModelProgram* find_model(const std::vector<ModelProgram>& models, const std::string& name);

/// An option of the model's own that a variant takes. `values`: those there are, N standing for any number;
/// none for a flag.
struct ListedOption {
  std::string name;
  std::vector<std::string> values;
};

/// A line of --list-variants.
struct ListedVariant {
  std::string name;
  std::vector<std::string> precisions;
  std::string summary;
  std::vector<ListedOption> options = {};
};

/// A line of --list-devices.
struct ListedDevice {
  std::string number, type, name, details;
};

/// What a model can do, asked of the program itself.
struct Abilities {
  bool takes_threads = false, takes_device = false, takes_work_group = false, takes_tuned = false,
       has_stream = false;
  std::vector<ListedVariant> variants;

  /// Why this variant and precision cannot be had ("" as variant: the model's default), "" when they can.
  std::string lacks(const std::string& variant, const std::string& precision) const;
  /// The same for its STREAM kernels.
  std::string lacks_stream() const { return has_stream ? "" : "no STREAM kernels"; }
};

/// Runs the program with --help and --list-variants. Throws Error with what it says when it does not answer:
/// bad_input where it does not know the options, else unavailable.
Abilities ask_abilities(const ModelProgram& model, SignalWatch& signals);

/// Runs the program with --list-tunables, and with --device unless it is "": what common/tunables.hpp
/// describes. Throws as above, also when the answer is none.
nlohmann::json ask_tunables(const ModelProgram& model, const std::string& device, SignalWatch& signals);

/// Runs the program with --list-devices and other options, if any; throws as above.
std::vector<ListedDevice> ask_devices(const ModelProgram& model, const std::vector<std::string>& options,
                                      SignalWatch& signals);

/// The line in which a model says why it fails, out of its standard error: its own last line of that kind, or
/// the last line of all. "" when there is none.
std::string reason_in(const std::string& errors);

}  // namespace boltzmark
