// Segmented sum as the runner sees it: each run computes the sums of the same array, and each must be exact.
#include "common/base/eighths.h"
#include "common/run/workload_of.hpp"
#include "common/segments/reducer.hpp"

namespace boltzmark::segments {
namespace {

class SegmentedSum final : public WorkloadOf<Reducer> {
 public:
  explicit SegmentedSum(const Program& program)
      : WorkloadOf(program, "segments", "arrays",
                   {.usual = 10, .always_warms_up = true, .restarts = false, .warm_ups = 5}) {}

  void add_options(WorkloadOptions& options) override {
    options.add("LENGTH", shape_.length, fmt::format("elements of a segment; default: {}", shape_.length))
        .range(1, most_elements);
    options
        .add("ELEMENTS", elements_,
             fmt::format("elements of the array, rounded down to whole segments; default: {}", elements_))
        .range(1, most_elements);
  }

  void load(const Options&, const Team&) override {
    shape_.segments = elements_ / shape_.length;
    if (shape_.segments < 1)
      throw bad_input("LENGTH: expected at most the {} elements of the array, found {}", elements_, shape_.length);
  }
  std::string size() const override { return fmt::format("{}x{}", shape_.length, shape_.segments); }
  void init(const Options&, Team&) override { made_->init(shape_); }

  void check(const Options&, Team& team, bool) override {
    const double error = largest_error(
        made_->part(), [this](std::int64_t at, std::span<double> sums) { made_->read(at, sums); },
        [&](std::int64_t segment) {
          auto number = static_cast<unsigned int>((made_->first() + segment) * shape_.length);  // of the element
          return [this, number]() mutable {
            std::int64_t eighths = 0;
            for (std::int64_t i = 0; i < shape_.length; ++i) eighths += eighths_at(number++);
            return 0.125 * static_cast<double>(eighths);
          };
        });
    judge({{"sums", team.largest(error)}}, 0.0, Extent::all_of(shape_.segments));
  }

  void fill(Record& record) const override {
    WorkloadOf::fill(record);
    record.case_.extent = {shape_.length, shape_.segments};
    fill_moved(record, static_cast<double>(shape_.elements()), bytes_held(), 1.0);
    const nlohmann::json& settings = record.settings;
    if (settings.contains("segments_per_wavefront"))
      record.metrics.push_back(
          {"segments_per_wavefront", "segments", settings["segments_per_wavefront"].get<double>()});
  }

  std::string case_lines(const Record&) const override {
    return fmt::format("arrays:\t\t{} segments of {} elements, {:.4g} MiB\n", shape_.segments, shape_.length,
                       bytes_held() / (1 << 20));
  }

 private:
  /// Bytes of the values and of one sum per segment.
  double bytes_held() const override {
    return value_bytes_ * (static_cast<double>(shape_.elements()) + static_cast<double>(shape_.segments));
  }
  void add_traffic(RunFacts& facts) const override {
    facts.fetched_per_update = value_bytes_ / static_cast<double>(shape_.length);
  }
  void compute() override { made_->reduce(); }

  Shape shape_ = {.segments = 1, .length = 32};
  std::int64_t elements_ = std::int64_t{1} << 22;
};

}  // namespace

const WorkloadEntry workload = {"Segmented sums", workload_for<SegmentedSum>};

}  // namespace boltzmark::segments
