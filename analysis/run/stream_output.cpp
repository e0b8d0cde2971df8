#include "analysis/run/stream_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/run/comparison_output.hpp"
#include "analysis/run/launcher.hpp"
#include "analysis/support/json_reader.hpp"
#include "analysis/support/table.hpp"
#include "common/run/record.hpp"
#include "common/stream/stream.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

constexpr const char* heading = "STREAM: GB/s at the shortest execution of each kernel";

/// The member of a record's list `kernels` with this name, nullptr without.
const json* kernel_in(const json& record, const std::string& name) {
  if (!record.is_object() || !record.contains("kernels")) return nullptr;
  for (const json& kernel : record["kernels"])
    if (text_at(kernel, "/name") == name) return &kernel;
  return nullptr;
}

void add_record(const json& record, StreamRow& row) {
  row.run.device = text_at(record, "/device", row.run.device);
  row.run.threads = static_cast<int>(number_at(record, "/threads").value_or(row.run.threads));
  row.run.ranks = static_cast<int>(number_at(record, "/ranks").value_or(row.run.ranks));
  row.elements = static_cast<std::int64_t>(number_at(record, "/elements").value_or(0.0));
  row.bytes_per_array = number_at(record, "/bytes_per_array").value_or(0.0);
  for (std::size_t number = 0; number < stream_kernels.size(); ++number) {
    const json* const kernel = kernel_in(record, stream_kernels[number].name);
    if (!kernel) continue;
    StreamFigures& figures = row.kernels[number];
    figures.bytes = number_at(*kernel, "/bytes").value_or(0.0);
    if (!kernel->contains("seconds")) continue;
    for (const json& seconds : kernel->at("seconds"))
      if (seconds.is_number() && seconds.get<double>() > 0.0)
        figures.seconds.push_back(seconds.get<double>());
  }
}

void add_entry(const RunEntry& entry, StreamRow& row) {
  ComparisonRow& run = row.run;
  if (entry.status > run.status || run.worst_round == 0) {
    run.status = entry.status;
    run.reason = entry.reason;
    run.worst_round = entry.key.round;
  }
  if (entry.record.is_object()) add_record(entry.record, row);
}

/// Options that tell a row from others. How often is no such thing: stream_csv gives the number.
std::string setting_of(std::vector<std::string> options, const std::string& build) {
  const auto repeat = std::find(options.begin(), options.end(), "--repeat");
  if (options.end() - repeat >= 2) options.erase(repeat, repeat + 2);
  if (!build.empty()) options.push_back(build);
  return join_words(options);
}

StreamRow first_row(const RunKey& key) {
  StreamRow row;
  row.run.model = key.model;
  row.run.setting = setting_of(key.options, key.build);
  row.run.threads = key.threads;
  row.run.ranks = key.ranks;
  row.precision = key.precision;
  row.kernels.resize(stream_kernels.size());
  return row;
}

Table table_of(const std::vector<StreamRow>& rows) {
  std::vector<Column> columns = {{"model"},
                                 {"device", Align::left, true},
                                 {"ranks x\nthreads", Align::right},
                                 {"precision"},
                                 {"MiB an\narray", Align::right}};
  for (const StreamKernel& kernel : stream_kernels) columns.push_back({kernel.name, Align::right});
  columns.push_back({"status"});
  Table table(columns);
  for (const StreamRow& row : rows) {
    const ComparisonRow& run = row.run;
    std::vector<Cell> cells = {run.setting.empty() ? run.model : run.model + ' ' + run.setting,
                               run.device.empty() ? "-" : plain_device(run.device), workers_of(run),
                               row.precision,
                               row.elements > 0 ? significant(row.bytes_per_array / (1 << 20), 4) : "-"};
    for (const StreamFigures& figures : row.kernels) {
      const auto rate = figures.gb_per_s();
      cells.push_back(rate ? significant(*rate, 4) : "-");
    }
    cells.push_back(to_string(run.status));
    table.add_row(std::move(cells));
  }
  return table;
}

