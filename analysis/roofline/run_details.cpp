// Texts of a page about one run, the machine and its peaks, from the columns of figures.csv and peaks.csv.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/run_columns.hpp"
#include "analysis/roofline/run_tables.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

/// A name, and the text below it: filled() with the figures of a row.
struct Fact {
  const char *name, *pattern;
};
struct Facts {
  const char* heading;
  std::vector<Fact> facts;
};

const std::vector<Facts> facts_of_run = {
    {"Run",
     {{"Problem", "{case}"},
      {"Elements", "{elements:grouped}"},
      {"Device", "{device}"},
      {"Options", "{options}"},
      {"Tuned", "{tuned}"},
      {"Settings", "{settings}"},
      {"Seconds of all repeats", "{seconds:4}"},
      {"Check", "{state}, against {check}"},
      {"Elements checked", "{checked}"},
      {"Worst deviation", "{deviation_at}"},
      {"Remarks", "{notes}"}}},
    {"Roofline",
     {{"Moved and computed", "{bytes_per_update:plain} bytes and {flops_per_update:plain} FLOPs per {update}"},
      {"Counted", "{flop_per_byte:3} FLOP/byte, {gflop_per_s:4} GFLOP/s"},
      {"Limits, of the time", "{limits:percent}"},
      {"Bytes by hardware counters", "{measured_bytes_per_update:plain}"},
      {"FLOPs by hardware counters", "{measured_flops_per_update:plain}"},
      {"Not counted by hardware", "{why_not_measured}"},
      {"By convention",
       "{conventional_flops_per_update:plain} FLOPs, {conventional_flop_per_byte:3} FLOP/byte, "
       "{conventional_gflop_per_s:4} GFLOP/s"},
      {"Of peak arithmetic", "{share_of_peak:percent} of {peak_gflop_per_s:4} GFLOP/s ({peak_of})"},
      {"Through memory",
       "{level}: {level_bytes_per_update:plain} bytes per {update}, {level_gb_per_s:4} of {roof_gb_per_s:4} "
       "GB/s ({roof_of})"},
      {"Ridge point", "{ridge_flop_per_byte:3} FLOP/byte"}}},
    {"Provenance",
     {{"Version", "{version}, revision {revision}"},
      {"Kernels compiled by", "{kernels_by}"},
      {"Compiler", "{compiler} {flags}"},
      {"Machine", "{host}: {cpu}, {cores} cores"},
      {"System", "{system}"},
      {"State", "{environment}"},
      {"Started", "{date}"},
      {"Command", "{command}"}}}};

const std::vector<Fact> facts_of_machine = {{"Host", "{host}"},
                                            {"Processor", "{cpu}"},
                                            {"System", "{system}"},
                                            {"Cores used", "{cores}"},
                                            {"Devices", "{device:device} ({device_type})"},
                                            {"Drivers", "{driver}"},
                                            {"Build", "{version}, revision {revision}"},
                                            {"Kernels compiled by", "{kernels_by}"},
                                            {"Compilers", "{compiler} {flags}"}};

}  // namespace

std::string row_words(const Row& row, const std::string& pattern) {
  return filled(pattern, [&row](const std::string& name) { return cell_of(row, name); });
}

json run_details(const Row& row) {
  json parts = json::array();
  for (const Facts& some : facts_of_run) {
    json said = json::array();
    for (const Fact& fact : some.facts)
      if (const std::string text = row_words(row, fact.pattern); !text.empty()) said.push_back({fact.name, text});
    if (!said.empty()) parts.push_back({some.heading, said});
  }
  const std::string why = row.reason.empty() ? to_string(row.status) : row.reason;
  return {{"why", row.status == RunStatus::ok ? row.roofline.verdict : why}, {"parts", parts}};
}

std::vector<std::string> distinct_texts(const std::vector<Row>& rows, const std::string& pattern) {
  std::vector<std::string> texts;
  for (const Row* row : of_plans(rows))
    if (const std::string text = row_words(*row, pattern); !text.empty()) add_once(texts, text);
  return texts;
}

json machine_facts(const std::vector<Row>& rows, const std::vector<json>& peaks) {
  ByName<std::vector<std::string>> facts;
  for (const auto& [name, pattern] : facts_of_machine) facts[name] = distinct_texts(rows, pattern);
  for (const json& peak : peaks) {
    const std::string of = text_in(peak, "of"), kind = text_in(peak, "kind"), text = text_in(peak, "text");
    const std::string side = of == "processor" ? "Caches and memory" : of;
    if (kind == "fact") add_once(facts[side], text);
    if (kind == "cache" || kind == "memory") add_once(facts[side], capacity_words(peak));
    if (kind == "note") add_once(facts["Peaks"], of + ": " + text);
    if (const std::string date = text_in(peak, "date"); !date.empty())
      add_once(facts["Peaks measured"], date + " with " + text_in(peak, "compiler"));
  }
  json all = json::array();
  for (const auto& [name, texts] : facts)
    if (!texts.empty()) all.push_back({name, texts});
  return all;
}

}  // namespace boltzmark
