// The tables of runs: for a terminal, one for every case; and those of a page.
#pragma once

#include <string>
#include <vector>

#include "analysis/roofline/rows.hpp"
#include "analysis/roofline/tables.hpp"
#include "analysis/store/store.hpp"

namespace boltzmark {

struct PaperOptions;

/// Coverage of the intervals of these rows, by number of rounds; "" if none has several rounds.
std::string interval_words(const std::vector<Row>& rows);

/// "Noisy roofs, ...": the probes of a machine whose speed changed; "" if all roofs are steady.
std::string noise_words(const std::vector<Row>& rows);

/// Intervals, devices, machine and builds of all rows, a line each.
std::string footer(const std::vector<Row>& rows, int width);

/// A table with notes for every case, without a tuner's trials. No line is wider than `width` (at least 80), except one
/// with a single longer word.
std::string comparison_text(const std::vector<Row>& rows, int width);

/// Runs without their parts, a line each; on a terminal those of one case.
TableData case_table(const Rows& rows);

/// Parts of runs, such as the kernels of STREAM: a line for each run, a column for each part.
TableData parts_table(const Rows& rows);

/// All tables of a page and its files. A run's id is "run-N", N its row of figures.csv from 1 on.
std::vector<TableData> run_tables(const std::vector<Row>& rows);

/// Details of a run: "why", and "parts", headings with names and texts.
nlohmann::json run_details(const Row& row);

/// Rates, their intervals and bounds of the right rows by problem, the fastest first: the table of a paper. Of parts only
/// where there are no others.
TableData own_table(const std::vector<Row>& rows);

/// How many runs have which verdict, the most frequent first, and their shares.
TableData verdict_table(const std::vector<Row>& rows);

/// Factors of the speed-up of each model's fastest variant on a processor.
TableData factor_table(const std::vector<Row>& rows);

/// Published figures beside the runs that fit them, of these models and this problem if any are named; "sources": each
/// source's id and citation.
std::vector<TableData> published_tables(const std::vector<Row>& rows, const PaperOptions& chosen);
nlohmann::json published_sources();

/// Name of a peak without its cores: "L2 copy", "f32 FMA 512 bits".
std::string peak_words(const nlohmann::json& peak);
/// The comparable figures of peaks.csv, with these words as "what".
std::vector<nlohmann::json> rated_peaks(const std::vector<nlohmann::json>& peaks);
/// "L2 1.00 MiB 2 of them, each shared by 1".
std::string capacity_words(const nlohmann::json& peak);
/// One table each for the processor, every device and the network.
std::vector<TableData> peak_tables(const std::vector<nlohmann::json>& peaks);
/// The result of filled() for a row's figures; for those of all rows of plans, each text once.
std::string row_words(const Row& row, const std::string& pattern);
std::vector<std::string> distinct_texts(const std::vector<Row>& rows, const std::string& pattern);
/// Machine and build: names, and several texts to a name.
nlohmann::json machine_facts(const std::vector<Row>& rows, const std::vector<nlohmann::json>& peaks);

}  // namespace boltzmark
