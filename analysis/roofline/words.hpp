// Numbers and names as tables and pages write them, in UTF-8.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/roofline/rows.hpp"

namespace boltzmark {

/// Those that are not empty.
std::string join_not_empty(std::vector<std::string> texts, std::string_view between = " ");

/// A count in groups of three.
std::string grouped(double count);
/// "83 %", below 10 % "8.3 %".
std::string percent(double share);
/// Of a roof: of more than all of it ">100 %".
std::string share_words(double share);

/// "openmp-target" of openmp_target.
std::string model_words(std::string model);
/// A grid with its proper sign, 128 x 256; of a large array how many elements it has, "33.6 M elements".
std::string problem_words(const std::string& case_name);
/// A device's name without what all of its kind have in common, cut in the middle to that many characters.
std::string device_text(const std::string& device, std::size_t length = 34);
/// "not available here".
std::string state_words(RunStatus status);

/// "openmp-target fused 32x4": model, variant and setting.
std::string who_words(const Row& row);
/// "1204 MLUPS".
std::string rate_words(const Row& row);
/// "reuses cache": a bound in the field's words; "" where it is not known.
std::string bound_words(std::string bound);
/// "memory, 83 % of DRAM": what limits it; where the roof's interval or the rounds disagree both words.
std::string limit_words(const Row& row);
/// Why a run was not made, the same words for all that have the same reason.
std::string reason_words(const Row& row);
/// Its figures are to be measured again.
bool is_noisy(const Row& row);

}  // namespace boltzmark
