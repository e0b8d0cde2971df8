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

const scan::Variant textbook = textbook_of<scan::Scanner, Textbook>(
    "one block per thread: sum the blocks, scan the "
    "sums, scan the blocks");
const scan::Variant blocks = {
    .name = "blocks", .summary = "the same with short blocks", .make = made_of<scan::Scanner, Blocks>};

}  // namespace

extern const scan::Variant look_back, one_team;  // each in the file of its name

}  // namespace boltzmark::openmp_target

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp_target;
  return run_on_device(argc, argv, scan::workload, {&textbook, &blocks, &look_back, &one_team},
                       usual_by_device("look-back", "one-team"));
}
