// Arrays that are read all over the place: in large pages where the system has them, which need fewer page
// addresses than the processor keeps at hand.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace crownhead {

// Arrays that are smaller than such a page lie in ordinary memory.
template <class T>
class LargePages {
  public:
    using value_type = T;
    using propagate_on_container_move_assignment = std::true_type;  // what it holds need not move

    LargePages() = default;
    template <class Other>
    LargePages(LargePages<Other> const&) {}

    T* allocate(std::size_t count) {
        auto const bytes = count * sizeof(T);
        if (!is_large(bytes)) {
            return static_cast<T*>(::operator new (bytes, std::align_val_t{alignof(T)}));
        }
        auto const whole = (bytes + page - 1) / page * page;
        void* const memory = ::operator new (whole, std::align_val_t{page});
#ifdef MADV_HUGEPAGE
        ::madvise(memory, whole, MADV_HUGEPAGE);  // advice: where it is not taken, only speed is lost
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t count) {
        ::operator delete (memory, std::align_val_t{is_large(count * sizeof(T)) ? page : alignof(T)});
    }
    friend bool operator==(LargePages, LargePages) { return true; }

  private:
    static constexpr std::size_t page = std::size_t{1} << 21;

    static bool is_large([[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
        return bytes >= page;
#else
        return false;
#endif
    }
};

template <class T>
using LargeVector = std::vector<T, LargePages<T>>;

}  // namespace crownhead
