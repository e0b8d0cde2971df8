// Original on a device: an array of structures, and a work-item for every site.
#include <fmt/core.h>

#include "common/binary_fluid/original.hpp"
#include "common/device/array_program.hpp"
#include "common/device/build.hpp"

namespace boltzmark::binary_fluid {

using namespace device;

extern const std::string_view original_source;

namespace {

template <class T>
class Original final : public OriginalFluid<T> {
 public:
  explicit Original(const Options& options) : array_(options) {
    group_ = options.shape("work-group").value_or(WorkGroup{64, 1});
    if (group_.y != 1 || group_.z != 1) throw bad_input("--work-group: expected Nx1, found {}", to_string(group_));
    check_work_group(array_.device(), group_, 0);
  }

  std::string shortage(double bytes) override { return array_.shortage(bytes, bytes * populations / field_values); }

  void init(const target::Problem& problem) override {
    OriginalFluid<T>::init(problem);
    array_.build(original_source, {.group = group_});
    const auto buffer = [](Buffer& to, auto& values) {
      return BufferRequest{&to, values.size() * sizeof values[0], values.data()};
    };
    array_.session().allocate({buffer(of_in_, in_),
                               buffer(of_out_, out_),
                               buffer(of_surroundings_, surroundings_),
                               buffer(of_velocity_, velocity_),
                               {&of_constants_, sizeof constants_, &constants_},
                               {&of_launches_, sizeof launched_}});
    const auto sites = static_cast<std::int32_t>(in_.size());
    array_.add(parts_of(sites, group_.x), "collide", sites, of_in_, of_surroundings_, of_constants_, of_out_,
               of_velocity_, of_launches_);
    array_.run_first();
    launched_ = 1;
  }

  void spoil() override {
    array_.session().spoil({{&of_out_, out_.size() * sizeof out_[0]}, {&of_velocity_, velocity_.size() * sizeof(T)}});
  }

  void run() override {
    attempt("collide", [&] {
      for (int step = 0; step < this->case_.steps; ++step, ++launched_) array_.enqueue();
      array_.session().queue()->finish();
    });
  }

  std::vector<double> results_of(const std::vector<std::int64_t>& sites) override {
    attempt("read the result", [&] {
      array_.session().queue()->read(of_out_, 0, out_.size() * sizeof out_[0], out_.data());
      array_.session().queue()->read(of_velocity_, 0, velocity_.size() * sizeof(T), velocity_.data());
    });
    return OriginalFluid<T>::results_of(sites);
  }

  std::uint32_t lost_launches() override {
    std::uint32_t ran = 0;
    attempt("read the count of launches", [&] { array_.session().queue()->read(of_launches_, 0, sizeof ran, &ran); });
    return launched_ - ran;
  }

  RunFacts facts() const override {
    const RunFacts work = OriginalFluid<T>::facts();
    RunFacts facts = array_.session().facts({{"work_group", fmt::format("{}x1", group_.x)}});
    facts.bytes_per_update = work.bytes_per_update;
    facts.flops_per_update = work.flops_per_update;
    facts.fetched_per_update = work.fetched_per_update;
    facts.write_allocate = array_.is_cpu();
    return facts;
  }

 private:
  using OriginalFluid<T>::in_;
  using OriginalFluid<T>::out_;
  using OriginalFluid<T>::surroundings_;
  using OriginalFluid<T>::velocity_;
  using OriginalFluid<T>::constants_;

  ArrayProgram array_;
  WorkGroup group_;
  Buffer of_in_, of_out_, of_surroundings_, of_velocity_, of_constants_, of_launches_;
  std::uint32_t launched_ = 0;
};

}  // namespace

const Variant original = original_variant(made_of<target::Run, Original>, {work_group_option()});

Program layer_program();  // the rest, of common/device/layer

Program device_program() {
  Program program = layer_program();
  program.variants.push_back(&original);
  return program;
}

}  // namespace boltzmark::binary_fluid
