#include "analysis/roofline/peaks.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "analysis/support/json_reader.hpp"
#include "common/base/statistics.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

json of(const Spread& spread) {
  return {{"median", spread.median}, {"min", spread.minimum}, {"max", spread.maximum}};
}

json of(const std::optional<double>& value) { return value ? json(*value) : json(nullptr); }

json of(const CacheLevel& cache) {
  return {
      {"name", cache.name}, {"bytes", cache.bytes}, {"instances", cache.instances}, {"cores", cache.cores}};
}

json of(const BandwidthPeak& peak) {
  return {{"level", peak.level},           {"pattern", peak.pattern},       {"cores", peak.cores},
          {"gb_per_s", of(peak.gb_per_s)}, {"from_bytes", peak.from_bytes}, {"to_bytes", peak.to_bytes}};
}

json of(const ComputePeak& peak) {
  return {{"precision", peak.precision},
          {"fma", peak.fma},
          {"cores", peak.cores},
          {"vector_bits", peak.vector_bits},
          {"gflop_per_s", of(peak.gflop_per_s)},
          {"clock_ghz", of(peak.clock_ghz)},
          {"expected_gflop_per_s", of(peak.expected_gflop_per_s)}};
}

json of(const SweepPoint& point) {
  return {{"pattern", point.pattern},
          {"cores", point.cores},
          {"working_set_bytes", point.working_set_bytes},
          {"gb_per_s", of(point.gb_per_s)}};
}

json of(const DevicePeaks& device);

template <class T>
json list_of(const std::vector<T>& values) {
  json list = json::array();
  for (const T& value : values) list.push_back(of(value));
  return list;
}

json of(const ProcessorPeaks& processor) {
  return {{"name", processor.name},
          {"cores", processor.cores},
          {"sockets", processor.sockets},
          {"cores_of_socket", processor.cores_of_socket},
          {"numa_nodes", processor.numa_nodes},
          {"memory_bytes", processor.memory_bytes},
          {"caches", list_of(processor.caches)},
          {"bandwidths", list_of(processor.bandwidths)},
          {"computes", list_of(processor.computes)},
          {"notes", processor.notes}};
}

json of(const DevicePeaks& device) {
  return {{"name", device.name},
          {"type", device.type},
          {"platform", device.platform},
          {"driver", device.driver},
          {"compute_units", device.compute_units},
          {"memory_bytes", device.memory_bytes},
          {"cache_bytes", device.cache_bytes},
          {"local_bytes", device.local_bytes},
          {"bandwidths", list_of(device.bandwidths)},
          {"computes", list_of(device.computes)},
          {"launch_seconds", of(device.launch_seconds)},
          {"to_device_gb_per_s", of(device.to_device_gb_per_s)},
          {"from_device_gb_per_s", of(device.from_device_gb_per_s)},
          {"notes", device.notes}};
}

// What an object is read into says which object it is. Every reader complains of keys that it does not know.

void read(ObjectReader in, Spread& spread) {
  spread = {in.number("median"), in.number("min"), in.number("max")};
  in.finish();
}

void read(ObjectReader in, CacheLevel& cache) {
  cache.name = in.text("name");
  cache.bytes = in.integer("bytes");
  cache.instances = static_cast<int>(in.integer("instances"));
  cache.cores = static_cast<int>(in.integer("cores"));
  in.finish();
}

void read(ObjectReader in, BandwidthPeak& peak) {
  peak.level = in.text("level");
  peak.pattern = in.text("pattern");
  peak.cores = static_cast<int>(in.integer("cores"));
  read(in.object("gb_per_s"), peak.gb_per_s);
  peak.from_bytes = in.integer("from_bytes");
  peak.to_bytes = in.integer("to_bytes");
  in.finish();
}

void read(ObjectReader in, ComputePeak& peak) {
  peak.precision = in.text("precision");
  peak.fma = in.truth("fma");
  peak.cores = static_cast<int>(in.integer("cores"));
  peak.vector_bits = static_cast<int>(in.integer("vector_bits"));
  read(in.object("gflop_per_s"), peak.gflop_per_s);
  peak.clock_ghz = in.number_or_null("clock_ghz");
  peak.expected_gflop_per_s = in.number_or_null("expected_gflop_per_s");
  in.finish();
}

void read(ObjectReader in, SweepPoint& point) {
  point.pattern = in.text("pattern");
  point.cores = static_cast<int>(in.integer("cores"));
  point.working_set_bytes = in.integer("working_set_bytes");
  read(in.object("gb_per_s"), point.gb_per_s);
  in.finish();
}

