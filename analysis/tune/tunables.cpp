#include <algorithm>

#include "analysis/tune/tune.hpp"
#include "common/base/error.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

/// "reduction=tree,halves".
Tunable parse_values(const std::string& text) {
  const auto sign = text.find('=');
  Tunable tunable{.option = text.substr(0, sign), .values = {}};
  if (sign != text.npos) tunable.values = split(text.substr(sign + 1), ',');
  if (tunable.option.empty() || tunable.values.empty() || contains(tunable.values, ""))
    throw bad_input("--option: expected NAME=value,value,..., found \"{}\"", text);
  return tunable;
}

/// The tunables that the variant declares, without values for the work-group.
std::vector<Tunable> declared_options(const ProgramDescription& program, const std::string& name) {
  const VariantDescription* const variant = find_variant(program, name);
  std::vector<Tunable> declared;
  if (!variant) return declared;
  for (const auto& option : variant->options)
    if (option.is_shape || !option.worth_trying.empty()) declared.push_back({option.name, option.worth_trying});
  std::ranges::stable_partition(declared, [](const Tunable& one) { return one.option == work_group_name; });
  return declared;
}

}  // namespace

std::vector<Tunable> tunables_of(const ProgramDescription& program, const PlanRun& run, const TuneOptions& options,
                                 const ShapeLimits& limits, int dimension) {
  auto declared = declared_options(program, run.variant);
  if (declared.empty()) throw bad_input("--variant: {} {} has nothing to tune", run.model, run.variant);
  const auto find = [&](const std::string& option, const char* where) -> Tunable& {
    if (Tunable* const found = find_by(declared, option, &Tunable::option)) return *found;
    throw bad_input("{}: expected an option that {} {} can tune ({}), found \"{}\"", where, run.model, run.variant,
                    joined(declared, ", ", &Tunable::option), option);
  };
  if (!options.shapes.empty()) find(work_group_name, "--shapes");
  for (Tunable& tunable : declared)
    if (tunable.option == work_group_name)
      tunable.values = shapes_for(options.shapes.empty() ? "powers" : options.shapes, limits, dimension);
  for (const auto& text : options.values) {
    const Tunable wanted = parse_values(text);
    if (wanted.option == work_group_name)
      throw bad_input("--option: expected work-groups in --shapes, found \"{}\"", text);
    find(wanted.option, "--option").values = wanted.values;
  }
  for (const auto& name : options.only) find(name, "--only");
  std::erase_if(declared, [&](const Tunable& tunable) {
    return !options.only.empty() && !contains(options.only, tunable.option);
  });
  return declared;
}

}  // namespace boltzmark
