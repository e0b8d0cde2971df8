#include "common/device/array_program.hpp"

#include <algorithm>

#include "common/base/error.hpp"

namespace boltzmark::device {

ArrayProgram::ArrayProgram(const Options& options) : device_(device_for(options)), options_(options) {}

void ArrayProgram::choose_group(int usual, int local_values) {
  while (static_cast<std::size_t>(usual) > std::min(device_.max_work_group, device_.max_work_group_x)) usual /= 2;
  group_ = options_.shape("work-group").value_or(WorkGroup{usual, 1});
  if (group_.y != 1 || group_.z != 1 || (group_.x & (group_.x - 1)) != 0)
    throw bad_input("--work-group: expected Nx1 with N a power of two, found {}", to_string(group_));
  check_work_group(device_, group_, static_cast<std::size_t>(local_values) * value_bytes());
}

std::string ArrayProgram::shortage(double bytes, double largest) const {
  return device_shortage(device_, bytes, largest);
}

KernelShape ArrayProgram::shape(const std::string& defines, int lanes, int vectors) const {
  return {.group = group_,
          .reduction = has_warps() ? Reduction::subgroup : Reduction::halves,
          .lanes = lanes,
          .vectors = vectors,
          .defines = defines};
}

void ArrayProgram::open() {
  launches_.clear();
  results_.clear();
  memory_.clear();
  library_.reset();  // destroyed before its session
  session_.emplace(device_, build_options(options_));
}

void ArrayProgram::build(std::string_view source, const KernelShape& shape) {
  open();
  build_more(source, shape);
}

void ArrayProgram::build_more(std::string_view source, const KernelShape& shape) {
  group_ = shape.group;
  module_ = session_->build(source, shape);
}

Buffer ArrayProgram::array(std::int64_t values) {
  const std::size_t bytes = static_cast<std::size_t>(values) * value_bytes();
  results_.push_back({&memory_.emplace_back(session_->array(bytes)), bytes});
  return memory_.back();
}

/// Its work-items stride through the array.
Buffer ArrayProgram::filled_array(std::int64_t values, std::int64_t first) {
  constexpr std::size_t items = 1 << 16;
  const Buffer array = session_->array(static_cast<std::size_t>(values) * value_bytes());
  session_->upload([&] { session_->queue()->launch(Kernel(module_, "fill", array, values, first), Range(items)); });
  return array;
}

const Buffer& ArrayProgram::state(std::size_t bytes) {
  Buffer& buffer = memory_.emplace_back();
  session_->allocate({{&buffer, bytes}});
  return buffer;
}

const Buffer& ArrayProgram::scratch(std::size_t bytes) {
  const Buffer& buffer = state(bytes);
  results_.push_back({&memory_.back(), bytes});
  return buffer;
}

void ArrayProgram::run_first() {
  session_->first_launches(group_, [&] { enqueue(); });
}

void ArrayProgram::enqueue(std::size_t first, std::size_t count) const {
  for (const ArrayLaunch& launch : std::span(launches_).subspan(first, count)) {
    if (launch.before) launch.before(launch.kernel);
    session_->queue()->launch(launch.kernel, launch.items, launch.group);
  }
}

void ArrayProgram::enqueue() const {
  if (library_) return library_->enqueue();
  enqueue(0, launches_.size());
}

void ArrayProgram::run(const char* doing) const {
  attempt(doing, [&] {
    enqueue();
    session_->queue()->finish();
  });
}

void ArrayProgram::run_one(std::size_t launch, const char* doing) const {
  attempt(doing, [&] {
    enqueue(launch, 1);
    session_->queue()->finish();
  });
}

RunFacts ArrayProgram::facts() const {
  Settings all = {{"work_group", fmt::format("{}x1", group_.x)}, {"launches", launches_.size()}};
  all.update(settings);
  RunFacts facts = session_->facts(library_ ? library_->settings() : all);
  facts.write_allocate = is_cpu();
  return facts;
}

}  // namespace boltzmark::device
