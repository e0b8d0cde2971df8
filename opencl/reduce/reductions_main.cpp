// opencl-reductions: how fast a device adds up a long array by each of the reductions that the model has.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <vector>

#include "common/base/error.hpp"
#include "opencl/runtime/device.hpp"
#include "opencl/runtime/error.hpp"
#include "opencl/runtime/kernel_build.hpp"
#include "opencl/runtime/program.hpp"
#include "opencl/runtime/work_group.hpp"

using namespace boltzmark;

namespace {

/// GB/s of a GTX 970 over 805 306 368 and 524 288 floats, 0 where there is none (Ynddal, "Transform Array
/// Operations to Optimize Memory Access for GPGPU", 2019; trees with the fewest barriers).
struct Published {
  double large = 0.0, small = 0.0;
};

struct Way {
  Reduction reduction;
  int each;  ///< values that an item adds before the work-group's reduction
  const char* published_name;
  Published published;
};

const std::vector<Way> ways = {
    {Reduction::linear, 1, "", {}},
    {Reduction::tree, 1, "naive tree", {34.37, 37.43}},
    {Reduction::halves, 1, "compact tree", {66.47, 45.02}},
    {Reduction::hybrid2, 2, "hybrid, 2 elements", {66.06, 0.0}},
    {Reduction::hybrid4, 4, "hybrid, 4 elements", {84.86, 0.0}},
    {Reduction::hybrid8, 8, "hybrid, 8 elements", {85.20, 44.85}},
    {Reduction::subgroup, 1, "", {}},
    {Reduction::subgroup, 8, "", {}},
};

struct Settings {
  std::string device;
  std::vector<std::uint64_t> elements;
  int group = 256, repeats = 10;
};

/// A device with an array on it.
class Bench {
 public:
  Bench(const OpenclDevice& device, std::uint64_t elements, int group)
      : device_(device), elements_(elements), group_(group) {
    attempt("open " + device_.name, [&] {
      context_ = cl::Context(device_.handle);
      queue_ = cl::CommandQueue(context_, device_.handle);
    });
    attempt(fmt::format("keep {} floats on {}", elements, device_.name), [&] {
      values_ = cl::Buffer(context_, CL_MEM_READ_WRITE, elements * sizeof(float));
      const std::uint64_t groups = (elements + static_cast<std::uint64_t>(group) - 1) / group;
      for (auto& sums : sums_) sums = cl::Buffer(context_, CL_MEM_READ_WRITE, groups * sizeof(float));
    });
  }

  /// Seconds of the fastest of `repeats` reductions to one number, after one to warm up. Throws Error
  /// (wrong_result) for a sum that is wrong.
  double seconds(const Way& way, int repeats) {
    KernelShape shape = {.group = {group_, 1}, .reduction = in_group(way.reduction)};
    shape.defines = fmt::format("-D EACH={}", way.each);
    const cl::Program program =
        build_program(context_, device_, reduce_source, compiler_options(device_, {}, shape));
    double best = INFINITY;
    attempt("reduce", [&] {
      cl::Kernel fill(program, "fill"), reduce(program, "reduce");
      fill.setArg(0, values_);
      fill.setArg(1, static_cast<cl_ulong>(elements_));
      queue_.enqueueNDRangeKernel(fill, cl::NullRange, cl::NDRange(1 << 16));
      queue_.finish();
      for (int i = -1; i < repeats; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const float sum = sum_of(reduce, way.each);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        if (i >= 0) best = std::min(best, taken.count());
        check(sum, way);
      }
    });
    return best;
  }

 private:
  /// The divide-and-conquer reductions fold halves in the group; their shares are added before.
  static Reduction in_group(Reduction reduction) {
    return reduction == Reduction::hybrid2 || reduction == Reduction::hybrid4 ||
                   reduction == Reduction::hybrid8
               ? Reduction::halves
               : reduction;
  }

