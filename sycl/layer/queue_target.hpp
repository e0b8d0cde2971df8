// The target that is a device of SYCL: an item of a GPU has a site, or with others the sum of a row; a unit of a
// processor has parts of rows, in vectors. Its members are those of common/target/host_target.hpp.
#pragma once

#include "sycl/on_queue.hpp"

// For target.h: the object that gives a kernel its sites also tells it its position.
#define TARGET_SITES ::boltzmark::by_sycl::ItemSites sites
#define TARGET_APART
#define TARGET_TABLE static constexpr  // AdaptiveCpp's generic kernels have no inline ones
#define ROW_ITEMS sites.items_of_row
#define ROW_ITEM sites.item_of_row
#define SUM_OF_ROW_ITEMS(x) sites.sum_of_items(x)

#include "common/cpu/simd_wide.hpp"
#include "common/target/parts.hpp"

#include "common/target/on_target.hpp"

namespace boltzmark::by_sycl {

/// Sites of a work-item, which may share each row of TARGET_ROWS with its neighbours.
struct ItemSites : target::Sites {
  int items_of_row = 1, item_of_row = 0;
  const ::sycl::nd_item<1>* item = nullptr;  ///< of a group of a GPU, if they share it
  void* of_items = nullptr;                  ///< a number for each item of the group

  ItemSites(const target::Sites& sites) : Sites(sites) {}

  /// On the first item of a row. All items of a group come here together.
  template <class T>
  KERNEL_FN T sum_of_items(T mine) const {
    if (items_of_row == 1) return mine;
    const auto me = item->get_local_linear_id();
    T* const sums = static_cast<T*>(of_items);
    ::sycl::group_barrier(item->get_group());  // the last sums are no longer read
    sums[me] = mine;
    for (int apart = items_of_row / 2; apart > 0; apart /= 2) {
      ::sycl::group_barrier(item->get_group());
      if (item_of_row < apart) sums[me] += sums[me + static_cast<std::size_t>(apart)];
    }
    return sums[me];
  }
};

template <class T>
class QueueTarget {
 public:
  using Scalar = T;
  struct Field {
    Usm<T> numbers;
    int values = 0;
    T* argument() const { return numbers.data(); }
  };
  using Constants = Field;

  /// items_of_row: of a GPU, that share a row of TARGET_ROWS.
  QueueTarget(const target::Lattice& lattice, std::optional<int> vvl, int items_of_row)
      : lattice_(lattice), vvl_(vvl.value_or(is_cpu() ? native_lanes<T> : 1)), items_of_row_(items_of_row) {
    if (!is_cpu() && vvl_ != 1) throw bad_input("--vvl: expected 1 for a GPU in SYCL, found {}", vvl_);
    queue().fill(ran_.data(), std::uint32_t{0}, 1);
  }

  const target::Lattice& lattice() const { return lattice_; }
  int vvl() const { return vvl_; }
  bool is_site_by_site() const { return !is_cpu(); }
  RunFacts facts() const {
    RunFacts facts = on_device({});
    facts.write_allocate = is_cpu() && vvl_ * sizeof(T) < 64;  // see SET_PAST
    return facts;
  }
  template <class Launches>
  void first_launches(Launches&& launches) const {
    launches();
  }

  Field make(int values) const {
    const Field field = {Usm<T>(values * lattice_.stride()), values};
    each(lattice_.stride(), [=, to = field.argument(), stride = lattice_.stride()](std::int64_t site) {
      for (std::int64_t v = 0; v < values; ++v) to[v * stride + site] = 0;
    });
    return field;
  }
  Constants constants(const std::vector<T>& numbers) const { return {in_usm(numbers), 1}; }

  void copy_to(Field& field, const T* host, int first, int count) const {
    field.numbers.write(host, first * lattice_.stride(), count * lattice_.stride());
  }
  void copy_from(const Field& field, T* host, int first, int count) const {
    field.numbers.read(host, first * lattice_.stride(), count * lattice_.stride());
  }
  std::vector<T> gather(const Field& field, const std::vector<std::int32_t>& wanted) const {
    std::vector<T> values(wanted.size() * static_cast<std::size_t>(field.values));
    const Usm<T> packed(std::ssize(values));
    each_wanted(field, wanted, packed, [](T& there, T& here) { here = there; });
    packed.read(values.data());
    return values;
  }
  void scatter(Field& field, const std::vector<std::int32_t>& wanted, const std::vector<T>& values) const {
    each_wanted(field, wanted, in_usm(values), [](T& there, T& here) { there = here; });
  }

