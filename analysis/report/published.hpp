// Published figures that the report sets beside our own: data with a source, kept in published.json
// (TABLES.md of this folder describes the file).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace boltzmark {

/// Version of published.json.
inline constexpr int published_format = 1;

/// Where figures were published.
struct Source {
  std::string id;                   ///< "A"
  std::string author, title, kind;  ///< kind: report, lecture, thesis, ...
  std::optional<int> year;          ///< where known

  /// "Rutterford, OpenCL Parallelism (University of Bristol report)".
  std::string citation() const;
};

/// What figures were measured on.
struct Hardware {
  std::string id, name, type;                 ///< type: "cpu" or "gpu"
  std::string details;                        ///< what the name does not say; may be empty
  std::optional<double> stream_gb_per_s;      ///< measured STREAM bandwidth
  std::optional<double> ridge_flop_per_byte;  ///< of its roofline

  /// "2 x Xeon E5-2670 (Intel, Sandy Bridge, 16 cores; STREAM 65 GB/s)".
  std::string description() const;
};

/// A problem that published figures are for, as its two input files have it.
struct StandardProblem {
  std::string name, digest;  ///< as in a run record
  int nx = 0, ny = 0, iterations = 0, reynolds_dim = 0;
  double density = 0.0, accel = 0.0, omega = 0.0;
  int fluid_cells = 0;
};

/// What a group of figures has in common.
struct Origin {
  std::string source;  ///< id of a source
  std::string part;    ///< of it: "Table I"
};

using SecondsByProblem = std::map<std::string, double>;  ///< by name of the problem; all its iterations

/// STREAM kernels in two models on one device.
struct PublishedStream {
  struct Kernel {
    std::string name;
    double first_seconds = 0.0, second_seconds = 0.0;
    double slower_percent = 0.0;  ///< the second than the first, as printed: 100 (1 - first/second)
  };
  Origin origin;
  std::string hardware, first_model, second_model;
  std::vector<Kernel> kernels;
};

/// Optimisation steps of one model on one device, each on top of the one before.
struct PublishedSteps {
  struct Step {
    std::string name, variant, changes;  ///< variant: what the step is called as a variant of our model
    SecondsByProblem seconds;
  };
  Origin origin;
  std::string hardware, model;
  std::vector<Step> steps;
};

/// Seconds of one model on one device.
struct PublishedRun {
  std::string label, model, hardware;
  std::string remark;  ///< may be empty
  SecondsByProblem seconds;
};
struct PublishedRuns {
  Origin origin;
  std::vector<PublishedRun> runs;
};

/// Bandwidth and FLOP rate of models on one problem.
struct PublishedRates {
  struct Row {
    std::string label, model, hardware;
    double flops_per_update = 0.0;  ///< that its intensity is made from
    double gb_per_s = 0.0, gflop_per_s = 0.0, flop_per_byte = 0.0;
  };
  Origin origin;
  std::string problem;
  std::vector<Row> rows;
};

/// Run times over work-group sizes.
struct PublishedWorkGroups {
  struct Point {
    std::string hardware, remark;
    int x = 0, y = 0;
    std::optional<double> seconds;  ///< where a number was given
  };
  Origin origin;
  std::string problem, model;
  std::vector<Point> points;
};

/// A figure that nothing of ours stands beside yet.
struct PublishedFigure {
  std::string source, group, what;
  std::string hardware;  ///< "" where not named
  double value = 0.0;
  std::string unit, remark;
};

struct Published {
  std::vector<Source> sources;
  std::vector<Hardware> hardware;
  std::vector<StandardProblem> problems;
  PublishedStream stream;
  PublishedSteps steps;
  PublishedRuns models;
  PublishedRates rates;
  PublishedWorkGroups work_groups;
  std::vector<PublishedRuns> best_times;
  std::vector<PublishedFigure> figures;

  /// By id; there is one for every id in here.
  const Source& source(const std::string& id) const;
  const Hardware& device(const std::string& id) const;
  const StandardProblem& problem(const std::string& name) const;
  /// "Table I of Rutterford, OpenCL Parallelism (University of Bristol report)".
  std::string citation(const Origin& origin) const;
};

/// Reads published.json. Throws Error (bad_input) "FILE: WHERE: expected ..., found ..." for anything
/// missing, unknown, twice there, or of the wrong type or size.
Published read_published(const std::filesystem::path& file);

}  // namespace boltzmark
