#include "analysis/report/table_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "analysis/roofline/formulas.hpp"
#include "analysis/run/comparison_output.hpp"

namespace boltzmark {

Cell published_cell(std::optional<double> value) {
  if (!value) return {"-", ""};
  return fmt::format("{}", *value);
}

Cell steps_cell(const Measurement& measurement) {
  const int steps = measurement.problem->steps;
  const std::string of =
      measurement.is_scaled() ? fmt::format(" of {}", measurement.standard->iterations) : std::string();
  return {std::to_string(steps) + of, std::to_string(steps)};
}

std::string type_words(const std::string& device_type) {
  if (device_type.empty()) return "device of unknown type";
  std::string words = device_type;
  if (words == "cpu" || words == "gpu")
    for (char& c : words) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return words;
}

Cell device_cell(const ComparisonRow& row) {
  if (row.device.empty()) return {"-", ""};
  return plain_device(row.device);
}

std::optional<double> seconds_of(const SecondsByProblem& seconds, const std::string& problem) {
  const auto at = seconds.find(problem);
  return at == seconds.end() ? std::nullopt : std::optional(at->second);
}

Ratios ratios_of(std::optional<double> published_seconds, const Hardware& hardware,
                 const Measurement* measured, const Results& results, ReportTable& table) {
  Ratios ratios{number_cell({}, 3), number_cell({}, 3)};
  if (!published_seconds || !measured) return ratios;
  ratios.plain = number_cell(speed_ratio(*published_seconds, measured->seconds), 3);
  const std::string device = plain_device(measured->row->device);
  const auto bandwidth = device_bandwidth(results, *measured->row);
  if (!bandwidth) {
    table.note(fmt::format(
        "{}: no ratio at equal bandwidth: no STREAM run and no peaks of this device are among the results.",
        device));
    return ratios;
  }
  if (!hardware.stream_gb_per_s) return ratios;
  ratios.scaled = number_cell(bandwidth_scaled_ratio(*published_seconds, *hardware.stream_gb_per_s,
                                                     measured->seconds, bandwidth->gb_per_s),
                              3);
  table.note(fmt::format("At equal bandwidth: {} GB/s of the {} against {} GB/s of {} ({}).",
                         *hardware.stream_gb_per_s, hardware.name, significant(bandwidth->gb_per_s, 4),
                         device, bandwidth->how));
  return ratios;
}

void note_tuned(const ComparisonRow* row, ReportTable& table) {
  if (row && !row->tuned.empty()) table.note(tuned_line(*row) + '.');
}

void note_scaling(const Measurement* measured, ReportTable& table) {
  if (measured && measured->is_scaled())
    table.note(
        "\"600 of 80000\" steps: the seconds of a run of other length, in proportion to the published "
        "number of steps.");
}

}  // namespace boltzmark
