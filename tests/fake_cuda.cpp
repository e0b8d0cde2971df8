// A stand-in for CUDA in some of the tests: a driver whose devices' memory is the host's, and libraries that compute
// there. One file under all their names; fake_cuda_rest.cpp has the calls that no such test needs. In the environment:
//
//   BOLTZMARK_TEST_NVRTC     a compiler of kernels (host_cuda/nvrtc); without it `fill`, of floats whose sum is taken,
//                            is the only one
//   BOLTZMARK_TEST_DEVICES   their number, else 1
//   BOLTZMARK_TEST_CAPABILITY, BOLTZMARK_TEST_UNIT_LOCAL    theirs: X of X.0, else 9, and bytes a multiprocessor
//   BOLTZMARK_TEST_LOSE      see is_lost()
//   BOLTZMARK_TEST_HURRY     commands of streams with priority run at once
//
// Other commands run as late as they may: when the host waits for them, or another command that it waits for does. So a
// command that does not wait for its data finds them missing, or gone.
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "common/base/eighths.h"
#include "common/device/host_values.hpp"
#include "cuda/runtime/driver.hpp"

using namespace boltzmark::cuda;

namespace {

/// Handles that only must not be null.
template <class Handle>
int give(Handle* handle) {
  static char something;
  *handle = reinterpret_cast<Handle>(&something);
  return 0;
}

int number_in(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  return text ? std::atoi(text) : otherwise;
}

template <class T>
T* at(CUdeviceptr pointer) {
  return reinterpret_cast<T*>(pointer);
}

/// The device's memory, in places of one size, which other processes can open. As with CUDA, all of it disappears with
/// the context, and the next context has the same addresses: uses of another context's memory are detected.
constexpr std::size_t place_bytes = std::size_t{4} << 20, place_count = 64;
bool is_taken[place_count];
int contexts = 0;

std::byte* map_places(int file) {
  void* const mapped = mmap(nullptr, place_count * place_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return mapped == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped);
}
const int places_file = [] {
  const int made = memfd_create("fake_cuda", MFD_CLOEXEC);
  return ftruncate(made, place_count * place_bytes) == 0 ? made : -1;
}();
std::byte* const places = map_places(places_file);
std::set<std::byte*> places_of_others;

/// The handle by which other processes open memory, as an IpcHandle.
struct PlaceName {
  int process, file;
  std::size_t first;
};

constexpr CUresult invalid_value_of_test = 1, out_of_memory_of_test = 2;

bool* place_of(CUdeviceptr pointer) {
  const auto first = reinterpret_cast<CUdeviceptr>(places);
  const std::size_t number = (pointer - first) / place_bytes;
  return pointer >= first && number < place_count ? &is_taken[number] : nullptr;
}
/// Memory of the host that the driver reads and writes when a command runs, and not at the call: where it begins, and
/// how many bytes.
std::map<const std::byte*, std::size_t> pinned;
bool is_pinned(const void* at) {
  const auto* const byte = static_cast<const std::byte*>(at);
  const auto after = pinned.upper_bound(byte);
  return after != pinned.begin() && byte < std::prev(after)->first + std::prev(after)->second;
}

/// The memory that a device uses: its own, that of others, and pinned memory of the host.
bool is_memory(CUdeviceptr pointer) {
  if (const bool* const place = place_of(pointer)) return *place;
  return is_pinned(at<void>(pointer)) ||
         std::any_of(places_of_others.begin(), places_of_others.end(), [&](const std::byte* first) {
           return pointer - reinterpret_cast<CUdeviceptr>(first) < place_count * place_bytes;
         });
}

using Command = std::function<void()>;

/// A queue of commands, and how many of it are done.
struct Stream {
  std::deque<Command> waiting;
  std::size_t done = 0;
  bool is_hurried = false;

