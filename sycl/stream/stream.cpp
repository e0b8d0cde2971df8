// STREAM in SYCL: every kernel is a parallel_for. An item of a GPU has a vector of 16 bytes: a number is too little on
// its way.
#include "sycl/on_queue.hpp"

#include "common/base/compensated_sum.hpp"
#include "common/stream/array_kernels.hpp"

namespace boltzmark::by_sycl {
using namespace stream;
namespace {

/// A dot product, or a part of it.
struct Dot {
  CompensatedSum sum = {};
  void take(double term) { sum.add(term); }
  void take(const Dot& other) { sum.add(other.sum); }
};

template <class T>
struct Plain {
  void init(Arrays<T>& arrays, const Workers& workers) {
    InParts<T>::init(arrays, workers);
    count_ = arrays.size();
    a_ = {arrays.a(), count_};
    b_ = {arrays.b(), count_};
    c_ = {arrays.c(), count_};
  }
  static void spoil() { spoil_partial_results(); }
  void collect() const { a_.download(), b_.download(), c_.download(); }
  void copy(Arrays<T>&, const Workers&) const {
    store(c_, [a = a_.data()]<class V>(V, std::int64_t i) { return at<V>(a, i); });
  }
  void mul(Arrays<T>&, const Workers&) const {
    store(b_, [c = c_.data()]<class V>(V, std::int64_t i) { return T(scalar) * at<V>(c, i); });
  }
  void add(Arrays<T>&, const Workers&) const {
    store(c_, [a = a_.data(), b = b_.data()]<class V>(V, std::int64_t i) { return at<V>(a, i) + at<V>(b, i); });
  }
  void triad(Arrays<T>&, const Workers&) const {
    store(a_,
          [b = b_.data(), c = c_.data()]<class V>(V, std::int64_t i) { return at<V>(b, i) + T(scalar) * at<V>(c, i); });
  }
  /// Equal terms round alike: at most 32 of them are added up in T.
  double dot(const Arrays<T>& arrays, const Workers&) const {
    return joined<Dot>(
               [arrays = &arrays, count = count_](std::int64_t me, std::int64_t all) {
                 Dot sum;
                 sum.take(arrays->dot(range_of_pages(count, me, all, sizeof(T))));
                 return sum;
               },
               [a = a_.data(), b = b_.data(), count = count_](std::int64_t me, std::int64_t items) {
                 Dot sum;
                 take_vectors<T, 32 / lanes>(
                     count, me, items, [=]<class V>(V, std::int64_t i) { return at<V>(a, i) * at<V>(b, i); },
                     [](auto x, auto y) { return x + y; }, [&](T term) { sum.take(static_cast<double>(term)); });
                 return sum;
               })
        .sum.value();
  }

  static Settings settings() { return {{"vvl", native_lanes<T>}}; }

  static constexpr int lanes = 16 / sizeof(T);
  using Vector = typename Pack<T, lanes>::Raw;
  template <class V>
  static KERNEL_FN const V& at(const T* array, std::int64_t i) {
    return reinterpret_cast<const V*>(array)[i];
  }

  /// to[i] = value(i): of a processor number by number, which its compiler makes vectors of.
  template <class Value>
  void store(const InUsm<T>& array, const Value& value) const {
    T* const to = array.data();
    if (is_cpu()) {
      each(count_, [=](std::int64_t i) { to[i] = value(T(), i); });
    } else {
      const std::int64_t vectors = count_ / lanes;
      each(vectors + count_ % lanes, [=](std::int64_t i) {
        if (i < vectors)
          reinterpret_cast<Vector*>(to)[i] = value(Vector(), i);
        else
          to[i + vectors * (lanes - 1)] = value(T(), i + vectors * (lanes - 1));
      });
    }
    wait_for_all();
  }

  std::int64_t count_ = 0;
  InUsm<T> a_, b_, c_;
};

const Variant plain =
    like_for_like_of("plain", "each kernel one parallel_for over whole arrays", by<Plain>(start_workers));

}  // namespace
}  // namespace boltzmark::by_sycl

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_sycl;
  return run_on_queue(argc, argv, stream::workload, {&plain});
}
