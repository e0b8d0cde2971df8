// Segmented sums in target regions.
//
//   textbook   one loop over segments, spread over teams and threads
//   vectors    the same with a vector along each segment; few segments are cut into parts, which a second region adds up
#include "common/segments/reducer.hpp"

#include "openmp_target/runtime/target_arrays.hpp"
#include "openmp_target/segments/variants.hpp"

namespace boltzmark::openmp_target {
namespace {

#pragma omp begin declare target
/// A function of its own: clang takes a local variable of a region for a GPU for one that no reduction may have.
template <class T>
KERNEL_FN T sum_of(const T* values, std::int64_t first, std::int64_t end) {
  T sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t i = first; i < end; ++i) sum += values[i];
  return sum;
}
#pragma omp end declare target

template <class T>
class TargetSegments : public segments::Reducer {
 public:
  TargetSegments(bool is_textbook, const OffloadDevice& device, std::optional<int> threads)
      : is_textbook_(is_textbook), device_(device), asked_threads_(threads) {}

  std::string shortage(double bytes) override {
    const std::string found = memory_shortage_on(device_, bytes);
    return found.empty() ? "" : found + " on " + device_.name();
  }

  void init(const segments::Shape& shape) override {
    shape_ = shape;
    constexpr std::int64_t wanted = 1 << 17, of_processor = 1 << 8, least = 1024;
    const std::int64_t pieces = device_.properties.is_gpu() ? wanted : of_processor;
    if (!is_textbook_)
      parts_ = std::max<std::int64_t>(1, std::min(pieces / shape.segments, shape.length / least));
    const Launch launch = launch_for(device_, asked_threads_, shape.segments * parts_);
    arrays_.emplace(device_, launch, shape.elements(), shape.segments, shape.segments * parts_);
  }

  void reduce() override {
    if (parts_ == 1) {
      add_up(arrays_->values(), shape_.segments, shape_.length, 1, arrays_->results());
    } else {
      add_up(arrays_->values(), shape_.segments, shape_.length, parts_, arrays_->parts());
      add_up(arrays_->parts(), shape_.segments, parts_, 1, arrays_->results());
    }
    arrays_->confirm();
  }

  std::int64_t part() const override { return shape_.segments; }
  void read(std::int64_t at, std::span<double> sums) override { arrays_->read(at, sums); }
  RunFacts facts() const override { return arrays_->facts(); }

 private:
  /// sums[segment * parts + part] of each part of each segment.
  void add_up(const T* values, std::int64_t segments, std::int64_t length, std::int64_t parts, T* sums) {
    LaunchRecord* const record = arrays_->record();
    const Launch launch = arrays_->launch();
    const int device = launch.device, teams = launch.teams, threads = launch.threads;
    const std::int64_t pieces = segments * parts;
    arrays_->count_regions(1);
    if (is_textbook_) {
#pragma omp target teams distribute parallel for is_device_ptr(values, sums, record) device(device) \
    num_teams(teams) thread_limit(threads) num_threads(threads)
      for (std::int64_t segment = 0; segment < pieces; ++segment) {
        if (segment == 0) record_launch(record, teams, threads);
        T sum = 0;
        for (std::int64_t i = 0; i < length; ++i) sum += values[segment * length + i];
        sums[segment] = sum;
      }
      return;
    }
#pragma omp target teams distribute parallel for is_device_ptr(values, sums, record) device(device) \
    num_teams(teams) thread_limit(threads) num_threads(threads)
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
      if (piece == 0) record_launch(record, teams, threads);
      const std::int64_t segment = piece / parts, part = piece % parts;
      const std::int64_t first = length * part / parts, end = length * (part + 1) / parts;
      sums[piece] = sum_of(values + segment * length, first, end);
    }
  }

  bool is_textbook_;
  OffloadDevice device_;
  std::optional<int> asked_threads_;
  segments::Shape shape_;
  std::int64_t parts_ = 1;
  std::optional<TargetArrays<T>> arrays_;
};

}  // namespace

std::unique_ptr<segments::Reducer> make_segments(const Options& options) {
  const OffloadDevice device = choose_device(options.text("device"));
  const auto threads = options.number("threads");
  const bool is_textbook = options.variant == "textbook";
  if (options.precision == Precision::f64)
    return std::make_unique<TargetSegments<double>>(is_textbook, device, threads);
  return std::make_unique<TargetSegments<float>>(is_textbook, device, threads);
}

}  // namespace boltzmark::openmp_target
