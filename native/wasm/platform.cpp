// What the kernel asks of its surroundings, in a browser: no threads, and failures that the page throws.
#include "crownhead/engine/helper_threads.hpp"
#include "crownhead/failure.hpp"
#include "module.hpp"

// Throws there: nothing of this instance runs again.
CROWNHEAD_IMPORT(fail) void crownhead_fail(char const* text, std::size_t length);

namespace crownhead {

void fail(Failure, std::string const& why) {
    crownhead_fail(why.data(), why.size());
    __builtin_trap();
}

namespace engine {

struct HelperThreads::Threads {};

HelperThreads::HelperThreads() = default;
HelperThreads::~HelperThreads() = default;

bool HelperThreads::are_possible() { return false; }
void HelperThreads::start(std::function<void()>) {}
void HelperThreads::wait() {}

}  // namespace engine
}  // namespace crownhead
