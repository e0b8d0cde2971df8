// Rows in the formats of other tools, and `boltzmark figures`.
#include <fmt/core.h>

#include <cctype>
#include <numeric>

#include "analysis/compare/comparison.hpp"
#include "analysis/machines/machines.hpp"
#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/commands.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/print.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

/// "lbm/1024x1024/20000/f32/openmp/fused/1x2": identifies a row, as one word.
std::string name_of(const Row& row) {
  const Record& record = *row.record;
  std::string name;
  for (const std::string& part :
       {row.key.workload, row.case_name, std::to_string(row.steps()), row.key.precision, row.key.model, row.variant,
        row.setting, row.part, record.device_type == "cpu" ? "" : plain_device(row.device), workers_words(row)})
    if (!part.empty() && part != "-") name += (name.empty() ? "" : "/") + part;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && std::string_view("/._-+=,").find(c) == std::string_view::npos)
      c = '_';
  return name;
}

json google_benchmark(const Results& results, const Rows& rows) {
  json caches = json::array(), all = json::array();
  if (results.peaks)
    for (const CacheLevel& cache : results.peaks->processor.caches)
      caches.push_back({{"type", "Unified"},
                        {"level", parse_number<int>(cache.name.substr(1)).value_or(0)},
                        {"size", cache.bytes},
                        {"num_sharing", cache.cores}});
  json context = {{"date", ""},    {"host_name", ""},  {"executable", "boltzmark"},
                  {"num_cpus", 0}, {"caches", caches}, {"load_avg", json::array()}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = *rows[i];
    const Provenance& at = row.record->provenance;
    context.update(
        {{"date", at.date}, {"host_name", at.host}, {"num_cpus", at.cores}, {"library_version", at.version}});
    const std::string name = name_of(row);
    for (std::size_t round = 0; round < row.round_seconds.size(); ++round) {
      const double seconds = row.round_seconds[round];
      all.push_back({{"name", name},
                     {"run_name", name},
                     {"family_index", i},
                     {"per_family_instance_index", 0},
                     {"run_type", "iteration"},
                     {"repetitions", row.round_seconds.size()},
                     {"repetition_index", round},
                     {"threads", row.workers()},
                     {"iterations", 1},
                     {"real_time", 1e6 * seconds},
                     {"cpu_time", 1e6 * seconds},  // not measured
                     {"time_unit", "us"},
                     {"bytes_per_second", row.work.bytes / seconds},
                     {"items_per_second", row.work.updates / seconds}});
    }
  }
  return {{"context", context}, {"benchmarks", all}};
}

json bencher(const Rows& rows) {
  json all = json::object();
  for (const Row* row : rows) {
    const Spread& time = row->time_interval;
    json latency = {{"value", 1e9 * time.median}}, throughput = {{"value", row->work.updates / time.median}};
    if (time.minimum < time.maximum) {
      latency.update({{"lower_value", 1e9 * time.minimum}, {"upper_value", 1e9 * time.maximum}});
      throughput.update(
          {{"lower_value", row->work.updates / time.maximum}, {"upper_value", row->work.updates / time.minimum}});
    }
    all[name_of(*row)] = {{"latency", latency}, {"throughput", throughput}};
  }
  return all;
}

std::string babelstream_csv(const Rows& rows) {
  std::string text =
      "function,num_times,n_elements,sizeof,max_mbytes_per_sec,min_runtime,max_runtime,avg_runtime,model,variant,"
      "device,workers\n";
  for (const Row* row : rows) {
    if (row->key.workload != "stream" || row->part.empty()) continue;
    std::string function = row->part;
    function[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(function[0])));
    const auto times = static_cast<double>(row->seconds.size());
    const double mean = std::accumulate(row->seconds.begin(), row->seconds.end(), 0.0) / times;
    text += fmt::format("{},{},{},{},{:.3f},{},{},{},{},{},{},{}\n", function, row->seconds.size(),
                        row->record->case_.extent.at(0), row->key.precision == "f64" ? 8 : 4,
                        1e-6 * row->work.bytes / row->time.minimum, row->time.minimum, row->time.maximum, mean,
                        csv_cell(row->key.model), csv_cell(join(words_in(row->variant + ' ' + row->setting), " ")),
                        csv_cell(row->device), row->workers());
  }
  return text;
}

}  // namespace

std::string figures_as(const std::string& format, const Results& results, const std::vector<Row>& rows) {
  const Rows right = right_of_plans(rows);
  if (format == babelstream) return babelstream_csv(right);
  return json_line(format == bmf ? bencher(right) : google_benchmark(results, right)) + '\n';
}

int figures_command(const FiguresOptions& options) {
  if (options.describe) {
    auto files = figure_files();
    for (const FileWords& file : machine_files()) files.push_back(file);
    files.push_back(comparison_words());
    print_text(stdout, options.json ? json_line(declared(files)) + '\n' : described(files, table_width()));
    return 0;
  }
  const Results results = read_results(options.results);
  const auto rows = make_rows(results);
  if (!options.format.empty()) {
    print_text(stdout, figures_as(options.format, results, rows));
    return 0;
  }
  const fs::path folder = options.out.empty() ? figures_folder(options.results) : options.out;
  write_figures(results, rows, folder);
  print("Figures: {} ({}; with peaks.csv, columns.json and complaints.txt)\n",
        one_line((folder / "figures.csv").string()), counted(std::ssize(rows), "row"));
  return 0;
}

}  // namespace boltzmark
