// Our runs as they can be set beside published ones.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/report/published.hpp"
#include "analysis/report/results.hpp"

namespace boltzmark {

/// The standard problem that was solved, or nullptr. It is known by its digest; without that by its name, its
/// parameters and how many cells are fluid; where nothing ran by its name alone.
const StandardProblem* standard_problem(const ProblemComparison& problem, const Published& published);

/// A row of the comparison in seconds that can be compared: of all iterations, where the problem is a
/// standard one.
struct Measurement {
  const ProblemComparison* problem = nullptr;
  const StandardProblem* standard = nullptr;  ///< nullptr: another problem
  const ComparisonRow* row = nullptr;
  double seconds = 0.0;  ///< median; of a standard problem that of a run of all iterations, in proportion

  /// Whether fewer or more steps were run than published.
  bool is_scaled() const { return standard && problem->steps != standard->iterations; }
};

Measurement measure(const ProblemComparison& problem, const ComparisonRow& row,
                    const StandardProblem* standard);

/// All right runs in single precision of a standard problem. Results and published must outlive them.
std::vector<Measurement> measurements(const Results& results, const Published& published,
                                      const StandardProblem& standard);

/// All of them for the problems of the published optimisation steps, by name of the problem.
using MeasuredByProblem = std::map<std::string, std::vector<Measurement>>;
MeasuredByProblem step_measurements(const Results& results, const Published& published);

/// Devices that a model ran on, GPUs first: type and name.
std::vector<std::pair<std::string, std::string>> devices_of(const MeasuredByProblem& measured,
                                                            const std::string& model);

/// The run of one optimisation step on a device; nullptr when there is none.
const Measurement* step_run(const std::vector<Measurement>& all, const PublishedSteps& steps,
                            const PublishedSteps::Step& step, const std::string& device_type,
                            const std::string& device);

/// The fastest of those that fit, full runs before all others; nullptr when none fits.
const Measurement* fastest(const std::vector<Measurement>& all,
                           const std::function<bool(const ComparisonRow&)>& fits);

/// The best of those that fit: each variant by its fastest run, as above, and of these the fastest.
const Measurement* best_variant(const std::vector<Measurement>& all,
                                const std::function<bool(const ComparisonRow&)>& fits);

/// "cpu", "gpu" or "accelerator"; "" where the record does not say.
std::string device_type_of(const ComparisonRow& row);

/// The work-group of a row that was asked for, "32x4"; none where the model chose.
std::optional<std::string> wanted_work_group(const ComparisonRow& row);
/// What is left of a row's setting without the work-group that was asked for.
std::string other_options(const ComparisonRow& row);

/// What the memory of a run's device delivers to a STREAM triad.
struct DeviceBandwidth {
  double gb_per_s = 0.0;
  std::string how;  ///< where the figure is from: "triad of openmp, f32, 2 threads"
};

/// From our own STREAM runs on the device, in single precision where there are such, the fastest; without
/// any, from the peaks. A processor is one device whatever the models call it. A GPU that no STREAM run names
/// is taken to be the only one there is; with several there is no answer.
std::optional<DeviceBandwidth> device_bandwidth(const Results& results, const ComparisonRow& row);

/// Why runs in single precision are missing or wrong: one line a cause with its problems, of the rows that
/// `fits` takes (its problem is nullptr where it is no standard one).
std::vector<std::string> failures(
    const Results& results, const Published& published,
    const std::function<bool(const StandardProblem* problem, const ComparisonRow& row)>& fits);

}  // namespace boltzmark