  template <int longest = target::longest_vvl, class Function, class... Arguments>
  void launch(const target::Kernel<Function>&, const target::Sites& box, const Arguments&... arguments) {
    enqueue<longest, false, Function>(box, target::argument_of(arguments)...);
  }
  template <class Function, class... Arguments>
  void launch_rows(const target::Kernel<Function>&, const target::Sites& box, const Arguments&... arguments) {
    enqueue<target::longest_vvl, true, Function>(box, target::argument_of(arguments)...);
  }

  /// Each unit adds up its parts of rows. Items of a GPU share each row: numbers of sites would take a division for each.
  template <class Function, class... Arguments>
  double sum(const target::Kernel<Function>&, const target::Sites& box, const Arguments&... arguments) {
    ++launched_;
    const auto sum_of = [&]<int lanes>(const auto&... given) {
      using Real = typename RealOfLanes<T, lanes>::Type;
      return joined(
          [=, ran = ran_.data()](std::int64_t me, std::int64_t units) {
            if (me == 0) ++*ran;
            Reduced all = {target::Reduce::sum};
            target::each_part_of(box, me, units, [&](const target::Sites& part) {
              target::sum_in_chunks(
                  part, lanes,
                  [&](const target::Sites& sites) {
                    all.take(double(Function().template operator()<T>(sites, given...)));
                  },
                  [&](const target::Sites& sites) {
                    all.take(double(target::sum_of_lanes<Real>(Function().template operator()<Real>(sites, given...))));
                  });
            });
            return all;
          },
          [=, ran = ran_.data()](std::int64_t me, std::int64_t items) {
            if (me == 0) ++*ran;
            Reduced all = {target::Reduce::sum};
            if constexpr (lanes == 1)
              for (int row = 0; row < box.rows * box.layers; ++row)
                for (std::int64_t x = me; x < box.length;) {
                  T some = 0;
                  for (int i = 0; i < 64 && x < box.length; ++i, x += items)
                    some += Function().template operator()<T>(target::part_of_row(box, row, int(x), 1), given...);
                  all.take(static_cast<double>(some));
                }
            return all;
          },
          Reduced{target::Reduce::sum});
    };
    return by_vvl<target::longest_vvl>(
        [&]<int lanes>() { return sum_of.template operator()<lanes>(target::argument_of(arguments)...).value; });
  }

  double reduce(target::Reduce reduce, const Field& field, int value, const target::Sites& box,
                const target::Mask* mask = nullptr) const {
    const Usm<std::uint8_t> of_mask = mask ? in_usm(*mask) : Usm<std::uint8_t>();
    const auto of_sites = [=, from = field.argument() + value * lattice_.stride(),
                           wanted = mask ? of_mask.data() : nullptr](std::int64_t me, std::int64_t all_of_them) {
      Reduced all = {reduce};
      for (std::int64_t i = me; i < std::int64_t{box.length} * box.rows * box.layers; i += all_of_them) {
        const int site = site_of(box, static_cast<std::uint32_t>(i)).first;
        if (!wanted || wanted[site]) all.take(static_cast<double>(from[site]));
      }
      return all;
    };
    return joined(of_sites, of_sites, Reduced{reduce}).value;
  }

  void wait() const { wait_for_all(); }
  void confirm() const {}
  std::uint32_t lost_launches() const {
    std::uint32_t ran = 0;
    ran_.read(&ran);
    return launched_ - ran;
  }

 private:
  struct Reduced {
    target::Reduce by;
    double value = target::start_of(by);
    void take(double other) { value = target::joined(by, value, other); }
    void take(const Reduced& other) { take(other.value); }
  };

  template <class Number>
  static Usm<Number> in_usm(const std::vector<Number>& numbers) {
    const Usm<Number> there(std::ssize(numbers));
    there.write(numbers.data());
    return there;
  }
  template <class Move>
  void each_wanted(const Field& field, const std::vector<std::int32_t>& wanted, const Usm<T>& packed,
                   const Move& move) const {
    const auto sites = in_usm(wanted);
    each(sites.size(), [=, site = sites.data(), count = sites.size(), there = field.argument(), here = packed.data(),
                        values = field.values, stride = lattice_.stride()](std::int64_t i) {
      for (std::int64_t v = 0; v < values; ++v) move(there[v * stride + site[i]], here[v * count + i]);
    });
  }

