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

/// A count in groups of three.
std::string grouped(double count);
/// Without needless zeros: 0.1, 20, 1000, 2e+06; whole numbers from 10 000 on in groups of three.
std::string plain_number(std::optional<double> value);
/// "83 %", below 10 % "8.3 %".
std::string percent(double share);
/// Of a roof: of more than all of it ">100 %".
std::string share_words(double share);

/// "openmp-target" of openmp_target.
std::string model_words(std::string model);
/// A grid with its proper sign, 128 x 256; of a large array how many elements it has, "33.6 M elements".
std::string problem_words(const std::string& case_name);
/// "Intel Xeon 8259CL": a device's name without what all of its kind have in common, cut in the middle to that many
/// characters.
std::string device_text(const std::string& device, std::size_t length = 34);
inline std::string plain_device(const std::string& device) { return device_text(device, device.size()); }
/// "not available here"; of one that ended well "not checked" or "right".
std::string state_words(const Row& row);

/// Variant and setting: "fused 32x4"; of a part its name behind them.
std::string variant_words(const Row& row);
/// Ranks by threads, "2x4"; "-" where the device decides; "2 ranks" of a run that never said how many threads it has.
std::string workers_words(const Row& row);
/// "openmp fused 32x4 2x4": model, the words above and the workers where they are known.
std::string program_words(const Row& row);
/// The processor, or the device.
std::string device_of(const Row& row);
/// "openmp fused: timeout (round 2): because".
std::string status_words(const Row& row);
/// The distinct values, each with the models that it holds for where there are several.
std::string by_model(const std::vector<std::pair<std::string, std::string>>& model_and_value);

/// "openmp-target fused 32x4": model, variant and setting.
std::string who_words(const Row& row);
/// "1204 MLUPS".
std::string rate_words(const Row& row);
/// Why a run was not made, the same words for all that have the same reason.
std::string reason_words(const Row& row);

}  // namespace boltzmark
