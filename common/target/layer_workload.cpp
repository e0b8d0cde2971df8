#include "common/target/layer_workload.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>

#include "common/base/digest.hpp"
#include "common/base/files.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"
#include "common/target/random.h"

namespace boltzmark::target {
namespace {

std::filesystem::path file_of(const std::filesystem::path& prefix, const std::string& name) {
  return prefix.string() + '.' + name + ".f64";
}

/// Little-endian doubles, native to every supported machine; `digest` takes them too.
std::vector<double> read_doubles(const std::filesystem::path& file, Digest& digest) {
  const std::string bytes = read_regular(file, "a file of numbers of 8 bytes");
  digest.add(bytes);
  if (bytes.empty() || bytes.size() % sizeof(double) != 0)
    throw bad_input("{}: expected numbers of 8 bytes, found {} bytes", file.string(), bytes.size());
  std::vector<double> values(bytes.size() / sizeof(double));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  const auto broken = std::ranges::find_if_not(values, [](double value) { return std::isfinite(value); });
  if (broken != values.end())
    throw bad_input("{}: expected finite numbers, found {} as number {}, counted from 0", file.string(), *broken,
                    broken - values.begin());
  return values;
}

std::uint64_t digest_of_values(const Arrays& arrays) {
  std::uint64_t digest = 0;
  for (const NamedArray& one : arrays)
    for (const double value : one.values) digest = (digest ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3u + 1;
  return digest;
}

std::string text_of(const Settings& settings, const std::string& name) {
  const auto found = settings.find(name);
  const auto* const text = found == settings.end() ? nullptr : std::get_if<std::string>(&found->second.value);
  return text ? *text : "";
}

}  // namespace

const std::vector<double>& array_of(const Arrays& arrays, std::string_view name) {
  for (const NamedArray& one : arrays)
    if (one.name == name) return one.values;
  throw bad_input("expected an array {}, found none", name);
}

std::string LayerEntry::usual_variant(bool is_gpu) const {
  for (const Rung& rung : rungs)
    if (is_gpu && rung.is_usual_on_gpus) return rung.name;
  return rungs.front().name;
}

Variants variants(const LayerEntry& workload, const MakeRun& make, const std::vector<ModelOption>& options,
                  std::initializer_list<const Variant*> own) {
  Variants all;
  for (const Rung& rung : workload.rungs) {
    Variant one = {.name = rung.name,
                   .summary = rung.summary,
                   .role = rung.role,
                   .precisions = rung.precisions,
                   .kinds = rung.methods,
                   .options = options,
                   .make = [=](const Options& asked) { return make(rung, asked); }};
    if (rung.has_vvl) one.options.push_back(vvl_option());
    all.push_back(std::move(one));
  }
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

std::vector<double> random_numbers(const Problem& problem, std::int64_t first, std::int64_t count) {
  std::vector<double> numbers(static_cast<std::size_t>(count));
  if (problem.generator == "philox") {
    for (auto& number : numbers)
      number = static_cast<double>(philox(static_cast<std::uint64_t>(first++), problem.seed)) * 0x1p-64;
    return numbers;
  }
  std::mt19937 generator(problem.seed);  // in the same way as NumPy draws doubles
  generator.discard(2 * static_cast<unsigned long long>(first));
  for (auto& number : numbers) {
    const double high = static_cast<double>(generator() >> 5), low = static_cast<double>(generator() >> 6);
    number = (high * 0x1p26 + low) * 0x1p-53;
  }
  return numbers;
}

void expect_numbers(const Arrays& arrays, std::size_t count) {
  for (const NamedArray& one : arrays)
    if (one.values.size() != count)
      throw bad_input("--input: expected {} numbers of {}, found {}", count, one.name, one.values.size());
}

double largest_deviation(const std::vector<double>& found, const std::vector<double>& right) {
  double scale = 0.0, largest = found.size() == right.size() ? 0.0 : INFINITY;
  for (const double value : right) scale = std::fmax(scale, std::abs(value));
  for (std::size_t i = 0; i < right.size() && i < found.size(); ++i) {
    const double difference = std::abs(found[i] - right[i]);
    largest = std::isfinite(difference) ? std::fmax(largest, difference) : INFINITY;
  }
  return scale > 0.0 ? largest / scale : largest;
}

Sample::Sample(std::int64_t all, std::int64_t most, std::uint32_t seed)
    : all_(all), size_(std::min(all, std::max<std::int64_t>(1, most))), seed_(seed) {}

std::int64_t Sample::operator[](std::int64_t number) const {
  if (is_whole()) return number;
  const std::int64_t begin = all_ * number / size_, end = all_ * (number + 1) / size_;
  const std::uint64_t draw = philox(static_cast<std::uint64_t>(number), seed_);
  return begin + static_cast<std::int64_t>(draw % static_cast<std::uint64_t>(end - begin));
}

Extent Sample::extent(std::int64_t of_each) const {
  Extent extent = {size_ * of_each, all_ * of_each};
  if (!is_whole()) extent.seed = seed_;
  return extent;
}

LayerWorkload::LayerWorkload(const Program& program, About about)
    : WorkloadOf(program, about.name, "fields", {.usual = 3, .always_warms_up = true}),
      check_seed_(std::random_device{}() % 1'000'000),  // short enough to be read
      about_(std::move(about)),
      size_(about_.usual_size) {
  problem_.steps = about_.usual_steps;
  if (!about_.methods.empty()) problem_.method = about_.methods.front();
}

void LayerWorkload::add_options(WorkloadOptions& options) {
  options.add("SIZE", size_, fmt::format("{}; default: {}", about_.size_help, about_.usual_size)).value_name("");
  options.add("--steps", problem_.steps, fmt::format("{}; default: {}", about_.steps_help, about_.usual_steps))
      .value_name("N")
      .range(1, INT_MAX);
  if (!about_.methods.empty())
    options
        .add(about_.method_option, problem_.method,
             fmt::format("{}; default: {}", about_.method_help, about_.methods.front()))
        .value_name(join(about_.methods, "|"))
        .choices(about_.methods);
  options.add("--seed", seed_, "seed of the random numbers; default: 42").value_name("N").range(0, UINT32_MAX);
  options
      .add("--generator", problem_.generator,
           "random number generator: philox (default), which computes each number from its index, or mt19937, which is "
           "sequential")
      .value_name("philox|mt19937")
      .choices({"philox", "mt19937"});
  if (!about_.inputs.empty()) {
    const std::string more =
        about_.optional_inputs.empty() ? "" : " and, if present, " + join(about_.optional_inputs, ", ");
    options
        .add("--input", input_,
             fmt::format("start from the files PREFIX.NAME.f64 (doubles in C order) with NAME = {}{}",
                         join(about_.inputs, ", "), more))
        .value_name("PREFIX");
  }
  options.add("--output", output_, "write each resulting array to a file PREFIX.NAME.f64 (doubles in C order)")
      .value_name("PREFIX")
      .output();
  if (can_draw()) options.add("--image", image_, "write a picture of the result as a PNG file").output();
}

void LayerWorkload::load(const Options&, const Team&) {
  auto& sides = problem_.size = sides_in(size_, about_.most);
  if (sides.size() == 1 && about_.is_one_for_both) sides.push_back(sides[0]);
  if (sides.size() != about_.sides || *std::min_element(sides.begin(), sides.end()) < about_.least)
    throw bad_input("expected {}, {} from {} to {}, found \"{}\"", about_.size_help, counted(about_.sides, "number"),
                    about_.least, about_.most, size_);
  problem_.seed = static_cast<std::uint32_t>(seed_);
  require_memory("the start", sizeof(double) * host_numbers().start);
  if (!input_.empty()) {
    Digest digest;
    const auto read = [&](const std::string& name) {
      digest.add(name + '\n');
      problem_.start.push_back({name, read_doubles(file_of(input_, name), digest)});
    };
    for (const std::string& name : about_.inputs) read(name);
    for (const std::string& name : about_.optional_inputs)
      if (std::filesystem::exists(file_of(input_, name))) read(name);
    input_digest_ = digest.text();
  }
  complete();
}

std::string LayerWorkload::size() const {
  return (problem_.method.empty() ? "" : problem_.method + '-') +
         join(each(problem_.size, [](std::int64_t side) { return std::to_string(side); }), "x");
}

std::string LayerWorkload::default_variant(const Options& asked) const {
  const auto computes = [this](const Variant& variant) {
    return variant.kinds.empty() || contains(variant.kinds, problem_.method);
  };
  const std::string usual = WorkloadOf::default_variant(asked);
  std::string first;
  for (const VariantPointer& one : program_.variants) {
    if (!computes(*one)) continue;
    if (one->name == usual) return usual;
    if (first.empty() && one->role != Role::textbook) first = one->name;
  }
  return first;
}

void LayerWorkload::prepare(const Options& asked, const Team& team) {
  const Variant& one = *program_.variant(asked.variant);
  if (!one.kinds.empty() && !contains(one.kinds, problem_.method))
    throw bad_input("--variant {}: expected {} {}, found {}", one.name, about_.method_option, join(one.kinds, " or "),
                    problem_.method);
  WorkloadOf::prepare(asked, team);
  if (team.is_root()) {
    // Memory of a device is not taken from the host's.
    const bool is_on_gpu = program_.device_limits && text_of(program_.device_limits(asked), "type") == "gpu";
    const HostNumbers numbers = host_numbers();
    const double start = problem_.start.empty() ? numbers.start : 0.0;
    require_memory(
        is_on_gpu ? "the start, the results and the reference" : "the start, the fields, the results and the reference",
        sizeof(double) * (start + numbers.results + numbers.reference) + (is_on_gpu ? 0.0 : bytes_needed()));
  }
  make_start();
}

void LayerWorkload::expect_output() {
  if (!image_.empty()) expect_writable(image_);
  if (output_.empty()) return;
  for (const std::string& name : about_.outputs) expect_writable(file_of(output_, name));
}

void LayerWorkload::check(const Options& asked, Team& team, bool) {
  if (!team.is_root()) return;
  // The reference is not kept; repeats with bitwise identical results share a verdict.
  const std::uint64_t digest = digest_of_values(results_);
  if (!verdict_ || verdict_->first != digest) verdict_ = {digest, errors(results_, asked.check == "oracle")};
  Errors found = verdict_->second.errors;
  if (const auto lost = made_->lost_launches()) found.emplace_back("launches", lost);
  judge(found, tolerance(), verdict_->second.extent);
}

void LayerWorkload::write() {
  if (!image_.empty()) draw(image_, results_);
  if (output_.empty()) return;
  for (const NamedArray& one : results_)
    if (one.name.front() != '.')
      write_whole(file_of(output_, one.name),
                  {reinterpret_cast<const char*>(one.values.data()), one.values.size() * sizeof(double)});
}

void LayerWorkload::fill(Record& record) const {
  WorkloadOf::fill(record);
  record.case_.digest += fmt::format("-{}-{}-{}", problem_.steps, problem_.generator, problem_.seed);
  if (!input_digest_.empty()) record.case_.digest += '-' + input_digest_;
  record.case_.extent = problem_.size;
  if (!problem_.method.empty()) record.case_.facts["method"] = problem_.method;
  record.steps = problem_.steps;
  record.work.update = about_.update;
  record.work.updates = updates();
  record.metrics = {{about_.rate, about_.unit, updates() / about_.in_unit / record.compute_seconds}};
  for (const Metric& one : figures(results_)) record.metrics.push_back(one);
}

std::string LayerWorkload::case_lines(const Record& record) const {
  return fmt::format("case:\t\t{}, {}; {:.4g} bytes and {:.4g} FLOPs per {}\n", size(), counted(problem_.steps, "step"),
                     record.work.bytes_per_update, record.work.flops_per_update, about_.update);
}

std::string LayerWorkload::closing_lines(const Record& record) const {
  std::string lines;
  for (std::size_t i = 1; i < record.metrics.size(); ++i)
    lines += fmt::format("{}:\t{:.15g} {}\n", record.metrics[i].name, record.metrics[i].value.value_or(NAN),
                         record.metrics[i].unit);
  return lines;
}

}  // namespace boltzmark::target