  /// Number `i` of a box. 32 bits, because a GPU takes many times longer to divide longer ones.
  static KERNEL_FN target::Sites site_of(const target::Sites& box, std::uint32_t i) {
    const std::uint32_t row = i / static_cast<std::uint32_t>(box.length);
    return target::part_of_row(box, row, static_cast<int>(i - row * static_cast<std::uint32_t>(box.length)), 1);
  }

  /// The result of work<lanes>() for chunks of --vvl sites.
  template <int lanes, class Work>
  auto by_vvl(const Work& work) const {
    if constexpr (lanes > 1)
      if (vvl_ < lanes) return by_vvl<lanes / 2>(work);
    return work.template operator()<lanes>();
  }

  template <int longest, bool is_of_rows, class Function, class... Given>
  void enqueue(const target::Sites& box, const Given&... given) {
    const std::int64_t count = std::int64_t{box.length} * box.rows * box.layers;
    if (count == 0) return;
    ++launched_;
    if (is_of_rows && !is_cpu()) return enqueue_rows<Function>(box, count, given...);
    by_vvl<longest>([&]<int lanes>() {
      if constexpr (lanes == 1 && !is_of_rows)
        if (!is_cpu())
          return each(count, [=, ran = ran_.data()](std::int64_t i) {
            if (i == 0) ++*ran;
            Function().template operator()<T>(site_of(box, static_cast<std::uint32_t>(i)), given...);
          });
      each_unit([=, ran = ran_.data()](std::int64_t me, std::int64_t units) {
        if (me == 0) ++*ran;
        target::each_part_of(box, me, units, [&](const target::Sites& part) {
          const auto by_chunks = [&](const target::Sites& sites) {
            Function().template operator()<typename RealOfLanes<T, lanes>::Type>(sites, given...);
          };
          const auto by_sites = [&](const target::Sites& sites) { Function().template operator()<T>(sites, given...); };
          if constexpr (is_of_rows)
            by_chunks(part);
          else
            target::in_chunks(part, lanes, by_sites, by_chunks);
        });
        streamed();
      });
    });
  }
  /// This many items share a row; items past the last row repeat its work.
  template <class Function, class... Given>
  void enqueue_rows(const target::Sites& box, std::int64_t rows, const Given&... given) {
    queue().submit([&](::sycl::handler& handler) {
      const ::sycl::local_accessor<T, 1> of_items(::sycl::range<1>(group_items), handler);
      handler.parallel_for(
          groups_over(rows * items_of_row_), [=, sharing = items_of_row_, ran = ran_.data()](::sycl::nd_item<1> item) {
            const auto number = static_cast<std::uint32_t>(item.get_global_linear_id());
            if (number == 0) ++*ran;
            ItemSites row = site_of(box, std::min(number / sharing, static_cast<std::uint32_t>(rows - 1)));
            row.items_of_row = sharing, row.item_of_row = static_cast<int>(number % sharing);
            row.item = &item, row.of_items = &of_items[0];
            Function().template operator()<T>(row, given...);
          });
    });
  }

  target::Lattice lattice_;
  int vvl_;
  std::uint32_t items_of_row_, launched_ = 0;
  Usm<std::uint32_t> ran_{1};  ///< launches, as kernels count them
};

/// The main of a workload's program.
template <template <class> class Code>
int run_layer(int argc, char** argv, const target::LayerEntry& workload) {
  const auto run_of = [&workload]<class T>(T, const target::Rung& rung, const Options& asked) {
    using Target = QueueTarget<T>;
    target::Share share;
    if (!is_cpu())
      share.shortage = [](double bytes, double largest) {
        return device::device_shortage(chosen->device, bytes, largest);
      };
    const auto make = [vvl = rung.has_vvl ? asked.number("vvl") : 1, items = rung.row_items](const auto& lattice) {
      return std::make_unique<Target>(lattice, vvl, items);
    };
    return std::unique_ptr<target::Run>(
        std::make_unique<target::RunOn<Code, Target>>(workload, rung.form, make, share));
  };
  const auto make_run = [=](const target::Rung& rung, const Options& asked) {
    return asked.precision == Precision::f64 ? run_of(double(), rung, asked) : run_of(float(), rung, asked);
  };
  return run_on_queue(argc, argv, workload, target::variants(workload, make_run), [&](const Options& asked) {
    return workload.usual_variant(device::device_for(asked).type != device::DeviceType::cpu);
  });
}

}  // namespace boltzmark::by_sycl
