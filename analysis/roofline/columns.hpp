// The columns of figures.csv and peaks.csv: each is defined once, with its unit and its meaning.
#pragma once

#include <string>
#include <vector>

#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/peak_rows.hpp"

namespace boltzmark {

template <class R>
struct FigureColumn {
  const char* name;
  const char* unit;  ///< "" for words and for plain numbers
  const char* meaning;
  std::string (*value)(const R&);  ///< "" where there is none
};

const std::vector<FigureColumn<Row>>& figure_columns();
const std::vector<FigureColumn<PeakRow>>& peak_columns();

/// RFC 4180 in UTF-8, lines ended by \n. Numbers are the shortest text that reads back the same.
template <class R>
std::string csv_of(const std::vector<FigureColumn<R>>& columns, const std::vector<R>& rows);
extern template std::string csv_of(const std::vector<FigureColumn<Row>>&, const std::vector<Row>&);
extern template std::string csv_of(const std::vector<FigureColumn<PeakRow>>&, const std::vector<PeakRow>&);

/// Every column of both files, its unit and what it means, in lines of at most `width`.
std::string describe_columns(int width);

/// The text with U+FFFD for what is not UTF-8, and a question mark for each control character.
std::string clean_utf8(const std::string& text);

}  // namespace boltzmark
