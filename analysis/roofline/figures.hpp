// The one table of figures, figures.csv, a line per row: its columns, each defined once; and peaks.csv likewise.
#pragma once

#include <concepts>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "analysis/roofline/rows.hpp"
#include "common/base/ranges.hpp"

namespace boltzmark {

/// A row of peaks.csv, one figure, fact or note: an object by names of columns; missing values are "".
using PeakRow = nlohmann::json;
std::vector<PeakRow> make_peak_rows(const Peaks& peaks);

/// The compiler of a run's kernels when it started: the OpenCL driver, NVRTC or hiprtc; "" for the host compiler.
std::string kernels_by(const Record& record);

/// A value for a CSV file: numbers as the shortest text that reads back the same, "" for a missing one, texts without
/// quotes.
std::string csv_text(const nlohmann::json& value);

/// A member or function of a value, if there is a value.
template <class T, class Of>
auto if_any(const std::optional<T>& value, Of of) {
  return value ? std::optional(std::invoke(of, *value)) : std::nullopt;
}

enum class ColumnType { text, number, flag, list, object };  ///< the last two as JSON
inline constexpr ColumnType numeric = ColumnType::number;

/// The type of a column with such cells.
template <class T>
inline constexpr ColumnType column_type = std::same_as<T, bool>             ? ColumnType::flag
                                          : std::is_arithmetic_v<T>         ? ColumnType::number
                                          : std::same_as<T, nlohmann::json> ? ColumnType::object
                                                                            : ColumnType::text;
template <class T>
inline constexpr ColumnType column_type<std::optional<T>> = column_type<T>;
template <class T>
inline constexpr ColumnType column_type<std::vector<T>> = ColumnType::list;

/// Declaration of a column: once, for every file, table, text and page.
struct ColumnWords {
  /// `description`: "NAME (UNIT): meaning"; without a unit for words, plain numbers and JSON.
  ColumnWords(std::string its_description, ColumnType its_type);

  std::string description, name, unit, meaning;
  ColumnType type;
};
void to_json(nlohmann::json& to, const ColumnWords& from);

template <class R>
struct FigureColumn : ColumnWords {
  /// `of` is a member of a row, or a function of it.
  template <class Of>
  FigureColumn(std::string its_description, Of of)
      : FigureColumn(std::move(its_description), column_type<std::decay_t<std::invoke_result_t<Of, const R&>>>,
                     [of](const R& row) { return nlohmann::json(std::invoke(of, row)); }) {}
  FigureColumn(std::string its_description, ColumnType its_type, std::function<nlohmann::json(const R&)> its_cell)
      : ColumnWords(std::move(its_description), its_type), cell(std::move(its_cell)) {}
  /// The member of this name, where a row is an object.
  FigureColumn(std::string its_description,
               ColumnType its_type = ColumnType::text) requires std::same_as<R, nlohmann::json>
      : ColumnWords(std::move(its_description), its_type),
        cell([of = name](const R& row) { return row.value(of, nlohmann::json()); }) {}

  std::string value(const R& row) const { return csv_text(cell(row)); }

  std::function<nlohmann::json(const R&)> cell;  ///< null if there is none
};

template <class R>
using FigureColumns = std::vector<FigureColumn<R>>;

const FigureColumns<Row>& figure_columns();
/// Columns that divide its speed-up; columns of scaling; columns of messages between ranks.
FigureColumns<Row> factor_columns();
FigureColumns<Row> scaling_columns();
FigureColumns<Row> network_columns();
const FigureColumns<PeakRow>& peak_columns();
/// A file of figures: the subject of a row, and its columns.
struct FileWords {
  std::string file, row;
  std::vector<ColumnWords> columns;

  template <class R>
  FileWords(std::string its_file, std::string its_row, const FigureColumns<R>& its_columns)
      : file(std::move(its_file)), row(std::move(its_row)), columns(its_columns.begin(), its_columns.end()) {}
};
/// figures.csv and peaks.csv.
std::vector<FileWords> figure_files();
/// Every column of these files in lines of at most `width`.
std::string described(const std::vector<FileWords>& files, int width);
/// The same as JSON: by the files' names lists of name, unit, type and meaning; and the file next to them that has it.
nlohmann::json declared(const std::vector<FileWords>& files);
inline constexpr const char* columns_file = "columns.json";
void write_columns(const std::vector<FileWords>& files, const fs::path& folder);

/// A cell for a CSV file, in quotes if necessary. U+FFFD replaces invalid UTF-8, a question mark each control
/// character.
std::string csv_cell(const std::string& text);

/// RFC 4180 in UTF-8, lines ended by \n.
template <class R>
std::string csv_of(const FigureColumns<R>& columns, const std::vector<R>& rows) {
  std::string text = joined(columns, ",", &FigureColumn<R>::name) + '\n';
  for (const R& row : rows)
    text += joined(columns, ",", [&row](const auto& column) { return csv_cell(column.value(row)); }) + '\n';
  return text;
}

/// The default folder for figures of these results.
fs::path figures_folder(const fs::path& results);

/// Writes figures.csv, peaks.csv, columns.json and complaints.txt. `rows`: of these results.
void write_figures(const Results& results, const std::vector<Row>& rows, const fs::path& folder);

}  // namespace boltzmark
