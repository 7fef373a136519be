// Memory for arrays that are read at random: in huge pages, where the system gives them.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace crownhead::endgame {

template <class T>
struct HugePages {
    using value_type = T;

    HugePages() = default;
    template <class Other>
    HugePages(HugePages<Other> const&) {}

    T* allocate(std::size_t count) {
        constexpr std::size_t page = std::size_t{1} << 21;
        auto const bytes = count * sizeof(T);
        if (bytes < page) { return static_cast<T*>(::operator new(bytes)); }
        auto const whole = (bytes + page - 1) / page * page;
        void* const found = ::operator new (whole, std::align_val_t{page});
#ifdef MADV_HUGEPAGE
        ::madvise(found, whole, MADV_HUGEPAGE);  // advice: without it the memory is slower and as good
#endif
        return static_cast<T*>(found);
    }
    void deallocate(T* given, std::size_t count) {
        constexpr std::size_t page = std::size_t{1} << 21;
        if (count * sizeof(T) < page) {
            ::operator delete(given);
        } else {
            ::operator delete (given, std::align_val_t{page});
        }
    }
    friend bool operator==(HugePages, HugePages) { return true; }
};

template <class T>
using BigVector = std::vector<T, HugePages<T>>;

}  // namespace crownhead::endgame
