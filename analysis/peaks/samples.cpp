#include "analysis/peaks/samples.hpp"

#include <fmt/core.h>

#include <cmath>
#include <optional>
#include <sstream>

#include "analysis/support/json.hpp"
#include "common/base/error.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

/// Takes a name apart, with the parts that Google Benchmark adds ("manual_time", "repeats:5").
Sample named(const std::string& name) {
  Sample sample;
  std::istringstream parts(name);
  std::getline(parts, sample.kind, '/');
  for (std::string part; std::getline(parts, part, '/');)
    if (const auto colon = part.find(':'); colon != part.npos)
      sample.labels[part.substr(0, colon)] = part.substr(colon + 1);
  return sample;
}

void add_rate(ObjectReader& in, const std::string& key, std::vector<double>& rates) {
  const std::optional<double> rate = in.number(key);
  if (!rate) return;
  if (!std::isfinite(*rate) || *rate <= 0.0) in.fail(key, "a rate above zero", fmt::format("{}", *rate));
  rates.push_back(*rate);
}

/// Adds one entry of the file to the benchmark it belongs to.
void add_entry(ObjectReader in, Sample& sample) {
  if (in.flag("error_occurred", false)) {
    sample.error = in.any_text("error_message");
    return;
  }
  add_rate(in, "bytes_per_second", sample.bytes_per_second);
  add_rate(in, "items_per_second", sample.items_per_second);
  add_rate(in, "clock_hz", sample.clock_hz);
  add_rate(in, "items_per_cycle", sample.items_per_cycle);
}

}  // namespace

const std::string& Sample::label(const std::string& key) const {
  const auto at = labels.find(key);
  if (at == labels.end()) throw bad_input("benchmark {}: expected a label {}, found none", kind, key);
  return at->second;
}

long Sample::number(const std::string& key) const {
  const std::string& text = label(key);
  const auto value = parse_number<long>(text);
  if (!value) throw bad_input("benchmark {}: {}: expected a whole number, found \"{}\"", kind, key, text);
  return *value;
}

std::string benchmark_name(const std::string& kind, const std::vector<std::pair<std::string, std::string>>& labels) {
  std::string name = kind;
  for (const auto& [key, value] : labels) name += fmt::format("/{}:{}", key, value);
  return name;
}

std::vector<Sample> read_samples(const fs::path& file) {
  const nlohmann::json content = load_json(file);
  ObjectReader whole(content, file.string(), "");
  std::vector<Sample> samples;
  std::map<std::string, std::size_t> known;
  for (ObjectReader entry : whole.objects("benchmarks")) {
    if (entry.text("run_type") != "iteration") continue;
    const std::string name = entry.text("run_name");
    const auto [at, is_new] = known.try_emplace(name, samples.size());
    if (is_new) samples.push_back(named(name));
    add_entry(entry, samples[at->second]);
  }
  if (samples.empty()) fail_in_json(file.string(), "benchmarks", "at least one measurement", "none");
  return samples;
}

}  // namespace boltzmark
