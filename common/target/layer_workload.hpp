// What the classes of the layer's workloads have in common: options, files of numbers, repeats, checks, records.
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
  const char* size_help;  ///< what SIZE is: "bodies"
  std::string usual_size;
  std::size_t sides = 1;                   ///< numbers of SIZE
  bool is_one_for_both = false;            ///< of two: one number stands for both
  std::int64_t least = 1, most = INT_MAX;  ///< of each
  int usual_steps = 1;
  const char* steps_help = "time steps";
  const char* update = "update";  ///< what is counted: "pair"
  const char* rate = "mups";      ///< the first metric, its unit, and updates a second for one of them
  const char* unit = "Mupdates/s";
  double in_unit = 1e6;
  std::vector<std::string> methods = {};  ///< the first is the default
  const char* method_option = "--method";
  const char* method_help = "";
  std::vector<std::string> inputs = {};           ///< arrays that --input PREFIX must have
  std::vector<std::string> optional_inputs = {};  ///< and may have
  std::vector<std::string> outputs = {};          ///< results, which --output writes
};

/// Elements of a result that a check looks at, in rising order: all of them, or where these are more than `most`, one
/// that is drawn from each of as many equal parts.
class Sample {
 public:
  Sample(std::int64_t all, std::int64_t most, std::uint32_t seed);
  std::int64_t size() const { return size_; }
  bool is_whole() const { return size_ == all_; }
  std::int64_t operator[](std::int64_t number) const;
  /// Where an element stands for so many of the result.
  Extent extent(std::int64_t of_each = 1) const;

 private:
  std::int64_t all_, size_;
  std::uint32_t seed_;
};

/// Calls work(0) to work(count - 1) in any order on all processors that the process may use: for references, which are
/// never timed. `work` throws nothing.
void each_in_parallel(std::int64_t count, const std::function<void(std::int64_t)>& work);

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
  /// Completes problem_, whose size, steps, method and seed are what was asked for, and whose start is the arrays of
  /// --input. Throws Error (bad_input) for sizes that make no sense.
  virtual void complete() = 0;
  /// Makes what --input has not of problem_.start. Called once it is known that the run fits the memory.
  virtual void make_start() {}
  /// Updates of all steps.
  virtual double updates() const = 0;
  /// Deviations of the results from what is right; on the root. Of all elements if `is_thorough` or where the reference
  /// takes about a second at most, else of a share that is drawn by check_seed_.
  virtual Verdict errors(const Arrays& results, bool is_thorough) = 0;
  virtual double tolerance() const = 0;
  /// Numbers of double precision on the root: the start, all results, and what errors() needs.
  struct HostNumbers {
    double start = 0.0, results = 0.0, reference = 0.0;
  };
  virtual HostNumbers host_numbers() const = 0;
  /// What a user wants to know of the results: "pi".
  virtual std::vector<Metric> figures(const Arrays&) const { return {}; }
  /// --image, where the workload has one.
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

/// Throws Error (bad_input) unless each array has so many numbers.
void expect_numbers(const Arrays& arrays, std::size_t count);

/// `count` numbers, uniform in [0, 1): those of the generator from draw number `first` on.
std::vector<double> random_numbers(const Problem& problem, std::int64_t first, std::int64_t count);

/// Largest difference of two arrays over the largest magnitude of what is right; infinite where one is not a number.
double largest_deviation(const std::vector<double>& found, const std::vector<double>& right);

}  // namespace boltzmark::target
