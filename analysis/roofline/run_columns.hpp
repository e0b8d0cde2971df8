// The columns that tables of runs are made of, by name.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/roofline/rows.hpp"
#include "analysis/roofline/tables.hpp"
#include "analysis/store/store.hpp"

namespace boltzmark {

/// The value of a row in the column of this name, of figures.csv or only of tables.
nlohmann::json cell_of(const Row& row, const std::string& name);

/// Rows with columns of these names, separated by blanks: "model", "rate" and others of run_columns.cpp.
TableData table_of(const char* names, const Rows& rows);

/// Appended to a noisy figure; the notes below the table say how noisy.
std::string mark_of(const Row& row);

/// "±2%": the distance of the farther end of the median's interval.
std::string interval_note(const Row& row);

/// Whether the row was checked, or how much of it.
std::string extent_words(const Row& row);

bool has_any(const Rows& rows, bool (*fits)(const Row&));
Rows chosen(const Rows& rows, const std::function<bool(const Row&)>& fits);

}  // namespace boltzmark
