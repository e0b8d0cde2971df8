#include "common/run/record.hpp"

#include <stdexcept>
#include <type_traits>

#include "common/base/statistics.hpp"
#include "common/run/json.hpp"

namespace boltzmark {
namespace {

/// Every field once: for the writer, and for the reader.
template <class R, class Visit>
void for_each_field(R& r, Visit&& visit) {
  visit("format", r.format);
  visit("workload", r.workload);
  visit("model", r.model);
  visit("variant", r.variant);
  visit("role", r.role);
  visit("precision", r.precision);
  visit("case", r.case_);
  visit("steps", r.steps);
  visit("device", r.device);
  visit("device_type", r.device_type);
  visit("driver", r.driver);
  visit("threads", r.threads);
  visit("ranks", r.ranks);
  visit("write_allocate", r.write_allocate);
  visit("asked", r.asked);
  visit("settings", r.settings);
  visit("warm_up_runs", r.warm_up_runs);
  visit("repeats", r.repeats);
  visit("compute_seconds", r.compute_seconds);
  visit("energy", r.energy);
  visit("work", r.work);
  visit("parts", r.parts);
  visit("metrics", r.metrics);
  visit("check", r.check);
  visit("provenance", r.provenance);
}

}  // namespace

void to_json(nlohmann::json& json, const Deviation& deviation) {
  json = {{"of", deviation.of}, {"value", deviation.value}};
  if (!deviation.at.empty()) json["at"] = deviation.at;
}

void from_json(const nlohmann::json& json, Deviation& deviation) {
  json.at("of").get_to(deviation.of);
  json.at("value").get_to(deviation.value);
  deviation.at = json.value("at", "");
}

std::optional<double> Record::metric(const std::string& name) const {
  for (const Metric& one : metrics)
    if (one.name == name) return one.value;
  return {};
}

Timing Record::median_timing() const {
  const auto of = [this](double Timing::*phase) {
    std::vector<double> seconds;
    for (const Timing& t : repeats) seconds.push_back(t.*phase);
    return median(seconds);
  };
  return {of(&Timing::init_seconds), of(&Timing::compute_seconds), of(&Timing::collate_seconds)};
}

void to_json(nlohmann::json& json, const CaseRecord& one) {
  json = {{"name", one.name}, {"digest", one.digest}, {"extent", one.extent}, {"facts", one.facts}, {"size", one.size}};
}

void from_json(const nlohmann::json& json, CaseRecord& one) {
  json.at("name").get_to(one.name);
  json.at("digest").get_to(one.digest);
  json.at("extent").get_to(one.extent);
  one.facts = json.at("facts");
  one.size = json.value("size", "");
}

nlohmann::json json_of(const Settings& settings) {
  auto json = nlohmann::json::object();
  for (const auto& [name, setting] : settings)
    std::visit([&](const auto& value) { json[name] = value; }, setting.value);
  return json;
}

void to_json(nlohmann::json& json, const Record& record) {
  json = nlohmann::json::object();
  for_each_field(record, [&json](const char* name, const auto& value) { json[name] = value; });
}

void from_json(const nlohmann::json& json, Record& record) {
  expect_ints(json, {"/format"});
  if (const int format = json.at("format").get<int>(); format != record_format)
    throw std::invalid_argument(fmt::format("expected a record of format {}, found format {}", record_format, format));
  expect_ints(json, {"/steps", "/threads", "/ranks", "/warm_up_runs", "/work/steps_per_launch", "/provenance/cores"});
  for (const auto& length : json.at("case").at("extent"))
    if (!holds<std::int64_t>(length))
      throw std::out_of_range(fmt::format("case/extent: expected integers, found {:.60}", length.dump()));
  for_each_field(record, [&json](const char* name, auto& value) {
    using Value = std::remove_reference_t<decltype(value)>;
    const bool is_younger = std::is_same_v<Value, EnergyRecord> || std::string_view(name) == "asked";
    if (is_younger && !json.contains(name)) return;
    json.at(name).get_to(value);
  });
}

}  // namespace boltzmark
