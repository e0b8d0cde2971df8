// CUB, the peer: Leibniz's series by the library's reduction of what it computes.
#include "common/device/array_program.hpp"
#include "common/pi/forms.hpp"
#include "common/target/layer.hpp"
#include "cuda/runtime/nvcc.hpp"

namespace boltzmark::cuda {

extern const std::string_view cub_pi_source;

namespace {

class CubLeibniz final : public target::Run {
 public:
  explicit CubLeibniz(const Options& asked) : program_(asked) {}

  void init(const target::Problem& problem) override {
    problem_ = &problem;
    program_.open();
    sum_ = program_.scratch(sizeof(double));
    const std::int64_t count = problem.size[0];
    program_.call(cub_call(cub_pi_source),
                  {.defines = device::library_defines(device::number_type(program_.precision()), count),
                   .results = sum_,
                   .count = count});
    program_.run_first();
  }
  void spoil() override { program_.spoil(); }
  void run() override {
    for (std::int64_t done = 0; done < problem_->steps; ++done) program_.run("add up the terms");
  }
  target::Arrays results() override {
    double sum = 0.0;
    device::attempt("read the sum", [&] { program_.session().queue()->read(sum_, 0, sizeof sum, &sum); });
    return {{"res", {4.0 * sum}}};
  }
  RunFacts facts() const override {
    RunFacts facts = program_.facts();
    const auto work = target::work_of(*problem_, pi::Form::two_divisions, static_cast<int>(program_.value_bytes()));
    facts.flops_per_update = work.flops;
    facts.operations_per_update = work.operations;
    return facts;
  }

 private:
  device::ArrayProgram program_;
  device::Buffer sum_;
  const target::Problem* problem_ = nullptr;
};

}  // namespace
}  // namespace boltzmark::cuda

std::vector<boltzmark::target::Variant> boltzmark::target::own_variants() {
  return {{.name = "cub",
           .summary = "the library CUB, compiled by the toolkit's nvcc: the peer of `fused`",
           .role = Role::peer,
           .kinds = {"leibniz"},
           .make = [](const Options& asked) {
             device::refuse_for_library(asked, device::api().compiler_option);
             return std::make_unique<cuda::CubLeibniz>(asked);
           }}};
}
