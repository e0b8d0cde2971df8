#include "common/run/describe.hpp"

#include "common/base/error.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {

BOLTZMARK_JSON_FIELDS(OptionDescription, name, choices, range, step, is_flag, is_shape, worth_trying)
BOLTZMARK_JSON_FIELDS(VariantDescription, name, summary, role, precisions, options, kinds)
BOLTZMARK_JSON_FIELDS(Device, type, name, details)
BOLTZMARK_JSON_FIELDS(ProgramDescription, format, workload, model, program, summary, takes, options, variants,
                      default_variant, devices, no_devices, compiles_kernels, limits)

namespace {

std::vector<std::string> names_of(const std::vector<Precision>& precisions) {
  return each(precisions, [](Precision precision) { return to_string(precision); });
}

std::vector<OptionDescription> describe(const std::vector<ModelOption>& options) {
  std::vector<OptionDescription> all;
  for (const ModelOption& option : options)
    all.push_back({.name = option.name,
                   .choices = option.choices,
                   .range = option.range,
                   .step = option.step,
                   .is_flag = option.value.empty() && option.choices.empty(),
                   .is_shape = option.is_shape,
                   .worth_trying = option.tuned_values()});
  return all;
}

}  // namespace

const OptionDescription* VariantDescription::option(const std::string& of_name) const {
  return find_by(options, of_name, &OptionDescription::name);
}

ProgramDescription describe(const Program& program, Workload& workload, const Options& options) {
  ProgramDescription all;
  all.workload = workload.name();
  all.model = program.model;
  all.program = program_name(program, workload);
  all.summary = program.summary();
  all.compiles_kernels = program.compiles_kernels;
  all.takes = option_names(program, workload);
  all.options = describe(program.options);
  all.default_variant = program.default_variant.always;
  for (const VariantPointer& one : program.variants)
    all.variants.push_back(
        {one->name, one->summary, to_string(one->role), names_of(one->precisions), describe(one->options), one->kinds});
  try {
    all.devices = program.devices();
    if (program.device_limits) all.limits = json_of(program.device_limits(options));
  } catch (const Error& error) {
    if (error.status() != ExitStatus::unavailable) throw;
    all.no_devices = error.what();
  }
  return all;
}

std::string variant_list(const Program& program) {
  std::string list;
  for (const VariantPointer& one : program.variants)
    list += fmt::format("{}\t{}\t{}{}\t{}\t{}\n", one->name, join(names_of(one->precisions), ","), one->summary,
                        one->name == program.default_variant.always ? " (default)" : "",
                        joined(one->options, " ", &ModelOption::name), join(one->kinds, " "));
  return list;
}

std::string device_list(const Program& program) {
  std::string list;
  int number = 0;
  for (const auto& device : program.devices())
    list += fmt::format("{}\t{}\t{}\t{}\n", number++, device.type, device.name, device.details);
  return list;
}

}  // namespace boltzmark