void read(ObjectReader in, DevicePeaks& device);

template <class T>
void read_list(ObjectReader& in, const std::string& key, std::vector<T>& values) {
  for (const ObjectReader& element : in.objects(key)) read(element, values.emplace_back());
}

void read(ObjectReader in, ProcessorPeaks& processor) {
  processor.name = in.any_text("name");
  processor.cores = static_cast<int>(in.integer("cores"));
  for (const auto& [key, value] :
       {std::pair("sockets", &processor.sockets), std::pair("cores_of_socket", &processor.cores_of_socket),
        std::pair("numa_nodes", &processor.numa_nodes)})
    if (in.has(key)) *value = static_cast<int>(in.integer(key));
  processor.memory_bytes = in.integer("memory_bytes");
  read_list(in, "caches", processor.caches);
  read_list(in, "bandwidths", processor.bandwidths);
  read_list(in, "computes", processor.computes);
  processor.notes = in.texts("notes");
  in.finish();
}

void read(ObjectReader in, DevicePeaks& device) {
  device.name = in.any_text("name");
  device.type = in.any_text("type");
  device.platform = in.any_text("platform");
  device.driver = in.any_text("driver");
  device.compute_units = static_cast<int>(in.integer("compute_units"));
  device.memory_bytes = in.integer("memory_bytes");
  device.cache_bytes = in.integer("cache_bytes");
  device.local_bytes = in.integer("local_bytes");
  read_list(in, "bandwidths", device.bandwidths);
  read_list(in, "computes", device.computes);
  read(in.object("launch_seconds"), device.launch_seconds);
  read(in.object("to_device_gb_per_s"), device.to_device_gb_per_s);
  read(in.object("from_device_gb_per_s"), device.from_device_gb_per_s);
  device.notes = in.texts("notes");
  in.finish();
}

}  // namespace

bool is_best_far_above(const Spread& rates) {
  constexpr double far = 1.25;
  return rates.maximum > far * rates.median;
}

Spread spread_of(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {median(values), *least, *most};
}

json to_json(const Peaks& peaks) {
  return {{"format", peaks_format},
          {"host", peaks.host},
          {"date", peaks.date},
          {"key", peaks.key},
          {"compiler", peaks.compiler},
          {"flags", peaks.flags},
          {"revision", peaks.revision},
          {"processor", of(peaks.processor)},
          {"devices", list_of(peaks.devices)},
          {"sweep", list_of(peaks.sweep)}};
}

Peaks peaks_from_json(const json& value, const std::string& file) {
  ObjectReader in(value, file, "");
  const std::int64_t format = in.integer("format");
  if (format != peaks_format)
    in.fail("format", fmt::format("version {} of peaks.json", peaks_format), std::to_string(format));
  Peaks peaks;
  peaks.host = in.any_text("host");
  peaks.date = in.any_text("date");
  peaks.key = in.any_text("key");
  peaks.compiler = in.any_text("compiler");
  peaks.flags = in.any_text("flags");
  peaks.revision = in.any_text("revision");
  read(in.object("processor"), peaks.processor);
  read_list(in, "devices", peaks.devices);
  read_list(in, "sweep", peaks.sweep);
  in.finish();
  return peaks;
}

Peaks read_peaks(const std::filesystem::path& file) {
  return peaks_from_json(load_json(file), file.string());
}

const BandwidthPeak* find_bandwidth(const std::vector<BandwidthPeak>& peaks, const std::string& level,
                                    const std::string& pattern, int cores) {
  const auto at = std::find_if(peaks.begin(), peaks.end(), [&](const BandwidthPeak& peak) {
    return peak.level == level && peak.pattern == pattern && peak.cores == cores;
  });
  return at == peaks.end() ? nullptr : &*at;
}

const ComputePeak* find_compute(const std::vector<ComputePeak>& peaks, const std::string& precision, bool fma,
                                int cores) {
  const ComputePeak* widest = nullptr;
  for (const ComputePeak& peak : peaks)
    if (peak.precision == precision && peak.fma == fma && peak.cores == cores &&
        (!widest || peak.vector_bits > widest->vector_bits))
      widest = &peak;
  return widest;
}

const DevicePeaks* find_device(const Peaks& peaks, const std::string& name) {
  const auto at = std::find_if(peaks.devices.begin(), peaks.devices.end(),
                               [&](const DevicePeaks& device) { return device.name == name; });
  return at == peaks.devices.end() ? nullptr : &*at;
}

}  // namespace boltzmark
