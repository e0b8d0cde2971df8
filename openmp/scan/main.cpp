// scan-openmp: prefix sums on the threads of one machine.
#include <fmt/core.h>

#include "common/run/cpu_device.hpp"
#include "common/scan/host_scanner.hpp"
#include "common/scan/vectors.hpp"
#include "openmp/advice.hpp"
#include "openmp/thread_team.hpp"

namespace boltzmark::openmp {
namespace {

template <class T>
class ThreadedScanner : public scan::HostScanner<T> {
 public:
  explicit ThreadedScanner(std::optional<int> threads) : team_(threads) {}
  void init(std::int64_t elements) override {
    this->make_arrays({0, elements});
    team_.run([&](int me) { this->fill(stretch_of(elements, me, team_.size(), sizeof(T))); });
  }
  RunFacts facts() const override {
    return {.device = cpu_name(), .driver = fmt::format("OpenMP {}", _OPENMP), .threads = team_.size()};
  }

 protected:
  ThreadTeam team_;
};

/// Textbook: the loop with OpenMP's scan directive.
template <class T>
class Textbook : public ThreadedScanner<T> {
 public:
  using ThreadedScanner<T>::ThreadedScanner;
  void scan() override {
    const T* const values = this->values_.data();
    T* const sums = this->sums_.data();
    const std::int64_t elements = this->part();
    const int threads = this->team_.size();
    T sum = 0;
#pragma omp parallel for num_threads(threads) reduction(inscan, + : sum)
    for (std::int64_t i = 0; i < elements; ++i) {
      sum += values[i];
#pragma omp scan inclusive(sum)
      sums[i] = sum;
    }
  }
};

/// Tiles: the threads go along the array together, tile by tile, of which each has a stretch that its second-level cache
/// holds. Values come from memory once.
///
///     my sum = sum of my stretch;   barrier;   scan my stretch, from the tiles before + sums of the threads before me
template <class T>
class Tiles : public ThreadedScanner<T> {
 public:
  using ThreadedScanner<T>::ThreadedScanner;
  void scan() override {
    const std::int64_t elements = this->part(), of_thread = std::int64_t{128 << 10} / sizeof(T);
    const int threads = this->team_.size();
    std::vector<Line> sums(2 * static_cast<std::size_t>(threads));
    this->team_.run([&](int me) {
      T before = 0;  // all tiles so far
      int turn = 0;
      for (std::int64_t tile = 0; tile < elements; tile += of_thread * threads, turn = 1 - turn) {
        const auto at = [&](int thread) { return std::min(elements, tile + of_thread * thread); };
        const Stretch mine = {at(me), at(me + 1)};
        Line* const of_threads = sums.data() + turn * threads;  // two in turn: one barrier a tile is enough
        of_threads[me].sum = scan::sum_of_stretch(this->values_.data(), mine);
#pragma omp barrier
        T start = before;
        for (int thread = 0; thread < threads; ++thread) {
          if (thread == me) start = before;
          before += of_threads[thread].sum;
        }
        scan::scan_stretch(this->values_.data(), this->sums_.data(), mine, start);
      }
    });
  }

 private:
  struct alignas(64) Line {
    T sum = 0;
  };
};

template <class T>
std::unique_ptr<scan::Scanner> make(const Options& options) {
  const auto threads = options.number("threads");
  if (options.variant == "textbook") return std::make_unique<Textbook<T>>(threads);
  return std::make_unique<Tiles<T>>(threads);
}

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  scan::Program program;
  program.model = "openmp";
  program.summary = "Prefix sums on the threads of one machine";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {
      {.name = "textbook", .summary = "a loop with OpenMP's scan directive", .role = Role::textbook},
      {.name = "tiles",
       .summary = "tile by tile, which the threads sum and then scan out of their caches",
       .role = Role::like_for_like}};
  program.options = {threads_option("what the runtime says")};
  program.devices = cpu_devices;
  program.warning = [](const Options& options) { return openmp::thread_advice(options.number("threads")); };
  program.default_variant = [](const Options&) { return "tiles"; };
  program.make = [](const Options& options) {
    return options.precision == Precision::f64 ? openmp::make<double>(options) : openmp::make<float>(options);
  };
  return scan::run_program(argc, argv, program);
}
