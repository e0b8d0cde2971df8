#include "opencl/matmul/peer.hpp"

#include <optional>

#include "common/base/error.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
namespace {

template <class T>
class PeerMultiplier final : public Multiplier {
 public:
  PeerMultiplier(const ComputeDevice& device, const Options& options)
      : device_(device), options_(build_options(options)) {}

  std::string shortage(double bytes) override { return device_shortage(device_, bytes, bytes / 3); }

  /// C is filled with what no product has. The library's first call is not to be timed: it loads or builds its kernels.
  void init(const Shape& shape, const Entries& entries) override {
    shape_ = shape;
    library_.reset();  // before the session that it was opened for
    session_.emplace(device_, options_);
    library_ = open_peer(*session_, options_.precision);
    const auto matrix = [](std::int64_t rows, std::int64_t columns) {
      return std::vector<T>(static_cast<std::size_t>(rows * columns), T(0.5));
    };
    const auto [m, n, k] = shape;
    std::vector<T> a = matrix(m, k), b = matrix(k, n);
    result_ = matrix(m, n);
    entries.fill(Matrix::a, a.data(), k, 0, m, 0, k);
    entries.fill(Matrix::b, b.data(), n, 0, k, 0, n);
    session_->allocate({{&a_, a.size() * sizeof(T), a.data()},
                        {&b_, b.size() * sizeof(T), b.data()},
                        {&c_, result_.size() * sizeof(T), result_.data()}});
    multiply();
  }

  void multiply() override {
    attempt("multiply", [&] {
      library_->enqueue(shape_, a_, b_, c_);
      session_->queue().finish();
    });
  }

  void collect() override {
    attempt("read C", [&] {
      session_->queue().enqueueReadBuffer(c_, CL_TRUE, 0, result_.size() * sizeof(T), result_.data());
    });
  }

  void read(std::int64_t row, std::span<double> values) const override {
    const T* const from = result_.data() + row * shape_.n;
    std::copy(from, from + values.size(), values.begin());
  }

  /// What it moves is not known: each matrix once.
  RunFacts facts() const override {
    RunFacts facts = session_->facts({{"library", library_->name()}});
    facts.bytes_per_update = static_cast<double>(sizeof(T)) * shape_.values() /
                             (static_cast<double>(shape_.m) * static_cast<double>(shape_.n));
    facts.write_allocate = device_.type == DeviceType::cpu;
    return facts;
  }

 private:
  ComputeDevice device_;
  BuildOptions options_;
  Shape shape_;
  std::optional<Session> session_;
  std::unique_ptr<PeerLibrary> library_;
  cl::Buffer a_, b_, c_;
  std::vector<T> result_;
};

}  // namespace

std::unique_ptr<Multiplier> make_peer(const Options& options) {
  for (const char* const name : {compiler_option_name, "no-kernel-cache"}) refuse_for_library(options, name);
  const ComputeDevice device = device_for(options);
  if (options.precision == Precision::f64) return std::make_unique<PeerMultiplier<double>>(device, options);
  return std::make_unique<PeerMultiplier<float>>(device, options);
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
