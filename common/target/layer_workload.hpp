// Common base of the layer's workloads: options, files of numbers, repeats, checks, records.
#pragma once

#include <climits>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/run/workload_of.hpp"
#include "common/target/layer.hpp"

namespace boltzmark::target {

/// Names and defaults of a workload.
struct About {
  const char* name;       ///< of its folder
  const char* size_help;  ///< meaning of SIZE: "bodies"
  std::string usual_size;
  std::size_t sides = 1;                   ///< numbers of SIZE
  bool is_one_for_both = false;            ///< one number may stand for two
  std::int64_t least = 1, most = INT_MAX;  ///< of each
  int usual_steps = 1;
  const char* steps_help = "time steps";
  const char* update = "update";  ///< unit of the count: "pair"
  const char* rate = "mups";      ///< the first metric, its unit, and the updates per second in one unit
  const char* unit = "Mupdates/s";
  double in_unit = 1e6;
  std::vector<std::string> methods = {};  ///< the first is the default
  const char* method_option = "--method";
  const char* method_help = "";
  std::vector<std::string> inputs = {};           ///< arrays that --input PREFIX must have
  std::vector<std::string> optional_inputs = {};  ///< optional arrays
  std::vector<std::string> outputs = {};          ///< results, which --output writes
};

/// Elements of a result that a check compares, in rising order: all of them, or, if there are more than `most`, one
/// drawn from each of `most` equal parts.
class Sample {
 public:
  Sample(std::int64_t all, std::int64_t most, std::uint32_t seed);
  std::int64_t size() const { return size_; }
  bool is_whole() const { return size_ == all_; }
  std::int64_t operator[](std::int64_t number) const;
  /// For elements that each represent several values of the result.
  Extent extent(std::int64_t of_each = 1) const;

 private:
  std::int64_t all_, size_;
  std::uint32_t seed_;
};

class LayerWorkload : public WorkloadOf<Run> {
 public:
  using Errors = std::vector<std::pair<std::string, double>>;
  struct Verdict {
    Errors errors;
    Extent extent;
  };

  LayerWorkload(const Program& program, About about);

  void add_options(WorkloadOptions& options) override;
  void load(const Options& asked, const Team& team) override;
  std::string size() const override;
  std::string default_variant(const Options& asked) const override;
  void prepare(const Options& asked, const Team& team) override;
  void init(const Options&, Team&) override { made_->init(problem_); }
  void expect_output() override;
  void collect(Team&) override { results_ = made_->results(); }
  void check(const Options& asked, Team& team, bool is_last) override;
  void write() override;
  void fill(Record& record) const override;
  std::string case_lines(const Record& record) const override;
  std::string closing_lines(const Record& record) const override;

 protected:
  /// Completes problem_, which has the requested size, steps, method and seed, and the arrays of --input as start.
  /// Throws Error (bad_input) for invalid sizes.
  virtual void complete() = 0;
  /// Makes the arrays of problem_.start that --input lacks. Called after the check that the run fits in memory.
  virtual void make_start() {}
  /// Updates of all steps.
  virtual double updates() const = 0;
  /// Deviations of the results from the reference; on the root. For all elements if `is_thorough` or if the reference
  /// takes at most about a second, else for a sample drawn by check_seed_.
  virtual Verdict errors(const Arrays& results, bool is_thorough) = 0;
  virtual double tolerance() const = 0;
  /// Double-precision numbers on the root: the start, all results, and those that errors() needs.
  struct HostNumbers {
    double start = 0.0, results = 0.0, reference = 0.0;
  };
  virtual HostNumbers host_numbers() const = 0;
  /// Results of interest to a user: "pi".
  virtual std::vector<Metric> figures(const Arrays&) const { return {}; }
  /// --image, if the workload has it.
  virtual void draw(const std::filesystem::path&, const Arrays&) const {}
  virtual bool can_draw() const { return false; }

  Problem problem_;
  const std::uint32_t check_seed_;  ///< another one in each run of a program

 private:
  void compute() override { made_->run(); }

  About about_;
  std::string size_;
  std::int64_t seed_ = 42;
  std::filesystem::path input_, output_, image_;
  std::string input_digest_;  ///< of the files of --input; "" without
  Arrays results_;
  std::optional<std::pair<std::uint64_t, Verdict>> verdict_;  ///< of the last results that were checked, by digest
};

/// Throws Error (bad_input) unless each array has this many numbers.
void expect_numbers(const Arrays& arrays, std::size_t count);

/// `count` uniform numbers in [0, 1), from draw number `first` of the generator on.
std::vector<double> random_numbers(const Problem& problem, std::int64_t first, std::int64_t count);

/// Largest difference of two arrays over the largest magnitude of the reference; infinite if one is NaN.
double largest_deviation(const std::vector<double>& found, const std::vector<double>& right);

}  // namespace boltzmark::target
