// Comparison of many machines: the rates of each, and the performance portability of each model.
#pragma once

#include <string>
#include <vector>

#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/tables.hpp"

namespace boltzmark {

/// The results of one machine; the rows are of figures.csv.
struct MachineResults {
  std::string name;
  std::vector<Row> rows;
  std::optional<Peaks> peaks;
};

/// Three tables of objects, whose members machine_files() explains. A *platform* is a processor, or the GPUs of one
/// kind, of one machine. An *application* is a workload's case of one size in one precision, or a part of it; of STREAM
/// the triad. A model counts with its fastest right row, of any variant except peers and storage in lower precision;
/// shortened runs count, too.
struct MachineTables {
  std::vector<nlohmann::json> machines;    ///< a row per platform
  std::vector<nlohmann::json> efficiency;  ///< a row per application, model and platform where that model ran
  /// A row per application, model and set of platforms. The sets: all platforms on which any model ran the application,
  /// the processors among them, the GPUs.
  std::vector<nlohmann::json> portability;
  std::vector<std::string> left_out;  ///< machines without a right run, which are in none of these
};

/// Application efficiency: a rate over the best of any row on that platform. Architectural efficiency: the larger share
/// of roof and multiply-add rate, at most 1. Portability: their harmonic means over a set, 0 if a model has no right
/// run on one platform of it (S. J. Pennycook, J. D. Sewall and V. W. Lee, "Implications of a metric for performance
/// portability", 2019). In a cascade a model's platforms are in order, best first (J. Sewall, S. J. Pennycook, D.
/// Jacobsen, T. Deakin and S. McIntosh-Smith, "Interpreting and visualizing performance portability metrics", 2020).
MachineTables compare_machines(const std::vector<MachineResults>& machines);

/// Whether a machine's results are given as NAME=PATH.
bool has_name(const std::string& results);

/// `machines`: folders or files, each as NAME=PATH or PATH; those with the same name are one machine.
MachineTables read_machines(const std::vector<std::string>& machines);
/// Writes machines.csv, efficiency.csv and portability.csv, and the data for a page.
void write_machines(const MachineTables& tables, const fs::path& folder);

/// The three as they are read.
std::vector<TableData> tables_of(const MachineTables& all);

/// Contents of the three tables.
std::vector<FileWords> machine_files();

}  // namespace boltzmark
