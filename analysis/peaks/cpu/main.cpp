// boltzmark-peaks-cpu: bandwidth and latency of caches and memory, and FLOP rates, of the processor.

#include "analysis/peaks/circle.hpp"
#include "analysis/peaks/cpu/cores.hpp"
#include "analysis/peaks/cpu/vector_loops.hpp"
#include "analysis/peaks/figures.hpp"
#include "analysis/peaks/harness.hpp"
#include "common/cpu/aligned.hpp"
#include "common/cpu/memory.hpp"

using namespace boltzmark;

namespace {

/// Linked lines of memory. A batch begins where the last one ended; otherwise it would find lines in a cache.
class Circle {
 public:
  explicit Circle(std::int64_t bytes) : lines_(static_cast<std::size_t>(bytes) / line_bytes * pointers_in_line) {
    const auto next = random_circle(lines_.size() / pointers_in_line);
    for (std::size_t i = 0; i < next.size(); ++i)
      lines_[i * pointers_in_line] = lines_.data() + next[i] * pointers_in_line;
    at_ = lines_.data();
  }

  void load(long rounds) {
    void** at = at_;
    for (long round = 0; round < rounds; ++round)
      for (int i = 0; i < loads_a_round; ++i) at = static_cast<void**>(*at);
    asm volatile("" : "+r"(at));  // used, so that the loads are done
    at_ = at;
  }

 private:
  static constexpr std::size_t line_bytes = 64, pointers_in_line = line_bytes / sizeof(void*);
  AlignedArray<void*> lines_;
  void** at_;
};

/// The loops in all widths that this processor has, whatever this build is for, the widest and not fused first.
std::vector<const VectorLoops*> loops_here() {
  std::vector<const VectorLoops*> loops = {
#if defined(__x86_64__)
    &loops_512_off,
    &loops_512_fast,
    &loops_256_off,
    &loops_256_fast,
#endif
    &loops_128_off,
    &loops_128_fast
  };
  std::erase_if(loops, [](const VectorLoops* one) { return !one->runs_here(); });
  return loops;
}

/// The processor with a thread on every core and memory near each.
class Processor {
 public:
  explicit Processor(const Topology& topology) : topology_(topology), team_(topology.processors) {}

  void add_benchmarks() {
    for (const int cores : core_counts()) {
      for (const auto& pattern : widest_.patterns)
        for (const std::int64_t bytes : sizes(pattern, cores)) add_bandwidth(pattern, cores, bytes);
      for (const VectorLoops* loops : loops_here())
        for (const auto& kernel : loops->multiply_adds)
          if (kernel.run) add_compute(kernel, loops->bits, cores);
      for (const auto& kernel : widest_.others) add_compute(kernel, widest_.bits, cores);
    }
    for (const LevelRange& range : level_ranges(topology_.described.caches, 1)) add_latency(range);
  }

 private:
  /// One core, the first socket if there is more than one, and all cores; processors are ordered by socket.
  std::vector<int> core_counts() const {
    std::set<int> counts = {1, team_.size()};
    if (topology_.described.sockets > 1) counts.insert(topology_.described.cores_of_socket);
    return {counts.begin(), counts.end()};
  }

  /// The whole sweep for copies, which show how much a cache holds; only the levels' ranges for other patterns.
  std::vector<std::int64_t> sizes(const BandwidthPattern& pattern, int cores) const {
    const auto& caches = topology_.described.caches;
    auto all = sweep_sizes(caches, cores, available_bytes_);
    if (pattern.name == std::string_view("copy")) return all;
    std::erase_if(all, [ranges = level_ranges(caches, cores)](std::int64_t bytes) {
      return std::ranges::none_of(ranges, [bytes](const LevelRange& range) { return range.contains(bytes); });
    });
    return all;
  }

  /// Values of each array so that all of them, on all cores, are at least this many bytes.
  std::size_t array_values(const BandwidthPattern& pattern, int cores, std::int64_t bytes) const {
    const auto bytes_a_chunk = static_cast<std::int64_t>(widest_.chunk_values * sizeof(float)) * cores * pattern.arrays;
    return static_cast<std::size_t>((bytes + bytes_a_chunk - 1) / bytes_a_chunk) * widest_.chunk_values;
  }

