// figures.csv and peaks.csv: each column is defined once, with its unit and its meaning.
#pragma once

#include <concepts>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "analysis/roofline/figures.hpp"
#include "analysis/support/table.hpp"
#include "common/base/text.hpp"

namespace boltzmark {

/// A row of peaks.csv: one figure, fact or note.
struct PeakRow {
  std::string of, type;   ///< "processor" or the device's name; "cpu", "gpu", "accelerator"
  std::string kind = {};  ///< "bandwidth", "compute", "launch", ...
  std::string level = {}, pattern = {}, precision = {};
  std::optional<bool> fma = {};
  std::optional<int> vector_bits = {}, cores = {};
  bool is_roof = false;  ///< drawn in a roofline chart
  std::optional<Spread> value = {};
  std::string unit = {};
  std::optional<std::int64_t> from_bytes = {}, to_bytes = {};
  std::optional<double> clock_ghz = {}, expected_gflop_per_s = {};
  std::string text = {};
  const Peaks* peaks = nullptr;  ///< that it is out of
};
/// `peaks` must outlive the rows.
std::vector<PeakRow> make_peak_rows(const Peaks& peaks);

/// A value as a CSV file has it: numbers as the shortest text that reads back the same, "" where there is none.
std::string csv_text(const nlohmann::json& value);
std::string csv_text(const std::string& text);
std::string csv_text(double number);
std::string csv_text(bool truth);
std::string csv_text(std::integral auto number) { return std::to_string(number); }
template <class T>
std::string csv_text(const std::optional<T>& value) {
  return value ? csv_text(*value) : "";
}

template <class R>
struct FigureColumn {
  /// `of` is a member of a row, or a function of it.
  template <class Of>
  FigureColumn(std::string its_description, Of of)
      : description(std::move(its_description)),
        name(description.substr(0, description.find_first_of(" :"))),
        value([of](const R& row) { return csv_text(std::invoke(of, row)); }) {}

  std::string description;  ///< "NAME (UNIT): meaning"; without a unit for words and for plain numbers
  std::string name;
  std::function<std::string(const R&)> value;
};

const std::vector<FigureColumn<Row>>& figure_columns();
const std::vector<FigureColumn<PeakRow>>& peak_columns();

/// The text with U+FFFD for what is not UTF-8, and a question mark for each control character.
std::string clean_utf8(const std::string& text);

/// RFC 4180 in UTF-8, lines ended by \n.
template <class R>
std::string csv_of(const std::vector<FigureColumn<R>>& columns, const std::vector<R>& rows) {
  std::vector<std::string> cells;
  for (const auto& column : columns) cells.push_back(column.name);
  std::string text = join(cells, ",") + '\n';
  for (const R& row : rows) {
    cells.clear();
    for (const auto& column : columns) cells.push_back(csv_cell(clean_utf8(column.value(row))));
    text += join(cells, ",") + '\n';
  }
  return text;
}

/// Every column of both files in lines of at most `width`.
std::string describe_columns(int width);

/// The folder that figures of these results go to unless another is named.
fs::path figures_folder(const fs::path& results);

/// Reads results and writes figures.csv, peaks.csv and complaints.txt; complains on standard error. The rows.
std::vector<Row> write_figures(const fs::path& results, const fs::path& folder);

}  // namespace boltzmark
