#include "common/run/record.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "common/base/ranges.hpp"
#include "common/base/statistics.hpp"

namespace boltzmark {

BOLTZMARK_JSON_FIELDS(Timing, init_seconds, compute_seconds, collate_seconds)
BOLTZMARK_JSON_FIELDS(WorkFields, update, updates, bytes_per_update, flops_per_update, conventional_flops_per_update,
                      bytes_held, steps_per_launch)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(WorkingSet, of, bytes, per_update, on_chip)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(Calls, launches, waits, launch_seconds, wait_seconds)
void to_json(nlohmann::json& json, const Part& part) {
  json = {{"name", part.name},
          {"bytes", part.bytes},
          {"bytes_moved", part.bytes_moved},
          {"flops", part.flops},
          {"seconds", part.seconds},
          {"bytes_held", part.bytes_held},
          {"bytes_written", part.bytes_written}};
}
void from_json(const nlohmann::json& json, Part& part) {
  json.at("name").get_to(part.name);
  json.at("bytes").get_to(part.bytes);
  json.at("bytes_moved").get_to(part.bytes_moved);
  json.at("flops").get_to(part.flops);
  json.at("seconds").get_to(part.seconds);
  part.bytes_held = json.value("bytes_held", 0.0);
  if (json.contains("bytes_written")) json["bytes_written"].get_to(part.bytes_written);
}
BOLTZMARK_JSON_FIELDS(Metric, name, unit, value)
BOLTZMARK_JSON_FIELDS(CheckFields, against, passed, tolerance, deviations)
BOLTZMARK_JSON_FIELDS(EnergyRecord, counter, joules, why_not)
BOLTZMARK_JSON_FIELDS(CounterRecord, bytes, flops, why_no_bytes, why_no_flops)
BOLTZMARK_JSON_FIELDS(Provenance, version, revision, compiler, flags, host, cpu, cores, system, date, command)
BOLTZMARK_JSON_FIELDS(RecordFields, format, workload, model, variant, role, precision, steps, device, device_type,
                      driver, threads, ranks, write_allocate, settings, warm_up_runs, repeats, compute_seconds, work,
                      parts, metrics, check, provenance)

std::string Extent::words() const {
  if (checked == 0) return fmt::format("sums over all of {}", of);
  if (checked == of) return fmt::format("all of {}", of);
  return fmt::format("{} of {}{}", checked, of, seed ? fmt::format(", drawn by seed {}", *seed) : "");
}

void Check::take(const std::vector<Deviation>& found) {
  for (const Deviation& one : found) {
    Deviation* const kept = find_by(deviations, one.of, &Deviation::of);
    if (!kept)
      deviations.push_back(one);
    else if (kept->value && (!one.value || *one.value > *kept->value))
      *kept = one;
  }
  passed = std::all_of(deviations.begin(), deviations.end(),
                       [this](const Deviation& d) { return d.value && *d.value <= tolerance; });
}

const Deviation& Check::worst() const {
  return *std::max_element(deviations.begin(), deviations.end(), [](const Deviation& a, const Deviation& b) {
    if (!a.value || !b.value) return a.value.has_value() && !b.value;
    return *a.value < *b.value;
  });
}

std::string Check::worst_words() const {
  const Deviation& one = worst();
  const std::string where = one.at.empty() ? "" : (one.at.starts_with("step") ? " at " : " in ") + one.at;
  return fmt::format("{} {} {}{}, where {:.0e} is allowed", one.of,
                     one.value ? fmt::format("deviates by {:.2e} from", *one.value) : "is not a number, unlike",
                     against, where, tolerance);
}

void to_json(nlohmann::json& json, const Deviation& deviation) {
  json = {{"of", deviation.of}, {"value", deviation.value}};
  if (!deviation.at.empty()) json["at"] = deviation.at;
}

void from_json(const nlohmann::json& json, Deviation& deviation) {
  json.at("of").get_to(deviation.of);
  json.at("value").get_to(deviation.value);
  deviation.at = json.value("at", "");
}

void to_json(nlohmann::json& json, const Extent& extent) {
  json = {{"checked", extent.checked}, {"of", extent.of}};
  if (extent.seed) json["seed"] = *extent.seed;
}

void from_json(const nlohmann::json& json, Extent& extent) {
  const auto number = [&json](const char* name) {
    if (const auto& value = json.at(name); !holds<std::int64_t>(value))
      throw std::out_of_range(
          fmt::format("check/extent/{}: expected an integer, found {:.60}", name, json_line(value)));
    return json[name].get<std::int64_t>();
  };
  extent = {number("checked"), number("of")};
  if (json.contains("seed")) extent.seed = number("seed");
}

void to_json(nlohmann::json& json, const Check& check) {
  json = static_cast<const CheckFields&>(check);
  if (check.extent) json["extent"] = *check.extent;
  if (check.repeats) json["repeats"] = *check.repeats;
}

void from_json(const nlohmann::json& json, Check& check) {
  json.get_to(static_cast<CheckFields&>(check));
  if (check.against == "oracle") check.against = "reference";  // the word of records before 0.2.0
  if (json.contains("extent")) check.extent = json["extent"].get<Extent>();
  if (json.contains("repeats")) check.repeats = json["repeats"].get<std::int64_t>();
}

std::optional<double> Record::metric(const std::string& name) const {
  const Metric* const one = find_by(metrics, name, &Metric::name);
  return one ? one->value : std::nullopt;
}

Record Record::undisturbed() const {
  Record made = *this;
  const auto& states = environment.repeats;
  const auto keep = [&states](auto& of_repeats) {
    std::size_t at = 0;
    if (of_repeats.size() == states.size())
      std::erase_if(of_repeats, [&](const auto&) { return !states[at++].disturbed.empty(); });
  };
  keep(made.repeats);
  keep(made.energy.joules);
  for (Part& part : made.parts) keep(part.seconds);
  if (!states.empty() && !states.back().disturbed.empty())  // of the last repeat
    for (const char* const name : {"halo_seconds", "halo_seconds_most"}) made.settings.erase(name);
  return made;
}

Record Record::thinned() const {
  const std::size_t all = repeats.size();
  if (all <= most_repeats_kept || !parts.empty()) return *this;
  std::vector<std::size_t> by_length(all);
  std::iota(by_length.begin(), by_length.end(), std::size_t{0});
  std::ranges::stable_sort(by_length, {}, [this](std::size_t one) { return repeats[one].compute_seconds; });
  // Ranks from either end to the middle, which is one repeat or two. One of the others gives way to the last repeat.
  const std::size_t middle = (all - 1) / 2, to_middle = most_repeats_kept / 2 - 1;
  const auto place = static_cast<std::size_t>(std::ranges::find(by_length, all - 1) - by_length.begin());
  const std::size_t last = std::min(place, all - 1 - place);
  const std::size_t gives_way =
      last == middle ? to_middle : std::min((last * to_middle + middle - 1) / middle, to_middle - 1);
  std::vector<bool> is_kept(all);
  for (std::size_t i = 0; i <= to_middle; ++i) {
    const std::size_t rank = i == gives_way ? last : i * middle / to_middle;
    is_kept[by_length[rank]] = is_kept[by_length[all - 1 - rank]] = true;
  }
  Record made = *this;
  made.timed_repeats = static_cast<int>(all);
  const auto keep = [&is_kept](auto& of_repeats) {
    std::size_t at = 0;
    if (of_repeats.size() == is_kept.size()) std::erase_if(of_repeats, [&](const auto&) { return !is_kept[at++]; });
  };
  keep(made.repeats);
  keep(made.environment.repeats);
  keep(made.energy.joules);
  if (made.counters) keep(made.counters->bytes), keep(made.counters->flops);
  return made;
}

Timing Record::median_timing() const {
  const auto of = [this](double Timing::*phase) { return median(each(repeats, phase)); };
  return {of(&Timing::init_seconds), of(&Timing::compute_seconds), of(&Timing::collate_seconds)};
}

void to_json(nlohmann::json& json, const WorkRecord& work) {
  json = static_cast<const WorkFields&>(work);
  if (!work.operations_per_update.empty()) json["operations_per_update"] = work.operations_per_update;
  if (!work.traffic.empty()) json["traffic"] = work.traffic;
}

void from_json(const nlohmann::json& json, WorkRecord& work) {
  json.get_to(static_cast<WorkFields&>(work));
  work.operations_per_update = json.value("operations_per_update", Operations());
  work.traffic = json.value("traffic", Traffic());
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
  json = static_cast<const RecordFields&>(record);
  json["case"] = record.case_;
  json["asked"] = record.asked;
  json["energy"] = record.energy;
  json["environment"] = record.environment;
  if (record.counters) json["counters"] = *record.counters;
  if (record.calls) json["calls"] = *record.calls;
  if (record.timed_repeats) json["timed_repeats"] = *record.timed_repeats;
}

void from_json(const nlohmann::json& json, Record& record) {
  expect_ints(json, {"/format"});
  if (const int format = json.at("format").get<int>(); format != record_format)
    throw std::invalid_argument(fmt::format("format {}, where this program reads {}", format, record_format));
  expect_ints(json, {"/steps", "/threads", "/ranks", "/warm_up_runs", "/work/steps_per_launch", "/provenance/cores"});
  for (const auto& length : json.at("case").at("extent"))
    if (!holds<std::int64_t>(length))
      throw std::out_of_range(fmt::format("case/extent: expected integers, found {:.60}", json_line(length)));
  json.get_to(static_cast<RecordFields&>(record));
  json.at("case").get_to(record.case_);
  record.asked = json.value("asked", record.asked);
  record.energy = json.value("energy", record.energy);
  record.environment = json.value("environment", record.environment);
  if (json.contains("counters")) record.counters = json["counters"];
  if (json.contains("timed_repeats")) {
    expect_ints(json, {"/timed_repeats"});
    record.timed_repeats = json["timed_repeats"];
  }
  if (!json.contains("calls")) return;
  for (const char* const name : {"launches", "waits"})
    if (const auto& number = json["calls"].at(name); !holds<std::int64_t>(number))
      throw std::out_of_range(fmt::format("calls/{}: expected an integer, found {:.60}", name, json_line(number)));
  record.calls = json["calls"];
}

}  // namespace boltzmark
