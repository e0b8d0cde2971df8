// One machine in a dozen lines and one number, from the rows of figures.csv and from the peaks.
#pragma once

#include <array>

#include "analysis/roofline/rows.hpp"
#include "analysis/roofline/tables.hpp"
#include "analysis/store/store.hpp"

namespace boltzmark {

/// The standard problems, by their case names.
inline constexpr std::array standard_problems = {"128x128", "128x256", "256x256", "1024x1024"};

/// Its ends are those of the median's interval (seconds_low, seconds_high of figures.csv); of peaks, whose figure is
/// the roof, the slowest and the fastest repetition. Both are the median if there was one round: no interval.
struct MachineFigure {
  std::string name, unit;
  Spread value;
  std::string by = {};  ///< which program or device: "openmp wavefront 1x2"
  Rows rows = {};       ///< whose figure it is; none of peaks
};

/// The one number for a machine: the harmonic mean, over the four standard problems, of the MLUPS of the fastest right
/// run in that precision, which is the rate of equally many updates in each; of any model, variant, device and number
/// of steps, by the median of its seconds (half storage, which may deviate by more than the precision, does not count).
/// The interval is from the same mean of the low ends of the four rates to that of their high ends: as if all rates
/// were off in the same direction, so it is rather too wide than too narrow. None if a problem has no right run.
std::optional<Spread> machine_mean(const std::vector<Row>& rows, const std::string& precision);

/// STREAM's fastest triad among right rows, of the longest arrays: shorter ones may be in a cache. nullptr without any.
const Row* fastest_triad(const Rows& right, const std::string& precision);

/// The fastest right run, among all variants or those in which models are compared; nullptr if there is none.
const Row* fastest_run(const std::vector<Row>& rows, const std::string& problem, const std::string& precision,
                       bool like_for_like);

/// All existing figures in which two machines can be compared.
std::vector<MachineFigure> machine_figures(const Results& results, const std::vector<Row>& rows);

/// For each precision, the rates of the standard problems with their bounds: of the same algorithm, and the best.
TableData summary_table(const std::vector<Row>& rows);

/// The dozen lines, and that table.
std::string summary_text(const Results& results, const std::vector<Row>& rows, int width);

struct Machine {
  std::string name;
  std::vector<MachineFigure> figures;
};

/// `name` is the place of the results. The rows must outlive it.
Machine machine_of(const std::string& name, const Results& results, const std::vector<Row>& rows);

/// 1 or 2 where the rows of A, or of B, are faster; else 0.
using JudgeRows = std::function<int(const Rows& a, const Rows& b)>;
/// Common figures side by side, with the winner and its margin: as its rows are judged; of peaks the one whose range is
/// above the other's. Figures of only one machine are counted.
std::string comparison_of(const Machine& a, const Machine& b, const JudgeRows& judge, int width);

}  // namespace boltzmark