  std::size_t enqueued() const { return done + waiting.size(); }
  void run_to(std::size_t count) {
    while (done < count) {
      const Command next = std::move(waiting.front());
      waiting.pop_front();
      next();
      ++done;
    }
  }
};
std::set<Stream*> streams;

/// When this many commands of a stream are done.
struct Event {
  Stream* stream = nullptr;
  std::size_t count = 0;
  bool is_over() const { return !stream || !streams.contains(stream) || stream->done >= count; }
  void run() const {
    if (!is_over()) stream->run_to(count);
  }
};

Stream* stream_of(CUstream handle) { return reinterpret_cast<Stream*>(handle); }
Event* event_of(CUevent handle) { return reinterpret_cast<Event*>(handle); }

int enqueue(CUstream handle, Command command) {
  Stream& stream = *stream_of(handle);
  stream.waiting.push_back(std::move(command));
  if (stream.is_hurried) stream.run_to(stream.enqueued());
  return 0;
}
void finish(CUstream handle) { stream_of(handle)->run_to(stream_of(handle)->enqueued()); }
void finish_all() {
  for (Stream* const stream : std::set(streams)) stream->run_to(stream->enqueued());
}

/// With BOLTZMARK_TEST_LOSE="FIRST COUNT" in the environment: whether this call of a library, counted from 0 on, does
/// nothing.
bool is_lost() {
  static long calls = 0;
  long first = 0, count = 0;
  if (const char* const text = std::getenv("BOLTZMARK_TEST_LOSE")) std::sscanf(text, "%ld %ld", &first, &count);
  const long number = calls++;
  return number >= first && number < first + count;
}

/// Column by column, as BLAS has it; with the strides that it is given.
template <class T>
int multiply(int m, int n, int k, T alpha, const T* a, int a_stride, const T* b, int b_stride, T beta, T* c,
             int c_stride) {
  finish_all();
  if (is_lost()) return 0;
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) {
      T sum = 0;
      for (int i = 0; i < k; ++i) sum += a[row + i * a_stride] * b[i + column * b_stride];
      T& of_c = c[row + column * c_stride];
      of_c = alpha * sum + (beta == 0 ? 0 : beta * of_c);
    }
  return 0;
}

/// `count` of these, each this many values after the one before.
template <class T>
int multiply_batch(int m, int n, int k, T alpha, const T* a, int a_stride, long long a_step, const T* b, int b_stride,
                   long long b_step, T beta, T* c, int c_stride, long long c_step, int count) {
  for (int i = 0; i < count; ++i)
    multiply(m, n, k, alpha, a + i * a_step, a_stride, b + i * b_step, b_stride, beta, c + i * c_step, c_stride);
  return 0;
}

/// A program of NVRTC.
struct Compilation {
  std::string source, image, log = "";

  /// The library is kept beside the cache of kernels, which names it.
  int compile(const std::string& compiler, const std::vector<std::string>& options) {
    static int number = 0;
    const std::string file = std::string(std::getenv("XDG_CACHE_HOME")) + "/kernels-" + std::to_string(getpid()) + "-" +
                             std::to_string(number++);
    std::FILE* const written = std::fopen((file + ".cu").c_str(), "w");
    if (!written) return 6;
    std::fwrite(source.data(), 1, source.size(), written);
    std::fclose(written);
    image = file + ".so";
    std::string command = compiler + " " + file + ".cu " + image;
    for (const std::string& option : options) command += " '" + option + "'";
    std::FILE* const output = popen((command + " 2>&1").c_str(), "r");
    if (!output) return 6;
    for (int next = 0; (next = std::fgetc(output)) != EOF;) log += static_cast<char>(next);
    return pclose(output) == 0 ? 0 : 6;
  }
};
Compilation* compilation_of(NvrtcProgram program) { return reinterpret_cast<Compilation*>(program); }

}  // namespace

