// Cells and notes that several tables of published and measured figures have in common.
#pragma once

#include <optional>
#include <string>

#include "analysis/report/measured.hpp"
#include "analysis/report/report_table.hpp"

namespace boltzmark {

/// A published number as it was printed, "-" where there is none.
Cell published_cell(std::optional<double> value);

/// Steps that were run: "80000", or "600 of 80000" where the seconds are in proportion.
Cell steps_cell(const Measurement& measurement);

/// "GPU" for "gpu".
std::string type_words(const std::string& device_type);

/// The device that a run was on, its name without what says nothing; "-" where it did not run.
Cell device_cell(const ComparisonRow& row);

/// The published seconds of a problem, if any.
std::optional<double> seconds_of(const SecondsByProblem& seconds, const std::string& problem);

/// For the caption of a table with such ratios.
inline constexpr const char* how_ratios_are_made =
    "Ratios are published over measured: above 1 we are faster. At equal bandwidth: (published seconds x "
    "published STREAM bandwidth) / (our seconds x our STREAM triad), which says little of a grid that fits a "
    "cache.";

/// Published over measured, and that scaled by bandwidth; each "-" where something for it is missing.
struct Ratios {
  Cell plain, scaled;
};
/// Notes at the table which bandwidth a device was scaled with, or that there is none.
Ratios ratios_of(std::optional<double> published_seconds, const Hardware& hardware,
                 const Measurement* measured, const Results& results, ReportTable& table);

/// Columns of the text and the number kind.
inline Column left(std::string header, bool shrinks = false) {
  return {std::move(header), Align::left, shrinks};
}
inline Column right(std::string header) { return {std::move(header), Align::right}; }

/// Notes which tuned options a run took by itself; nothing for nullptr.
void note_tuned(const ComparisonRow* row, ReportTable& table);

/// Notes how seconds of shortened runs are made, when the table has such.
void note_scaling(const Measurement* measured, ReportTable& table);

}  // namespace boltzmark
