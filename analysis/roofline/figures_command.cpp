#include "analysis/roofline/figures_command.hpp"

#include "analysis/roofline/columns.hpp"
#include "analysis/roofline/comparison_text.hpp"
#include "common/base/files.hpp"
#include "common/base/print.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) {
  AtomicFile whole(file);
  whole.write(text);
  whole.commit();
}

}  // namespace

fs::path figures_folder(const fs::path& results) {
  if (!fs::is_regular_file(results)) return results;
  return fs::path(results).replace_extension(".report");
}

std::vector<Row> write_figures(const fs::path& results_path, const fs::path& folder) {
  const Results results = read_results(results_path);
  std::string complaints;
  for (const std::string& complaint : results.complaints) {
    print_warning("boltzmark", complaint);
    complaints += clean_utf8(complaint) + '\n';
  }
  std::vector<Row> rows = make_rows(results);
  const auto peaks = results.peaks ? make_peak_rows(*results.peaks) : std::vector<PeakRow>();
  prepare_folder(folder);
  write(folder / "figures.csv", csv_of(figure_columns(), rows));
  write(folder / "peaks.csv", csv_of(peak_columns(), peaks));
  write(folder / "complaints.txt", complaints);
  return rows;
}

int figures_command(const FiguresOptions& options) {
  if (options.describe) {
    print_text(stdout, describe_columns(table_width()));
    return 0;
  }
  const fs::path folder = options.out.empty() ? figures_folder(options.results) : options.out;
  const std::size_t rows = write_figures(options.results, folder).size();
  print("Figures: {} ({}; peaks.csv, complaints.txt beside it)\n", (folder / "figures.csv").string(),
        counted(static_cast<std::int64_t>(rows), "row"));
  return 0;
}

}  // namespace boltzmark
