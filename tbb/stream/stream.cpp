// STREAM in oneTBB: every kernel is a parallel_for over the same range, and a static_partitioner gives each slot of the
// arena the same part of it every time, that which it touched first.
#include "common/base/compensated_sum.hpp"
#include "common/stream/host_kernels.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
using namespace stream;
namespace {

template <class T>
class TbbStream : public OnArena<HostKernels<T>> {
 public:
  using OnArena<HostKernels<T>>::OnArena;

  void init(std::int64_t elements) override {
    this->arrays_ = Arrays<T>(elements);
    for_each([a = a(), b = b(), c = c()](std::int64_t i) {
      a[i] = T(start_a);
      b[i] = T(start_b);
      c[i] = T(start_c);
    });
  }
  void copy() override {
    for_each([a = a(), c = c()](std::int64_t i) { c[i] = a[i]; });
  }
  void mul() override {
    for_each([b = b(), c = c()](std::int64_t i) { b[i] = T(scalar) * c[i]; });
  }
  void add() override {
    for_each([a = a(), b = b(), c = c()](std::int64_t i) { c[i] = a[i] + b[i]; });
  }
  void triad() override {
    for_each([a = a(), b = b(), c = c()](std::int64_t i) { a[i] = b[i] + T(scalar) * c[i]; });
  }
  /// Each part's sum keeps what rounding loses (Arrays::dot()); they are added up in the same order every time.
  double dot() override {
    using Part = tbb::blocked_range<std::int64_t>;
    return this->arena_.execute([this] {
      return tbb::parallel_deterministic_reduce(
          Part(0, this->arrays_.size()), 0.0,
          [this](const Part& part, double sum) {
            return sum + this->arrays_.dot({part.begin(), part.end()});
          },
          std::plus<>(), tbb::static_partitioner());
    });
  }

 private:
  template <class Work>
  void for_each(const Work& work) {
    this->arena_.execute(
        [&] { tbb::parallel_for(std::int64_t{0}, this->arrays_.size(), work, tbb::static_partitioner()); });
  }
  T* a() { return this->arrays_.a(); }
  T* b() { return this->arrays_.b(); }
  T* c() { return this->arrays_.c(); }
};

const Variant plain = like_for_like_of<Kernels, TbbStream>("plain", "each kernel one parallel_for over whole arrays");

}  // namespace
}  // namespace boltzmark::onetbb

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace onetbb;
  return run_in_arena(argc, argv, stream::workload, {&plain, stream::past_caches<TbbStream>()});
}
