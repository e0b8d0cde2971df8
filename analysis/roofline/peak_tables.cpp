// The measurements of a machine as tables, from the rows of peaks.csv: for a terminal and for a page.
#include <fmt/format.h>

#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/run_tables.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {

std::string peak_words(const json& peak) {
  const std::string operation = text_in(peak, "operation"), kind = text_in(peak, "kind");
  std::string arithmetic;
  if (kind == "compute" && (operation.empty() || operation == operation::multiply_add))
    arithmetic = peak.value("fma", false) ? "FMA" : "without FMA";
  else if (!operation.empty())
    arithmetic = join(split(operation, '-'), " ") + 's';
  const double bits = number_in(peak, "vector_bits").value_or(0.0);
  const bool is_named = !(text_in(peak, "level") + text_in(peak, "precision")).empty() && kind != "latency";
  return join_not_empty({text_in(peak, "level"), text_in(peak, "pattern"), text_in(peak, "precision"), arithmetic,
                         bits > 0.0 ? fmt::format("{:.0f} bits", bits) : "",
                         is_named ? "" : join(split(kind, '_'), " ")});
}

std::vector<json> rated_peaks(const std::vector<json>& peaks) {
  std::vector<json> rated;
  for (json peak : peaks)
    if (contains({"bandwidth", "compute", "latency", "launch", "launch_and_wait", "to_device", "from_device"},
                 text_in(peak, "kind"))) {
      peak["what"] = peak_words(peak);
      rated.push_back(std::move(peak));
    }
  return rated;
}

std::string capacity_words(const json& peak) {
  return join_not_empty(
      {text_in(peak, "level"), sized(static_cast<std::int64_t>(peak.value("median", 0.0))), text_in(peak, "text")});
}

namespace {

/// The roof (the median of a figure without one) in this unit, and the range of the repetitions, marked if the largest
/// is far above the roof.
std::pair<json, std::string> with_range(const json& peak, double factor) {
  constexpr double far = 1.25;
  const auto in_unit = [&](const char* name) { return factor * number_in(peak, name).value_or(0.0); };
  const double figure = factor * number_in(peak, "roof").value_or(number_in(peak, "median").value_or(0.0));
  return {figure, fmt::format("{}-{}{}", significant(in_unit("min"), 4), significant(in_unit("max"), 4),
                              in_unit("max") > far * figure ? "!" : "")};
}

/// For the processor or a device: one line per figure, one column per number of cores.
void add_rates(const std::vector<json>& peaks, TableData& table) {
  table.columns = {{"what", "figure"}, {"unit", "unit"}};
  ByName<json> lines;
  ByName<bool> columns;
  bool is_busy = false;
  for (const json& peak : rated_peaks(peaks)) {
    const bool is_time = text_in(peak, "unit") == "s", is_latency = text_in(peak, "kind") == "latency";
    const auto cores = static_cast<int>(number_in(peak, "cores").value_or(is_latency ? 1.0 : 0.0));
    const std::string column = cores > 0 && text_in(peak, "of") == "processor" ? counted(cores, "core") : "whole";
    const auto [figure, range] = with_range(peak, is_time ? 1e6 : 1.0);
    const std::string unit = is_time ? "us" : text_in(peak, "unit");
    json& line = lines[text_in(peak, "what") + unit];
    line.update({{"what", peak["what"]}, {"unit", unit}, {column, figure}, {column + " range", range}});
    columns[column] = true;
    is_busy |= range.ends_with('!');
  }
  for (const auto& [column, is_there] : columns) table.columns.push_back({column, column, "4", column + " range"});
  table.rows = each(lines, [](const auto& line) { return line.second; });
  if (is_busy)
    table.notes.emplace_back(
        "!: the fastest repetition is far above the roof, so the machine was busy; use --fresh on an idle machine");
}

/// A line that is farther from the measured messages gives no latency and no rate.
constexpr double most_residual = 0.5;

/// Lines that were fitted to messages; rates and reductions below.
void add_messages(const std::vector<json>& peaks, TableData& table) {
  table.columns = {{"level", "pairs"},
                   {"cores", "number", "whole"},
                   {"pattern", "way"},
                   {"sizes", "messages"},
                   {"latency", "latency\nus", "3"},
                   {"rate", "GB/s\nat most", "3"},
                   {"residual", "residual\n%", "tenths"}};
  for (json peak : peaks) {
    const std::string kind = text_in(peak, "kind");
    if (kind == "message_fit") {
      const auto size = [&peak](const char* name) { return sized(peak.value(name, std::int64_t{0})); };
      const double seconds_a_byte = peak.value("seconds_a_byte", 0.0);
      if (peak.value("residual", 0.0) > most_residual) {
        table.notes.push_back(fmt::format("{}, {}, {}, {} - {}: not measured (residual above {:.0f} %)",
                                          text_in(peak, "level"), counted(peak.value("cores", 0), "pair"),
                                          text_in(peak, "pattern"), size("from_bytes"), size("to_bytes"),
                                          100.0 * most_residual));
        continue;
      }
      peak.update({{"sizes", size("from_bytes") + " - " + size("to_bytes")},
                   {"latency", 1e6 * peak.value("latency_seconds", 0.0)}});
      if (seconds_a_byte > 0.0) peak["rate"] = 1e-9 / seconds_a_byte;
      table.rows.push_back(std::move(peak));
    } else if (kind == "message_rate" || kind == "allreduce") {
      const bool is_rate = kind == "message_rate";
      const auto [figure, range] = with_range(peak, is_rate ? 1e-6 : 1e6);
      const std::string words = fmt::format("{} ({})", significant(figure.get<double>(), 4), range);
      table.notes.push_back(is_rate
                                ? fmt::format("{}, {}: {} million messages per second from one to the other",
                                              text_in(peak, "level"), counted(peak.value("cores", 0), "pair"), words)
                                : fmt::format("allreduce of 8 B: {} us", words));
    }
  }
}

}  // namespace

std::vector<TableData> peak_tables(const std::vector<json>& peaks) {
  ByName<std::vector<json>> sides;
  for (const json& peak : peaks) sides[text_in(peak, "of")].push_back(peak);
  std::vector<TableData> tables;
  for (const auto& [of, some] : sides) {
    TableData& table = tables.emplace_back();
    table.id = fmt::format("peaks-{}", tables.size());
    table.section = "peaks";
    table.unit = "figure";
    std::vector<std::string> facts, sizes;
    for (const json& peak : some) {
      const std::string kind = text_in(peak, "kind");
      if (kind == "fact") facts.push_back(text_in(peak, "text"));
      if (kind == "memory" || kind == "cache") sizes.push_back(capacity_words(peak));
      if (kind == "note") table.notes.push_back(text_in(peak, "text"));
    }
    const bool is_network = of == "network";
    table.title = fmt::format("{}: {}",
                              is_network          ? "Network"
                              : of == "processor" ? "Processor"
                                                  : of,
                              join(facts, ", "));
    if (is_network)
      add_messages(some, table);
    else
      add_rates(some, table);
    if (!is_network)
      table.caption = fmt::format(
          "{}. Roofs: the best repetition that two others confirm within 3 %, and from the slowest "
          "to the fastest; of latencies, launches and copies the median.",
          join(sizes, "; "));
  }
  return tables;
}

}  // namespace boltzmark
