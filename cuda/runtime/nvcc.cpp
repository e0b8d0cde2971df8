#include "cuda/runtime/nvcc.hpp"

#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "common/base/text.hpp"
#include "common/device/kernel_cache.hpp"

namespace boltzmark::cuda {

using namespace device;

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<unsigned char>;

/// Quoted as one word for a shell.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

struct Answer {
  bool is_success = false;
  std::string text;  ///< of both streams
};

Answer ask(const std::string& command) {
  Answer answer;
  std::FILE* const out = popen((command + " 2>&1 </dev/null").c_str(), "r");
  if (!out) return answer;
  std::array<char, 4096> piece{};
  for (std::size_t got; (got = std::fread(piece.data(), 1, piece.size(), out)) > 0;)
    answer.text.append(piece.data(), got);
  answer.is_success = pclose(out) == 0;
  return answer;
}

/// The first line with an error, or else the first line.
std::string reason_in(const std::string& log) {
  std::string first;
  for (const std::string& line : split(log, '\n')) {
    if (line.find("error") != line.npos || line.find("fatal") != line.npos) return line;
    if (first.empty()) first = line;
  }
  return first.empty() ? "it says nothing" : first;
}

/// "13.0" of the line "Cuda compilation tools, release 13.0, V13.0.88".
std::string release_in(const std::string& version) {
  constexpr std::string_view before = "release ";
  const auto at = version.find(before);
  if (at == version.npos) return "of unknown version";
  const auto first = at + before.size();
  return version.substr(first, version.find_first_of(",\n", first) - first);
}

/// A private folder for the compiler's files, deleted with the object.
class WorkFolder {
 public:
  WorkFolder() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "boltzmark-nvcc-XXXXXX").string();
    if (!error && mkdtemp(name.data())) path = name;
  }
  ~WorkFolder() {
    std::error_code error;
    if (!path.empty()) fs::remove_all(path, error);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  fs::path path;
};

Bytes compile(const char* user, const fs::path& nvcc, std::string_view source, const std::string& options) {
  const WorkFolder folder;
  const fs::path text = folder.path / "source.cu", made = folder.path / "library.so";
  std::ofstream(text) << source;
  const Answer answer =
      ask(fmt::format("{} {} -o {} {}", quoted(nvcc.string()), options, quoted(made.string()), quoted(text.string())));
  std::ifstream in(made, std::ios::binary);
  Bytes bytes{std::istreambuf_iterator<char>(in), {}};
  if (!answer.is_success || bytes.empty())
    throw unavailable("{}: {} cannot compile it: {}", user, nvcc.string(), reason_in(answer.text));
  return bytes;
}

/// Opens a library that is in memory; nullptr if it is not a library. A file in memory needs no folder that permits
/// execution. It stays open, because the loader would mistake a later file with its number for the same library.
void* open_bytes(const Bytes& bytes) {
  const int file = memfd_create("boltzmark-nvcc", MFD_CLOEXEC);
  if (file < 0) return nullptr;
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t wrote = write(file, bytes.data() + done, bytes.size() - done);
    if (wrote <= 0) break;
    done += static_cast<std::size_t>(wrote);
  }
  void* const library =
      done == bytes.size() ? dlopen(fmt::format("/proc/self/fd/{}", file).c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (!library) close(file);
  return library;
}

}  // namespace

fs::path find_nvcc() {
  std::vector<fs::path> folders;
  if (const char* const path = std::getenv("PATH"))
    for (const std::string& folder : split(path, ':'))
      if (!folder.empty()) folders.emplace_back(folder);
  for (const fs::path& toolkit : toolkit_folders()) folders.push_back(toolkit / "bin");
  for (const fs::path& folder : folders)
    if (access((folder / "nvcc").c_str(), X_OK) == 0) return folder / "nvcc";
  return {};
}

