#include "common/stream/stream_record.hpp"

#include <algorithm>

#include "common/record.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

json kernel_of(const StreamOutcome& result, std::size_t number) {
  const StreamKernel& kernel = stream_kernels[number];
  const StreamTimes& times = result.kernels[number];
  const auto flops = static_cast<double>(kernel.flops) * static_cast<double>(result.elements);
  return {{"name", kernel.name},
          {"bytes", kernel.bytes(result.elements, result.value_bytes())},
          {"bytes_with_write_allocate", result.bytes_moved(number)},
          {"flops", static_cast<std::int64_t>(flops)},
          {"seconds", times.seconds},
          {"min_seconds", times.least()},
          {"median_seconds", times.median_seconds()},
          {"max_seconds", times.most()},
          {"gb_per_s", result.gb_per_s(number, times.least())},
          {"gb_per_s_median", result.gb_per_s(number, times.median_seconds())},
          {"gb_per_s_with_write_allocate",
           1e-9 * static_cast<double>(result.bytes_moved(number)) / times.least()},
          {"gflop_per_s", 1e-9 * flops / times.least()},
          {"passed", result.passed(times)},
          {"error", number_or_null(times.error)}};
}

}  // namespace

double StreamTimes::least() const { return *std::min_element(seconds.begin(), seconds.end()); }
double StreamTimes::median_seconds() const { return median(seconds); }
double StreamTimes::most() const { return *std::max_element(seconds.begin(), seconds.end()); }

bool StreamOutcome::passed() const {
  return std::all_of(kernels.begin(), kernels.end(), [this](const auto& kernel) { return passed(kernel); });
}

double StreamOutcome::gb_per_s(std::size_t kernel, double seconds) const {
  return 1e-9 * static_cast<double>(stream_kernels[kernel].bytes(elements, value_bytes())) / seconds;
}

std::int64_t StreamOutcome::bytes_moved(std::size_t kernel) const {
  return facts.write_allocate ? stream_kernels[kernel].bytes_with_write_allocate(elements, value_bytes())
                              : stream_kernels[kernel].bytes(elements, value_bytes());
}

json make_stream_record(const StreamOutcome& result) {
  json kernels = json::array();
  for (std::size_t number = 0; number < stream_kernels.size(); ++number)
    kernels.push_back(kernel_of(result, number));
  const StreamFacts& facts = result.facts;
  return {{"format", record_format},
          {"kind", "stream"},
          {"model", result.backend.name},
          {"precision", to_string(result.options.precision)},
          {"device", facts.device},
          {"device_type", facts.device_type},
          {"driver", facts.driver},
          {"threads", facts.threads},
          {"ranks", facts.ranks},
          {"settings", facts.settings},
          {"elements", result.elements},
          {"bytes_per_array", result.elements * result.value_bytes()},
          {"cache_bytes", result.memory.cache_bytes},
          {"write_allocate", facts.write_allocate},
          {"warm_up_runs", result.warm_up_runs},
          {"kernels", kernels},
          {"check", {{"passed", result.passed()}, {"tolerance", result.tolerance()}}},
          {"provenance", provenance_of(result.provenance, result.backend.build, result.command)}};
}

}  // namespace boltzmark