extern "C" {

int cuInit(unsigned) { return 0; }
int cuDriverGetVersion(int* version) { return *version = 13000, 0; }
int cuGetErrorName(CUresult, const char** name) { return *name = "CUDA_ERROR_OF_TEST", 0; }
int cuDeviceGetCount(int* count) {
  const char* const devices = std::getenv("BOLTZMARK_TEST_DEVICES");
  return *count = devices ? std::atoi(devices) : 1, 0;
}
int cuDeviceGet(CUdevice* device, int number) { return *device = number, 0; }
int cuDeviceGetName(char* name, int bytes, CUdevice) { return std::snprintf(name, bytes, "a fake GPU"), 0; }
int cuDeviceGetPCIBusId(char* name, int bytes, CUdevice device) { return std::snprintf(name, bytes, "%d", device), 0; }
int cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice) { return *bytes = std::size_t{1} << 30, 0; }
int cuDeviceGetAttribute(int* value, int attribute, CUdevice) {
  switch (attribute) {
    case shared_memory_per_block:
      return *value = 49152, 0;
    case shared_memory_per_multiprocessor:
      return *value = number_in("BOLTZMARK_TEST_UNIT_LOCAL", 49152), 0;
    case capability_major:
      return *value = number_in("BOLTZMARK_TEST_CAPABILITY", 9), 0;
    case capability_minor:
    case is_integrated:
      return *value = 0, 0;
    default:
      return *value = 1024, 0;
  }
}
int cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) { return ++contexts, give(context); }
int cuDevicePrimaryCtxRelease_v2(CUdevice) {
  if (--contexts > 0) return 0;
  finish_all();
  std::fill(std::begin(is_taken), std::end(is_taken), false);
  return 0;
}
int cuCtxSetCurrent(CUcontext) { return 0; }
int cuStreamCreate(CUstream* stream, unsigned) {
  auto* const made = new Stream;
  streams.insert(made);
  return *stream = reinterpret_cast<CUstream>(made), 0;
}
int cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int) {
  cuStreamCreate(stream, flags);
  stream_of(*stream)->is_hurried = std::getenv("BOLTZMARK_TEST_HURRY");
  return 0;
}
int cuCtxGetStreamPriorityRange(int* least, int* greatest) { return *least = 0, *greatest = -5, 0; }
int cuStreamDestroy_v2(CUstream stream) {
  finish(stream);
  streams.erase(stream_of(stream));
  return delete stream_of(stream), 0;
}
int cuStreamSynchronize(CUstream stream) { return finish(stream), 0; }
int cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  return enqueue(stream, [awaited = *event_of(event)] { awaited.run(); });
}
/// A function of the real driver, for fake_nccl.cpp.
int cuLaunchHostFunc(CUstream stream, void (*work)(void*), void* argument) {
  return enqueue(stream, [=] { work(argument); });
}
int cuEventCreate(CUevent* event, unsigned) { return *event = reinterpret_cast<CUevent>(new Event), 0; }
int cuEventDestroy_v2(CUevent event) { return delete event_of(event), 0; }
int cuEventRecord(CUevent event, CUstream stream) {
  return *event_of(event) = {stream_of(stream), stream_of(stream)->enqueued()}, 0;
}
int cuEventSynchronize(CUevent event) { return event_of(event)->run(), 0; }
int cuEventQuery(CUevent event) { return event_of(event)->is_over() ? success : not_ready; }
int cuEventElapsedTime(float* milliseconds, CUevent, CUevent) { return *milliseconds = 1.0f, 0; }
int cuMemAllocManaged(CUdeviceptr* pointer, std::size_t bytes, unsigned) {
  bool* const place = std::find(std::begin(is_taken), std::end(is_taken), false);
  if (bytes > place_bytes || place == std::end(is_taken)) return out_of_memory_of_test;
  *place = true;
  return *pointer = reinterpret_cast<CUdeviceptr>(places + (place - is_taken) * place_bytes), 0;
}
int cuMemAlloc_v2(CUdeviceptr* pointer, std::size_t bytes) {
  static const auto most_bytes = static_cast<std::size_t>(number_in("BOLTZMARK_TEST_DEVICE_BYTES", place_bytes));
  return bytes > most_bytes ? out_of_memory_of_test : cuMemAllocManaged(pointer, bytes, 0);
}
int cuMemFree_v2(CUdeviceptr pointer) {
  finish_all();
  return place_of(pointer) && is_memory(pointer) ? (*place_of(pointer) = false, 0) : invalid_value_of_test;
}
int cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned) {
  if (bytes > place_bytes) return out_of_memory_of_test;
  *pointer = std::malloc(bytes);
  return pinned[static_cast<std::byte*>(*pointer)] = bytes, 0;
}
int cuMemFreeHost(void* pointer) {
  finish_all();
  pinned.erase(static_cast<std::byte*>(pointer));
  return std::free(pointer), 0;
}
int cuMemHostGetDevicePointer_v2(CUdeviceptr* device, void* host, unsigned) {
  return *device = reinterpret_cast<CUdeviceptr>(host), 0;
}
int cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  if (!is_memory(to)) return invalid_value_of_test;
  if (is_pinned(from)) return enqueue(stream, [=] { std::memcpy(at<void>(to), from, bytes); });
  const auto* const first = static_cast<const std::byte*>(from);
  return enqueue(stream,
                 [=, copy = std::vector(first, first + bytes)] { std::memcpy(at<void>(to), copy.data(), bytes); });
}
int cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  if (!is_memory(from)) return invalid_value_of_test;
  enqueue(stream, [=] { std::memcpy(to, at<void>(from), bytes); });
  return is_pinned(to) ? 0 : (finish(stream), 0);
}
int cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  if (!is_memory(to) || !is_memory(from)) return invalid_value_of_test;
  return enqueue(stream, [=] { std::memmove(at<void>(to), at<void>(from), bytes); });
}
/// From the host: of pinned memory alone.
int cuMemcpy2DAsync_v2(const Copy2D* copy, CUstream stream) {
  const auto first = [](const Copy2D::Side& side) {
    const void* const of_host = side.memory == Copy2D::host ? side.host_address : at<void>(side.device_address);
    return static_cast<const std::byte*>(of_host) + side.y * side.pitch + side.x;
  };
  const auto is_known = [&](const Copy2D::Side& side) {
    if (side.memory != Copy2D::host) return is_memory(side.device_address);
    return &side == &copy->target || is_pinned(side.host_address);
  };
  const auto is_within = [&](const Copy2D::Side& side) { return side.x + copy->width_bytes <= side.pitch; };
  for (const Copy2D::Side* side : {&copy->source, &copy->target})
    if (!is_known(*side) || !is_within(*side)) return invalid_value_of_test;
  enqueue(stream, [one = *copy, first] {
    for (std::size_t row = 0; row < one.height; ++row)
      std::memcpy(const_cast<std::byte*>(first(one.target)) + row * one.target.pitch,
                  first(one.source) + row * one.source.pitch, one.width_bytes);
  });
  if (copy->target.memory == Copy2D::host && !is_pinned(copy->target.host_address)) finish(stream);
  return 0;
}
int cuMemsetD32Async(CUdeviceptr to, unsigned word, std::size_t words, CUstream stream) {
  if (!is_memory(to)) return invalid_value_of_test;
  return enqueue(stream, [=] { std::fill_n(at<unsigned>(to), words, word); });
}

