// The published tables with our own figures beside them.
#pragma once

#include <vector>

#include "analysis/report/published.hpp"
#include "analysis/report/report_table.hpp"
#include "analysis/report/results.hpp"

namespace boltzmark {

/// Table I: STREAM in two models on the same type of device, a block for each device and precision.
ReportTable stream_table(const Results& results, const Published& published);

/// Table II: seconds of each optimisation step, a block for each of our devices.
ReportTable step_table(const Results& results, const Published& published);

/// Table III: seconds of each model on each grid, like for like and with its best variant.
ReportTable model_table(const Results& results, const Published& published);

/// Table IV: bandwidth, FLOP rate and operational intensity by the published formulas.
ReportTable rate_table(const Results& results, const Published& published);

/// Seconds over work-group sizes, out of the runs that were given one (published: Fig. 2).
ReportTable work_group_table(const Results& results, const Published& published);

/// Seconds and rates of everything that was run, grid by grid, beside the best published times.
ReportTable grid_table(const Results& results, const Published& published);

/// Efficiency over ranks or threads, and the share of time in halo exchanges; without rows where nothing was
/// run on several numbers of them.
ReportTable scaling_table(const Results& results);

/// Seconds in the builds that a plan named, compiler beside compiler; without rows where there are no such
/// runs.
ReportTable compiler_table(const Results& results);

/// Published figures that stand in none of the other tables.
ReportTable other_figures_table(const Published& published);

/// All of these, in this order (those of scaling and compilers only with rows in them). What is missing is
/// "-" with a note that says why; nothing that was run is left out of all tables.
std::vector<ReportTable> make_tables(const Results& results, const Published& published);

}  // namespace boltzmark
