// STREAM as the runner sees it: a turn of the five kernels is a run, each kernel a part of it.
#include "common/base/statistics.hpp"
#include "common/cpu/processors.hpp"
#include "common/run/workload_of.hpp"
#include "common/stream/kernels.hpp"

namespace boltzmark::stream {
namespace {

constexpr double gib = 1 << 30;

/// A constant rounded to the precision.
double rounded(double value, Precision precision) {
  return precision == Precision::f32 ? static_cast<double>(static_cast<float>(value)) : value;
}

/// "three arrays of 4.0 GiB each".
std::string three_arrays(std::int64_t elements, Precision precision) {
  const double bytes = static_cast<double>(elements) * bytes_of(precision);
  return fmt::format("three arrays of {:.3g} GiB each", bytes / gib);
}

constexpr std::size_t number_of(Operation operation) { return static_cast<std::size_t>(operation); }

class StreamWorkload final : public WorkloadOf<Kernels> {
 public:
  /// 20 turns are steady, and take a few seconds at most.
  explicit StreamWorkload(const Program& program)
      : WorkloadOf(program, "stream", "three arrays",
                   {.usual = 20, .always_warms_up = true, .most = most_repeats, .restarts = false}) {}

  void add_options(WorkloadOptions& options) override {
    constexpr std::int64_t most = std::int64_t{1} << 50;
    options
        .add("ELEMENTS", asked_,
             "elements of each of the three arrays; default: four times the size of the last-level caches, at most 192 "
             "MiB per processor")
        .range(1, most);
  }

  void load(const Options& options, const Team&) override {
    Options with_variant = options;
    if (options.variant.empty()) with_variant.variant = default_variant(options);
    made_ = program_.make<Kernels>(with_variant);
    memory_ = made_->memory();
    elements_ = choose_elements(*made_, asked_, options.precision);
    expected_ = Values::start(options.precision);
    precision_ = options.precision;
    value_bytes_ = bytes_of(precision_);
  }
  std::string size() const override { return std::to_string(elements_); }

  /// Repeated here, because tuned options are read after `load`.
  void prepare(const Options& options, const Team&) override { made_ = program_.make<Kernels>(options); }
  void init(const Options&, Team&) override { made_->init(elements_); }
  CheckRule checks() const override { return {.last_shows_all = true}; }

  std::vector<double> run(Team& team) override {
    expected_.turn(precision_);
    std::vector<double> seconds;
    for (std::size_t number = 0; number < all_kernels.size(); ++number)
      seconds.push_back(time_kernel(static_cast<Operation>(number), team));
    return seconds;
  }

  /// Each turn continues the one before and every kernel changes what it writes, so the final arrays reveal a kernel
  /// that did nothing in any turn. Nothing is overwritten between turns: the next copy would have to write those lines
  /// back. A missing copy shows in `b`, which is computed from it.
  void check(const Options& options, Team& team, bool) override {
    const auto error_of = [&](Array array, double expected) {
      return team.largest(array_error(*made_, array, expected));
    };
    const double a = error_of(Array::a, expected_.a), b = error_of(Array::b, expected_.b),
                 c = error_of(Array::c, expected_.c);
    judge({{"copy", b}, {"mul", b}, {"add", c}, {"triad", a}, {"dot", dot_error_}}, tolerance(options.precision),
          Extent::all_of(3 * elements_));
  }

  void fill(Record& record) const override {
    WorkloadOf::fill(record);
    record.case_.extent = {elements_};
    record.case_.facts = {{"bytes_per_array", elements_ * value_bytes_}, {"cache_bytes", memory_.cache_bytes}};
    record.work.updates = static_cast<double>(elements_);
    for (std::size_t number = 0; number < all_kernels.size(); ++number) {
      const Kernel& kernel = all_kernels[number];
      Part& part = record.parts[number];
      part.name = kernel.name;
      part.bytes = static_cast<double>(kernel.bytes(elements_, value_bytes_));
      part.bytes_written = static_cast<double>(kernel.bytes_with_write_allocate(elements_, value_bytes_)) - part.bytes;
      part.bytes_moved = part.bytes + (record.write_allocate ? *part.bytes_written : 0.0);
      part.flops = static_cast<double>(kernel.flops) * static_cast<double>(elements_);
      part.bytes_held = part.bytes;  // each array that it reads or writes, once
      record.work.bytes_per_update += part.bytes / static_cast<double>(elements_);
      record.work.flops_per_update += part.flops / static_cast<double>(elements_);
    }
    const Part& triad = record.parts[number_of(Operation::triad)];
    record.metrics = {{"triad_gb_per_s", "GB/s of triad", 1e-9 * triad.bytes / median(triad.seconds)}};
  }

  std::string case_lines(const Record& record) const override {
    constexpr double mib = 1 << 20;
    return fmt::format(
        "arrays:\t\t3 of {} elements, {:.4g} MiB each; last-level cache {}\n"
        "bytes:\t\t{}\n",
        elements_, record.work.bytes_held / 3.0 / mib,
        memory_.cache_bytes > 0 ? fmt::format("{:.4g} MiB", static_cast<double>(memory_.cache_bytes) / mib) : "unknown",
        record.write_allocate ? "as STREAM counts; \"moved\" adds the lines that are read because they will be written"
                              : "as STREAM counts, which is what the hardware moves");
  }

