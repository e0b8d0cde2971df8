// One team: each thread sums its segments in vectors (sum_rows in common/cpu/vector_sum.hpp), or, if there are few, a
// part of every segment; one thread adds these up after a barrier.
#include "common/segments/reducer.hpp"

#include "openmp_target/runtime/target_arrays.hpp"

#include "common/cpu/vector_sum.hpp"  // behind what declares its vectors for devices

namespace boltzmark::openmp_target {
namespace {

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

}  // namespace

extern const segments::Variant one_team = like_for_like_of<segments::Reducer, OneTeam>(
    "one-team", "for processors: segments divided over threads, in vectors; a few long ones are shared");

}  // namespace boltzmark::openmp_target
