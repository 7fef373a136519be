// The threads of the system.
#include "crownhead/engine/helper_threads.hpp"

#include <thread>
#include <vector>

namespace crownhead::engine {

struct HelperThreads::Threads {
    std::vector<std::jthread> all;
};

HelperThreads::HelperThreads() : threads_{std::make_unique<Threads>()} {}
HelperThreads::~HelperThreads() = default;

bool HelperThreads::are_possible() { return true; }
void HelperThreads::start(std::function<void()> work) { threads_->all.emplace_back(std::move(work)); }
void HelperThreads::wait() { threads_->all.clear(); }

}  // namespace crownhead::engine