NvccLibrary::NvccLibrary(const char* user, std::string_view source, const std::string& options,
                         const ComputeDevice& device, bool is_kept)
    : user_(user) {
  const fs::path nvcc = find_nvcc();
  if (nvcc.empty()) throw unavailable("{}: expected nvcc of CUDA's toolkit, found none (or set CUDA_HOME)", user);
  const Answer version = ask(quoted(nvcc.string()) + " --version");
  compiler_ = "nvcc " + release_in(version.text);
  const std::string all_options =
      fmt::format("-std=c++17 -O3 -arch={} -shared -Xcompiler -fPIC {}", device.architecture, options);
  const KernelCache cache(is_kept ? kernel_cache_folder() : fs::path());
  const std::string key = fmt::format("nvcc\n{}\n{}\n{}", version.text, all_options, source);
  static std::set<std::string> made_here;  // reloaded for each of several runs; the record has the time of the first
  cache_use_ = made_here.contains(key) ? "miss" : "hit";
  if (const auto kept = cache.find(key)) library_ = open_bytes(*kept);
  if (library_) return;
  const Bytes made = compile(user, nvcc, source, all_options);
  library_ = open_bytes(made);
  if (!library_) throw unavailable("{}: the library made by {} cannot be loaded: {}", user, compiler_, dlerror());
  made_here.insert(key);
  cache_use_ = !is_kept ? "off" : cache.store(key, made) ? "miss" : "miss, not stored";
}

namespace {

class CubCall final : public LibraryCall {
 public:
  CubCall(std::string_view source, Session& session, const BuildOptions& options, const LibraryTask& task)
      : queue_(session.queue()),
        task_(task),
        library_("cub", source, task.defines, session.device(), options.kernel_cache),
        run_(library_.function<Run>("run")),
        name_of_(library_.function<NameOf>("name_of")) {
    call(nullptr);
    scratch_bytes_ = std::max<std::size_t>(4, (scratch_bytes_ + 3) / 4 * 4);
    session.allocate({{&scratch_, scratch_bytes_}});
  }

  void enqueue() override { call(scratch_.native()); }

  Settings settings() const override {
    const int version = library_.function<int()>("version")();
    return {{"library", fmt::format("CUB {}.{}.{}", version / 100000, version / 100 % 1000, version % 100)},
            {"library_compiler", library_.compiler()},
            {"library_cache", library_.cache_use()}};
  }

 private:
  using Run = int(void* scratch, std::size_t* scratch_bytes, const void* values, void* results, long long count,
                  void* stream);
  using NameOf = const char*(int status);

  void call(void* scratch) {
    const int status =
        run_(scratch, &scratch_bytes_, task_.values.native(), task_.results.native(), task_.count, queue_->native());
    if (status != 0) throw unavailable("cub: cannot run: {}", name_of_(status));
  }

  Queue queue_;
  LibraryTask task_;
  NvccLibrary library_;
  Run* run_;
  NameOf* name_of_;
  std::size_t scratch_bytes_ = 0;
  Buffer scratch_;
};

}  // namespace

MakeLibraryCall cub_call(std::string_view source) {
  return [source](Session& session, const BuildOptions& options, const LibraryTask& task) {
    return std::make_unique<CubCall>(source, session, options, task);
  };
}

namespace {

/// Libraries are never closed, so each is loaded once, even if its variant is made several times.
const NvccLibrary& library_of(std::string_view source, const std::string& defines, const ComputeDevice& device,
                              bool is_kept) {
  static std::map<std::string, NvccLibrary> all;
  return all.try_emplace(defines, "textbook", source, defines, device, is_kept).first->second;
}

}  // namespace

TextbookLibrary::TextbookLibrary(const Options& asked, std::string prefix)
    : device_(device_for(asked)), asked_(asked), prefix_(std::move(prefix) + '_') {
  refuse_for_library(asked, device::api().compiler_option);
  refuse_for_library(asked, "memory");
}

TextbookLibrary::~TextbookLibrary() {
  if (library_) library_->function<void()>((prefix_ + "destroy").c_str())();
}

void TextbookLibrary::load(std::string_view source, const std::string& defines) {
  const char* const real = asked_.precision == Precision::f64 ? "double" : "float";
  library_ = &library_of(source, fmt::format("-D REAL={} {}", real, defines), device_, !asked_.has("no-kernel-cache"));
  expect_success(library_->function<const char*(const char*)>("use_device")(device_.pci_address.c_str()));
}

void TextbookLibrary::expect_success(const char* failure) {
  if (failure) throw unavailable("textbook: {}", failure);
}

RunFacts TextbookLibrary::facts(double bytes_per_update) const {
  return {.device = device_.name,
          .device_type = to_string(device_.type),
          .pci_address = device_.pci_address,
          .driver = device_.driver,
          .threads = 0,
          .bytes_per_update = bytes_per_update,
          .write_allocate = false,
          .settings = {{"library_compiler", library_->compiler()}, {"library_cache", library_->cache_use()}}};
}

}  // namespace boltzmark::cuda
