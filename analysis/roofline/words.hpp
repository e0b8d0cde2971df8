// Numbers and names as tables and pages write them, in UTF-8.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/roofline/rows.hpp"

namespace boltzmark {

/// Those that are not empty.
std::string join_not_empty(std::vector<std::string> texts, std::string_view between = " ");

/// A count with digits in groups of three.
std::string grouped(double count);
/// Without needless zeros: 0.1, 20, 1000, 2e+06; whole numbers from 10 000 on in groups of three.
std::string plain_number(std::optional<double> value);
/// "83 %", below 10 % "8.3 %".
std::string percent(double share);
/// Share of a roof; ">100 %" above it.
std::string share_words(double share);

/// "openmp-target" of openmp_target.
std::string model_words(std::string model);
/// A grid with its proper sign, 128 x 256; for a large array its number of elements, "33.6 M elements".
std::string problem_words(const std::string& case_name);
/// "Intel Xeon 8259CL": a device's name without the parts common to its kind, cut in the middle to that many
/// characters.
std::string device_text(const std::string& device, std::size_t length = 34);
inline std::string plain_device(const std::string& device) { return device_text(device, device.size()); }
/// "not available here"; "not checked" or "right" if it ended well.
std::string state_words(const Row& row);

/// Variant and setting: "fused 32x4"; for a part also its name.
std::string variant_words(const Row& row);
/// Ranks by threads, "2x4"; "-" if the device decides; "2 ranks" for a run with an unknown number of threads.
std::string workers_words(const Row& row);
/// "openmp fused 32x4 2x4": model, the words above, and the workers if known.
std::string program_words(const Row& row);
/// The processor, or the device.
std::string device_of(const Row& row);
/// "openmp fused: timeout (round 2): because".
std::string status_words(const Row& row);
/// The distinct values, each with its models if there are several.
std::string by_model(const std::vector<std::pair<std::string, std::string>>& model_and_value);

/// "openmp-target fused 32x4": model, variant and setting.
std::string who_words(const Row& row);
/// "1204 MLUPS".
std::string rate_words(const Row& row);
/// Reason why a run was not made, in the same words for the same reason.
std::string reason_words(const Row& row);

}  // namespace boltzmark
