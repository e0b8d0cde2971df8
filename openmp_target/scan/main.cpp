// scan-openmp-target: prefix sums in target regions. Two variants here cut the array into blocks, one per thread and
// turn:
//
//     region 1   parts[block] = sum of the block's values
//     region 2   parts[block] = sum of the parts before it          one thread
//     region 3   sums[i] = parts[block] + values up to i            of each block
//
// Textbook: as many blocks as threads, in plain loops. Blocks: short ones, so that neighbouring threads are at work on
// neighbouring memory, and in vectors (common/scan/cpu/vectors.hpp).
#include "common/scan/scanner.hpp"

#include "openmp_target/runtime/target_arrays.hpp"

#include "common/scan/cpu/vectors.hpp"  // behind what declares its vectors for devices

namespace boltzmark::openmp_target {
namespace {

template <class T, bool is_textbook>
class TargetScanner : public TargetArrays<scan::Scanner, T> {
 public:
  using TargetArrays<scan::Scanner, T>::TargetArrays;

  void init(std::int64_t elements) override {
    elements_ = elements;
    const std::int64_t short_block = this->is_gpu() ? 256 : 16384;
    this->launch_over((elements + short_block - 1) / short_block);
    const std::int64_t all_threads = this->launch_.all_threads();
    block_ = is_textbook ? (elements + all_threads - 1) / all_threads : short_block;
    this->make_arrays(elements, elements, blocks());
  }

  void scan() override {
    const T* const values = this->values_.data();
    T *const sums = this->results_.data(), *const parts = this->parts_.data();
    LaunchRecord* const record = this->record_.data();
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
    const std::int64_t elements = elements_, length = block_, count = blocks();
#pragma omp target teams distribute parallel for is_device_ptr(values, parts, record) device(device) num_teams(teams) \
    thread_limit(threads) num_threads(threads)
    for (std::int64_t block = 0; block < count; ++block) {
      if (block == 0) record_launch(record, teams, threads);
      const std::int64_t end = elements < (block + 1) * length ? elements : (block + 1) * length;
      if constexpr (is_textbook) {
        T sum = 0;
        for (std::int64_t i = block * length; i < end; ++i) sum += values[i];
        parts[block] = sum;
      } else {
        parts[block] = sum_of(values + block * length, end - block * length);
      }
    }
#pragma omp target is_device_ptr(parts) device(device)
    {
      T before = 0;
      for (std::int64_t block = 0; block < count; ++block) {
        const T part = parts[block];
        parts[block] = before;
        before += part;
      }
    }
#pragma omp target teams distribute parallel for is_device_ptr(values, sums, parts, record) device(device) \
    num_teams(teams) thread_limit(threads) num_threads(threads)
    for (std::int64_t block = 0; block < count; ++block) {
      if (block == 0) record_launch(record, teams, threads);
      const std::int64_t end = elements < (block + 1) * length ? elements : (block + 1) * length;
      if constexpr (is_textbook) {
        T sum = parts[block];
        for (std::int64_t i = block * length; i < end; ++i) sums[i] = sum = sum + values[i];
      } else {
        scan::scan_range(values, sums, {block * length, end}, parts[block]);
      }
    }
    this->regions_ += 2;
  }

  scan::Passes passes() const override { return scan::sums_first; }
  std::int64_t part() const override { return elements_; }

 private:
  std::int64_t blocks() const { return (elements_ + block_ - 1) / block_; }

  std::int64_t elements_ = 0, block_ = 1;
};

template <class T>
using Textbook = TargetScanner<T, true>;
template <class T>
using Blocks = TargetScanner<T, false>;

// One team: its threads go along the array together, tile by tile, of which each has a part that its second-level cache
// holds. Values come from memory once, in one region.
//
//     my sum = sum of my part;   barrier;   scan my part, from the tiles before + sums of the threads before me
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

const scan::Variant textbook =
    textbook_of<scan::Scanner, Textbook>("one block per thread: sum the blocks, scan the sums, scan the blocks");
const scan::Variant blocks = {
    .name = "blocks", .summary = "the same with short blocks", .make = made_of<scan::Scanner, Blocks>};
const scan::Variant one_team = like_for_like_of<scan::Scanner, OneTeam>(
    "one-team", "for processors: each tile is summed, then scanned from the caches");

}  // namespace

extern const scan::Variant look_back;  // look_back.cpp

}  // namespace boltzmark::openmp_target

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp_target;
  return run_on_device(argc, argv, scan::workload, {&textbook, &blocks, &look_back, &one_team},
                       usual_by_device("look-back", "one-team"));
}
