// Figures with a spread side by side: STREAM and peaks of two results.
#pragma once

#include <string>

#include "analysis/report/noise.hpp"
#include "analysis/report/report_table.hpp"
#include "analysis/report/results.hpp"

namespace boltzmark {

/// What was decided, in words: "B faster", "within noise", "cannot tell"; `more` is said of the side with the
/// larger figure.
std::string verdict_words(Verdict verdict, bool b_larger, const char* more);

/// GB/s of every STREAM kernel. Runs belong together by model, precision and type of device, then by workers,
/// array length and device where several are left.
ReportTable compare_streams(const Results& a, const Results& b);

/// Every peak of processor and devices; devices are numbered by type.
ReportTable compare_peaks(const Results& a, const Results& b);

}  // namespace boltzmark
