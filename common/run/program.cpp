#include "common/run/program.hpp"

#include "common/base/ranges.hpp"
#include "common/run/cpu_device.hpp"
#include "common/run/runs.hpp"
#include "common/run/workload.hpp"

namespace boltzmark {

VariantPointer::VariantPointer(const Variant* of_a_source) : one_(std::shared_ptr<const Variant>(), of_a_source) {}
VariantPointer::VariantPointer(Variant made) : one_(std::make_shared<const Variant>(std::move(made))) {}

DefaultVariant::DefaultVariant(const char* name)
    : OfCase([name = std::string(name)](const Options&) { return name; }), always(name) {}

std::string Program::summary() const { return fmt::format("{} {}", workload->what, where); }

const Variant* Program::variant(const std::string& name) const {
  const VariantPointer* const found = find_by(variants, name, &Variant::name);
  return found ? &**found : nullptr;
}

std::string Program::usual(const Options& asked, const AnyCase& of) const {
  return default_variant ? default_variant(of, asked) : variants.front()->name;
}

std::unique_ptr<Runnable> Program::make_any(const Options& asked, const AnyCase& of) const {
  const Variant& one = *variant(asked.variant);
  const std::string why_not = one.why_not(of, asked);
  if (!why_not.empty()) throw bad_input("--variant {}: {}", one.name, why_not);
  return one.make(of, asked);
}

Program Program::with_all_options() const {
  Program program = *this;
  if (!default_variant) program.default_variant.always = variants.front()->name;
  if (workload->chooses_by_case) program.default_variant.always = "";
  for (ModelOption& option : program.options) option.in_every_variant = true;
  for (const VariantPointer& one : variants)
    for (const ModelOption& option : one->options) add_option(program.options, option);
  return program;
}

Variants changed(const Variants& variants, const std::function<void(Variant&)>& change) {
  Variants all;
  for (const VariantPointer& one : variants) {
    Variant variant = *one;
    change(variant);
    all.push_back(std::move(variant));
  }
  return all;
}

Variants before_each(const Variants& variants, const std::function<void(const Options&)>& start) {
  return changed(variants, [&](Variant& variant) {
    variant.make = [make = variant.make, start](const AnyCase& of, const Options& asked) {
      start(asked);
      return make(of, asked);
    };
  });
}

int run_program(int argc, char** argv, const Program& program, Team& team) {
  return each_run(argc, argv, team, [&](int words, char** line) {
    const auto workload = program.workload->make(program);
    return run_main(words, line, program.with_all_options(), *workload, team);
  });
}

int run_program(int argc, char** argv, const Program& program) {
  Team alone;
  return run_program(argc, argv, program, alone);
}

std::vector<Device> cpu_devices() { return {{"cpu", cpu_name(), counted(usable_cores(), "core") + " usable"}}; }

Settings cpu_limits(const Options&) { return {{"name", cpu_name()}, {"type", "cpu"}}; }

Program cpu_program(const WorkloadEntry& workload, const char* model, const char* where, Variants variants,
                    const char* usual, std::vector<ModelOption> options) {
  Program program = {.workload = &workload, .model = model, .where = where, .variants = std::move(variants)};
  if (usual) program.default_variant = usual;
  program.options = std::move(options);
  program.devices = cpu_devices;
  for (const VariantPointer& variant : program.variants)
    for (const ModelOption& option : variant->options)
      if (!option.tuned_values().empty()) program.device_limits = cpu_limits;
  return program;
}

}  // namespace boltzmark
