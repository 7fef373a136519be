// The threads that help a search, where there are any.
#pragma once

#include <functional>
#include <memory>

namespace crownhead::engine {

// `src/` starts threads; a build without any has none of its own, and searches then have no helpers.
class HelperThreads {
  public:
    HelperThreads();
    ~HelperThreads();  // waits for them

    static bool are_possible();
    void start(std::function<void()> work);
    void wait();

  private:
    struct Threads;
    std::unique_ptr<Threads> threads_;
};

}  // namespace crownhead::engine