  /// One launch after another until one value is left.
  float sum_of(cl::Kernel& reduce, int each) {
    const cl::Buffer* from = &values_;
    std::uint64_t count = elements_;
    for (int to = 0;; to = 1 - to) {
      const std::uint64_t share = static_cast<std::uint64_t>(each) * group_;
      const std::uint64_t groups = (count + share - 1) / share;
      reduce.setArg(0, *from);
      reduce.setArg(1, static_cast<cl_ulong>(count));
      reduce.setArg(2, sums_[to]);
      reduce.setArg(3, cl::Local(sizeof(float) * group_));
      queue_.enqueueNDRangeKernel(reduce, cl::NullRange, cl::NDRange(groups * group_), cl::NDRange(group_));
      from = &sums_[to];
      count = groups;
      if (groups == 1) break;
    }
    float sum = 0.0f;
    queue_.enqueueReadBuffer(*from, CL_TRUE, 0, sizeof sum, &sum);
    return sum;
  }

  void check(float sum, const Way& way) const {
    const std::uint64_t rest = elements_ % 16;
    const double right = 0.125 * (120.0 * double(elements_ / 16) + 0.5 * double(rest) * (double(rest) - 1.0));
    if (!(std::fabs(sum - right) <= 1e-4 * right))
      throw Error(ExitStatus::wrong_result, fmt::format("{} over {} values is wrong: expected {}, found {}",
                                                        to_string(way.reduction), elements_, right, sum));
  }

  const OpenclDevice& device_;
  std::uint64_t elements_;
  int group_;
  cl::Context context_;
  cl::CommandQueue queue_;
  cl::Buffer values_, sums_[2];
};

std::string gb_per_s(double value) { return value > 0.0 ? fmt::format("{:.2f}", value) : "-"; }

void measure(const OpenclDevice& device, std::uint64_t elements, const Settings& settings) {
  Bench bench(device, elements, settings.group);
  fmt::print("\n{} floats, {:.1f} MiB, work-groups of {}, best of {}\n", elements, elements * 4.0 / (1 << 20),
             settings.group, settings.repeats);
  fmt::print("{:<10} {:>6} {:>11} {:>9}   {}\n", "reduction", "values", "seconds", "GB/s",
             "published, GTX 970, GB/s");
  const double Published::*column = elements > 100'000'000 ? &Published::large : &Published::small;
  for (const Way& way : ways) {
    if (way.reduction == Reduction::subgroup && device.sub_groups == SubGroups::none) {
      fmt::print("{:<10} {:>6} not here: no sub-groups that kernels can use\n", to_string(way.reduction),
                 way.each);
      continue;
    }
    const double seconds = bench.seconds(way, settings.repeats);
    fmt::print("{:<10} {:>6} {:>11.6f} {:>9.2f}   {} {}\n", to_string(way.reduction), way.each, seconds,
               elements * sizeof(float) / seconds / 1e9, gb_per_s(way.published.*column), way.published_name);
  }
}

int run(int argc, char** argv) {
  Settings settings;
  CLI::App app("How fast an OpenCL device adds up a long array of floats, by each reduction of lbm-opencl",
               "opencl-reductions");
  app.add_option("--device", settings.device, "a number, a type or part of a name, as lbm-opencl takes it");
  app.add_option("--elements", settings.elements,
                 "floats; default: 524288, and 805306368 or as many as the device's memory holds");
  app.add_option("--work-group", settings.group, "work-items of a group")->check(CLI::Range(2, 65536));
  app.add_option("--repeat", settings.repeats, "timed reductions of each kind")
      ->check(CLI::Range(1, 1000000));
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    throw bad_input("{}; see --help", error.what());
  }
  const OpenclDevice device = choose_device(settings.device);
  check_work_group(device, {settings.group, 1}, sizeof(float));
  // Half the memory: a CPU shares it with everything else.
  const std::uint64_t most = std::min(device.largest_buffer_bytes, device.global_bytes / 2) / sizeof(float);
  if (settings.elements.empty()) settings.elements = {1u << 19, std::min<std::uint64_t>(most, 805'306'368)};
  for (const auto elements : settings.elements)
    if (elements < 1 || elements > most)
      throw bad_input("--elements: expected 1 to {}, which {} holds, found {}", most, device.name, elements);
  fmt::print("{}, {}\n", device.name, device.driver);
  for (const auto elements : settings.elements) measure(device, elements, settings);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    fmt::print(stderr, "opencl-reductions: error: {}\n", error.what());
    return static_cast<int>(error.status());
  }
}
