// The tables of runs: as the user of a terminal reads them, a table for every case, and those of a page.
#pragma once

#include <string>
#include <vector>

#include "analysis/roofline/tables.hpp"
#include "analysis/store/store.hpp"

namespace boltzmark {

struct Row;

/// How often the intervals of these rows have what they are of, by rounds; "" where none has several.
std::string interval_words(const std::vector<Row>& rows);

/// Intervals, devices, machine and builds of all rows, a line each.
std::string footer(const std::vector<Row>& rows, int width);

/// A table for every case with its notes, without what a tuner tried. No line is wider than `width`, from 80 on, but
/// one of a single longer word.
std::string comparison_text(const std::vector<Row>& rows, int width);

/// Of a row what the column of this name has, in figures.csv or in tables alone.
nlohmann::json cell_of(const Row& row, const std::string& name);

/// Of results all that a page and its files have. A run's id is "run-N", N its row of figures.csv from 1 on.
std::vector<TableData> run_tables(const std::vector<Row>& rows);

/// What opens below a run: "why", and "parts", headings with names and texts.
nlohmann::json run_details(const Row& row);

/// What the speed-up of the fastest of each model on a processor is made of.
TableData factor_table(const std::vector<Row>& rows);

/// What a peak is of, but for its cores: "L2 copy", "f32 FMA 512 bits".
std::string peak_words(const nlohmann::json& peak);
/// Of peaks.csv the figures that can be set side by side, with these words as "what".
std::vector<nlohmann::json> rated_peaks(const std::vector<nlohmann::json>& peaks);
/// All of them.
TableData peak_table(const std::vector<nlohmann::json>& peaks);
/// What filled() makes of a row's figures; of those of all rows of plans, each text once.
std::string row_words(const Row& row, const std::string& pattern);
std::vector<std::string> distinct_texts(const std::vector<Row>& rows, const std::string& pattern);
/// Machine and build: names, and several texts to a name.
nlohmann::json machine_facts(const std::vector<Row>& rows, const std::vector<nlohmann::json>& peaks);

}  // namespace boltzmark