/// Why rows are not right, one line each.
std::vector<std::string> notes_of(const std::vector<StreamRow>& rows) {
  std::vector<std::string> notes;
  for (const StreamRow& row : rows) {
    const ComparisonRow& run = row.run;
    if (run.status == RunStatus::ok) continue;
    const std::string round = run.worst_round > 1 ? fmt::format(" (round {})", run.worst_round) : "";
    notes.push_back(
        fmt::format("{} {}: {}{}: {}", run.model, row.precision, to_string(run.status), round, run.reason));
  }
  return notes;
}

}  // namespace

std::optional<double> StreamFigures::gb_per_s() const {
  if (seconds.empty()) return {};
  return 1e-9 * bytes / *std::min_element(seconds.begin(), seconds.end());
}

std::optional<double> StreamFigures::gb_per_s_median() const {
  if (seconds.empty()) return {};
  return 1e-9 * bytes / median(seconds);
}

std::vector<StreamRow> make_stream_rows(const std::vector<RunEntry>& entries) {
  std::vector<StreamRow> rows;
  std::map<std::string, std::size_t> position;
  for (const RunEntry& entry : entries) {
    const auto [at, is_new] = position.try_emplace(entry.key.configuration(), rows.size());
    if (is_new) rows.push_back(first_row(entry.key));
    add_entry(entry, rows[at->second]);
  }
  return rows;
}

std::optional<double> stream_gb_per_s(const json& record, const std::string& kernel) {
  const json* const found = kernel_in(record, kernel);
  return found ? number_at(*found, "/gb_per_s") : std::nullopt;
}

std::string stream_text(const std::vector<StreamRow>& rows, int width) {
  if (rows.empty()) return "";
  std::string text = fmt::format("\n{}\n{}\n", heading, table_of(rows).text(width));
  const auto notes = notes_of(rows);
  for (const auto& note : notes) text += "  " + note + '\n';
  if (!notes.empty()) text += '\n';
  return text;
}

std::string stream_markdown(const std::vector<StreamRow>& rows) {
  if (rows.empty()) return "";
  std::string text = fmt::format("\n## {}\n\n{}\n", heading, table_of(rows).markdown());
  for (const auto& note : notes_of(rows)) text += "- " + note + '\n';
  return text;
}

std::string stream_csv(const std::vector<StreamRow>& rows) {
  std::vector<Column> columns;
  for (const char* header : {"model", "setting", "precision", "device", "ranks", "threads", "elements",
                             "kernel", "bytes", "executions", "min_seconds", "median_seconds", "max_seconds",
                             "gb_per_s", "gb_per_s_median", "status", "reason"})
    columns.push_back({header});
  Table table(columns);
  const auto number = [](double value) { return fmt::format("{:.9g}", value); };
  for (const StreamRow& row : rows)
    for (std::size_t k = 0; k < row.kernels.size(); ++k) {
      const StreamFigures& figures = row.kernels[k];
      const ComparisonRow& run = row.run;
      std::vector<Cell> cells = {run.model,
                                 run.setting,
                                 row.precision,
                                 run.device,
                                 std::to_string(run.ranks),
                                 std::to_string(run.threads),
                                 std::to_string(row.elements),
                                 stream_kernels[k].name,
                                 number(figures.bytes),
                                 std::to_string(figures.seconds.size())};
      if (figures.seconds.empty())
        cells.insert(cells.end(), 5, "");
      else
        cells.insert(cells.end(), {number(*std::min_element(figures.seconds.begin(), figures.seconds.end())),
                                   number(median(figures.seconds)),
                                   number(*std::max_element(figures.seconds.begin(), figures.seconds.end())),
                                   number(*figures.gb_per_s()), number(*figures.gb_per_s_median())});
      cells.insert(cells.end(), {to_string(run.status), run.reason});
      table.add_row(std::move(cells));
    }
  return table.csv();
}

}  // namespace boltzmark
