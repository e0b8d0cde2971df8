// Prefix sums in target regions. Both variants cut the array into blocks, one per thread and turn:
//
//     region 1   parts[block] = sum of the block's values
//     region 2   parts[block] = sum of the parts before it          one thread
//     region 3   sums[i] = parts[block] + values up to i            of each block
//
// Textbook: as many blocks as threads, in plain loops. Blocks: short ones, so that neighbouring threads are at work on
// neighbouring memory, and in vectors (common/scan/vectors.hpp).
#include "common/scan/scanner.hpp"

#include "openmp_target/runtime/target_arrays.hpp"
#include "openmp_target/scan/variants.hpp"

#include "common/scan/vectors.hpp"  // behind what declares its vectors for devices

namespace boltzmark::openmp_target {
namespace {

template <class T>
class TargetScanner : public scan::Scanner {
 public:
  TargetScanner(bool is_textbook, const OffloadDevice& device, std::optional<int> threads)
      : is_textbook_(is_textbook), device_(device), asked_threads_(threads) {}

  std::string shortage(double bytes) override {
    const std::string found = memory_shortage_on(device_, bytes);
    return found.empty() ? "" : found + " on " + device_.name();
  }

  void init(std::int64_t elements) override {
    elements_ = elements;
    const std::int64_t short_block = device_.properties.is_gpu() ? 256 : 16384;
    Launch launch = launch_for(device_, asked_threads_, (elements + short_block - 1) / short_block);
    block_ = is_textbook_ ? (elements + launch.all_threads() - 1) / launch.all_threads() : short_block;
    arrays_.emplace(device_, launch, elements, elements, blocks());
  }

  void scan() override {
    const T* const values = arrays_->values();
    T *const sums = arrays_->results(), *const parts = arrays_->parts();
    LaunchRecord* const record = arrays_->record();
    const Launch launch = arrays_->launch();
    const int device = launch.device, teams = launch.teams, threads = launch.threads;
    const std::int64_t elements = elements_, length = block_, count = blocks();
    const bool is_textbook = is_textbook_;
#pragma omp target teams distribute parallel for is_device_ptr(values, parts, record) device(device) \
    num_teams(teams) thread_limit(threads) num_threads(threads)
    for (std::int64_t block = 0; block < count; ++block) {
      if (block == 0) record_launch(record, teams, threads);
      const std::int64_t end = elements < (block + 1) * length ? elements : (block + 1) * length;
      if (is_textbook) {
        T sum = 0;
        for (std::int64_t i = block * length; i < end; ++i) sum += values[i];
        parts[block] = sum;
      } else {
        parts[block] = scan::sum_of_stretch(values, {block * length, end});
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
      if (is_textbook) {
        T sum = parts[block];
        for (std::int64_t i = block * length; i < end; ++i) sums[i] = sum = sum + values[i];
      } else {
        scan::scan_stretch(values, sums, {block * length, end}, parts[block]);
      }
    }
    arrays_->count_regions(2);
    arrays_->confirm();
  }

  std::int64_t part() const override { return elements_; }
  void read(std::int64_t at, std::span<double> sums) override { arrays_->read(at, sums); }
  RunFacts facts() const override { return arrays_->facts(); }

 private:
  std::int64_t blocks() const { return (elements_ + block_ - 1) / block_; }

  bool is_textbook_;
  OffloadDevice device_;
  std::optional<int> asked_threads_;
  std::int64_t elements_ = 0, block_ = 1;
  std::optional<TargetArrays<T>> arrays_;
};

}  // namespace

std::unique_ptr<scan::Scanner> make_scanner(const Options& options) {
  const OffloadDevice device = choose_device(options.text("device"));
  const auto threads = options.number("threads");
  const bool is_textbook = options.variant == "textbook";
  if (options.precision == Precision::f64)
    return std::make_unique<TargetScanner<double>>(is_textbook, device, threads);
  return std::make_unique<TargetScanner<float>>(is_textbook, device, threads);
}

}  // namespace boltzmark::openmp_target
