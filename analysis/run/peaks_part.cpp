#include "analysis/run/peaks_part.hpp"

#include "analysis/run/plan.hpp"
#include "analysis/run/programs.hpp"
#include "analysis/support/locations.hpp"
#include "common/base/ranges.hpp"

namespace boltzmark {

PlanNeeds needs_of(const std::string& name, const std::vector<std::string>& models) {
  const Plan plan = load_plan(find_plan(name, plan_folder()));
  const auto programs = configured_programs(program_folder());
  check_runs(plan, programs);
  PlanNeeds needs{.plan = plan.name};
  for (const BuiltProgram& program : programs)
    if (has_runs(plan, program) && is_chosen(models.empty() ? plan.models : models, program.model)) {
      needs.opencl |= program.model == "opencl";
      needs.ranks |= program.launcher;
      for (const PlanRun& run : plan.runs)
        needs.scaling |= program.launcher && is_for(run, program) && (run.ranks || run.cores);
    }
  return needs;
}

void PeaksPart::move(Peaks& from, Peaks& to) const {
  if (of == Of::devices) return void(to.devices = std::move(from.devices));
  if (of == Of::network) return void(to.network = std::move(from.network));
  to.processor = std::move(from.processor);
  to.sweep = std::move(from.sweep);
}

void PeaksPart::add_figures(const std::vector<Sample>& samples) {
  constexpr void (*add[])(const std::vector<Sample>&, Peaks&) = {add_processor_figures, add_device_figures,
                                                                 add_network_figures};
  add[static_cast<std::size_t>(of)](samples, machine);
}

bool PeaksPart::is_needed(const std::string& benchmark, const PlanNeeds& needs) const {
  const Sample sample = named_benchmark(benchmark);
  if (of == Of::processor) return sample.kind != "latency";
  if (of == Of::network) {
    constexpr long most_bytes = 2 << 20;
    return needs.scaling || (needs.ranks && sample.kind == "message" && sample.number("bytes") <= most_bytes &&
                             (sample.label("way") == "both" || sample.label("way") == "halo"));
  }
  const auto number = static_cast<std::size_t>(sample.number("device"));
  if (number < machine.devices.size() && machine.devices[number].type == "cpu")
    return needs.opencl && sample.kind.starts_with("launch");
  return sample.kind != "latency" && sample.kind != "transfer";
}

std::string PeaksPart::kinds_of(const std::vector<std::string>& benchmarks) {
  static const std::map<std::string, const char*> words = {
      {"bandwidth", "bandwidths"}, {"compute", "arithmetic"},     {"latency", "latencies"},
      {"local", "local memory"},   {"launch", "launches"},        {"launch_and_wait", "launches"},
      {"transfer", "transfers"},   {"message", "other messages"}, {"messages", "rates of messages"},
      {"allreduce", "reductions"}};
  std::vector<std::string> found;
  for (const std::string& benchmark : benchmarks)
    if (const auto word = words.find(named_benchmark(benchmark).kind); word != words.end())
      add_once(found, word->second);
  return join(found, ", ");
}

std::vector<std::string>& PeaksPart::notes() {
  if (of == Of::processor) return machine.processor.notes;
  return of == Of::devices ? machine.devices.front().notes : machine.network.notes;
}

std::string PeaksPart::identity() const {
  std::string text = machine.host;
  if (of == Of::network)
    return text +
           fmt::format("|{} ranks on {}|{}", machine.network.ranks, machine.network.hosts, machine.network.library);
  if (of == Of::processor) {
    text += fmt::format("|{}|{}", machine.processor.name, machine.processor.cores);
    for (const auto& cache : machine.processor.caches)
      text += fmt::format("|{} {} {} {}", cache.name, cache.bytes, cache.instances, cache.cores);
  } else {
    for (const auto& device : machine.devices)
      text += fmt::format("|{} {} {} {}", device.name, device.platform, device.driver, device.compute_units);
  }
  return text;
}

}  // namespace boltzmark
