#include "analysis/summary/summary_command.hpp"

#include "analysis/roofline/comparison_text.hpp"
#include "analysis/summary/summary.hpp"
#include "common/base/print.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

Results read(const fs::path& results_path) {
  Results results = read_results(results_path);
  for (const std::string& complaint : results.complaints) print_warning("boltzmark", complaint);
  return results;
}

Machine machine_of(const fs::path& results_path) {
  const Results results = read(results_path);
  return {results_path.string(), machine_figures(results, make_rows(results))};
}

}  // namespace

int summary_command(const SummaryOptions& options) {
  if (!options.compare.empty()) {
    const Machine a = machine_of(options.compare.at(0)), b = machine_of(options.compare.at(1));
    print_text(stdout, comparison_of(a, b, table_width()));
    return 0;
  }
  const Results results = read(options.results);
  print_text(stdout, summary_text(results, make_rows(results), table_width()));
  return 0;
}

}  // namespace boltzmark
