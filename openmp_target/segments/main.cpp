// segments-openmp-target: segmented sums in target regions.
//
//   textbook   one loop over segments, distributed over teams and threads
//   vectors    the same with a vector along each segment; a second region adds up the parts of few segments
#include "common/segments/reducer.hpp"

#include "openmp_target/runtime/target_arrays.hpp"

#include "common/cpu/vector_sum.hpp"  // behind what declares its vectors for devices

namespace boltzmark::openmp_target {
namespace {

#pragma omp begin declare target
/// A separate function, because clang rejects a local variable of a region for a GPU in a reduction.
template <class T>
KERNEL_FN T sum_of(const T* values, std::int64_t first, std::int64_t end) {
  T sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t i = first; i < end; ++i) sum += values[i];
  return sum;
}
#pragma omp end declare target

template <class T, bool is_textbook>
class TargetSegments : public TargetArrays<segments::Reducer, T> {
 public:
  using TargetArrays<segments::Reducer, T>::TargetArrays;

  void init(const segments::Shape& shape) override {
    shape_ = shape;
    constexpr std::int64_t wanted = 1 << 17, of_processor = 1 << 8, least = 1024;
    const std::int64_t most_parts = this->is_gpu() ? wanted : of_processor;
    if (!is_textbook)
      parts_of_segment_ = std::max<std::int64_t>(1, std::min(most_parts / shape.segments, shape.length / least));
    this->launch_over(shape.segments * parts_of_segment_);
    this->make_arrays(shape.elements(), shape.segments, shape.segments * parts_of_segment_);
  }

  void reduce() override {
    if (parts_of_segment_ == 1) {
      add_up(this->values_.data(), shape_.segments, shape_.length, 1, this->results_.data());
    } else {
      add_up(this->values_.data(), shape_.segments, shape_.length, parts_of_segment_, this->parts_.data());
      add_up(this->parts_.data(), shape_.segments, parts_of_segment_, 1, this->results_.data());
    }
  }

  std::int64_t part() const override { return shape_.segments; }

 private:
  /// sums[segment * parts + part] of each part of each segment.
  void add_up(const T* values, std::int64_t segments, std::int64_t length, std::int64_t parts, T* sums) {
    LaunchRecord* const record = this->record_.data();
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
    const std::int64_t all_parts = segments * parts;
    ++this->regions_;
    if constexpr (is_textbook) {
#pragma omp target teams distribute parallel for is_device_ptr(values, sums, record) device(device) num_teams(teams) \
    thread_limit(threads) num_threads(threads)
      for (std::int64_t segment = 0; segment < all_parts; ++segment) {
        if (segment == 0) record_launch(record, teams, threads);
        T sum = 0;
        for (std::int64_t i = 0; i < length; ++i) sum += values[segment * length + i];
        sums[segment] = sum;
      }
    } else {
#pragma omp target teams distribute parallel for is_device_ptr(values, sums, record) device(device) num_teams(teams) \
    thread_limit(threads) num_threads(threads)
      for (std::int64_t number = 0; number < all_parts; ++number) {
        if (number == 0) record_launch(record, teams, threads);
        const std::int64_t segment = number / parts, part = number % parts;
        const std::int64_t first = length * part / parts, end = length * (part + 1) / parts;
        sums[number] = sum_of(values + segment * length, first, end);
      }
    }
  }

  segments::Shape shape_;
  std::int64_t parts_of_segment_ = 1;
};

template <class T>
using Textbook = TargetSegments<T, true>;
template <class T>
using Vectors = TargetSegments<T, false>;

// One team: each thread sums its segments in vectors (sum_rows in common/cpu/vector_sum.hpp), or, if there are few, a
// part of every segment; one thread adds these up after a barrier.
template <class T>
class OneTeam : public TargetArrays<segments::Reducer, T> {
 public:
  using TargetArrays<segments::Reducer, T>::TargetArrays;

  void init(const segments::Shape& shape) override {
    expect_processor("one-team", this->device_);
    shape_ = shape;
    this->launch_over(shape.elements());
    this->make_arrays(shape.elements(), shape.segments, few * launch_.threads * launch_.threads);
  }

  void reduce() override {
    const T* const values = this->values_.data();
    T *const sums = this->results_.data(), *const parts = this->parts_.data();
    LaunchRecord* const record = this->record_.data();
    const std::int64_t segments = shape_.segments, length = shape_.length;
    const int device = launch_.device, threads = launch_.threads;
    const bool are_few = segments < few * threads;
#pragma omp target teams is_device_ptr(values, sums, parts, record) device(device) num_teams(1) thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, 1, threads);
      const int me = omp_get_thread_num();
      if (are_few) {
        const Range mine = part_of(length, me, threads);
        for (std::int64_t segment = 0; segment < segments; ++segment)
          parts[segment * threads + me] = boltzmark::sum_of(values + segment * length + mine.begin, mine.size());
#pragma omp barrier
        if (me == 0) sum_rows(parts, threads, sums, {0, segments});
      } else {
        sum_rows(values, length, sums, part_of(segments, me, threads));
      }
    }
    ++this->regions_;
    this->confirm();
  }

  std::int64_t part() const override { return shape_.segments; }

 private:
  static constexpr std::int64_t few = 8;  ///< segments per thread below which the shares are uneven
  using TargetArrays<segments::Reducer, T>::launch_;

  segments::Shape shape_;
};

const segments::Variant textbook = textbook_of<segments::Reducer, Textbook>("a loop over segments");
const segments::Variant vectors =
    like_for_like_of<segments::Reducer, Vectors>("vectors", "vectors along segments; a few long ones are divided");
const segments::Variant one_team = like_for_like_of<segments::Reducer, OneTeam>(
    "one-team", "for processors: segments divided over threads, in vectors; a few long ones are shared");

}  // namespace

extern const segments::Variant tiles;  // tiles.cpp

}  // namespace boltzmark::openmp_target

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp_target;
  return run_on_device(argc, argv, segments::workload, {&textbook, &vectors, &tiles, &one_team},
                       usual_by_device("tiles", "one-team"));
}
