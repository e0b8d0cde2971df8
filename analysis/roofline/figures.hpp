// The one table of figures, figures.csv, a line per row: its columns, each defined once; and peaks.csv likewise.
#pragma once

#include <concepts>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/roofline/rows.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {

/// A row of peaks.csv, one figure, fact or note: an object of the columns' names; what is not there is "".
using PeakRow = nlohmann::json;
std::vector<PeakRow> make_peak_rows(const Peaks& peaks);

/// A value as a CSV file has it: numbers as the shortest text that reads back the same, "" where there is none.
std::string csv_text(const nlohmann::json& value);
/// Of an object the value of this name, without quotes.
std::string csv_text(const nlohmann::json& object, const std::string& name);
std::string csv_text(const std::string& text);
std::string csv_text(double number);
std::string csv_text(bool truth);
std::string csv_text(std::integral auto number) { return std::to_string(number); }
template <class T>
std::string csv_text(const std::optional<T>& value) {
  return value ? csv_text(*value) : "";
}

/// A member or function of a value, where there is one.
template <class T, class Of>
auto if_any(const std::optional<T>& value, Of of) {
  return value ? std::optional(std::invoke(of, *value)) : std::nullopt;
}

template <class R>
struct FigureColumn {
  /// `of` is a member of a row, or a function of it.
  template <class Of>
  FigureColumn(std::string its_description, Of of)
      : description(std::move(its_description)),
        name(description.substr(0, description.find_first_of(" :"))),
        value([of](const R& row) { return csv_text(std::invoke(of, row)); }) {}
  /// The member of this name, where a row is an object.
  FigureColumn(std::string its_description) requires std::same_as<R, nlohmann::json>
      : description(std::move(its_description)),
        name(description.substr(0, description.find_first_of(" :"))),
        value([name = name](const R& row) { return csv_text(row, name); }) {}

  std::string description;  ///< "NAME (UNIT): meaning"; without a unit for words and for plain numbers
  std::string name;
  std::function<std::string(const R&)> value;
};

template <class R>
using FigureColumns = std::vector<FigureColumn<R>>;

const FigureColumns<Row>& figure_columns();
/// Those of them that are of a row among others with more or fewer workers, and of messages between ranks.
FigureColumns<Row> scaling_columns();
FigureColumns<Row> network_columns();
const FigureColumns<PeakRow>& peak_columns();
/// Their descriptions, in lines of at most `width`.
template <class R>
std::string described(const FigureColumns<R>& columns, int width) {
  std::string text;
  for (const auto& column : columns) text += wrapped(column.description, width, 4);
  return text;
}

/// A cell as a CSV file has it, in quotes where it must be. U+FFFD stands for what is not UTF-8, a question mark for
/// each control character.
std::string csv_cell(const std::string& text);

/// RFC 4180 in UTF-8, lines ended by \n.
template <class R>
std::string csv_of(const FigureColumns<R>& columns, const std::vector<R>& rows) {
  std::string text = joined(columns, ",", &FigureColumn<R>::name) + '\n';
  for (const R& row : rows)
    text += joined(columns, ",", [&row](const auto& column) { return csv_cell(column.value(row)); }) + '\n';
  return text;
}

/// Every column of both files in lines of at most `width`.
std::string describe_columns(int width);

/// The folder that figures of these results go to unless another is named.
fs::path figures_folder(const fs::path& results);

/// Reads results and writes figures.csv, peaks.csv and complaints.txt; complains on standard error. The rows.
std::vector<Row> write_figures(const fs::path& results, const fs::path& folder);

}  // namespace boltzmark