  void add_bandwidth(const BandwidthPattern& pattern, int cores, std::int64_t wanted_bytes) {
    const std::size_t values = array_values(pattern, cores, wanted_bytes);
    const std::int64_t bytes = static_cast<std::int64_t>(values * sizeof(float)) * pattern.arrays * cores;
    add_benchmark(bandwidth_name(pattern.name, cores, bytes), [=, this] {
      touch_memory(cores, array_spacing(values) * static_cast<std::size_t>(pattern.arrays));
      const auto run = [=, this](long passes) {
        return Batch{team_.run(cores, [&](int member) {
          pattern.run(memory_[static_cast<std::size_t>(member)].data(), values, passes);
          return CoreTeam::Clock::now();
        })};
      };
      return TimedWork{.bytes_a_round = static_cast<double>(bytes / pattern.arrays * pattern.named), .run = run};
    });
  }

  void add_compute(const FlopKernel& kernel, int bits, int cores) {
    add_benchmark(compute_name(kernel.precision, kernel.fma, bits, cores, kernel.operation), [=, this] {
      return TimedWork{.items_a_round = kernel.flops_a_round() * cores,
                       .run = [=, this](long rounds) { return calculate(kernel, cores, rounds); }};
    });
  }

  /// One core, the smallest working set that the level serves and one half as large again.
  void add_latency(const LevelRange& range) {
    for (const std::int64_t bytes : {range.from_bytes, range.from_bytes / 2 * 3}) {
      if (!range.contains(bytes) || bytes > available_bytes_ / 4) continue;
      const std::string name =
          benchmark_name("latency", {{"level", range.level}, {"cores", "1"}, {"bytes", std::to_string(bytes)}});
      add_benchmark(name, [=, this] {
        const auto run = [circle = std::make_shared<Circle>(bytes), this](long rounds) {
          return Batch{team_.run(1, [&](int) {
            circle->load(rounds);
            return CoreTeam::Clock::now();
          })};
        };
        return TimedWork{.items_a_round = loads_a_round, .run = run};
      });
    }
  }

  /// The clock is taken by every core right after its own work, before it can speed up again.
  Batch calculate(const FlopKernel& kernel, int cores, long rounds) {
    std::vector<double> clocks(static_cast<std::size_t>(cores));
    const double seconds = team_.run(cores, [&](int member) {
      kernel.run(rounds);
      const auto end = CoreTeam::Clock::now();
      clocks[static_cast<std::size_t>(member)] = measure_clock_hz();
      return end;
    });
    double sum = 0.0;
    for (const double clock : clocks) sum += clock;
    return {seconds, sum / cores};
  }

  /// Gives each member memory for this many values, which it touches first, so that it is near its core.
  void touch_memory(int cores, std::size_t values) {
    memory_.resize(static_cast<std::size_t>(team_.size()));
    team_.run(cores, [&](int member) {
      AlignedArray<float>& memory = memory_[static_cast<std::size_t>(member)];
      if (memory.size() < values) {
        memory = AlignedArray<float>();
        memory = AlignedArray<float>(values);
        std::fill_n(memory.data(), memory.size(), 1.0f);
      }
      return CoreTeam::Clock::now();
    });
  }

  const VectorLoops& widest_ = *loops_here().front();
  Topology topology_;
  std::int64_t available_bytes_ = static_cast<std::int64_t>(available_memory_bytes());
  CoreTeam team_;
  std::vector<AlignedArray<float>> memory_;  ///< of each member
};

Peaks describe() {
  Peaks peaks;
  peaks.processor = read_topology().described;
  return peaks;
}

}  // namespace

int main(int argc, char** argv) {
  std::unique_ptr<Processor> processor;  // outlives the benchmarks
  return measuring_main(argc, argv, {.name = "boltzmark-peaks-cpu", .describe = describe, .add_benchmarks = [&] {
                                       processor = std::make_unique<Processor>(read_topology());
                                       processor->add_benchmarks();
                                     }});
}
