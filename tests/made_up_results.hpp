// Results of machines that do not exist, for what is made from results.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/published.hpp"
#include "analysis/report/report_table.hpp"
#include "analysis/report/results.hpp"

namespace boltzmark::testing {

/// The published figures that the suite ships.
const Published& shipped();

/// A run of a standard problem; a change of its fields is a run of another kind.
struct MadeUpRun {
  std::string model, variant, problem;
  std::vector<double> seconds;
  std::string type = "cpu", device = "Some(R) CPU @ 2 GHz";
  int steps = 0;  ///< 0: all
  int threads = 1, ranks = 1;
  std::string precision = "f32";
  std::string work_group = "";  ///< used
  bool asked = false;           ///< the work-group was asked for
  std::string host = "h", revision = "r";
  std::string build = "";            ///< the plan's name for it
  RunStatus status = RunStatus::ok;  ///< anything but ok and wrong leaves no record
};

RunEntry entry(const MadeUpRun& run);

/// STREAM at these GB/s in every kernel: the median, with the fastest and slowest a tenth away.
StreamResult stream(const std::string& model, const std::string& type, const std::string& device,
                    double gb_per_s, std::int64_t elements = 1 << 25);

Results results_of(const std::vector<MadeUpRun>& runs, std::vector<StreamResult> streams = {});

/// The texts of the row whose first cells are these; empty when there is none.
std::vector<std::string> row_of(const ReportTable& table, const std::vector<std::string>& first);

/// Whether a note has this in it.
bool has_note(const ReportTable& table, const std::string& part);

}  // namespace boltzmark::testing
