// Prefix sum as the runner sees it: each run computes the sums of the same array, and each must be exact.
#include <numeric>

#include "common/base/eighths.h"
#include "common/run/workload_of.hpp"
#include "common/scan/scanner.hpp"

namespace boltzmark::scan {
namespace {

class PrefixSum final : public WorkloadOf<Scanner> {
 public:
  explicit PrefixSum(const Program& program)
      : WorkloadOf(program, "scan", "two arrays",
                   {.usual = 10, .always_warms_up = true, .restarts = false, .warm_ups = 5}) {}

  void add_options(WorkloadOptions& options) override {
    options.add("ELEMENTS", elements_, fmt::format("elements of the array; default: {}", elements_))
        .range(1, most_elements);
  }
  std::string size() const override { return std::to_string(elements_); }
  void init(const Options&, Team&) override { made_->init(elements_); }

  void check(const Options&, Team& team, bool) override {
    if (before_.empty()) add_up();
    const double error = largest_error(
        made_->part(), [this](std::int64_t at, std::span<double> sums) { made_->read(at, sums); },
        [this](std::int64_t at) {
          Sums sums = sums_from(made_->first() + at);
          return [sums]() mutable { return 0.125 * static_cast<double>(sums.next()); };
        });
    judge({{"sums", team.largest(error)}}, 0.0, Extent::all_of(elements_));
  }

  void fill(Record& record) const override {
    WorkloadOf::fill(record);
    record.case_.extent = {elements_};
    fill_moved(record, static_cast<double>(elements_), bytes_held(), 1.0);
  }

  std::string case_lines(const Record&) const override {
    return fmt::format("arrays:\t\t{} values and their sums, {:.4g} MiB in all\n", elements_, bytes_held() / (1 << 20));
  }

 private:
  /// The right sums, in eighths.
  struct Sums {
    std::int64_t number, eighths;
    std::int64_t next() { return eighths += eighths_at(static_cast<unsigned int>(number++)); }
  };
  static constexpr std::int64_t block = 1 << 16;

  void add_up() {
    before_ = blocks_in_parallel(made_->first() + made_->part(), block, [](Range numbers) {
      Sums sums{numbers.begin, 0};
      while (sums.number < numbers.end) sums.next();
      return sums.eighths;
    });
    std::exclusive_scan(before_.begin(), before_.end(), before_.begin(), std::int64_t{0});
  }
  /// The first is that with this number.
  Sums sums_from(std::int64_t number) const {
    Sums sums{number / block * block, before_.at(static_cast<std::size_t>(number / block))};
    while (sums.number < number) sums.next();
    return sums;
  }

  double bytes_held() const override { return 2.0 * value_bytes_ * static_cast<double>(elements_); }
  void add_traffic(RunFacts& facts) const override {
    const auto [of_values, of_sums, has_buffer, tile_bytes] = made_->passes();
    const double buffers = has_buffer ? 1.0 : 0.0, fetched = facts.write_allocate ? 1.0 + buffers : 0.0;
    facts.traffic = {{"values and sums", bytes_held() * (1.0 + 0.5 * buffers),
                      value_bytes_ * (of_values + 2.0 * of_sums - 1.0 + 2.0 * buffers + fetched)}};
    if (tile_bytes > 0.0)
      facts.traffic.push_back({"tiles", std::min(tile_bytes, bytes_held() / 2.0), double(value_bytes_)});
  }
  void compute() override { made_->scan(); }

  std::int64_t elements_ = std::int64_t{1} << 22;
  std::vector<std::int64_t> before_;  ///< each block, up to the end of this rank's part
};

}  // namespace

const WorkloadEntry workload = {"Prefix sums", workload_for<PrefixSum>};

}  // namespace boltzmark::scan
