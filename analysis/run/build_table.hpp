// Compilers and flags side by side: the same run in several builds.
#pragma once

#include <string>
#include <vector>

#include "analysis/run/comparison.hpp"
#include "analysis/support/table.hpp"

namespace boltzmark {

/// What was run in the builds that a plan names. A row is a problem, a model, a variant and how it was
/// started; it has seconds for each build, and from the second build on the seconds of the first over these.
struct BuildTable {
  std::vector<std::string> builds;  ///< in the order in which they come in the comparison
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  ///< those in which some build is right
  std::vector<std::string> notes;       ///< compiler and flags of each build, by its records

  /// What is measured and how to read it, in one sentence or two.
  std::string caption() const;
};

/// Of several runs of one configuration, e.g. on two hosts, the first counts.
BuildTable make_build_table(const Comparison& comparison);

/// A heading, the table, and what the builds are; empty without rows.
std::string build_text(const BuildTable& builds, int width = 120);
std::string build_markdown(const BuildTable& builds);
/// The rows alone, unrounded.
std::string build_csv(const BuildTable& builds);

}  // namespace boltzmark
