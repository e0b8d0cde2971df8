// STREAM in oneTBB: every kernel is a parallel_for over the same range, and a static_partitioner gives each slot of the
// arena the same part of it every time, the part that it touched first.
#include "common/base/compensated_sum.hpp"
#include "common/stream/array_kernels.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
using namespace stream;
namespace {

template <class T>
struct Plain {
  static void init(Arrays<T>& at, const Workers&) {
    for_each(at.size(), [a = at.a(), b = at.b(), c = at.c()](std::int64_t i) {
      a[i] = T(start_a);
      b[i] = T(start_b);
      c[i] = T(start_c);
    });
  }
  static void copy(Arrays<T>& at, const Workers&) {
    for_each(at.size(), [a = at.a(), c = at.c()](std::int64_t i) { c[i] = a[i]; });
  }
  static void mul(Arrays<T>& at, const Workers&) {
    for_each(at.size(), [b = at.b(), c = at.c()](std::int64_t i) { b[i] = T(scalar) * c[i]; });
  }
  static void add(Arrays<T>& at, const Workers&) {
    for_each(at.size(), [a = at.a(), b = at.b(), c = at.c()](std::int64_t i) { c[i] = a[i] + b[i]; });
  }
  static void triad(Arrays<T>& at, const Workers&) {
    for_each(at.size(), [a = at.a(), b = at.b(), c = at.c()](std::int64_t i) { a[i] = b[i] + T(scalar) * c[i]; });
  }
  /// Each part's sum is compensated (Arrays::dot()); the sums are added up in the same order every time.
  static double dot(const Arrays<T>& at, const Workers&) {
    using Part = tbb::blocked_range<std::int64_t>;
    return arena().execute([&at] {
      return tbb::parallel_deterministic_reduce(
          Part(0, at.size()), 0.0,
          [&at](const Part& part, double sum) {
            return sum + at.dot({part.begin(), part.end()});
          },
          std::plus<>(), tbb::static_partitioner());
    });
  }
  static Settings settings() { return settings_of_vectors<T>(); }

 private:
  template <class Work>
  static void for_each(std::int64_t count, const Work& work) {
    arena().execute([&] { tbb::parallel_for(std::int64_t{0}, count, work, tbb::static_partitioner()); });
  }
};

const Variant plain =
    like_for_like_of("plain", "each kernel one parallel_for over whole arrays", by<Plain>(start_workers));
const Variant nt = past_caches<Plain>(start_workers);

}  // namespace
}  // namespace boltzmark::onetbb

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace onetbb;
  return run_in_arena(argc, argv, stream::workload, {&plain, &nt});
}
