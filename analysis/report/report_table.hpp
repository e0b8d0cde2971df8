// A table of the report, ready to be written in any form.
#pragma once

#include <string>
#include <vector>

#include "analysis/support/table.hpp"

namespace boltzmark {

struct ReportTable {
  std::string id;               ///< "table-1", a file name without ending
  std::string title;            ///< "Table I. STREAM, OpenCL against OpenMP target"
  std::string caption;          ///< what is measured and how to read it: a sentence or two
  std::string source;           ///< of the published figures
  std::vector<Column> columns;  ///< headers with units
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> notes;  ///< what is missing and why, what was scaled
};

}  // namespace boltzmark
