// segments-openmp: segmented sums on the threads of one machine.
#include <fmt/core.h>

#include "common/run/cpu_device.hpp"
#include "common/segments/host_reducer.hpp"
#include "openmp/advice.hpp"
#include "openmp/thread_team.hpp"

namespace boltzmark::openmp {
namespace {

template <class T>
class ThreadedSegments : public segments::HostReducer<T> {
 public:
  explicit ThreadedSegments(std::optional<int> threads) : team_(threads) {}
  void init(const segments::Shape& shape) override {
    this->make_arrays(shape, {0, shape.segments});
    team_.run([&](int me) { this->fill(segments::segments_of(shape.elements(), me, team_.size())); });
  }
  RunFacts facts() const override {
    return {.device = cpu_name(), .driver = fmt::format("OpenMP {}", _OPENMP), .threads = team_.size()};
  }

 protected:
  ThreadTeam team_;
};

/// Textbook: the loop over segments spread over threads. Where there are fewer segments than threads, some have none.
template <class T>
class Textbook : public ThreadedSegments<T> {
 public:
  using ThreadedSegments<T>::ThreadedSegments;
  void reduce() override {
    const T* const values = this->values_.data();
    T* const sums = this->sums_.data();
    const auto [segments, length] = this->shape_;
    const int threads = this->team_.size();
#pragma omp parallel for num_threads(threads)
    for (std::int64_t segment = 0; segment < segments; ++segment) {
      T sum = 0;
      for (std::int64_t i = 0; i < length; ++i) sum += values[segment * length + i];
      sums[segment] = sum;
    }
  }
};

/// Vectors: each thread its segments in vectors; of few segments each thread a stretch of every one.
template <class T>
class Vectors : public ThreadedSegments<T> {
 public:
  using ThreadedSegments<T>::ThreadedSegments;
  void reduce() override {
    const T* const values = this->values_.data();
    T* const sums = this->sums_.data();
    const auto [segments, length] = this->shape_;
    const int threads = this->team_.size();
    if (segments >= few * threads) {
      this->team_.run([&, count = segments, of_each = length](int me) {
        segments::sum_segments(values, sums, of_each, segments::segments_of(count, me, threads));
      });
      return;
    }
    std::vector<T> parts(static_cast<std::size_t>(segments * threads));
    this->team_.run([&, count = segments, of_each = length](int me) {
      const Stretch mine = segments::segments_of(of_each, me, threads);
      for (std::int64_t segment = 0; segment < count; ++segment)
        parts[segment * threads + me] =
            segments::sum_of(values + segment * of_each + mine.begin, mine.size());
    });
    segments::sum_segments<T>(parts.data(), sums, threads, {0, segments});
  }

 private:
  static constexpr std::int64_t few = 8;  ///< segments a thread, with which the shares are uneven
};

template <class T>
std::unique_ptr<segments::Reducer> make(const Options& options) {
  const auto threads = options.number("threads");
  if (options.variant == "textbook") return std::make_unique<Textbook<T>>(threads);
  return std::make_unique<Vectors<T>>(threads);
}

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  segments::Program program;
  program.model = "openmp";
  program.summary = "Segmented sums on the threads of one machine";
  program.build = BOLTZMARK_BUILD_INFO;
  program.variants = {{.name = "textbook", .summary = "a loop over segments", .role = Role::textbook},
                      {.name = "vectors",
                       .summary = "vectors; few segments are shared by all threads",
                       .role = Role::like_for_like}};
  program.options = {threads_option("what the runtime says")};
  program.devices = cpu_devices;
  program.warning = [](const Options& options) { return openmp::thread_advice(options.number("threads")); };
  program.default_variant = [](const Options&) { return "vectors"; };
  program.make = [](const Options& options) {
    return options.precision == Precision::f64 ? openmp::make<double>(options) : openmp::make<float>(options);
  };
  return segments::run_program(argc, argv, program);
}
