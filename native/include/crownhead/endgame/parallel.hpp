// A parallel loop over a range of numbers.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace crownhead::endgame {

// Calls `work(begin, end)` for parts of 0 … size - 1, each of `part` numbers, in several threads, and after
// each part of the first thread `goes_on(share)` with the share of the work begun so far, which returns false
// to stop. Throws what a part throws.
template <class Work, class GoesOn>
void parallel_for(std::uint64_t size, int threads, std::uint64_t part, Work const& work,
                  GoesOn const& goes_on) {
    std::atomic<std::uint64_t> next{0};
    std::atomic<bool> stop{false};
    std::exception_ptr error;
    std::mutex failing;
    auto const run = [&](bool leads) {
        try {
            while (!stop) {
                auto const begin = next.fetch_add(part);
                if (begin >= size) { return; }
                work(begin, std::min(size, begin + part));
                if (leads && !goes_on(static_cast<double>(begin) / static_cast<double>(size))) {
                    stop = true;
                }
            }
        } catch (...) {
            std::scoped_lock const lock{failing};
            error = std::current_exception();
            stop = true;
        }
    };
    {
        std::vector<std::jthread> others;
        auto const parts = size / part;
        for (int i = 1; i < threads && static_cast<std::uint64_t>(i) <= parts; ++i) {
            others.emplace_back([&] { run(false); });
        }
        run(true);
    }
    if (error) { std::rethrow_exception(error); }
}

template <class Work, class GoesOn>
void parallel_for(std::uint64_t size, int threads, Work const& work, GoesOn const& goes_on) {
    parallel_for(size, threads, 1 << 14, work, goes_on);
}

}  // namespace crownhead::endgame
