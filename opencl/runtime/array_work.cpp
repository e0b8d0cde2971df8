#include "opencl/runtime/array_work.hpp"

#include "common/base/error.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

WorkGroup row_group(const ComputeDevice& device, const Options& options, int usual, std::size_t local_bytes) {
  while (static_cast<std::size_t>(usual) > std::min(device.max_work_group, device.max_work_group_x))
    usual /= 2;
  const WorkGroup group = options.shape("work-group").value_or(WorkGroup{usual, 1});
  if (group.y != 1 || group.z != 1 || (group.x & (group.x - 1)) != 0)
    throw bad_input("--work-group: expected Nx1 with N a power of two, found {}", to_string(group));
  check_work_group(device, group, local_bytes);
  return group;
}

void RowLaunches::enqueue_one(std::size_t launch, Session& session, WorkGroup group) const {
  const auto items = static_cast<std::size_t>(group.x);
  session.queue().enqueueNDRangeKernel(all_[launch].kernel, cl::NullRange,
                                       cl::NDRange(static_cast<std::size_t>(all_[launch].groups) * items),
                                       cl::NDRange(items));
}

void fill_array(Session& session, const cl::Program& program, const cl::Buffer& array,
                std::int64_t elements) {
  const cl::Kernel fill = call_of(program, "fill", array, static_cast<cl_ulong>(elements));
  session.upload([&] { session.queue().enqueueNDRangeKernel(fill, cl::NullRange, cl::NDRange(1 << 16)); });
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
