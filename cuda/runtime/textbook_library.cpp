#include "cuda/runtime/textbook_library.hpp"

#include <fmt/core.h>

#include <map>
#include <utility>

#include "common/device/build.hpp"

namespace boltzmark::cuda {
namespace {

/// Libraries are never closed, so each is loaded once however often its variant is made.
const NvccLibrary& library_of(std::string_view source, const std::string& defines, const device::ComputeDevice& device,
                              bool is_kept) {
  static std::map<std::string, NvccLibrary> all;
  return all.try_emplace(defines, "textbook", source, defines, device, is_kept).first->second;
}

}  // namespace

TextbookLibrary::TextbookLibrary(const Options& asked, std::string prefix)
    : device_(device::device_for(asked)), asked_(asked), prefix_(std::move(prefix) + '_') {
  device::refuse_for_library(asked, device::api().compiler_option);
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

RunFacts TextbookLibrary::facts() const {
  return {.device = device_.name,
          .device_type = device::to_string(device_.type),
          .pci_address = device_.pci_address,
          .driver = device_.driver,
          .threads = 0,
          .write_allocate = false,
          .settings = {{"library_compiler", library_->compiler()}, {"library_cache", library_->cache_use()}}};
}

}  // namespace boltzmark::cuda