int cuIpcGetMemHandle(IpcHandle* handle, CUdeviceptr pointer) {
  if (!place_of(pointer)) return invalid_value_of_test;
  const PlaceName name = {getpid(), places_file, pointer - reinterpret_cast<CUdeviceptr>(places)};
  return std::memcpy(handle->bytes, &name, sizeof name), 0;
}
int cuIpcOpenMemHandle_v2(CUdeviceptr* pointer, IpcHandle handle, unsigned) {
  PlaceName name;
  std::memcpy(&name, handle.bytes, sizeof name);
  const std::string path = "/proc/" + std::to_string(name.process) + "/fd/" + std::to_string(name.file);
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  std::byte* const others = file < 0 ? nullptr : map_places(file);
  close(file);
  if (!others) return invalid_value_of_test;
  places_of_others.insert(others);
  return *pointer = reinterpret_cast<CUdeviceptr>(others + name.first), 0;
}
int cuIpcCloseMemHandle(CUdeviceptr pointer) {
  finish_all();
  for (std::byte* const others : std::set(places_of_others))
    if (pointer - reinterpret_cast<CUdeviceptr>(others) < place_count * place_bytes) {
      munmap(others, place_count * place_bytes);
      places_of_others.erase(others);
    }
  return 0;
}
int cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr word, unsigned value, unsigned) {
  if (!is_memory(word)) return invalid_value_of_test;
  return enqueue(stream, [=] { std::atomic_ref(*at<unsigned>(word)).store(value); });
}
int cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr word, unsigned value, unsigned) {
  if (!is_memory(word)) return invalid_value_of_test;
  return enqueue(stream, [=] {
    while (static_cast<int>(std::atomic_ref(*at<unsigned>(word)).load() - value) < 0) sched_yield();
  });
}

