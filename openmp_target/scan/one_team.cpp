// One team: its threads go along the array together, tile by tile, of which each has a part that its second-level cache
// holds. Values come from memory once, in one region.
//
//     my sum = sum of my part;   barrier;   scan my part, from the tiles before + sums of the threads before me
#include "common/scan/scanner.hpp"

#include "openmp_target/runtime/target_arrays.hpp"

#include "common/scan/cpu/vectors.hpp"  // behind what declares its vectors for devices

namespace boltzmark::openmp_target {
namespace {

template <class T>
class OneTeam : public TargetArrays<scan::Scanner, T> {
 public:
  using TargetArrays<scan::Scanner, T>::TargetArrays;

  void init(std::int64_t elements) override {
    expect_processor("one-team", this->device_);
    elements_ = elements;
    this->launch_over(elements);
    this->make_arrays(elements, elements, 2 * line * this->launch_.threads);
  }

  void scan() override {
    const T* const values = this->values_.data();
    T *const sums = this->results_.data(), *const sums_of_threads = this->parts_.data();
    LaunchRecord* const record = this->record_.data();
    const int device = this->launch_.device, threads = this->launch_.threads;
    const std::int64_t elements = elements_, of_thread = tile_bytes / sizeof(T);
#pragma omp target teams is_device_ptr(values, sums, sums_of_threads, record) device(device) num_teams(1) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, 1, threads);
      const int me = omp_get_thread_num();
      T before = 0;  // all tiles so far
      int turn = 0;
      for (std::int64_t tile = 0; tile < elements; tile += of_thread * threads, turn = 1 - turn) {
        const auto at = [&](int thread) { return std::min(elements, tile + of_thread * thread); };
        const Range mine = {at(me), at(me + 1)};
        T* const of_turn = sums_of_threads + turn * line * threads;  // two in turn: one barrier a tile is enough
        of_turn[me * line] = sum_of(values + mine.begin, mine.size());
#pragma omp barrier
        T start = before;
        for (int thread = 0; thread < threads; ++thread) {
          if (thread == me) start = before;
          before += of_turn[thread * line];
        }
        scan::scan_range(values, sums, mine, start);
      }
    }
    ++this->regions_;
    this->confirm();
  }

  scan::Passes passes() const override { return {.tile_bytes = double(tile_bytes) * this->launch_.threads}; }
  std::int64_t part() const override { return elements_; }

 private:
  static constexpr std::int64_t tile_bytes = 128 << 10;  ///< of a thread
  static constexpr int line = 64 / sizeof(T);            ///< so that no two threads store to one
  std::int64_t elements_ = 0;
};

}  // namespace

extern const scan::Variant one_team = like_for_like_of<scan::Scanner, OneTeam>(
    "one-team", "for processors: each tile is summed, then scanned from the caches");

}  // namespace boltzmark::openmp_target