  std::string closing_lines(const Record& record) const override {
    // GB/s at the median: a single lucky execution says little about a machine. STREAM itself reports the best one.
    std::string table = fmt::format("{:<8}{:>10}{:>10}{:>10}{:>14}{:>14}{:>14}  {}\n", "kernel", "GB/s", "moved",
                                    "best GB/s", "min s", "median s", "max s", "check");
    for (std::size_t number = 0; number < record.parts.size(); ++number) {
      const Part& part = record.parts[number];
      const auto [least, most] = std::minmax_element(part.seconds.begin(), part.seconds.end());
      const auto error = record.check.deviations[number].value;
      const double middle = median(part.seconds);
      table += fmt::format("{:<8}{:>10.2f}{:>10.2f}{:>10.2f}{:>14.6f}{:>14.6f}{:>14.6f}  {}\n", part.name,
                           1e-9 * part.bytes / middle, 1e-9 * part.bytes_moved / middle, 1e-9 * part.bytes / *least,
                           *least, middle, *most, error && *error <= record.check.tolerance ? "right" : "WRONG");
    }
    return table;
  }

 private:
  double bytes_held() const override { return 3.0 * value_bytes_ * static_cast<double>(elements_); }
  void add_traffic(RunFacts& facts) const override {
    for (const Kernel& kernel : all_kernels) facts.fetched_per_update += kernel.arrays_written * value_bytes_;
  }

  double time_kernel(Operation operation, Team& team) {
    constexpr double clock_tick = 1e-9;
    double sum = 0.0;
    const double seconds = time_on(team, [&] { sum = execute(*made_, operation); });
    if (operation == Operation::dot)
      dot_error_ =
          std::max(dot_error_, relative_error(sum, static_cast<double>(elements_) * expected_.a * expected_.b));
    return std::max(seconds, clock_tick);
  }

  std::optional<std::int64_t> asked_;
  Memory memory_;
  std::int64_t elements_ = 0;
  Precision precision_ = Precision::f32;
  Values expected_ = {};
  double dot_error_ = 0.0;
};

}  // namespace

Values Values::start(Precision precision) {
  return {rounded(start_a, precision), rounded(start_b, precision), rounded(start_c, precision)};
}

void Values::turn(Precision precision) {
  const double factor = rounded(scalar, precision);
  c = a;
  b = factor * c;
  c = a + b;
  a = b + factor * c;
}

double execute(Kernels& kernels, Operation operation) {
  constexpr std::array without_sum = {&Kernels::copy, &Kernels::mul, &Kernels::add, &Kernels::triad};
  if (operation == Operation::dot) return kernels.dot();
  (kernels.*without_sum[static_cast<std::size_t>(operation)])();
  return 0.0;
}

double relative_error(double value, double expected) {
  const double error = std::abs(value - expected) / std::abs(expected);
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

double array_error(Kernels& kernels, Array array, double expected) {
  return largest_error(
      kernels.part(), [&](std::int64_t first, std::span<double> values) { kernels.read(array, first, values); },
      [expected](std::int64_t) { return [expected] { return expected; }; }, 0.0);
}

double tolerance(Precision precision) {
  const double rounding =
      precision == Precision::f32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  return 100.0 * rounding;
}

Memory machine_memory() {
  const cpu_set_t processors = usable_processors();
  return {.cache_bytes = last_level_cache_bytes(processors), .processors = CPU_COUNT(&processors)};
}

std::int64_t choose_elements(Kernels& kernels, std::optional<std::int64_t> asked, Precision precision) {
  const auto shortage_for = [&](std::int64_t elements) {
    return kernels.shortage(3.0 * bytes_of(precision) * static_cast<double>(elements));
  };
  if (asked) {
    const std::string shortage = shortage_for(*asked);
    if (shortage.empty()) return *asked;
    throw unavailable("expected three arrays that fit the memory, found {} for {}", shortage,
                      three_arrays(*asked, precision));
  }
  constexpr std::int64_t device_wish = std::int64_t{1} << 27, least = std::int64_t{1} << 25;
  const Memory memory = kernels.memory();
  constexpr std::uint64_t most_of_processor = std::uint64_t{192} << 20;
  std::uint64_t bytes = 4 * memory.cache_bytes;
  if (memory.processors > 0) bytes = std::min(bytes, most_of_processor * static_cast<std::uint64_t>(memory.processors));
  const auto four_caches = static_cast<std::int64_t>(bytes) / bytes_of(precision);
  std::int64_t enough = memory.cache_bytes > 0 ? four_caches : least, elements = enough;
  if (memory.of_device) {
    enough = std::max(four_caches, least);
    elements = std::max(four_caches, device_wish);
  }
  std::string shortage = shortage_for(elements);
  while (!shortage.empty() && elements / 2 >= enough) shortage = shortage_for(elements /= 2);
  if (shortage.empty()) return elements;
  throw unavailable("expected memory for {}, which no cache holds, found {}; ELEMENTS chooses another size",
                    three_arrays(elements, precision), shortage);
}

const WorkloadEntry workload = {"STREAM", workload_for<StreamWorkload>};

}  // namespace boltzmark::stream