/// An image is the path of a library that host_cuda/nvrtc made, or "fake".
int cuModuleLoadDataEx(CUmodule* loaded, const void* image, unsigned, int*, void**) {
  const auto* const path = static_cast<const char*>(image);
  if (std::strcmp(path, "fake") == 0) return give(loaded);
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  return *loaded = static_cast<CUmodule>(library), library ? 0 : 209;
}
int cuModuleUnload(CUmodule) { return 0; }
int cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  if (!std::getenv("BOLTZMARK_TEST_NVRTC")) return std::strcmp(name, "fill") == 0 ? give(function) : 500;
  *function = reinterpret_cast<CUfunction>(dlsym(module, (std::string("launch_") + name).c_str()));
  return *function ? 0 : 500;
}
int cuFuncGetAttribute(int* value, int, CUfunction) { return *value = 1024, 0; }
/// Kernels of host_cuda/nvrtc keep their arguments, as the driver does.
int cuLaunchKernel(CUfunction function, unsigned groups_x, unsigned groups_y, unsigned groups_z, unsigned items_x,
                   unsigned items_y, unsigned items_z, unsigned, CUstream stream, void** arguments, void**) {
  if (std::getenv("BOLTZMARK_TEST_NVRTC")) {
    const unsigned sizes[] = {groups_x, groups_y, groups_z, items_x, items_y, items_z};
    const auto launch = reinterpret_cast<Command* (*)(const unsigned*, void**)>(function);
    const std::shared_ptr<const Command> made(launch(sizes, arguments));
    return enqueue(stream, [made] { (*made)(); });
  }
  float* const values = at<float>(*static_cast<CUdeviceptr*>(arguments[0]));
  const auto count = *static_cast<unsigned long long*>(arguments[1]);
  return enqueue(stream, [=] {
    for (unsigned long long i = 0; i < count; ++i)
      values[i] = 0.125f * static_cast<float>(eighths_at(static_cast<unsigned>(i)));
  });
}

int nvrtcVersion(int* major, int* minor) { return *major = 13, *minor = 0, 0; }
int nvrtcGetNumSupportedArchs(int* count) { return *count = 1, 0; }
int nvrtcGetSupportedArchs(int* numbers) { return *numbers = 90, 0; }
int nvrtcCreateProgram(NvrtcProgram* program, const char* source, const char*, int, const char* const*,
                       const char* const*) {
  return *program = reinterpret_cast<NvrtcProgram>(new Compilation{source, "fake"}), 0;
}
int nvrtcDestroyProgram(NvrtcProgram* program) { return delete compilation_of(*program), 0; }
int nvrtcCompileProgram(NvrtcProgram program, int count, const char* const* options) {
  const char* const compiler = std::getenv("BOLTZMARK_TEST_NVRTC");
  if (!compiler) return 0;
  return compilation_of(program)->compile(compiler, {options, options + count});
}
int nvrtcGetProgramLogSize(NvrtcProgram program, std::size_t* bytes) {
  return *bytes = compilation_of(program)->log.size() + 1, 0;
}
int nvrtcGetProgramLog(NvrtcProgram program, char* log) {
  return std::strcpy(log, compilation_of(program)->log.c_str()), 0;
}
int nvrtcGetCUBINSize(NvrtcProgram program, std::size_t* bytes) {
  return *bytes = compilation_of(program)->image.size() + 1, 0;
}
int nvrtcGetCUBIN(NvrtcProgram program, char* image) {
  return std::strcpy(image, compilation_of(program)->image.c_str()), 0;
}

int cublasCreate_v2(void** handle) { return give(handle); }
int cublasDestroy_v2(void*) { return 0; }
int cublasGetProperty(int which, int* value) { return *value = which + 1, 0; }
int cublasSetStream_v2(void*, CUstream) { return 0; }
int cublasSetMathMode(void*, int mode) { return mode; }
int cublasSgemm_v2(void*, int, int, int m, int n, int k, const float* alpha, const float* a, int a_stride,
                   const float* b, int b_stride, const float* beta, float* c, int c_stride) {
  return multiply(m, n, k, *alpha, a, a_stride, b, b_stride, *beta, c, c_stride);
}
int cublasDgemm_v2(void*, int, int, int m, int n, int k, const double* alpha, const double* a, int a_stride,
                   const double* b, int b_stride, const double* beta, double* c, int c_stride) {
  return multiply(m, n, k, *alpha, a, a_stride, b, b_stride, *beta, c, c_stride);
}
int cublasSgemmStridedBatched(void*, int, int, int m, int n, int k, const float* alpha, const float* a, int a_stride,
                              long long a_step, const float* b, int b_stride, long long b_step, const float* beta,
                              float* c, int c_stride, long long c_step, int count) {
  return multiply_batch(m, n, k, *alpha, a, a_stride, a_step, b, b_stride, b_step, *beta, c, c_stride, c_step, count);
}
int cublasDgemmStridedBatched(void*, int, int, int m, int n, int k, const double* alpha, const double* a, int a_stride,
                              long long a_step, const double* b, int b_stride, long long b_step, const double* beta,
                              double* c, int c_stride, long long c_step, int count) {
  return multiply_batch(m, n, k, *alpha, a, a_stride, a_step, b, b_stride, b_step, *beta, c, c_stride, c_step, count);
}

int cublasGemmEx(void*, int, int, int m, int n, int k, const void* alpha, const void* a, int a_type, int a_stride,
                 const void* b, int b_type, int b_stride, const void* beta, void* c, int c_type, int c_stride,
                 int arithmetic, int) {
  constexpr int not_supported = 15, sums_of_floats = 68, sums_by_tf32 = 77;
  if (c_type != 0 || arithmetic != (a_type == 0 ? sums_by_tf32 : sums_of_floats)) return not_supported;
  finish_all();  // before A and B are read
  const auto floats = [](const void* from, int type, int count) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
      if (type == 0)
        values[i] = static_cast<const float*>(from)[i];
      else if (type == 2)
        values[i] = boltzmark::half_to_float(static_cast<const std::uint16_t*>(from)[i]);
      else
        values[i] = std::bit_cast<float>(std::uint32_t{static_cast<const std::uint16_t*>(from)[i]} << 16);
    return values;
  };
  return multiply(m, n, k, *static_cast<const float*>(alpha), floats(a, a_type, a_stride * k).data(), a_stride,
                  floats(b, b_type, b_stride * n).data(), b_stride, *static_cast<const float*>(beta),
                  static_cast<float*>(c), c_stride);
}

/// The functions of a compiled source with CUB: sums or, with this in the environment, prefix sums; without values,
/// Leibniz's series.
int run(void* scratch, std::size_t* scratch_bytes, const void* values, void* results, long long count, void*) {
  const float* const from = static_cast<const float*>(values);
  float* const to = static_cast<float*>(results);
  finish_all();
  if (!scratch)
    *scratch_bytes = 1;
  else if (is_lost())
    return 0;
  else if (!from)
    for (double &sum = *static_cast<double*>(results) = 0.0, n = 0.0; n < static_cast<double>(count); ++n)
      sum += 1.0 / (4.0 * n + 1.0) - 1.0 / (4.0 * n + 3.0);
  else if (std::getenv("BOLTZMARK_TEST_SCANS"))
    std::inclusive_scan(from, from + count, to);
  else
    *to = std::accumulate(from, from + count, 0.0f);
  return 0;
}
const char* name_of(int) { return "cudaErrorOfTest"; }
int version() { return 300001; }
}
